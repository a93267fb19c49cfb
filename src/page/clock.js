// SPDX-License-Identifier: GPL-3.0-or-later
// The two clocks of a game: main time, increment after each move, byoyomi for every move once the main time is gone.
// `side` is whose clock runs, null while both stand still, as they do when saved.

export class Clock {
	// main, inc, byo in ms; or a clock that was saved
	constructor(fields) {
		Object.assign(this, {left: [fields.main, fields.main], side: null, since: 0}, fields);
	}

	read(side, now) {
		const used = this.side === side ? Math.max(0, now - this.since) : 0, left = this.left[side] - used;
		return {main: Math.max(0, left), byo: Math.max(0, this.byo + Math.min(0, left)), flag: used > 0 && left + this.byo <= 0};
	}

	run(side, now) {
		Object.assign(this, {side, since: now});
	}

	// Stands still; the time used so far is booked.
	pause(now) {
		if (this.side !== null) this.left[this.side] = this.read(this.side, now).main;
		this.side = null;
	}

	moved(side, now) {
		this.pause(now);
		this.left[side] += this.inc;
		this.run(1 - side, now);
	}

	fields(now) {
		const less = ms => Math.round(ms - Math.min(300, ms / 5)); // for the way of the answer
		return {time_ms: [0, 1].map(side => less(this.read(side, now).main)), inc_ms: [this.inc, this.inc], byoyomi_ms: less(this.byo)};
	}

	toJSON() {
		const copy = new Clock({...this, left: [...this.left]});
		copy.pause(performance.now());
		return {...copy};
	}
}

// With tenths in the last twenty seconds.
export function clockText(ms) {
	const two = n => String(Math.floor(n)).padStart(2, '0'), s = Math.ceil(ms / 1000);
	if (ms < 20000) return `0:${two(ms / 1000)}.${Math.floor(ms / 100) % 10}`;
	return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}` : `${Math.floor(s / 3600)}:${two(s / 60 % 60)}:${two(s % 60)}`;
}
