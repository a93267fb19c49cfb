// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of both games by libraries that share nothing with the engine. `judge(game, fen)` gives an object with
// `legal()` (moves of the protocol), `targets()` (from+to, as dots on a board show them; a king's castling also stands on
// the rook) and `play(move)`.
import {tool} from './driver.mjs';

class ChessJudge {
  constructor(fen) {
    const {Chess} = tool('chess.js');
    this.rules = new Chess(fen);
  }
  get side() {
    return this.rules.turn() === 'w' ? 0 : 1;
  }
  legal() {
    return this.rules.moves({verbose: true}).map(m => m.from + m.to + (m.promotion || ''));
  }
  targets() {
    const all = this.rules.moves({verbose: true}).flatMap(({from, to, flags}) => {
      const rook = flags.includes('k') ? 'h' : flags.includes('q') ? 'a' : '';
      return rook ? [from + to, from + rook + from[1]] : [from + to];
    });
    return [...new Set(all)].sort();
  }
  play(move) {
    this.rules.move({from: move.slice(0, 2), to: move.slice(2, 4), promotion: move[4]});
  }
  fen() {
    return this.rules.fen();
  }
  mated() {
    return this.rules.isCheckmate();
  }
}

class ShogiJudge {
  constructor(sfen = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1') {
    this.rules = tool('tsshogi').Position.newBySFEN(sfen);
    this.number = +sfen.split(' ')[3] || 1;
  }
  get side() {
    return this.rules.color === 'black' ? 0 : 1;
  }
  legal() {
    const squares = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(file => [...'abcdefghi'].map(rank => file + rank)), found = [];
    const origins = [...squares, ...[...'RBGSNLP'].map(kind => kind + '*')];
    for (const from of origins) for (const to of squares) for (const sign of from.endsWith('*') ? [''] : ['', '+']) {
      const move = from === to ? null : this.rules.createMoveByUSI(from + to + sign);
      if (move && this.rules.isValidMove(move)) found.push(from + to + sign);
    }
    return found;
  }
  targets() {
    return [...new Set(this.legal().map(move => move.slice(0, 4)))].sort();
  }
  play(move) {
    this.rules.doMove(this.rules.createMoveByUSI(move));
    this.number++;
  }
  fen() {
    return this.rules.getSFEN(this.number);
  }
  mated() {
    return this.rules.checked && !this.legal().length;
  }
}

export function judge(game, fen) {
  return game === 'chess' ? new ChessJudge(fen) : new ShogiJudge(fen);
}

// The first game of a file, PGN or KIF, as the other library reads it: how many moves, and the last position.
export function firstGame(game, text) {
  if (game === 'chess') {
    const rules = new (tool('chess.js').Chess)();
    rules.loadPgn(text.split(/\n(?=\[Event )/)[0]);
    return {length: rules.history().length, fen: rules.fen()};
  }
  const record = tool('tsshogi').importKIF(text.split(/\n(?=#KIF|手合割)/).slice(0, 2).join('\n'));
  record.goto(Infinity);
  const moves = record.moves.filter(({move}) => 'from' in move);
  return {length: moves.length, fen: record.position.sfen};
}

// Random numbers that come again with the same seed.
export function dice(seed) {
  let state = seed >>> 0;
  return below => {
    state = Math.imul(state, 1664525) + 1013904223 >>> 0;
    return Math.floor(state / 4294967296 * below);
  };
}
