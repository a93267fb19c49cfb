// SPDX-License-Identifier: GPL-3.0-or-later
// See play_undo.h.
#include "console/play_undo.h"

#include <stdlib.h>

#include "session/phrases.h"

enum { FLAG_MERCY_MS = 10000 }; // the least time on the clock when a loss on time is taken back

// Did the game end by resignation, declaration or time, where the rules would let it go on? Then undo takes
// back that end alone. Not a declaration or resignation of the engine, which would do
// the same again.
static bool can_resume(const Play *play)
{
    bool ended_by_engine = !play->human[play_side(play)] &&
                           (play->reason == REASON_DECLARATION || play->answer.kind == ANSWER_RESIGN);
    return play->over && !ended_by_engine && game_verdict(&play->session.game).outcome == OUTCOME_NONE;
}

static void resume(Play *play)
{
    int side = play_side(play);
    play_restore_clocks(play);
    play->over = false;
    if (play->control.has_clock && play->reason == REASON_TIME) {
        char time[PHRASE_MAX];
        i64 least_ms = min_i64(FLAG_MERCY_MS, play->options->clock_ms);
        play->clock[side].left_us = max_i64(play->clock[side].left_us, least_ms * 1000);
        phrase_clock(play->clock[side].left_us / 1000, time);
        play_say(play, "Taken back: the game goes on, with %s on %s's clock.", time,
                 side_words(&play->session.game.pos, side));
    } else {
        play_say(play, "Taken back: the game goes on.");
    }
    play_show_board(play);
}

// Takes back the last moves, and remembers them.
static bool take_back(Play *play, int plies)
{
    Game *game = &play->session.game;
    const int nb = play->undone_nb + plies;
    if (nb > play->undone_capacity) {
        Move *grown = realloc(play->undone, (size_t)nb * 2 * sizeof *grown);
        if (!grown)
            return false;
        play->undone = grown;
        play->undone_capacity = nb * 2;
    }
    for (int i = 0; i < plies; i++)
        play->undone[play->undone_nb++] = game->move[game->move_nb - 1 - i];
    game_undo(game, plies);
    return true;
}

// The board stands where moves of undo or redo have led.
static void stand_here(Play *play, const char *sentence)
{
    play_restore_clocks(play);
    play->over = play->is_looked_back = false;
    play->is_changed = true;
    play_say(play, "%s", said(sentence));
    play_show_board(play);
}

void play_undo(Play *play, Span argument)
{
    Game *game = &play->session.game;
    i64 plies = 0;
    if (argument.len && !span_int(argument, 1, 10000, &plies)) {
        play_say(play, "undo takes a number of half-moves, or nothing to go back to your own last move.");
        return;
    }
    if (!plies && can_resume(play)) {
        resume(play);
        return;
    }
    if (game->move_nb == 0) {
        play_say(play, "There is nothing to take back.");
        return;
    }
    // Back to the last turn of a person; one move when the engine plays both sides.
    const bool against_engine = play->human[0] != play->human[1];
    if (!plies)
        plies = against_engine && play->human[play_side(play)] ? 2 : 1;
    if (plies > game->move_nb && !argument.len)
        play_say(play, "You have not moved yet.");
    else if (plies > game->move_nb)
        play_say(play, "There are only %d half-moves to take back.", game->move_nb);
    else if (take_back(play, (int)plies))
        stand_here(play, "Taken back.");
    else
        play_say(play, "There is not enough memory for another move.");
}

void play_redo(Play *play, Span argument)
{
    i64 plies = 0;
    if (argument.len && !span_int(argument, 1, 10000, &plies)) {
        play_say(play, "redo takes a number of half-moves, or nothing to go on to your own next move.");
        return;
    }
    if (play->undone_nb == 0) {
        play_say(play, "There is nothing to make again.");
        return;
    }
    const bool against_engine = play->human[0] != play->human[1];
    if (!plies)
        plies = min_int(against_engine && play->human[play_side(play)] ? 2 : 1, play->undone_nb);
    if (plies > play->undone_nb) {
        play_say(play, "There are only %d half-moves to make again.", play->undone_nb);
        return;
    }
    for (; plies > 0 && play->undone_nb; plies--)
        if (!game_play(&play->session.game, play->undone[--play->undone_nb]))
            return;
    stand_here(play, "Made again.");
}
