// SPDX-License-Identifier: GPL-3.0-or-later
// A game with its variations. Nodes stand in one array and know their parent by its number, true until `remove`; node 0 is
// the start. `next` is the child one went to last, so that stepping back and forward follows one line; `at` is the cursor,
// `head` the end of the game.

export class Tree {
	constructor(fields) {
		Object.assign(this, {start: 'startpos', first: 0, number: 1, chess960: false, tags: {}, result: null, at: 0, head: 0, nodes: [{p: -1, kids: []}], ...fields});
	}

	// The number of the child with this move; made if it is new.
	add(parent, move, text) {
		const {nodes} = this, from = nodes[parent];
		let node = from.kids.find(kid => nodes[kid].m === move);
		if (node === undefined) from.kids.push(node = nodes.push({p: parent, m: move, t: move, kids: []}) - 1);
		if (text) nodes[node].t = text;
		return from.next = node;
	}

	path(node) {
		const path = [];
		for (let i = node; i > 0; i = this.nodes[i].p) path.unshift(i);
		return path;
	}

	moves(node) {
		return this.path(node).map(i => this.nodes[i].m);
	}

	// The next node of the line one is on, at its end the node itself.
	forward(node) {
		const {kids, next} = this.nodes[node];
		return kids.includes(next) ? next : kids[0] ?? node;
	}

	end(node) {
		for (let on; (on = this.forward(node)) !== node; ) node = on;
		return node;
	}

	main(from = 0) {
		const line = [];
		for (let i = from; (i = this.nodes[i].kids[0]); ) line.push(i);
		return line;
	}

	// Brings the variation of a node one place forward at its fork.
	promote(node) {
		for (let i = node; i > 0; i = this.nodes[i].p) {
			const {kids} = this.nodes[this.nodes[i].p], place = kids.indexOf(i);
			if (place > 0) return kids.splice(place - 1, 2, i, kids[place - 1]);
		}
	}

	// With all that follows; a cursor there goes to the parent.
	remove(node) {
		const {nodes} = this, parent = nodes[node].p, gone = new Set([node]), fresh = new Map();
		nodes.forEach((n, i) => gone.has(n.p) && gone.add(i));
		this.nodes = nodes.filter((n, i) => !gone.has(i) && fresh.set(i, fresh.size));
		for (const n of this.nodes) {
			n.p = fresh.get(n.p) ?? -1;
			n.kids = n.kids.filter(i => !gone.has(i)).map(i => fresh.get(i));
			n.next = fresh.get(n.next);
		}
		for (const key of ['at', 'head']) this[key] = fresh.get(gone.has(this[key]) ? parent : this[key]);
	}

	// Adds a record as the engine reads it; `record` gives one: see docs/json.md.
	addRecord({moves, variations = []}) {
		const ways = [], {nodes} = this;
		for (const {line, ply, moves: list, comment} of [{moves}, ...variations]) {
			const way = [ply ? ways[line][ply - 1] : this.head];
			for (const {move, text, ...more} of list) {
				const node = this.add(way.at(-1), move, text);
				way.push(node);
				Object.assign(nodes[node], {...more, ...nodes[node]});
			}
			if (comment) nodes[way[1]].before = comment;
			ways.push(way);
		}
		this.head = ways[0].at(-1);
		for (const n of nodes) delete n.next;
		return this;
	}

	record() {
		const {nodes} = this, ways = [{way: [0, ...this.main()]}];
		for (let line = 0; line < ways.length; line++) ways[line].way.forEach((node, i, way) => {
			for (const kid of line && !i ? [] : nodes[node].kids) if (kid !== way[i + 1]) ways.push({line, ply: i + 1, comment: nodes[kid].before, way: [node, kid, ...this.main(kid)]});
		});
		const [game, ...variations] = ways.map(({way, ...place}) => {
			const all = key => way.slice(1).map(i => nodes[i][key] ?? null);
			return {...place, moves: all('m'), comments: all('comment'), nags: all('nags'), times_ms: all('time_ms'), clocks_ms: all('clock_ms')};
		});
		return {...game, variations};
	}

	toJSON() {
		return {...this, nodes: this.nodes.map(({state, ...rest}) => rest)};
	}

	static load(data) {
		try {
			const {nodes, at, head} = data;
			const sound = nodes.every((n, i) => n.kids.every(kid => nodes[kid].p === i) && (i ? n.p < i && nodes[n.p].kids.includes(i) && n.m : n.p === -1));
			return sound && nodes.length ? new Tree({...data, at: nodes[at] ? at : 0, head: nodes[head] ? head : 0}) : null;
		} catch {
			return null;
		}
	}
}
