// SPDX-License-Identifier: GPL-3.0-or-later
// The engine with threads, in a worker: lines in, lines out, as worker.js does it, but it hears them while it thinks.
// Needs SharedArrayBuffer, so a host that sends Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy.
'use strict';

importScripts('engine-threads.js'); // made by the compiler: TwofoldThreads loads the module and keeps the threads
const THREADS_MAX = 16;
const MB_PAGES = 16, FIRST_MB = 64, MOST_MB = 1024; // the numbers of MB are the linker's too: see the Makefile
const memory = new WebAssembly.Memory({initial: FIRST_MB * MB_PAGES, maximum: MOST_MB * MB_PAGES, shared: true});
let engine = null;
let door = 0;

async function start({hash, hashMax}) {
  engine = await TwofoldThreads({
    mainScriptUrlOrBlob: 'engine-threads.js',
    wasmMemory: memory,
    twofoldTell: line => postMessage(line),
  });
  const cores = Math.min(navigator.hardwareConcurrency || 1, THREADS_MAX);
  door = engine._twofold_open(hash, hashMax, cores);
  const why = door ? engine.UTF8ToString(engine._twofold_error(door)) : 'no memory';
  if (why) throw new Error(why);
  postMessage({ready: true});
}

function take(line) {
  const utf8 = new TextEncoder().encode(line);
  const at = engine._twofold_line(door, utf8.length || 1);
  if (!at) throw new Error(`no memory for a line of ${utf8.length} bytes`);
  new Uint8Array(memory.buffer, at, utf8.length).set(utf8);
  engine._twofold_take(door, utf8.length);
}

let last = Promise.resolve();
onmessage = ({data}) => {
  last = last.then(() => (data.start ? start(data.start) : take(data.line))).catch(error => {
    postMessage({failed: String(error && error.message || error)});
    last = new Promise(() => {});
  });
};
