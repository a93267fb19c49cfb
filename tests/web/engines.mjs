// SPDX-License-Identifier: GPL-3.0-or-later
// Two ways to an engine that speaks lines of JSON, for tests under node: the program `twofold-GAME json`, and the worker
// of the page with a module of WebAssembly. Both are asked the same way: ask(request) is kept with the answer, and the
// events that came before it.
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {Worker} from 'node:worker_threads';

class Engine {
  constructor() {
    this.waiting = new Map();
    this.number = 0;
    this.strays = []; // lines that nobody has asked for, or a second answer
  }

  ask(request, online = null) {
    const id = request.id ?? ++this.number;
    const asked = {events: [], online};
    const promise = new Promise((resolve, reject) => Object.assign(asked, {resolve, reject}));
    this.waiting.set(id, asked);
    this.send(JSON.stringify({id, ...request}), asked);
    promise.stop = () => this.stop(asked);
    return promise;
  }

  take(line) {
    const message = JSON.parse(line), asked = this.waiting.get(message.id);
    if (!asked) {
      this.strays.push(line);
    } else if (message.event) {
      asked.events.push(message);
      if (asked.online) asked.online(message);
    } else {
      this.waiting.delete(message.id);
      asked.resolve({answer: message, events: asked.events});
    }
  }

  lost(why) {
    for (const {reject} of this.waiting.values()) reject(new Error(why));
  }
}

export class Program extends Engine {
  constructor(path) {
    super();
    this.child = spawn(path, ['json'], {stdio: ['pipe', 'pipe', 'inherit']});
    let held = '';
    this.child.stdout.setEncoding('utf8').on('data', chunk => {
      const lines = (held + chunk).split('\n');
      held = lines.pop();
      for (const line of lines) this.take(line);
    });
    this.child.once('exit', code => this.lost(`the program ended with ${code}`));
  }

  send(line) {
    this.child.stdin.write(line + '\n');
  }

  async close() {
    this.child.stdin.end();
    await new Promise(resolve => this.child.once('exit', resolve));
  }
}

// What a browser's worker has and node's has not.
const PRELUDE = `const {parentPort} = require('node:worker_threads');
globalThis.postMessage = message => parentPort.postMessage(message);
globalThis.onmessage = null;
parentPort.on('message', data => globalThis.onmessage({data}));
`;

export class Module extends Engine {
  constructor(wasm, worker = 'src/web/worker.js') {
    super();
    this.worker = new Worker(PRELUDE + readFileSync(worker, 'utf8').replace("'use strict';", ''), {eval: true});
    this.worker.postMessage({start: {module: readFileSync(wasm), hash: 16, hashMax: 256, probe: null, mayPause: false}});
    this.ready = new Promise((resolve, reject) => {
      this.worker.once('error', reject);
      this.worker.on('message', data => {
        if (typeof data === 'string') {
          this.take(data);
        } else if (data.ready) {
          resolve();
        } else {
          reject(new Error(data.failed));
          this.lost(data.failed);
        }
      });
    });
  }

  send(line, asked) {
    asked.signal = new Int32Array(new SharedArrayBuffer(4));
    this.worker.postMessage({line, stop: asked.signal});
  }

  stop(asked) {
    Atomics.store(asked.signal, 0, 1);
  }

  close() {
    return this.worker.terminate();
  }
}

// The module alone, in this thread: for bench.
export async function benchOf(wasm) {
  const module = await WebAssembly.compile(readFileSync(wasm));
  const imports = {};
  let memory = null;
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    imports[from] = imports[from] || {};
    imports[from][name] = () => 0;
  }
  const clock = (id, precision, at) => {
    new DataView(memory.buffer).setBigUint64(at, process.hrtime.bigint(), true);
    return 0;
  };
  if (imports.wasi_snapshot_preview1) imports.wasi_snapshot_preview1.clock_time_get = clock;
  const {exports} = await WebAssembly.instantiate(module, imports);
  memory = exports.memory;
  if (exports._initialize) exports._initialize();
  return depth => exports.twofold_bench(depth);
}
