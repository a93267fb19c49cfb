// SPDX-License-Identifier: GPL-3.0-or-later
// Every history of the search: where an entry stands (one index function, shared by reading and updating),
// how it is read, how it is updated, and what happens to all of them between searches. Invariant: all values
// stay within their bound by gravity, since an update pulls towards its own bound.
#include "search/history.h"

#include "search/worker.h"

enum {
    HISTORY_MAX = 8192,
    CORRECTION_MAX = 1024, // stands for half of CorrectionPawn (CorrectionOther ...) in centipawns
};

static inline void history_add(i16 *entry, int bonus, int max)
{
    bonus = clamp_int(bonus, -max, max);
    *entry = (i16)(*entry + bonus - *entry * (bonus < 0 ? -bonus : bonus) / max);
    assert(*entry >= -max && *entry <= max);
}

// Was a move made before this ply (at the root, or after a pass, there was none)?
static inline bool has_move(const Stack *stack)
{
    return stack->move != MOVE_NONE && stack->move != MOVE_NULL;
}

// ---- where an entry stands ----------------------------------------------------------------------
// The danger of a move tells its entries apart where the switch is on.
static inline int danger_of(const Worker *w, Move move)
{
    return P(w, UseThreatHistory) ? move_danger(&w->pos, move) : 0;
}

static inline i16 *butterfly_at(Histories *h, int danger, int side, Move move)
{
    return &h->butterfly[danger][side][move_from_index(move)][move_to(move)];
}

static inline i16 *low_ply_at(Histories *h, int ply, Move move)
{
    assert(ply < LOW_PLY_NB);
    return &h->low_ply[ply][move_from_index(move)][move_to(move)];
}

static inline i16 *capture_at(Histories *h, const Position *pos, Move move)
{
    return &h->capture[move_piece(pos, move)][move_to(move)][move_captured(pos, move)];
}

static inline PieceTo *pawn_at(Histories *h, const Position *pos)
{
    return &h->pawn[pos_subkey(pos, 0) % PAWN_HISTORY_NB];
}

void history_note_move(Worker *w, Stack *stack, Move move)
{
    const Position *pos = &w->pos;
    const int piece = move_piece(pos, move), to = move_to(move);
    const int kind = P(w, UseContinuationKinds) ? stack->in_check + 2 * move_is_noisy(pos, move) : 0;
    stack->move = move;
    stack->piece_to = (u16)(piece * SQUARE_NB + to);
    stack->danger = (u8)danger_of(w, move);
    stack->continuation = &w->history->continuation[kind][piece][to];
}

PieceTo *history_no_continuation(Histories *h) { return &h->continuation[0][0][0]; }

static i16 *continuation_correction_at(Worker *w, const Stack *stack)
{
    u32 mix = ((u32)stack[-1].piece_to * 2654435761u) ^ ((u32)stack[-2].piece_to * 40503u);
    return &w->history->continuation_correction[pos_side(&w->pos)][(mix >> 8) % CONTINUATION_CORRECTION_NB];
}

static i16 *correction_at(Worker *w, int index)
{
    const Position *pos = &w->pos;
    return &w->history->correction[index][pos_side(pos)][pos_subkey(pos, index) % CORRECTION_NB];
}

// ---- reading ------------------------------------------------------------------------------------
int history_quiet(Worker *worker, const Stack *stack, Move move)
{
    const Position *pos = &worker->pos;
    Histories *h = worker->history;
    int piece = move_piece(pos, move), to = move_to(move), sum = 0;
    if (P(worker, UseButterfly))
        sum += *butterfly_at(h, danger_of(worker, move), pos_side(pos), move);
    if (P(worker, UsePieceTo))
        sum += h->piece_to[piece][to] * P(worker, PieceToWeight) / 100;
    if (P(worker, UsePawnHistory))
        sum += (*pawn_at(h, pos))[piece][to];
    if (P(worker, UseContinuation))
        sum += (*stack[-1].continuation)[piece][to] + (*stack[-2].continuation)[piece][to] +
               (*stack[-4].continuation)[piece][to] * P(worker, Continuation4Weight) / 100;
    return sum;
}

int history_order(Worker *worker, const Stack *stack, Move move)
{
    const Position *pos = &worker->pos;
    int sum = history_quiet(worker, stack, move);
    if (P(worker, UseContinuation))
        sum += (*stack[-6].continuation)[move_piece(pos, move)][move_to(move)] *
               P(worker, Continuation6Weight) / 100;
    if (P(worker, UseLowPly) && stack->ply < LOW_PLY_NB)
        sum += P(worker, LowPlyWeight) * *low_ply_at(worker->history, stack->ply, move) / (1 + stack->ply);
    return sum;
}

int history_noisy(Worker *worker, Move move) { return *capture_at(worker->history, &worker->pos, move); }

Move history_counter(const Worker *worker, const Stack *stack)
{
    const int piece_to = stack[-1].piece_to;
    return has_move(stack - 1) ? worker->history->counter[piece_to / SQUARE_NB][piece_to % SQUARE_NB]
                               : MOVE_NONE;
}

int history_correction(Worker *w, const Stack *stack)
{
    if (!P(w, UseCorrection))
        return 0;
    int sum = *correction_at(w, 0) * P(w, CorrectionPawn);
    for (int i = 1; i < SUBKEY_NB; i++)
        sum += *correction_at(w, i) * P(w, CorrectionOther);
    sum += *continuation_correction_at(w, stack) * P(w, CorrectionContinuation);
    return sum / (2 * CORRECTION_MAX);
}

// ---- updating -----------------------------------------------------------------------------------
static void update_continuations(const Stack *stack, int piece, int to, int bonus)
{
    static const int BACK[] = {1, 2, 4, 6};
    for (int i = 0; i < 4; i++) {
        const Stack *before = stack - BACK[i];
        if (stack->in_check && BACK[i] > 2)
            break;
        if (has_move(before))
            history_add(&(*before->continuation)[piece][to], bonus, HISTORY_MAX);
    }
}

static void update_quiet(Worker *w, const Stack *stack, Move move, int bonus)
{
    const Position *pos = &w->pos;
    Histories *h = w->history;
    int piece = move_piece(pos, move), to = move_to(move);
    history_add(butterfly_at(h, danger_of(w, move), pos_side(pos), move), bonus, HISTORY_MAX);
    history_add(&h->piece_to[piece][to], bonus, HISTORY_MAX);
    history_add(&(*pawn_at(h, pos))[piece][to], bonus, HISTORY_MAX);
    if (stack->ply < LOW_PLY_NB)
        history_add(low_ply_at(h, stack->ply, move), bonus, HISTORY_MAX);
    update_continuations(stack, piece, to, bonus);
}

static int bonus_of(const Worker *w, int depth)
{
    return min_int(P(w, BonusSlope) * depth + P(w, BonusBase), P(w, BonusMax));
}

void history_update(Worker *w, Stack *stack, Move best, int depth, const MoveList *quiets,
                    const MoveList *noisies)
{
    const Position *pos = &w->pos;
    int bonus = bonus_of(w, depth);
    int malus = min_int(P(w, MalusSlope) * depth + P(w, MalusBase), P(w, MalusMax));
    if (move_is_noisy(pos, best))
        history_add(capture_at(w->history, pos, best), bonus, HISTORY_MAX);
    else {
        update_quiet(w, stack, best, bonus);
        for (int i = 0; i < quiets->nb; i++)
            update_quiet(w, stack, quiets->move[i], -malus);
        if (stack->killer[0] != best) {
            stack->killer[1] = stack->killer[0];
            stack->killer[0] = best;
        }
        if (has_move(stack - 1))
            w->history->counter[stack[-1].piece_to / SQUARE_NB][stack[-1].piece_to % SQUARE_NB] = best;
    }
    for (int i = 0; i < noisies->nb; i++)
        history_add(capture_at(w->history, pos, noisies->move[i]), -malus, HISTORY_MAX);
}

void history_confirm(Worker *w, const Stack *stack, Move move, int depth)
{
    update_quiet(w, stack, move, bonus_of(w, depth) * P(w, TtBonusShare) / 100);
}

void history_reward_previous(Worker *w, const Stack *stack, int depth)
{
    const Stack *before = stack - 1;
    if (!has_move(before) || stack->arrived_noisy)
        return;
    int bonus = bonus_of(w, depth) * P(w, PreviousBonusShare) / 100;
    int piece = before->piece_to / SQUARE_NB, to = before->piece_to % SQUARE_NB;
    history_add(butterfly_at(w->history, before->danger, 1 - pos_side(&w->pos), before->move), bonus,
                HISTORY_MAX);
    update_continuations(before, piece, to, bonus);
}

void history_note_eval(Worker *w, const Stack *stack)
{
    const Stack *before = stack - 1;
    if (!has_move(before) || stack->arrived_noisy || before->eval == SCORE_NONE)
        return;
    const int bonus = clamp_int(-P(w, EvalHistoryScale) * (before->eval + stack->eval), -P(w, EvalHistoryMax),
                                P(w, EvalHistoryMax));
    history_add(butterfly_at(w->history, before->danger, 1 - pos_side(&w->pos), before->move), bonus,
                HISTORY_MAX);
}

void history_note_research(Worker *w, const Stack *stack, int depth, bool is_good)
{
    const int bonus = bonus_of(w, depth);
    update_continuations(stack, stack->piece_to / SQUARE_NB, stack->piece_to % SQUARE_NB,
                         is_good ? bonus : -bonus);
}

void history_update_correction(Worker *w, const Stack *stack, int difference, int depth)
{
    int bonus =
        clamp_int(difference * depth / P(w, CorrectionRate), -P(w, CorrectionStep), P(w, CorrectionStep));
    for (int i = 0; i < SUBKEY_NB; i++)
        history_add(correction_at(w, i), bonus, CORRECTION_MAX);
    history_add(continuation_correction_at(w, stack), bonus, CORRECTION_MAX);
}

// ---- between searches ---------------------------------------------------------------------------
void history_age(Worker *w)
{
    Histories *h = w->history;
    memset(h->low_ply, 0, sizeof h->low_ply);
    if (!P(w, UseAgeing))
        return;
    i16 *butterfly = &h->butterfly[0][0][0][0], *piece_to = &h->piece_to[0][0];
    for (size_t i = 0; i < sizeof h->butterfly / sizeof *butterfly; i++)
        butterfly[i] = (i16)(butterfly[i] * P(w, AgeingShare) / 100);
    for (size_t i = 0; i < sizeof h->piece_to / sizeof *piece_to; i++)
        piece_to[i] = (i16)(piece_to[i] * P(w, AgeingShare) / 100);
}

void history_clear(Histories *h) { memset(h, 0, sizeof *h); }
