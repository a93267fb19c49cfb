// SPDX-License-Identifier: GPL-3.0-or-later
// The speed of the module beside that of the program, on the positions of `bench`: rounds in turn, so that other work on the
// machine slows both, and the best round of each counts. Fails below the share that is promised.
//   node tests/web/wasm_speed.mjs GAME PROGRAM MODULE.wasm [ROUNDS]
import {execFileSync} from 'node:child_process';
import {check, expect, expectEqual, finish} from './checks.mjs';
import {benchOf} from './engines.mjs';

const [game, path, wasm, rounds = '3'] = process.argv.slice(2);
const SHARE = 0.45;

await check(`${game}: the module has ${100 * SHARE} % of the speed of the program`, async () => {
  const run = await benchOf(wasm);
  let native = 0, module = 0;
  for (let round = 0; round < Number(rounds); round++) {
    const [, nodes, nps] = execFileSync(path, ['bench'], {encoding: 'utf8'}).match(/(\d+) nodes (\d+) nps/);
    native = Math.max(native, Number(nps));
    const since = performance.now(), visited = run(0);
    module = Math.max(module, visited / (performance.now() - since) * 1000);
    expectEqual(visited, Number(nodes), 'nodes of bench');
  }
  const share = module / native;
  console.log(`${game}: ${Math.round(module / 1000)} k nodes a second, the program ${Math.round(native / 1000)} k: ${(100 * share).toFixed(1)} %`);
  expect(share >= SHARE, `${(100 * share).toFixed(1)} %`);
});
finish(`speed of the wasm of ${game}`);
