// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for the search: what a game thinks of moves and positions without looking ahead. Guesses, not
// rules: the search may be wrong to trust them, and nothing else should. Part of game.h, as rules.h is.
#ifndef TWOFOLD_GAMES_HEURISTICS_H
#define TWOFOLD_GAMES_HEURISTICS_H

// Material balance in centipawns, and a tiny term (space and mobility) that keeps a player without other
// knowledge from shuffling; side to move's view.
int pos_material(const Position *pos);
int pos_activity(const Position *pos);
// The score faded as the position nears a move-count draw, or where the side ahead has too little to win
// with. Keeps order, and never turns the sign.
int pos_damp(const Position *pos, int score);
// 0 (endgame) .. 256 (opening): how much is left to fight with; for the win/draw/loss model.
int pos_phase(const Position *pos);
// What it wins outright in centipawns: exchange value of the captured piece (with hand, where there are
// hands) plus promotion gain.
int move_gain(const Position *pos, Move move);
// The exchange value of what the move risks: the piece that moves.
int move_risk(const Position *pos, Move move);
// A static opinion about a quiet move, in about -100..100, for ordering before histories know better.
int move_order_bonus(const Position *pos, Move move);
// A far advanced passed pawn's step, or whatever in this game is near promotion: for extensions.
bool move_is_advance(const Position *pos, Move move);
// A quiet move that attacks a more valuable or a hanging piece.
bool move_makes_threat(const Position *pos, Move move);
// Static exchange: does the move, with best play on its target square, win at least `threshold` centipawns?
bool see_ge(const Position *pos, Move move, int threshold);
// Null move: is passing a fair guess here (no zugzwang to fear)? Not asked in check.
bool pos_null_ok(const Position *pos);
// May a table score cut here, or is the move-count rule too near?
bool pos_tt_trust(const Position *pos);

#endif
