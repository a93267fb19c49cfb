// SPDX-License-Identifier: GPL-3.0-or-later
// Games of the library as people keep them: moves in other notations, records read and written, whole games
// analysed. See library.h.
#include <stdlib.h>

#include "analysis/analysis.h"
#include "library/library.h"

enum { ANALYSE_NODES = 100000 }; // for each position, when the caller leaves it open

// ---- moves in other notations -------------------------------------------------------------------
// The next move of the text in any spelling, played in `game`. Blanks divide moves, but a move may have one
// inside
// ("the same" of Japanese notation is often followed by one). False with a sentence.
static bool play_next(Game *game, Span *rest, Message *why)
{
    Span word = span_word(rest);
    while (word.len && !move_number_skip(word).len) // a number alone
        word = span_word(rest);
    if (!word.len)
        return true;
    Message pair_why;
    Move move = move_parse_typed(game, word, why);
    if (move == MOVE_NONE) {
        Span after = *rest, second = span_word(&after);
        Span pair = {word.ptr, second.len ? (size_t)(second.ptr + second.len - word.ptr) : 0};
        move = pair.len ? move_parse_typed(game, pair, &pair_why) : MOVE_NONE;
        if (move != MOVE_NONE)
            *rest = after;
    }
    if (move == MOVE_NONE)
        return false;
    return game_play(game, move) || message_set(why, "not enough memory for the game");
}

static int convert(HANDLE *engine, const char *moves, int notation, const char **text)
{
    const Game *game = &engine->session.game;
    Game copy = {0};
    Message why = {0};
    int status = TWOFOLD_OK;
    if (!moves || !text)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT,
                            "a conversion needs moves and a place for the text");
    if (notation < TWOFOLD_PROTOCOL || notation > TWOFOLD_JAPANESE)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "%d is no notation", notation);
    if (!game_copy(&copy, game)) {
        game_free(&copy);
        return library_fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the game");
    }
    for (Span rest = span_trim(span_of(moves)); status == TWOFOLD_OK && rest.len; rest = span_trim(rest))
        if (!play_next(&copy, &rest, &why))
            status = library_fail(engine, TWOFOLD_BAD_MOVE, "move %d: %.400s",
                                  copy.move_nb - game->move_nb + 1, why.text);
    if (status == TWOFOLD_OK) {
        text_clear(&engine->text);
        line_print_from(&game->pos, copy.move + game->move_nb, copy.move_nb - game->move_nb,
                        (LineStyle){.is_human = notation == TWOFOLD_HUMAN,
                                    .is_japanese = notation == TWOFOLD_JAPANESE,
                                    .last = game->move_nb ? game->move[game->move_nb - 1] : MOVE_NONE},
                        &engine->text);
        status = library_hand_out(engine, text);
    }
    game_free(&copy);
    return status;
}

int API(convert)(HANDLE *engine, const char *moves, int notation, const char **text)
{
    int status = library_take(engine);
    return status == TWOFOLD_OK ? library_give(engine, convert(engine, moves, notation, text)) : status;
}

// ---- reading ------------------------------------------------------------------------------------
void library_forget_sheet(HANDLE *engine)
{
    record_free(&engine->sheet);
    engine->sheet = (Record){0};
}

// The moves of a record in a game of their own; false when there is no memory.
static bool replay(const Record *record, Game *game)
{
    game_start(game, &record->start);
    for (int i = 0; i < record->move_nb; i++)
        if (!game_play(game, record->move[i].move))
            return false;
    return true;
}

static int read_record(HANDLE *engine, const char *text, size_t size, size_t *at)
{
    Record record = {0};
    Game game = {0};
    int status = TWOFOLD_OK;
    if (!text)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "there is no text to read");
    const size_t start = at ? *at : 0;
    if (start > size)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "the text has %zu bytes and no place %zu", size,
                            start);
    if (start == 0 && memchr(text, '\0', size))
        return library_fail(engine, TWOFOLD_BAD_RECORD, "the text is binary: expected games as text");
    Span rest = {text + start, size - start};
    if (!record_read(&rest, &engine->session.rules, &record))
        status = library_fail(engine, TWOFOLD_NO_RECORD,
                              start ? "the text has no further game" : "there is no game in the text");
    else if (record.error.text[0])
        status = library_fail(engine, TWOFOLD_BAD_RECORD, "%s", record.error.text);
    else if (!replay(&record, &game))
        status = library_fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the game");
    if (at && status != TWOFOLD_NO_RECORD)
        *at = size - rest.len;
    if (status == TWOFOLD_OK) {
        library_forget_sheet(engine);
        game_free(&engine->session.game);
        engine->session.game = game;
        engine->sheet = record;
        return TWOFOLD_OK;
    }
    record_free(&record);
    game_free(&game);
    return status;
}

int API(read_record)(HANDLE *engine, const char *text, size_t size, size_t *at)
{
    int status = library_take(engine);
    return status == TWOFOLD_OK ? library_give(engine, read_record(engine, text, size, at)) : status;
}

// ---- tags ---------------------------------------------------------------------------------------
int API(tag)(HANDLE *engine, const char *name, const char **value)
{
    int status = library_take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!name || !value)
        return library_give(engine, library_fail(engine, TWOFOLD_BAD_ARGUMENT,
                                                 "a tag needs a name and a place for its value"));
    const char *found = record_tag(&engine->sheet, name);
    text_clear(&engine->text);
    text_add(&engine->text, "%s", found ? found : "");
    return library_give(engine, library_hand_out(engine, value));
}

static bool is_tag_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((u8)*c <= ' ' || *c == '"' || *c == '[' || *c == ']' || *c == 127)
            return false;
    return *name != '\0';
}

int API(set_tag)(HANDLE *engine, const char *name, const char *value)
{
    int status = library_take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!name || !value)
        status = library_fail(engine, TWOFOLD_BAD_ARGUMENT, "a tag needs a name and a value");
    else if (!is_tag_name(name))
        status = library_fail(engine, TWOFOLD_BAD_ARGUMENT, "'%.60s' is no name of a tag", name);
    else if (strpbrk(value, "\r\n"))
        status = library_fail(engine, TWOFOLD_BAD_ARGUMENT, "%.60s: the value of a tag is one line", name);
    else if (!record_set_tag(&engine->sheet, name, value))
        status = library_fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the tag");
    return library_give(engine, status);
}

// ---- writing ------------------------------------------------------------------------------------
bool library_record(const HANDLE *engine, Record *record)
{
    const Game *game = &engine->session.game;
    if (!record_copy(record, &engine->sheet))
        return false;
    record->start = game->start;
    const int old_nb = record->move_nb;
    const bool is_longer = old_nb < game->move_nb;
    for (int i = record->move_nb; i < game->move_nb; i++)
        if (!record_add_move(record, game->move[i], NULL))
            return false;
    if (is_longer) { // variations behind the end of the file's moves now stand beside the first of ours
        record->move[old_nb].line = record->tail;
        record->tail = 0;
    }
    const Verdict verdict = game_verdict(game);
    if (is_longer ||
        verdict.outcome != OUTCOME_NONE) { // the file's own word stood for an end that is no longer one
        record->result = result_of_outcome(verdict.outcome, pos_side(&game->pos));
        record->reason = verdict.reason;
        record->result_word[0] = '\0';
    }
    return true;
}

static void add_format_names(Text *out)
{
    const RecordFormat *format;
    for (int i = 0; (format = record_format_at(i)) != NULL; i++)
        if (format->is_written)
            text_add(out, "%s, ", format->name);
}

static int write_record(HANDLE *engine, const char *format, const char **text)
{
    Record record = {0};
    int status = TWOFOLD_OK;
    text_clear(&engine->text);
    if (!library_record(engine, &record)) {
        status = library_fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the game");
    } else if (format && strcmp(format, "json") == 0) {
        record_json(&record, &engine->text);
    } else if (!record_write(&record, format, &engine->text)) {
        Text known = {0};
        add_format_names(&known);
        status = library_fail(engine, TWOFOLD_BAD_ARGUMENT, "'%.40s' is no format of games: expected %sjson",
                              format, known.len ? known.ptr : "");
        text_free(&known);
    }
    record_free(&record);
    return status == TWOFOLD_OK ? library_hand_out(engine, text) : status;
}

int API(write_record)(HANDLE *engine, const char *format, const char **text)
{
    int status = library_take(engine);
    return status == TWOFOLD_OK ? library_give(engine, write_record(engine, format, text)) : status;
}

// ---- analysing ----------------------------------------------------------------------------------
typedef struct Follower {
    HANDLE *engine;
    const Analysis *analysis;
    twofold_progress_callback callback;
    void *context;
    int done_nb;
} Follower;

static void on_found(void *watcher, int result)
{
    Follower *follower = watcher;
    (void)result;
    follower->done_nb++;
    if (follower->callback &&
        follower->callback(follower->context, follower->done_nb, follower->analysis->search_nb) != 0)
        control_stop(&follower->engine->control, STOP_COMMAND);
}

static bool is_stopped(void *watcher)
{
    const Follower *follower = watcher;
    return control_is_stopped(&follower->engine->control);
}

// The limits of each position: nodes, depth or time, and nothing else.
static int analysis_limits(HANDLE *engine, const twofold_limits *given, Limits *limits)
{
    *limits = (Limits){.nodes = ANALYSE_NODES};
    int status = given ? library_limits(engine, given, limits) : TWOFOLD_OK;
    if (status != TWOFOLD_OK)
        return status;
    if (limits->clocks.has_clock[0] || limits->infinite || limits->mate || limits->only_nb ||
        limits->except_nb)
        return library_fail(
            engine, TWOFOLD_BAD_ARGUMENT,
            "an analysis takes nodes, depth and move_time_ms, for each position, and no other limit");
    return TWOFOLD_OK;
}

static int run_analysis(Follower *follower, Analysis *analysis, const Limits *limits)
{
    HANDLE *engine = follower->engine;
    Message message = {0}, note = {0};
    const EvaluateOptions options = {.nodes = limits->nodes,
                                     .time_ms = limits->move_time_ms,
                                     .depth = limits->depth,
                                     .threads = engine->session.settings.threads,
                                     .watcher = follower,
                                     .found = on_found,
                                     .is_stopped = is_stopped};
    library_open_gate(engine, limits);
    const JobsEnd end = evaluate_shared(analysis, &engine->session, &options, &message, &note);
    library_close_gate(engine);
    if (end == JOBS_INTERRUPTED)
        return library_fail(engine, TWOFOLD_STOPPED, "stopped after %d of %d positions", follower->done_nb,
                            analysis->search_nb);
    if (end != JOBS_DONE)
        return library_fail(engine, TWOFOLD_NO_MEMORY, "%s", message.text);
    analysis_judge(analysis);
    return TWOFOLD_OK;
}

static int analyse(Follower *follower, const twofold_limits *given, const char *format, const char **report)
{
    HANDLE *engine = follower->engine;
    Analysis analysis = {0};
    Limits limits;
    const char *ending;
    const Span name = span_of(format ? format : "json");
    int status = analysis_limits(engine, given, &limits);
    if (status != TWOFOLD_OK)
        return status;
    if (!report_find(name, &ending))
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "'%.40s' is no format of reports", format);
    if (engine->session.game.move_nb == 0)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "there are no moves to judge");
    analysis.game = calloc(1, sizeof *analysis.game);
    analysis.game_nb = analysis.game ? 1 : 0;
    if (!analysis.game || !library_record(engine, &analysis.game[0].record)) {
        status = library_fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the analysis");
    } else {
        analysis.game[0].number = analysis.game[0].line = 1;
        follower->analysis = &analysis;
        status = run_analysis(follower, &analysis, &limits);
    }
    if (status == TWOFOLD_OK) {
        text_clear(&engine->text);
        report_write(&analysis, name, NULL, &engine->text);
        status = library_hand_out(engine, report);
    }
    analysis_free(&analysis);
    return status;
}

int API(analyse)(HANDLE *engine, const twofold_limits *limits, twofold_progress_callback callback,
                 void *context, const char *format, const char **report)
{
    Follower follower = {.engine = engine, .callback = callback, .context = context};
    int status = library_take(engine);
    return status == TWOFOLD_OK ? library_give(engine, analyse(&follower, limits, format, report)) : status;
}
