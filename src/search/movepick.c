// SPDX-License-Identifier: GPL-3.0-or-later
// See movepick.h. The best remaining move is picked on demand: a cutoff early in the list never pays for
// sorting it.
#include "search/movepick.h"

#include "search/history.h"

static bool is_playable(const Position *pos, Move move)
{
    return move != MOVE_NONE && move_is_pseudo_legal(pos, move) && move_is_legal(pos, move);
}

static void init(Picker *picker, Worker *worker, const Stack *stack, Move tt_move)
{
    picker->worker = worker;
    picker->stack = stack;
    picker->tt_move = tt_move;
    picker->killer[0] = picker->killer[1] = picker->counter = MOVE_NONE;
    picker->skip_quiets = picker->with_checks = false;
    picker->next = picker->end = picker->bad_nb = picker->bad_next = 0;
    picker->threshold = 0;
}

void picker_init(Picker *picker, Worker *worker, const Stack *stack, Move tt_move)
{
    const Position *pos = &worker->pos;
    init(picker, worker, stack, is_playable(pos, tt_move) ? tt_move : MOVE_NONE);
    picker->stage = stack->in_check ? STAGE_EVASION_TT : STAGE_TT;
    if (!stack->in_check) {
        if (P(worker, UseKillers)) {
            picker->killer[0] = stack->killer[0];
            picker->killer[1] = stack->killer[1];
        }
        if (P(worker, UseCounterMove))
            picker->counter = history_counter(worker, stack);
    }
}

void picker_init_noisy(Picker *picker, Worker *worker, const Stack *stack, Move tt_move, int threshold)
{
    const Position *pos = &worker->pos;
    bool use = is_playable(pos, tt_move) && move_is_noisy(pos, tt_move) && see_ge(pos, tt_move, threshold);
    init(picker, worker, stack, use ? tt_move : MOVE_NONE);
    picker->threshold = threshold;
    picker->stage = STAGE_NOISY_TT;
}

void picker_init_quiescence(Picker *picker, Worker *worker, const Stack *stack, Move tt_move,
                            bool with_checks)
{
    const Position *pos = &worker->pos;
    bool use = is_playable(pos, tt_move) && (stack->in_check || move_is_noisy(pos, tt_move) ||
                                             (with_checks && move_gives_check(pos, tt_move)));
    init(picker, worker, stack, use ? tt_move : MOVE_NONE);
    picker->with_checks = with_checks;
    picker->stage = stack->in_check ? STAGE_EVASION_TT : STAGE_Q_TT;
}

static int score_quiet(const Picker *picker, Move move)
{
    Worker *worker = picker->worker;
    const Position *pos = &worker->pos;
    int score = history_order(worker, picker->stack, move);
    if (P(worker, UsePrior))
        score += move_order_bonus(pos, move) * P(worker, PriorWeight);
    if (move_gives_check(pos, move) && see_ge(pos, move, -P(worker, OrderCheckSee)))
        score += P(worker, OrderCheckBonus);
    return score;
}

static int score_noisy(const Picker *picker, Move move)
{
    Worker *worker = picker->worker;
    const Position *pos = &worker->pos;
    int score = P(worker, GainWeight) * move_gain(pos, move);
    if (P(worker, UseCaptureHistory))
        score += history_noisy(worker, move);
    return score;
}

// Evasions: taking the checker first, then by history.
static int score_evasion(const Picker *picker, Move move)
{
    enum { NOISY_FIRST = 1 << 24 };
    const Position *pos = &picker->worker->pos;
    if (move_is_noisy(pos, move))
        return NOISY_FIRST + P(picker->worker, GainWeight) * move_gain(pos, move) - move_risk(pos, move);
    return history_quiet(picker->worker, picker->stack, move);
}

// Fills the list with a generator's moves, but for those handed out before.
static void fill(Picker *picker, Move *(*generate)(const Position *, Move *),
                 int (*score)(const Picker *, Move))
{
    const Position *pos = &picker->worker->pos;
    int end = (int)(generate(pos, picker->move) - picker->move);
    assert(end <= MAX_MOVES);
    picker->next = picker->end = 0;
    for (int i = 0; i < end; i++) {
        Move move = picker->move[i];
        if (move == picker->tt_move)
            continue;
        picker->move[picker->end] = move;
        picker->score[picker->end++] = score(picker, move);
    }
}

// Swaps the best of the rest to the front and takes it; MOVE_NONE at the end. Illegal ones fall away here.
static Move take_best(Picker *picker, int *score)
{
    while (picker->next < picker->end) {
        int best = picker->next;
        for (int i = best + 1; i < picker->end; i++)
            if (picker->score[i] > picker->score[best])
                best = i;
        Move move = picker->move[best];
        *score = picker->score[best];
        picker->move[best] = picker->move[picker->next];
        picker->score[best] = picker->score[picker->next];
        picker->next++;
        if (GEN_IS_LEGAL || move_is_legal(&picker->worker->pos, move))
            return move;
    }
    return MOVE_NONE;
}

static bool is_refutation(const Picker *picker, Move move)
{
    return move == picker->killer[0] || move == picker->killer[1] || move == picker->counter;
}

static bool refutation_is_playable(const Picker *picker, Move move)
{
    return move != picker->tt_move && is_playable(&picker->worker->pos, move) &&
           !move_is_noisy(&picker->worker->pos, move);
}

// The main stages, out of check.
static Move next_main(Picker *picker)
{
    Worker *worker = picker->worker;
    const Position *pos = &worker->pos;
    Move move;
    int score;
    switch (picker->stage) {
    case STAGE_TT:
        picker->stage++;
        if (picker->tt_move != MOVE_NONE)
            return picker->tt_move;
        // fall through
    case STAGE_GEN_NOISY:
        fill(picker, gen_noisy, score_noisy);
        picker->stage++;
        // fall through
    case STAGE_GOOD_NOISY:
        while ((move = take_best(picker, &score)) != MOVE_NONE) {
            worker->counters.see_calls++;
            if (see_ge(pos, move, -score / P(worker, GoodNoisySee)))
                return move;
            picker->bad[picker->bad_nb++] = move;
        }
        picker->stage++;
        // fall through
    case STAGE_BAD_NOISY_FIRST:
        if (P(worker, UseBadNoisyFirst) && picker->bad_next < picker->bad_nb)
            return picker->bad[picker->bad_next++];
        picker->stage++;
        // fall through
    case STAGE_KILLER_1:
        picker->stage++;
        if (!picker->skip_quiets && refutation_is_playable(picker, picker->killer[0]))
            return picker->killer[0];
        // fall through
    case STAGE_KILLER_2:
        picker->stage++;
        if (!picker->skip_quiets && picker->killer[1] != picker->killer[0] &&
            refutation_is_playable(picker, picker->killer[1]))
            return picker->killer[1];
        // fall through
    case STAGE_COUNTER:
        picker->stage++;
        if (!picker->skip_quiets && picker->counter != picker->killer[0] &&
            picker->counter != picker->killer[1] && refutation_is_playable(picker, picker->counter))
            return picker->counter;
        // fall through
    case STAGE_GEN_QUIET:
        if (!picker->skip_quiets)
            fill(picker, gen_quiet, score_quiet);
        picker->stage++;
        // fall through
    case STAGE_QUIET:
        while (!picker->skip_quiets && (move = take_best(picker, &score)) != MOVE_NONE)
            if (!is_refutation(picker, move))
                return move;
        picker->stage++;
        // fall through
    case STAGE_BAD_NOISY:
        if (picker->bad_next < picker->bad_nb)
            return picker->bad[picker->bad_next++];
        picker->stage = STAGE_DONE;
        // fall through
    default: return MOVE_NONE;
    }
}

Move picker_next(Picker *picker)
{
    const Position *pos = &picker->worker->pos;
    Move move;
    int score;
    switch (picker->stage) {
    case STAGE_EVASION_TT:
    case STAGE_NOISY_TT:
    case STAGE_Q_TT:
        picker->stage++;
        if (picker->tt_move != MOVE_NONE)
            return picker->tt_move;
        return picker_next(picker);
    case STAGE_GEN_EVASION: fill(picker, gen_evasions, score_evasion), picker->stage++; // fall through
    case STAGE_EVASION:
        while ((move = take_best(picker, &score)) != MOVE_NONE)
            if (!picker->skip_quiets || move_is_noisy(pos, move))
                return move;
        return MOVE_NONE;
    case STAGE_GEN_NOISY_ONLY: fill(picker, gen_noisy, score_noisy), picker->stage++; // fall through
    case STAGE_NOISY_ONLY:
        while ((move = take_best(picker, &score)) != MOVE_NONE)
            if (see_ge(pos, move, picker->threshold))
                return move;
        return MOVE_NONE;
    case STAGE_Q_GEN_NOISY: fill(picker, gen_noisy, score_noisy), picker->stage++; // fall through
    case STAGE_Q_NOISY:
        if ((move = take_best(picker, &score)) != MOVE_NONE)
            return move;
        picker->stage++; // fall through
    case STAGE_Q_GEN_CHECKS:
        if (!picker->with_checks)
            return MOVE_NONE;
        fill(picker, gen_checks, score_evasion), picker->stage++; // fall through
    case STAGE_Q_CHECKS: return take_best(picker, &score);
    default: return next_main(picker);
    }
}
