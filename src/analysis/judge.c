// SPDX-License-Identifier: GPL-3.0-or-later
// Judging the moves. A move is judged by the share of a win it gives away: what the mover could expect with
// the best move, less what is left after the move played. Shares are integers in permille, so that the same
// results of the search give the same report anywhere.
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/tasks.h"
#include "session/phrases.h"

// How much a move must lose, in permille of a win, to get a mark; and by how much a good move must be better
// than all others.
enum { LOSS_DUBIOUS = 50, LOSS_MISTAKE = 100, LOSS_BLUNDER = 200, GOOD_MARGIN = 120, GOOD_LEAST = 250 };
// A move that loses this much counts half for the accuracy.
static const double ACCURACY_HALF = 150.0;

// Moves that any player finds: recaptures, captures of what is not protected, and answers to a check.
static bool is_obvious(const Position *pos, Move move, Move previous)
{
    if (pos_in_check(pos))
        return true;
    if (!move_captured(pos, move))
        return false;
    return (previous != MOVE_NONE && move_to(move) == move_to(previous)) || see_ge(pos, move, 100);
}

static Mark judge_mark(const MoveVerdict *verdict, const PositionResult *result, const Position *pos,
                       Move move, Move previous)
{
    if (verdict->loss >= LOSS_BLUNDER)
        return MARK_BLUNDER;
    if (verdict->loss >= LOSS_MISTAKE)
        return MARK_MISTAKE;
    if (verdict->loss >= LOSS_DUBIOUS)
        return MARK_DUBIOUS;
    bool mates_at_once = result->score == SCORE_MATE - 1;
    if (!verdict->is_best || result->second == SCORE_NONE || mates_at_once || is_obvious(pos, move, previous))
        return MARK_NONE;
    int sign = pos_side(pos) == 0 ? 1 : -1,
        mover = pos_side(pos) == 0 ? verdict->before : 1000 - verdict->before;
    int margin = sign * (verdict->before - phrase_expectation(result->second, pos));
    return margin >= GOOD_MARGIN && mover >= GOOD_LEAST ? MARK_GOOD : MARK_NONE;
}

// The biggest losses, at most TURNING_MAX, in the order of the game.
static void find_turning_points(AnalysedGame *game)
{
    game->turning_nb = 0;
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        if (game->verdict[ply].loss < LOSS_MISTAKE)
            continue;
        if (game->turning_nb < TURNING_MAX) {
            game->turning[game->turning_nb++] = ply;
            continue;
        }
        int least = 0;
        for (int i = 1; i < TURNING_MAX; i++)
            if (game->verdict[game->turning[i]].loss < game->verdict[game->turning[least]].loss)
                least = i;
        if (game->verdict[ply].loss <= game->verdict[game->turning[least]].loss)
            continue;
        for (int i = least; i + 1 < TURNING_MAX; i++)
            game->turning[i] = game->turning[i + 1];
        game->turning[TURNING_MAX - 1] = ply;
    }
}

MoveVerdict analysis_judge_move(const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                                int ply)
{
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    const Move move = game->record.move[ply].move;
    const Position after = pos_after(pos, move);
    MoveVerdict verdict = {.before = phrase_expectation(now->score, pos),
                           .after = phrase_expectation(next->score, &after)};
    verdict.is_best = now->line_nb && now->line[0] == move;
    int loss = pos_side(pos) == 0 ? verdict.before - verdict.after : verdict.after - verdict.before;
    verdict.loss = verdict.is_best ? 0 : max_int(loss, 0);
    verdict.mark = judge_mark(&verdict, now, pos, move, ply ? game->record.move[ply - 1].move : MOVE_NONE);
    return verdict;
}

static void judge_game(const Analysis *analysis, AnalysedGame *game)
{
    Position pos = game->record.start;
    double sum[SIDE_NB] = {0};
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        MoveVerdict *verdict = &game->verdict[ply];
        int side = pos_side(&pos);
        PlayerSummary *player = &game->player[side];
        *verdict = analysis_judge_move(analysis, game, &pos, ply);
        player->mark_nb[verdict->mark]++;
        player->move_nb++;
        sum[side] += 100.0 * exp2(-verdict->loss / ACCURACY_HALF);
        pos = pos_after(&pos, game->record.move[ply].move);
    }
    for (int side = 0; side < SIDE_NB; side++)
        game->player[side].accuracy =
            game->player[side].move_nb ? sum[side] / game->player[side].move_nb : 0.0;
    find_turning_points(game);
}

void analysis_judge(Analysis *analysis)
{
    for (int i = 0; i < analysis->game_nb; i++) {
        AnalysedGame *game = &analysis->game[i];
        if (game->is_skipped)
            continue;
        if (game->is_position)
            task_judge(analysis, game);
        else
            judge_game(analysis, game);
    }
}

AnalysisTotals analysis_totals(const Analysis *analysis)
{
    AnalysisTotals totals = {0};
    for (int i = 0; i < analysis->game_nb; i++) {
        const AnalysedGame *game = &analysis->game[i];
        totals.left_out_nb += game->is_skipped;
        totals.position_nb += game->is_position && !game->is_skipped;
        totals.game_nb += !game->is_position && !game->is_skipped;
        totals.task_nb += game->has_task;
        totals.solved_nb += game->has_task && game->is_solved;
    }
    return totals;
}
