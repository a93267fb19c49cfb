// SPDX-License-Identifier: GPL-3.0-or-later
// What all modes share: the game played and the one studied, the board, notices, saving. Every question to the engine
// carries the whole game: one started anew need be told nothing. `acts` has what buttons do, by data-do.
import {Backend} from './backend.js';
import {el} from './pieces.js';
import {readFen, describeBoard} from './position.js';
import {Tree} from './tree.js';
import {t, phraseRow, isJapanese} from './phrases.js';

export const app = {engine: new Backend(), game: 'chess', mode: 'play', modes: {}, acts: {}, flipped: false, archive: []};
export const trees = {play: new Tree(), study: new Tree()};
export const settings = {on: true, options: {}};

export const MARK_SIGNS = {inaccuracy: '?!', mistake: '?', blunder: '??', good: '!'};
const NAG_SIGNS = ['', '!', '?', '!!', '??', '!?', '?!'];
let movesDrawn = '';

export const $ = id => document.getElementById(id);

export function setText(id, text) {
	$(id).textContent = text;
}

// Asks the engine; null when it refused, which is told, or is gone.
export function ask(what, fields, onevent) {
	const asked = app.engine.ask(what, fields, onevent);
	return Object.assign(asked.catch(error => {
		if (error.code !== 'dead') notice(t('failed', error.message), {bad: true});
		return null;
	}), {id: asked.id});
}

export function tree() {
	return app.mode === 'play' ? trees.play : trees.study;
}

// The game up to a node, or all of it with its variations.
export function gameFields(tr, node) {
	return {start: tr.start, ...(node === undefined ? tr.record() : {moves: tr.moves(node)}), ...tr.chess960 && {chess960: true}};
}

// The same with what else belongs to a record.
export function recordFields(tr, node) {
	const {tags, comment, result, reason} = tr;
	return {...gameFields(tr, node), tags, comment, ...result && {result, reason}};
}

// Forgets the words of moves, to have them in another language.
export async function retell(tr) {
	for (const n of tr.nodes) n.state = null;
	for (const i of tr.nodes.keys()) if (!tr.nodes[i].kids[0]) await stateOf(tr, i);
	drawMoveList();
}

// The engine's word on a node, asked once.
export async function stateOf(tr, node) {
	const n = tr.nodes[node];
	const state = n.state ||= await ask('state', gameFields(tr, node));
	if (!state) return null;
	n.f = state.fen;
	tr.path(node).forEach((i, ply) => tr.nodes[i].t = state.text[ply]);
	if (!node) Object.assign(tr, {first: state.side, number: +state.fen.split(' ').pop() || 1});
	return state;
}

export function sideAt(tr, node) {
	return (tr.first + tr.path(node).length) % 2;
}

export async function show(node, spoken) {
	const {mode} = app, tr = tree(), n = tr.nodes[node], known = n.f && readFen(app.game, n.f);
	tr.at = node;
	if (node) tr.nodes[n.p].next = node;
	if (!n.state && known) app.board.set({...known, last: n.m, check: null, legal: [], arrows: [], signs: {}});
	drawMoveList();
	save();
	const state = await stateOf(tr, node);
	if (!state || app.mode !== mode || tree() !== tr || tr.at !== node) return;
	if (spoken) say(node ? t('said_at', tr.path(node).length, n.t) : t('said_start'));
	drawState(state);
	drawMoveList();
	app.modes[mode].arrived(state);
}

function drawState({board: {squares, hands}, side, last, check, legal, opening, castles, ...state}) {
	const king = check ? Object.keys(squares).find(at => squares[at] === (side ? 'k' : 'K')) : null;
	const mode = app.modes[app.mode].movable(state) ? 'move' : 'view';
	app.board.set({squares, hands, side, last, check: king, legal, mode, arrows: [], signs: {}, label: describeBoard(t, {squares, hands})});
	const name = named => isJapanese() && named.name_ja || named.name;
	setText('opening', [opening && `${opening.code || ''} ${name(opening)}`, ...castles.map((castle, i) => castle && `${t('side_' + i)}: ${name(castle)}`)].filter(Boolean).join(' · '));
}

export function studyMove(move) {
	show(tree().add(tree().at, move), true);
}

// The main line in two columns, variations below their move.
function drawMoveList() {
	const tr = tree(), box = $('moves'), line = app.mode === 'play' ? tr.path(tr.head) : null;
	const shape = JSON.stringify([line, t('no_moves'), tr.first, tr.number, tr.nodes.map(n => [n.t, n.mark, n.kids, n.comment])]);
	if (shape !== movesDrawn) {
		movesDrawn = shape;
		box.replaceChildren(tr.nodes.length > 1 ? drawRows(tr, line) : el('p', {className: 'soft'}, t('no_moves')));
	}
	for (const old of box.querySelectorAll('[aria-current]')) old.removeAttribute('aria-current');
	const now = box.querySelector(`[data-node="${tr.at}"]`);
	if (!now) return box.scrollTop = 0;
	now.setAttribute('aria-current', 'true');
	const top = now.offsetTop - box.offsetTop;
	if (top < box.scrollTop || top + now.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
}

// The number before a move, null where it goes without.
function numberText(tr, ply, first) {
	const left = (tr.first + ply) % 2 === 0;
	if (!left && !first) return null;
	return app.game === 'shogi' ? `${ply + tr.number}` : `${Math.floor((ply + tr.first) / 2) + tr.number}.`;
}

function moveButton({nodes}, node) {
	const {t: text, mark, nags} = nodes[node];
	const sign = MARK_SIGNS[mark] || (nags || []).map(nag => NAG_SIGNS[nag] || '').join('');
	return el('button', {className: `mv ${mark || ''}`, data: {node}}, text, ...(sign ? [el('b', {}, sign)] : []));
}

function drawRows(tr, line) {
	const grid = el('div', {className: 'rows'}), cell = (text, className) => grid.append(el('span', {className}, text));
	let open = false, kids;
	for (let node = 0, ply = 0; (kids = line ? line.slice(ply, ply + 1) : tr.nodes[node].kids).length; node = kids[0], ply++) {
		const left = (tr.first + ply) % 2 === 0, {comment} = tr.nodes[kids[0]];
		if (left || !open) cell(numberText(tr, ply, true), 'no');
		if (!left && !open) cell('…', 'gap');
		grid.append(moveButton(tr, kids[0]));
		open = left;
		if (!comment && kids.length < 2) continue;
		if (left) cell('…', 'gap');
		open = false;
		if (comment) cell(comment, 'remarks');
		for (const other of kids.slice(1)) grid.append(drawInline(tr, other, ply, el('div', {className: 'variation'})));
	}
	return grid;
}

function drawInline(tr, node, ply, box) {
	for (let first = true; node !== undefined; first = false, ply++) {
		const number = numberText(tr, ply, first), {kids} = tr.nodes[node];
		if (number) box.append(el('span', {className: 'no'}, number + ((tr.first + ply) % 2 && app.game === 'chess' ? '..' : '')));
		box.append(moveButton(tr, node), ' ');
		for (const other of kids.slice(1)) box.append(drawInline(tr, other, ply + 1, el('span', {className: 'inner'})));
		node = kids[0];
	}
	return box;
}

export function study(tr, mode) {
	keepEarlier(trees.study);
	trees.study = tr;
	app.setMode(mode);
}

export function outcomeText({winner, reason, text}) {
	const who = winner === null ? t('drawn') : t('wins', t('side_' + winner)), why = `why_${reason}${winner === null && reason === 'time' ? '_bare' : ''}`;
	return phraseRow(why) ? `${who} ${t(why)}` : text || who;
}

export function say(text) {
	setText('live', text);
}

// A message. Without a key it goes by itself.
export function notice(text, {bad, label, action, key} = {}) {
	if (key) dropNotice(key);
	for (const old of [...$('notices').children]) if (old.firstChild.textContent === text) old.remove();
	const box = el('div', {className: bad ? 'notice bad' : 'notice', role: bad ? 'alert' : 'status', data: {key: key || ''}}, el('span', {}, text));
	if (label) box.append(el('button', {className: 'small', onclick: action}, label));
	box.append(el('button', {className: 'plain', 'aria-label': t('dismiss'), onclick: () => box.remove()}, '×'));
	$('notices').append(box);
	(document.querySelector('dialog[open]') || document.body).append($('notices')); // which would hide it
	if (!key) setTimeout(() => box.remove(), 7000);
}

export function dropNotice(key) {
	for (const old of $('notices').querySelectorAll(`[data-key=${key}]`)) old.remove();
}
let saveTimer = 0;

export function save() {
	saveTimer ||= setTimeout(saveNow, 120);
}

function snapshot() {
	const {mode, flipped, archive} = app;
	return {mode, flipped, settings, archive, ...trees};
}

export function saveNow() {
	clearTimeout(saveTimer);
	saveTimer = 0;
	if (app.store.write(snapshot(), Date.now())) return;
	if (!app.told) notice(t('no_storage'), {key: 'storage', label: t('save_file'), action: saveFile});
	app.told = true;
}

export function saveFile() {
	download(`twofold-${app.game}.json`, JSON.stringify({twofold: app.game, save: snapshot()}));
}

export function download(name, data) {
	const href = URL.createObjectURL(new Blob([data], {type: 'application/octet-stream'}));
	el('a', {href, download: name}).click();
	setTimeout(() => URL.revokeObjectURL(href), 10000);
}

export function fromBase64(text) {
	return Uint8Array.from(atob(text), c => c.charCodeAt(0));
}

// The first player of shogi is called Black.
export function playerTags() {
	return app.game === 'chess' ? ['White', 'Black'] : ['Black', 'White'];
}

export function gameTitle(tr) {
	const [first, second] = playerTags().map(tag => tr.tags[tag]), day = tr.tags.Date?.replace(/\.?\?+/g, '');
	if (first || second) return `${first || '?'} – ${second || '?'}${day ? ', ' + day : ''}`;
	return tr.path(tr.head || tr.at).slice(0, 6).map(i => tr.nodes[i].t).join(' ') || t('start_node');
}

export function keepEarlier(tr) {
	if (tr.nodes.length > 1) app.archive = [{when: Date.now(), title: gameTitle(tr), tree: tr.toJSON()}, ...app.archive].slice(0, 8);
}
