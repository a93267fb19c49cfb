// SPDX-License-Identifier: GPL-3.0-or-later
// The page of one file from the disk, and the folder from a host with and without the headers that threads want, in
// Chromium: what `twofoldWorker` gives the page is asked as the page would ask it.
//   node tests/web/wasm_browser.mjs GAME PROGRAM
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, normalize, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {check, checkTimed, expect, expectEqual, finish, skip} from './checks.mjs';
import {Browser, findChromium} from './chromium.mjs';
import {Program} from './engines.mjs';

const [game, path] = process.argv.slice(2);
const STOP_MS = 150;
const chromium = findChromium();
if (!chromium) {
  skip(`${game} in a browser: chromium is not here`);
  finish(`wasm of ${game} in a browser`);
}
const browser = new Browser(chromium);
const single = pathToFileURL(resolve(`build/web/twofold-${game}.html`)).href;

// ---- a host ----
const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml'};
function host(headers) {
  const server = createServer((request, reply) => {
    const name = normalize(new URL(request.url, 'http://x/').pathname).replace(/\/$/, '/index.html');
    try {
      const body = readFileSync(join('build/web/site', name));
      reply.writeHead(200, {'Content-Type': TYPES[extname(name)] || 'application/octet-stream', ...headers}).end(body);
    } catch (error) {
      reply.writeHead(404, headers).end();
    }
  });
  return new Promise(done => server.listen(0, '127.0.0.1', () => done({server, url: `http://127.0.0.1:${server.address().port}/${game}/`})));
}

// ---- in the page ----
// A second engine beside that of the page, with a way to ask it.
const SET_UP = async patch => {
  const source = globalThis.TWOFOLD;
  if (patch) globalThis.TWOFOLD = {...source, worker: patch + source.worker};
  const link = await globalThis.twofoldWorker();
  globalThis.TWOFOLD = source;
  const waiting = new Map();
  let number = 0;
  globalThis.strays = [];
  link.onerror = ({message}) => waiting.forEach(({reject}) => reject(new Error(message)));
  link.onmessage = ({data}) => {
    const message = JSON.parse(data), asked = waiting.get(message.id);
    if (!asked) {
      strays.push(data);
    } else if (message.event) {
      asked.events.push(message);
    } else {
      waiting.delete(message.id);
      asked.resolve({answer: message, events: asked.events, at: performance.now()});
    }
  };
  globalThis.pause = ms => new Promise(done => setTimeout(done, ms));
  globalThis.ask = request => {
    const id = ++number, asked = {events: []};
    const promise = new Promise((done, reject) => Object.assign(asked, {resolve: done, reject}));
    waiting.set(id, asked);
    link.postMessage(JSON.stringify({id, ...request}));
    return Object.assign(promise, {id, events: asked.events});
  };
  globalThis.drop = () => link.terminate();
};

// Searches without end and stops them: how long each took to answer, and what it had told.
const STOPS = async waits => {
  const all = [];
  for (const ms of waits) {
    const search = ask({do: 'go', infinite: true});
    await pause(ms);
    const heard = search.events.length, since = performance.now();
    const stopped = ask({do: 'stop', target: search.id, language: 'en'});
    const {answer, at} = await search;
    await stopped;
    all.push({ms: at - since, heard, move: answer.move, ok: answer.ok});
  }
  return all;
};

function expectStops(all) {
  for (const {ms, move, ok} of all) {
    expect(ok && move, 'a move');
    expect(ms < STOP_MS, `stopped after ${all.map(one => Math.round(one.ms)).join(', ')} ms`);
  }
  expect(all.at(-1).heard > 2, `${all.at(-1).heard} lines were told`);
}

async function checkEngine(tab, title) {
  await check(`${title}: a search visits the nodes of the program`, async () => {
    const program = new Program(path);
    const request = {do: 'go', start: 'startpos', moves: [], depth: 10};
    const wanted = (await program.ask(request)).answer, got = (await tab.call(`async request => (await ask(request)).answer`, request));
    await program.close();
    expectEqual([got.move, got.line.nodes, got.line.pv], [wanted.move, wanted.line.nodes, wanted.line.pv], 'what was found');
  });
  await checkTimed(`${title}: a stop takes at most 150 ms`, async () => expectStops(await tab.call(STOPS, [0, 60, 130, 700])));
  await check(`${title}: what waits is stopped with what runs, and everything is answered once`, async () => {
    const kinds = await tab.call(async () => {
      const first = ask({do: 'go', nodes: 1000000000}), second = ask({do: 'go', nodes: 1000000000});
      await pause(200);
      ask({do: 'stop', language: 'ja'});
      return [(await first).answer.kind, (await second).answer.kind, strays.length];
    });
    expectEqual(kinds, ['move', 'move', 0], 'answers');
  });
  await checkTimed(`${title}: questions are answered while it thinks, and change the game at once`, async () => {
    const {took, plies} = await tab.call(async () => {
      const search = ask({do: 'go', start: 'startpos', moves: [], infinite: true});
      await pause(300);
      const since = performance.now();
      const {answer: {legal}} = await ask({do: 'state'});
      const {answer} = await ask({do: 'position', start: 'startpos', moves: legal.slice(0, 1)});
      const took = performance.now() - since;
      ask({do: 'stop'});
      await search;
      const next = await ask({do: 'go', depth: 2});
      return {took, plies: [answer.ply, (await ask({do: 'state'})).answer.ply, answer.legal.includes(next.answer.move)]};
    });
    expect(took < STOP_MS, `answered after ${Math.round(took)} ms`);
    expectEqual(plies, [1, 1, true], 'the game');
  });
  await checkTimed(`${title}: a search that ponders ends on the clock after the hit`, async () => {
    const {ms, ok, hit} = await tab.call(async () => {
      const clock = {time_ms: [1000, 1000]};
      const search = ask({do: 'go', start: 'startpos', moves: [], ponder: true, clock});
      await pause(300);
      const since = performance.now();
      const hit = await ask({do: 'ponderhit'});
      const {answer, at} = await search;
      return {ms: at - since, ok: answer.ok && Boolean(answer.move), hit: hit.answer.ok};
    });
    expect(hit && ok && ms < 1200, `answered after ${Math.round(ms)} ms`);
  });
}

// ---- the page of one file ----
await (await browser.open('about:blank#up')).close(); // the start of the browser is not the page's
await checkTimed('the page of one file opens from the disk and moves within two seconds', async () => {
  const since = performance.now();
  const tab = await browser.open(single);
  await tab.call(SET_UP, null);
  const {answer} = await tab.call(`async request => ask(request)`, {do: 'go', start: 'startpos', moves: [], movetime_ms: 200});
  const took = performance.now() - since;
  expect(answer.ok && answer.move, 'a move');
  expect(took < 2000, `the first move came after ${Math.round(took)} ms`);
  console.log(`first move of ${game} after ${Math.round(took)} ms, 200 of them thinking`);
  await tab.close();
});
{
  const tab = await browser.open(single);
  await tab.call(SET_UP, null);
  await checkEngine(tab, 'one file');
  await check('one file: nothing is fetched', async () => {
    expectEqual(await tab.value('performance.getEntriesByType("resource").map(entry => entry.name).filter(name => !/^(blob|data):/.test(name))'), [], 'resources');
  });
  await tab.value('drop()');
  await tab.value('delete WebAssembly.Suspending');
  await checkTimed('where no signal can be heard a stop still answers', async () => {
    await tab.call(SET_UP, 'XMLHttpRequest = undefined;');
    expectStops(await tab.call(STOPS, [300, 700]));
    expectEqual(await tab.value('strays.length'), 0, 'strays');
  });
  await tab.close();
}

// ---- the folder ----
async function checkFolder() {
  {
    const {server, url} = await host({});
    const tab = await browser.open(url);
    await tab.call(SET_UP, null);
    await checkTimed('from a host without headers it has one thread', async () => {
      expectEqual(await tab.value('ask({do: "hello"}).then(({answer}) => answer.threads_max)'), 1, 'threads');
      expectStops(await tab.call(STOPS, [400]));
    });
    await tab.value('drop()');
    await tab.value('delete WebAssembly.Suspending');
    await tab.call(SET_UP, null);
    await checkEngine(tab, 'two workers and signals');
    await tab.close();
    server.close();
  }
  {
    const {server, url} = await host({'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp'});
    const tab = await browser.open(url);
    await tab.call(SET_UP, null);
    await check('from a host with headers it has threads, and uses them', async () => {
      const {cores, most, nodes, ok} = await tab.call(async () => {
        const {answer} = await ask({do: 'hello'});
        const set = await ask({do: 'set', name: 'Threads', value: 2});
        const search = await ask({do: 'go', start: 'startpos', moves: [], movetime_ms: 500});
        await ask({do: 'set', name: 'Threads', value: 1});
        await ask({do: 'new'});
        return {cores: navigator.hardwareConcurrency, most: answer.threads_max, nodes: search.answer.line.nodes, ok: set.answer.ok};
      });
      expect(ok && nodes > 1000, `${nodes} nodes`);
      expectEqual(most, Math.min(cores, 16), 'the most threads');
    });
    await checkEngine(tab, 'threads');
    await tab.close();
    server.close();
  }
}
if (process.env.WASM_LONG) await checkFolder();
await browser.close();
finish(`wasm of ${game} in a browser`);
