// SPDX-License-Identifier: GPL-3.0-or-later
// The game on the board while it is played in a terminal: its moves, its clocks, its end, and how it is
// shown.
#include "console/play_game.h"

#include <stdarg.h>
#include <stdlib.h>

#include "games/notation.h"
#include "session/phrases.h"

// ---- the board ----------------------------------------------------------------------------------
void play_say(Play *play, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(play->out, said(format), args);
    va_end(args);
    fputc('\n', play->out);
}

static void show_clocks(Play *play)
{
    if (!play->control.has_clock)
        return;
    char time[SIDE_NB][PHRASE_MAX];
    for (int side = 0; side < SIDE_NB; side++)
        phrase_clock(play->clock[side].left_us / 1000, time[side]);
    text_clear(&play->text);
    if (play->control.byoyomi_ms)
        text_add(&play->text, said(", then %g seconds a move"), (double)play->control.byoyomi_ms / 1000);
    play_say(play, "Clocks: %s %s, %s %s%s", side_words(&play->session.game.pos, 0), time[0],
             side_words(&play->session.game.pos, 1), time[1], play->text.len ? play->text.ptr : "");
}

// Tells the castle of a side when it has become another one.
static void show_castles(Play *play)
{
    for (int side = 0; side < SIDE_NB; side++) {
        Opening castle;
        const Position *pos = &play->session.game.pos;
        if (!castle_name(pos, side, &castle) || strcmp(castle.name, play->castle[side].name) == 0)
            continue;
        play->castle[side] = castle;
        text_clear(&play->text);
        opening_print(&castle, &play->text);
        play_say(play, "Castle of %s: %s", side_words(pos, side), play->text.ptr);
    }
}

// Tells the name of the opening when it has become another one.
static void show_opening(Play *play)
{
    Opening opening;
    show_castles(play);
    if (!opening_name(&play->session.game, &opening) || strcmp(opening.name, play->opening.name) == 0)
        return;
    play->opening = opening;
    text_clear(&play->text);
    opening_print(&opening, &play->text);
    play_say(play, "Opening: %s", play->text.ptr);
}

void play_show_board(Play *play)
{
    const Game *game = &play->session.game;
    play->style.last = game->move_nb ? game->move[game->move_nb - 1] : MOVE_NONE;
    play->style.columns = play->options->on_screen ? os_terminal_width() : 0; // it may have changed since
    text_clear(&play->text);
    board_draw(&game->pos, play->style, &play->text);
    fputc('\n', play->out);
    fwrite(play->text.ptr, 1, play->text.len, play->out);
    if (play->text.len && play->text.ptr[play->text.len - 1] != '\n')
        fputc('\n', play->out);
    show_clocks(play);
    show_opening(play);
    play->shown = true;
}

Engine *play_adviser(Play *play)
{
    enum { ADVICE_HASH_MB = 16 };
    Message message = {0};
    if (!play->adviser)
        play->adviser = session_new_engine(&play->session, ADVICE_HASH_MB, &message);
    if (!play->adviser)
        play_say(play, "There is no advice: %s.", message.text);
    return play->adviser;
}

// ---- endings ------------------------------------------------------------------------------------
void play_end(Play *play, GameResult result, Reason reason)
{
    if (!play->shown)
        play_show_board(play);
    play->result = result;
    play->reason = reason;
    play->over = play->is_changed = true;
}

void play_check_rules(Play *play)
{
    Verdict verdict = game_verdict(&play->session.game);
    if (play->over || verdict.outcome == OUTCOME_NONE)
        return;
    if (verdict.outcome == OUTCOME_DRAW) {
        play_end(play, RESULT_DRAW, verdict.reason);
        play_say(play, "The game is drawn: %s.", phrase_reason(verdict));
    } else {
        int side = play_side(play), winner = verdict.outcome == OUTCOME_WIN ? side : !side;
        play_end(play, result_of_winner(winner), verdict.reason);
        play_say(play, "%s wins: %s.", side_words(&play->session.game.pos, winner), phrase_reason(verdict));
    }
}

void play_declare(Play *play)
{
    int side = play_side(play);
    play_end(play, result_of_winner(side), REASON_DECLARATION);
    play_say(play, "%s declares and wins.", side_words(&play->session.game.pos, side));
}

static void lose_on_time(Play *play, int side)
{
    bool is_lost = pos_can_win(&play->session.game.pos, !side);
    play_end(play, is_lost ? result_of_winner(!side) : RESULT_DRAW, REASON_TIME);
    if (is_lost)
        play_say(play, "%s has run out of time: %s wins.", side_words(&play->session.game.pos, side),
                 side_words(&play->session.game.pos, !side));
    else
        play_say(play, "%s has run out of time, but %s has nothing to win with: the game is drawn.",
                 side_words(&play->session.game.pos, side), side_words(&play->session.game.pos, !side));
}

// ---- clocks -------------------------------------------------------------------------------------
i64 play_left_ms(const Play *play)
{
    const i64 left_ms = (play->clock[play_side(play)].left_us - (os_now_us() - play->turn_start_us)) / 1000;
    return left_ms >= 0 || !play->control.byoyomi_ms ? left_ms : left_ms + play->control.byoyomi_ms;
}

bool play_charge_clock(Play *play)
{
    int side = play_side(play);
    if (clock_spend(&play->clock[side], os_now_us() - play->turn_start_us))
        return true;
    play->clock[side].left_us = 0;
    lose_on_time(play, side);
    return false;
}

// Keeps what the clocks show after the move that is about to be made, for when the game comes back to it.
static bool keep_clocks(Play *play)
{
    int at = play->session.game.move_nb;
    if (at == play->played_capacity) {
        int capacity = at ? 2 * at : 128;
        void *grown = realloc(play->played, (size_t)capacity * sizeof *play->played);
        if (!grown)
            return false;
        play->played = grown;
        play->played_capacity = capacity;
    }
    memcpy(play->played[at].clock, play->clock, sizeof play->clock);
    play->played[at].spent_ms = (os_now_us() - play->turn_start_us) / 1000;
    return true;
}

void play_restore_clocks(Play *play)
{
    int nb = play->session.game.move_nb;
    if (nb)
        memcpy(play->clock, play->played[nb - 1].clock, sizeof play->clock);
    for (int side = 0; side < SIDE_NB && !nb; side++)
        clock_start(&play->clock[side], &play->control);
    play->turn_start_us = os_now_us();
}

// ---- moves --------------------------------------------------------------------------------------
bool play_make_move(Play *play, Move move)
{
    if (!keep_clocks(play) || !game_play(&play->session.game, move)) {
        play_say(play, "There is not enough memory for another move.");
        return false;
    }
    play->turn_start_us = os_now_us();
    play->shown = false;
    play->is_changed = true;
    // Whoever makes the move that was taken back may go on with those behind it.
    if (play->undone_nb && play->undone[--play->undone_nb] != move)
        play->undone_nb = 0;
    return true;
}

void play_restart(Play *play)
{
    record_free(&play->loaded);
    session_new_game(&play->session);
    if (play->options->level_seed) // each game its own, and the same ones again next time
        session_set_seed(&play->session, (play->options->level_seed - 1 + play->game_nb++) % SEED_MAX + 1);
    play->answer = (Answer){0};
    play->opening = (Opening){0};
    memset(play->castle, 0, sizeof play->castle);
    play->has_loaded = play->over = play->shown = play->is_changed = play->is_looked_back = false;
    play->undone_nb = 0;
    play->kept[0] = '\0';
    play_restore_clocks(play);
}
