// SPDX-License-Identifier: GPL-3.0-or-later
// The page without a browser: trees, clocks, positions as text, storage; and what can be read from its files: the
// words in both languages, a label for every control, modules that can be joined, and no more than 80 kB of script.
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {check, same, finish} from './harness.mjs';
import {Tree} from '../../src/page/tree.js';
import {Clock, clockText} from '../../src/page/clock.js';
import {readFen, writeFen, describeBoard} from '../../src/page/position.js';
import {splitMove, squareName} from '../../src/page/board.js';
import {Store} from '../../src/page/store.js';

const folder = new URL('../../src/page/', import.meta.url);
const read = name => readFileSync(new URL(name, folder), 'utf8');

// ---- trees ----
{
  const tree = new Tree().addRecord({moves: ['e2e4', 'e7e5', 'g1f3'].map(move => ({move, text: move}))});
  same(tree.moves(tree.head), ['e2e4', 'e7e5', 'g1f3'], 'the line of a record');
  const side = tree.add(1, 'c7c5', 'c5'), deep = tree.add(side, 'g1f3', 'Nf3');
  same(tree.add(1, 'c7c5'), side, 'a move that is there already is not added');
  same(tree.nodes[side].t, 'c5', 'and keeps its text');
  same(tree.path(deep), [1, side, deep], 'the path of a variation');
  same(tree.main(), [1, 2, 3], 'the main line');
  same(tree.forward(1), side, 'forward follows the line one was on');
  same(tree.end(0), deep, 'to its end');
  tree.promote(deep);
  same(tree.main(), [1, side, deep], 'a variation moved up is the main line');
  same(tree.nodes[1].kids, [side, 2], 'and the other stays');
  const copy = Tree.load(JSON.parse(JSON.stringify(tree)));
  same(copy, tree, 'a tree comes back as it was saved');
  tree.nodes[1].state = {big: true};
  check(!tree.toJSON().nodes[1].state, 'states are not saved');
  tree.at = 3;
  tree.remove(2);
  same(tree.nodes.length, 4, 'removing takes the rest of the line along');
  same(tree.moves(tree.at), ['e2e4'], 'the cursor goes to the parent');
  same(tree.main().map(i => tree.nodes[i].m), ['e2e4', 'c7c5', 'g1f3'], 'the other line stays');
  for (const bad of [null, {}, {nodes: []}, {nodes: [{p: -1, kids: [1]}]}, {nodes: [{p: -1, kids: [1]}, {p: 1, m: 'x', kids: []}]}, {nodes: [{p: -1, kids: []}, {p: 0, m: 'x', kids: []}]}, {nodes: [{p: -1}]}]) same(Tree.load(bad), null, 'no tree');
  same(Tree.load({...new Tree(), at: 7, head: -2}).at, 0, 'a cursor outside goes to the start');
  const moves = (...list) => list.map(move => ({move, text: move}));
  const game = {moves: moves('a', 'b', 'c'), variations: [{line: 0, ply: 2, moves: moves('d', 'e', 'f')}, {line: 1, ply: 2, moves: moves('g')}, {line: 0, ply: 2, moves: moves('h')}, {line: 2, ply: 2, moves: moves('i')}]};
  game.moves[1].comment = 'good';
  game.variations[0].moves[0].nags = [6];
  game.moves[0].time_ms = 1500;
  game.variations[1].comment = 'before';
  const grown = new Tree().addRecord(game), told = grown.record();
  same(grown.moves(grown.head), ['a', 'b', 'c'], 'the game of a record with variations');
  same(grown.forward(1), 2, 'forward follows the game');
  same(grown.nodes.map(n => n.m ? grown.moves(grown.nodes.indexOf(n)).join('') : '').filter(Boolean).sort(), ['a', 'ab', 'abc', 'ad', 'ade', 'adef', 'adg', 'adgi', 'ah'], 'every line of it');
  same([told.moves, told.comments, told.variations.map(v => [v.line, v.ply, v.moves.join('')])], [['a', 'b', 'c'], [null, 'good', null], [[0, 2, 'def'], [0, 2, 'h'], [1, 2, 'gi']]], 'and back again');
  same(told.variations[0].nags, [[6], null, null], 'with its signs');
  same([told.times_ms, told.variations.map(v => v.comment)], [[1500, null, null], [undefined, undefined, 'before']], 'with its times, and the words before a variation');
  same(new Tree().record(), {moves: [], comments: [], nags: [], times_ms: [], clocks_ms: [], variations: []}, 'an empty tree');
  const long = new Tree();
  for (let i = 0; i < 2000; i++) long.at = long.add(long.at, 'm' + i);
  same(Tree.load(JSON.parse(JSON.stringify(long))).nodes.length, 2001, 'a very long game');
}

// ---- clocks ----
{
  const clock = new Clock({main: 60000, inc: 2000, byo: 0});
  clock.run(0, 1000);
  same(clock.read(0, 11000).main, 50000, 'main time runs');
  same(clock.read(1, 11000).main, 60000, 'the other stands');
  clock.moved(0, 11000);
  same(clock.left, [52000, 60000], 'the increment is added after the move');
  same(clock.side, 1, 'the other side runs');
  clock.pause(12000);
  same(clock.read(1, 99000).main, 59000, 'a pause keeps what is left');
  clock.run(1, 0);
  check(!clock.read(1, 58999).flag, 'no flag a moment before');
  check(clock.read(1, 59000).flag, 'the flag falls');
  const byo = new Clock({main: 5000, inc: 0, byo: 10000});
  byo.run(0, 0);
  same(byo.read(0, 9000), {main: 0, byo: 6000, flag: false}, 'byoyomi counts once main time is gone');
  byo.moved(0, 9000);
  same(byo.left, [0, 5000], 'no main time comes back');
  byo.moved(1, 9500);
  same(byo.read(0, 10500).byo, 9000, 'a new byoyomi for each move');
  check(byo.read(0, 19500).flag, 'and its end');
  same(byo.fields(10500), {time_ms: [0, 4200], inc_ms: [0, 0], byoyomi_ms: 9700}, 'the fields of go: the engine hears of less, since its answer is late by its way');
  same(new Clock({main: 500, inc: 0, byo: 0}).fields(0).time_ms, [400, 400], 'and never of nothing');
  same(new Clock(JSON.parse(JSON.stringify(new Clock({main: 9, inc: 1, byo: 2, left: [3, 4]})))).left, [3, 4], 'a clock comes back as it was saved');
  same([0, 950, 19999, 20000, 59001, 60000, 600000, 3600000, 3725000].map(clockText), ['0:00.0', '0:00.9', '0:19.9', '0:20', '1:00', '1:00', '10:00', '1:00:00', '1:02:05'], 'times as text');
}

// ---- positions ----
{
  const chess = 'r3k2r/pPp1bppp/8/3Pp3/8/8/P1P2PPP/R3K2R w KQkq e6 3 12';
  const shogi = 'l2+R2g1l/2+P6/p4p1pp/9/9/2P6/PP1PPPPPP/1B5+b1/LNSGKGSNL w R2Sgn3p 31';
  for (const [game, text] of [['chess', chess], ['shogi', shogi]]) same(writeFen(game, readFen(game, text)), text, `${game}: text to position and back`);
  for (const bad of ['', 'x', '8/8/8', 'rnbqkbnr/ppppppppp/8/8/8/8/8/8 w', '9/8/8/8/8/8/8/8 w']) same(readFen('chess', bad), null, `no position: '${bad}'`);
  same(readFen('shogi', shogi).hands, [{R: 1, S: 2}, {G: 1, N: 1, P: 3}], 'hands');
  same(splitMove('P*5e'), {drop: 'P', to: '5e', origin: 'P*'}, 'a drop');
  same(splitMove('e7e8q'), {from: 'e7', to: 'e8', promotion: 'q', origin: 'e7'}, 'a promotion');
  same([squareName('chess', 4, 7), squareName('shogi', 0, 0), squareName('shogi', 8, 8)], ['e1', '9a', '1i'], 'names of squares');
  const words = describeBoard((key, ...rest) => [key, ...rest].join(' '), readFen('shogi', '4k4/9/9/9/9/9/9/9/4K4 b 2P 1'));
  same(words, 'side_0: man_K 5i, in_hand man_P 2. side_1: man_K 5a', 'a position in words');
}

// ---- storage ----
class Shelf {
  constructor(full) {
    Object.defineProperty(this, 'full', {value: full});
  }
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key, value) {
    if (this.full) throw new Error('quota');
    this[key] = String(value);
  }
  removeItem(key) {
    delete this[key];
  }
}
// The locks of one browser, by name; those of a tab go when it does.
class Locks {
  constructor(all = new Set()) {
    Object.assign(this, {all, own: []});
  }
  async request(name, {signal}, use) {
    while (this.all.has(name) && signal) {
      await new Promise(done => setTimeout(done, 5));
      signal.throwIfAborted();
    }
    if (this.all.has(name)) return use(null);
    this.all.add(name);
    this.own.push(name);
    return use({name});
  }
  async query() {
    return {held: [...this.all].map(name => ({name}))};
  }
  close() {
    for (const name of this.own) this.all.delete(name);
  }
}
{
  const local = new Shelf(), tab = new Shelf(), all = new Set(), locks = new Locks(all), first = new Store('chess', () => [local, tab], locks);
  const open = (game, session, own = new Locks(all)) => new Store(game, () => [local, session], own).open(1200);
  same(await first.open(1000), null, 'nothing saved yet');
  check(first.write({n: 1}, 1100), 'it is kept');
  same(await open('chess', new Shelf()), null, 'a second tab does not take the slot of a living one');
  const copied = new Shelf(), twin = new Store('chess', () => [local, copied], new Locks(all));
  Object.assign(copied, tab);
  same(await twin.open(1200), null, 'a tab that was duplicated does not either');
  check(twin.slot !== first.slot && twin.write({n: 2}, 1150), 'and has a slot of its own');
  same(await open('shogi', new Shelf()), null, 'the other game has its own');
  setTimeout(() => locks.close(), 30);
  same(await open('chess', tab, locks), {n: 1}, 'a reload finds it, when the page before has let go');
  locks.close();
  same(await open('chess', new Shelf()), {n: 1}, 'a slot that was let go is free at once');
  for (let i = 0; i < 20; i++) {
    const store = new Store('chess', () => [local, new Shelf()], new Locks(all));
    await store.open(200000 + i);
    store.write({i}, 200000 + i);
  }
  all.clear();
  same(await open('chess', new Shelf()), {i: 19}, 'a tab opened later finds the latest');
  check(Object.keys(local).length < 10, `old slots are dropped (${Object.keys(local).length} left)`);
  all.clear();
  for (const [i, damaged] of ['{', '', 'null'].entries()) local.setItem(`twofold-chess-damaged${i}`, damaged);
  const after = new Store('chess', () => [local, new Shelf()], new Locks(all));
  same([await after.open(200100), after.write({i: 20}, 200100)], [{i: 19}, true], 'slots that are damaged stand in nobody\'s way');
  const bare = new Shelf(), plain = new Store('chess', () => [local, bare]);
  await plain.open(300000);
  check(plain.write({n: 3}, 300000), 'a browser without locks keeps it all the same');
  same(await new Store('chess', () => [local, bare]).open(300001), {n: 3}, 'and finds it after a reload');
  const shut = {request: () => Promise.reject(new DOMException('no', 'SecurityError')), query: () => Promise.reject(new DOMException('no', 'SecurityError'))};
  same(await new Store('chess', () => [local, new Shelf()], shut).open(300002), {n: 3}, 'so does one that refuses them');
  const refused = new Store('chess', () => [new Shelf(true), new Shelf()], new Locks());
  same([await refused.open(1), refused.write({}, 2)], [null, false], 'a browser that refuses');
  same(await new Store('chess', () => [][0].x).open(1), null, 'no storage at all');
}

// ---- the files ----
{
  const html = read('index.html'), scripts = readdirSync(folder).filter(name => name.endsWith('.js'));
  const size = scripts.reduce((sum, name) => sum + Buffer.byteLength(read(name)), 0);
  check(size <= 80000, `${size} bytes of script, more than 80000`);
  const rows = [...html.matchAll(/^<tr><td>([^<]+)<td>([^<]*)<td>([^<]*)$/gm)].map(row => row.slice(1));
  const keys = new Set(rows.map(row => row[0])), plain = new Set(rows.map(row => row[0].replace(/\.(chess|shogi)$/, '')));
  check(rows.length > 150 && keys.size === rows.length, 'every phrase once');
  for (const [key, english, japanese] of rows) {
    check(english.trim() && japanese.trim(), `'${key}' in both languages`);
    same((english.match(/\{\d\}/g) || []).sort(), (japanese.match(/\{\d\}/g) || []).sort(), `what is filled in at '${key}'`);
  }
  const used = [...html.matchAll(/data-[tlp]="([^"]+)"/g)].map(found => found[1]), names = new Map();
  for (const name of scripts) {
    const text = read(name);
    for (const found of text.matchAll(/\b(?:t|words)\('([a-z_0-9]+[a-z0-9])'[,)]/g)) used.push(found[1]);
    for (const line of text.split('\n')) {
      if (/^import/.test(line)) check(/^import \{[^}]+\} from '\.\/[a-z]+\.js';$/.test(line), `${name}: an import that cannot be joined: ${line}`);
      if (/^export/.test(line)) check(/^export (async )?(function|const|class) /.test(line), `${name}: an export that cannot be joined: ${line}`);
      const found = /^(?:export )?(?:async )?(?:function|const|let|class) (\w+|\$)/.exec(line);
      if (!found) continue;
      check(!names.has(found[1]), `${found[1]} stands in ${names.get(found[1])} and in ${name}`);
      names.set(found[1], name);
    }
    check(/SPDX-License-Identifier: GPL-3.0-or-later/.test(text), `${name} has an SPDX line`);
    check(!/innerHTML|eval\(|https?:\/\/(?!www\.w3\.org)/.test(text), `${name} reaches for nothing outside and writes no markup`);
  }
  for (const key of used) check(plain.has(key), `there is no phrase '${key}'`);
  for (const [tag] of html.matchAll(/<(?:button|input|select|textarea)\b[^>]*>/g)) {
    const id = (/\bid="([^"]+)"/.exec(tag) || [])[1], inLabel = new RegExp(`<label[^>]*>(?:(?!</label>).)*${tag.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 's').test(html);
    check(/data-[tl]=|aria-label|data-copy/.test(tag) || inLabel || id && html.includes(`for="${id}"`), `a control without a label: ${tag}`);
  }
  const ids = [...html.matchAll(/\bid="([^"]+)"/g)].map(found => found[1]);
  same(ids.filter((id, i) => ids.indexOf(id) !== i), [], 'every id once');
  check(!/ style="| on[a-z]+="|https?:\/\//.test(html.replace(/<!--.*?-->/gs, '')), 'the page has no inline style, no inline script, no address');
}

// ---- the packages that tests take, wherever they are ----
{
  const place = mkdtempSync(join(tmpdir(), 'twofold-tools-')), own = join(place, 'node_modules/twofold-trial');
  mkdirSync(own, {recursive: true});
  writeFileSync(join(own, 'index.js'), 'module.exports = 7;\n');
  writeFileSync(join(own, 'deep.mjs'), 'export const deep = 8;\n');
  const script = `import {tool, toolModule} from ${JSON.stringify(new URL('driver.mjs', import.meta.url).href)};
    console.log(tool('twofold-trial'), (await toolModule('twofold-trial', 'deep.mjs'))?.deep, tool('twofold-none'));`;
  const found = more => spawnSync(process.execPath, ['--input-type=module', '-e', script], {env: {...process.env, ...more}, encoding: 'utf8'}).stdout.trim();
  same(found({WEB_TOOLS: place}), '7 8 null', 'a package in the folder of WEB_TOOLS');
  same(found({NODE_PATH: `/nowhere:${join(place, 'node_modules')}`}), '7 8 null', 'a package in a folder of NODE_PATH');
  same(found({}), 'null undefined null', 'a package that is nowhere');
  rmSync(place, {recursive: true});
}

finish('logic');
