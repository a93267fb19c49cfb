// SPDX-License-Identifier: GPL-3.0-or-later
// Start positions by name or by lot: Chess960, where both sides stand the same way, and double Chess960
// (dfrc), where each is drawn by itself. Ranks are made from the numbers 0 to 959 that Chess960 gives them
// (518 is that of ordinary chess).
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

// The position in which the sides have the ranks of these numbers.
static void start_print(int white_number, int black_number, char *out)
{
    char white[9], black[9], rights[SIDE_NB][3];
    rank_print(white_number, white);
    rank_print(black_number, black);
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
}

bool start_random(const char *kind, Rng *rng, Rules *rules, char *out)
{
    bool is_double = strcmp(kind, "dfrc") == 0;
    if (!is_double && strcmp(kind, "chess960") != 0)
        return false;
    int number = (int)rng_below(rng, RANK_NB);
    start_print(number, is_double ? (int)rng_below(rng, RANK_NB) : number, out);
    rules->chess960 = true;
    return true;
}

// ---- by name ------------------------------------------------------------------------------------
static const StartName CHESS960 = {.key = "chess960:", .name = "Chess960", .number_nb = RANK_NB};

const StartName *start_name_at(int index) { return index == 0 ? &CHESS960 : NULL; }

bool start_by_name(Span name, Rules *rules, char *out, Message *message)
{
    size_t prefix = strlen(CHESS960.key);
    i64 number;
    name = span_trim(name);
    bool is_key = name.len >= prefix && span_is_nocase((Span){name.ptr, prefix}, CHESS960.key);
    if (!is_key || !span_int((Span){name.ptr + prefix, name.len - prefix}, 0, RANK_NB - 1, &number))
        return message_set(message, "there is no start '%.*s': expected chess960:0 to chess960:%d",
                           min_int((int)name.len, 40), name.ptr, RANK_NB - 1);
    start_print((int)number, (int)number, out);
    rules->chess960 = true;
    return true;
}
