// SPDX-License-Identifier: GPL-3.0-or-later
// Positions as text, without rules: what is legal is the engine's to say.
import {squareName, HAND_KINDS} from './board.js';
import {pieceSide} from './pieces.js';

// FEN or SFEN in parts; null where the board cannot be read.
export function readFen(game, text) {
	const words = text.trim().replace(/^(position )?sfen /, '').split(/\s+/);
	const size = game === 'chess' ? 8 : 9, rows = words[0].split('/'), squares = {}, hands = [{}, {}];
	if (rows.length !== size) return null;
	for (let y = 0; y < size; y++) {
		let x = 0;
		for (const part of rows[y].match(/\+?[A-Za-z]|[1-9]/g) || []) {
			if (part > 0) x += +part;
			else squares[squareName(game, x++, y)] = part;
		}
		if (x !== size) return null;
	}
	if (game === 'chess') return {squares, side: Number(words[1] === 'b'), castling: words[2] || '-', ep: words[3] || '-', rest: `${words[4] || 0} ${words[5] || 1}`};
	for (const [, count, letter] of (words[2] || '-').matchAll(/(\d*)([A-Za-z])/g)) hands[pieceSide(letter)][letter.toUpperCase()] = +(count || 1);
	return {squares, side: Number(words[1] === 'w'), hands, rest: words[3] || '1'};
}

export function writeFen(game, {squares, side, hands, castling, ep, rest}) {
	const size = game === 'chess' ? 8 : 9, rows = [];
	for (let y = 0; y < size; y++) {
		let row = '';
		for (let x = 0; x < size; x++) row += squares[squareName(game, x, y)] || '1';
		rows.push(row.replace(/1+/g, gap => gap.length));
	}
	const board = rows.join('/');
	if (game === 'chess') return `${board} ${side ? 'b' : 'w'} ${castling} ${ep} ${rest}`;
	const held = hands.map((hand, s) => HAND_KINDS.filter(kind => hand[kind]).map(kind => (hand[kind] > 1 ? hand[kind] : '') + (s ? kind.toLowerCase() : kind)).join('')).join('');
	return `${board} ${side ? 'w' : 'b'} ${held || '-'} ${rest}`;
}

export function describeBoard(words, {squares, hands}) {
	const men = [[], []];
	for (const at in squares) men[pieceSide(squares[at])].push(`${words('man_' + squares[at].toUpperCase())} ${at}`);
	hands?.forEach((hand, side) => HAND_KINDS.forEach(kind => hand[kind] && men[side].push(words('in_hand', words('man_' + kind), hand[kind]))));
	return men.map((list, side) => `${words('side_' + side)}: ${list.join(', ')}`).join('. ');
}
