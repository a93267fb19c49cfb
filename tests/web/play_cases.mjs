// SPDX-License-Identifier: GPL-3.0-or-later
// Games against the engine, each to its end and told on the page: mate, stalemate, repetition, time, resignation; and what
// may happen on the way: taking back, a hint, a reload, a server that is killed.
import {readFileSync} from 'node:fs';
import {check, same} from './harness.mjs';
import {serve} from './driver.mjs';
import {judge, dice} from './rules.mjs';

const ENDS = {
  chess: {
    mate: ['6k1/5ppp/8/8/8/8/8/R6K w - - 0 1', 'a1a8', /You won.*White wins by checkmate \(1-0\)/],
    other: ['7k/8/6K1/8/8/8/8/5Q2 w - - 0 1', 'f1f7', /Draw.*by stalemate/],
    repetition: ['7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1', ['a1b1', 'b1a1'], /Draw.*by repetition/],
  },
  shogi: {
    mate: ['4k4/9/4P4/9/9/9/9/9/4K4 b G 1', 'G*5b', /You won.*Sente wins by checkmate/],
    other: null,
    repetition: ['8k/9/9/8G/9/9/9/9/4K2R1 b - 1', ['5i4i', '4i5i'], /Draw.*by repetition/],
  },
};

// A whole game of random moves against full strength; before each, the dots are held to the rules.
async function wholeGame(player) {
  const {game} = player, roll = dice(game === 'chess' ? 7 : 11);
  await player.start({side: 0, level: 9999, clock: {main: 0.35, inc: 0, byo: 0}});
  for (let ply = 0; ply < 300; ply += 2) {
    await player.myTurn();
    if (await player.page.evaluate(() => document.body.dataset.play === 'over')) break;
    const rules = judge(game, await player.fen());
    if (ply % 6 === 0) same(await player.targets(0), rules.targets(), `${game}: dots at ply ${ply} of ${rules.fen()}`);
    const legal = rules.legal();
    await player.play(legal[roll(legal.length)], ply % 4 ? 'click' : 'drag', 0);
    await player.until(n => document.querySelectorAll('#moves .rows > .mv').length >= n || document.body.dataset.play === 'over', ply + 1, `move ${ply + 1}`);
  }
  const told = await player.over();
  check(/You lost.*wins (by checkmate|on time)/.test(told), `${game}: the whole game is told: ${told}`);
  check((await player.text('live')).includes('You lost'), `${game}: the end is spoken`);
  if (/checkmate/.test(told)) check(judge(game, await player.fen()).mated(), `${game}: mate is mate by the other rules`);
  check(await player.page.isVisible('#over-review'), `${game}: a review is offered`);
}

async function fromPosition(player, [fen, move, told]) {
  await player.setUp(fen, 'setup-play');
  await player.start({side: 0});
  await player.myTurn();
  if (Array.isArray(move)) {
    for (let i = 0; i < 40 && !await player.page.evaluate(() => document.body.dataset.play === 'over'); i++) {
      await player.play(move[i % move.length]);
      await player.until(n => document.querySelectorAll('#moves .rows > .mv').length >= n || document.body.dataset.play === 'over', 2 * i + 2, 'the move and its answer');
      await player.myTurn();
      if (await player.page.isVisible('#claim')) await player.press('claim');
    }
  } else await player.play(move, 'drag');
  const text = await player.over();
  check(told.test(text), `${player.game}: told at the end: ${text}`);
  if (/by repetition/.test(text)) await copiedAs(player, {chess: ['PGN', '1/2-1/2'], shogi: ['KIF', '千日手']});
}

// The record that is copied says how the game ended.
async function copiedAs(player, {[player.game]: [format, word]}) {
  const text = await player.copied(format);
  check(text.includes(word), `${player.game}: ${word} in ${text}`);
}

async function byTime(player) {
  await player.start({side: 0, clock: {main: 0.03, inc: 0, byo: player.game === 'shogi' ? 1 : 0}});
  const text = await player.over();
  check(/You lost.*on time/.test(text), `${player.game}: time is told: ${text}`);
  await copiedAs(player, {chess: ['PGN', '[Termination "time forfeit"]'], shogi: ['KIF', '切れ負け']});
}

async function byResignation(player) {
  await player.start({side: 1});
  await player.myTurn();
  await player.press('resign');
  same(await player.page.evaluate(() => document.body.dataset.play), 'on', `${player.game}: one press does not resign`);
  await player.press('resign');
  const text = await player.over();
  check(/You lost.*by resignation/.test(text), `${player.game}: resignation is told: ${text}`);
  await copiedAs(player, {chess: ['PGN', '\n\n1. '], shogi: ['KIF', '投了']});
  await copiedAs(player, {chess: ['PGN', ' 1-0\n'], shogi: ['KIF', '先手の勝ち']});
  await player.press('over-review');
  await player.until(() => document.body.dataset.mode === 'review', null, 'the review');
}

// A game that has begun: a move and its answer, which are returned.
async function twoMoves(player) {
  await player.start({side: 0});
  await player.play(player.game === 'chess' ? 'e2e4' : '7g7f');
  await player.moves(2);
  await player.myTurn();
  return player.page.evaluate(listed);
}

const listed = () => [...document.querySelectorAll('#moves .rows > .mv')].map(button => button.textContent);

async function backAndForward(player) {
  const chess = player.game === 'chess';
  await player.start({side: 0, level: 0});
  await player.play(chess ? 'e2e4' : '7g7f', 'drag');
  await player.myTurn();
  await player.moves(2);
  const before = await player.page.evaluate(listed);
  await player.press('hint');
  await player.until(() => document.querySelector('.arrow.hint'), null, 'the arrow of the hint');
  check(/^Hint: \S/.test(await player.text('status')), `${player.game}: the hint is told`);
  await player.press('take-back');
  await player.until(() => !document.querySelector('#moves .mv'), null, 'the moves to be taken back');
  await player.press('take-forward');
  await player.moves(2);
  same(await player.page.evaluate(listed), before, `${player.game}: forward again`);
  await player.page.fill('#typed-move', chess ? 'Nf3' : '2g2f');
  await player.page.press('#typed-move', 'Enter');
  await player.moves(4);
}

async function reload(player) {
  const chess = player.game === 'chess';
  await player.start({side: 0, clock: {main: 5, inc: 1, byo: 0}});
  await player.play(chess ? 'd2d4' : '2g2f');
  await player.moves(2);
  await player.myTurn();
  const before = [await player.fen(), await player.page.evaluate(listed)];
  await player.page.reload();
  await player.ready();
  await player.moves(2);
  await player.myTurn();
  same([await player.fen(), await player.page.evaluate(listed)], before, `${player.game}: a reload loses nothing`);
  check((await player.text('notices')).length > 0 && /stands still/.test(await player.text('status')), `${player.game}: the page says that the game was brought back`);
  const rules = judge(player.game, before[0]);
  await player.play(rules.legal()[0]);
  await player.moves(4);
}

// The server dies in the middle: the page tells. One started anew at the same port has another token, so its page is opened
// by its new address: the game is there and goes on.
async function killed(player) {
  const own = await serve(player.game), {address} = player;
  await player.page.goto(player.address = own.address);
  await player.ready();
  const before = await twoMoves(player);
  own.child.kill('SIGKILL');
  await player.until(() => document.querySelector('.notice.bad[data-key=dead] button.small'), null, 'the word that the engine is gone');
  same(await player.page.evaluate(listed), before, `${player.game}: the game stays when the server is killed`);
  await player.page.click('.notice.bad[data-key=dead] button.small');
  await player.until(() => document.querySelector('.notice.bad[data-key=dead]'), null, 'the word that it is still gone');
  const next = await serve(player.game, new URL(own.address).port);
  await player.page.goto(next.address);
  await player.ready();
  await player.moves(2);
  await player.myTurn();
  same(await player.page.evaluate(listed), before, `${player.game}: the game comes back with a new server`);
  await player.play(judge(player.game, await player.fen()).legal()[0]);
  await player.moves(4);
  await next.stop();
  player.faults = player.faults.filter(fault => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY|ERR_CONNECTION_RESET|foreign request: http:\/\/127\.0\.0\.1/.test(fault));
  player.address = address;
}

// The worker of a page of one file dies of an error: one press starts another, and the game goes on.
async function workerKilled(player) {
  const {page, game} = player;
  const before = await twoMoves(player);
  await page.workers()[0].evaluate(() => setTimeout(() => {
    throw new Error('the end');
  }));
  await player.until(() => document.querySelector('.notice.bad[data-key=dead] button.small'), null, 'the word that the engine is gone');
  same(await page.evaluate(listed), before, `${game}: the game stays when the worker dies`);
  await page.click('.notice.bad[data-key=dead] button.small');
  await player.until(() => !document.querySelector('.notice.bad[data-key=dead]'), null, 'the engine to be back');
  await player.myTurn();
  await player.play(judge(game, await player.fen()).legal()[0]);
  await player.moves(4);
  player.faults = player.faults.filter(fault => !/the end/.test(fault));
}

// A browser that refuses to keep anything: the page says so and gives a file, from which everything comes back.
async function noStorage(player) {
  const {page, game} = player;
  const before = await twoMoves(player);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.notice[data-key=storage] button.small')]);
  same(download.suggestedFilename(), `twofold-${game}.json`, `${game}: the name of the file`);
  const path = await download.path();
  await page.reload();
  await player.ready();
  same(await page.evaluate(listed), [], `${game}: nothing is kept`);
  await page.setInputFiles('#file', {name: download.suggestedFilename(), mimeType: 'application/json', buffer: readFileSync(path)});
  await player.moves(2);
  same(await page.evaluate(listed), before, `${game}: the game comes back from the file`);
  for (const broken of [`{"twofold":"${game}","save":{"mode"`, `{"twofold":"${game}","save":null}`]) {
    await page.evaluate(() => document.querySelectorAll('.notice').forEach(box => box.remove()));
    await page.setInputFiles('#file', {name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from(broken)});
    await player.until(() => document.querySelector('.notice.bad'), null, 'the word that the file is broken');
    same(await page.evaluate(listed), before, `${game}: a broken file changes nothing`);
  }
}

// A tab that is duplicated brings a copy of what the first one remembers of itself: each keeps its own game.
async function duplicated(player) {
  const {page, game} = player, before = await twoMoves(player);
  const [other] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void window.open(location.href))]);
  await other.waitForSelector('body.ready');
  same(await other.evaluate(listed), [], `${game}: a duplicated tab begins anew`);
  await other.click('#new-start');
  await other.waitForFunction(() => document.querySelector('.tf-board').dataset.mode === 'move');
  await other.fill('#typed-move', game === 'chess' ? 'a2a3' : '1g1f');
  await other.press('#typed-move', 'Enter');
  await other.waitForFunction(() => document.querySelectorAll('#moves .rows > .mv').length >= 2);
  const own = await other.evaluate(listed);
  await Promise.all([page.reload(), other.reload()]);
  await player.ready();
  await other.waitForSelector('body.ready');
  await player.moves(2);
  same(await page.evaluate(listed), before, `${game}: the first tab has its game after a reload`);
  await other.waitForFunction(() => document.querySelectorAll('#moves .rows > .mv').length >= 2);
  same(await other.evaluate(listed), own, `${game}: and so has the other`);
  await other.close();
}

const refuse = () => Object.defineProperty(Storage.prototype, 'setItem', {value: () => {
  throw new Error('refused');
}});

// Starts other than the usual one: odds in shogi, where the engine that gives them moves first; Chess960 with castling
// by a press on the rook.
async function otherStarts(player) {
  const {page, game} = player;
  if (game === 'shogi') {
    await player.start({side: 0, level: 0, start: 'handicap:2'});
    await player.moves(1);
    await player.myTurn();
    const fen = await player.fen();
    same(/[Rb]/.test(fen.split(' ')[0].replace(/B/, '')) ? fen.split(' ')[1] : '', 'b', `shogi: it is my turn: ${fen}`);
    check(!/[rb]/.test(fen.split(' ')[0]), `shogi: the engine gives rook and bishop: ${fen}`);
    return player.play('7g7f').then(() => player.moves(3));
  }
  await page.selectOption('#start', '960');
  await page.fill('#chess960', '3'); // king and rook beside each other on f1 and g1
  await player.start({side: 0, level: 0});
  const fen = await player.fen();
  same(fen.split(' ')[0].slice(-8), 'BQNNRKRB', `chess: the start of that number: ${fen}`);
  await player.play('f1g1', 'drag');
  await player.moves(2);
  same((await page.evaluate(listed))[0], 'O-O', 'chess: castling in Chess960');
  check(/RK.$/.test((await player.fen()).split(' ')[0]), 'chess: king on g1, rook on f1');
}

export function playCases(game) {
  const ends = ENDS[game];
  const cases = [
    ['whole game', {}, wholeGame],
    ['mate', {}, player => fromPosition(player, ends.mate)],
    ['repetition', {}, player => fromPosition(player, ends.repetition)],
    ['time', {}, byTime],
    ['resignation', {}, byResignation],
    ['take back, hint, typed move', {}, backAndForward],
    ['reload', {}, reload],
    ['server killed', {only: 'serve'}, killed],
    ['worker killed', {only: 'file'}, workerKilled],
    ['duplicated tab', {}, duplicated],
    ['storage refused', {script: refuse}, noStorage],
    ['other starts', {}, otherStarts],
  ];
  if (ends.other) cases.push(['stalemate', {}, player => fromPosition(player, ends.other)]);
  return cases;
}
