// SPDX-License-Identifier: GPL-3.0-or-later
// A game so far: where it started, the moves played, the position reached and the keys of the positions
// before it, by which repetitions are found. Everything that follows a game (protocols, library, play,
// analysis, matches) uses this. Invariant: `pos` and `keys` are what `move[0..move_nb)` make of `start`,
// except that game_cut_keys forgets keys. A call that fails leaves the game as it was.
#ifndef TWOFOLD_GAME_STATE_H
#define TWOFOLD_GAME_STATE_H

#include "game.h"

// Zero-initialised is empty: game_set or game_start must come first.
typedef struct Game {
    Position start, pos;
    KeyHistory keys; // one entry for each ply before pos, from key_start on
    Move *move;      // MOVE_NULL for a pass
    int move_nb, capacity;
    int key_start; // how many moves were played when the keys were cut
} Game;

// Begins anew at the position that the text names (`startpos`, a name of start_by_name, or as pos_set reads
// it), with no moves. A name brings the rules that go with it, beyond those given. On
// SET_REJECTED the game is unchanged and the message says why; on SET_REPAIRED it says what was dropped.
SetResult game_set(Game *game, Span text, const Rules *rules, Message *message);
// Begins anew at the position, with no moves.
void game_start(Game *game, const Position *start);
// Makes the one a copy of the other; false when there is no memory.
bool game_copy(Game *to, const Game *from);
// Plays a legal move, or MOVE_NULL (a pass, not allowed in check); false when there is no memory.
bool game_play(Game *game, Move move);
typedef enum PlayResult { PLAY_DONE, PLAY_ILLEGAL, PLAY_NO_MEMORY } PlayResult;
// Plays moves in the protocol's text, all or none; the message names the bad word and its number in the game.
PlayResult game_play_text(Game *game, Span moves, Message *message);
// Takes back the last moves, at most all of them.
void game_undo(Game *game, int plies);
// The same game under other rules.
bool game_change_rules(Game *game, const Rules *rules, Message *message);
// Positions before this one no longer count as repetitions: the game proper begins here.
void game_cut_keys(Game *game);
// What the rules say of the position reached, from the view of the side to move.
Verdict game_verdict(const Game *game);
void game_free(Game *game);

#endif
