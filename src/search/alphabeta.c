// SPDX-License-Identifier: GPL-3.0-or-later
// The search of one node, told in numbered steps, and the helpers that have names. Fail-soft negamax; scores
// are the side to move's. An abort (stop) returns a dummy value through all levels, each of which undoes its
// move; nothing is stored after it. Quiescence is in quiescence.c.
#include "search/alphabeta.h"

#include "search/eval.h"
#include "search/exchange.h"
#include "search/history.h"
#include "search/movepick.h"
#include "search/node.h"
#include "search/quiescence.h"
#include "search/ranks.h"
#include "search/reductions.h"
#include "search/report.h"
#include "search/root.h"

// What is known of a move when it is decided whether and how deep to search it.
typedef struct MoveInfo {
    Move move;
    int depth, move_nb, reduction; // reduction in 1024ths
    int history;
    int correction; // how far the evaluation was corrected: uncertainty
    bool noisy, gives_check, pv_node, cut_node, improving, tt_noisy;
} MoveInfo;

// ---- techniques with a name ---------------------------------------------------------------------
// Null move: if passing still holds beta, a real move will. Verified by a real search at high depth.
static bool null_move_holds(Worker *w, Stack *stack, bool cut_node, int beta, int depth, int eval, int *score)
{
    if (!P(w, UseNullMove) || stack[-1].move == MOVE_NULL || depth < P(w, NullDepth) || eval < beta ||
        stack->eval < beta + P(w, NullMarginBase) - P(w, NullMarginDepth) * depth ||
        stack->ply < w->null_min_ply || beta <= -SCORE_TB_MIN || !pos_null_ok(&w->pos))
        return false;
    w->counters.null_tries++;
    int reduction = P(w, NullBase) + depth / P(w, NullDepthDivisor) +
                    min_int((eval - beta) / P(w, NullEvalDivisor), P(w, NullEvalMax)) +
                    (P(w, UseNullCutNode) && cut_node);
    stack[1].extension_nb = stack->extension_nb;
    make_null(w, stack);
    int value = -search_node(w, stack + 1, -beta, -beta + 1, depth - reduction, false);
    unmake_null(w, stack);
    if (worker_stopped(w) || value < beta)
        return false;
    // A mate found after passing proves nothing but that beta holds.
    value = value >= SCORE_TB_MIN ? beta : value;
    if (w->null_min_ply == 0 && depth >= P(w, NullVerifyDepth)) {
        w->counters.null_verifications++;
        w->null_min_ply = stack->ply + (depth - reduction) * P(w, NullVerifyShare) / 100 + 1;
        int verified = search_node(w, stack, beta - 1, beta, depth - reduction, false);
        w->null_min_ply = 0;
        if (worker_stopped(w) || verified < beta)
            return false;
    }
    w->counters.null_cutoffs++;
    *score = value;
    return true;
}

// ProbCut: a capture that beats beta by a margin in a shallow search would beat beta in a deep one.
static bool probcut_holds(Worker *w, Stack *stack, int beta, int depth, const TtEntry *tt, bool improving,
                          int *score)
{
    int raised = beta + P(w, ProbCutMargin) - P(w, ProbCutImproving) * improving;
    // After the capture: with it, one more.
    const int shallow = max_int(depth - P(w, ProbCutReduction), 0);
    if (!P(w, UseProbCut) || depth < P(w, ProbCutDepth) || beta >= SCORE_TB_MIN || beta <= -SCORE_TB_MIN ||
        (tt->hit && tt->score != SCORE_NONE && tt->depth > shallow && tt->score < raised))
        return false;
    Picker picker;
    picker_init_noisy(&picker, w, stack, tt->move, raised - stack->eval);
    w->counters.probcut_tries++;
    stack[1].extension_nb = stack->extension_nb;
    stack[1].arrived_noisy = true;
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        if (worker_overlooks(w, stack, move))
            continue;
        make_move(w, stack, move);
        int value = -quiescence(w, stack + 1, -raised, -raised + 1, 0, 0);
        if (value >= raised)
            value = -search_node(w, stack + 1, -raised, -raised + 1, shallow, true);
        unmake_move(w, stack);
        if (worker_stopped(w))
            return false;
        if (value >= raised) {
            w->counters.probcut_cutoffs++;
            tt_store(w->engine->tt, pos_key(&w->pos), stack->ply, move, value, stack->raw_eval, shallow + 1,
                     BOUND_LOWER, stack->was_pv);
            *score = value >= SCORE_TB_MIN ? value : value - (raised - beta);
            return true;
        }
    }
    return false;
}

// Singular: is the table move much better than every other? Returns the extension; *cut when the others hold
// beta too.
static int singular_extension(Worker *w, Stack *stack, const TtEntry *tt, int beta, int depth, bool pv_node,
                              bool cut_node, int *cut)
{
    *cut = SCORE_NONE;
    if (!P(w, UseSingular) || depth < P(w, SingularDepth) + stack->was_pv || tt->move == MOVE_NONE ||
        stack->excluded != MOVE_NONE || tt->depth < depth - P(w, SingularTtDepth) ||
        !(tt->bound & BOUND_LOWER) || tt->score == SCORE_NONE || tt->score >= SCORE_TB_MIN ||
        tt->score <= -SCORE_TB_MIN)
        return 0;
    w->counters.singular_tries++;
    int lowered = tt->score - P(w, SingularMargin) * depth / 16;
    stack->excluded = tt->move;
    int value = search_node(w, stack, lowered - 1, lowered,
                            max_int((depth - 1) * P(w, SingularShare) / 100, 1), cut_node);
    stack->excluded = MOVE_NONE;
    if (worker_stopped(w))
        return 0;
    if (value < lowered) {
        w->counters.singular_extensions++;
        int extension = 1;
        if (!pv_node && value < lowered - P(w, SingularDouble))
            extension += 1 + (value < lowered - P(w, SingularTriple) && !move_is_noisy(&w->pos, tt->move));
        return extension;
    }
    if (P(w, UseMultiCut) && value >= beta && value < SCORE_TB_MIN) {
        w->counters.multi_cuts++;
        *cut = value;
        return 0;
    }
    if (P(w, UseNegativeExtension))
        return tt->score >= beta ? -P(w, NegativeTt) + pv_node : cut_node ? -P(w, NegativeCut) : 0;
    return 0;
}

// By how much (in 1024ths of a ply) a move so late in the list is searched less deep.
static int base_reduction(const Worker *w, int depth, int move_nb, bool improving)
{
    int r = P(w, LmrBase) + log_256(depth) * log_256(move_nb) * 100 / (64 * P(w, LmrDivisor));
    if (improving)
        return r;
    return P(w, UseLmrScaled) ? r * P(w, LmrScale) / 100 : r + P(w, LmrNotImproving);
}

static int late_reduction(Worker *w, const Stack *stack, int r, const MoveInfo *info)
{
    r -= info->pv_node ? P(w, LmrPv) : 0;
    r -= stack->was_pv ? P(w, LmrTtPv) : 0;
    r += info->cut_node ? P(w, LmrCutNode) : 0;
    r += info->tt_noisy && !info->noisy ? P(w, LmrTtNoisy) : 0;
    r += stack[1].cutoff_nb > P(w, LmrCutoffNb) ? P(w, LmrCutoffs) : 0;
    r -= info->gives_check ? P(w, LmrCheck) : 0;
    r -= info->move == stack->killer[0] || info->move == stack->killer[1] ? P(w, LmrKiller) : 0;
    r -= info->noisy ? P(w, LmrNoisy) : 0;
    r -= stack->stat_score * P(w, LmrHistory) / 1024;
    r -= info->correction * P(w, LmrCorrection) / 8;
    return r;
}

// After so many moves the quiet ones that are left are not worth a look.
static int late_move_limit(const Worker *w, const MoveInfo *info)
{
    int limit = P(w, LateMoveBase) + info->depth * info->depth;
    return info->improving ? limit : limit * P(w, LateMoveNotImproving) / 100;
}

// Can this move be left out without being searched? Sets the picker's skip_quiets when all later quiets can.
static bool prunes_move(Worker *w, const Stack *stack, Picker *picker, Move move, const MoveInfo *info,
                        int alpha, int *best_score)
{
    const Position *pos = &w->pos;
    int lmr_depth = max_int(info->depth - 1 - info->reduction / 1024, 0);
    if (P(w, UseLateMovePruning) && info->move_nb >= late_move_limit(w, info)) {
        if (!picker->skip_quiets)
            w->counters.late_moves++;
        picker->skip_quiets = true;
    }
    if (info->noisy || info->gives_check) {
        if (P(w, UseCaptureFutility) && !info->gives_check && !stack->in_check &&
            lmr_depth < P(w, CaptureFutilityDepth)) {
            int value = stack->eval + P(w, CaptureFutilityBase) + P(w, CaptureFutilityMargin) * lmr_depth +
                        move_gain(pos, move);
            if (value <= alpha) {
                *best_score = max_int(*best_score, value);
                return w->counters.futility++, true;
            }
        }
        if (P(w, UseSeePruning) && !exchange_played(w, move, -P(w, SeeNoisyMargin) * info->depth))
            return w->counters.see_pruned++, true;
        return false;
    }
    if (P(w, UseHistoryPruning) && lmr_depth < P(w, HistoryPruningDepth) &&
        info->history < -P(w, HistoryPruningMargin) * info->depth)
        return w->counters.history_pruned++, true;
    lmr_depth = max_int(lmr_depth + info->history / P(w, FutilityHistory), 0);
    if (P(w, UseFutility) && !stack->in_check && lmr_depth < P(w, FutilityDepth)) {
        int value = stack->eval + P(w, FutilityBase) + P(w, FutilityMargin) * lmr_depth;
        if (value <= alpha) {
            if (*best_score<value && * best_score> - SCORE_TB_MIN && value < SCORE_TB_MIN)
                *best_score = value;
            return w->counters.futility++, true;
        }
    }
    if (P(w, UseSeePruning) && !exchange_played(w, move, -P(w, SeeQuietMargin) * lmr_depth * lmr_depth))
        return w->counters.see_pruned++, true;
    return false;
}

// Endgame tables inside the tree; true when they decide the node.
static bool tb_decide(Worker *w, Stack *stack, int *alpha, int beta, int depth, bool pv_node, int *best_score,
                      int *max_score, int *score)
{
    const SearchOptions *o = &w->engine->options;
    int men = o->tablebase ? pos_men(&w->pos) : 0;
    int limit = o->tablebase ? min_int(o->tb_men, tb_men(o->tablebase)) : 0;
    if (!o->tablebase || men > limit || (men == limit && depth < o->tb_depth) ||
        stack->excluded != MOVE_NONE || !tb_hold_here(&w->pos))
        return false;
    TbResult result = tb_probe(o->tablebase, &w->pos);
    if (result == TB_NONE)
        return false;
    atomic_fetch_add_explicit(&w->tb_hits, 1, memory_order_relaxed);
    w->clock_countdown = 0; // a probe may have gone to the disk
    int edge = o->tb_count_limit ? TB_WIN : TB_CURSED_WIN;
    int value = result >= edge    ? SCORE_TB_WIN - stack->ply
                : result <= -edge ? -SCORE_TB_WIN + stack->ply
                                  : draw_score(w) + result;
    Bound bound = result >= edge ? BOUND_LOWER : result <= -edge ? BOUND_UPPER : BOUND_EXACT;
    if (bound == BOUND_EXACT || (bound == BOUND_LOWER ? value >= beta : value <= *alpha)) {
        depth = min_int(depth + P(w, TbExtraDepth), MAX_PLY - 1);
        tt_store(w->engine->tt, pos_key(&w->pos), stack->ply, MOVE_NONE, value, SCORE_NONE, depth, bound,
                 stack->was_pv);
        *score = value;
        return true;
    }
    // In the PV the search goes on for a line, but no worse than the tables promise and no better than they
    // allow.
    if (pv_node) {
        if (bound == BOUND_LOWER)
            *alpha = max_int(*alpha, *best_score = value);
        else
            *max_score = value;
    }
    return false;
}

// ---- the node -----------------------------------------------------------------------------------
// The next move: at the root from its list, in its order; elsewhere from the picker.
static Move next_move(Worker *w, Picker *picker, bool root, int *root_index)
{
    if (!root)
        return picker_next(picker);
    return *root_index < w->pv_last ? w->root[(*root_index)++].move : MOVE_NONE;
}

// One visit of a node: its window and depth as they change, and what its steps tell each other.
typedef struct Node {
    int alpha, beta, start_alpha;
    int depth, full_depth; // full_depth: before a better move made the rest shallower
    const bool root, pv_node, cut_node;
    TtEntry tt;
    int eval; // the best guess before the search: static, or the table's
    int correction;
    bool tt_noisy, improving;
    int best_score, max_score; // max_score: no better than endgame tables allow
    Move best_move;
} Node;

// What is to be clean before the children of a node are visited.
static void prepare_children(Stack *stack)
{
    stack[1].excluded = MOVE_NONE;
    stack[2].killer[0] = stack[2].killer[1] = MOVE_NONE;
    stack[2].cutoff_nb = 0;
    stack->move_nb = 0;
}

// Step 4: reads the table; true when a deep enough result of an earlier visit answers at once, out of the PV.
static bool tt_answers(Worker *w, Stack *stack, Node *node)
{
    const Position *pos = &w->pos;
    node->tt = P(w, UseTt) ? read_table(w, stack) : TT_NO_ENTRY;
    if (node->root)
        node->tt.move = w->root[w->pv_index].move;
    const TtEntry *tt = &node->tt;
    node->tt_noisy = tt->move != MOVE_NONE && move_is_noisy(pos, tt->move);
    if (stack->excluded != MOVE_NONE)
        return false;
    stack->was_pv = node->pv_node || (tt->hit && tt->was_pv);
    if (node->pv_node || !entry_answers(w, tt, node->depth, node->beta))
        return false;
    w->counters.tt_cutoffs++;
    if (tt->depth >= w->engine->peer_depth)
        peers_note_answer(w);
    if (tt->score >= node->beta && tt->move != MOVE_NONE && !node->tt_noisy)
        history_confirm(w, stack, tt->move, node->depth);
    return true;
}

// Step 6: the static evaluation, corrected by what was learned about such positions.
static void evaluate_node(Worker *w, Stack *stack, Node *node)
{
    const TtEntry *tt = &node->tt;
    node->eval = SCORE_NONE;
    node->correction = stack->in_check ? 0 : history_correction(w, stack);
    if (stack->in_check)
        stack->raw_eval = stack->eval = SCORE_NONE;
    else if (stack->excluded != MOVE_NONE)
        node->eval = stack->eval;
    else {
        stack->raw_eval = tt->eval != SCORE_NONE ? tt->eval : worker_evaluate(w);
        node->eval = stack->eval = corrected_by(w, stack->raw_eval, node->correction);
        if (tt->score != SCORE_NONE && (tt->bound & (tt->score > node->eval ? BOUND_LOWER : BOUND_UPPER)))
            node->eval = tt->score; // a search result is the better guess
        else if (!tt->hit && P(w, UseTt))
            tt_store(w->engine->tt, pos_key(&w->pos), stack->ply, MOVE_NONE, SCORE_NONE, stack->raw_eval,
                     TT_DEPTH_EVAL, BOUND_NONE, stack->was_pv);
        if (P(w, UseEvalHistory))
            history_note_eval(w, stack);
    }
    const int earlier = stack[-2].eval != SCORE_NONE ? stack[-2].eval : stack[-4].eval;
    node->improving = !stack->in_check && earlier != SCORE_NONE && stack->eval > earlier;
}

// Step 7, hindsight: the reduction that led here was too much, or too little, seen from here.
static int hindsight_depth(const Worker *w, const Stack *stack, const Node *node, int reduction)
{
    if (!P(w, UseHindsight) || stack[-1].eval == SCORE_NONE)
        return node->depth;
    const int deeper = P(w, UseHindsightReversed) ? -1 : 1;
    if (reduction >= P(w, HindsightDeeper) && stack->eval > -stack[-1].eval + P(w, HindsightDeeperMargin))
        return max_int(node->depth + deeper, 1);
    if (reduction >= P(w, HindsightShallower) && node->depth >= P(w, HindsightDepth) &&
        stack->eval + stack[-1].eval < -P(w, HindsightMargin) && !node->pv_node)
        return node->depth - deeper;
    return node->depth;
}

// Steps 8 to 10: is the node decided without trying its moves? Out of the PV and out of check only.
static bool prunes_node(Worker *w, Stack *stack, const Node *node, int *score)
{
    const int alpha = node->alpha, beta = node->beta, depth = node->depth, eval = node->eval;
    // 8. Razoring: so far below alpha that only tactics could help.
    if (P(w, UseRazoring) && depth <= P(w, RazorDepth) && alpha < SCORE_TB_MIN &&
        eval + P(w, RazorBase) + P(w, RazorSlope) * depth * depth < alpha) {
        *score = quiescence(w, stack, alpha, alpha + 1, 0, 0);
        if (worker_stopped(w))
            return false;
        if (*score <= alpha)
            return w->counters.razoring++, true;
    }
    // 9. Reverse futility: so far above beta that a margin can be given away.
    const int margin =
        max_int(P(w, ReverseFutilityMargin) * depth - P(w, ReverseFutilityImproving) * node->improving,
                P(w, ReverseFutilityFloor));
    if (P(w, UseReverseFutility) && !stack->was_pv && depth <= P(w, ReverseFutilityDepth) &&
        eval - margin >= beta && beta > -SCORE_TB_MIN && eval < SCORE_TB_MIN) {
        *score = beta + (eval - beta) / P(w, ReverseFutilityDivisor);
        return w->counters.reverse_futility++, true;
    }
    // 10. Null move.
    return null_move_holds(w, stack, node->cut_node, beta, depth, eval, score);
}

// Step 11: no table move at a node that deserves one: look less deep (reduction), or find one first
// (deepening).
static void make_up_for_no_tt_move(Worker *w, Stack *stack, Node *node)
{
    if (node->tt.move != MOVE_NONE || !(node->pv_node || node->cut_node) || stack->excluded != MOVE_NONE)
        return;
    if (P(w, UseIid) && node->depth >= P(w, IidDepth)) {
        search_node(w, stack, node->alpha, node->beta, node->depth - P(w, IidReduction), node->cut_node);
        if (worker_stopped(w))
            return;
        node->tt.move = read_table(w, stack).move;
        w->pv_nb[stack->ply] = 0;
    } else if (P(w, UseIir) && node->depth >= P(w, IirDepth)) {
        w->counters.iir++;
        node->depth = max_int(node->depth - P(w, IirReduction), 1);
    }
}

// Step 12, its second half: the table knows, from a search nearly as deep, a score far above beta.
static bool tt_probcut_holds(const Worker *w, const Stack *stack, const Node *node, int *score)
{
    const TtEntry *tt = &node->tt;
    *score = node->beta + P(w, TtProbCutMargin);
    return P(w, UseTtProbCut) && !node->pv_node && stack->excluded == MOVE_NONE && tt->hit &&
           (tt->bound & BOUND_LOWER) && tt->depth >= node->depth - P(w, TtProbCutDepth) &&
           tt->score != SCORE_NONE && tt->score >= *score && tt->score < SCORE_TB_MIN &&
           node->beta > -SCORE_TB_MIN && pos_tt_trust(&w->pos);
}

// Step 13: what is known of a move before it is searched.
static MoveInfo describe_move(Worker *w, const Stack *stack, const Node *node, Move move, int move_nb)
{
    const Position *pos = &w->pos;
    const bool noisy = move_is_noisy(pos, move);
    return (MoveInfo){.move = move,
                      .depth = node->depth,
                      .move_nb = move_nb,
                      .noisy = noisy,
                      .gives_check = move_gives_check(pos, move),
                      .pv_node = node->pv_node,
                      .cut_node = node->cut_node,
                      .improving = node->improving,
                      .tt_noisy = node->tt_noisy,
                      .history = noisy ? history_noisy(w, move) : history_quiet(w, stack, move),
                      .correction = node->correction < 0 ? -node->correction : node->correction,
                      .reduction = base_reduction(w, node->depth, move_nb, node->improving)};
}

// Step 15: by how many plies a move is extended, capped along the line. *cut when the singular search decides
// the node.
static int extension_of(Worker *w, Stack *stack, const Node *node, const MoveInfo *info, int *cut)
{
    const Position *pos = &w->pos;
    const Move move = info->move, before = stack[-1].move;
    int extension = 0;
    *cut = SCORE_NONE;
    if (node->root || stack->extension_nb >= P(w, ExtensionLineMax) ||
        stack->ply >= P(w, ExtensionRootFactor) * w->root_depth)
        return 0;
    if (move == node->tt.move) {
        extension = singular_extension(w, stack, &node->tt, node->beta, node->depth, node->pv_node,
                                       node->cut_node, cut);
        stack->move_nb = info->move_nb; // the singular search counted its own
        if (worker_stopped(w) || *cut != SCORE_NONE || extension != 0)
            return extension;
    }
    if (info->gives_check && P(w, UseCheckExtension) && exchange_played(w, move, 0))
        return w->counters.check_extensions++, 1;
    if (P(w, UseRecaptureExtension) && node->pv_node && info->noisy && before != MOVE_NULL &&
        before != MOVE_NONE && move_to(before) == move_to(move) && info->history > P(w, RecaptureHistory))
        return 1;
    return P(w, UseAdvanceExtension) && node->pv_node && move_is_advance(pos, move);
}

// Step 16: the move is made; searches it reduced first if it is late, then with a null window, then fully.
static int search_move(Worker *w, Stack *stack, const Node *node, const MoveInfo *info, int new_depth)
{
    const int alpha = node->alpha;
    int score = SCORE_NONE;
    if (P(w, UseLmr) && node->depth >= P(w, LmrDepth) && info->move_nb > P(w, LmrMoves) + node->root) {
        int reduced = clamp_int(new_depth - info->reduction / 1024, 1, new_depth + (node->pv_node ? 1 : 0));
        stack->reduction = new_depth - reduced;
        w->counters.lmr++;
        score = -search_node(w, stack + 1, -alpha - 1, -alpha, reduced, true);
        stack->reduction = 0;
        if (score > alpha && reduced < new_depth) {
            if (P(w, UseDeeperShallower)) {
                new_depth += score > node->best_score + P(w, DeeperMargin) + P(w, DeeperSlope) * new_depth;
                new_depth -= score < node->best_score + P(w, ShallowerMargin);
            }
            w->counters.lmr_researches++;
            if (reduced < new_depth)
                score = -search_node(w, stack + 1, -alpha - 1, -alpha, new_depth, !node->cut_node);
            if (P(w, UseResearchFeedback) && !info->noisy && !worker_stopped(w))
                history_note_research(w, stack, new_depth, score > alpha);
        }
    } else if (!node->pv_node || info->move_nb > 1)
        score = -search_node(w, stack + 1, -alpha - 1, -alpha, new_depth, !node->cut_node);
    if (node->pv_node && (info->move_nb == 1 || score > alpha)) {
        w->pv_nb[stack->ply + 1] = 0;
        score = -search_node(w, stack + 1, -node->beta, -alpha, new_depth, false);
    }
    return score;
}

// Step 17: takes note of a move's score; true when it is a cutoff.
static bool take_score(Worker *w, Stack *stack, Node *node, Move move, int score)
{
    if (score <= node->best_score)
        return false;
    node->best_score = score;
    if (score <= node->alpha)
        return false;
    node->best_move = move;
    if (node->pv_node)
        pv_set(w, stack->ply, move);
    if (score >= node->beta) {
        w->counters.beta_cutoffs++;
        w->counters.beta_cutoffs_first += stack->move_nb == 1;
        stack->cutoff_nb++;
        return true;
    }
    node->alpha = score;
    if (P(w, UseRaisedReduction) && node->depth > P(w, RaisedDepthMin) &&
        node->depth < P(w, RaisedDepthMax) && score < SCORE_TB_MIN && score > -SCORE_TB_MIN)
        // A good move is found: the rest must be better in less.
        node->depth = max_int(node->depth - P(w, RaisedReduction), 1);
    return false;
}

// Step 18: no move at all: mate, or whatever the game makes of it.
static int score_without_moves(const Worker *w, const Stack *stack, const Node *node)
{
    if (stack->excluded != MOVE_NONE)
        return node->start_alpha;
    const bool sees_all = GEN_IS_LEGAL && stack->ply >= w->blind_plies;
    if (sees_all || gen_count(&w->pos) == 0)
        return no_move_score(w, stack->ply);
    return stack->in_check ? node->start_alpha : stack->eval;
}

// Step 19: remembers what was learned, in the table and in the correction of evaluations.
static void remember_node(Worker *w, Stack *stack, const Node *node)
{
    const int score = node->best_score;
    const Bound bound = score >= node->beta                             ? BOUND_LOWER
                        : node->pv_node && node->best_move != MOVE_NONE ? BOUND_EXACT
                                                                        : BOUND_UPPER;
    if (stack->excluded != MOVE_NONE)
        return;
    const int depth = P(w, UseRaisedStore) ? node->depth : node->full_depth;
    if (!(node->root && (w->pv_index || w->root_is_partial)) && P(w, UseTt)) {
        tt_store(w->engine->tt, pos_key(&w->pos), stack->ply, node->best_move, score, stack->raw_eval, depth,
                 bound, stack->was_pv);
        if (depth >= w->engine->peer_depth)
            peers_offer(w);
    }
    if (P(w, UseCorrection) && !stack->in_check &&
        !(node->best_move != MOVE_NONE && move_is_noisy(&w->pos, node->best_move)) && score < SCORE_TB_MIN &&
        score > -SCORE_TB_MIN && !(bound == BOUND_LOWER && score <= stack->eval) &&
        !(bound == BOUND_UPPER && score >= stack->eval))
        history_update_correction(w, stack, score - stack->eval, node->depth);
}

int search_node(Worker *w, Stack *stack, int alpha, int beta, int depth, bool cut_node)
{
    Position *pos = &w->pos;
    Node node = {.alpha = alpha,
                 .beta = beta,
                 .start_alpha = alpha,
                 .depth = min_int(depth, MAX_PLY - 1),
                 .root = stack->ply == 0,
                 .pv_node = beta - alpha > 1,
                 .cut_node = cut_node,
                 .best_score = -SCORE_INFINITE,
                 .max_score = SCORE_INFINITE,
                 .best_move = MOVE_NONE};
    int score;
    assert(-SCORE_INFINITE <= alpha && alpha < beta && beta <= SCORE_INFINITE);
    assert(!(node.pv_node && cut_node));

    // 1. At the horizon quiescence takes over.
    if (depth <= 0)
        return quiescence(w, stack, alpha, beta, 0, 0);
    w->pv_nb[stack->ply] = 0;

    // 2. Stopped, or too deep?
    if (worker_stopped(w))
        return 0;
    stack->in_check = pos_in_check(pos);
    if (node.pv_node)
        w->seldepth = max_int(w->seldepth, stack->ply + 1);
    if (stack->ply >= MAX_PLY - 1)
        return stack->in_check ? draw_score(w) : corrected_eval(w, stack, worker_evaluate(w));

    // 3. Rules: repetition, move-count limits, dead positions; a draw or a mate that bounds the window.
    if (!node.root && judged_by_rules(w, stack, &node.alpha, &node.beta, &score))
        return score;
    prepare_children(stack);
    const int reduction_here = node.root ? 0 : stack[-1].reduction;
    if (!node.root)
        stack[-1].reduction = 0;

    // 4. Table.
    if (tt_answers(w, stack, &node))
        return node.tt.score;

    // 5. Outside knowledge, and wins that need no search.
    if (!node.root && tb_decide(w, stack, &node.alpha, node.beta, node.depth, node.pv_node, &node.best_score,
                                &node.max_score, &score))
        return score;
    if (!node.root && !node.tt.hit && stack->excluded == MOVE_NONE &&
        wins_at_once(w, stack, node.pv_node, &score))
        return score;

    // 6. to 10. Static evaluation, and what it decides alone: hindsight, razoring, reverse futility, null
    // move.
    evaluate_node(w, stack, &node);
    if (!stack->in_check && stack->excluded == MOVE_NONE && !node.root) {
        node.depth = hindsight_depth(w, stack, &node, reduction_here);
        if (!node.pv_node && prunes_node(w, stack, &node, &score))
            return score;
        if (worker_stopped(w))
            return 0;
    }

    // 11. No table move: internal reduction or deepening.
    make_up_for_no_tt_move(w, stack, &node);

    // 12. ProbCut, by a shallow search of captures or by what the table says.
    if (!node.pv_node && !stack->in_check && stack->excluded == MOVE_NONE &&
        probcut_holds(w, stack, node.beta, node.depth, &node.tt, node.improving, &score))
        return score;
    if (worker_stopped(w))
        return 0;
    if (tt_probcut_holds(w, stack, &node, &score))
        return score;

    // 13. The moves.
    Picker picker;
    if (!node.root)
        picker_init(&picker, w, stack, node.tt.move);
    MoveList quiets = {0}, noisies = {0};
    int root_index = w->pv_index;
    node.full_depth = node.depth;
    stack->move_nb = 0; // a verification or a deepening of this node counted its own
    for (Move move; (move = next_move(w, &picker, node.root, &root_index)) != MOVE_NONE;) {
        if (move == stack->excluded || worker_overlooks(w, stack, move))
            continue;
        MoveInfo info = describe_move(w, stack, &node, move, ++stack->move_nb);
        if (node.root)
            engine_report_current(w->engine, w->id == 0 ? w->root_depth : 0, move,
                                  info.move_nb + w->pv_index);

        // 14. Moves that need no search, once there is one that does not lose.
        if (!node.root && node.best_score > -SCORE_TB_MIN &&
            prunes_move(w, stack, &picker, move, &info, node.alpha, &node.best_score))
            continue;

        // 15. Extensions.
        int cut;
        const int extension = extension_of(w, stack, &node, &info, &cut);
        if (worker_stopped(w))
            return 0;
        if (cut != SCORE_NONE)
            return cut;
        stack[1].extension_nb = stack->extension_nb + max_int(extension, 0);

        // 16. Make the move and search it.
        const u64 nodes_before = atomic_load_explicit(&w->nodes, memory_order_relaxed);
        stack->stat_score = info.history;
        info.reduction = late_reduction(w, stack, info.reduction, &info);
        make_move(w, stack, move);
        stack[1].arrived_noisy = info.noisy;
        score = search_move(w, stack, &node, &info, node.depth - 1 + extension);
        unmake_move(w, stack);
        if (worker_stopped(w))
            return 0;
        assert(score > -SCORE_INFINITE && score < SCORE_INFINITE);

        // 17. A better move?
        if (node.root)
            root_note_move(w, &w->root[root_index - 1], score, node.alpha, node.beta, info.move_nb,
                           atomic_load_explicit(&w->nodes, memory_order_relaxed) - nodes_before);
        if (take_score(w, stack, &node, move, score))
            break;
        if (move != node.best_move)
            move_list_add(info.noisy ? &noisies : &quiets, move);
    }

    // 18. No move at all.
    if (stack->move_nb == 0)
        return score_without_moves(w, stack, &node);
    if (node.best_score == -SCORE_INFINITE)
        node.best_score = node.start_alpha;

    // 19. Remember what was learned.
    if (node.best_move != MOVE_NONE)
        history_update(w, stack, node.best_move, node.depth, &quiets, &noisies);
    else if (!node.root && (P(w, UseExcludedReward) || stack->excluded == MOVE_NONE))
        history_reward_previous(w, stack, node.depth);
    if (node.pv_node)
        node.best_score = min_int(node.best_score, node.max_score);
    if (P(w, UseCutoffBlend) && node.best_score >= node.beta && node.best_score < SCORE_TB_MIN &&
        node.beta > -SCORE_TB_MIN && !node.root)
        node.best_score = (node.best_score * node.depth + node.beta) / (node.depth + 1);
    if (node.best_score <= node.start_alpha && stack->excluded == MOVE_NONE)
        stack->was_pv =
            stack->was_pv || (!node.root && stack[-1].was_pv && node.depth > P(w, InheritPvDepth));
    remember_node(w, stack, &node);
    assert(node.best_score > -SCORE_INFINITE && node.best_score < SCORE_INFINITE);
    return node.best_score;
}

int search_root(Worker *w, int alpha, int beta, int depth)
{
    return search_node(w, &w->stack[STACK_BEFORE], alpha, beta, depth, false);
}
