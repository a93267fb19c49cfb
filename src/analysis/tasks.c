// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks of positions: best moves (bm), moves to avoid (am) and mates (dm) that a list of positions asks
// for. A task is read before the search, so that a mistake in it is told and not counted as a failure.
#include "analysis/tasks.h"

#include "games/notation.h"
#include "session/phrases.h"

// ---- reading ------------------------------------------------------------------------------------
// The next word of a task, without the comma or semicolon behind it.
static Span task_word(Span *rest)
{
    Span word = span_word(rest);
    while (word.len && (word.ptr[word.len - 1] == ',' || word.ptr[word.len - 1] == ';'))
        word.len--;
    return word;
}

// "#3" asks for a mate in three moves, "#-3" says that the side to move is mated in three.
static bool mate_wanted(Span word, i64 *moves)
{
    return word.len >= 2 && *word.ptr == '#' &&
           span_int((Span){word.ptr + 1, word.len - 1}, -500, 500, moves) && *moves != 0;
}

static bool check_moves(const Position *pos, const char *name, const char *words, Message *message)
{
    Span rest = span_of(words);
    int nb = 0;
    for (Span word = task_word(&rest); word.len; word = task_word(&rest), nb++) {
        i64 moves;
        Move move = move_parse_human(pos, word);
        if (move == MOVE_NONE && !mate_wanted(word, &moves))
            return message_set(message, "%s: '%.*s' is no legal move here", name,
                               (int)(word.len < 40 ? word.len : 40), word.ptr);
    }
    return nb > 0 || message_set(message, "%s names no move", name);
}

void task_check(AnalysedGame *game)
{
    const Record *record = &game->record;
    const char *best = record_tag(record, "bm"), *avoid = record_tag(record, "am"),
               *mate = record_tag(record, "dm");
    Message *message = &game->task_error;
    i64 moves;
    game->has_task = best || avoid || mate;
    if (!game->has_task)
        return;
    Verdict verdict = game_outcome(&record->start, &(KeyHistory){0});
    if (verdict.outcome != OUTCOME_NONE)
        game->has_task = message_set(message, "the game is over here: %s", phrase_reason(verdict));
    else if (mate && (!span_int(span_of(mate), -500, 500, &moves) || moves == 0))
        game->has_task = message_set(message, "dm: '%.40s' is no number of moves", mate);
    else
        game->has_task = (!best || check_moves(&record->start, "bm", best, message)) &&
                         (!avoid || check_moves(&record->start, "am", avoid, message));
}

// ---- judging ------------------------------------------------------------------------------------
static bool solves_mate(const PositionResult *result, i64 moves)
{
    if (!score_is_mate(result->score))
        return false;
    int plies = score_mate_plies(result->score), found = (plies + (plies > 0 ? 1 : -1)) / 2;
    return moves > 0 ? found > 0 && found <= moves : found < 0 && found >= moves;
}

static bool names_best(const AnalysedGame *game, const PositionResult *result, const char *words)
{
    Span rest = span_of(words);
    for (Span word = task_word(&rest); word.len; word = task_word(&rest)) {
        i64 moves;
        if (mate_wanted(word, &moves)
                ? solves_mate(result, moves)
                : result->line_nb && move_parse_human(&game->record.start, word) == result->line[0])
            return true;
    }
    return false;
}

void task_judge(const Analysis *analysis, AnalysedGame *game)
{
    const PositionResult *result = analysis_result(analysis, game, 0);
    const char *best = record_tag(&game->record, "bm"), *avoid = record_tag(&game->record, "am"),
               *mate = record_tag(&game->record, "dm");
    i64 moves;
    game->is_solved = game->has_task;
    if (!game->has_task)
        return;
    if (best)
        game->is_solved &= names_best(game, result, best);
    if (avoid)
        game->is_solved &= !names_best(game, result, avoid);
    if (mate && span_int(span_of(mate), -500, 500, &moves))
        game->is_solved &= solves_mate(result, moves);
}

// ---- in words -----------------------------------------------------------------------------------
void task_print(const AnalysedGame *game, Text *out)
{
    static const char *const ASKED[][2] = {{"bm", "best is %s"}, {"am", "avoid %s"}, {"dm", "mate in %s"}};
    const size_t start = out->len;
    for (int i = 0; i < 3; i++) {
        const char *value = record_tag(&game->record, ASKED[i][0]);
        const bool is_mated = i == 2 && value && *value == '-';
        if (!value)
            continue;
        text_add(out, "%s", out->len > start ? ", " : "");
        text_add(out, said(is_mated ? "mated in %s" : ASKED[i][1]), value + is_mated);
    }
}
