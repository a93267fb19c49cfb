// SPDX-License-Identifier: GPL-3.0-or-later
// Quiescence: plays out what can't be judged standing still. In check every evasion is searched and standing
// pat is never allowed; out of check noisy moves, and at the first plies quiet checks. Thirteen live options
// steer it (SearchOptions q_); with all of them off it is a plain capture search. Ends by itself: a ply that
// consumes no depth is either an evasion or paid from the line's extension budget.
#include "search/quiescence.h"

#include "search/eval.h"
#include "search/exchange.h"
#include "search/movepick.h"
#include "search/node.h"

enum {
    SEE_OFF = -500, // at the least value of the option nothing is pruned by exchange
    THREATS_MAX = 4,
    OPTIMISM_CAP = 150, // percent of the futility margin at the third ply and beyond
};

// One visit of a node: its window as it changes, what it may hope for, and what its steps tell each other.
typedef struct QNode {
    int alpha, beta;
    const int start_alpha, qply, extended; // plies out of check so far; of them spared by extensions
    const bool pv_node;
    bool with_checks, use_tt;
    TtEntry tt;
    int tt_depth;
    int stand_pat;     // SCORE_NONE in check
    int futility_base; // stand_pat plus a margin that grows with the ply; SCORE_NONE in check
    int move_nb, check_nb, evasion_nb;
    int best_score;
    Move best_move;
} QNode;

// ---- the steps that have names ------------------------------------------------------------------
// Step 2: reads the table; true when an entry answers at once, out of the PV.
static bool tt_answers(Worker *w, Stack *stack, QNode *q)
{
    const SearchOptions *o = &w->engine->options;
    // What an extension saves does not buy more checks.
    q->with_checks = q->qply + q->extended < o->q_check_plies;
    q->tt_depth = q->with_checks || stack->in_check ? TT_DEPTH_Q_CHECKS : TT_DEPTH_Q;
    q->use_tt = o->q_tt && P(w, UseTt);
    q->tt = q->use_tt ? read_table(w, stack) : TT_NO_ENTRY;
    stack->was_pv = q->pv_node || (q->tt.hit && q->tt.was_pv);
    if (q->pv_node || !entry_answers(w, &q->tt, q->tt_depth, q->beta))
        return false;
    w->counters.q_tt_cutoffs++;
    return true;
}

// With the switch a score above beta is drawn towards it: so selective a search promises too much.
static int blended(const Worker *w, int score, int beta)
{
    return P(w, UseQBlend) && score > beta && score < SCORE_TB_MIN && beta > -SCORE_TB_MIN
               ? (score + beta) / 2
               : score;
}

static int futility_base(const SearchOptions *o, int stand_pat, int qply)
{
    return stand_pat + o->q_futility_margin * min_int(50 + 50 * qply, OPTIMISM_CAP) / 100;
}

// Step 4, out of check: doing nothing is a lower bound; true when it is enough, or as deep as this goes.
static bool stands_pat(Worker *w, Stack *stack, QNode *q)
{
    const SearchOptions *o = &w->engine->options;
    const TtEntry *tt = &q->tt;
    stack->raw_eval = tt->eval != SCORE_NONE ? tt->eval : worker_evaluate(w);
    stack->eval = q->best_score = corrected_eval(w, stack, stack->raw_eval);
    if (tt->score != SCORE_NONE && (tt->bound & (tt->score > q->best_score ? BOUND_LOWER : BOUND_UPPER)) &&
        !score_is_mate(tt->score) && !P(w, UseTtEqualDepth))
        q->best_score = tt->score;
    if (q->best_score >= q->beta || !P(w, UseQuiescence)) {
        w->counters.q_stand_pat++;
        if (!tt->hit && q->use_tt)
            tt_store(w->engine->tt, pos_key(&w->pos), stack->ply, MOVE_NONE, SCORE_NONE, stack->raw_eval,
                     TT_DEPTH_EVAL, BOUND_NONE, false);
        q->best_score = blended(w, q->best_score, q->beta);
        return true;
    }
    if (q->qply >= o->q_max_depth)
        return w->counters.q_depth_limit++, true;
    q->alpha = max_int(q->alpha, q->best_score);
    q->stand_pat = q->best_score;
    q->futility_base = futility_base(o, q->best_score, q->qply);
    return false;
}

static bool is_recapture(const Stack *stack, Move move)
{
    return stack[-1].move != MOVE_NONE && stack[-1].move != MOVE_NULL &&
           move_to(move) == move_to(stack[-1].move);
}

// Leaves a move out when even its gain and a margin stay below alpha, or when it loses material. Raises the
// best score to what was hoped.
static bool prunes(Worker *w, const Stack *stack, QNode *q, Move move, bool gives_check)
{
    const SearchOptions *o = &w->engine->options;
    const Position *pos = &w->pos;
    if (worker_overlooks(w, stack, move))
        return true;
    const int alpha = q->alpha;
    if (stack->in_check || q->best_score <= -SCORE_TB_MIN || alpha <= -SCORE_TB_MIN || alpha >= SCORE_TB_MIN)
        return false;
    const int gain = move_gain(pos, move);
    const bool recapture = is_recapture(stack, move);
    // Far from the first ply only the most valuable few: where both sides promote in turn every order of it
    // would be searched.
    if (o->q_futility && q->qply >= P(w, QLatePly) && q->move_nb > P(w, QLateCap) && !recapture)
        return w->counters.q_late++, true;
    if (o->q_delta && !gives_check && !recapture) {
        int hope = q->stand_pat + gain + o->q_delta_margin;
        if (hope <= alpha) {
            q->best_score = max_int(q->best_score, hope);
            return w->counters.q_delta++, true;
        }
    }
    if (o->q_futility && !gives_check && gain < o->q_high_value) {
        if (!recapture && q->move_nb > P(w, QMoveCap))
            return w->counters.q_futility++, true;
        int hope = q->futility_base + gain;
        if (hope <= alpha) {
            q->best_score = max_int(q->best_score, hope);
            return w->counters.q_futility++, true;
        }
        if (q->futility_base <= alpha && !exchange_reaches(w, move, gain, alpha - q->futility_base)) {
            q->best_score = max_int(q->best_score, min_int(alpha, q->futility_base));
            return w->counters.q_futility++, true;
        }
    }
    if (o->q_see > SEE_OFF && !exchange_reaches(w, move, gain, o->q_see))
        return w->counters.q_see++, true;
    return false;
}

// Is a quiet move one too many of its kind? Hands full of men give dozens of checks; with the switch only so
// many quiet evasions are tried once one move does not lose.
static bool is_one_too_many(Worker *w, const Stack *stack, QNode *q, Move move, bool gives_check)
{
    if (stack->in_check)
        return P(w, UseQEvasionCap) && q->best_score > -SCORE_TB_MIN && !move_is_noisy(&w->pos, move) &&
               q->evasion_nb++ >= P(w, QEvasionCap);
    if (!gives_check || move_is_noisy(&w->pos, move))
        return false;
    if (q->check_nb++ >= P(w, QCheckCap))
        return w->counters.q_late++, true;
    w->counters.q_checks++;
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

// Searches a move and takes note of its score; true when nothing more is to be searched here: a cutoff, or a
// stop.
static inline bool search_move(Worker *w, Stack *stack, QNode *q, Move move, int qply, int extended)
{
    make_move(w, stack, move);
    const int score = -quiescence(w, stack + 1, -q->beta, -q->alpha, qply, extended);
    unmake_move(w, stack);
    if (worker_stopped(w))
        return true;
    if (score <= q->best_score)
        return false;
    q->best_score = score;
    if (score <= q->alpha)
        return false;
    q->best_move = move;
    if (q->pv_node)
        pv_set(w, stack->ply, move);
    q->alpha = score;
    return score >= q->beta;
}

// Step 6: quiet moves that attack something: only where asked for, a handful, at the first ply of the
// principal variation.
static void search_threats(Worker *w, Stack *stack, QNode *q)
{
    const Position *pos = &w->pos;
    Move list[MAX_MOVES];
    int nb = 0;
    Move *end = gen_quiet(pos, list);
    for (Move *m = list; m < end && nb < THREATS_MAX; m++) {
        if (!(GEN_IS_LEGAL || move_is_legal(pos, *m)) || !move_makes_threat(pos, *m) ||
            move_gives_check(pos, *m) || !exchange_played(w, *m, 0))
            continue;
        nb++;
        w->counters.q_threats++;
        if (search_move(w, stack, q, *m, q->qply + 1, q->extended))
            return;
    }
}

// ---- the node -----------------------------------------------------------------------------------
int quiescence(Worker *w, Stack *stack, int alpha, int beta, int qply, int extended)
{
    const SearchOptions *o = &w->engine->options;
    Position *pos = &w->pos;
    QNode q = {.alpha = alpha,
               .beta = beta,
               .start_alpha = alpha,
               .qply = qply,
               .extended = extended,
               .pv_node = beta - alpha > 1,
               .stand_pat = SCORE_NONE,
               .futility_base = SCORE_NONE,
               .best_score = -SCORE_INFINITE,
               .best_move = MOVE_NONE};
    int score;
    w->pv_nb[stack->ply] = 0;

    // 1. Stopped; rules; too deep.
    if (worker_stopped(w))
        return 0;
    w->counters.q_nodes++;
    stack->in_check = pos_in_check(pos);
    if (q.pv_node)
        w->seldepth = max_int(w->seldepth, stack->ply + 1);
    if (stack->ply > 0 && judged_by_rules(w, stack, &q.alpha, &q.beta, &score))
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
    if (tt_answers(w, stack, &q))
        return q.tt.score;

    // 3. A win on the spot.
    if (stack->ply > 0 && !q.tt.hit && wins_at_once(w, stack, q.pv_node, &score))
        return score;

    // 4. Stand pat: not in check, doing nothing is a lower bound.
    stack->raw_eval = stack->eval = SCORE_NONE;
    if (stack->in_check)
        w->counters.q_evasions++;
    else if (stands_pat(w, stack, &q))
        return q.best_score;

    // 5. The moves.
    Picker picker;
    picker_init_quiescence(&picker, w, stack, q.tt.move, q.with_checks);
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        const bool gives_check = move_gives_check(pos, move);
        q.move_nb++;
        if (prunes(w, stack, &q, move, gives_check) || is_one_too_many(w, stack, &q, move, gives_check))
            continue;
        int child_qply = qply + 1, child_extended = extended;
        if (stack->in_check)
            child_qply = qply;
        else if (extends(w, stack, move, gives_check, extended)) {
            w->counters.q_extensions++;
            child_qply = qply;
            child_extended++;
        }
        if (search_move(w, stack, &q, move, child_qply, child_extended))
            break;
    }

    // 6. Threats, where asked for.
    if (o->q_threats && q.pv_node && qply == 0 && !stack->in_check && q.best_score < q.beta)
        search_threats(w, stack, &q);
    if (worker_stopped(w))
        return 0;

    // 7. In check with no move at all: mate. (A game may leave dominated moves out of its generators.)
    if (stack->in_check && q.move_nb == 0)
        return GEN_IS_LEGAL || gen_count(pos) == 0 ? no_move_score(w, stack->ply) : q.start_alpha;

    // 8. A selective search knows bounds, not exact scores.
    q.best_score = blended(w, q.best_score, q.beta);
    if (q.use_tt)
        tt_store(w->engine->tt, pos_key(pos), stack->ply, q.best_move, q.best_score, stack->raw_eval,
                 q.tt_depth, q.best_score >= q.beta ? BOUND_LOWER : BOUND_UPPER, stack->was_pv);
    assert(q.best_score > -SCORE_INFINITE && q.best_score < SCORE_INFINITE);
    return q.best_score;
}
