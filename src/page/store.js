// SPDX-License-Identifier: GPL-3.0-or-later
// What survives a reload or a closed tab. Each tab has a slot in the browser's storage and holds its lock while it lives;
// a new tab takes the latest slot that nobody holds.

const STORE_SLOTS = 6; // of closed tabs; older ones go
const STORE_WAIT = 500; // ms for the page before a reload to end

export class Store {
	// places: gives the two storages, for good and for this tab, or throws
	constructor(game, places, locks) {
		Object.assign(this, {prefix: `twofold-${game}-`, places, locks, works: false});
	}

	async open(now) {
		const {prefix} = this;
		try {
			const [local, session] = this.places(), own = session.getItem(prefix);
			this.local = local;
			this.slot = own && await this.hold(own, STORE_WAIT) ? own : await this.orphan() || now + Math.random().toString(36).slice(1, 6);
			await this.hold(this.slot);
			session.setItem(prefix, this.slot);
			this.works = true;
			return JSON.parse(local.getItem(prefix + this.slot)).save;
		} catch {
			return null;
		}
	}

	// True when the slot is ours now, or the browser has no locks.
	hold(slot, wait) {
		return !this.locks || new Promise(done => this.locks.request(this.prefix + slot, wait ? {signal: AbortSignal.timeout(wait)} : {ifAvailable: true}, lock => {
			done(lock);
			return lock && new Promise(() => {});
		}).catch(({name}) => done(!/Abort|Timeout/.test(name))));
	}

	async orphan() {
		const {prefix, local} = this, when = slot => /\d+/.exec(local.getItem(prefix + slot)) || 0;
		const held = new Set((await this.locks?.query().catch(() => {}))?.held.map(lock => lock.name));
		const free = Object.keys(local).filter(key => key.startsWith(prefix) && !held.has(key)).map(key => key.slice(prefix.length)).sort((a, b) => when(b) - when(a));
		for (const slot of free.slice(STORE_SLOTS)) local.removeItem(prefix + slot);
		return free[0];
	}

	write(save, now) {
		try {
			if (this.works) this.local.setItem(this.prefix + this.slot, JSON.stringify({when: now, save}));
		} catch {
			this.works = false;
		}
		return this.works;
	}
}
