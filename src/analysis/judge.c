// SPDX-License-Identifier: GPL-3.0-or-later
// Judging the moves. A move is judged by the share of a win it gives away: what the mover could expect with
// the best move, less what is left after the move played. Shares are integers in permille, so that the same
// results of the search give the same report anywhere. There are two curves from scores to shares, one fitted
// to programs and one to people; a mark is given where both agree, and only as high as the lower of them
// says. A third curve, and what the looks differ by, decide whether the loss is clear of all doubt.
#include "analysis/judge.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/tasks.h"
#include "session/phrases.h"

// How much a move must lose, in permille of a win, to get a mark; by how much a good move must be better
// than all others; what makes a second look worth while.
enum {
    LOSS_DUBIOUS = 50,
    LOSS_MISTAKE = 100,
    LOSS_BLUNDER = 200,
    PEOPLE_DUBIOUS = 45,
    PEOPLE_MISTAKE = 85,
    PEOPLE_BLUNDER = 140,
    GOOD_MARGIN = 150,
    PEOPLE_GOOD_MARGIN = 100,
    GOOD_LEAST = 250,
    DOUBT = 25,
    LATE_DOUBT = 60,
    LATE_PLIES = 3
};

// ---- what is clear ------------------------------------------------------------------------------
// What a score decides in the hands of a program that sees far more: next to nothing up to the centre, nearly
// all beyond it. In shown centipawns, at phase 0 and at phase 256, a column for each game; zeros: as
// score_wdl has it. Chess is fitted to what stockfish expects of the positions of a match
// (docs/measurements/lab.md); where the curve is as steep as that, a mark needs more of it.
typedef struct ClearCurve {
    double centre[2], width[2];
    int dubious, mistake, blunder;
} ClearCurve;

static const ClearCurve CLEAR_CURVES[2] = {
    {{130, 95}, {16, 24}, 200, 250, 350},
    {{0, 0}, {0, 0}, LOSS_DUBIOUS, LOSS_MISTAKE, LOSS_BLUNDER},
};
static const ClearCurve *const CLEAR = &CLEAR_CURVES[PARAM_COLUMN];

static double at_phase(const double value[2], const Position *pos)
{
    return value[0] + (value[1] - value[0]) * pos_phase(pos) / 256.0;
}

// Side 0's share.
static int clear_chance(int score, const Position *pos)
{
    if (abs(score) >= SCORE_TB_MIN || CLEAR->width[0] == 0)
        return phrase_expectation(score, pos);
    const double centre = at_phase(CLEAR->centre, pos), width = at_phase(CLEAR->width, pos);
    const int shown = score_shown(score, pos);
    const double win = 1 / (1 + exp((centre - shown) / width)),
                 loss = 1 / (1 + exp((centre + shown) / width));
    const int mover = (int)(500 * (1 + win - loss) + 0.5);
    return pos_side(pos) == 0 ? mover : 1000 - mover;
}

static int clear_loss(int before, const Position *pos, int after, const Position *next)
{
    const int loss = clear_chance(before, pos) - clear_chance(after, next);
    return max_int(pos_side(pos) == 0 ? loss : -loss, 0);
}

// A position that was looked at once has no look before.
static int score_before(const PositionResult *result)
{
    return result->earlier == SCORE_NONE ? result->score : result->earlier;
}

// The looks tell how far they are to be trusted: by what they differ.
static int sure_loss(const MoveVerdict *verdict)
{
    const int loss = verdict->clear_loss[0];
    return loss - abs(loss - verdict->clear_loss[1]) / 2;
}

// ---- one move -----------------------------------------------------------------------------------
// Moves that any player finds: recaptures, captures of what is not protected, and answers to a check.
static bool is_obvious(const Position *pos, Move move, Move previous)
{
    if (pos_in_check(pos))
        return true;
    if (!move_captured(pos, move))
        return false;
    return (previous != MOVE_NONE && move_to(move) == move_to(previous)) || see_ge(pos, move, 100);
}

// Is the played move the only good one?
static bool is_only_move(const MoveVerdict *verdict, const PositionResult *result, const Position *pos)
{
    bool mates_at_once = result->score == SCORE_MATE - 1;
    if (!verdict->is_best || result->second == SCORE_NONE || mates_at_once)
        return false;
    int sign = pos_side(pos) == 0 ? 1 : -1,
        mover = pos_side(pos) == 0 ? verdict->before : 1000 - verdict->before;
    int margin = sign * (verdict->before - phrase_expectation(result->second, pos));
    int people = score_people(result->score, pos) - score_people(result->second, pos);
    return margin >= GOOD_MARGIN && people >= PEOPLE_GOOD_MARGIN && mover >= GOOD_LEAST;
}

static Mark judge_mark(const MoveVerdict *verdict, const PositionResult *now, const PositionResult *next,
                       const Position *pos, Move move, Move previous)
{
    // What has a name is a matter of taste, but for a mate.
    bool gets_mated = score_is_mate(next->score) && next->score > 0;
    if (verdict->is_book && !gets_mated)
        return MARK_NONE;
    const int sure = sure_loss(verdict);
    if (sure >= CLEAR->blunder && verdict->loss >= LOSS_BLUNDER && verdict->people_loss >= PEOPLE_BLUNDER)
        return MARK_BLUNDER;
    if (sure >= CLEAR->mistake && verdict->loss >= LOSS_MISTAKE && verdict->people_loss >= PEOPLE_MISTAKE)
        return MARK_MISTAKE;
    if (sure >= CLEAR->dubious && verdict->loss >= LOSS_DUBIOUS && verdict->people_loss >= PEOPLE_DUBIOUS)
        return MARK_DUBIOUS;
    return is_only_move(verdict, now, pos) && !is_obvious(pos, move, previous) ? MARK_GOOD : MARK_NONE;
}

// What the move was worth where several lines were searched and it is one of them; SCORE_NONE when it is not.
static int score_of_line(const PositionResult *result, Move move)
{
    for (int i = 0; i < result->other_nb; i++)
        if (result->other[i].move[0] == move)
            return result->other[i].score;
    return SCORE_NONE;
}

static int cut_shown(int score, const Position *pos)
{
    enum { CUT = 1000 };
    return clamp_int(score_shown(score, pos), -CUT, CUT);
}

// By the formula that servers for people use: all of it when nothing is lost.
static double accuracy_of(int people_loss)
{
    return fmax(0, fmin(100, 103.1668 * exp(-0.04354 * people_loss / 10.0) - 3.1669 + 1));
}

static GamePhase phase_of(const Position *pos, bool is_book)
{
    enum { OPENING_PLIES = 30, OPENING_MEN = 213, END_MEN = 96 };
    if (is_book || (pos_game_ply(pos) < OPENING_PLIES && pos_phase(pos) >= OPENING_MEN))
        return PHASE_OPENING;
    return pos_phase(pos) <= END_MEN ? PHASE_END : PHASE_MIDDLE;
}

MoveVerdict analysis_judge_move(const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                                int ply)
{
    MoveVerdict verdict = {.is_book = ply < game->opening.ply};
    verdict.phase = phase_of(pos, verdict.is_book);
    if (ply < game->first_ply)
        return verdict;
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    const Move move = game->record.move[ply].move;
    const Position after = pos_after(pos, move);
    const int sign = pos_side(pos) == 0 ? 1 : -1, line_score = score_of_line(now, move);
    verdict.is_judged = true;
    verdict.before = phrase_expectation(now->score, pos);
    verdict.after = phrase_expectation(next->score, &after);
    verdict.is_best = now->line_nb && now->line[0] == move;
    int people = score_people(now->score, pos), people_after = 1000 - score_people(next->score, &after);
    int shown = -cut_shown(next->score, &after), loss = sign * (verdict.before - verdict.after);
    // Two searches have judged the move: in doubt the milder one is right.
    if (line_score != SCORE_NONE && !verdict.is_best) {
        loss = min_int(loss, sign * (verdict.before - phrase_expectation(line_score, pos)));
        people_after = max_int(people_after, score_people(line_score, pos));
        shown = max_int(shown, cut_shown(line_score, pos));
    }
    verdict.loss = verdict.is_best ? 0 : max_int(loss, 0);
    if (score_is_mate(now->score) || score_is_mate(next->score)) {
        verdict.clear_loss[0] = verdict.clear_loss[1] = 1000; // of a mate there is no doubt
    } else if (!verdict.is_best) {
        verdict.clear_loss[0] = clear_loss(now->score, pos, next->score, &after);
        verdict.clear_loss[1] = clear_loss(score_before(now), pos, score_before(next), &after);
    }
    verdict.people_loss = verdict.is_best ? 0 : max_int(people - people_after, 0);
    verdict.cp_loss = verdict.is_best ? 0 : max_int(cut_shown(now->score, pos) - shown, 0);
    verdict.accuracy = accuracy_of(verdict.people_loss);
    verdict.mark =
        judge_mark(&verdict, now, next, pos, move, ply ? game->record.move[ply - 1].move : MOVE_NONE);
    return verdict;
}

// ---- where to look twice ------------------------------------------------------------------------
// What the mover lost within the next moves beyond what his moves are known to lose: something was not seen.
static int unexplained(const AnalysedGame *game, const MoveVerdict *verdict, int ply, int side)
{
    const int sign = side == 0 ? 1 : -1;
    int known = 0, most = 0;
    for (int i = ply; i < game->record.move_nb && i < ply + LATE_PLIES; i++) {
        known += (i - ply) % 2 == 0 ? verdict[i].loss : 0;
        most = max_int(most, sign * (verdict[ply].before - verdict[i].after) - known);
    }
    return most;
}

// Is a mark in doubt after the second look? It is not where both looks see too little or a great deal.
static bool is_unsure(const MoveVerdict *move)
{
    const int most = max_int(move->clear_loss[0], move->clear_loss[1]),
              least = min_int(move->clear_loss[0], move->clear_loss[1]);
    return 4 * most >= 3 * CLEAR->dubious && 2 * least < 3 * CLEAR->blunder;
}

void judge_doubts(const Analysis *analysis, const AnalysedGame *game, int look, bool *is_wanted)
{
    const int move_nb = game->record.move_nb;
    MoveVerdict *verdict = calloc((size_t)move_nb + 1, sizeof *verdict);
    Position pos = game->record.start;
    if (!verdict) // no second look: what would get a mark is told by the first
        return;
    for (int ply = 0; ply < move_nb; ply++) {
        verdict[ply] = analysis_judge_move(analysis, game, &pos, ply);
        pos = pos_after(&pos, game->record.move[ply].move);
    }
    const int first_side = pos_side(&game->record.start);
    for (int ply = game->first_ply; ply < move_nb; ply++) {
        const MoveVerdict *move = &verdict[ply];
        bool is_doubted =
            look > 1 ? is_unsure(move)
                     : move->mark != MARK_NONE || move->loss >= DOUBT || move->people_loss >= DOUBT ||
                           unexplained(game, verdict, ply, first_side ^ (ply & 1)) >= LATE_DOUBT;
        // Which of two won positions is better won needs no second look.
        for (int i = ply; i <= ply + 1 && is_doubted && (!move->is_book || move->mark != MARK_NONE); i++)
            is_wanted[i] |= analysis_result(analysis, game, i)->line_nb > 0;
    }
    free(verdict);
}

// ---- a game -------------------------------------------------------------------------------------
// The biggest losses among mistakes and blunders, at most TURNING_MAX, in the order of the game.
static void find_turning_points(AnalysedGame *game)
{
    game->turning_nb = 0;
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        if (game->verdict[ply].mark != MARK_MISTAKE && game->verdict[ply].mark != MARK_BLUNDER)
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

// How much a move counts for the accuracy of a game: more where the chances go up and down.
static double weight_of(const AnalysedGame *game, int ply)
{
    const int last = game->record.move_nb - 1;
    const int width = clamp_int((last + 1) / 10, 2, 8), from = max_int(game->first_ply, ply - width + 1);
    double sum = 0, squares = 0;
    for (int i = from; i <= ply; i++) {
        double chance = game->verdict[i].after / 10.0;
        sum += chance;
        squares += chance * chance;
    }
    const int nb = ply - from + 1;
    return fmax(0.5, fmin(12, sqrt(fmax(0, squares / nb - sum / nb * (sum / nb)))));
}

static void sum_phases(PlayerSummary *player, const MoveVerdict *verdict)
{
    PhaseSummary *phase = &player->phase[verdict->phase];
    phase->move_nb++;
    phase->accuracy += verdict->accuracy;
    phase->cp_loss += verdict->cp_loss;
    phase->loss += verdict->loss / 1000.0;
    player->cp_loss += verdict->cp_loss;
    player->mark_nb[verdict->mark]++;
    player->move_nb++;
}

// Half the mean by weight, half the harmonic mean, in which bad moves count more.
static void sum_game(AnalysedGame *game, int side, int first_side)
{
    PlayerSummary *player = &game->player[side];
    double sum = 0, weights = 0, inverse = 0;
    *player = (PlayerSummary){0};
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        const MoveVerdict *verdict = &game->verdict[ply];
        if ((first_side ^ (ply & 1)) != side || !verdict->is_judged)
            continue;
        double weight = weight_of(game, ply);
        sum_phases(player, verdict);
        sum += weight * verdict->accuracy;
        weights += weight;
        inverse += 1 / fmax(verdict->accuracy, 1);
    }
    if (!player->move_nb)
        return;
    player->accuracy = (sum / weights + player->move_nb / inverse) / 2;
    player->cp_loss /= player->move_nb;
    for (int i = 0; i < PHASE_NB; i++) {
        PhaseSummary *phase = &player->phase[i];
        phase->accuracy /= max_int(phase->move_nb, 1);
        phase->cp_loss /= max_int(phase->move_nb, 1);
    }
}

static void judge_game(const Analysis *analysis, AnalysedGame *game)
{
    Position pos = game->record.start;
    const int first_side = pos_side(&pos);
    GamePhase phase = PHASE_OPENING;
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        MoveVerdict *verdict = &game->verdict[ply];
        *verdict = analysis_judge_move(analysis, game, &pos, ply);
        verdict->phase = phase = verdict->phase > phase ? verdict->phase : phase; // no way back
        pos = pos_after(&pos, game->record.move[ply].move);
    }
    for (int side = 0; side < SIDE_NB; side++)
        sum_game(game, side, first_side);
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

void analysis_totals(const Analysis *analysis, AnalysisTotals *totals)
{
    for (int i = 0; i < analysis->game_nb; i++) {
        const AnalysedGame *game = &analysis->game[i];
        totals->left_out_nb += game->is_skipped;
        totals->position_nb += game->is_position && !game->is_skipped;
        totals->game_nb += !game->is_position && !game->is_skipped;
        totals->task_nb += game->has_task;
        totals->solved_nb += game->has_task && game->is_solved;
    }
}
