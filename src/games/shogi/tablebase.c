// SPDX-License-Identifier: GPL-3.0-or-later
// Shogi has no endgame tables: men never leave the game, so no position is small enough. Every question is
// answered so.
#include "games/knowledge.h"

Tablebase *tb_open(const char *path, Message *message)
{
    message_set(message, "no tables opened from '%s': there are no endgame tables for shogi", path);
    return NULL;
}

void tb_close(Tablebase *tables) { (void)tables; }

int tb_men(const Tablebase *tables)
{
    (void)tables;
    return 0;
}

int tb_lost(const Tablebase *tables)
{
    (void)tables;
    return 0;
}

void tb_check_files(const Tablebase *tables) { (void)tables; }

bool tb_tell_lost(Tablebase *tables, Message *message)
{
    (void)tables, (void)message;
    return false;
}

TbResult tb_probe(const Tablebase *tables, const Position *pos)
{
    (void)tables;
    (void)pos;
    return TB_NONE;
}

bool tb_rank_root(const Tablebase *tables, const Position *pos, const KeyHistory *keys, bool count_limit,
                  const Move *moves, int move_nb, int *ranks, TbResult *result)
{
    (void)tables, (void)pos, (void)keys, (void)count_limit, (void)moves, (void)move_nb, (void)ranks,
        (void)result;
    return false;
}

bool tb_hold_here(const Position *pos)
{
    (void)pos;
    return true;
}
