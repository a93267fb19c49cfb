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
// The most that exchanges on its target can cost the side that moves: a move whose gain less its stake
// reaches a threshold reaches it by exchange (see_ge), and one whose gain does not reach it never does.
int move_stake(const Position *pos, Move move);
// A static opinion about a quiet move, in about -100..100, for ordering before histories know better.
int move_order_bonus(const Position *pos, Move move);
// A far advanced passed pawn's step, or whatever in this game is near promotion: for extensions.
bool move_is_advance(const Position *pos, Move move);
// By how the other side attacks where it leaves (1) and where it goes (2): the sum, 0 to 3.
int move_danger(const Position *pos, Move move);
// A quiet move that attacks a more valuable or a hanging piece.
bool move_makes_threat(const Position *pos, Move move);
// Static exchange: does the move, with best play on its target square, win at least `threshold` centipawns?
bool see_ge(const Position *pos, Move move, int threshold);
// How easily a person overlooks the move, from 0 (it leaps to the eye) to 100; about 30 is usual.
int move_obscurity(const Position *pos, Move move);
// By how many centipawns a person likes or dislikes the move in the opening for its manners: bringing men
// out, bringing the king to safety. `lot` chooses among the ways to do that; 0 for moves that take.
int move_manner(const Position *pos, Move move, u64 lot);
// Null move: is passing a fair guess here (no zugzwang to fear)? Not asked in check.
bool pos_null_ok(const Position *pos);
// May a table score cut here, or is the move-count rule too near?
bool pos_tt_trust(const Position *pos);

#endif
