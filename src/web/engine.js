// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of a page without a server. `twofoldWorker` gives the page what looks like one worker: lines of JSON in,
// lines of JSON out, as `serve` would answer them. Behind it is a build with threads where the browser allows them
// (SharedArrayBuffer, which wants two headers from the host), else one worker whose only thread can be set aside while
// it thinks. Where the browser cannot do that either there are two workers with the same module: one thinks, and as it
// hears nothing meanwhile, the other answers what needs no thinking. Both know the same game and the same options: what
// changes those goes to both, and one of the two answers is dropped.
// `TWOFOLD` says where things are: `worker` and `wasm` are texts or addresses, `threads` the address of threads.js.
'use strict';

(() => {
  const MUTED = '~'; // the id of lines whose answers nobody waits for: worker.js drops them
  const HASH_MB = 16, HASH_MAX_MB = 256;
  const FRONT = new Set(['hello', 'options', 'position', 'state', 'legal', 'parse', 'setup', 'opening', 'eval', 'read', 'write']);
  const LONG = new Set(['go', 'threat', 'analyse']);
  const GAME_FIELDS = ['start', 'moves', 'chess960'];
  const IS_HASH = /^(usi_)?hash$/i, IS_SIZE = /^((usi_)?hash|threads)$/i;

  // ---- signals: see worker.js ----
  function newSignal() {
    if (globalThis.crossOriginIsolated) return new Int32Array(new SharedArrayBuffer(4));
    return URL.createObjectURL(new Blob(['go on']));
  }

  function raise(signal) {
    if (typeof signal === 'string') URL.revokeObjectURL(signal);
    else Atomics.store(signal, 0, 1);
  }

  // ---- two workers ----
  class EnginePair {
    constructor(module, url) {
      this.module = module;
      this.url = url;
      this.onmessage = this.onerror = () => {};
      this.sent = []; // what the thinking worker has not answered yet, oldest first
      this.options = new Map(); // lines that set options, by name
      this.hits = new Map(); // ponderhits that the front looks at, by id
      this.hash = HASH_MB;
      this.game = null; // the fields of the current game
    }

    async open() {
      await Promise.all([this.openFront(), this.openThinker()]);
      return this;
    }

    start(hash, online) {
      const worker = new Worker(this.url), probe = newSignal();
      worker.postMessage({start: {module: this.module, hash, hashMax: HASH_MAX_MB, probe}});
      return {
        worker,
        ready: new Promise((resolve, reject) => {
          const fail = why => {
            reject(new Error(why));
            this.onerror({message: why});
          };
          worker.onerror = event => fail(event.message || 'the worker could not be started');
          worker.onmessage = ({data}) => {
            if (typeof data === 'string') online(data);
            else if (data.failed) fail(data.failed);
            else {
              raise(probe);
              resolve(data.hears);
            }
          };
        }),
      };
    }

    async openFront() {
      const {worker, ready} = this.start(1, line => this.fromFront(line));
      this.front = worker;
      await ready;
    }

    async openThinker() {
      const {worker, ready} = this.start(HASH_MB, line => this.fromThinker(line));
      this.thinker = worker;
      this.hears = await ready;
    }

    terminate() {
      this.front.terminate();
      this.thinker.terminate();
      for (const entry of this.sent) if (entry.signal) raise(entry.signal);
      this.sent = [];
    }

    // ---- in ----
    postMessage(line) {
      let request = null;
      try {
        request = JSON.parse(line);
      } catch (error) {
        // it is answered as it came
      }
      const what = request && typeof request === 'object' ? request.do : null;
      if (what === 'stop') this.stop(line, request);
      else if (what === 'ponderhit') this.ponderhit(line, request);
      else if (FRONT.has(what)) this.askFront(line, request);
      else if (LONG.has(what) || what === 'set' || what === 'new' || what === 'report' || what === 'quit') this.askThinker(line, request);
      else this.front.postMessage({line});
    }

    // The game of a request, told to the worker that does not answer it.
    mirrorGame(worker, request) {
      if (!GAME_FIELDS.some(name => name in request)) return;
      this.game = {};
      for (const name of GAME_FIELDS) if (name in request) this.game[name] = request[name];
      worker.postMessage({line: JSON.stringify({id: MUTED, do: 'position', ...this.game})});
    }

    askFront(line, request) {
      this.mirrorGame(this.thinker, request);
      this.front.postMessage({line});
    }

    askThinker(line, request) {
      const what = request.do, muted = JSON.stringify({...request, id: MUTED});
      const isLong = LONG.has(what);
      if (isLong) {
        this.mirrorGame(this.front, request);
        this.stopEntries(entry => entry.request.infinite || entry.request.ponder); // they would never end by themselves
      } else if (what === 'quit') {
        this.stopEntries(entry => entry.request.infinite || entry.request.ponder);
      } else if (what === 'new' || (what === 'set' && !IS_SIZE.test(request.name))) {
        this.front.postMessage({line: muted});
      }
      if (what === 'set') this.options.set(String(request.name).toLowerCase(), muted);
      if (what === 'new') this.game = null;
      const entry = {line, request, signal: isLong ? newSignal() : null, last: null, isStopped: false, hit: null};
      this.sent.push(entry);
      this.post(entry);
    }

    post(entry) {
      this.thinker.postMessage({line: entry.line, stop: this.hears ? entry.signal : null});
    }

    // ---- stop and ponderhit ----
    stopEntries(is) {
      for (const entry of this.sent.filter(sent => sent.signal && is(sent))) {
        entry.isStopped = true;
        if (this.hears) raise(entry.signal);
      }
      if (!this.hears) this.breakOff();
    }

    // A stop is answered here, unless something is wrong with it: the front knows what.
    stop(line, {id, target, language = null, ...others}) {
      const isSound = Object.keys(others).length === 1 && [null, 'en', 'ja'].includes(language) && ['number', 'string'].includes(typeof id) &&
        ['number', 'string', 'undefined'].includes(typeof target);
      if (!isSound) {
        this.front.postMessage({line});
        return;
      }
      const meant = this.sent.filter(sent => sent.signal && (target === undefined || sent.request.id === target));
      for (const entry of meant) entry.hit = null;
      this.stopEntries(entry => meant.includes(entry));
      this.onmessage({data: JSON.stringify({id, ok: true, stopped: meant.length})});
    }

    // The front, where nothing ponders, says whether the line is sound. Then the search that ponders is ended, and the same
    // one on the clock takes its place: the table has all it found.
    ponderhit(line, {id, clock}) {
      const entry = this.sent.filter(sent => sent.signal).pop();
      if (entry && entry.request.ponder && !entry.isStopped) this.hits.set(id, {entry, clock});
      this.front.postMessage({line});
    }

    hit({entry, clock}) {
      if (entry.isStopped || !this.sent.includes(entry)) return false;
      const {ponder, ...request} = entry.request;
      if (clock !== undefined) request.clock = clock;
      entry.hit = request;
      this.stopEntries(sent => sent === entry);
      return true;
    }

    // ---- out ----
    fromFront(line) {
      const answer = this.hits.size || line.includes('"options":[') ? JSON.parse(line) : {};
      if (this.hits.has(answer.id)) {
        if (answer.ok) answer.hit = this.hit(this.hits.get(answer.id));
        this.hits.delete(answer.id);
        line = JSON.stringify(answer);
      }
      // Its own table is small: it tells the size of the other one's.
      if (answer.options) {
        const row = answer.options.find(option => IS_HASH.test(option.name));
        if (row) row.value = this.hash;
        line = JSON.stringify(answer);
      }
      this.onmessage({data: line});
    }

    fromThinker(line) {
      const message = JSON.parse(line), entry = this.sent.find(sent => sent.request.id === message.id);
      if (entry && 'ok' in message) {
        this.sent.splice(this.sent.indexOf(entry), 1);
        if (entry.signal) raise(entry.signal);
        if (entry.request.do === 'set' && message.ok && IS_HASH.test(entry.request.name)) this.hash = message.value;
        if (entry.hit && message.ok) {
          this.askThinker(JSON.stringify(entry.hit), entry.hit);
          return;
        }
      } else if (entry && message.event === 'line') {
        entry.last = entry.last && message.multipv > 1 ? entry.last : message;
      }
      this.onmessage({data: line});
      if (!this.hears && entry && entry.isStopped && !('ok' in message)) this.breakOff();
    }

    // Where no signal reaches a search, it ends with its worker: the answer is the last it told, and another worker is
    // told what this one knew.
    breakOff() {
      const entry = this.sent[0];
      if (!entry || !entry.isStopped || (entry.request.do === 'go' && !entry.last)) return; // it is ended with its first line
      this.thinker.terminate();
      const {worker, ready} = this.start(this.hash, line => this.fromThinker(line));
      this.thinker = worker;
      ready.catch(() => {}); // onerror has told it
      for (const line of this.options.values()) worker.postMessage({line});
      if (this.game) worker.postMessage({line: JSON.stringify({id: MUTED, do: 'position', ...this.game})});
      const {id} = entry.request, {id: unused, event, ...last} = entry.last || {};
      const answer = entry.last
        ? {id, ok: true, move: last.pv[0], text: last.text[0], ponder: last.pv[1] || null, kind: 'move', book: false, line: last}
        : {id, ok: false, error: 'it was stopped', code: 'failed'};
      for (const other of this.sent.slice(1)) this.post(other);
      this.fromThinker(JSON.stringify(answer));
    }
  }

  // ---- starting ----
  const canPause = () => typeof WebAssembly.Suspending === 'function' && typeof WebAssembly.promising === 'function';

  // The module: packed and written as text in a page of one file, else fetched.
  async function engineBytes(source) {
    if (source.isAddress) {
      const reply = await fetch(source.wasm);
      if (!reply.ok) throw new Error(`${source.wasm}: ${reply.status}`);
      return reply.arrayBuffer();
    }
    const packed = Uint8Array.from(atob(source.wasm), letter => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  }

  // One worker that hears everything.
  async function startOne(url, options) {
    const worker = new Worker(url);
    const link = {
      onmessage: () => {},
      onerror: () => {},
      postMessage: line => worker.postMessage({line}),
      terminate: () => worker.terminate(),
    };
    await new Promise((resolve, reject) => {
      const fail = why => {
        reject(new Error(why));
        link.onerror({message: why});
      };
      worker.onerror = event => fail(event.message || 'the worker could not be started');
      worker.onmessage = ({data}) => {
        if (typeof data === 'string') link.onmessage({data});
        else if (data.failed) fail(data.failed);
        else resolve();
      };
      worker.postMessage({start: {hash: HASH_MB, hashMax: HASH_MAX_MB, ...options}});
    });
    return link;
  }

  globalThis.twofoldWorker = async () => {
    const source = globalThis.TWOFOLD;
    if (source.threads && globalThis.crossOriginIsolated) {
      try {
        return await startOne(source.threads, {});
      } catch (error) {
        console.warn(`no threads: ${error.message}`);
      }
    }
    const module = await WebAssembly.compile(await engineBytes(source));
    const url = source.isAddress ? source.worker : URL.createObjectURL(new Blob([source.worker], {type: 'text/javascript'}));
    return canPause() ? startOne(url, {module, mayPause: true}) : new EnginePair(module, url).open();
  };
})();
