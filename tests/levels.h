// SPDX-License-Identifier: GPL-3.0-or-later
// A level against a defence that sees more than it: does it win what is won? Shared by the level tests of
// both games.
#ifndef TWOFOLD_TEST_LEVELS_H
#define TWOFOLD_TEST_LEVELS_H

#include "helpers.h"

// The two sides think apart: nothing the defence has seen helps the attack.
typedef struct Sides {
    Engine *attack, *defence;
} Sides;

// Plays the position out, the level having the move; true when it mates, or where the rules make a loss of it
// leaves the other side without a move.
static inline bool mates(const Sides *sides, const char *text, int elo)
{
    enum { MAX_PLIES = 160 };
    Game game = game_from(text, NULL);
    int strong = pos_side(&game.pos);
    Verdict verdict = {0};
    engine_new_game(sides->attack);
    engine_new_game(sides->defence);
    for (int ply = 0; ply < MAX_PLIES && verdict.outcome == OUTCOME_NONE; ply++) {
        SearchResult result;
        Message message;
        const bool attacks = pos_side(&game.pos) == strong;
        Limits limits = {.nodes = attacks ? 1000000 : 2000, .elo = attacks ? elo : 0};
        CHECK(search_to_limits(attacks ? sides->attack : sides->defence, &game, &limits, NULL, &result,
                               &message));
        CHECK(game_play(&game, result.best));
        verdict = game_verdict(&game);
    }
    game_free(&game);
    return verdict.outcome == OUTCOME_LOSS &&
           (verdict.reason == REASON_MATE || verdict.reason == REASON_NO_MOVE);
}

#endif
