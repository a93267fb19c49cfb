// SPDX-License-Identifier: GPL-3.0-or-later
// For tests/japanese.sh: every legal move of random positions as it is written in Japanese, for a reader that
// knows nothing of this program. A line is SFEN, move before (or -), move, text, with tabs between. Half of
// the positions are of random games; half are boards strewn with many men of few kinds, where the rule of
// which of several men is meant has most to decide.
//   tool_moves NUMBER SEED
#include <stdlib.h>

#include "japanese.h"

// Plays a random move; MOVE_NONE when there is none.
static Move play_random(Position *pos, Rng *rng)
{
    Move list[MAX_MOVES];
    int nb = (int)(gen_all(pos, list) - list);
    Move move = nb ? list[rng_below(rng, (u32)nb)] : MOVE_NONE;
    if (nb)
        *pos = pos_after(pos, move);
    return move;
}

// Two kings and a dozen men, mostly of the kinds that come in threes.
static bool strew(Position *pos, Rng *rng)
{
    static const char *const MEN[] = {"G", "S", "+P", "+N", "+S", "+L", "N", "+R", "+B", "R", "B", "L"};
    static const u8 MOST[] = {4, 4, 9, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    const char *square[SQUARE_NB] = {0};
    int side = (int)rng_below(rng, 2), left[12];
    for (int i = 0; i < 12; i++)
        left[i] = MOST[i];
    // The men crowd around one square.
    int file = 1 + (int)rng_below(rng, 7), rank = 1 + (int)rng_below(rng, 7);
    for (int n = 0; n < 9; n++) {
        int kind = (int)rng_below(rng, n < 5 ? 6 : 12),
            at = (file - 1 + (int)rng_below(rng, 3)) * 9 + rank - 1 + (int)rng_below(rng, 3);
        if (left[kind]-- > 0 && !square[at])
            square[at] = MEN[kind];
    }
    square[rng_below(rng, SQUARE_NB)] = "K";
    Text sfen = {0};
    for (int r = 0; r < 9; r++) {
        for (int f = 8; f >= 0; f--) {
            const char *man = square[f * 9 + r];
            for (; man && *man; man++)
                text_add(&sfen, "%c", side && *man >= 'A' ? *man - 'A' + 'a' : *man);
            if (!square[f * 9 + r])
                text_add(&sfen, "1");
        }
        text_add(&sfen, "%s", r < 8 ? "/" : "");
    }
    const char *hand = side ? "gsn" : "GSN";
    text_add(&sfen, " %c %s 1", side ? 'w' : 'b', left[0] > 0 && left[1] > 0 ? hand : "-");
    Rules rules = rules_default();
    bool ok = pos_set(pos, text_span(&sfen), &rules, NULL) == SET_OK;
    text_free(&sfen);
    return ok;
}

static void print_moves(const Position *pos, Move last)
{
    char sfen[TEXT_MAX], before[MOVE_TEXT_MAX] = "-", usi[MOVE_TEXT_MAX], text[JAPANESE_MOVE_MAX];
    pos_print(pos, sfen);
    if (last != MOVE_NONE)
        move_print(pos, last, before);
    Move list[MAX_MOVES];
    const Move *end = gen_all(pos, list);
    for (const Move *move = list; move < end; move++) {
        move_print(pos, *move, usi);
        japanese_print(pos, *move, last == MOVE_NONE ? -1 : move_to(last), text);
        printf("%s\t%s\t%s\t%s\n", sfen, before, usi, text);
    }
}

int main(int argc, char **argv)
{
    i64 nb = 0, seed = 0;
    if (argc != 3 || !span_int(span_of(argv[1]), 1, 1000000, &nb) ||
        !span_int(span_of(argv[2]), 0, 1000000, &seed))
        return 2;
    game_init();
    Rng rng = {(u64)seed};
    Rules rules = rules_default();
    Position pos;
    pos_set(&pos, span_of(GAME_START), &rules, NULL);
    for (i64 done = 0; done < nb;) {
        Position strewn;
        Move last = play_random(&pos, &rng);
        if (last == MOVE_NONE || pos_game_ply(&pos) > 200)
            pos_set(&pos, span_of(GAME_START), &rules, NULL), last = MOVE_NONE;
        if (pos_game_ply(&pos) % 8 == 3)
            print_moves(&pos, last), done++;
        if (strew(&strewn, &rng))
            print_moves(&strewn, MOVE_NONE), done++;
    }
    return 0;
}
