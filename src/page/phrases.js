// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the page, from the table in index.html, which tells how they are named.

const words = {rows: null, column: 0, game: 'chess'};

export function setLanguage(language, game) {
	words.rows ||= new Map([...document.getElementById('phrases').rows].map(row => [...row.cells].map(cell => cell.textContent.trim())).map(([key, ...rest]) => [key, rest]));
	Object.assign(words, {column: language === 'ja' ? 1 : 0, game});
}

export function isJapanese() {
	return words.column === 1;
}

// The key itself where there is no phrase.
export function t(key, ...values) {
	const row = phraseRow(key);
	return row ? row[words.column].replace(/\{(\d)\}/g, (_, i) => values[i] ?? '') : key;
}

export function phraseRow(key) {
	return words.rows.get(`${key}.${words.game}`) || words.rows.get(key);
}

export function speak() {
	for (const el of document.querySelectorAll('[data-t]')) el.textContent = t(el.dataset.t);
	for (const el of document.querySelectorAll('[data-p]')) el.placeholder = t(el.dataset.p);
	for (const el of document.querySelectorAll('[data-l]')) {
		el.setAttribute('aria-label', t(el.dataset.l));
		if (el.tagName === 'BUTTON') el.title = t(el.dataset.l);
	}
}
