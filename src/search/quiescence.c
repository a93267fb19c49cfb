// SPDX-License-Identifier: GPL-3.0-or-later
// Quiescence: plays out what can't be judged standing still. In check every evasion is searched and standing
// pat is never allowed; out of check noisy moves, and at the first plies quiet checks. Twelve live options
// steer it (SearchOptions q_); with all of them off it is a plain capture search. Ends by itself: a ply that
// consumes no depth is either an evasion or paid from the line's extension budget.
#include "search/quiescence.h"

#include "search/eval.h"
#include "search/movepick.h"
#include "search/node.h"

enum {
    SEE_OFF = -500, // at the least value of the option nothing is pruned by exchange
    THREATS_MAX = 4,
    OPTIMISM_CAP = 150, // percent of the futility margin at the third ply and beyond
};

// What this node may hope for without searching a move, and whether it may leave moves out.
typedef struct QNode {
    int stand_pat;     // SCORE_NONE in check
    int futility_base; // stand_pat plus a margin that grows with the ply; SCORE_NONE when not in use
    int qply;
    bool check_free; // not in check
} QNode;

static int futility_base(const SearchOptions *o, int stand_pat, int qply)
{
    return stand_pat + o->q_futility_margin * min_int(50 + 50 * qply, OPTIMISM_CAP) / 100;
}

static bool is_recapture(const Stack *stack, Move move)
{
    return stack[-1].move != MOVE_NONE && stack[-1].move != MOVE_NULL &&
           move_to(move) == move_to(stack[-1].move);
}

// Leaves a move out when even its gain and a margin stay below alpha, or when it loses material. Raises *best
// to what was hoped.
static bool prunes(Worker *w, const Stack *stack, const QNode *q, Move move, bool gives_check, int move_nb,
                   int alpha, int *best)
{
    const SearchOptions *o = &w->engine->options;
    const Position *pos = &w->pos;
    if (!q->check_free || *best <= -SCORE_TB_MIN || alpha <= -SCORE_TB_MIN || alpha >= SCORE_TB_MIN)
        return false;
    const int gain = move_gain(pos, move);
    const bool recapture = is_recapture(stack, move);
    // Far from the first ply only the most valuable few: where both sides promote in turn every order of it
    // would be searched.
    if (o->q_futility && q->qply >= P(w, QLatePly) && move_nb > P(w, QLateCap) && !recapture)
        return w->counters.q_late++, true;
    if (o->q_delta && !gives_check && !recapture) {
        int hope = q->stand_pat + gain + o->q_delta_margin;
        if (hope <= alpha) {
            *best = max_int(*best, hope);
            return w->counters.q_delta++, true;
        }
    }
    if (o->q_futility && !gives_check && gain < o->q_high_value) {
        if (!recapture && move_nb > P(w, QMoveCap))
            return w->counters.q_futility++, true;
        int hope = q->futility_base + gain;
        if (hope <= alpha) {
            *best = max_int(*best, hope);
            return w->counters.q_futility++, true;
        }
        w->counters.see_calls++;
        if (q->futility_base <= alpha && !see_ge(pos, move, alpha - q->futility_base)) {
            *best = max_int(*best, min_int(alpha, q->futility_base));
            return w->counters.q_futility++, true;
        }
    }
    if (o->q_see > SEE_OFF) {
        w->counters.see_calls++;
        if (!see_ge(pos, move, o->q_see))
            return w->counters.q_see++, true;
    }
    return false;
}

// A forcing move may be followed without spending depth, while the line's budget lasts.
static bool extends(Worker *w, const Stack *stack, Move move, bool gives_check, int extended)
{
    const SearchOptions *o = &w->engine->options;
    if (!o->q_extensions || extended >= o->q_max_ext)
        return false;
    return gives_check || is_recapture(stack, move) || move_is_promotion(move) ||
           move_gain(&w->pos, move) > o->q_high_value;
}

static int search_move(Worker *w, Stack *stack, Move move, int alpha, int beta, int qply, int extended)
{
    make_move(w, stack, move);
    int score = -quiescence(w, stack + 1, -beta, -alpha, qply, extended);
    unmake_move(w, stack);
    return score;
}

// Quiet moves that attack something: only where asked for, a handful, at the first ply of the principal
// variation.
static int threat_moves(Worker *w, Move out[THREATS_MAX])
{
    const Position *pos = &w->pos;
    Move list[MAX_MOVES];
    int nb = 0;
    Move *end = gen_quiet(pos, list);
    for (Move *m = list; m < end && nb < THREATS_MAX; m++)
        if ((GEN_IS_LEGAL || move_is_legal(pos, *m)) && move_makes_threat(pos, *m) &&
            !move_gives_check(pos, *m) && see_ge(pos, *m, 0))
            out[nb++] = *m;
    return nb;
}

int quiescence(Worker *w, Stack *stack, int alpha, int beta, int qply, int extended)
{
    const bool pv_node = beta - alpha > 1;
    Engine *engine = w->engine;
    const SearchOptions *o = &engine->options;
    Position *pos = &w->pos;
    const int start_alpha = alpha;
    int score;
    w->pv_nb[stack->ply] = 0;

    // 1. Stopped; rules; too deep.
    if (worker_stopped(w))
        return 0;
    w->counters.q_nodes++;
    stack->in_check = pos_in_check(pos);
    if (pv_node)
        w->seldepth = max_int(w->seldepth, stack->ply + 1);
    if (stack->ply > 0 && judged_by_rules(w, stack, &alpha, &beta, &score))
        return score;
    if (stack->ply >= MAX_PLY - 1)
        return stack->in_check ? outcome_score(w, OUTCOME_DRAW, stack->ply)
                               : corrected_eval(w, stack, worker_evaluate(w));
    if (!stack->in_check && !pos_null_ok(pos) && gen_count(pos) == 0)
        return no_move_score(w, stack->ply); // stalemate happens where there is little left to move
    stack->excluded = MOVE_NONE;
    stack->reduction = 0;
    stack[1].extension_nb = 0;

    // 2. Table.
    const bool with_checks =
        qply + extended < o->q_check_plies; // what an extension saves does not buy more checks
    const int tt_depth = with_checks || stack->in_check ? TT_DEPTH_Q_CHECKS : TT_DEPTH_Q;
    TtEntry tt = {.score = SCORE_NONE, .eval = SCORE_NONE, .depth = TT_DEPTH_EVAL};
    const bool use_tt = o->q_tt && P(w, UseTt);
    if (use_tt) {
        w->counters.tt_probes++;
        tt = tt_probe(engine->tt, pos_key(pos), stack->ply);
        if (tt.move != MOVE_NONE && !(move_is_pseudo_legal(pos, tt.move) && move_is_legal(pos, tt.move)))
            tt = (TtEntry){.score = SCORE_NONE, .eval = SCORE_NONE, .depth = TT_DEPTH_EVAL};
        w->counters.tt_hits += tt.hit;
    }
    stack->was_pv = pv_node || (tt.hit && tt.was_pv);
    const bool deep_enough = P(w, UseTtEqualDepth) ? tt.depth == tt_depth : tt.depth >= tt_depth;
    if (!pv_node && tt.hit && tt.score != SCORE_NONE && deep_enough && pos_tt_trust(pos) &&
        (tt.bound & (tt.score >= beta ? BOUND_LOWER : BOUND_UPPER)))
        return w->counters.q_tt_cutoffs++, tt.score;

    // 3. A win on the spot.
    if (stack->ply > 0 && !tt.hit && wins_at_once(w, stack, pv_node, &score))
        return score;

    // 4. Stand pat: not in check, doing nothing is a lower bound.
    QNode q = {
        .stand_pat = SCORE_NONE, .futility_base = SCORE_NONE, .qply = qply, .check_free = !stack->in_check};
    int best_score = -SCORE_INFINITE;
    stack->raw_eval = stack->eval = SCORE_NONE;
    if (!stack->in_check) {
        stack->raw_eval = tt.eval != SCORE_NONE ? tt.eval : worker_evaluate(w);
        stack->eval = best_score = corrected_eval(w, stack, stack->raw_eval);
        if (tt.score != SCORE_NONE && (tt.bound & (tt.score > best_score ? BOUND_LOWER : BOUND_UPPER)) &&
            !score_is_mate(tt.score) && !P(w, UseTtEqualDepth))
            best_score = tt.score;
        if (best_score >= beta || !P(w, UseQuiescence)) {
            w->counters.q_stand_pat++;
            if (!tt.hit && use_tt)
                tt_store(engine->tt, pos_key(pos), stack->ply, MOVE_NONE, SCORE_NONE, stack->raw_eval,
                         TT_DEPTH_EVAL, BOUND_NONE, false);
            return best_score;
        }
        if (qply >= o->q_max_depth)
            return w->counters.q_depth_limit++, best_score;
        alpha = max_int(alpha, best_score);
        q.stand_pat = best_score;
        q.futility_base = futility_base(o, best_score, qply);
    } else
        w->counters.q_evasions++;

    // 5. The moves.
    Picker picker;
    picker_init_quiescence(&picker, w, stack, tt.move, with_checks);
    Move best_move = MOVE_NONE;
    int move_nb = 0, check_nb = 0;
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        const bool gives_check = move_gives_check(pos, move);
        move_nb++;
        if (prunes(w, stack, &q, move, gives_check, move_nb, alpha, &best_score))
            continue;
        if (gives_check && !stack->in_check && !move_is_noisy(pos, move)) {
            if (check_nb++ >= P(w, QCheckCap)) {
                w->counters.q_late++;
                break; // quiet checks come last: the rest are more of them, and hands full of men give dozens
            }
            w->counters.q_checks++;
        }
        int child_qply = qply + 1, child_extended = extended;
        if (stack->in_check)
            child_qply = qply;
        else if (extends(w, stack, move, gives_check, extended)) {
            w->counters.q_extensions++;
            child_qply = qply;
            child_extended++;
        }
        score = search_move(w, stack, move, alpha, beta, child_qply, child_extended);
        if (worker_stopped(w))
            return 0;
        if (score > best_score) {
            best_score = score;
            if (score > alpha) {
                best_move = move;
                if (pv_node)
                    pv_set(w, stack->ply, move);
                alpha = score;
                if (score >= beta)
                    break;
            }
        }
    }

    // 6. Threats, where asked for.
    if (o->q_threats && pv_node && qply == 0 && !stack->in_check && best_score < beta) {
        Move threat[THREATS_MAX];
        int nb = threat_moves(w, threat);
        for (int i = 0; i < nb && best_score < beta; i++) {
            w->counters.q_threats++;
            score = search_move(w, stack, threat[i], alpha, beta, qply + 1, extended);
            if (worker_stopped(w))
                return 0;
            if (score > best_score) {
                best_score = score;
                if (score > alpha) {
                    best_move = threat[i];
                    if (pv_node)
                        pv_set(w, stack->ply, best_move);
                    alpha = score;
                }
            }
        }
    }

    // 7. In check with no move at all: mate. (A game may leave dominated moves out of its generators.)
    if (stack->in_check && move_nb == 0)
        return GEN_IS_LEGAL || gen_count(pos) == 0 ? no_move_score(w, stack->ply) : start_alpha;

    // 8. A selective search knows bounds, not exact scores.
    if (use_tt)
        tt_store(engine->tt, pos_key(pos), stack->ply, best_move, best_score, stack->raw_eval, tt_depth,
                 best_score >= beta ? BOUND_LOWER : BOUND_UPPER, stack->was_pv);
    assert(best_score > -SCORE_INFINITE && best_score < SCORE_INFINITE);
    return best_score;
}
