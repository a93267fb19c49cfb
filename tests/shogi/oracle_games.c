// SPDX-License-Identifier: GPL-3.0-or-later
// Plays random games and holds every list of legal moves against an independent generator's. Run by
// scripts/shogi-oracle.sh. Arguments: games (1000), plies of each (200), seed (1).
#include <stdlib.h>

#include "game.h"

int oracle_moves(const char *text, char out[][8], int room);

static int compare_texts(const void *a, const void *b) { return strcmp(a, b); }

// False, with a line about it, when the lists differ.
static bool lists_agree(const Position *pos, const Move *list, const Move *end)
{
    char sfen[TEXT_MAX], theirs[MAX_MOVES + 100][8], ours[MAX_MOVES][8];
    pos_print(pos, sfen);
    int their_nb = oracle_moves(sfen, theirs, MAX_MOVES + 100), our_nb = (int)(end - list);
    for (int i = 0; i < our_nb; i++)
        move_print(pos, list[i], ours[i]);
    if (their_nb == our_nb) {
        qsort(ours, (size_t)our_nb, sizeof ours[0], compare_texts);
        qsort(theirs, (size_t)their_nb, sizeof theirs[0], compare_texts);
        int same = 0;
        while (same < our_nb && strcmp(ours[same], theirs[same]) == 0)
            same++;
        if (same == our_nb && gen_count(pos) == our_nb)
            return true;
    }
    printf("differs: %d moves here, %d there: %s\n", our_nb, their_nb, sfen);
    return false;
}

int main(int argc, char **argv)
{
    i64 argument[3] = {1000, 200, 1};
    for (int i = 0; i < 3 && i + 1 < argc; i++)
        if (!span_int(span_of(argv[i + 1]), 1, 1000000, &argument[i]))
            return printf("'%s' is no number\n", argv[i + 1]), 2;
    game_init();
    Rng rng = {(u64)argument[2]};
    Rules rules = rules_default();
    Message message;
    i64 position_nb = 0, move_nb = 0, wrong_nb = 0;
    for (i64 game = 0; game < argument[0]; game++) {
        Position pos;
        pos_set(&pos, span_of(GAME_START), &rules, &message);
        for (i64 ply = 0; ply < argument[1]; ply++) {
            Move list[MAX_MOVES], *end = gen_all(&pos, list);
            position_nb++;
            move_nb += end - list;
            wrong_nb += !lists_agree(&pos, list, end);
            if (end == list)
                break;
            Undo undo;
            pos_make(&pos, list[rng_below(&rng, (u32)(end - list))], &undo, NULL);
        }
    }
    printf("%lld games, %lld positions, %lld moves: %lld lists differ\n", (long long)argument[0],
           (long long)position_nb, (long long)move_nb, (long long)wrong_nb);
    return wrong_nb != 0;
}
