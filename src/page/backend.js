// SPDX-License-Identifier: GPL-3.0-or-later
// The way to the engine: lines of JSON, by HTTP to `serve` or to the worker of a page with the engine inside. Every question
// gets one answer, or an error with the code `dead` when the engine is gone.

export class Backend {
	constructor() {
		Object.assign(this, {waiting: new Map(), number: 0, alive: false, ondead: () => {}});
	}

	// Starts the engine, also anew; rejects when it cannot be reached.
	async start() {
		this.drop();
		const link = this.link = globalThis.twofoldWorker ? new WorkerLink() : new HttpLink();
		link.online = line => this.take(line);
		link.onlost = () => {
			if (link !== this.link) return;
			this.drop();
			this.ondead();
		};
		await link.open();
		this.alive = link === this.link;
	}

	// Events of the question go to `onevent`. The promise has the id for a stop.
	ask(what, fields, onevent) {
		const id = ++this.number;
		const promise = new Promise((resolve, reject) => {
			if (!this.alive) return reject(backendError('dead'));
			this.waiting.set(id, {resolve, reject, onevent});
			this.link.send(JSON.stringify({id, do: what, language: this.language, ...fields}));
		});
		return Object.assign(promise, {id});
	}

	take(line) {
		const message = JSON.parse(line), asked = this.waiting.get(message.id);
		if (message.event === 'lost') return this.link.onlost();
		if (!asked) return;
		if (message.event) return asked.onevent && asked.onevent(message);
		this.waiting.delete(message.id);
		if (message.ok) asked.resolve(message);
		else asked.reject(backendError(message.code, message.error));
	}

	drop() {
		this.link?.close();
		const asked = [...this.waiting.values()];
		Object.assign(this, {alive: false, link: null});
		this.waiting.clear();
		for (const {reject} of asked) reject(backendError('dead'));
	}
}

function backendError(code, text) {
	return Object.assign(new Error(text || code), {code});
}

class WorkerLink {
	async open() {
		this.worker = await globalThis.twofoldWorker();
		this.worker.onmessage = ({data}) => typeof data === 'string' && this.online(data);
		this.worker.onerror = () => this.onlost();
	}

	send(line) {
		this.worker.postMessage(line);
	}

	close() {
		this.worker?.terminate();
	}
}

// One request after another, so that lines arrive in order; what is asked meanwhile goes together.
class HttpLink {
	queue = [];

	async open() {
		const reply = await fetch('session', {method: 'POST'});
		if (!reply.ok) throw backendError('dead', `${reply.status}`);
		this.session = (await reply.json()).session;
		const source = this.source = new EventSource(`events?s=${this.session}`);
		source.onmessage = ({data}) => this.online(data);
		await new Promise((resolve, reject) => {
			const lost = () => {
				reject(backendError('dead'));
				if (!this.closed) this.onlost();
			};
			source.onopen = () => {
				clearTimeout(this.timer);
				this.timer = 0;
				resolve();
			};
			// The browser connects again by itself, within some seconds.
			source.onerror = () => {
				if (source.readyState === 2) lost();
				else if (!this.timer) this.timer = setTimeout(lost, 4000);
			};
		});
	}

	async send(line) {
		this.queue.push(line);
		if (this.busy) return;
		this.busy = true;
		while (this.queue.length && !this.closed) {
			const body = this.queue.splice(0).join('\n') + '\n';
			const reply = await fetch(`send?s=${this.session}`, {method: 'POST', body}).catch(() => null);
			if ((!reply || !reply.ok) && !this.closed) return this.onlost();
		}
		this.busy = false;
	}

	close() {
		if (this.closed) return;
		this.closed = true;
		clearTimeout(this.timer);
		this.source?.close();
		if (this.session) fetch(`close?s=${this.session}`, {method: 'POST', keepalive: true}).catch(() => {});
	}
}
