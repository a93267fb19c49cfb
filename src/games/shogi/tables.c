// SPDX-License-Identifier: GPL-3.0-or-later
// Shogi has no endgame tables: men never leave the game, so no position is small enough. Every question is
// answered so.
#include "game.h"

Tables *tables_open(const char *path, Message *message)
{
    message_set(message, "no tables opened from '%s': there are no endgame tables for shogi", path);
    return NULL;
}

void tables_close(Tables *tables) { (void)tables; }

int tables_men(const Tables *tables)
{
    (void)tables;
    return 0;
}

TbResult tables_probe(const Tables *tables, const Position *pos)
{
    (void)tables;
    (void)pos;
    return TB_NONE;
}

bool tables_rank_root(const Tables *tables, const Position *pos, const Trail *trail, bool count_limit,
                      const Move *moves, int move_nb, int *ranks, TbResult *result)
{
    (void)tables, (void)pos, (void)trail, (void)count_limit, (void)moves, (void)move_nb, (void)ranks,
        (void)result;
    return false;
}

bool tables_hold_here(const Position *pos)
{
    (void)pos;
    return true;
}
