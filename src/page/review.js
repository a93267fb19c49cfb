// SPDX-License-Identifier: GPL-3.0-or-later
// Looking a game over: records are opened, moves judged; graph, marks and better lines lead to where it turned. Verdicts
// stand on the nodes (`expect`, `mark`, `better`).
import {app, MARK_SIGNS, trees, settings, $, setText, ask, tree, recordFields, show, study, save, say, notice, download, fromBase64, gameTitle, playerTags} from './stage.js';
import {svgEl, el} from './pieces.js';
import {splitMove} from './board.js';
import {Tree} from './tree.js';
import {thinkAbout, stopThinking, addLine, enterStudy} from './analyse.js';
import {t} from './phrases.js';

export async function openFile(file) {
	if (file.size > 12e6) return notice(t('too_large'), {bad: true});
	const text = await file.text(), reader = new FileReader();
	try {
		if (text.startsWith(`{"twofold":"${app.game}"`)) return app.restore(JSON.parse(text).save);
	} catch (error) {
		return notice(t('failed', error.message), {bad: true});
	}
	reader.onload = () => openRecord({base64: reader.result.split(',')[1], name: file.name});
	reader.readAsDataURL(file);
}

export async function openRecord(source, number) {
	const answer = await ask('read', {...source, ...number && {game: number}}), dialog = $('open-dialog');
	if (!answer) return;
	if (answer.games > 1 && !number) {
		if (!dialog.open) openDialog();
		$('games').hidden = false;
		$('games').replaceChildren(...Array.from({length: answer.games}, (_, i) => el('option', {value: i + 1}, `${i + 1}. ${answer.list[i]?.text || ''}`)));
		$('games').onchange = () => openRecord(source, +$('games').value);
		return;
	}
	dialog.close();
	const {game: {moves, variations, ...game}, warnings} = answer, tr = new Tree(game).addRecord({moves, variations});
	study(tr, moves.length ? 'review' : 'analyse');
	notice(t('opened', gameTitle(tr), moves.length));
	if (warnings?.length) notice(t('warned', warnings.length, warnings[0].line, warnings[0].text), {bad: true});
}

function openDialog() {
	$('games').hidden = true;
	$('earlier-field').hidden = !app.archive.length;
	$('earlier').replaceChildren(el('option', {value: ''}, t('choose')), ...app.archive.map(({when, title}, i) => el('option', {value: i}, `${new Date(when).toLocaleDateString()} ${title}`)));
	$('open-dialog').showModal();
}

async function runReview() {
	const tr = tree(), line = tr.main();
	if (!line.length || app.reviewing) return;
	stopThinking();
	const asked = ask('analyse', {...recordFields(tr), nodes: +settings.effort}, event => {
		if (event.event === 'progress') return drawProgress(event.done, event.total);
		judge(tr, line, event);
		drawReview();
	});
	app.reviewing = asked.id;
	drawProgress(0, line.length);
	drawReview();
	const answer = await asked;
	app.reviewing = 0;
	if (answer) {
		for (const verdict of answer.moves) judge(tr, line, verdict);
		tr.players = answer.players;
		app.reported = tr;
		say(t('reviewed'));
	}
	save();
	if (app.mode === 'review') show(tree().at);
}

// A verdict of the engine goes to its node; plies count from 1.
function judge(tr, line, {ply, move, expect, score, mark, best, line: moves, line_text: texts}) {
	const n = tr.nodes[line[ply - 1]];
	if (!n || n.m !== move) return;
	Object.assign(n, {expect, score, mark, better: best && best !== move ? {moves, texts} : null});
}

function drawProgress(done, total) {
	$('progress').value = done / total;
	setText('progress-text', t('progress_text', done, total));
}

export function drawReview() {
	const tr = tree(), line = tr.main(), n = tr.nodes[tr.at], judged = line.some(i => tr.nodes[i].expect !== undefined);
	if (app.mode !== 'review') return;
	setText('review-intro', line.length ? t('review_intro', gameTitle(tr)) : t('nothing_open'));
	document.body.dataset.review = [line.length ? app.reviewing ? 'run' : 'ready' : 'none', judged ? 'judged' : ''].join(' ');
	$('players').hidden = !tr.players;
	for (const field of $('players').querySelectorAll('[data-k]')) {
		const side = +field.closest('[data-side]').dataset.side, key = field.dataset.k;
		field.textContent = key === 'name' ? tr.tags[playerTags()[side]] || t('side_' + side) : tr.players && tr.players[side][key] !== null ? Math.round(tr.players[side][key]) : '–';
	}
	$('show-better').disabled = !n.better;
	setText('remark', n.mark ? t(n.better ? 'remark' : 'remark_good', n.t, MARK_SIGNS[n.mark] || '', t('mark_' + n.mark), n.better?.texts.slice(0, 8).join(' ')) : '');
	if (judged) drawGraph(tr, line);
}

// The expected result of the first player; a press goes to the move.
function drawGraph(tr, line) {
	const box = $('graph'), last = line.length - 1, x = i => i * 1000 / (last || 1), y = share => 200 - share * 200, here = line.indexOf(tr.at);
	const svg = svgEl('svg', {viewBox: '0 0 1000 200', preserveAspectRatio: 'none', role: 'img', 'aria-label': t('graph')});
	const known = line.map((node, i) => [i, tr.nodes[node]]).filter(([, n]) => n.expect !== undefined);
	const curve = known.map(([i, n]) => `${x(i)} ${y(n.expect)}`).join('L');
	svgEl('path', {class: 'area', d: `M${x(known[0][0])} 200L${curve}V200Z`}, svg);
	svgEl('path', {class: 'middle', d: 'M0 100H1000'}, svg);
	svgEl('path', {class: 'curve', d: `M${curve}`}, svg);
	if (here >= 0) svgEl('path', {class: 'here', d: `M${x(here)} 0V200`}, svg);
	box.replaceChildren(svg, ...known.filter(([, n]) => MARK_SIGNS[n.mark]).map(([i, n]) => {
		const dot = el('i', {className: `dot ${n.mark}`, textContent: MARK_SIGNS[n.mark]});
		for (const [side, at] of [['left', x(i) / 10], ['top', y(n.expect) / 2]]) dot.style[side] = `clamp(.6rem, ${at}%, 100% - .6rem)`;
		return dot;
	}));
	box.onclick = event => {
		const {left, width} = box.getBoundingClientRect();
		show(line[Math.round(Math.min(1, Math.max(0, (event.clientX - left) / width)) * last)], true);
	};
}

function nextMark(step) {
	const tr = tree(), line = tr.main(), on = tr.path(tr.at).filter(i => line.includes(i)).length - 1;
	const found = (step > 0 ? line.slice(on + 1) : line.slice(0, Math.max(0, on)).reverse()).find(i => tr.nodes[i].mark);
	if (found) show(found, true);
}

async function exportAs(format) {
	if (app.reported !== tree()) await runReview();
	stopThinking();
	const answer = app.reported === tree() && await ask('report', {format});
	show(tree().at);
	if (answer) download(answer.name || `game.${format}`, answer.base64 ? fromBase64(answer.base64) : answer.text);
}

function reviewPlayed() {
	const {nodes, head, start, chess960, tags, result, reason} = trees.play;
	study(new Tree({start, chess960, tags, result, reason}).addRecord({moves: trees.play.path(head).map(i => ({move: nodes[i].m, text: nodes[i].t, clock_ms: nodes[i].clock_ms}))}), 'review');
	runReview();
}

export function initReview() {
	app.modes.review = {
		...app.modes.analyse,
		arrived: state => {
			const {mark, better, m} = tree().nodes[tree().at];
			drawReview();
			app.better = better && [{move: better.moves[0], kind: 'better'}];
			if (MARK_SIGNS[mark]) app.board.set({signs: {[splitMove(m).to]: {sign: MARK_SIGNS[mark], kind: mark}}});
			thinkAbout(state);
		},
		enter: () => {
			drawReview();
			enterStudy();
		},
		leave: () => {
			app.better = null;
			stopThinking();
		},
	};
	Object.assign(app.acts, {
		review: runReview,
		'review-stop': () => ask('stop', {target: app.reviewing}),
		'mark-prev': () => nextMark(-1),
		'mark-next': () => nextMark(1),
		better: () => {
			const {p, better} = tree().nodes[tree().at];
			tree().at = p;
			addLine(better.moves.slice(0, 8), better.texts);
		},
		'review-played': reviewPlayed,
		'open-dialog': openDialog,
		'open-file': () => $('file').click(),
		'open-text': () => openRecord({text: $('paste').value}),
		export: ({dataset}) => exportAs(dataset.format),
	});
	$('file').onchange = ({target}) => {
		openFile(target.files[0]);
		target.value = ''; // it may come again
	};
	$('earlier').onchange = () => {
		$('open-dialog').close();
		study(Tree.load({...app.archive[+$('earlier').value].tree, match: null}), 'review');
	};
}
