// SPDX-License-Identifier: GPL-3.0-or-later
// The men, each in a box of 100 by 100 units: chess men as outlines, shogi men as tiles with characters or letters. Letters
// are those of FEN and SFEN: capitals for the first player, + before a promoted man.

export function svgEl(name, attributes, parent) {
	const made = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const key in attributes) made.setAttribute(key, attributes[key]);
	parent?.append(made);
	return made;
}

// An element with properties, attributes (role, names with a dash) and data.
export function el(name, fields, ...kids) {
	const made = document.createElement(name);
	if (name === 'button') made.type = name;
	for (const key in fields) {
		if (key === 'data') Object.assign(made.dataset, fields.data);
		else if (key === 'role' || key.includes('-')) made.setAttribute(key, fields[key]);
		else made[key] = fields[key];
	}
	made.append(...kids);
	return made;
}

const FOOT = 'M25 89V84Q25 78 31 78H69Q75 78 75 84V89Z';
const CHESS_MEN = {
	p: ['M50 20a13.5 13.5 0 0 1 8 24.3c1.5 .9 2.5 2 2.5 3.7h-3.5c.5 13 4.5 21 10.5 30H32.5c6-9 10-17 10.5-30h-3.5c0-1.7 1-2.8 2.5-3.7A13.5 13.5 0 0 1 50 20Z', 'M43 48H57'],
	r: ['M27 18h11v8h7v-8h10v8h7v-8h11v17l-8 8v23l6 12H29l6-12V43l-8-8Z', 'M35 43H65M35 66H65'],
	n: ['M31 78c0-15 16-20 17-31c-6 3-10 4-14 9c-3.5 4-9 3.5-11-1c-2-5 1-8 4-12c3-5 5-9 6-14c.5-4-.5-9 0-14c4 2 7 4 9 7c2-3 4-5 7-7c1 4 2 6 2.5 9C68 28 76 50 72 78Z', 'M57 30c8 8 11 20 10 34M28 52l3-3M39 33.5h.1'],
	b: ['M50 11a5.5 5.5 0 0 1 3.3 9.9C63 29 69 39 66.5 48c-1 4-3.5 6.5-6.5 8.5l8 21.5H32l8-21.5c-3-2-5.5-4.5-6.5-8.5C31 39 37 29 46.7 20.9A5.5 5.5 0 0 1 50 11Z', 'M40 56.5H60M37 66H63M50 30V44M43.5 37H56.5'],
	q: ['M20 25.5a5 5 0 1 1 6.5 4.7L36 46l3.2-21.2a5 5 0 1 1 5.3-.2L50 43l5.5-18.4a5 5 0 1 1 5.3 .2L64 46l9.5-15.8a5 5 0 1 1 4.7 .3L70 62l3 16H27l3-16L21.8 30.5A5 5 0 0 1 20 25.5Z', 'M30 62c12-4 28-4 40 0M29 70c13-4 29-4 42 0'],
	k: ['M47 10h6v6h6v6h-6v7.5c5-6 15-8 21-3c8 6.5 6 18-1 26.5c-2.5 3-4.5 6-5 9l3 16H29l3-16c-.5-3-2.5-6-5-9c-7-8.5-9-20-1-26.5c6-5 16-3 21 3V22h-6v-6h6Z', 'M32 62c11-4 25-4 36 0M31 70c12-4 26-4 38 0M50 30V56'],
};

// Kind, one character, two characters.
const SHOGI_MEN = 'K玉玉将 R飛飛車 B角角行 G金金将 S銀銀将 N桂桂馬 L香香車 P歩歩兵 +R竜龍王 +B馬龍馬 +S全成銀 +N圭成桂 +L杏成香 +Pとと金'.split(' ');

export function pieceSide(letter) {
	return letter === letter.toUpperCase() ? 0 : 1;
}

function drawShogiMan(letter, style, upside, parent) {
	const kind = letter.toUpperCase(), signs = [...SHOGI_MEN.find(man => man.startsWith(kind))].slice(kind.length);
	const shown = {one: signs.slice(0, 1), two: signs.slice(1), west: [kind]}[style], size = 1 - 'KRBGSNLP'.indexOf(kind.slice(-1)) * 0.023;
	if (letter === 'k' && style !== 'west') shown[0] = '王';
	const g = svgEl('g', {class: kind[1] ? 'man tile promoted' : 'man tile', transform: `translate(50 50) rotate(${upside ? 180 : 0}) scale(${size})`}, parent);
	svgEl('path', {class: 'body', d: 'M0-48L32-36L42 47H-42L-32-36Z'}, g);
	shown.forEach((sign, i) => svgEl('text', {class: `sign ${style}`, y: shown[1] ? i * 38 - 2 : 25}, g).textContent = sign);
}

// `upside`: as the one who sits opposite has it; style: one, two or west.
export function drawMan(game, letter, style, upside, parent) {
	if (game === 'shogi') return drawShogiMan(letter, style, upside, parent);
	const [body, lines] = CHESS_MEN[letter.toLowerCase()];
	const g = svgEl('g', {class: `man ${pieceSide(letter) ? 'dark' : 'light'}`}, parent);
	for (const d of [FOOT, body]) svgEl('path', {class: 'body', d}, g);
	svgEl('path', {class: 'line', d: lines}, g);
}

export function manPicture(game, letter, style, upside) {
	const svg = svgEl('svg', {viewBox: '0 0 100 100', class: `tf-man ${game}`, 'aria-hidden': 'true'});
	drawMan(game, letter, style, upside, svg);
	return svg;
}
