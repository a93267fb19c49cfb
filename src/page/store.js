// SPDX-License-Identifier: GPL-3.0-or-later
// What survives a reload or a closed tab. Each tab has a slot of its own in the browser's storage; a tab opened anew
// takes the latest slot whose owner gives no more signs of life.

const STORE_STALE = 6000; // ms without a sign of life
const STORE_SLOTS = 6; // of closed tabs; older ones are dropped

export class Store {
	// places: gives the two storages, for good and for this tab; where even asking is refused, it throws
	constructor(game, places) {
		Object.assign(this, {prefix: `twofold-${game}-`, places, works: false});
	}

	// The data of this tab, or null.
	open(now) {
		const {prefix} = this;
		try {
			const [local, session] = this.places();
			this.local = local;
			this.slot = session.getItem(prefix) || this.orphan(now) || now + Math.random().toString(36).slice(1, 6);
			session.setItem(prefix, this.slot);
			local.setItem(prefix + 'beat-' + this.slot, now);
			this.works = true;
			return JSON.parse(local.getItem(prefix + this.slot)).save;
		} catch {
			return null;
		}
	}

	orphan(now) {
		const {prefix, local} = this, mark = prefix + 'beat-';
		const free = Object.keys(local).filter(key => key.startsWith(mark) && Math.abs(now - local.getItem(key)) > STORE_STALE).map(key => key.slice(mark.length));
		const when = slot => JSON.parse(local.getItem(prefix + slot) || '{"when":0}').when;
		free.sort((a, b) => when(b) - when(a));
		for (const slot of free.slice(STORE_SLOTS)) for (const key of [prefix, mark]) local.removeItem(key + slot);
		return free[0];
	}

	// True when it is kept; false once the browser refuses.
	write(save, now) {
		try {
			if (this.works) this.local.setItem(this.prefix + this.slot, JSON.stringify({when: now, save}));
		} catch {
			this.works = false;
		}
		return this.works;
	}

	// A sign of life; 0 lets go of the slot.
	beat(now) {
		try {
			if (this.works) this.local.setItem(this.prefix + 'beat-' + this.slot, now);
		} catch {}
	}
}
