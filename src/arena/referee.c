// SPDX-License-Identifier: GPL-3.0-or-later
// The referee: asks the side to move, checks what it answers against the rules, runs its clock, and stops
// when the rules, a fault or an agreement of the scores say so. Invariant: the position, its key history and
// the text sent to the engines tell the same game.
#include "arena/referee.h"

#include <stdlib.h>

typedef struct Referee {
    SeatProcess *const *seat;
    const Adjudication *adjudication;
    Position pos;
    KeyHistory keys;
    Text position; // the position command, growing by a move at a time
    Text request;
    bool has_moves; // the word `moves` stands in it
    Clock clock[SIDE_NB];
    Streak streak;
    GameReport *report;
} Referee;

// ---- clocks -------------------------------------------------------------------------------------
static void add_go(const Referee *referee, int side, Text *out)
{
    const Clock *clock = &referee->clock[side];
    const TimeControl *control = clock->control;
    text_add(out, "go");
    if (control->has_clock) {
        for (int s = 0; s < SIDE_NB; s++) {
            // The other may play without a clock: then it has as much as this one. And no clock ever shows
            // zero, which some programs take for "no clock", unless byoyomi says what it means.
            const Clock *shown = referee->clock[s].control->has_clock ? &referee->clock[s] : clock;
            i64 ms = shown->left_us / 1000;
            text_add(out, " %s %lld", PROTOCOL_WORDS.time[s],
                     (long long)(ms < 1 && !control->byoyomi_ms ? 1 : ms));
        }
        for (int s = 0;
             s < SIDE_NB && (referee->clock[0].control->inc_ms || referee->clock[1].control->inc_ms); s++)
            text_add(out, " %s %lld", PROTOCOL_WORDS.inc[s], (long long)referee->clock[s].control->inc_ms);
        if (control->byoyomi_ms && PROTOCOL_WORDS.byoyomi)
            text_add(out, " %s %lld", PROTOCOL_WORDS.byoyomi, (long long)control->byoyomi_ms);
        if (clock->moves_to_go)
            text_add(out, " movestogo %d", clock->moves_to_go);
    }
    if (control->move_time_ms)
        text_add(out, " movetime %lld", (long long)control->move_time_ms);
    if (control->nodes)
        text_add(out, " nodes %llu", (unsigned long long)control->nodes);
    if (control->depth)
        text_add(out, " depth %d", control->depth);
    text_add(out, "\n");
}

// ---- moves --------------------------------------------------------------------------------------
static void add_move_text(Referee *referee, Move move)
{
    char text[MOVE_TEXT_MAX];
    move_print(&referee->pos, move, text);
    text_add(&referee->position, "%s %s", referee->has_moves ? "" : " moves", text);
    referee->has_moves = true;
}

static bool make_move(Referee *referee, Move move, const char *comment, i64 time_us)
{
    GameReport *report = referee->report;
    if (!keys_reserve(&referee->keys, 1) || !record_add_move(&report->record, move, comment))
        return false;
    report->record.move[report->record.move_nb - 1].time_ms = (i32)(time_us / 1000);
    add_move_text(referee, move);
    Undo undo;
    keys_push(&referee->keys, &referee->pos);
    pos_make(&referee->pos, move, &undo, NULL);
    return true;
}

static bool set_up(Referee *referee, const Opening *opening)
{
    char text[TEXT_MAX];
    referee->pos = opening->start;
    referee->report->record.start = opening->start;
    pos_print(&referee->pos, text);
    if (strcmp(text, GAME_START) == 0)
        text_add(&referee->position, "position startpos");
    else
        text_add(&referee->position, "position %s %s", PROTOCOL_WORDS.position, text);
    for (int i = 0; i < opening->move_nb; i++)
        if (!make_move(referee, opening->move[i], "book", 0))
            return false;
    return true;
}

// "+0.35/12 0.251s", "+M5/20 1.002s": score from the mover's view, depth, time.
static void print_comment(const Answer *answer, char *out, size_t size)
{
    char score[32] = "";
    if (answer->has_score && answer->is_mate)
        snprintf(score, sizeof score, "%cM%d/", answer->score >= 0 ? '+' : '-', abs(answer->score));
    else if (answer->has_score)
        snprintf(score, sizeof score, "%+.2f/", answer->score / 100.0);
    snprintf(out, size, "%s%d %.3fs", score, answer->depth, (double)answer->elapsed_us / 1e6);
}

// ---- endings ------------------------------------------------------------------------------------
static void end_game(Referee *referee, EndKind end, int winner, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// winner: a side, or -1 for a draw.
static void end_game(Referee *referee, EndKind end, int winner, const char *format, ...)
{
    GameReport *report = referee->report;
    va_list args;
    va_start(args, format);
    vsnprintf(report->reason, sizeof report->reason, format, args);
    va_end(args);
    report->end = end;
    static const char *const WORDS[] = {[END_WIN_SCORE] = "adjudication",
                                        [END_DRAW_SCORE] = "adjudication",
                                        [END_LENGTH] = "adjudication",
                                        [END_RESIGNED] = "resignation",
                                        [END_FAULT] = "fault",
                                        [END_ABANDONED] = "abandoned"};
    span_copy(span_of(end == END_RULES ? report->reason : WORDS[end]), report->word, sizeof report->word);
    for (int s = 0; s < SIDE_NB; s++)
        report->points[s] = winner < 0 ? 1 : winner == s ? 2 : 0;
    report->record.result = winner < 0 ? RESULT_DRAW : result_of_winner(winner);
}

static void end_by_fault(Referee *referee, int side)
{
    const SeatProcess *seat = referee->seat[side];
    if (seat->fault == FAULT_NONE) {
        end_game(referee, END_ABANDONED, -1, "abandoned");
        referee->report->record.result = RESULT_NONE;
        return;
    }
    end_game(referee, END_FAULT, !side, "%s: %s: %s", seat->spec->name, fault_name(seat->fault),
             seat->about.text);
    snprintf(referee->report->word, sizeof referee->report->word, "%s", fault_name(seat->fault));
    if (seat->fault == FAULT_TIME)
        referee->report->record.reason = REASON_TIME;
    referee->report->fault = seat->fault;
    referee->report->fault_side = side;
}

// True when the rules say that the game is over.
static bool end_by_rules(Referee *referee)
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
    Verdict verdict = game_outcome(&referee->pos, &referee->keys);
    int side = pos_side(&referee->pos);
    if (verdict.outcome == OUTCOME_NONE)
        return false;
    int winner = result_winner(result_of_outcome(verdict.outcome, side));
    end_game(referee, END_RULES, winner, "%s", WORDS[verdict.reason] ? WORDS[verdict.reason] : "rules");
    referee->report->record.reason = verdict.reason;
    return true;
}

static bool end_by_scores(Referee *referee, int side, const Answer *answer)
{
    static const char *const WHY[] = {[END_WIN_SCORE] = "adjudicated: both see a win",
                                      [END_DRAW_SCORE] = "adjudicated: both see a draw",
                                      [END_LENGTH] = "adjudicated: the agreed number of plies"};
    int score = SCORE_NONE;
    GameResult result;
    if (answer->has_score)
        score = !answer->is_mate    ? clamp_int(answer->score, -SCORE_MATE, SCORE_MATE)
                : answer->score > 0 ? SCORE_MATE
                                    : -SCORE_MATE;
    EndKind end = adjudicate(&referee->streak, referee->adjudication, side, score,
                             referee->report->record.move_nb, &result);
    if (end != END_NONE)
        end_game(referee, end, result_winner(result), "%s", WHY[end]);
    return end != END_NONE;
}

// ---- the game -----------------------------------------------------------------------------------
// One move of the side to move; false when the game ended with it.
static bool play_move(Referee *referee)
{
    int side = pos_side(&referee->pos);
    SeatProcess *seat = referee->seat[side];
    SideReport *report = &referee->report->side[side];
    Answer answer;
    text_clear(&referee->request);
    text_add(&referee->request, "%.*s\n", (int)referee->position.len, referee->position.ptr);
    add_go(referee, side, &referee->request);
    if (!seat_process_think(seat, text_span(&referee->request), clock_allowed_ms(&referee->clock[side]),
                            &answer)) {
        report->time_us += answer.elapsed_us;
        end_by_fault(referee, side);
        return false;
    }
    clock_spend(&referee->clock[side], answer.elapsed_us);
    report->time_us += answer.elapsed_us;
    report->moves++;
    report->depth_sum += answer.depth;
    report->depth_nb += answer.depth > 0;
    report->nodes += answer.nodes;
    if (PROTOCOL_WORDS.resign && strcmp(answer.move, PROTOCOL_WORDS.resign) == 0) {
        end_game(referee, END_RESIGNED, !side, "%s resigns", seat->spec->name);
        return false;
    }
    if (PROTOCOL_WORDS.win && strcmp(answer.move, PROTOCOL_WORDS.win) == 0) {
        if (pos_can_declare(&referee->pos)) {
            end_game(referee, END_RULES, side, "declaration");
            referee->report->record.reason = REASON_DECLARATION;
        } else {
            seat_process_blame(seat, FAULT_ILLEGAL, "declared a win that is none");
            end_by_fault(referee, side);
        }
        return false;
    }
    Move move = move_parse(&referee->pos, span_of(answer.move));
    char comment[64];
    print_comment(&answer, comment, sizeof comment);
    if (move == MOVE_NONE) {
        seat_process_blame(seat, FAULT_ILLEGAL, "'%s' after %d plies", answer.move,
                           referee->report->record.move_nb);
        end_by_fault(referee, side);
        return false;
    }
    if (!make_move(referee, move, comment, answer.elapsed_us)) {
        end_game(referee, END_ABANDONED, -1, "out of memory");
        return false;
    }
    referee->report->plies++;
    return !end_by_rules(referee) && !end_by_scores(referee, side, &answer);
}

// Both engines are told of the new game before the first clock runs. The side that fails here loses, too.
static bool greet(Referee *referee)
{
    for (int s = 0; s < SIDE_NB; s++)
        if (!seat_process_new_game(referee->seat[s])) {
            end_by_fault(referee, s);
            return false;
        }
    return true;
}

void referee_play(SeatProcess *const seat[SIDE_NB], const Opening *opening, const Adjudication *adjudication,
                  GameReport *report)
{
    Referee referee = {.seat = seat, .adjudication = adjudication, .report = report};
    *report = (GameReport){.fault_side = -1};
    for (int s = 0; s < SIDE_NB; s++)
        clock_start(&referee.clock[s], &seat[s]->spec->control);
    if (!set_up(&referee, opening))
        end_game(&referee, END_ABANDONED, -1, "out of memory");
    else if (greet(&referee))
        while (play_move(&referee))
            ;
    for (int s = 0; s < SIDE_NB; s++) {
        // An engine that was at fault, or may still be thinking, is not to be trusted with another game.
        if (report->end == END_ABANDONED || (report->end == END_FAULT && report->fault_side == s))
            seat_process_end(seat[s]);
        else
            seat_process_game_over(seat[s], report->points[s] == 2   ? "win"
                                            : report->points[s] == 1 ? "draw"
                                                                     : "lose");
    }
    keys_free(&referee.keys);
    text_free(&referee.position);
    text_free(&referee.request);
}
