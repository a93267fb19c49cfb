// SPDX-License-Identifier: GPL-3.0-or-later
// Moves as people type them, and what to say when a text is none.
#include "base/suggest.h"
#include "games/notation.h"

enum { TYPED_SHOWN = 40, HUMAN_BYTES = 64 };

Move move_parse_human(const Position *pos, Span text) { return move_parse_reply(pos, MOVE_NONE, text); }

void move_suggest(const Position *pos, Span typed, Suggestions *near)
{
    Move list[MAX_MOVES];
    const Move *end = gen_all(pos, list);
    for (const Move *move = list; move < end; move++) {
        char human[HUMAN_BYTES], protocol[MOVE_TEXT_MAX];
        move_print_human(pos, *move, human);
        move_print(pos, *move, protocol);
        suggest(near, typed, span_of(human));
        if (strcmp(human, protocol) != 0)
            suggest(near, typed, span_of(protocol));
    }
}

void move_print_examples(const Position *pos, Text *out)
{
    Move list[MAX_MOVES];
    int nb = (int)(gen_all(pos, list) - list);
    if (nb == 0)
        return;
    char human[HUMAN_BYTES], protocol[MOVE_TEXT_MAX];
    move_print_words(pos, MOVE_NONE, list[nb / 2], language(), human);
    move_print(pos, list[nb / 2], protocol);
    if (strcmp(human, protocol) != 0)
        text_add(out, said("such as %s or %s"), human, protocol);
    else
        text_add(out, said("such as %s"), human);
}

void typed_print(Span typed, Text *out)
{
    size_t len = typed.len < TYPED_SHOWN ? typed.len : TYPED_SHOWN;
    while (len < typed.len && len && ((u8)typed.ptr[len] & 0xC0) == 0x80)
        len--; // no character is cut in two
    for (size_t i = 0; i < len; i++)
        text_add(out, "%c", (u8)typed.ptr[i] < ' ' || typed.ptr[i] == 127 ? '?' : typed.ptr[i]);
}

static void explain(const Position *pos, Span typed, Message *message)
{
    Suggestions near = {0};
    Text shown = {0}, meant = {0};
    typed_print(typed, &shown);
    const char *text = shown.len ? shown.ptr : "",
               *in_check = pos_in_check(pos) ? said(" The king is in check.") : "";
    move_suggest(pos, typed, &near);
    suggest_print(&near, &meant);
    bool is_near = meant.len > 0;
    if (!is_near)
        move_print_examples(pos, &meant);
    if (!meant.len)
        message_set(message, "There is no legal move: the game is over.");
    else if (!typed.len)
        message_set(message, "Expected a move, %s.", meant.ptr);
    else if (is_near)
        message_set(message, "'%s' is no move here.%s Did you mean %s?", text, in_check, meant.ptr);
    else
        message_set(message, "'%s' is no move here.%s Expected a move, %s.", text, in_check, meant.ptr);
    text_free(&shown);
    text_free(&meant);
}

Move move_parse_typed(const Game *game, Span typed, Message *message)
{
    Span text = move_number_skip(span_trim(typed));
    Move last = game->move_nb ? game->move[game->move_nb - 1] : MOVE_NONE;
    Move move = move_parse_reply(&game->pos, last, text);
    if (move == MOVE_NONE)
        explain(&game->pos, text, message);
    return move;
}
