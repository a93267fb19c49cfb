// SPDX-License-Identifier: GPL-3.0-or-later
// The module of WebAssembly under node, beside the program of the same game: the same searches to the node, the same
// answers to the same requests, and a stop that takes effect while a search keeps the only thread.
//   node tests/web/wasm_node.mjs GAME PROGRAM MODULE.wasm
import {execFileSync} from 'node:child_process';
import {check, checkTimed, expect, expectEqual, finish} from './checks.mjs';
import {Module, Program, benchOf} from './engines.mjs';

const [game, path, wasm] = process.argv.slice(2);
const STOP_MS = 150;
const program = new Program(path);
const module = new Module(wasm);
await module.ready;

// What differs from run to run, and between a build with threads and one without.
function masked(message) {
  return JSON.parse(JSON.stringify(message), (key, value) => (['time_ms', 'nps', 'id'].includes(key) ? undefined : value));
}

async function both(request) {
  const [a, b] = [await program.ask(request), await module.ask(request)];
  return [masked(a), masked(b)];
}

async function expectSame(request) {
  const [a, b] = await both(request);
  expectEqual(b, a, JSON.stringify(request).slice(0, 80));
  return a;
}

await check('bench visits the nodes of the program', async () => {
  const wanted = Number(execFileSync(path, ['bench'], {encoding: 'utf8'}).match(/(\d+) nodes \d+ nps/)[1]);
  const run = await benchOf(wasm);
  expectEqual(run(0), wanted, 'nodes');
});

// A few plies on from the start, so that there is something to find.
const moves = [];
await check('the same moves are legal all along a game', async () => {
  await expectSame({do: 'set', name: game === 'shogi' ? 'USI_Hash' : 'Hash', value: 16});
  for (let ply = 0; ply < 12; ply++) {
    const {answer} = await expectSame({do: 'state', start: 'startpos', moves});
    expect(answer.ok && answer.legal.length > 1, 'legal moves');
    moves.push(answer.legal[(7 * ply + 3) % answer.legal.length]);
  }
});
await check('a search to a depth tells the same lines and gives the same answer', async () => {
  const {answer, events} = await expectSame({do: 'go', start: 'startpos', moves: [], depth: 11});
  expect(answer.ok && answer.kind === 'move' && events.length >= 8, 'lines');
});
await check('so does one to a number of nodes, with what the one before has learned', async () => {
  const {answer} = await expectSame({do: 'go', start: 'startpos', moves, nodes: 60000});
  expectEqual(answer.line.nodes, 60000, 'nodes');
});
await check('several lines, and a level', async () => {
  await expectSame({do: 'go', nodes: 20000, multipv: 3});
  await expectSame({do: 'new'});
  await expectSame({do: 'go', start: 'startpos', moves, nodes: 20000, level: 1500, seed: 7});
});
await check('short questions and bad ones', async () => {
  await expectSame({do: 'new'});
  for (const request of [{do: 'legal'}, {do: 'eval'}, {do: 'opening'}, {do: 'setup', fen: 'x'}, {do: 'gone'}, {do: 'go', depht: 3}]) {
    await expectSame({start: undefined, ...request});
  }
});
await check('a game is analysed', async () => {
  const {answer} = await expectSame({do: 'analyse', start: 'startpos', moves: moves.slice(0, 6), nodes: 2000});
  expect(answer.ok && answer.moves.length === 6, 'moves judged');
});

await check('the hash table takes every size up to its bound', async () => {
  for (const value of [24, 256, 1, 16]) {
    const {answer} = await module.ask({do: 'set', name: game === 'shogi' ? 'USI_Hash' : 'Hash', value});
    expect(answer.ok && answer.value === value, `${value} MB: ${answer.error}`);
  }
});

async function stopAfter(request, ms) {
  let lines = 0;
  const search = module.ask(request, () => lines++);
  await new Promise(resolve => setTimeout(resolve, ms));
  const heard = lines, since = performance.now();
  search.stop();
  const {answer} = await search;
  return {answer, heard, took: performance.now() - since};
}

await checkTimed('a search is stopped within 150 ms, tells lines before, and answers once', async () => {
  await module.ask({do: 'position', start: 'startpos', moves: []});
  for (const ms of [1, 120, 400]) {
    const {answer, heard, took} = await stopAfter({do: 'go', infinite: true}, ms);
    expect(took < STOP_MS, `stopped after ${took.toFixed(0)} ms`);
    expect(answer.ok && answer.kind === 'move' && answer.move, 'a move');
    expect(ms < 200 || heard > 3, `${heard} lines were told in ${ms} ms`);
  }
});
await checkTimed('one that is done and waits for its stop hears it too', async () => {
  const {answer, took} = await stopAfter({do: 'go', infinite: true, depth: 1}, 200);
  expect(answer.ok && answer.move && took < STOP_MS, `stopped after ${took.toFixed(0)} ms`);
});
await checkTimed('an analysis is given up', async () => {
  const {answer, took} = await stopAfter({do: 'analyse', start: 'startpos', moves, nodes: 100000000}, 300);
  expect(took < STOP_MS && 'ok' in answer, `given up after ${took.toFixed(0)} ms`);
});
await check('nothing was said that nobody asked for', async () => {
  await module.ask({do: 'state'});
  expectEqual(module.strays, [], 'strays');
});
await program.close();
await module.close();
finish(`wasm of ${game} under node`);
