// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the page stand in one table of index.html: key, English, Japanese; {0} is what is filled in. A key that
// ends in .chess or .shogi is taken before the plain one in that game. Elements name their phrase: data-t is their text,
// data-l their label, data-p what an empty field shows.

const words = {rows: null, column: 0, game: 'chess'};

export function setLanguage(language, game) {
	words.rows ||= new Map([...document.getElementById('phrases').rows].map(row => [...row.cells].map(cell => cell.textContent.trim())).map(([key, ...rest]) => [key, rest]));
	Object.assign(words, {column: language === 'ja' ? 1 : 0, game});
}

export function isJapanese() {
	return words.column === 1;
}

// The phrase for a key, or the key itself where there is none.
export function t(key, ...values) {
	const row = phraseRow(key);
	return row ? row[words.column].replace(/\{(\d)\}/g, (_, i) => values[i] ?? '') : key;
}

export function phraseRow(key) {
	return words.rows.get(`${key}.${words.game}`) || words.rows.get(key);
}

// Fills in the words of every element that names a phrase.
export function speak() {
	for (const el of document.querySelectorAll('[data-t]')) el.textContent = t(el.dataset.t);
	for (const el of document.querySelectorAll('[data-p]')) el.placeholder = t(el.dataset.p);
	for (const el of document.querySelectorAll('[data-l]')) {
		el.setAttribute('aria-label', t(el.dataset.l));
		if (el.tagName === 'BUTTON') el.title = t(el.dataset.l);
	}
}
