// SPDX-License-Identifier: GPL-3.0-or-later
// Start positions drawn by lot: Chess960, where both sides stand the same way, and double Chess960 (dfrc),
// where each is drawn by itself. Ranks are made from the numbers 0 to 959 that Chess960 gives them (518 is
// that of ordinary chess).
#include "games/notation.h"

enum { RANK_NB = 960 };

// The nth (from 0) square of the rank that is still empty.
static int empty_file(const char *rank, int nth)
{
    int file = 0;
    while (rank[file] || nth-- > 0)
        file++;
    return file;
}

static void rank_print(int number, char out[9])
{
    static const u8 KNIGHTS[10][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1},
                                      {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};
    assert(number >= 0 && number < RANK_NB);
    memset(out, 0, 9);
    out[2 * (number % 4) + 1] = 'B';
    out[2 * (number / 4 % 4)] = 'B';
    out[empty_file(out, number / 16 % 6)] = 'Q';
    // The second number counts the squares that are left once the first knight stands.
    for (int i = 0; i < 2; i++)
        out[empty_file(out, KNIGHTS[number / 96][i])] = 'N';
    for (int i = 0; i < 3; i++)
        out[empty_file(out, 0)] = "RKR"[i];
}

bool start_random(const char *kind, Rng *rng, Rules *rules, char *out)
{
    bool is_double = strcmp(kind, "dfrc") == 0;
    if (!is_double && strcmp(kind, "chess960") != 0)
        return false;
    char white[9], black[9], rights[SIDE_NB][3];
    int number = (int)rng_below(rng, RANK_NB);
    rank_print(number, white);
    rank_print(is_double ? (int)rng_below(rng, RANK_NB) : number, black);
    for (int file = 0; file < 8; file++)
        black[file] = (char)(black[file] + 'a' - 'A');
    // The rights name the files of the rooks, the one on the king's side first.
    const char *rooks[SIDE_NB][2] = {{strrchr(white, 'R'), strchr(white, 'R')},
                                     {strrchr(black, 'r'), strchr(black, 'r')}};
    for (int i = 0; i < 2; i++) {
        rights[WHITE][i] = (char)('A' + (rooks[WHITE][i] - white));
        rights[BLACK][i] = (char)('a' + (rooks[BLACK][i] - black));
    }
    snprintf(out, TEXT_MAX, "%s/pppppppp/8/8/8/8/PPPPPPPP/%s w %.2s%.2s - 0 1", black, white, rights[WHITE],
             rights[BLACK]);
    rules->chess960 = true;
    return true;
}
