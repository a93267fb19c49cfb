// SPDX-License-Identifier: GPL-3.0-or-later
// Annotated games, read by other programs. The arguments are the folder of the programs and one for files.
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {check, finish, same, skip} from './harness.mjs';
import {tool, toolModule} from './driver.mjs';

const [programs, folder] = process.argv.slice(2);
const data = new URL('../data/', import.meta.url);

// ---- our side -------------------------------------------------------------------------------------
// Analyses a text; what was written.
function annotate(game, name, text) {
  const [input, output] = [`${folder}/in-${name}`, `${folder}/out-${name}`];
  writeFileSync(input, text);
  const {status, stderr} = spawnSync(`${programs}/twofold-${game}`, ['analyse', input, '--nodes', '300', '-q', '-o', output],
    {encoding: 'utf8'});
  check(status === 0, `${name}: analyse ends with ${status}: ${stderr}`);
  return readFileSync(output, 'utf8');
}

const tidy = text => (text ?? '').replace(/\s+/g, ' ').trim();
// The words of a comment of KIF: what is meant for programs, which we read as commands, is left out on both sides.
const words = text => (text ?? '').replace(/^#(評価値|深さ|読み筋|詰み|エンジン)=.*$/gm, '')
  .replace(/\[%(eval|depth|pv|mate|twofold)[^\]]*\]|\[[?!]+\]/g, '');

// A place in the tree of a game: the moves that lead to it, its comment, its signs.
const place = (way, comment, nags) => ({way: way.join(' '), comment: tidy(comment), nags: [...(nags ?? [])].sort((a, b) => a - b)});

// The places of a game as we read it; `word` is the field of a move that names it.
function ourPlaces(game, text, number, word) {
  const request = JSON.stringify({id: 1, do: 'read', text, game: number});
  const {stdout} = spawnSync(`${programs}/twofold-${game}`, ['json'], {input: request + '\n', encoding: 'utf8', maxBuffer: 1 << 28});
  const answer = stdout.trim().split('\n').map(line => JSON.parse(line)).find(({id}) => id === 1);
  if (!check(answer?.ok, `we read game ${number}: ${answer?.error}`)) return [];
  const record = answer.game, ways = [record.moves.map(move => move[word])];
  const places = [place([], record.comment), ...record.moves.map((move, i) => place(ways[0].slice(0, i + 1), move.comment, move.nags))];
  for (const {line, ply, moves} of record.variations ?? []) {
    const way = [...ways[line].slice(0, (line ? offsets[line] : 0) + ply - 1), ...moves.map(move => move[word])];
    offsets[ways.length] = way.length - moves.length;
    ways.push(way);
    moves.forEach((move, i) => places.push(place(way.slice(0, way.length - moves.length + i + 1), move.comment, move.nags)));
  }
  return places;
}
// Of each variation: how many moves of its way are not its own.
const offsets = [0];

// ---- comparing --------------------------------------------------------------------------------------
const shown = places => places.map(({way, comment, nags}) => `${way} {${comment}} ${nags}`).sort();

function compare(name, ours, theirs) {
  const [a, b] = [shown(ours), shown(theirs)];
  const at = a.findIndex((line, i) => line !== b[i]);
  check(a.length === b.length && at < 0, `${name}: ${a.length} places and ${b.length}; we read ${a[at]}, the other ${b[at]}`);
}

// Everything the input has is in the output.
function contains(name, output, input) {
  const lost = input.filter(({way, comment, nags}) => !output.some(other => other.way === way &&
    other.comment.includes(comment) && nags.every(nag => other.nags.includes(nag))));
  same(lost.length, 0, `${name}: lost of the input, such as ${JSON.stringify(lost[0])}`);
}

// ---- chess ----------------------------------------------------------------------------------------
function chessPlaces(game) {
  const places = [place([], (game.comments ?? []).join(' '))];
  const walk = (node, way) => node.children.forEach(child => {
    const here = [...way, child.data.san];
    places.push(place(here, (child.data.comments ?? []).join(' '), child.data.nags));
    walk(child, here);
  });
  walk(game.moves, []);
  return places;
}

const PGN = `[Event "Evening; at the club"]
[White "Anna"]
[Black "Boris"]
[Result "1-0"]
[Mood "good"]

{Before the game.} 1. e4 {[%clk 0:04:58] a good start} e5 $14 (1... c5 2. Nf3 {known (since long)} (2. c3 $6 d5 3. exd5) 2... d6 $1 $146)
2. Nf3 Nc6 3. Bc4 {two} {comments} Bc5 4. Ng5?! ( 4. c3 Nf6 ( 4... d6 ) 5. d4 $16 ) 4... d5?? {a slip} 5. exd5 Na5 6. Nxf7 1-0

[Event "Short"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# {mate} 0-1
`;

function checkChess(parsePgn) {
  const files = {'varied.pgn': PGN};
  for (const name of ['kasparov-deep-blue-1997', 'utf8-bom', 'chessbase-empty-line', 'stockfish-learning'])
    files[`${name}.pgn`] = readFileSync(new URL(`chess/pgn/${name}.pgn`, data), 'utf8').replace(/^\ufeff/, '');
  for (const [name, text] of Object.entries(files)) {
    const output = annotate('chess', name, text), games = parsePgn(output), before = parsePgn(text);
    same(games.length, before.length, `${name}: the number of games`);
    games.forEach((game, i) => {
      const theirs = chessPlaces(game);
      compare(`${name} ${i + 1}`, ourPlaces('chess', output, i + 1, 'text'), theirs);
      contains(`${name} ${i + 1}`, theirs, chessPlaces(before[i]));
      for (const [tag, value] of before[i].headers)
        if (!/^\?|^\*$|^\?{4}/.test(value)) same(game.headers.get(tag), value, `${name} ${i + 1}: tag ${tag}`);
    });
  }
}

// ---- shogi ----------------------------------------------------------------------------------------
function shogiPlaces(shogi, record) {
  const places = [], bare = node => node.move instanceof shogi.Move;
  record.forEach(node => {
    const way = [];
    for (let at = node; at; at = at.prev) if (bare(at)) way.unshift(at.move.usi);
    if (bare(node) || !node.prev) places.push(place(way, words(node.comment)));
  });
  return places;
}

const KIF = `手合割：平手
先手：一郎
後手：二郎
*はじめに
手数----指手---------消費時間--
   1 ７六歩(77) ( 0:03/00:00:03)
*定跡
   2 ３四歩(33) ( 0:02/00:00:02)
   3 ２二角成(88) ( 0:01/00:00:04)
   4 同　銀(31) ( 0:01/00:00:03)
   5 ７八金(69) ( 0:05/00:00:09)
   6 投了

変化：5手
   5 ４五角打 ( 0:01/00:00:05)
*筋違い
   6 ６二銀(71) ( 0:01/00:00:04)

変化：2手
   2 ８四歩(83) ( 0:01/00:00:01)
`;

function checkShogi(shogi) {
  const text = readFileSync(new URL('shogi/games.kif', data), 'utf8'), second = text.indexOf('#KIF', 4);
  for (const [name, game] of [['varied.kifu', KIF], ['game.kifu', text.slice(0, second < 0 ? undefined : second)]]) {
    const output = annotate('shogi', name, game), [record, before] = [output, game].map(shogi.importKIF);
    if (!check(!(record instanceof Error), `${name}: tsshogi: ${record}`)) continue;
    const theirs = shogiPlaces(shogi, record);
    const ours = ourPlaces('shogi', output, 1, 'move').map(at => ({...at, comment: tidy(words(at.comment))}));
    compare(name, ours.map(at => ({...at, nags: []})), theirs);
    check(output.includes('*#評価値='), `${name}: no evaluations`);
    contains(name, theirs, shogiPlaces(shogi, before));
  }
}

const chessops = await toolModule('chessops', 'dist/esm/pgn.js');
if (chessops) checkChess(chessops.parsePgn);
else skip('readers: no chessops');
const tsshogi = tool('tsshogi');
if (tsshogi) checkShogi(tsshogi);
else skip('readers: no tsshogi');
finish('readers');
