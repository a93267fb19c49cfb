// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a function of an independent move generator, whose source (a program of its own, given as
// ORACLE_SOURCE) is compiled in here and nowhere else. See oracle_games.c.
#define main oracle_main
#include ORACLE_SOURCE
#undef main

int oracle_moves(const char *text, char out[][8], int room);

// The legal moves of the position in USI; how many, -1 when the text is not understood.
int oracle_moves(const char *text, char out[][8], int room)
{
    Pos pos;
    Mv moves[700];
    if (!parse(&pos, text))
        return -1;
    int move_nb = gen(&pos, moves);
    for (int i = 0; i < move_nb && i < room; i++)
        mvs(moves[i], out[i]);
    return move_nb;
}
