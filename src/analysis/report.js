// SPDX-License-Identifier: GPL-3.0-or-later
// The report's games to play through: a board for each, led by keys, swipes and clicks on moves, graph and lines. What
// is said in words stands in the page already; this adds the board. The data of a game is a JSON text beside it
// (report_data.c): moves [{m: move, t: in words, s: score, e: expected permille, k: mark, r: remark, q: comment, c: clock,
// u: time used, b: lines [{s: score, m: moves, t: in words}]}].
import {svgEl, el, pieceSide} from './pieces.js';
import {Board, splitMove} from './board.js';
import {readFen, writeFen} from './position.js';

const REPORT_WORDS = {hand_0: 'In the hand of Black', hand_1: 'In the hand of White', man_R: 'Rook', man_B: 'Bishop', man_G: 'Gold', man_S: 'Silver', man_N: 'Knight', man_L: 'Lance', man_P: 'Pawn', ranks: 'abcdefghi'};
// The words in the page's language, where that is not English.
const SAID = JSON.parse(document.getElementById('words')?.textContent || '{}');
function said(text, ...values) {
	return (SAID[text] || text).replace(/\{(\d)\}/g, (_, i) => values[i]);
}
const MARK_KINDS = {'??': 'blunder', '?': 'mistake', '?!': 'inaccuracy', '!': 'good'};
const ROOK_RIGHTS = {a1: 'QA', h1: 'KH', a8: 'qa', h8: 'kh'};

// The position after a move of chess; the move is legal.
function playChess(pos, {from, to, promotion}) {
	const squares = {...pos.squares}, {side} = pos, man = squares[from], kind = man.toLowerCase(), rank = from[1];
	const far = to.charCodeAt(0) - from.charCodeAt(0), rook = squares[to] && pieceSide(squares[to]) === side;
	const [half, full] = pos.rest.split(' ').map(Number);
	let taken = !rook && squares[to], ep = '-', lost = (ROOK_RIGHTS[from] || '') + (ROOK_RIGHTS[to] || '');
	delete squares[from];
	if (kind === 'k' && (rook || Math.abs(far) > 1)) {
		delete squares[rook ? to : (far > 0 ? 'h' : 'a') + rank];
		squares[(far > 0 ? 'g' : 'c') + rank] = man;
		squares[(far > 0 ? 'f' : 'd') + rank] = side ? 'r' : 'R';
	} else {
		if (kind === 'p' && far && !taken) {
			taken = true;
			delete squares[to[0] + rank];
		}
		squares[to] = promotion ? side ? promotion : promotion.toUpperCase() : man;
	}
	if (kind === 'k') lost += side ? 'kqabcdefgh' : 'KQABCDEFGH';
	if (kind === 'p' && Math.abs(to[1] - rank) === 2) {
		const beside = [-1, 1].map(x => squares[String.fromCharCode(to.charCodeAt(0) + x) + to[1]]);
		if (beside.includes(side ? 'P' : 'p')) ep = to[0] + (side ? 6 : 3);
	}
	const castling = [...pos.castling].filter(right => !lost.includes(right)).join('') || '-';
	return {squares, side: 1 - side, castling, ep, rest: `${kind === 'p' || taken ? 0 : half + 1} ${full + side}`};
}

function playShogi(pos, {drop, from, to, promotion}) {
	const squares = {...pos.squares}, hands = pos.hands.map(hand => ({...hand})), {side} = pos, taken = squares[to];
	if (drop) {
		hands[side][drop]--;
		squares[to] = side ? drop.toLowerCase() : drop;
	} else {
		const kind = taken && taken.slice(-1).toUpperCase();
		if (kind) hands[side][kind] = (hands[side][kind] || 0) + 1;
		squares[to] = (promotion || '') + squares[from];
		delete squares[from];
	}
	return {squares, hands, side: 1 - side, rest: String(+pos.rest + 1)};
}

function playMove(game, pos, move) {
	return (game === 'chess' ? playChess : playShogi)(pos, splitMove(move));
}

function copyText(text, button) {
	const done = () => {
		const before = button.textContent;
		button.textContent = said('Copied');
		setTimeout(() => button.textContent = before, 1200);
	};
	const byHand = () => {
		const field = el('textarea', {value: text});
		document.body.append(field);
		field.select();
		document.execCommand('copy');
		field.remove();
		done();
	};
	if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
	else byHand();
}

class Viewer {
	constructor(section, data) {
		Object.assign(this, {section, data, ply: 0, line: null, flipped: Boolean(data.flip)});
		this.positions = [readFen(data.game, data.start)];
		for (const move of data.moves) this.positions.push(playMove(data.game, this.positions.at(-1), move.m));
		this.build();
		this.drawTimes();
		this.drawTurns();
		const marked = data.moves.findIndex(move => move.k === '??' || move.k === '?');
		this.go(marked < 0 ? 0 : marked + 1, true);
	}

	button(text, label, onclick) {
		return el('button', {textContent: text, title: label, 'aria-label': label, onclick});
	}

	build() {
		const {section, data} = this, host = el('div', {className: 'boardhost'});
		this.view = section.querySelector('.view');
		this.board = new Board(host, data.game, key => said(REPORT_WORDS[key] || key));
		this.head = el('h3', {className: 'at'});
		this.remark = el('p', {className: 'remark'});
		this.quote = el('p', {className: 'soft'});
		this.lines = el('div', {className: 'lines'});
		const nav = el('div', {className: 'nav'},
			this.button('|\u25c0', said('First position'), () => this.go(0)), this.button('\u25c0', said('Back'), () => this.step(-1)),
			this.button('\u25b6', said('On'), () => this.step(1)), this.button('\u25b6|', said('Last position'), () => this.go(data.moves.length)),
			this.button('\u2691', said('Next remark'), () => this.nextMark(1)), this.button('\u21c5', said('Turn the board'), () => this.flip()));
		const copyFen = this.button(said('Copy position'), said('Copy the position as text'), () => copyText(writeFen(data.game, this.position()), copyFen));
		const copyGame = this.button(said('Copy {0}', data.format), said('Copy the game with its remarks'), () => copyText(data.record, copyGame));
		const words = el('div', {className: 'words', 'aria-live': 'polite'}, this.head, this.remark, this.quote, this.lines);
		const moves = section.querySelector('.moves'), side = el('div', {className: 'beside'}, words, el('div', {className: 'scroll'}, moves), el('div', {className: 'nav copies'}, copyFen, copyGame));
		section.querySelector('.movehead')?.remove();
		this.view.append(el('div', {className: 'boardside'}, host, nav), side);
		this.view.hidden = false;
		moves.onclick = event => {
			const cell = event.target.closest('.mv[id]');
			if (cell) this.go(+cell.id.split('p').pop());
		};
		section.querySelectorAll('a[href^="#g"]').forEach(link => link.onclick = event => {
			event.preventDefault();
			this.go(+link.getAttribute('href').split('p').pop());
			if (!link.closest('svg')) this.view.scrollIntoView({block: 'nearest'});
		});
		this.graph = section.querySelector('.graph svg');
		this.addChoice(section.querySelector('.graph'));
		if (this.graph) this.cursor = svgEl('path', {class: 'cursor', 'vector-effect': 'non-scaling-stroke'}, this.graph);
		let from = null;
		host.addEventListener('touchstart', event => from = event.touches[0], {passive: true});
		host.addEventListener('touchend', event => {
			const dx = from ? event.changedTouches[0].clientX - from.clientX : 0, dy = from ? event.changedTouches[0].clientY - from.clientY : 0;
			if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) this.step(dx < 0 ? 1 : -1);
			from = null;
		});
		for (const kind of ['pointerdown', 'focusin']) section.addEventListener(kind, () => Viewer.active = this);
	}

	// What the graph shows: scores, or what the sides may expect.
	addChoice(graph) {
		if (!graph) return;
		const buttons = [['showscore', 'Score'], ['showchance', 'Chances']].map(([name, word]) => this.button(said(word), said(word), () => show(name)));
		const show = name => {
			graph.classList.remove('showscore', 'showchance');
			graph.classList.add(name);
			buttons.forEach((button, i) => button.setAttribute('aria-pressed', String((name === 'showchance') === (i === 1))));
		};
		graph.closest('figure').append(el('div', {className: 'nav choice'}, ...buttons));
		show(graph.classList.contains('showscore') ? 'showscore' : 'showchance');
	}

	position() {
		return this.line ? this.line.positions[this.line.index + 1] : this.positions[this.ply];
	}

	go(ply, silent) {
		this.ply = Math.max(0, Math.min(this.data.moves.length, ply));
		this.line = null;
		if (!silent) Viewer.active = this;
		this.draw(silent);
	}

	step(by) {
		const {line} = this;
		if (!line) return this.go(this.ply + by);
		const index = line.index + by;
		if (index < 0) return this.go(this.ply);
		line.index = Math.min(index, line.m.length - 1);
		this.draw();
	}

	nextMark(by) {
		const {moves} = this.data;
		for (let ply = this.ply + by; ply > 0 && ply <= moves.length; ply += by) if (moves[ply - 1].k || moves[ply - 1].q) return this.go(ply);
	}

	flip() {
		this.flipped = !this.flipped;
		this.board.setLook(this.flipped, this.board.style);
		this.draw();
	}

	// A line begins before the move that is shown, or before the next one where there is none.
	showLine(line, index) {
		const base = Math.max(this.ply - 1, 0), positions = [this.positions[base]];
		for (const move of line.m) positions.push(playMove(this.data.game, positions.at(-1), move));
		this.line = {...line, index, positions, base};
		Viewer.active = this;
		this.draw();
	}

	number(ply, isFirst) {
		const n = this.data.first + ply;
		if (this.data.plies) return '';
		return n % 2 === 0 ? `${n / 2 + 1}. ` : isFirst ? `${(n - 1) / 2 + 1}... ` : '';
	}

	draw(silent) {
		const {data, ply, line, board} = this, pos = this.position(), move = ply > 0 ? data.moves[ply - 1] : null, best = move?.b?.[0];
		const last = line ? line.m[line.index] : move?.m, arrows = [], signs = {};
		if (move && !line && MARK_KINDS[move.k]) {
			signs[splitMove(move.m).to] = {sign: move.k, kind: MARK_KINDS[move.k]};
			if (move.k !== '!') {
				if (!splitMove(move.m).drop) arrows.push({move: move.m, kind: 'played'});
				if (best && best.m[0] !== move.m) arrows.push({move: best.m[0], kind: 'better'});
			}
		}
		if (board.flipped !== this.flipped) board.setLook(this.flipped, board.style);
		board.set({squares: pos.squares, hands: pos.hands, side: pos.side, last, legal: [], mode: 'view', arrows, signs, label: line ? line.t[line.index] : move ? move.t : said('The start')});
		this.head.textContent = !move ? said('The start') : (data.plies ? `${data.first + ply}手目 ` : this.number(ply - 1, true)) + move.t + (move.k || '') + (move.s ? `  ${move.s}` : '');
		this.remark.textContent = move?.r || '';
		this.quote.textContent = move?.q ? `\u201c${move.q}\u201d` : '';
		this.drawLines(move);
		const old = this.section.querySelector('.mv.now'), cell = this.section.querySelector(`.mv[id$="p${ply}"]`);
		old?.classList.remove('now');
		cell?.classList.add('now');
		const box = this.section.querySelector('.scroll');
		if (cell && box && !silent) box.scrollTop = cell.offsetTop - box.clientHeight / 2;
		this.cursor?.setAttribute('d', `M${30 + 940 * ply / data.moves.length} 0V1000`);
	}

	drawLines(move) {
		const lines = move?.b || [], now = this.line, base = this.ply - 1;
		this.lines.replaceChildren(...lines.map((line, n) => {
			const row = el('p', {className: 'line'}, el('b', {textContent: line.s || ''}));
			line.t.forEach((text, i) => {
				const chip = el('button', {textContent: this.number(base + i, i === 0) + text, onclick: () => this.showLine({...line, n}, i)});
				if (now && now.n === n && now.index === i) chip.className = 'now';
				row.append(chip);
			});
			return row;
		}));
	}

	// The time of each move as a bar, the first side's up and the second's down.
	drawTimes() {
		const {moves} = this.data, host = this.section.querySelector('.times');
		const used = moves.map((move, i) => move.u ?? (i > 1 && move.c && moves[i - 2].c ? Math.max(0, moves[i - 2].c - move.c) : 0));
		const most = Math.max(...used, 0);
		if (!host || !most) return;
		const svg = svgEl('svg', {viewBox: `0 0 1000 200`, preserveAspectRatio: 'none', role: 'img', 'aria-label': said('Time used for each move')}, host);
		used.forEach((time, i) => {
			const high = 95 * Math.sqrt(time / most), width = 940 / moves.length, first = (this.data.first + i) % 2 === 0;
			const bar = svgEl('rect', {class: first ? 'up' : 'down', x: 30 + 940 * (i + 0.5) / moves.length, width: width * 0.8, y: first ? 100 - high : 100, height: high}, svg);
			svgEl('title', {}, bar).textContent = said('{0}: {1} s', this.number(i, true) + moves[i].t, time) + (moves[i].c ? said(', {0} left', `${Math.floor(moves[i].c / 60)}:${String(Math.floor(moves[i].c % 60)).padStart(2, '0')}`) : '');
			bar.onclick = () => this.go(i + 1);
		});
		host.hidden = false;
	}

	drawTurns() {
		for (const host of this.section.querySelectorAll('.mini')) {
			const ply = +host.dataset.ply, pos = this.positions[ply - 1], move = this.data.moves[ply - 1], best = move.b?.[0];
			const board = new Board(host, this.data.game, key => said(REPORT_WORDS[key] || key));
			board.setLook(this.flipped, board.style);
			board.set({squares: pos.squares, hands: pos.hands, side: pos.side, last: null, legal: [], mode: 'view', label: said('Before {0}', move.t), arrows: [{move: move.m, kind: 'played'}, ...(best && best.m[0] !== move.m ? [{move: best.m[0], kind: 'best'}] : [])]});
			host.onclick = () => {
				this.go(ply);
				this.view.scrollIntoView({block: 'nearest'});
			};
		}
	}

	key(event) {
		const act = {ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0), End: () => this.go(this.data.moves.length), ArrowUp: () => this.nextMark(-1), ArrowDown: () => this.nextMark(1), f: () => this.flip(), Escape: () => this.go(this.ply)}[event.key];
		if (!act || event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
		event.preventDefault();
		act();
	}
}

// Boards are made when they come near the screen; for paper, all at once.
const waiting = new Map();
function openViewer(section) {
	const text = waiting.get(section);
	waiting.delete(section);
	if (!text) return;
	const made = new Viewer(section, JSON.parse(text.textContent));
	Viewer.active ||= made;
}
for (const text of document.querySelectorAll('script.game')) waiting.set(text.closest('section'), text);
const watch = new IntersectionObserver(list => list.forEach(entry => entry.isIntersecting && openViewer(entry.target)), {rootMargin: '600px'});
for (const section of waiting.keys()) watch.observe(section);
addEventListener('beforeprint', () => [...waiting.keys()].forEach(openViewer));
addEventListener('keydown', event => Viewer.active?.key(event));
