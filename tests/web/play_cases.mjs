// SPDX-License-Identifier: GPL-3.0-or-later
// Games against the engine, each to its end and told on the page: mate, stalemate, repetition, time, resignation; and what
// may happen on the way: taking back, a hint, a reload, a server that is killed.
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
    await player.moves(ply + 1);
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
      await player.until(() => document.querySelector('.tf-board').dataset.mode === 'view' || document.body.dataset.play === 'over', null, 'the move to be played');
      await player.myTurn();
      if (await player.page.isVisible('#claim')) await player.press('claim');
    }
  } else await player.play(move, 'drag');
  const text = await player.over();
  check(told.test(text), `${player.game}: told at the end: ${text}`);
}

async function byTime(player) {
  await player.start({side: 0, clock: {main: 0.03, inc: 0, byo: player.game === 'shogi' ? 1 : 0}});
  const text = await player.over();
  check(/You lost.*on time/.test(text), `${player.game}: time is told: ${text}`);
}

async function byResignation(player) {
  await player.start({side: 1});
  await player.myTurn();
  await player.press('resign');
  same(await player.page.evaluate(() => document.body.dataset.play), 'on', `${player.game}: one press does not resign`);
  await player.press('resign');
  const text = await player.over();
  check(/You lost.*by resignation/.test(text), `${player.game}: resignation is told: ${text}`);
  await player.press('over-review');
  await player.until(() => document.body.dataset.mode === 'review', null, 'the review');
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

// The server dies in the middle; a new one at the same address, with the same token, is not to be had, so the page tells.
async function killed(player) {
  const own = await serve(player.game), {address} = player;
  await player.page.goto(player.address = own.address);
  await player.ready();
  await player.start({side: 0});
  await player.play(player.game === 'chess' ? 'e2e4' : '7g7f');
  await player.moves(2);
  await player.myTurn();
  const before = await player.page.evaluate(listed);
  own.child.kill('SIGKILL');
  await player.until(() => document.querySelector('.notice.bad[data-key=dead] button.small'), null, 'the word that the engine is gone', 30000);
  same(await player.page.evaluate(listed), before, `${player.game}: the game stays when the server is killed`);
  await player.page.click('.notice.bad[data-key=dead] button.small');
  await player.until(() => document.querySelector('.notice.bad[data-key=dead]'), null, 'the word that it is still gone', 30000);
  player.faults = player.faults.filter(fault => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY|ERR_CONNECTION_RESET|foreign request: http:\/\/127\.0\.0\.1/.test(fault));
  player.address = address;
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
    ['server killed', {}, killed],
  ];
  if (ends.other) cases.push(['stalemate', {}, player => fromPosition(player, ends.other)]);
  return cases;
}
