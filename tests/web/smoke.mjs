// SPDX-License-Identifier: GPL-3.0-or-later
// A few moves in other browsers, firefox-esr and WebKit, both games, on `serve` and on the page of one file: a board, a move
// by mouse that the engine answers, a line of analysis, and a game that is back after a reload. What is not here is
// skipped by name. Words after the file name choose: `node tests/web/smoke.mjs webkit shogi file`.
import {existsSync} from 'node:fs';
import {check, same, skip, finish} from './harness.mjs';
import {backends, program} from './driver.mjs';
import {Firefox, WebKit} from './remote.mjs';

const wanted = process.argv.slice(2);
const FIRST = {chess: ['e2', 'e4'], shogi: ['7g', '7f']};

// The middle of a square; written for the page, so it is sent there as text.
const middle = (game, at) => `(() => {
  const box = document.querySelector('.tf-svg').getBoundingClientRect(), chess = ${game === 'chess'}, edge = chess ? 0 : 30, high = chess ? 100 : 108, at = '${at}';
  const x = chess ? at.charCodeAt(0) - 97 : 9 - at[0], y = chess ? 8 - at[1] : at.charCodeAt(1) - 97, unit = box.width / (chess ? 800 : 960);
  return {x: box.x + (x * 100 + 50 + edge) * unit, y: box.y + ((y + 0.5) * high + edge) * unit};
})()`;
const click = selector => `document.querySelector('${selector}').click() || true`;
const MOVES = 'document.querySelectorAll("#moves .rows > .mv").length';

async function smoke(browser, name, game, address) {
  const title = `${name}, ${game}`;
  await browser.goto(address);
  await browser.until('document.body.classList.contains("ready") && document.querySelectorAll(".tf-board .piece").length > 30', 'a board');
  await browser.value('addEventListener("error", event => document.body.dataset.wrong = event.message) || true');
  await browser.value(click('#new-start'));
  await browser.until('document.querySelector(".tf-board").dataset.mode === "move"', 'my turn');
  for (const at of FIRST[game]) await browser.press(await browser.value(middle(game, at)));
  await browser.until(`${MOVES} === 2`, 'the answer of the engine');
  await browser.until('document.querySelector(".tf-board").dataset.mode === "move"', 'my turn again');
  const before = await browser.value('document.getElementById("moves").textContent');
  await browser.until('Object.values(localStorage).some(text => text.includes(\'"head":2\'))', 'the game to be saved');
  await browser.goto(address);
  await browser.until(`document.body.classList.contains("ready") && ${MOVES} === 2`, 'the game after a reload');
  same(await browser.value('document.getElementById("moves").textContent'), before, `${title}: the game comes back`);
  await browser.value(click('[data-mode=analyse]'));
  await browser.until('document.querySelector("#lines li .mv") && !!document.querySelector(".arrow.best")', 'a line and its arrow');
  same(await browser.value('document.body.dataset.wrong || null'), null, `${title}: no error in the script`);
}

for (const [name, Kind] of [['firefox', Firefox], ['webkit', WebKit]]) {
  if (wanted.some(word => ['firefox', 'webkit'].includes(word) && word !== name)) continue;
  const lack = Kind.lack();
  if (lack) {
    skip(`a smoke game in ${name}: ${lack}`);
    continue;
  }
  let browser = null;
  try {
    browser = await new Kind().open();
  } catch (error) {
    check(false, `${name} starts: ${error.message}`);
    continue;
  }
  for (const game of ['chess', 'shogi']) {
    if (!existsSync(program(game))) {
      skip(`a smoke game of ${game} in ${name}: no twofold-${game} (make)`);
      continue;
    }
    for (const {kind, missing, start} of backends(game)) {
      if (!wanted.every(word => `${name} ${game} ${kind}`.includes(word))) continue;
      if (missing) {
        skip(`a smoke game of ${game} in ${name} on ${kind}: ${missing}`);
        continue;
      }
      const engine = await start(), began = performance.now();
      await smoke(browser, `${name} on ${kind}`, game, engine.address).catch(error => check(false, `${name}, ${game} on ${kind}: ${error.message}`));
      await engine.stop();
      if (process.env.WEB_TIMES) console.log(`${name}: ${game} on ${kind}: ${Math.round(performance.now() - began)} ms`);
    }
  }
  await browser.close();
}
finish('smoke');
