// SPDX-License-Identifier: GPL-3.0-or-later
// The game so far: where it started, the moves, the position now and the key history behind it.
// Invariant: pos is start with the moves played, and key history has one entry per move; a failed call
// changes nothing.
#include <stdlib.h>

#include "protocol/loop.h"

void setup_free(Setup *setup)
{
    keys_free(&setup->keys);
    free(setup->moves);
    *setup = (Setup){0};
}

bool setup_start(Setup *setup, Span text, const Rules *rules, SetResult *result, Message *message)
{
    Position pos = {0};
    *result = pos_set(&pos, text, rules, message);
    if (*result == SET_REJECTED)
        return false;
    setup->start = setup->pos = pos;
    setup->keys.count = 0;
    setup->move_nb = 0;
    return true;
}

static bool play_move(Setup *setup, Move move)
{
    if (setup->move_nb == setup->move_capacity) {
        int capacity = setup->move_capacity ? 2 * setup->move_capacity : 64;
        Move *moves = realloc(setup->moves, (size_t)capacity * sizeof *moves);
        if (!moves)
            return false;
        setup->moves = moves;
        setup->move_capacity = capacity;
    }
    if (!keys_reserve(&setup->keys, 1))
        return false;
    keys_push(&setup->keys, &setup->pos);
    Undo undo;
    if (move == MOVE_NULL)
        pos_make_null(&setup->pos, &undo);
    else
        pos_make(&setup->pos, move, &undo, NULL);
    setup->moves[setup->move_nb++] = move;
    return true;
}

bool setup_play(Setup *setup, Span moves, Message *message)
{
    for (;;) {
        Span word = span_word(&moves);
        if (word.len == 0)
            return true;
        bool is_pass = span_is(word, PROTOCOL_WORDS.pass) ||
                       (PROTOCOL_WORDS.pass_alias && span_is(word, PROTOCOL_WORDS.pass_alias));
        Move move = is_pass ? MOVE_NULL : move_parse(&setup->pos, word);
        int shown = word.len > 32 ? 32 : (int)word.len, number = setup->move_nb + 1;
        if (move == MOVE_NULL && pos_in_check(&setup->pos))
            return message_set(message, "move %d, '%.*s': no passing while in check", number, shown,
                               word.ptr);
        if (move == MOVE_NONE)
            return message_set(message, "move %d, '%.*s', is not legal there", number, shown, word.ptr);
        if (!play_move(setup, move))
            return message_set(message, "no memory for move %d", number);
    }
}

bool setup_change_rules(Setup *setup, const Rules *rules, Message *message)
{
    char text[TEXT_MAX];
    pos_print(&setup->start, text);
    Setup changed = {0};
    SetResult result;
    bool ok = setup_start(&changed, span_of(text), rules, &result, message);
    for (int i = 0; ok && i < setup->move_nb; i++)
        if (!play_move(&changed, setup->moves[i]))
            ok = message_set(message, "no memory for the game");
    if (ok) {
        Setup old = *setup;
        *setup = changed;
        changed = old;
    }
    setup_free(&changed);
    return ok;
}
