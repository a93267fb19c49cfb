// SPDX-License-Identifier: GPL-3.0-or-later
// Playing against the engine. The game is the line that ends at `head`; what was taken back stays in the tree. `match` has
// the user's side, the level and the clocks. An answer of the engine counts only in its turn.
import {app, trees, settings, $, setText, ask, tree, gameFields, stateOf, sideAt, show, save, say, keepEarlier, playerTags, outcomeText} from './stage.js';
import {Tree} from './tree.js';
import {Clock, clockText} from './clock.js';
import {el, pieceSide} from './pieces.js';
import {t, isJapanese} from './phrases.js';

let playTurn = 0;

export function matchOn() {
	const {match} = trees.play;
	return Boolean(match?.on);
}

function userTurn() {
	const tr = trees.play;
	return matchOn() && sideAt(tr, tr.head) === tr.match.user;
}

// 0 is full strength.
function levelChosen() {
	const level = +$('level').value;
	return level > app.hello.levels.max ? 0 : level;
}

function drawForm() {
	const elo = levelChosen(), {named} = app.hello.levels, near = named.findLast(level => level.elo && level.elo <= elo + 200) || named[0];
	const name = elo ? `${elo} · ${t('level_' + near.name)}` : t('level_full');
	setText('level-out', name);
	$('level').setAttribute('aria-valuetext', name);
}

export function fillForm() {
	const {levels, starts} = app.hello, step = levels.step || 50, chosen = $('start').value;
	Object.assign($('level'), {min: levels.min, max: levels.max + step, step, value: settings.level});
	const list = [['startpos', t('start_normal')]];
	if (app.game === 'chess') list.push(['960', t('start_960')]);
	for (const {key, name, name_ja} of starts) if (key !== 'even' && key !== 'chess960:') list.push([key, isJapanese() && name_ja || name]);
	if (app.ownStart) list.push(['own', t('start_own')]);
	$('start').replaceChildren(...list.map(([value, textContent]) => el('option', {value, textContent})));
	$('start').value = app.ownStart ? 'own' : chosen || 'startpos';
	drawForm();
}

function clockChosen() {
	const code = $('time').value;
	const [main, inc = 0, byo = 0] = code === 'own' ? ['main', 'inc', 'byo'].map(id => +$(id).value) : code.split('+').map(Number);
	return main + inc + byo > 0 ? new Clock({main: (main * 60 || (byo ? 0 : inc)) * 1000, inc: inc * 1000, byo: byo * 1000}) : null;
}

function startChosen() {
	const key = $('start').value, typed = $('chess960').value;
	if (key === 'own') return app.ownStart;
	if (key !== '960') return {start: key};
	return {start: `chess960:${typed || Math.floor(Math.random() * 960)}`, chess960: true};
}

function names({user, level}) {
	const both = [t('you'), t('engine_name', level || '')];
	return user ? [both[1], both[0]] : both;
}

async function newGame() {
	const wish = settings.side, match = {user: wish === 'r' ? Number(Math.random() < 0.5) : +wish, level: levelChosen(), on: true, clock: clockChosen()};
	leaveTurn();
	if (matchOn()) keepEarlier(trees.play);
	const tags = {Date: new Date().toISOString().slice(0, 10).replaceAll('-', '.')}, players = names(match);
	playerTags().forEach((tag, side) => tags[tag] = players[side]);
	const tr = trees.play = new Tree({...startChosen(), match, tags});
	app.ownStart = null;
	app.flipped = match.user === 1;
	app.look();
	openForm(false);
	scrollTo(0, 0);
	await show(0);
	if (tr.nodes[0].state) nextTurn(tr.nodes[0].state);
}

export function openForm(open) {
	app.formOpen = open;
	drawPlay();
}

function leaveTurn() {
	playTurn++;
	if (app.thinking) ask('stop', {target: app.thinking});
	app.thinking = null;
}

// The head has changed: is it over, whose turn is it?
function nextTurn(state) {
	const {match} = trees.play, {outcome, side} = state;
	if (outcome) return finish(outcome.winner, outcome.reason);
	if (match.on && match.clock && match.clock.side !== side) match.clock.run(side, performance.now());
	drawPlay();
	if (match.on && side !== match.user) engineTurn(side);
}

async function engineTurn(side) {
	const tr = trees.play, {match} = tr, turn = ++playTurn, began = performance.now();
	const limit = match.clock ? {clock: match.clock.fields(began)} : {movetime_ms: 1000};
	const asked = ask('go', {...gameFields(tr, tr.head), ...limit, ...match.level && {level: match.level}});
	app.thinking = asked.id;
	const answer = await asked;
	if (!match.clock) await new Promise(done => setTimeout(done, 350 - (performance.now() - began)));
	if (!answer || turn !== playTurn) return;
	app.thinking = null;
	if (answer.kind === 'resign') finish(1 - side, 'resignation');
	else if (answer.kind === 'win') finish(side, 'declaration');
	else if (answer.move) playMove(answer.move, answer.text);
}

async function playMove(move, text) {
	const tr = trees.play, {match} = tr, side = sideAt(tr, tr.head), follows = tr.at === tr.head;
	const node = tr.head = tr.add(tr.head, move, text);
	if (match.clock) {
		match.clock.moved(side, performance.now());
		tr.nodes[node].c = [...match.clock.left];
		tr.nodes[node].clock_ms = Math.round(match.clock.left[side]);
	}
	if (follows) tr.at = node;
	if (app.mode === 'play' && follows) await show(node);
	const state = await stateOf(tr, node);
	save();
	if (!state || tr !== trees.play || tr.head !== node) return;
	const said = t('said', t(side === match.user ? 'you' : 'engine_name', ''), tr.nodes[node].t);
	say(state.check ? t('said_check', said) : said);
	nextTurn(state);
}

function finish(winner, reason) {
	const tr = trees.play;
	leaveTurn();
	tr.match.on = false;
	tr.match.clock?.pause(performance.now());
	Object.assign(tr, {winner, reason, result: ['1-0', '0-1'][winner] || '1/2-1/2'});
	keepEarlier(tr);
	if (app.mode === 'play') show(tr.at);
	say(`${overTitle(tr)}. ${overText(tr)}`);
	save();
}

function eachStrip(draw) {
	for (const [id, far] of [['strip-top', 1], ['strip-bottom', 0]]) draw(far ^ app.flipped, kind => $(id).querySelector(kind));
}

function tick() {
	const tr = trees.play, {clock} = tr.match || {}, now = performance.now();
	if (!clock) return;
	if (app.mode === 'play') eachStrip((side, part) => {
		const {main, byo} = clock.read(side, now), box = part('.clock');
		box.textContent = clockText(main || byo);
		box.className = `clock${clock.side === side ? ' runs' : ''}${main + byo < 15000 ? ' low' : ''}`;
	});
	if (!matchOn() || clock.side === null || !clock.read(clock.side, now).flag) return;
	const {side} = clock, {state} = tr.nodes[tr.head];
	const bare = app.game === 'chess' && state && Object.values(state.board.squares).filter(man => pieceSide(man) !== side).length === 1;
	finish(bare ? null : 1 - side, 'time');
}

function backNode() {
	const tr = trees.play;
	for (let i = tr.nodes[tr.head].p; i >= 0; i = tr.nodes[i].p) if (sideAt(tr, i) === tr.match.user) return i;
	return -1;
}

function forwardNode() {
	const tr = trees.play;
	for (let i = tr.head, on; ; i = on) {
		on = tr.forward(i);
		if (on === i || sideAt(tr, on) === tr.match.user) return on;
	}
}

async function goHead(node) {
	const tr = trees.play, {clock} = tr.match;
	leaveTurn();
	tr.head = node;
	tr.result = null;
	tr.match.on = true;
	if (clock) Object.assign(clock, {side: null, left: [...(tr.nodes[node].c || [clock.main, clock.main])]});
	await show(node, true);
	if (tr.nodes[node].state) nextTurn(tr.nodes[node].state);
}

async function hint() {
	const tr = trees.play, node = tr.head;
	const answer = userTurn() && await ask('go', {...gameFields(tr, node), movetime_ms: 700});
	if (!answer || !answer.move || tr.head !== node || tr.at !== node || app.mode !== 'play') return;
	app.board.set({arrows: [{move: answer.move, kind: 'hint'}]});
	setText('status', t('hint_said', answer.text));
}

// The second press within some seconds counts.
function resign() {
	const button = $('resign'), {sure} = button.dataset;
	const ask = on => {
		button.dataset.sure = on;
		button.textContent = t(on ? 'resign_sure' : 'resign');
	};
	ask(sure ? '' : '1');
	if (sure) finish(1 - trees.play.match.user, 'resignation');
	else setTimeout(ask, 3000, '');
}

function overTitle(tr) {
	return t(tr.winner === null ? 'drawn' : tr.winner === tr.match.user ? 'won' : 'lost');
}

function overText(tr) {
	return `${outcomeText(tr)} (${tr.result})`;
}

function statusText(tr, state) {
	if (tr.result) return '';
	if (tr.at !== tr.head) return t('looking_back');
	if (!userTurn()) return app.engine.alive ? t('thinking') : '';
	return [t(state?.check ? 'your_move_check' : 'your_move'), tr.match.clock?.side === null && t('paused'), state?.may_claim].filter(Boolean).join(' ');
}

export function drawPlay() {
	const tr = trees.play, {match} = tr;
	if (app.mode !== 'play') return;
	document.body.dataset.play = app.formOpen || !match ? 'form' : tr.result ? 'over' : 'on';
	document.body.classList.toggle('timed', Boolean(match?.clock));
	$('new-cancel').hidden = !match;
	drawNames(match ? names(match) : []);
	if (!match) return setText('status', '');
	const {state} = tr.nodes[tr.head];
	setText('status', app.formOpen ? '' : statusText(tr, state));
	if (tr.result) {
		setText('over-title', overTitle(tr));
		setText('over-text', overText(tr));
	}
	$('take-back').disabled = backNode() < 0;
	$('take-forward').disabled = forwardNode() === tr.head;
	$('hint').disabled = !userTurn();
	$('resign').disabled = !match.on || app.game === 'shogi' && !userTurn(); // as records have it
	$('claim').hidden = !(userTurn() && state?.may_claim);
}

export function drawNames(list) {
	eachStrip((side, part) => {
		part('.stone').dataset.side = side;
		part('.who').textContent = list[side] || t('side_' + side);
	});
}

// After a reload or with a new engine. A clock waits for the next move.
export async function resumePlay() {
	const tr = trees.play, state = tr.match && await stateOf(tr, tr.head);
	if (state && tr.match.on && (state.outcome || state.side !== tr.match.user)) nextTurn(state);
	drawPlay();
}

export function initPlay() {
	app.modes.play = {
		movable: () => userTurn() && tree().at === tree().head,
		move: playMove,
		arrived: drawPlay,
		enter: () => {
			drawPlay();
			show(tree().at);
		},
		space: hint,
	};
	Object.assign(app.acts, {
		hint, resign,
		'form-close': () => openForm(false),
		'form-open': () => openForm(true),
		'take-back': () => goHead(backNode()),
		'take-forward': () => goHead(forwardNode()),
		claim: () => finish(trees.play.match.user, 'declaration'),
	});
	$('new-form').oninput = drawForm;
	$('new-form').onsubmit = event => {
		event.preventDefault();
		newGame();
	};
	setInterval(tick, 100);
}
