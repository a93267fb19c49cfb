// SPDX-License-Identifier: GPL-3.0-or-later
// The engine looking at the board: lines, arrows, the bar, its settings. One search at a time; late lines are dropped.
import {app, settings, $, setText, ask, tree, gameFields, studyMove, show, save, playerTags, outcomeText} from './stage.js';
import {el} from './pieces.js';
import {drawNames} from './play.js';
import {t} from './phrases.js';

const think = {job: 0, lines: [], state: null, threat: null, timer: 0, frame: 0};

export function stopThinking() {
	clearTimeout(think.timer);
	if (think.job) ask('stop', {target: think.job});
	Object.assign(think, {job: 0, lines: [], state: null, threat: null});
}

// Not for one who is only passing.
export function thinkAbout(state) {
	stopThinking();
	think.state = state;
	if (settings.on && !document.hidden && !app.reviewing && !state.outcome) think.timer = setTimeout(startThinking, 120, state);
	drawEngine();
}

async function startThinking(state) {
	const fields = gameFields(tree(), tree().at), {threat, multipv} = settings;
	if (threat && !state.check) {
		const answer = await ask('threat', {...fields, movetime_ms: 250});
		if (think.state !== state) return;
		think.threat = answer?.move;
	}
	think.job = ask('go', {...fields, infinite: true, multipv: +multipv}, event => {
		if (think.state !== state || event.event !== 'line') return;
		think.lines[event.multipv - 1] = event;
		think.frame ||= requestAnimationFrame(drawEngine);
	}).id;
}

// From the first player's view: pawns in chess, points in shogi, M for mates.
function scoreText(score, side) {
	if (!score) return '';
	const value = (score.mate ?? score.cp) * (side ? -1 : 1), sign = value < 0 ? '−' : '+', size = Math.abs(value);
	return sign + (score.mate != null ? 'M' + size : app.game === 'chess' ? (size / 100).toFixed(2) : size);
}

function drawMeter(share, text) {
	const [fill, value] = $('meter').children;
	$('meter').classList.toggle('turned', app.flipped);
	fill.style.height = `${share * 100}%`;
	value.textContent = text;
	value.classList.toggle('behind', share < 0.5);
	$('meter').setAttribute('aria-label', t('meter', t('side_0'), Math.round(share * 100)));
}

function drawEngine() {
	think.frame = 0;
	const {state} = think, lines = think.lines.filter(Boolean), best = lines[0], {on, arrows} = settings, {expect, score} = tree().nodes[tree().at];
	if (!state) return;
	const end = state.outcome && [1, 0][state.outcome.winner], told = best ? scoreText(best.score, state.side) : scoreText(score, 0);
	$('engine-on').setAttribute('aria-checked', on);
	setText('engine-score', best ? told : on ? '' : t('engine_off'));
	setText('engine-depth', best ? `${t('depth', `${best.depth}/${best.seldepth || best.depth}`)} · ${t('speed', Math.round((best.nps || 0) / 1000))}` : '');
	drawWdl(best?.wdl, state.side);
	drawMeter((best ? best.expect : end ?? expect) ?? 0.5, told);
	$('lines').replaceChildren(...lines.map(line => el('li', {}, el('b', {}, scoreText(line.score, state.side)), ...line.pv.slice(0, 12).flatMap((move, i) =>
		[' ', el('button', {className: 'mv', onclick: () => addLine(line.pv.slice(0, i + 1), line.text)}, line.text[i] || move)]))));
	const drawn = arrows ? lines.map((line, i) => ({move: line.pv[0], kind: i ? 'other' : 'best'})).reverse() : [];
	app.board.set({arrows: [...(think.threat ? [{move: think.threat, kind: 'threat'}] : []), ...(app.better || []), ...drawn]});
}

function drawWdl(wdl, side) {
	const shares = (wdl || []).map(x => Math.round(x / 10));
	if (side) shares.reverse();
	$('wdl').replaceChildren(...shares.map((share, i) => {
		const part = el('i', {className: ['win', 'draw', 'loss'][i]}, share > 11 ? share : '');
		part.style.flexGrow = share;
		return part;
	}));
	$('wdl').setAttribute('aria-label', $('wdl').title = wdl ? t('wdl', ...shares, t('side_0')) : '');
}

export function addLine(moves, texts) {
	const tr = tree();
	show(moves.reduce((node, move, i) => tr.add(node, move, texts[i]), tr.at), true);
}

function optionField({name, type, values, min, max, ...option}) {
	const value = settings.options[name] ?? option.value ?? option.default ?? '';
	const send = async wish => {
		const {state} = think;
		stopThinking(); // what is set waits for the search
		if (await ask('set', {name, value: wish}) && wish !== undefined) settings.options[name] = wish;
		think.state ||= state;
		settingsChanged();
	};
	const fields = {
		button: {className: 'small', textContent: t('option_run'), onclick: () => send()},
		check: {type: 'checkbox', checked: String(value) === 'true', onchange: event => send(event.target.checked)},
		spin: {type: 'number', min, max, value, onchange: event => send(Math.min(max, Math.max(min, Math.round(+event.target.value))))},
	}[type] || {value, onchange: event => send(event.target.value)};
	const input = el({button: 'button', combo: 'select'}[type] || 'input', {}, ...(values || []).map(v => el('option', {value: v}, v)));
	return el('label', {className: 'field'}, el('span', {}, name), Object.assign(input, fields));
}

export function fillOptions() {
	$('option-list').replaceChildren(...app.hello.options.filter(option => !/multipv/i.test(option.name)).map(optionField));
}

export function sendOptions() {
	for (const [name, value] of Object.entries(settings.options)) ask('set', {name, value});
}

export function settingsChanged() {
	save();
	if (think.state) thinkAbout(think.state);
}

export function enterStudy() {
	drawNames(playerTags().map(tag => tree().tags[tag]));
	show(tree().at);
}

export function initAnalyse() {
	app.acts.engine = () => {
		settings.on = !settings.on;
		settingsChanged();
	};
	app.modes.analyse = {
		movable: state => !state.outcome,
		move: studyMove,
		arrived: state => {
			setText('status', state.outcome ? outcomeText(state.outcome) : '');
			thinkAbout(state);
		},
		enter: enterStudy, leave: stopThinking, space: app.acts.engine,
	};
	document.addEventListener('visibilitychange', settingsChanged);
	app.acts['line-up'] = () => {
		tree().promote(tree().at);
		show(tree().at);
	};
	app.acts['line-cut'] = () => {
		if (tree().at) tree().remove(tree().at);
		show(tree().at);
	};
}
