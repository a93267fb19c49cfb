// SPDX-License-Identifier: GPL-3.0-or-later
// Games walked forward move by move and backward by replaying: going back is rare, and replaying needs no
// stack of undos.
#include "games/game_state.h"

#include <stdlib.h>

#include "games/notation.h"
#include "games/words.h"

enum { MOVES_AT_FIRST = 128, WORD_SHOWN = 32 };

Position pos_after(const Position *pos, Move move)
{
    Position after = *pos;
    Undo undo;
    if (move == MOVE_NULL)
        pos_make_null(&after, &undo);
    else
        pos_make(&after, move, &undo, NULL);
    return after;
}

void game_start(Game *game, const Position *start)
{
    game->start = game->pos = *start;
    game->keys.count = game->move_nb = game->key_start = 0;
}

// Every text of a position has strokes between its ranks, and no name has one. What has a colon is meant as a
// name.
static bool is_name(Span text) { return text.len && !memchr(text.ptr, '/', text.len); }

SetResult game_set(Game *game, Span text, const Rules *rules, Message *message)
{
    Position start;
    Rules used = *rules;
    Message why = {""};
    char named[TEXT_MAX];
    if (span_is(text, "startpos")) {
        text = span_of(GAME_START);
    } else if (is_name(text) && start_by_name(text, &used, named, &why)) {
        text = span_of(named);
    } else if (is_name(text) && memchr(text.ptr, ':', text.len)) {
        message_set(message, "%s", why.text);
        return SET_REJECTED;
    }
    SetResult result = pos_set(&start, text, &used, message);
    if (result != SET_REJECTED)
        game_start(game, &start);
    return result;
}

// Room for one more move.
static bool reserve(Game *game)
{
    if (game->move_nb == game->capacity) {
        int capacity = game->capacity ? 2 * game->capacity : MOVES_AT_FIRST;
        Move *grown = realloc(game->move, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        game->move = grown;
        game->capacity = capacity;
    }
    return keys_reserve(&game->keys, 1);
}

bool game_play(Game *game, Move move)
{
    if (!reserve(game))
        return false;
    keys_push(&game->keys, &game->pos);
    game->pos = pos_after(&game->pos, move);
    game->move[game->move_nb++] = move;
    return true;
}

static PlayResult play_word(Game *game, Span word, Message *message)
{
    Move move = words_is_pass(word) ? MOVE_NULL : move_parse(&game->pos, word);
    int shown = word.len > WORD_SHOWN ? WORD_SHOWN : (int)word.len, number = game->move_nb + 1;
    if (move == MOVE_NULL && pos_in_check(&game->pos)) {
        message_set(message, "move %d, '%.*s': no passing while in check", number, shown, word.ptr);
        return PLAY_ILLEGAL;
    }
    if (move == MOVE_NONE) {
        message_set(message, "move %d, '%.*s', is not legal there", number, shown, word.ptr);
        return PLAY_ILLEGAL;
    }
    if (game_play(game, move))
        return PLAY_DONE;
    message_set(message, "no memory for move %d", number);
    return PLAY_NO_MEMORY;
}

PlayResult game_play_text(Game *game, Span moves, Message *message)
{
    int before = game->move_nb;
    PlayResult result = PLAY_DONE;
    for (Span word; result == PLAY_DONE && (word = span_word(&moves)).len;)
        result = play_word(game, word, message);
    if (result != PLAY_DONE)
        game_undo(game, game->move_nb - before);
    return result;
}

void game_undo(Game *game, int plies)
{
    game->move_nb = max_int(game->move_nb - max_int(plies, 0), 0);
    game->key_start = min_int(game->key_start, game->move_nb);
    game->pos = game->start;
    game->keys.count = 0;
    for (int i = 0; i < game->move_nb; i++) {
        if (i >= game->key_start)
            keys_push(&game->keys, &game->pos);
        game->pos = pos_after(&game->pos, game->move[i]);
    }
}

bool game_copy(Game *to, const Game *from)
{
    if (to->capacity < from->move_nb) {
        Move *grown = realloc(to->move, (size_t)from->move_nb * sizeof *grown);
        if (!grown)
            return false;
        to->move = grown;
        to->capacity = from->move_nb;
    }
    if (!keys_copy(&to->keys, &from->keys, 0))
        return false;
    if (from->move_nb)
        memcpy(to->move, from->move, (size_t)from->move_nb * sizeof *to->move);
    to->start = from->start;
    to->pos = from->pos;
    to->move_nb = from->move_nb;
    to->key_start = from->key_start;
    return true;
}

bool game_change_rules(Game *game, const Rules *rules, Message *message)
{
    char text[TEXT_MAX];
    pos_print(&game->start, text);
    Game changed = {0};
    bool ok = game_set(&changed, span_of(text), rules, message) != SET_REJECTED;
    for (int i = 0; ok && i < game->move_nb; i++) {
        ok = game_play(&changed, game->move[i]) || message_set(message, "no memory for the game");
        if (ok && i + 1 == game->key_start)
            game_cut_keys(&changed);
    }
    if (ok) {
        Game old = *game;
        *game = changed;
        changed = old;
    }
    game_free(&changed);
    return ok;
}

void game_cut_keys(Game *game)
{
    game->keys.count = 0;
    game->key_start = game->move_nb;
}

Verdict game_verdict(const Game *game) { return game_outcome(&game->pos, &game->keys); }

void game_free(Game *game)
{
    free(game->move);
    keys_free(&game->keys);
    *game = (Game){0};
}
