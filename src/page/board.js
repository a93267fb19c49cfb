// SPDX-License-Identifier: GPL-3.0-or-later
// The board in SVG, for the page and the report. It knows squares, men and a list of legal moves, no rules. It shows what
// `set` was given last; what people do comes out through `onmove` (whole moves) and, on a set-up board, `onedit`.
import {svgEl, el, drawMan, manPicture, pieceSide} from './pieces.js';

export const HAND_KINDS = [...'RBGSNLP'];

// A move in parts; `origin` is the square or, for a drop, like P*.
export function splitMove(move) {
	const [, drop, from, to, promotion] = /^(?:([A-Z])\*|([a-i1-9]{2}))([a-i1-9]{2})([+qrbn])?$/.exec(move) || [];
	return {drop, from, to, promotion, origin: drop ? drop + '*' : from};
}

export function squareName(game, x, y) {
	return game === 'chess' ? 'abcdefgh'[x] + (8 - y) : 9 - x + 'abcdefghi'[y];
}

export class Board {
	// words: from a key to a phrase
	constructor(host, game, words) {
		Object.assign(this, {host, game, words, size: game === 'chess' ? 8 : 9, high: game === 'chess' ? 100 : 108, edge: game === 'chess' ? 0 : 30});
		Object.assign(this, {style: 'one', flipped: false, men: new Map(), view: {squares: {}, legal: [], side: 0, mode: 'view'}});
		this.onmove = this.onedit = () => {};
		host.classList.add('tf-board', game);
		this.stands = game === 'chess' ? [] : [0, 1].map(() => el('div', {role: 'group'}));
		this.frame = el('div', {className: 'tf-frame'});
		host.append(...this.stands, this.frame);
		const {edge, size} = this;
		this.svg = svgEl('svg', {viewBox: `${-edge} ${-edge} ${size * 100 + 2 * edge} ${size * this.high + 2 * edge}`, role: 'img', class: 'tf-svg'}, this.frame);
		for (const name of ['ground', 'under', 'pieces', 'over']) this[name] = svgEl('g', {class: name}, this.svg);
		this.drawGround();
		this.listen();
	}

	place(name) {
		const x = this.game === 'chess' ? name.charCodeAt(0) - 97 : 9 - name[0];
		const y = this.game === 'chess' ? 8 - name[1] : name.charCodeAt(1) - 97;
		return this.flipped ? [this.size - 1 - x, this.size - 1 - y] : [x, y];
	}

	centre(name) {
		const [x, y] = this.place(name);
		return [x * 100 + 50, (y + 0.5) * this.high];
	}

	squareAt({clientX, clientY}) {
		const box = this.svg.getBoundingClientRect(), {size, edge} = this;
		const unit = box.width / (size * 100 + 2 * edge);
		const x = Math.floor(((clientX - box.left) / unit - edge) / 100), y = Math.floor(((clientY - box.top) / unit - edge) / this.high);
		if (x < 0 || y < 0 || x >= size || y >= size) return null;
		return this.flipped ? squareName(this.game, size - 1 - x, size - 1 - y) : squareName(this.game, x, y);
	}

	letter(kind, side = this.view.side) {
		return side ? kind.toLowerCase() : kind;
	}

	isFar(side) {
		return side !== Number(this.flipped);
	}

	square(at, kind, layer) {
		const [x, y] = this.place(at);
		svgEl('rect', {class: kind, x: x * 100, y: y * this.high, width: 100, height: this.high}, layer);
	}

	drawGround() {
		const {size, high, ground, flipped, game} = this;
		ground.replaceChildren();
		const label = (kind, x, y, text) => svgEl('text', {class: `label ${kind}`, x, y}, ground).textContent = text;
		if (game === 'shogi') svgEl('rect', {class: 'wood', x: -30, y: -30, width: 960, height: 1032, rx: 8}, ground);
		for (let i = 0; i < size * size; i++) {
			const x = i % size, y = (i - x) / size;
			svgEl('rect', {class: (x + y) % 2 ? 'sq odd' : 'sq', x: x * 100, y: y * high, width: 100, height: high}, ground);
		}
		for (let i = 0; i < size; i++) {
			const n = flipped ? size - 1 - i : i;
			if (game === 'chess') {
				label(i % 2 ? 'file on-light' : 'file on-dark', i * 100 + 93, 793, 'abcdefgh'[n]);
				label(i % 2 ? 'on-dark' : 'on-light', 7, i * 100 + 24, 8 - n);
			} else {
				label('', i * 100 + 50, -8, 9 - n);
				label('', 915, (i + 0.5) * high + 8, this.words('ranks')[n]);
				if (i < 4) svgEl('circle', {class: 'star', cx: i % 2 ? 300 : 600, cy: (i < 2 ? 3 : 6) * high, r: 6}, ground);
			}
		}
	}

	// Shows a position. Fields: squares, hands, side (to move), last, check (a square), legal, mode (view, move, edit),
	// arrows [{move, kind}], signs {square: {sign, kind}}, label; what is left out stays as it was.
	set(fields) {
		Object.assign(this.view, fields);
		if (fields.squares) {
			this.cancel();
			this.svg.setAttribute('aria-label', this.view.label || '');
			this.host.dataset.mode = this.view.mode;
			this.drawMen();
			this.drawHands();
		}
		this.drawMarks();
	}

	setLook(flipped, style) {
		Object.assign(this, {flipped, style});
		this.men.forEach(man => man.el.remove());
		this.men.clear();
		this.drawGround();
		this.set({...this.view});
	}

	// A man that has gone and one like it that has come are the same, gliding.
	drawMen() {
		const {squares} = this.view, gone = [];
		this.men.forEach((man, at) => {
			if (squares[at] === man.letter) return;
			gone.push(man);
			this.men.delete(at);
		});
		for (const at in squares) {
			if (this.men.has(at)) continue;
			const letter = squares[at], [x, y] = this.place(at);
			const same = gone.find(other => other.letter === letter);
			if (same) gone.splice(gone.indexOf(same), 1);
			const man = same ? same.el : svgEl('g', {class: 'piece'});
			if (!same) drawMan(this.game, letter, this.style, this.isFar(pieceSide(letter)), man);
			this.pieces.append(man);
			man.style.transform = `translate(${x * 100}px, ${y * this.high + this.high / 2 - 50}px)`;
			this.men.set(at, {letter, el: man});
		}
		for (const other of gone) other.el.remove();
	}

	drawHands() {
		this.stands.forEach((stand, side) => {
			const held = this.view.hands && this.view.hands[side] || {}, far = this.isFar(side);
			stand.className = `tf-stand ${far ? 'far' : 'near'}`;
			stand.setAttribute('aria-label', this.words('hand_' + side));
			stand.replaceChildren(...HAND_KINDS.filter(kind => held[kind] || this.view.mode === 'edit').map(kind => {
				const button = el('button', {className: held[kind] ? 'tf-held' : 'tf-held none', data: {kind, side}, 'aria-label': `${this.words('man_' + kind)} ${held[kind] || 0}`});
				button.append(manPicture(this.game, this.letter(kind, side), this.style, far));
				if (held[kind] > 1) button.append(el('span', {}, held[kind]));
				return button;
			}));
		});
		this.drawHeld();
	}

	drawHeld() {
		for (const b of this.host.querySelectorAll('.tf-held')) b.classList.toggle('selected', b.dataset.kind + '*' === this.origin && +b.dataset.side === this.view.side);
	}

	// From squares to moves. Castling is meant by the king's square and by the rook's.
	targets(origin) {
		const found = new Map(), also = [], {squares} = this.view, man = squares[origin] || '';
		for (const move of this.view.legal) {
			const parts = splitMove(move);
			if (parts.origin !== origin) continue;
			found.set(parts.to, [...(found.get(parts.to) || []), move]);
			if (this.game !== 'chess' || man.toLowerCase() !== 'k') continue;
			const way = parts.to.charCodeAt(0) - origin.charCodeAt(0), rook = squares[parts.to];
			if (rook && pieceSide(rook) === pieceSide(man)) also.push([(way > 0 ? 'g' : 'c') + origin[1], move]);
			else if (Math.abs(way) > 1) also.push([(way > 0 ? 'h' : 'a') + origin[1], move]);
		}
		for (const [to, move] of also) if (!found.has(to) && to !== origin) found.set(to, [move]);
		return found;
	}

	drawMarks() {
		const {last, check, arrows, signs, mode, squares} = this.view, {under, over, high, origin} = this;
		under.replaceChildren();
		over.replaceChildren();
		const {from, to} = last ? splitMove(last) : {};
		for (const at of [from, to]) if (at) this.square(at, 'last', under);
		if (check) svgEl('circle', {class: 'check', cx: this.centre(check)[0], cy: this.centre(check)[1], r: 46}, under);
		if (origin && !origin.endsWith('*')) this.square(origin, 'selected', under);
		if (this.hover) this.square(this.hover, 'hover', under);
		if (origin && mode === 'move') {
			for (const at of this.targets(origin).keys()) {
				const [cx, cy] = this.centre(at);
				if (squares[at]) svgEl('rect', {class: 'target take', x: cx - 46, y: cy - high / 2 + 4, width: 92, height: high - 8, rx: 22}, over);
				else svgEl('circle', {class: 'target', cx, cy, r: 15}, over);
			}
		}
		for (const arrow of arrows || []) this.drawArrow(arrow);
		for (const at in signs || {}) {
			const [x, y] = this.centre(at);
			const g = svgEl('g', {class: `sign-mark ${signs[at].kind}`, transform: `translate(${x + 34} ${y - high / 2 + 16})`}, over);
			svgEl('circle', {r: 21}, g);
			svgEl('text', {y: 9}, g).textContent = signs[at].sign;
		}
	}

	drawArrow({move, kind}) {
		const {drop, from, to} = splitMove(move), g = svgEl('g', {class: `arrow ${kind}`}, this.over), [x, y] = this.centre(to);
		if (drop) {
			const side = kind === 'threat' || kind === 'better' ? 1 - this.view.side : this.view.side;
			svgEl('circle', {class: 'shaft', cx: x, cy: y, r: 42}, g);
			return drawMan(this.game, this.letter(drop, side), this.style, this.isFar(side), svgEl('g', {transform: `translate(${x - 30} ${y - 30}) scale(.6)`}, g));
		}
		const [x0, y0] = this.centre(from), length = Math.hypot(x - x0, y - y0) || 1, u = (x - x0) / length, v = (y - y0) / length;
		const neck = [x - u * 46, y - v * 46];
		svgEl('path', {class: 'shaft', d: `M${x0 + u * 28} ${y0 + v * 28}L${neck}`}, g);
		svgEl('path', {class: 'tip', d: `M${x - u * 10} ${y - v * 10}L${neck[0] - v * 25} ${neck[1] + u * 25}L${neck[0] + v * 25} ${neck[1] - u * 25}Z`}, g);
	}

	listen() {
		const {host} = this;
		host.onpointerdown = event => event.button || this.down(event);
		host.onpointermove = event => this.drag && this.dragTo(event);
		host.onpointerup = event => this.drag && this.dragEnd(event);
		host.onpointercancel = () => this.drag && this.dragStop();
		// A key on a man in hand; a pointer has been dealt with before.
		host.onclick = event => event.detail || event.target.closest('.tf-held') && this.down(event);
	}

	down(event) {
		if (this.choice) return this.choice.contains(event.target) || this.cancel();
		const held = event.target.closest('.tf-held'), at = held ? null : this.squareAt(event), {mode, squares} = this.view;
		if (mode === 'edit' && held) return this.onedit({hand: held.dataset.kind, side: +held.dataset.side, less: event.shiftKey});
		if (mode === 'edit' && at && (this.brush || !squares[at])) return this.onedit({to: at});
		if (mode === 'move' && at && this.origin && this.tryMove(at)) return event.preventDefault();
		const side = held ? +held.dataset.side : 0, kind = held?.dataset.kind, origin = held ? kind + '*' : at;
		const mine = mode === 'edit' ? squares[at] : mode === 'move' && origin && (!held || side === this.view.side) && this.targets(origin).size;
		if (!mine) return this.cancel();
		event.preventDefault();
		const again = this.origin === origin, man = held ? null : this.men.get(at).el;
		if (mode === 'move') this.select(origin);
		this.drag = {origin, again, man, letter: held ? this.letter(kind) : squares[at], x: event.clientX, y: event.clientY};
		if (event.type === 'click') return this.dragStop();
		this.host.setPointerCapture(event.pointerId);
	}

	select(origin) {
		this.origin = origin;
		this.drawMarks();
		this.drawHeld();
	}

	cancel() {
		this.choice?.remove();
		this.choice = null;
		if (this.drag) this.dragStop();
		if (this.origin) this.select(null);
	}

	dragTo(event) {
		const {drag} = this, touch = event.pointerType === 'touch', {clientX, clientY} = event;
		if (!drag.ghost) {
			if (Math.hypot(clientX - drag.x, clientY - drag.y) < 5) return;
			drag.size = this.svg.getBoundingClientRect().width / (this.size + this.edge / 50) * (touch ? 1.5 : 1.08);
			drag.ghost = manPicture(this.game, drag.letter, this.style, this.isFar(pieceSide(drag.letter)));
			drag.ghost.classList.add('tf-ghost');
			drag.ghost.style.width = drag.ghost.style.height = `${drag.size}px`;
			this.host.append(drag.ghost);
			drag.man?.classList.add('lifted');
		}
		drag.ghost.style.transform = `translate(${clientX - drag.size / 2}px, ${clientY - drag.size * (touch ? 0.8 : 0.5)}px)`;
		const at = this.squareAt(event);
		if (at === this.hover) return;
		this.hover = at;
		this.drawMarks();
	}

	dragEnd(event) {
		const {origin, ghost, again} = this.drag, at = this.squareAt(event);
		this.dragStop();
		if (this.view.mode === 'edit') this.onedit(ghost ? {from: origin, to: at} : {to: origin});
		else if (ghost ? !this.tryMove(at, true) : again) this.cancel();
	}

	dragStop() {
		const {ghost, man} = this.drag;
		ghost?.remove();
		man?.classList.remove('lifted');
		this.drag = this.hover = null;
		this.drawMarks();
	}

	tryMove(to, dragged) {
		const moves = this.targets(this.origin).get(to), man = this.men.get(this.origin);
		if (!moves) return false;
		const played = move => {
			const {from, drop} = splitMove(move), squares = {...this.view.squares}, letter = drop ? this.letter(drop) : squares[from];
			delete squares[from];
			// No gliding for a man that was carried by hand.
			if (dragged && man) {
				man.el.classList.add('still');
				setTimeout(() => man.el.classList.remove('still'), 400);
			}
			// A picture of the move, until the true position comes.
			this.set({squares: {...squares, [to]: letter}, legal: [], arrows: [], mode: 'view'});
			this.onmove(move);
		};
		if (moves.length > 1) this.choose(to, moves, man.letter, played);
		else played(moves[0]);
		return true;
	}

	choose(to, moves, letter, played) {
		const side = pieceSide(letter), box = this.choice = el('div', {className: 'tf-choice', role: 'dialog', 'aria-label': this.words('promote')});
		const order = ['+', 'q', 'r', 'b', 'n', undefined];
		// The end of the tap that opened it chooses nothing.
		let pressed = false;
		box.onpointerdown = () => pressed = true;
		const rank = move => order.indexOf(splitMove(move).promotion);
		for (const move of moves.sort((a, b) => rank(a) - rank(b))) {
			const {promotion} = splitMove(move), big = (promotion || '').toUpperCase();
			const man = promotion === '+' ? '+' + letter : promotion ? this.letter(big, side) : letter;
			const label = this.words(!promotion ? 'keep' : promotion === '+' ? 'promote' : 'man_' + big);
			box.append(el('button', {title: label, 'aria-label': label, data: {move}, onclick: event => (pressed || !event.detail) && played(move)}, manPicture(this.game, man, this.style, this.isFar(side))));
		}
		box.onkeydown = event => event.key === 'Escape' && this.cancel();
		const [x, y] = this.place(to), edge = moves.length * 7, inside = (share, least) => `${Math.min(100 - least, Math.max(least, share * 100))}%`;
		box.style.left = inside((x + 0.5) / this.size, edge);
		box.style.top = inside((y + 0.5) / this.size, 10);
		this.frame.append(box);
		box.firstChild.focus({preventScroll: true});
	}
}
