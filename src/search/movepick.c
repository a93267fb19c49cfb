// SPDX-License-Identifier: GPL-3.0-or-later
// See movepick.h. The best remaining move is picked on demand: a cutoff early in the list never pays for
// sorting it.
#include "search/movepick.h"

#include "search/exchange.h"
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
    bool use = is_playable(pos, tt_move) && move_is_noisy(pos, tt_move) &&
               exchange_reaches(worker, tt_move, move_gain(pos, tt_move), threshold);
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
    picker->stage = stack->in_check                       ? STAGE_EVASION_TT
                    : worker->engine->options.q_own_order ? STAGE_Q_OWN_TT
                                                          : STAGE_Q_TT;
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

// Quiescence's own order: checks, then captures by victim and attacker, then promotions.
static int score_own_order(const Picker *picker, Move move)
{
    enum { CHECK_FIRST = 1 << 28, CAPTURE_FIRST = 1 << 26, VICTIM_WEIGHT = 1 << 13 };
    const Position *pos = &picker->worker->pos;
    int score = move_gain(pos, move) * VICTIM_WEIGHT - move_risk(pos, move);
    score += move_captured(pos, move) ? CAPTURE_FIRST : 0;
    return move_gives_check(pos, move) ? score + CHECK_FIRST : score;
}

// Adds a generator's moves to the list, but for those handed out before.
static void add(Picker *picker, Move *(*generate)(const Position *, Move *),
                int (*score)(const Picker *, Move))
{
    const Position *pos = &picker->worker->pos;
    int end = (int)(generate(pos, picker->move + picker->end) - picker->move);
    assert(end <= MAX_MOVES);
    for (int i = picker->end; i < end; i++) {
        Move move = picker->move[i];
        if (move == picker->tt_move)
            continue;
        picker->move[picker->end] = move;
        picker->score[picker->end++] = score(picker, move);
    }
}

// Begins a new list with a generator's moves.
static void fill(Picker *picker, Move *(*generate)(const Position *, Move *),
                 int (*score)(const Picker *, Move))
{
    picker->next = picker->end = 0;
    add(picker, generate, score);
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

// A bad noisy move comes later: in the order of the good ones, or by what its exchange loses.
static void put_off(Picker *picker, Move move)
{
    int at = picker->bad_nb++;
    assert(at < picker->next); // so the places before `next`, whose moves are handed out, keep the values
    if (P(picker->worker, UseBadNoisyBySee)) {
        const int value = exchange_value(picker->worker, move);
        for (; at > 0 && picker->score[at - 1] < value; at--) {
            picker->bad[at] = picker->bad[at - 1];
            picker->score[at] = picker->score[at - 1];
        }
        picker->score[at] = value;
    }
    picker->bad[at] = move;
}

// The main stages, out of check.
static Move next_main(Picker *picker)
{
    Worker *worker = picker->worker;
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
            if (exchange_reaches(worker, move, move_gain(&worker->pos, move),
                                 -score / P(worker, GoodNoisySee)))
                return move;
            put_off(picker, move);
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
    case STAGE_Q_OWN_TT:
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
            if (exchange_reaches(picker->worker, move, move_gain(pos, move), picker->threshold))
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
    case STAGE_Q_OWN_GEN:
        fill(picker, gen_noisy, score_own_order);
        if (picker->with_checks)
            add(picker, gen_checks, score_own_order);
        picker->stage++; // fall through
    case STAGE_Q_OWN: return take_best(picker, &score);
    default: return next_main(picker);
    }
}
