// SPDX-License-Identifier: GPL-3.0-or-later
// The page's own way to the engine (backend.js) against both programs over HTTP, and what `serve` refuses, asked by
// node's client: an HTTP that was not written here. A stream over fetch stands in for the browser's EventSource.
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {request} from 'node:http';
import {connect} from 'node:net';
import {check, same, skip, finish} from './harness.mjs';
import {Backend} from '../../src/page/backend.js';

const root = new URL('../../', import.meta.url).pathname;
const programs = process.env.PROGRAMS || root;

// ---- a browser's half ----
let base = '';
const plainFetch = globalThis.fetch;
globalThis.fetch = (name, options) => plainFetch(new URL(name, base), options);

globalThis.EventSource = class {
  constructor(name) {
    Object.assign(this, {name, readyState: 0, last: '', retry: 1000});
    this.run();
  }

  async run() {
    while (this.readyState !== 2) {
      this.abort = new AbortController();
      const headers = {'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', ...this.last && {'Last-Event-ID': this.last}};
      const reply = await plainFetch(new URL(this.name, base), {headers, signal: this.abort.signal}).catch(() => null);
      if (reply && reply.status !== 200) this.readyState = 2;
      else if (reply) await this.read(reply).catch(() => {});
      if (this.readyState === 2 && this.closed) return;
      if (this.readyState !== 2) this.readyState = 0;
      this.onerror?.();
      await new Promise(done => setTimeout(done, this.retry));
    }
  }

  async read(reply) {
    let text = '';
    this.readyState = 1;
    this.onopen?.();
    for await (const bytes of reply.body.pipeThrough(new TextDecoderStream())) {
      const parts = (text + bytes).split('\n\n');
      text = parts.pop();
      for (const part of parts) this.take(part.split('\n'));
    }
  }

  take(lines) {
    const data = [];
    for (const line of lines) {
      if (line.startsWith('id: ')) this.last = line.slice(4);
      else if (line.startsWith('retry: ')) this.retry = Number(line.slice(7));
      else if (line.startsWith('data: ')) data.push(line.slice(6));
    }
    if (data.length) this.onmessage?.({data: data.join('\n')});
  }

  close() {
    Object.assign(this, {readyState: 2, closed: true});
    this.abort.abort();
  }
};

// ---- the program ----
async function start(game, ...options) {
  const child = spawn(`${programs}/twofold-${game}`, ['serve', '--port', '0', ...options]);
  let said = '';
  const address = await new Promise((resolve, reject) => {
    child.stdout.on('data', bytes => {
      said += bytes;
      const found = /http:\/\/\S+/.exec(said);
      if (found) resolve(found[0]);
    });
    child.on('exit', () => reject(new Error(`it ended: ${said}`)));
  });
  base = address;
  return {child, address, url: new URL(address), said: () => said, ended: new Promise(done => child.on('exit', done))};
}

// The status of a request with any headers, and its own.
function ask(server, {method = 'GET', path = server.url.pathname, headers = {}, body}) {
  return new Promise((resolve, reject) => {
    const sent = request({host: '127.0.0.1', port: server.url.port, method, path, headers, agent: false}, reply => {
      const parts = [];
      reply.on('data', bytes => parts.push(bytes));
      reply.on('end', () => resolve({status: reply.statusCode, headers: reply.headers, text: Buffer.concat(parts).toString()}));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

// ---- who may ask ----
async function guard(server, game) {
  const {pathname: path, port, host} = server.url, token = path.slice(1, -1);
  const expect = async (status, what, asked) => same((await ask(server, asked)).status, status, `${game}: ${what}`);
  check(/^[0-9a-f]{32}$/.test(token) && server.url.hostname === '127.0.0.1', `${game}: an address with a token`);
  await expect(200, 'the page', {});
  await expect(200, 'the page by its other name', {headers: {Host: `localhost:${port}`}});
  await expect(403, 'no token', {path: '/'});
  await expect(403, 'half a token', {path: `/${token.slice(0, 16)}/`});
  await expect(403, 'another token', {path: `/${token.replace(/./g, c => c === '0' ? '1' : '0')}/`});
  await expect(403, 'a token in the query', {path: `/?token=${token}`});
  // A name of a stranger that leads to 127.0.0.1 now: the browser thinks that it asks the stranger.
  for (const name of [`rebind.example:${port}`, 'rebind.example', `127.0.0.1.rebind.example:${port}`, `127.0.0.1:${+port + 1}`, `[::1]:${port}`, `0.0.0.0:${port}`])
    await expect(403, `the host ${name}`, {headers: {Host: name, Origin: `http://${name}`}});
  for (const origin of ['http://evil.example', 'https://127.0.0.1', `https://${host}`, `http://localhost:${port}`, 'null', 'http://127.0.0.1', 'file://', `http://${host}.evil.example`])
    for (const [method, name] of [['GET', ''], ['POST', 'session']])
      await expect(403, `${method} of a page at ${origin}`, {method, path: path + name, headers: {Origin: origin}});
  await expect(403, 'a picture in another page', {headers: {'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image'}});
  await expect(403, 'a frame in another page', {headers: {'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe'}});
  await expect(403, 'a question in advance from another page', {method: 'OPTIONS', path: `${path}session`, headers: {Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST'}});
  await expect(200, 'its own page', {headers: {Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin'}});
  for (const asked of [{}, {path: '/'}, {path: `${path}none`}, {method: 'PUT'}]) {
    const {headers} = await ask(server, asked);
    const policy = headers['content-security-policy'] || '';
    check(policy.startsWith("default-src 'none'") && !/unsafe|\*|http/.test(policy), `${game}: a strict policy`);
    check(/frame-ancestors 'none'/.test(policy) && /base-uri 'none'/.test(policy) && /form-action 'none'/.test(policy), `${game}: no frames, bases, forms`);
    same(headers['referrer-policy'], 'no-referrer', `${game}: the address is told to nobody`);
    same(headers['x-content-type-options'], 'nosniff', `${game}: types are not guessed`);
    check(!Object.keys(headers).some(name => name.startsWith('access-control')), `${game}: no other page may read`);
  }
  // Only 127.0.0.1 is listened at: another address of this machine is refused by the system.
  const other = await new Promise(done => {
    const socket = connect(port, '127.0.0.2', () => done('open'));
    socket.on('error', error => done(error.code));
    socket.on('close', () => socket.destroy());
    setTimeout(() => done('silent'), 3000).unref();
  });
  check(other !== 'open', `${game}: another address of this machine`);
}

// ---- a page ----
async function play(server, game) {
  const backend = new Backend();
  await backend.start();
  const hello = await backend.ask('hello', {});
  same(hello.game, game, 'the game');
  const moves = [];
  for (let ply = 0; ply < 12; ply++) {
    const answer = await backend.ask('go', {start: 'startpos', moves: [...moves], nodes: 300});
    const state = await backend.ask('state', {start: 'startpos', moves: [...moves]});
    check(state.legal.includes(answer.move), `${game}: ${answer.move} is legal`);
    moves.push(answer.move);
  }
  const state = await backend.ask('state', {start: 'startpos', moves});
  same([state.ply, state.moves], [12, moves], `${game}: the game so far`);

  let lines = 0;
  const endless = backend.ask('go', {start: 'startpos', moves, infinite: true}, event => lines += event.event === 'line');
  while (!lines) await new Promise(done => setTimeout(done, 10));
  const legal = await backend.ask('legal', {});
  same(legal.moves.length, state.legal.length, `${game}: asked while it thinks`);
  await backend.ask('stop', {target: endless.id});
  check(state.legal.includes((await endless).move), `${game}: a stop is answered by a move`);

  let progress = 0;
  const judged = await backend.ask('analyse', {start: 'startpos', moves, nodes: 300}, event => progress += event.event === 'progress');
  check(judged.moves.length === 12 && progress > 0, `${game}: a review with progress`);
  const wrong = await backend.ask('go', {depth: 'deep'}).catch(error => error);
  check(wrong.code && wrong.code !== 'dead' && wrong.message, `${game}: a wrong question has a sentence`);

  // Eight tabs of one browser, each thinking: the streams take turns and nothing is lost.
  const tabs = await Promise.all(Array.from({length: 8}, async () => {
    const tab = new Backend();
    await tab.start();
    return tab;
  }));
  const answers = await Promise.all(tabs.flatMap(tab => [1, 2, 3].map(() => tab.ask('go', {nodes: 5000}))));
  check(answers.length === 24 && answers.every(answer => answer.ok), `${game}: eight tabs think at once`);
  for (const tab of tabs) tab.drop();
  for (let i = 0; i < 500 && !server.said().includes('(by its page), 1 open'); i++) await new Promise(done => setTimeout(done, 10));
  check(server.said().includes('(by its page), 1 open'), `${game}: closed tabs free their engines`);

  // The server dies: what was asked ends, and the page is told.
  const died = new Promise(done => backend.ondead = done);
  const asked = backend.ask('go', {infinite: true}).catch(error => error.code);
  server.child.kill('SIGKILL');
  await server.ended;
  await died;
  same(await asked, 'dead', `${game}: what was asked of a dead server`);
}

for (const game of ['chess', 'shogi']) {
  if (!existsSync(`${programs}/twofold-${game}`)) {
    skip(`serve of ${game}: it is not built`);
    continue;
  }
  const server = await start(game);
  try {
    await guard(server, game);
    await play(server, game);
  } catch (error) {
    check(false, `serve of ${game}: ${error.stack}`);
  }
  server.child.kill('SIGKILL');
}
finish('serve');
process.exit();
