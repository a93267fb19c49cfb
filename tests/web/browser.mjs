// SPDX-License-Identifier: GPL-3.0-or-later
// The page in Chromium, both games, on the engine of `serve` and on the one inside the page of one file. Each case opens
// the page anew and ends with the same demand: nothing in the console, nothing asked from elsewhere, nothing against the
// policy. A case that fails leaves a picture in build/web-tests. Words after the file name choose cases: `node
// tests/web/browser.mjs chess file mate`. Cases name the back end they are for, where that is only one.
import {existsSync, mkdirSync} from 'node:fs';
import {check, same, skip, finish} from './harness.mjs';
import {tool, findChromium, program, backends, startBrowser, Player} from './driver.mjs';
import {playCases} from './play_cases.mjs';
import {studyCases} from './study_cases.mjs';
import {lookCases} from './look_cases.mjs';

const pictures = new URL('../../build/web-tests/', import.meta.url).pathname;
const wanted = process.argv.slice(2);

function missing(game) {
  for (const name of ['playwright-core', 'chess.js', 'tsshogi']) if (!tool(name)) return `no ${name} (scripts/setup-web.sh installs it)`;
  if (!findChromium()) return 'no chromium';
  if (!existsSync(program(game))) return `no twofold-${game} (make)`;
  if (!existsSync(new URL('../../src/web/serve.c', import.meta.url))) return 'no serve in the sources';
  return null;
}

async function runCase(game, kind, browser, address, [name, options, run]) {
  const began = performance.now(), player = new Player(game, browser, address), title = `${game} on ${kind}: ${name}`;
  try {
    await player.open(options);
    await run(player);
    same(player.faults, [], `${title}: console, requests and policy`);
  } catch (error) {
    check(false, `${title}: ${error.message.split('\n')[0]}`);
    mkdirSync(pictures, {recursive: true});
    await player.page?.screenshot({path: `${pictures}${title.replace(/\W+/g, '-')}.png`}).catch(() => {});
  }
  await player.context?.close().catch(() => {});
  if (process.env.WEB_TIMES) console.log(`${title}: ${Math.round(performance.now() - began)} ms`);
}

// The cases of one game on one back end, one after the other.
async function runAll(browser, game, {kind, missing: lack, start}) {
  if (lack) return skip(`the ${game} page in a browser on ${kind}: ${lack}`);
  const cases = [...playCases(game), ...studyCases(game), ...lookCases(game)]
    .filter(([name, {only = kind}]) => only === kind && wanted.every(word => `${game} ${kind} ${name}`.includes(word)));
  if (!cases.length) return undefined;
  const engine = await start();
  for (const each of cases) await runCase(game, kind, browser, engine.address, each);
  return engine.stop();
}

// Both games at a time: most of it is waiting.
const games = ['chess', 'shogi'].filter(game => {
  const lack = missing(game);
  if (lack) skip(`the ${game} page in a browser: ${lack}`);
  return !lack;
});
if (games.length) {
  const browser = await startBrowser();
  await Promise.all(games.map(async game => {
    for (const backend of backends(game)) await runAll(browser, game, backend);
  }));
  await browser.close();
}
finish('browser');
