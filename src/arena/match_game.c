// SPDX-License-Identifier: GPL-3.0-or-later
// A game between two programs. The loop is play_game; here are the clocks the programs were given, the
// record, which grows by each answer, and the words for how it ended. A program is counted as having made a
// move when it answered in time, even if the move was not legal.
#include "arena/match_game.h"

#include <stdlib.h>

typedef struct Reporter {
    SeatProcess *const *seat;
    GameReport *report;
} Reporter;

// ---- while it is played -------------------------------------------------------------------------
// "+0.35/12 0.251s", "+M5/20 1.002s": score from the mover's view, depth, time.
static void print_comment(const SeatAnswer *answer, char *out, size_t size)
{
    char score[32] = "";
    if (answer->has_score && answer->is_mate)
        snprintf(score, sizeof score, "%cM%d/", answer->score >= 0 ? '+' : '-', abs(answer->score));
    else if (answer->has_score)
        snprintf(score, sizeof score, "%+.2f/", answer->score / 100.0);
    snprintf(out, size, "%s%d %.3fs", score, answer->depth, (double)answer->elapsed_us / 1e6);
}

// The time is part of the game only where time decides: games at fixed nodes or depth have records that
// repeat.
static bool record_move(Record *record, Move move, const char *comment, i64 time_us,
                        const TimeControl *control)
{
    if (!record_add_move(record, move, comment))
        return false;
    if (control->has_clock || control->move_time_ms)
        record->move[record->move_nb - 1].time_ms = (i32)(time_us / 1000);
    return true;
}

static bool note_thought(void *context, const Game *game, const Thought *thought)
{
    Reporter *reporter = context;
    int side = pos_side(&game->pos);
    SideReport *report = &reporter->report->side[side];
    report->time_us += thought->elapsed_us;
    if (thought->fault == FAULT_NONE || thought->fault == FAULT_ILLEGAL) { // it did answer, in time
        report->moves++;
        report->depth_sum += thought->depth;
        report->depth_nb += thought->depth > 0;
        report->nodes += thought->nodes;
    }
    if (thought->fault != FAULT_NONE || thought->move == MOVE_NONE || thought->move == MOVE_WIN)
        return true;
    char comment[64];
    print_comment(&reporter->seat[side]->answer, comment, sizeof comment);
    reporter->report->plies++;
    return record_move(&reporter->report->record, thought->move, comment, thought->elapsed_us,
                       &reporter->seat[side]->spec->control);
}

// ---- the end ------------------------------------------------------------------------------------
static const char *rule_word(Reason reason)
{
    static const char *const WORDS[REASON_NB] = {
        [REASON_MATE] = "mate",
        [REASON_NO_MOVE] = "no legal move",
        [REASON_REPETITION] = "repetition",
        [REASON_PERPETUAL_CHECK] = "perpetual check",
        [REASON_MOVE_LIMIT] = "move limit",
        [REASON_DEAD_POSITION] = "dead position",
        [REASON_DECLARATION] = "declaration",
    };
    return WORDS[reason] ? WORDS[reason] : "rules";
}

static void tell(GameReport *report, const char *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void tell(GameReport *report, const char *word, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(report->reason, sizeof report->reason, format, args);
    va_end(args);
    span_copy(span_of(word), report->word, sizeof report->word);
}

static void tell_end(const Reporter *reporter)
{
    GameReport *report = reporter->report;
    const GameEnd *end = &report->end;
    const SeatProcess *blamed = end->fault_side < 0 ? NULL : reporter->seat[end->fault_side];
    report->record.result = end->result;
    report->record.reason = end->reason;
    switch (end->kind) {
    case END_RULES: tell(report, rule_word(end->reason), "%s", rule_word(end->reason)); break;
    case END_WIN_SCORE: tell(report, "adjudication", "adjudicated: both see a win"); break;
    case END_DRAW_SCORE: tell(report, "adjudication", "adjudicated: both see a draw"); break;
    case END_LENGTH: tell(report, "adjudication", "adjudicated: the agreed number of plies"); break;
    case END_RESIGNED:
        tell(report, "resignation", "%s resigns", reporter->seat[!result_winner(end->result)]->spec->name);
        break;
    case END_FAULT:
        tell(report, fault_name(end->fault), "%s: %s: %s", blamed->spec->name, fault_name(end->fault),
             blamed->about.text);
        break;
    case END_ABANDONED:
    case END_NONE: tell(report, "abandoned", "abandoned"); break;
    }
}

bool match_game_play(SeatProcess *const seat[SIDE_NB], Game *game, const Adjudication *rule,
                     GameReport *report, Message *message)
{
    Reporter reporter = {.seat = seat, .report = report};
    const PlayHooks hooks = {.context = &reporter, .thought = note_thought};
    Seat seats[SIDE_NB];
    Clock clock[SIDE_NB];
    *report = (GameReport){.record.start = game->start};
    for (int i = 0; i < game->move_nb; i++)
        if (!record_add_move(&report->record, game->move[i], "book"))
            return message_set(message, "out of memory");
    for (int s = 0; s < SIDE_NB; s++) {
        seats[s] = seat_of_process(seat[s]);
        clock_start(&clock[s], &seat[s]->spec->control);
    }
    bool ok = play_game(game, seats, clock, rule, &hooks, &report->end, message);
    tell_end(&reporter);
    return ok;
}
