// SPDX-License-Identifier: GPL-3.0-or-later
// The beginning: finds the engine, brings back what was saved, ties keys and buttons to the modes. Nothing imports it.
import {Board} from './board.js';
import {Store} from './store.js';
import {app, trees, settings, $, setText, ask, tree, gameFields, recordFields, retell, stateOf, show, save, saveNow, saveFile, notice, dropNotice, say, fromBase64} from './stage.js';
import {Tree} from './tree.js';
import {Clock} from './clock.js';
import {initPlay, fillForm, resumePlay, drawPlay, matchOn} from './play.js';
import {initAnalyse, fillOptions, sendOptions, settingsChanged} from './analyse.js';
import {initReview, openFile, openRecord, drawReview} from './review.js';
import {initSetup, fillSetup} from './setup.js';
import {t, setLanguage, speak} from './phrases.js';

const hasWorker = Boolean(globalThis.twofoldWorker);
let lastRetry = -60000;

app.setMode = mode => {
	modeNow().leave?.();
	app.lastFen = tree().nodes[tree().at].f;
	app.mode = document.body.dataset.mode = mode;
	for (const tab of $('tabs').children) tab.setAttribute('aria-pressed', tab.dataset.mode === mode);
	setText('status', '');
	app.modes[mode].enter();
	save();
};

app.look = () => {
	app.board.setLook(app.flipped, settings.style);
	document.documentElement.dataset.theme = settings.theme;
};

function modeNow() {
	return app.modes[app.mode];
}

function relabel() {
	setLanguage(app.engine.language = document.documentElement.lang = settings.language, app.game);
	speak();
	document.title = `Twofold ${t('game')}`;
	setText('about', `Twofold ${app.hello.version}`);
	for (const fill of [fillForm, fillOptions, fillSetup, app.look, drawPlay, drawReview]) fill();
}

function flip() {
	app.flipped = !app.flipped;
	app.look();
	if (app.mode !== 'setup') modeNow().enter();
	save();
}

function step(way) {
	const tr = tree(), played = app.mode === 'play' && tr.path(tr.head);
	if (app.mode === 'setup') return;
	const on = played ? played[tr.path(tr.at).length] ?? tr.at : tr.forward(tr.at);
	const to = {first: 0, back: Math.max(0, tr.nodes[tr.at].p), on, last: played ? tr.head : tr.end(tr.at)}[way];
	if (to !== tr.at) show(to, true);
}

// The neighbour at the last fork.
function fork(way) {
	const tr = tree(), {kids} = tr.nodes[Math.max(0, tr.nodes[tr.at].p)];
	if (tr.at && kids[1]) show(kids[(kids.indexOf(tr.at) + way + kids.length) % kids.length], true);
}

const KEYS = {ArrowLeft: () => step('back'), ArrowRight: () => step('on'), Home: () => step('first'), End: () => step('last'), ArrowUp: () => fork(-1), ArrowDown: () => fork(1), f: flip, F: flip, Escape: () => app.board.cancel(), ' ': () => modeNow().space?.()};

function onKey(event) {
	const {target, key} = event;
	if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[key] || document.querySelector('dialog[open]')) return;
	if (target.matches('input:not([type=checkbox]), select, textarea') || key === ' ' && target.matches('button, summary, input')) return;
	event.preventDefault();
	KEYS[key]();
}

async function typed(event) {
	event.preventDefault();
	const input = $('typed-move'), tr = tree();
	if (app.board.view.mode !== 'move' || !input.value.trim()) return;
	const answer = await ask('parse', {...gameFields(tr, tr.at), text: input.value.trim()});
	if (!answer) return input.select();
	input.value = '';
	if (tree() === tr && app.board.view.mode === 'move') modeNow().move(answer.move);
}

// To the clipboard, or to copy by hand.
async function copy(format) {
	const tr = tree();
	let text = app.mode === 'setup' ? $('fen').value : (await stateOf(tr, tr.at))?.fen;
	if (!text) return;
	if (!format.endsWith('FEN')) {
		const answer = await ask('write', {...recordFields(tr, app.mode === 'play' ? tr.head : undefined), format: format.toLowerCase()});
		if (!answer) return;
		text = answer.text ?? new TextDecoder('shift_jis').decode(fromBase64(answer.base64));
	}
	try {
		await navigator.clipboard.writeText(text);
		notice(t('copied', format));
		say(t('copied', format));
	} catch {
		prompt(t('copy_here'), text);
	}
}

async function startEngine() {
	await app.engine.start();
	app.hello = await app.engine.ask('hello', {});
	app.game = app.hello.game;
	sendOptions();
}

// A session given up while the page slept is made anew, once.
async function engineGone() {
	app.reviewing = app.reported = null;
	drawReview();
	drawPlay();
	if (hasWorker || performance.now() - lastRetry < 60000) return tellGone();
	lastRetry = performance.now();
	restart();
}

function tellGone() {
	notice(t(hasWorker ? 'dead' : 'dead_serve'), {bad: true, key: 'dead', label: t('restart'), action: restart});
}

async function restart() {
	try {
		await startEngine();
	} catch {
		return tellGone();
	}
	dropNotice('dead');
	notice(t('restarted'));
	modeNow().enter();
	resumePlay();
}

function restore(saved) {
	for (const key of ['play', 'study']) trees[key] = Tree.load(saved[key]) || trees[key];
	const {match} = trees.play;
	if (match?.clock) match.clock = new Clock(match.clock);
	Object.assign(settings, saved.settings);
	Object.assign(app, {archive: saved.archive || [], flipped: Boolean(saved.flipped), formOpen: !trees.play.match});
	for (const field of document.querySelectorAll('[data-set]')) {
		const key = field.dataset.set;
		if (field.type === 'radio') field.checked = field.value === (settings[key] ??= '0');
		else if (field.type === 'checkbox') field.checked = settings[key] ??= field.checked;
		else field.value = settings[key] ??= field.value;
	}
	relabel();
	app.setMode(app.modes[saved.mode] ? saved.mode : 'play');
	resumePlay();
}

function listenToPage() {
	document.onclick = ({target}) => {
		const button = target.closest('[data-do], [data-node], [data-step], [data-copy], #tabs button');
		if (!button) return;
		const {node, copy: format, step: way, mode, do: act} = button.dataset;
		if (node) show(+node, true);
		else if (way) step(way);
		else if (format) copy(format);
		else if (mode) app.setMode(mode);
		else app.acts[act](button);
	};
	document.onchange = ({target}) => {
		const key = target.dataset.set;
		if (!key) return;
		settings[key] = target.type === 'checkbox' ? target.checked : target.value;
		if (['language', 'theme', 'style'].includes(key)) {
			relabel();
			if (key === 'language') for (const tr of Object.values(trees)) retell(tr);
			modeNow().enter();
		}
		settingsChanged();
	};
	Object.assign(app.acts, {flip, help: () => $('help-dialog').showModal(), 'save-file': saveFile});
	$('typed').onsubmit = typed;
	document.onkeydown = onKey;
	document.ondragover = event => {
		event.preventDefault();
		document.body.classList.add('dropping');
	};
	const left = document.ondragleave = () => document.body.classList.remove('dropping');
	document.ondrop = event => {
		event.preventDefault();
		left();
		takeData(event.dataTransfer);
	};
	document.onpaste = event => event.target.matches('input, textarea') || takeData(event.clipboardData);
}

function takeData(data) {
	const text = data.getData('text/plain'), [file] = data.files;
	if (file) openFile(file);
	else if (text.trim()) openRecord({text});
}

async function main() {
	setLanguage('en', 'chess');
	$('language').value = /^ja/.test(navigator.language) ? 'ja' : 'en';
	app.engine.ondead = engineGone;
	try {
		await startEngine();
	} catch (error) {
		return notice(`${t('dead')} ${error.message}`, {bad: true, key: 'dead', label: t('restart'), action: () => location.reload()});
	}
	document.body.dataset.game = app.game;
	for (const other of document.querySelectorAll(`[data-game]:not(body, [data-game=${app.game}])`)) other.remove();
	app.store = new Store(app.game, () => [localStorage, sessionStorage], navigator.locks);
	app.board = new Board($('board'), app.game, t);
	app.board.onmove = move => modeNow().move(move);
	app.restore = restore;
	for (const init of [initPlay, initAnalyse, initReview, initSetup, listenToPage]) init();
	const saved = await app.store.open(Date.now());
	try {
		restore(saved || {});
	} catch {
		restore({});
	}
	sendOptions();
	if (matchOn()) notice(t('restored'));
	setInterval(() => matchOn() && save(), 2000);
	addEventListener('pagehide', () => {
		saveNow();
		app.engine.drop();
	});
	addEventListener('pageshow', event => event.persisted && location.reload());
	document.body.classList.add('ready');
}

main();
