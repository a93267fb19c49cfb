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

if (!shogi) skip('japanese: no tsshogi');
else checkMoves();
finish('japanese');
