// SPDX-License-Identifier: GPL-3.0-or-later
// The engine in a worker, one thread: the first message starts it, every other one is a line of JSON to take, and
// the lines it answers with are messages too. A search keeps this thread busy, and a busy thread reads no messages.
// Browsers that can set a running module aside (JavaScript Promise Integration) do so every POLL_MS, and then it hears
// everything, as a program would. For the others each request that may take long comes with a signal of its own, which
// the search looks at as often: a number in shared memory, or the address of a Blob. Whoever posted the request
// revokes the address to say "stop", and a synchronous request for it fails from then on.
'use strict';

const POLL_MS = 40;
const GO_ON = 0, STOP = 1, PAUSE = 2; // as wasm.c has them
const NOT_HERE = 52; // ENOSYS, as the C library of the module counts
let engine = null;
let door = 0;
let run = null; // twofold_take, as a promise where it can be set aside
let pauses = false;
let isRunning = false;
let signal = null; // of the request that runs
let polled = 0;
let nap = null; // shared with nobody: something to wait on

// Has the address been revoked? True also where it cannot be asked for: `hears` then tells that signals are lost.
function isRevoked(url) {
  try {
    const request = new XMLHttpRequest();
    request.open('GET', url, false);
    request.send();
  } catch (error) {
    return true;
  }
  return false;
}

function poll() {
  if (!pauses && signal === null) return GO_ON;
  if (!pauses && typeof signal !== 'string') return Atomics.load(signal, 0) ? STOP : GO_ON;
  const now = performance.now();
  if (now - polled < POLL_MS) return GO_ON;
  polled = now;
  if (pauses) return PAUSE;
  return isRevoked(signal) ? STOP : GO_ON;
}

// Messages that wait are read before this is kept.
const channel = new MessageChannel();
function pause() {
  return new Promise(resolve => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(0);
  });
}

function sleep(ms) {
  try {
    nap = nap || new Int32Array(new WebAssembly.Memory({initial: 1, maximum: 1, shared: true}).buffer);
    Atomics.wait(nap, 0, 0, ms);
  } catch (error) {
    nap = null; // then whoever waits goes on asking
  }
}

function bytes(at, size) {
  return new Uint8Array(engine.memory.buffer, at, size);
}

function text(at) {
  const all = new Uint8Array(engine.memory.buffer, at);
  return new TextDecoder().decode(all.subarray(0, all.indexOf(0)));
}

// What the C library asks of its system: a clock, and a place for a last word before it gives up.
const SYSTEM = {
  clock_time_get(id, precision, at) {
    const us = Math.round((performance.timeOrigin + performance.now()) * 1000);
    new DataView(engine.memory.buffer).setBigUint64(at, BigInt(us) * 1000n, true);
    return 0;
  },
  fd_write(fd, list, count, written) {
    const view = new DataView(engine.memory.buffer);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const at = view.getUint32(list + 8 * i, true), size = view.getUint32(list + 8 * i + 4, true);
      console.error(new TextDecoder().decode(bytes(at, size)));
      sum += size;
    }
    view.setUint32(written, sum, true);
    return 0;
  },
  proc_exit(code) {
    throw new Error(`the engine gave up with code ${code}`);
  },
  emscripten_notify_memory_growth() {},
  twofold_tell(at, size) {
    const line = new TextDecoder().decode(bytes(at, size));
    if (!line.startsWith('{"id":"~",')) postMessage(line); // else the stop of wasm.c, or a copy: nobody asked
  },
  twofold_poll: poll,
  twofold_sleep: sleep,
};

// Everything else has no place in a browser, and says so.
function imports(module) {
  const table = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    table[from] = table[from] || {};
    if (name === 'twofold_pause') table[from][name] = pauses ? new WebAssembly.Suspending(pause) : () => {};
    else table[from][name] = SYSTEM[name] || (() => (from === 'env' ? -NOT_HERE : NOT_HERE));
  }
  return table;
}

async function start({module, hash, hashMax, probe, mayPause}) {
  pauses = mayPause;
  const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
  engine = (await WebAssembly.instantiate(compiled, imports(compiled))).exports;
  if (engine._initialize) engine._initialize();
  door = engine.twofold_open(hash, hashMax, 1);
  const why = door ? text(engine.twofold_error(door)) : 'no memory';
  if (why) throw new Error(why);
  run = pauses ? WebAssembly.promising(engine.twofold_take) : engine.twofold_take;
  postMessage({ready: true, hears: typeof probe !== 'string' || !isRevoked(probe)});
}

function put(line) {
  const utf8 = new TextEncoder().encode(line);
  const at = engine.twofold_line(door, utf8.length || 1);
  if (!at) throw new Error(`no memory for a line of ${utf8.length} bytes`);
  bytes(at, utf8.length).set(utf8);
  return utf8.length;
}

async function take(line, stop) {
  if (isRunning) {
    engine.twofold_hear(door, put(line));
    return;
  }
  isRunning = true;
  signal = stop || null;
  polled = pauses ? performance.now() : 0;
  const size = put(line), taken = run(door, size);
  if (pauses) await taken;
  isRunning = false;
}

// Lines wait until the engine is there. After a failure what it holds is of no use.
let ready = null;
onmessage = ({data}) => {
  const fail = error => {
    ready = new Promise(() => {});
    postMessage({failed: String(error && error.message || error)});
  };
  if (data.start) ready = start(data.start).catch(fail);
  else ready.then(() => take(data.line, data.stop)).catch(fail);
};
