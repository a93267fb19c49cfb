// SPDX-License-Identifier: GPL-3.0-or-later
// The progress file of an analysis. Results are written as they come, so they stand in the order of the
// batches; a later run reads along with its own batches and never holds more than a limited number of lines.
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/evaluate.h"

// ---- lines --------------------------------------------------------------------------------------
// Key, score, second score, score of the look before, depth, nodes; then each line as its score, how many
// moves it has and the moves. The best line comes first.
static const JournalHead HEAD = {"twofold-" GAME_NAME " analyse 3", ""};

static bool parse_score(Span *rest, int *score)
{
    i64 value;
    if (!span_int(span_word(rest), -SCORE_INFINITE, SCORE_NONE, &value))
        return false;
    *score = (int)value;
    return true;
}

static bool parse_moves(Span *rest, int *move_nb, Move *moves)
{
    i64 nb;
    u64 move;
    if (!span_int(span_word(rest), 0, RESULT_LINE_MAX, &nb))
        return false;
    for (int i = 0; i < nb; i++) {
        if (!span_hex(span_word(rest), &move) || move > 0xFFFF)
            return false;
        moves[i] = (Move)move;
    }
    *move_nb = (int)nb;
    return true;
}

static bool parse_line(Span rest, KeptResult *kept)
{
    PositionResult *result = &kept->result;
    i64 depth, nodes;
    *result = (PositionResult){0};
    if (!span_hex(span_word(&rest), &kept->key) || !parse_score(&rest, &result->score) ||
        !parse_score(&rest, &result->second) || !parse_score(&rest, &result->earlier) ||
        !span_int(span_word(&rest), 0, 1000, &depth) || !span_int(span_word(&rest), 0, INT64_MAX, &nodes) ||
        !parse_moves(&rest, &result->line_nb, result->line))
        return false;
    result->depth = (int)depth;
    result->nodes = (u64)nodes;
    for (Span more = rest; span_word(&more).len; more = rest) {
        OtherLine *other = &result->other[result->other_nb];
        if (result->other_nb == RESULT_OTHERS_MAX || !parse_score(&rest, &other->score) ||
            !parse_moves(&rest, &other->move_nb, other->move))
            return false;
        result->other_nb++;
    }
    return true;
}

static void print_moves(const Move *moves, int nb, Text *out)
{
    text_add(out, " %d", nb);
    for (int i = 0; i < nb; i++)
        text_add(out, " %04x", moves[i]);
}

static void print_line(u64 key, const PositionResult *result, Text *out)
{
    text_add(out, "%016" PRIx64 " %d %d %d %d %" PRIu64, key, result->score, result->second, result->earlier,
             result->depth, result->nodes);
    print_moves(result->line, result->line_nb, out);
    for (int i = 0; i < result->other_nb; i++) {
        text_add(out, " %d", result->other[i].score);
        print_moves(result->other[i].move, result->other[i].move_nb, out);
    }
}

// ---- reading ------------------------------------------------------------------------------------
// Is it a result that the jobs of now wait for?
static bool take_kept(Evaluator *evaluator, const KeptResult *kept)
{
    int at = evaluator->slot_nb ? evaluator->slot[evaluator_slot(evaluator, kept->key)] : 0;
    if (!at || evaluator->job[at - 1].is_done)
        return at > 0;
    evaluator_settle(evaluator, &evaluator->job[at - 1], &kept->result);
    evaluator->resumed_nb++;
    return true;
}

static void take_ahead(Evaluator *evaluator)
{
    int left = 0;
    for (int i = 0; i < evaluator->ahead_nb; i++)
        if (!take_kept(evaluator, &evaluator->ahead[i]))
            evaluator->ahead[left++] = evaluator->ahead[i];
    evaluator->ahead_nb = left;
}

// What is of no use now may be of use to the next batch. The oldest go when there are too many.
static void keep_ahead(Evaluator *evaluator, const KeptResult *kept)
{
    if (evaluator->ahead_nb == AHEAD_MAX) {
        evaluator->ahead_nb = AHEAD_MAX / 2;
        memmove(evaluator->ahead, evaluator->ahead + AHEAD_MAX / 2,
                (size_t)evaluator->ahead_nb * sizeof *evaluator->ahead);
    }
    evaluator->ahead[evaluator->ahead_nb++] = *kept;
}

static bool has_open_job(const Evaluator *evaluator)
{
    for (int i = evaluator->first_job; i < evaluator->job_nb; i++)
        if (!evaluator->job[i].is_done)
            return true;
    return false;
}

// Tells once whether an earlier run was of use.
static void tell_use(Evaluator *evaluator)
{
    const EvaluateOptions *options = evaluator->options;
    Message why = {0};
    if (evaluator->was_told)
        return;
    evaluator->was_told = true;
    if (evaluator->resumed_nb && options->progress)
        fprintf(options->progress, said("going on: %lld of %lld positions were searched before\n"),
                (long long)min_i64(max_i64(evaluator->line_nb, evaluator->resumed_nb), evaluator->total_nb),
                (long long)evaluator->total_nb);
    if (!evaluator->resumed_nb) {
        message_set(&why, "'%s' is of other settings or other games: starting over", options->state_path);
        evaluator_note(evaluator, why.text);
    }
}

void journal_resume(Evaluator *evaluator)
{
    Span line;
    if (!evaluator->line_nb)
        return;
    take_ahead(evaluator);
    // A stretch without a line for us is of another batch or of another run.
    for (int unused = 0;
         unused < AHEAD_MAX && has_open_job(evaluator) && journal_next(&evaluator->reader, &line);) {
        KeptResult kept;
        if (!parse_line(line, &kept))
            continue;
        bool is_ours = take_kept(evaluator, &kept);
        unused = is_ours ? 0 : unused + 1;
        if (!is_ours)
            keep_ahead(evaluator, &kept);
    }
    tell_use(evaluator);
}

static void count_line(void *context, Span line)
{
    KeptResult kept;
    *(i64 *)context += parse_line(line, &kept);
}

bool journal_prepare(Evaluator *evaluator, Message *message)
{
    const EvaluateOptions *options = evaluator->options;
    Message why = {0};
    if (!options->state_path)
        return true;
    JournalFound found = journal_read(options->state_path, HEAD, count_line, &evaluator->line_nb, message);
    if (found == JOURNAL_FOREIGN || found == JOURNAL_OTHER)
        return message_set(message,
                           "'%s' is no progress file of this version of the program: name another one with "
                           "--state, or remove it",
                           options->state_path);
    if (found == JOURNAL_FAILED)
        return false;
    if (evaluator->line_nb) {
        evaluator->ahead = malloc(AHEAD_MAX * sizeof *evaluator->ahead);
        if (!evaluator->ahead)
            return message_set(message, "not enough memory for the progress file");
        if (journal_begin(&evaluator->reader, options->state_path, HEAD, message) != JOURNAL_READ)
            return false;
    }
    evaluator->is_journaling = journal_open(&evaluator->journal, options->state_path, HEAD, message);
    if (!evaluator->is_journaling) {
        message_set(&why, "%.300s; an interrupted run will have to start again", message->text);
        evaluator_note(evaluator, why.text);
    }
    return true;
}

// ---- writing ------------------------------------------------------------------------------------
void journal_keep(Evaluator *evaluator, const EvaluateJob *job, const PositionResult *result)
{
    Text line = {0};
    print_line(job->key, result, &line);
    if (evaluator->is_journaling && (line.failed || !journal_add(&evaluator->journal, text_span(&line)))) {
        evaluator->is_journaling = false;
        evaluator_note(evaluator, "the progress file cannot be written any more; going on without it");
    }
    text_free(&line);
}

void evaluate_forget(const EvaluateOptions *options)
{
    if (options->state_path && os_has_file(options->state_path)) // remove would also delete a device
        os_remove(options->state_path);
}
