// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that is printed goes through here: whole lines under one lock, as protocol text or as JSON.
// Report turns what a search tells into info lines: bounds and the current move only in long searches, never
// more often than asked, and always one line with a score, whose first move is the best move, before a
// bestmove.
#include "games/notation.h"
#include "protocol/loop.h"

enum { LONG_SEARCH_MS = 3000, CURRENT_MS = 50 };

// ---- lines --------------------------------------------------------------------------------------
static void put(Output *out, const char *bytes, size_t size)
{
    pthread_mutex_lock(&out->mutex);
    bool ok = out->write ? out->write(out->context, bytes, size) : os_write_output(bytes, size);
    pthread_mutex_unlock(&out->mutex);
    if (!ok)
        atomic_store(&out->broken, true);
}

void say_text(Output *out, const Text *text)
{
    if (text->len)
        put(out, text->ptr, text->len);
}

void say(Output *out, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    len = clamp_int(len, 0, (int)sizeof line - 2);
    line[len] = '\n';
    put(out, line, (size_t)len + 1);
}

static void info(Output *out, char *words)
{
    for (char *c = words; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    Text text = {0};
    if (atomic_load(&out->json)) {
        text_add(&text, "{\"type\":\"string\",\"text\":");
        text_add_json(&text, span_of(words));
        text_add(&text, "}\n");
    } else {
        text_add(&text, "info string %s\n", words);
    }
    say_text(out, &text);
    text_free(&text);
}

void say_info(Output *out, const char *format, ...)
{
    char words[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    info(out, words);
}

void refuse(Output *out, const char *format, ...)
{
    char words[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (out->is_command_line) {
        fprintf(stderr, "twofold-" GAME_NAME ": %s\n", words);
        out->has_refused = true;
    } else {
        info(out, words);
    }
}

void say_bestmove(Protocol *protocol, const char *move, const char *ponder)
{
    Text text = {0};
    if (atomic_load(&protocol->out.json)) {
        text_add(&text, "{\"type\":\"bestmove\",\"move\":\"%s\"", move);
        if (ponder)
            text_add(&text, ",\"ponder\":\"%s\"", ponder);
        text_add(&text, "}\n");
    } else {
        text_add(&text, "bestmove %s", move);
        if (ponder)
            text_add(&text, " ponder %s", ponder);
        text_add(&text, "\n");
    }
    job_answers(protocol);
    say_text(&protocol->out, &text);
    text_free(&text);
}

void report_simple(Protocol *protocol, int depth, const char *score, const char *move)
{
    Text text = {0};
    if (atomic_load(&protocol->out.json)) {
        Span rest = span_of(score), kind = span_word(&rest), value = span_word(&rest);
        text_add(&text, "{\"type\":\"info\",\"depth\":%d,\"score\":{\"%.*s\":%.*s},\"pv\":[", depth,
                 (int)kind.len, kind.ptr, (int)value.len, value.ptr);
        if (move)
            text_add(&text, "\"%s\"", move);
        text_add(&text, "]}\n");
    } else {
        text_add(&text, "info depth %d score %s%s%s\n", depth, score, move ? " pv " : "", move ? move : "");
    }
    say_text(&protocol->out, &text);
    text_free(&text);
}

// "cp 31", "mate -2"; as JSON "cp":31 and "mate":-2.
static void score_print(int score, const Position *pos, bool json, Text *out)
{
    bool is_mate = score_is_mate(score);
    text_add(out, json ? "\"%s\":%d" : "%s %d", is_mate ? "mate" : "cp",
             is_mate ? words_mate_shown(score_mate_plies(score)) : score_shown(score, pos));
}

void say_threat(Protocol *protocol, const Position *pos, Move move, int score)
{
    bool json = atomic_load(&protocol->out.json);
    char word[MOVE_TEXT_MAX];
    Text text = {0};
    if (move == MOVE_NONE) {
        text_add(&text, json ? "{\"type\":\"threat\",\"move\":\"%s\"}\n" : "threat %s\n",
                 PROTOCOL_WORDS.no_move);
    } else {
        move_print(pos, move, word);
        text_add(&text, json ? "{\"type\":\"threat\",\"move\":\"%s\",\"score\":{" : "threat %s score ", word);
        score_print(move == MOVE_WIN ? SCORE_MATE - 1 : score, pos, json,
                    &text); // a declaration ends the game now
        text_add(&text, json ? "}}\n" : "\n");
    }
    job_answers(protocol);
    say_text(&protocol->out, &text);
    text_free(&text);
}

void say_checkmate(Protocol *protocol, const Position *root, const Move *moves, int move_nb, const char *word)
{
    bool json = atomic_load(&protocol->out.json);
    Text text = {0};
    text_add(&text, json ? "{\"type\":\"checkmate\",\"moves\":[" : move_nb ? "checkmate " : "checkmate");
    line_print_from(root, moves, move_nb, (LineStyle){.is_json = json}, &text);
    if (json)
        text_add(&text, "],\"answer\":\"%s\"}", word ? word : "mate");
    else if (word)
        text_add(&text, " %s", word);
    text_add(&text, "\n");
    job_answers(protocol);
    say_text(&protocol->out, &text);
    text_free(&text);
}

// ---- the lines of a search ----------------------------------------------------------------------
static const char *bound_word(Bound bound)
{
    return bound == BOUND_LOWER ? "lowerbound" : bound == BOUND_UPPER ? "upperbound" : NULL;
}

static void print_text(Report *report, const SearchLine *line, Text *out)
{
    const Settings *settings = &report->protocol->settings;
    text_add(out, "info depth %d seldepth %d multipv %d score ", line->depth, line->seldepth, line->multi_pv);
    score_print(line->score, &report->game->pos, false, out);
    if (bound_word(line->bound))
        text_add(out, " %s", bound_word(line->bound));
    if (settings->show_wdl) {
        Wdl wdl = score_wdl(line->score, &report->game->pos);
        text_add(out, " wdl %d %d %d", wdl.win, wdl.draw, wdl.loss);
    }
    i64 time_ms = max_i64(line->time_ms, 0);
    text_add(out, " nodes %llu nps %llu hashfull %d tbhits %llu time %lld%s", (unsigned long long)line->nodes,
             (unsigned long long)(line->nodes * 1000 / (u64)max_i64(time_ms, 1)), line->hash_permille,
             (unsigned long long)line->tb_hits, (long long)time_ms, line->pv_nb ? " pv " : "");
    line_print(report->game, line->pv, line->pv_nb, (LineStyle){0}, out);
    text_add(out, "\n");
}

static void print_json(Report *report, const SearchLine *line, Text *out)
{
    text_add(out, "{\"type\":\"info\",\"depth\":%d,\"seldepth\":%d,\"multipv\":%d,\"score\":{", line->depth,
             line->seldepth, line->multi_pv);
    score_print(line->score, &report->game->pos, true, out);
    if (bound_word(line->bound))
        text_add(out, ",\"bound\":\"%s\"", bound_word(line->bound));
    Wdl wdl = score_wdl(line->score, &report->game->pos);
    i64 time_ms = max_i64(line->time_ms, 0);
    text_add(out,
             "},\"wdl\":[%d,%d,%d],\"nodes\":%llu,\"nps\":%llu,\"hashfull\":%d,\"tbhits\":%llu,\"time\":%lld,"
             "\"pv\":[",
             wdl.win, wdl.draw, wdl.loss, (unsigned long long)line->nodes,
             (unsigned long long)(line->nodes * 1000 / (u64)max_i64(time_ms, 1)), line->hash_permille,
             (unsigned long long)line->tb_hits, (long long)time_ms);
    line_print(report->game, line->pv, line->pv_nb, (LineStyle){.is_json = true}, out);
    text_add(out, "]}\n");
}

static void show_held(Report *report)
{
    if (report->held.len == 0)
        return;
    say_text(&report->protocol->out, &report->held);
    text_clear(&report->held);
    report->last_first = report->held_first;
    report->shown_nb++;
}

static void on_line(void *context, const SearchLine *line)
{
    Report *report = context;
    i64 now_us = os_now_us();
    if (line->bound != BOUND_EXACT && now_us - report->start_us < LONG_SEARCH_MS * 1000LL)
        return;
    if (line->multi_pv <= 1) { // a new group: shown or kept back as a whole
        report->is_held = report->interval_ms && report->shown_nb &&
                          now_us - report->group_us < report->interval_ms * 1000LL;
        if (!report->is_held)
            report->group_us = now_us;
        text_clear(&report->held);
        report->held_first = line->pv_nb ? line->pv[0] : MOVE_NONE;
    }
    if (atomic_load(&report->protocol->out.json))
        print_json(report, line, &report->held);
    else
        print_text(report, line, &report->held);
    if (!report->is_held)
        show_held(report);
}

static void on_root_move(void *context, int depth, Move move, int number)
{
    Report *report = context;
    i64 now_us = os_now_us();
    if (now_us - report->start_us < LONG_SEARCH_MS * 1000LL ||
        now_us - report->current_us < CURRENT_MS * 1000LL)
        return;
    report->current_us = now_us;
    char text[MOVE_TEXT_MAX];
    move_print(&report->game->pos, move, text);
    Output *out = &report->protocol->out;
    if (atomic_load(&out->json))
        say(out, "{\"type\":\"current\",\"depth\":%d,\"move\":\"%s\",\"number\":%d}", depth, text, number);
    else
        say(out, "info depth %d currmove %s currmovenumber %d", depth, text, number);
}

void report_init(Report *report, Protocol *protocol, const Game *game, i64 start_us, bool is_infinite)
{
    *report = (Report){.protocol = protocol, .game = game, .start_us = start_us, .last_first = MOVE_NONE};
    report->interval_ms = is_infinite ? 0 : protocol->settings.pv_interval_ms;
}

void report_free(Report *report) { text_free(&report->held); }

SearchEvents report_events(Report *report)
{
    return (SearchEvents){.context = report, .line = on_line, .root_move = on_root_move};
}

void report_close(Report *report, const SearchResult *result)
{
    show_held(report);
    if (report->shown_nb && (report->last_first == result->best || result->best == MOVE_WIN))
        return;
    SearchLine line = {.depth = max_int(result->depth, 1),
                       .seldepth = max_int(result->seldepth, 1),
                       .multi_pv = 1,
                       .score = result->score,
                       .bound = BOUND_EXACT,
                       .nodes = result->nodes,
                       .time_ms = result->time_ms,
                       .hash_permille = engine_hash_permille(report->protocol->engine),
                       .pv = result->pv,
                       .pv_nb = result->pv_nb};
    if (result->best == MOVE_WIN) { // a declaration is no move of a line, and ends the game now
        line.score = SCORE_MATE - 1;
        line.pv_nb = 0;
    } else if (line.pv_nb == 0 || line.pv[0] != result->best) {
        line.pv = &result->best;
        line.pv_nb = 1;
    }
    report->is_held = false;
    report->interval_ms = 0;
    on_line(report, &line);
}

// ---- counters -----------------------------------------------------------------------------------
void counters_add(Counters *sum, const Counters *more)
{
#define ADD(name) sum->name += more->name;
    SEARCH_COUNTERS(ADD)
#undef ADD
}

// One row: the count, and its share of what it is a part of.
static void counter_row(Text *out, const char *name, u64 count, const char *of, u64 whole)
{
    text_add(out, "%-22s %14llu", name, (unsigned long long)count);
    if (of && whole)
        text_add(out, "  %5.1f%% of %s", 100.0 * (double)count / (double)whole, of);
    text_add(out, "\n");
}

// The counters that are a part of something else, and of what. All others stand for themselves.
typedef struct Share {
    const char *name, *of;
    size_t offset;
} Share;
#define SHARE(part, whole)                       \
    {                                            \
#part, #whole, offsetof(Counters, whole) \
    }
static const Share SHARES[] = {
    SHARE(q_nodes, nodes),           SHARE(tt_hits, tt_probes),
    SHARE(tt_cutoffs, tt_probes),    SHARE(beta_cutoffs_first, beta_cutoffs),
    SHARE(null_cutoffs, null_tries), SHARE(probcut_cutoffs, probcut_tries),
    SHARE(lmr_researches, lmr),      SHARE(singular_extensions, singular_tries),
    SHARE(evaluations, nodes),       SHARE(q_stand_pat, q_nodes),
    SHARE(q_tt_cutoffs, q_nodes),    SHARE(q_evasions, q_nodes),
    SHARE(q_depth_limit, q_nodes),
};
#undef SHARE

static void print_counter(const Counters *counters, const char *name, u64 count, Text *out)
{
    for (size_t i = 0; i < sizeof SHARES / sizeof SHARES[0]; i++) {
        if (strcmp(SHARES[i].name, name) == 0) {
            u64 whole;
            memcpy(&whole, (const char *)counters + SHARES[i].offset, sizeof whole);
            counter_row(out, name, count, SHARES[i].of, whole);
            return;
        }
    }
    counter_row(out, name, count, NULL, 0);
}

void counters_print(const Counters *counters, Text *out)
{
#define ROW(name) print_counter(counters, #name, counters->name, out);
    SEARCH_COUNTERS(ROW)
#undef ROW
}

void counters_print_quiescence(const Counters *counters, Text *out)
{
    counter_row(out, "nodes", counters->nodes, NULL, 0);
#define ROW(name)                     \
    if (strncmp(#name, "q_", 2) == 0) \
        print_counter(counters, #name, counters->name, out);
    SEARCH_COUNTERS(ROW)
#undef ROW
}
