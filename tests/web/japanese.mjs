// SPDX-License-Identifier: GPL-3.0-or-later
// Moves and records in Japanese, written by the program and read by tsshogi, which shares nothing with it. The argument
// is the folder of the tools that tests/japanese.sh builds.
import {spawnSync} from 'node:child_process';
import {check, finish, same, skip} from './harness.mjs';
import {tool} from './driver.mjs';

const folder = process.argv[2];
const shogi = tool('tsshogi');

function run(program, ...words) {
  const {stdout, status} = spawnSync(`${folder}/${program}`, words, {encoding: 'utf8', maxBuffer: 1 << 28});
  check(status === 0, `${program} ends with ${status}`);
  return stdout;
}

// How tsshogi would write the move: which of several men, and where 打 is needed.
function written(position, move) {
  const modifier = shogi.getDirectionModifier(move, position);
  return modifier.replace('打', '').replace(/不?成/, '') + (modifier.includes('打') ? '打' : '');
}

function checkMoves() {
  const signs = /(?<=[歩香桂銀金角飛玉とて馬竜])([左右直上寄引打]*)(不成|成)?$/;
  let position = null, sfen = '', wrong = 0, compared = 0;
  for (const line of run('tool_moves', '3000', '7').trim().split('\n')) {
    const [text, before, usi, ours] = line.split('\t');
    if (text !== sfen) position = shogi.Position.newBySFEN(sfen = text);
    const move = position.createMoveByUSI(usi), found = ours.match(signs);
    const theirs = written(position, move), square = before.slice(2, 4) === usi.slice(2, 4) && before !== '-';
    compared++;
    const good = found && found[1] === theirs && ours.startsWith('同') === square &&
      (found[2] === '成') === usi.endsWith('+');
    if (!good && wrong++ < 20) console.log(`  ${text} ${usi}: ${ours}, tsshogi ${theirs}`);
  }
  same(wrong, 0, `of ${compared} moves, those that tsshogi writes otherwise`);
  check(compared > 100000, `only ${compared} moves were compared`);
}

// The moves of every line of a record, each from the start, comments included.
function tree(record) {
  const lines = [], bare = ({move}) => move instanceof shogi.Move;
  record.forEach(node => {
    const way = [];
    for (let at = node; at && at.prev; at = at.prev) if (bare(at)) way.unshift(at.move.usi);
    lines.push(`${way.join(' ')} ${bare(node) || !node.prev ? node.comment.trimEnd() : ''}`);
  });
  return lines.sort().join('\n');
}

// A game in every format: tsshogi reads the same moves, comments and variations, and writes KI2's moves with the same
// signs.
function checkRecords(number) {
  let wrong = 0, compared = 0;
  const tell = text => wrong++ < 10 && console.log(`  ${text}`);
  for (const line of run('tool_records', String(number)).trim().split('\n')) {
    const game = JSON.parse(line);
    // A comment before the first move of a variation is none that other programs have a place for.
    for (const format of ['kif', 'ki2']) game[format] = game[format].replace(/^(変化：\d+手\n)(?:\*.*\n)+/gm, '$1');
    const moves = game.usi.replace(/ (resign|win|rep_draw|draw|%\S+)\n$/, '\n');
    const read = {kif: shogi.importKIF(game.kif), ki2: shogi.importKI2(game.ki2), csa: shogi.importCSA(game.csa)};
    for (const [format, record] of Object.entries(read)) {
      if (record instanceof Error) tell(`${format}: ${record}`);
      else if (record.getUSI({allMoves: true}).replace(/^position /, '') !== moves.trim()) tell(`${format}: other moves`);
    }
    if (Object.values(read).some(r => r instanceof Error)) continue;
    if (tree(read.kif) !== tree(read.ki2)) tell('the variations of KIF and KI2 differ');
    const signs = text => text.replace(/　/g, '').match(/[▲△][１-９同][^▲△\s]*/g) ?? [];
    const ours = signs(game.ki2.replace(/^\*.*$/gm, '')).map(m => m.replace('竜', '龍'));
    const theirs = signs(shogi.exportKI2(read.kif).replace(/^\*.*$/gm, '')).map(m => m.replace('竜', '龍').replace(/　/g, ''));
    compared += ours.length;
    if (ours.join(' ') !== theirs.join(' ')) tell(`KI2: ${ours.find((m, i) => m !== theirs[i])}, tsshogi ${theirs.find((m, i) => m !== ours[i])}`);
  }
  same(wrong, 0, `faults in ${number} games with ${compared} moves of KI2`);
  check(compared > number * 30, `only ${compared} moves were compared`);
}

if (!shogi) skip('japanese: no tsshogi (scripts/setup-web.sh)');
else {
  checkMoves();
  checkRecords(Number(process.env.TWOFOLD_ROUND_TRIPS || 100));
}
finish('records');
