// SPDX-License-Identifier: GPL-3.0-or-later
// One game, move by move. Invariant: a seat is asked only while the game goes on, and its move is made only
// when it is not at fault.
#include "arena/playgame.h"

const char *fault_name(Fault fault)
{
    static const char *const NAMES[FAULT_NB] = {"none",         "crash",     "hang",
                                                "illegal move", "time loss", "garbage"};
    return NAMES[fault];
}

// What a game needs beside the position.
typedef struct Table {
    Game *game;
    const Seat *seat;
    Clock *clock;
    const Adjudication *rule;
    const PlayHooks *hooks;
    Streak streak;
    GameEnd *end;
} Table;

// ---- ends ---------------------------------------------------------------------------------------
static GameEnd end_of(EndKind kind, GameResult result, Reason reason)
{
    return (GameEnd){.kind = kind, .result = result, .reason = reason, .fault_side = -1};
}

// END_NONE when the rules let it go on.
static GameEnd end_by_rules(const Game *game)
{
    Verdict verdict = game_verdict(game);
    GameResult result = result_of_outcome(verdict.outcome, pos_side(&game->pos));
    return end_of(result == RESULT_NONE ? END_NONE : END_RULES, result, verdict.reason);
}

static GameEnd end_by_fault(int side, Fault fault)
{
    GameEnd end = end_of(END_FAULT, result_of_winner(!side), fault == FAULT_TIME ? REASON_TIME : REASON_NONE);
    end.fault = fault;
    end.fault_side = side;
    return end;
}

// After a move: the rules and the scores, in the order that the adjudication says.
static GameEnd end_after_move(Table *table, int side, int score)
{
    GameResult result = RESULT_NONE;
    EndKind kind = adjudicate(&table->streak, table->rule, side, score, table->game->move_nb, &result);
    GameEnd by_scores = end_of(kind, result, REASON_NONE);
    if (table->rule->scores_first && kind != END_NONE)
        return by_scores;
    GameEnd by_rules = end_by_rules(table->game);
    return by_rules.kind != END_NONE ? by_rules : by_scores;
}

// ---- the game -----------------------------------------------------------------------------------
// Both are told of the new game before the first clock runs. The side that is at fault here loses, too.
static bool greet(const Table *table, Message *message)
{
    for (int s = 0; s < SIDE_NB && table->end->kind == END_NONE; s++) {
        const Seat *seat = &table->seat[s];
        Fault fault = FAULT_NONE;
        if (seat->new_game && !seat->new_game(seat->self, table->game, &fault, message))
            return false;
        if (fault != FAULT_NONE)
            *table->end = end_by_fault(s, fault);
    }
    return true;
}

// One answer of the side to move, and what follows from it.
static bool play_move(Table *table, Message *message)
{
    Game *game = table->game;
    const PlayHooks *hooks = table->hooks;
    int side = pos_side(&game->pos);
    const Seat *seat = &table->seat[side];
    Thought thought = {.score = SCORE_NONE};
    if (!seat->think(seat->self, game, table->clock, &thought, message))
        return false;
    if (hooks->thought && !hooks->thought(hooks->context, game, &thought))
        return message_set(message, "out of memory");
    if (thought.fault != FAULT_NONE) {
        *table->end = end_by_fault(side, thought.fault);
        return true;
    }
    if (table->clock)
        clock_spend(&table->clock[side], thought.elapsed_us);
    if (thought.move == MOVE_NONE)
        *table->end = end_of(END_RESIGNED, result_of_winner(!side), REASON_NONE);
    else if (thought.move == MOVE_WIN)
        *table->end = end_of(END_RULES, result_of_winner(side), REASON_DECLARATION);
    else if (game_play(game, thought.move))
        *table->end = end_after_move(table, side, thought.score);
    else
        return message_set(message, "out of memory");
    return true;
}

bool play_game(Game *game, const Seat seat[SIDE_NB], Clock *clock, const Adjudication *rule,
               const PlayHooks *hooks, GameEnd *end, Message *message)
{
    static const PlayHooks NONE = {0};
    Table table = {
        .game = game, .seat = seat, .clock = clock, .rule = rule, .hooks = hooks ? hooks : &NONE, .end = end};
    message->text[0] = '\0';
    *end = end_by_rules(game);
    bool ok = greet(&table, message);
    while (ok && end->kind == END_NONE)
        ok = play_move(&table, message);
    if (!ok)
        *end = end_of(END_ABANDONED, RESULT_NONE, REASON_NONE);
    for (int s = 0; s < SIDE_NB; s++)
        if (seat[s].game_over)
            seat[s].game_over(seat[s].self, s, end);
    return ok || !message->text[0];
}
