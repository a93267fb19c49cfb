// SPDX-License-Identifier: GPL-3.0-or-later
// Setting up a position by hand. Men and text follow each other; the verdict of the rules is the engine's, asked after
// every change.
import {app, settings, $, setText, ask, tree, study} from './stage.js';
import {readFen, writeFen, describeBoard} from './position.js';
import {el, manPicture} from './pieces.js';
import {Tree} from './tree.js';
import {openForm, fillForm} from './play.js';
import {t} from './phrases.js';

const edit = {parts: null, asked: 0, fen: ''};
const MEN = {chess: 'K Q R B N P', shogi: 'K R B G S N L P +R +B +S +N +L +P'};

function brushButton(brush, label, ...kids) {
	return el('button', {title: label, 'aria-label': label, 'aria-pressed': String(brush === app.board.brush), data: {brush}, onclick: () => {
		app.board.brush = brush;
		fillSetup();
	}}, ...kids);
}

export function fillSetup() {
	const men = side => MEN[app.game].split(' ').map(kind => {
		const letter = side ? kind.toLowerCase() : kind;
		return brushButton(letter, `${t('side_' + side)} ${t('man_' + kind)}`, manPicture(app.game, letter, settings.style, side));
	});
	$('brushes').replaceChildren(brushButton('', t('brush_none'), '✥'), ...men(0), brushButton('x', t('brush_erase'), '⌫'), ...men(1));
}

function change({from, to, hand, side, less}) {
	const {squares, hands} = edit.parts, {brush} = app.board, erase = less || brush === 'x';
	if (hand) hands[side][hand] = Math.max(0, (hands[side][hand] || 0) + (erase ? -1 : 1)) % 19;
	else if (from) {
		if (to) squares[to] = squares[from];
		if (to !== from) delete squares[from];
	} else if (erase || squares[to] === brush) delete squares[to];
	else if (brush) squares[to] = brush;
	verdict();
}

function takeFields() {
	const {parts} = edit, field = name => new FormData($('setup-form')).getAll(name);
	parts.side = +field('turn')[0];
	parts.castling = field('castle').join('') || '-';
	parts.ep = $('ep').value === '-' ? '-' : $('ep').value + (parts.side ? 3 : 6);
	verdict();
}

function load(text, typed) {
	const parts = readFen(app.game, text);
	edit.asked++;
	if (!parts) return drawVerdict(false, t('fen_bad'));
	edit.parts = parts;
	for (const box of $('setup-form').elements) {
		if (box.name === 'turn') box.checked = +box.value === parts.side;
		if (box.name === 'castle') box.checked = (parts.castling || '').includes(box.value);
	}
	$('ep').value = (parts.ep || '-')[0];
	verdict(typed);
}

// A text that was typed is left as it is. Until the answer comes nothing can be played.
async function verdict(typed) {
	const {parts} = edit, turn = ++edit.asked;
	drawVerdict(false, '', '…');
	app.board.set({...parts, squares: {...parts.squares}, mode: 'edit', last: null, check: null, arrows: [], signs: {}, legal: [], label: describeBoard(t, parts)});
	if (!typed) $('fen').value = writeFen(app.game, parts);
	const answer = await ask('setup', {fen: $('fen').value.trim()});
	if (!answer || turn !== edit.asked) return;
	edit.fen = answer.fen;
	drawVerdict(answer.legal, answer.legal ? answer.note || t('verdict_good') : t('verdict_bad', answer.reason));
}

function drawVerdict(legal, text, sign = legal ? '✓' : '✗') {
	setText('verdict', `${sign} ${text}`);
	$('verdict').className = `verdict ${legal ? 'good' : 'bad'}`;
	$('setup-play').disabled = $('setup-analyse').disabled = !legal;
}

function playFrom(start, chess960) {
	app.ownStart = {start, chess960: Boolean(chess960)};
	app.setMode('play');
	fillForm();
	openForm(true);
}

export function initSetup() {
	app.board.onedit = change;
	app.modes.setup = {enter: () => load(app.lastFen || tree().nodes[tree().at].f || app.hello.start)};
	$('fen').oninput = () => load($('fen').value, true);
	$('setup-form').onchange = event => event.target.name && takeFields();
	Object.assign(app.acts, {
		'setup-start': () => load(app.hello.start),
		'setup-clear': () => load(app.game === 'chess' ? '8/8/8/8/8/8/8/8 w - - 0 1' : '9/9/9/9/9/9/9/9/9 b - 1'),
		'setup-play': () => playFrom(edit.fen),
		'setup-analyse': () => study(new Tree({start: edit.fen}), 'analyse'),
		'to-play': () => playFrom(tree().nodes[tree().at].f, tree().chess960),
	});
}
