// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a file into a study, and judging its moves. A move is judged by the share of a win it gives away:
// what the mover could expect with the best move, less what is left after the move played. Everything is
// integers in permille, so that the same findings give the same report anywhere.
#include "analysis/analysis.h"

#include <math.h>
#include <stdlib.h>

#include "games/notation.h"
#include "session/course.h"
#include "session/phrases.h"

// What a move may lose, in permille of a win, before it earns a mark; and by how much an only move must stand
// out.
enum {
    LOSS_DUBIOUS = 50,
    LOSS_MISTAKE = 100,
    LOSS_BLUNDER = 200,
    GOOD_MARGIN = 120,
    GOOD_LEAST = 250,
    REMARK_LINE = 6
};
// A move that loses this much is half accurate.
static const double ACCURACY_HALF = 150.0;

// ---- tasks of positions: reading ----------------------------------------------------------------
// The next word of a task, without the sign between it and the next.
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

// Can the task be solved and its words be read? Asked before the search: what is wrong is told, and not
// counted.
static void check_task(AnalysedGame *game)
{
    const Record *record = &game->record;
    const char *best = record_tag(record, "bm"), *avoid = record_tag(record, "am"),
               *mate = record_tag(record, "dm");
    Message *message = &game->task_error;
    i64 moves;
    game->has_task = best || avoid || mate;
    if (!game->has_task)
        return;
    Course course = {0};
    course_start(&course, &record->start);
    Verdict verdict = game_outcome(&course.pos, &course.keys);
    course_free(&course);
    if (verdict.outcome != OUTCOME_NONE)
        game->has_task = message_set(message, "the game is over here: %s", words_reason(verdict));
    else if (mate && (!span_int(span_of(mate), -500, 500, &moves) || moves == 0))
        game->has_task = message_set(message, "dm: '%.40s' is no number of moves", mate);
    else
        game->has_task = (!best || check_moves(&record->start, "bm", best, message)) &&
                         (!avoid || check_moves(&record->start, "am", avoid, message));
}

// ---- reading ------------------------------------------------------------------------------------
static int count_lines(const char *from, const char *to)
{
    int nb = 0;
    for (const char *at = from; (at = memchr(at, '\n', (size_t)(to - at))) != NULL; at++)
        nb++;
    return nb;
}

// Where the next game starts, white space left out, for line numbers.
static const char *text_start(Span rest)
{
    while (rest.len && (*rest.ptr == ' ' || (*rest.ptr >= '\t' && *rest.ptr <= '\r')))
        rest.ptr++, rest.len--;
    return rest.ptr;
}

// A position of a list is one line, remarks left out. What takes more, and could not be read, was meant as a
// game.
static bool is_one_line(const char *from, const char *to)
{
    Span rest = {from, (size_t)(to - from)}, line;
    int nb = 0;
    while (span_line(&rest, &line)) {
        line = span_trim(line);
        nb += line.len && line.ptr[0] != '#' && line.ptr[0] != '%';
    }
    return nb <= 1;
}

static bool has_players(const Record *record)
{
    return record_tag(record, words_side(0)) || record_tag(record, words_side(1));
}

bool analysis_load(Analysis *analysis, Span text, Message *message)
{
    Rules rules = rules_default();
    Span rest = text;
    int capacity = 0, line = 1;
    const char *counted = text.ptr;
    if (span_trim(text).len == 0)
        return message_set(message, "the file is empty");
    if (memchr(text.ptr, '\0', text.len < 4096 ? text.len : 4096))
        return message_set(message, "the file is binary: expected games or positions as text");
    for (;;) {
        if (analysis->game_nb == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            AnalysedGame *grown = realloc(analysis->game, (size_t)capacity * sizeof *grown);
            if (!grown)
                return message_set(message, "not enough memory for %d games", capacity);
            analysis->game = grown;
        }
        AnalysedGame *game = &analysis->game[analysis->game_nb];
        const char *start = text_start(rest);
        *game = (AnalysedGame){.number = analysis->game_nb + 1};
        if (!record_read(&rest, &rules, &game->record)) {
            record_free(&game->record);
            break;
        }
        words_disarm(game->record.error.text, strlen(game->record.error.text));
        game->is_skipped = game->record.move_nb == 0 && game->record.error.text[0];
        game->is_position = game->record.move_nb == 0 && !has_players(&game->record) &&
                            (!game->is_skipped || is_one_line(start, rest.ptr));
        // Comments may stand before a game. Of a position its own line is told: the last one read.
        const char *place = game->is_position && rest.ptr > start ? rest.ptr - 1 : start;
        line += count_lines(counted, place);
        counted = place;
        game->line = line;
        if (game->is_position && !game->is_skipped)
            check_task(game);
        words_disarm(game->task_error.text, strlen(game->task_error.text));
        analysis->game_nb++;
    }
    if (analysis->game_nb == 0)
        return message_set(message, "there is no game and no position in the file");
    return true;
}

void analysis_free(Analysis *analysis)
{
    for (int i = 0; i < analysis->game_nb; i++) {
        record_free(&analysis->game[i].record);
        free(analysis->game[i].finding);
        free(analysis->game[i].judgement);
    }
    free(analysis->game);
    free(analysis->finding);
    *analysis = (Analysis){0};
}

// ---- judging ------------------------------------------------------------------------------------
// The answer any player gives: taking back on the same square, taking what hangs, or leaving a check.
static bool is_obvious(const Position *pos, Move move, Move previous)
{
    if (pos_in_check(pos))
        return true;
    if (!move_captured(pos, move))
        return false;
    return (previous != MOVE_NONE && move_to(move) == move_to(previous)) || see_ge(pos, move, 100);
}

static Mark judge_mark(const MoveVerdict *judgement, const PositionResult *finding, const Position *pos,
                       Move move, Move previous)
{
    if (judgement->loss >= LOSS_BLUNDER)
        return MARK_BLUNDER;
    if (judgement->loss >= LOSS_MISTAKE)
        return MARK_MISTAKE;
    if (judgement->loss >= LOSS_DUBIOUS)
        return MARK_DUBIOUS;
    bool mates_at_once = finding->score == SCORE_MATE - 1;
    if (!judgement->is_best || finding->second == SCORE_NONE || mates_at_once ||
        is_obvious(pos, move, previous))
        return MARK_NONE;
    int sign = pos_side(pos) == 0 ? 1 : -1,
        mover = pos_side(pos) == 0 ? judgement->before : 1000 - judgement->before;
    int margin = sign * (judgement->before - words_expectation(finding->second, pos));
    return margin >= GOOD_MARGIN && mover >= GOOD_LEAST ? MARK_GOOD : MARK_NONE;
}

// The biggest losses, at most TURNING_MAX, in the order of the game.
static void find_turning_points(AnalysedGame *game)
{
    game->turning_nb = 0;
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        if (game->judgement[ply].loss < LOSS_MISTAKE)
            continue;
        if (game->turning_nb < TURNING_MAX) {
            game->turning[game->turning_nb++] = ply;
            continue;
        }
        int least = 0;
        for (int i = 1; i < TURNING_MAX; i++)
            if (game->judgement[game->turning[i]].loss < game->judgement[game->turning[least]].loss)
                least = i;
        if (game->judgement[ply].loss <= game->judgement[game->turning[least]].loss)
            continue;
        for (int i = least; i + 1 < TURNING_MAX; i++)
            game->turning[i] = game->turning[i + 1];
        game->turning[TURNING_MAX - 1] = ply;
    }
}

static void judge_game(const Analysis *analysis, AnalysedGame *game)
{
    Position pos = game->record.start;
    double sum[SIDE_NB] = {0};
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        const PositionResult *now = analysis_finding(analysis, game, ply),
                             *next = analysis_finding(analysis, game, ply + 1);
        MoveVerdict *judgement = &game->judgement[ply];
        Move move = game->record.move[ply].move;
        int side = pos_side(&pos);
        PlayerSummary *player = &game->player[side];
        Position after = pos;
        Undo undo;
        pos_make(&after, move, &undo, NULL);
        *judgement = (MoveVerdict){.before = words_expectation(now->score, &pos),
                                   .after = words_expectation(next->score, &after)};
        judgement->is_best = now->line_nb && now->line[0] == move;
        int loss = side == 0 ? judgement->before - judgement->after : judgement->after - judgement->before;
        judgement->loss = judgement->is_best ? 0 : max_int(loss, 0);
        judgement->mark =
            judge_mark(judgement, now, &pos, move, ply ? game->record.move[ply - 1].move : MOVE_NONE);
        player->mark_nb[judgement->mark]++;
        player->move_nb++;
        sum[side] += 100.0 * exp2(-judgement->loss / ACCURACY_HALF);
        pos = after;
    }
    for (int side = 0; side < SIDE_NB; side++)
        game->player[side].accuracy =
            game->player[side].move_nb ? sum[side] / game->player[side].move_nb : 0.0;
    find_turning_points(game);
}

// ---- tasks of positions: judging ----------------------------------------------------------------
static bool solves_mate(const PositionResult *finding, i64 moves)
{
    if (!score_is_mate(finding->score))
        return false;
    int plies = score_mate_plies(finding->score), found = (plies + (plies > 0 ? 1 : -1)) / 2;
    return moves > 0 ? found > 0 && found <= moves : found < 0 && found >= moves;
}

static bool names_best(const AnalysedGame *game, const PositionResult *finding, const char *words)
{
    Span rest = span_of(words);
    for (Span word = task_word(&rest); word.len; word = task_word(&rest)) {
        i64 moves;
        if (mate_wanted(word, &moves)
                ? solves_mate(finding, moves)
                : finding->line_nb && move_parse_human(&game->record.start, word) == finding->line[0])
            return true;
    }
    return false;
}

static void judge_task(const Analysis *analysis, AnalysedGame *game)
{
    const PositionResult *finding = analysis_finding(analysis, game, 0);
    const char *best = record_tag(&game->record, "bm"), *avoid = record_tag(&game->record, "am"),
               *mate = record_tag(&game->record, "dm");
    i64 moves;
    game->is_solved = game->has_task;
    if (!game->has_task)
        return;
    if (best)
        game->is_solved &= names_best(game, finding, best);
    if (avoid)
        game->is_solved &= !names_best(game, finding, avoid);
    if (mate && span_int(span_of(mate), -500, 500, &moves))
        game->is_solved &= solves_mate(finding, moves);
}

void analysis_judge(Analysis *analysis)
{
    for (int i = 0; i < analysis->game_nb; i++) {
        AnalysedGame *game = &analysis->game[i];
        if (game->is_skipped)
            continue;
        if (game->is_position)
            judge_task(analysis, game);
        else
            judge_game(analysis, game);
    }
}

// ---- words --------------------------------------------------------------------------------------
const char *mark_text(Mark mark)
{
    static const char *const TEXTS[MARK_NB] = {"", "!", "?", "", "??", "", "?!"};
    return TEXTS[mark];
}

const char *mark_word(Mark mark)
{
    static const char *const WORDS[MARK_NB] = {"", "Good move", "Mistake", "", "Blunder", "", "Dubious move"};
    return WORDS[mark];
}

void analysis_remark(const Analysis *analysis, const AnalysedGame *game, const Position *pos, int ply,
                     Text *out)
{
    const MoveVerdict *judgement = &game->judgement[ply];
    const PositionResult *now = analysis_finding(analysis, game, ply),
                         *next = analysis_finding(analysis, game, ply + 1);
    if (judgement->mark == MARK_GOOD) {
        text_add(out, "The only good move.");
        return;
    }
    if (judgement->mark == MARK_NONE || now->line_nb == 0)
        return;
    bool had_mate = score_is_mate(now->score) && now->score > 0,
         gets_mated = score_is_mate(next->score) && next->score > 0;
    if (had_mate)
        text_add(out, "Misses mate in %d.", (score_mate_plies(now->score) + 1) / 2);
    else if (gets_mated)
        text_add(out, "Allows mate in %d.", (score_mate_plies(next->score) + 1) / 2);
    else
        text_add(out, "%s: %d%% of a win lost.", mark_word(judgement->mark), (judgement->loss + 5) / 10);
    text_add(out, " Better was ");
    words_line(pos, now->line, now->line_nb, REMARK_LINE, out);
    text_add(out, ".");
}

static bool take(Span *rest, const char *prefix)
{
    if (!span_starts(*rest, prefix))
        return false;
    *rest = (Span){rest->ptr + strlen(prefix), rest->len - strlen(prefix)};
    return true;
}

// Takes what analysis_remark or the annotated games once said off the front.
static bool take_remark(Span *rest)
{
    Span at = *rest;
    if (take(rest, "The only good move."))
        return true;
    if ((take(&at, words_side(0)) || take(&at, words_side(1))) && take(&at, " wins by rule.")) {
        *rest = at;
        return true;
    }
    bool is_mate = take(&at, "Misses mate in ") || take(&at, "Allows mate in ");
    bool is_loss =
        !is_mate && (take(&at, "Blunder: ") || take(&at, "Mistake: ") || take(&at, "Dubious move: "));
    while (at.len && *at.ptr >= '0' && *at.ptr <= '9')
        at.ptr++, at.len--;
    if (!(is_mate && take(&at, ".")) && !(is_loss && take(&at, "% of a win lost.")))
        return false;
    if (!take(&at, " Better was "))
        return false;
    // The line ends with a word that has a full stop and is no number of a move.
    for (Span word = span_word(&at); word.len; word = span_word(&at)) {
        if (word.ptr[word.len - 1] != '.' || strspn(word.ptr, "0123456789.") >= word.len)
            continue;
        *rest = at;
        return true;
    }
    return false;
}

static bool take_command(Span *rest, bool only_eval)
{
    const char *close =
        span_starts(*rest, only_eval ? "[%eval" : "[%") ? memchr(rest->ptr, ']', rest->len) : NULL;
    if (close)
        *rest = (Span){close + 1, rest->len - (size_t)(close + 1 - rest->ptr)};
    return close != NULL;
}

static void add_part(Text *out, const char *from, const char *to)
{
    Span part = span_trim((Span){from, (size_t)(to - from)});
    if (part.len && out->len)
        text_add(out, " ");
    text_add_bytes(out, part.ptr, part.len);
}

void analysis_words(const char *comment, bool keep_commands, Text *out)
{
    Span rest = span_of(comment ? comment : "");
    const char *kept = rest.ptr; // from here on nothing is written yet
    while (rest.len) {
        const char *at = rest.ptr;
        if (take_command(&rest, keep_commands) || take_remark(&rest)) {
            add_part(out, kept, at);
            kept = rest.ptr;
        } else {
            rest.ptr++, rest.len--;
        }
    }
    add_part(out, kept, rest.ptr);
}

void analysis_task(const AnalysedGame *game, Text *out)
{
    static const char *const ASKED[][2] = {{"bm", "best is"}, {"am", "avoid"}, {"dm", "mate in"}};
    const size_t start = out->len;
    for (int i = 0; i < 3; i++) {
        const char *value = record_tag(&game->record, ASKED[i][0]);
        const bool is_mated = i == 2 && value && *value == '-';
        if (value)
            text_add(out, "%s%s %s", out->len > start ? ", " : "", is_mated ? "mated in" : ASKED[i][1],
                     value + is_mated);
    }
}

// A score such as 1-0 is everyone's. Other words for an end belong to a format of files: who won is said
// instead.
static void add_result(const Record *record, Text *out)
{
    const bool is_score = record->result_word[0] && strchr("01*", record->result_word[0]);
    const int winner = result_winner(record->result);
    if (is_score)
        text_add(out, ", %s", record->result_word);
    else if (winner >= 0)
        text_add(out, ", %s wins", words_side(winner));
    else if (record->result == RESULT_DRAW)
        text_add(out, ", drawn");
}

void analysis_title(const AnalysedGame *game, Text *out)
{
    const char *first = record_tag(&game->record, words_side(0)),
               *second = record_tag(&game->record, words_side(1));
    const char *id = record_tag(&game->record, "id"), *event = record_tag(&game->record, "Event");
    if (first || second)
        text_add(out, "%s - %s", first ? first : "?", second ? second : "?");
    else if (id)
        text_add(out, "%s", id);
    else if (event)
        text_add(out, "%s", event);
    else
        text_add(out, game->is_position ? "Position %d" : "Unnamed", game->number);
    if (!game->is_position)
        add_result(&game->record, out);
}
