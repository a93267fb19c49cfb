// SPDX-License-Identifier: GPL-3.0-or-later
// The page in Chromium on the engine of `serve`, both games. Each case opens the page anew and ends with the same demand:
// nothing in the console, nothing asked from elsewhere, nothing against the policy. A case that fails leaves a picture in
// build/web-tests. Words after the file name choose cases: `node tests/web/browser.mjs chess mate`.
import {existsSync, mkdirSync} from 'node:fs';
import {check, same, skip, finish} from './harness.mjs';
import {tool, findChromium, program, serve, startBrowser, Player} from './driver.mjs';
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

async function runCase(game, browser, address, [name, options, run]) {
  const began = performance.now(), player = new Player(game, browser, address);
  try {
    await player.open(options);
    await run(player);
    same(player.faults, [], `${game}: ${name}: console, requests and policy`);
  } catch (error) {
    check(false, `${game}: ${name}: ${error.message.split('\n')[0]}`);
    mkdirSync(pictures, {recursive: true});
    await player.page?.screenshot({path: `${pictures}${game}-${name.replace(/\W+/g, '-')}.png`}).catch(() => {});
  }
  await player.context?.close().catch(() => {});
  if (process.env.WEB_TIMES) console.log(`${game}: ${name}: ${Math.round(performance.now() - began)} ms`);
}

for (const game of ['chess', 'shogi']) {
  const lack = missing(game);
  if (lack) {
    skip(`the ${game} page in a browser: ${lack}`);
    continue;
  }
  const cases = [...playCases(game), ...studyCases(game), ...lookCases(game)].filter(([name]) => wanted.every(word => `${game} ${name}`.includes(word)));
  const server = await serve(game), browser = await startBrowser();
  for (const each of cases) await runCase(game, browser, server.address, each);
  await browser.close();
  await server.stop();
}
finish('browser');
