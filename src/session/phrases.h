// SPDX-License-Identifier: GPL-3.0-or-later
// How things are said to people: scores, lines of moves, endings and clocks as text, the same everywhere.
#ifndef TWOFOLD_PHRASES_H
#define TWOFOLD_PHRASES_H

#include "base/language.h"
#include "search/search.h"

enum { PHRASE_MAX = 96 };

// "White" or "Black", as the game has it: the name of its tag in game files, in every language. What people
// are told is side_words.
const char *phrase_side(int side);
// "+0.35", "-2.10", "+M3" (side 0 mates in three), "+win" (side 0 wins by a rule other than mate), from side
// 0's view; the score is the side to move's.
void phrase_score(int score, const Position *pos, char out[PHRASE_MAX]);
// The same in the language that is spoken: 評価値 in Japanese ("+35", "-210", "+5手詰", "+勝ち").
void phrase_score_words(int score, const Position *pos, char out[PHRASE_MAX]);
// How long a mate of so many half-moves is called: in moves, in Japanese in half-moves.
int phrase_mate_length(int plies, Language in);
// The same number in moves to mate, positive when side 0 mates: false when the score is no mate.
bool phrase_mate(int score, const Position *pos, int *moves);
// A win that is certain and no mate, such as the other side's perpetual check: true, with the side that wins.
bool phrase_rule_win(int score, const Position *pos, int *side);
// "White is winning", "The game is even": from side 0's expected score in permille.
void phrase_chance(const Position *pos, int permille, char out[PHRASE_MAX]);
// "checkmate", "stalemate", "repetition" ...
const char *phrase_reason(Verdict verdict);
// "5:03", "1:02:03", or "9.4" below ten seconds.
void phrase_clock(i64 ms, char out[PHRASE_MAX]);
// What side 0 may expect in permille of a win, from a score of the side to move.
int phrase_expectation(int score, const Position *pos);

#endif
