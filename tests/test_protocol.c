// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol without its threads: the words of go, the option table, refusals that change nothing, JSON,
// and a soup of random commands. What needs a running program is in tests/protocol/.
#include <stdlib.h>

#include "helpers.h"
#include "protocol/commands.h"
#include "session/options.h"
#include "session/report.h"

// ---- a protocol that writes into a text ---------------------------------------------------------
static bool capture(void *context, const char *bytes, size_t size)
{
    text_add_bytes(context, bytes, size);
    return true;
}

static Protocol *protocol_open(Text *output)
{
    Protocol *protocol = calloc(1, sizeof *protocol);
    CHECK(protocol && protocol_init(protocol));
    protocol->out.write = capture;
    protocol->out.context = output;
    return protocol;
}

static void protocol_close(Protocol *protocol, Text *output)
{
    protocol_free(protocol);
    free(protocol);
    text_free(output);
}

static void run(Protocol *protocol, const char *line) { protocol_run_line(protocol, span_of(line)); }

static int count_lines(const Text *output, const char *start)
{
    int count = 0;
    Span rest = text_span(output), line;
    while (span_line(&rest, &line))
        count += span_starts(line, start);
    return count;
}

// ---- go -----------------------------------------------------------------------------------------
static GoRequest parse_go(const Position *pos, const char *arguments, bool *complained)
{
    GoRequest request;
    Message complaint, about_moves;
    go_parse(span_of(arguments), &request, &complaint);
    go_take_moves(&request, pos, &request.limits, &about_moves);
    *complained = complaint.text[0] || about_moves.text[0];
    go_free(&request);
    return request;
}

static void test_go_words(const Position *pos)
{
    bool complained;
    char text[256];
    CASE("go: clocks belong to the side the dialect names");
    snprintf(text, sizeof text, "%s 1000 %s 2000 %s 30 %s 40 movestogo 7", PROTOCOL_WORDS.time[0],
             PROTOCOL_WORDS.time[1], PROTOCOL_WORDS.inc[0], PROTOCOL_WORDS.inc[1]);
    GoRequest request = parse_go(pos, text, &complained);
    CHECK(!complained && request.has_limit && request.has_clock);
    CHECK_INT(request.limits.clocks.time_ms[0], 1000);
    CHECK_INT(request.limits.clocks.time_ms[1], 2000);
    CHECK_INT(request.limits.clocks.inc_ms[0], 30);
    CHECK_INT(request.limits.clocks.inc_ms[1], 40);
    CHECK_INT(request.limits.clocks.moves_to_go, 7);

    CASE("go: one clock alone serves for both sides");
    snprintf(text, sizeof text, "%s 500", PROTOCOL_WORDS.time[1]);
    request = parse_go(pos, text, &complained);
    CHECK(!complained && request.limits.clocks.has_clock[0] && request.limits.clocks.has_clock[1]);
    CHECK_INT(request.limits.clocks.time_ms[0], 500);

    CASE("go: negative and enormous times stay in range");
    snprintf(text, sizeof text, "%s -5 %s 9223372036854775807", PROTOCOL_WORDS.time[0],
             PROTOCOL_WORDS.time[1]);
    request = parse_go(pos, text, &complained);
    CHECK(!complained);
    CHECK_INT(request.limits.clocks.time_ms[0], 0);
    CHECK(request.limits.clocks.time_ms[1] > 0 && request.limits.clocks.time_ms[1] <= 1000000000);

    CASE("go: alone it has no limit; infinite and ponder are no limits");
    CHECK(!parse_go(pos, "", &complained).has_limit && !complained);
    request = parse_go(pos, "infinite ponder", &complained);
    CHECK(!complained && !request.has_limit && request.limits.infinite && request.limits.ponder);

    CASE("go: depth and nodes are at least one, depth at most what the search can do");
    request = parse_go(pos, "depth 0 nodes 0 movetime 0", &complained);
    CHECK(!complained && request.has_limit);
    CHECK_INT(request.limits.depth, 1);
    CHECK_INT((i64)request.limits.nodes, 1);
    CHECK_INT(request.limits.move_time_ms, 1);
    CHECK(parse_go(pos, "depth 100000", &complained).limits.depth < MAX_PLY);
}

static void test_go_trouble(const Position *pos)
{
    bool complained;
    CASE("go: a limit that can't be understood is answered quickly, others still hold");
    GoRequest request = parse_go(pos, "depth x", &complained);
    CHECK(complained && request.limits.depth == 1);
    request = parse_go(pos, "movetime x nodes 50", &complained);
    CHECK(complained && request.limits.nodes == 50 && request.limits.depth == 0);
    request = parse_go(pos, "depth nodes 50", &complained);
    CHECK(complained && request.limits.nodes == 50);
    request = parse_go(pos, "infinite depth x", &complained);
    CHECK(complained && request.limits.infinite && request.limits.depth == 0);
    request = parse_go(pos, "ponder depth x", &complained);
    CHECK(complained && request.limits.ponder && request.limits.depth == 1);

    CASE("go: searchmoves ends at the next keyword and takes legal moves alone");
    Move list[MAX_MOVES];
    char first[MOVE_TEXT_MAX], last[MOVE_TEXT_MAX], text[128];
    Move *end = gen_all(pos, list);
    move_print(pos, list[0], first);
    move_print(pos, end[-1], last);
    snprintf(text, sizeof text, "searchmoves %s %s depth 3", first, last);
    request = parse_go(pos, text, &complained);
    CHECK(!complained && request.limits.only_nb == 2 && request.limits.depth == 3);
    CHECK(request.limits.only[0] == list[0] && request.limits.only[1] == end[-1]);
    snprintf(text, sizeof text, "depth 3 searchmoves zz99 %s", first);
    request = parse_go(pos, text, &complained);
    CHECK(complained && request.limits.only_nb == 1);

    CASE("go: more searchmoves than there is room for");
    Text many = {0};
    text_add(&many, "searchmoves");
    for (int i = 0; i < 3 * MAX_MOVES; i++)
        text_add(&many, " %s", first);
    request = parse_go(pos, many.ptr, &complained);
    CHECK_INT(request.limits.only_nb, MAX_MOVES);
    CHECK(request.limits.only[MAX_MOVES - 1] == list[0]);
    text_free(&many);
}

static void test_mate_numbers(void)
{
    CASE("mate scores are shown and read back in the protocol's own count");
    const bool in_plies = strcmp(PROTOCOL_WORDS.protocol, "USI") == 0; // UCI counts moves
    CHECK_INT(words_mate_shown(1), 1);
    CHECK_INT(words_mate_shown(5), in_plies ? 5 : 3);
    CHECK_INT(words_mate_shown(-2), in_plies ? -2 : -1);
    CHECK_INT(words_mate_shown(-6), in_plies ? -6 : -3);
    for (int plies = 1; plies <= 40; plies += 2)
        CHECK_INT(words_mate_plies(words_mate_shown(plies)), plies);
    for (int plies = -40; plies < 0; plies += 2)
        CHECK_INT(words_mate_plies(words_mate_shown(plies)), plies);
}

// ---- options ------------------------------------------------------------------------------------
// The word after `key` in an option line; empty when it is not there.
static Span word_after(Span line, const char *key)
{
    for (Span word; (word = span_word(&line)).len;)
        if (span_is(word, key))
            return span_word(&line);
    return (Span){"", 0};
}

static void test_one_option(Protocol *protocol, Span line)
{
    static const char *const KEYS[] = {"min", "default", "max", "default"};
    Span rest = line, name;
    span_word(&rest), span_word(&rest); // option name
    const char *type = NULL;
    for (size_t i = 0; i + 6 < rest.len && !type; i++)
        if (memcmp(rest.ptr + i, " type ", 6) == 0)
            type = rest.ptr + i;
    CHECK(type != NULL);
    name = span_trim((Span){rest.ptr, (size_t)(type - rest.ptr)});
    bool is_big = span_is_nocase(name, "Threads") || (PROTOCOL_WORDS.option[ROLE_HASH].name &&
                                                      span_is(name, PROTOCOL_WORDS.option[ROLE_HASH].name));
    bool is_spin = span_is(word_after(line, "type"), "spin");
    for (int i = 0; i < 4; i++) {
        if (is_big && strcmp(KEYS[i], "max") == 0)
            continue;
        if (!is_spin && strcmp(KEYS[i], "default") != 0)
            continue;
        Message message = {0};
        Span value = word_after(line, KEYS[i]);
        CHECK_THAT(option_set(&protocol->session, name, value, &message) == OPTION_DONE, "%.*s = %.*s: %s",
                   (int)name.len, name.ptr, (int)value.len, value.ptr, message.text);
    }
}

static void test_option_list(void)
{
    Text output = {0}, list = {0};
    Protocol *protocol = protocol_open(&output);
    CASE("options: each listed one takes its least, greatest and default value");
    options_print(&list);
    SearchOptions before = *engine_options(protocol->session.engine);
    Span rest = text_span(&list), line;
    int count = 0;
    while (span_line(&rest, &line)) {
        test_one_option(protocol, line);
        count++;
    }
    CHECK(count >= 20);

    CASE("options: after all defaults the engine's options are what they were at the start");
    SearchOptions after = *engine_options(protocol->session.engine);
    CHECK_INT(after.multi_pv, before.multi_pv);
    CHECK_INT(after.move_overhead_ms, before.move_overhead_ms);
    CHECK_INT(after.q_max_depth, before.q_max_depth);
    CHECK_INT(after.q_see, before.q_see);
    CHECK_INT(after.q_tt, before.q_tt);
    CHECK_INT(after.node_time, before.node_time);
    CHECK_INT(after.max_nps, before.max_nps);

    CASE("options: defaults of the dialect reach the engine at the start");
    CHECK_INT(before.move_overhead_ms, PROTOCOL_WORDS.option[ROLE_OVERHEAD].def);
    CHECK_INT(engine_hash_mb(protocol->session.engine), PROTOCOL_WORDS.option[ROLE_HASH].def);

    CASE("options: a refused value changes nothing and is named");
    text_clear(&output);
    run(protocol, "setoption name QSearchMaxDepth value 65");
    run(protocol, "setoption name QSearchMaxDepth value x");
    run(protocol, "setoption name QSearchTT value 3");
    CHECK_INT(count_lines(&output, "info string setoption: QSearch"), 3);
    CHECK_INT(engine_options(protocol->session.engine)->q_max_depth, before.q_max_depth);
    CHECK_INT(engine_options(protocol->session.engine)->q_tt, before.q_tt);
    run(protocol, "setoption name qsearchmaxdepth value 5");
    CHECK_INT(engine_options(protocol->session.engine)->q_max_depth, 5);
    text_free(&list);
    protocol_close(protocol, &output);
}

// The nodes of a search to a fixed depth, as the last line tells them.
static i64 searched_nodes(Protocol *protocol, Text *output, const char *position)
{
    char line[TEXT_MAX + 32];
    i64 nodes = -1;
    run(protocol, PROTOCOL_WORDS.new_game);
    snprintf(line, sizeof line, "position %s %s", PROTOCOL_WORDS.position, position);
    run(protocol, line);
    text_clear(output);
    run(protocol, "go depth 6");
    Span rest = text_span(output), last;
    while (span_line(&rest, &last))
        if (span_starts(last, "info depth "))
            span_int(word_after(last, "nodes"), 1, INT64_MAX, &nodes);
    CHECK_THAT(nodes > 0, "%s", output->ptr);
    return nodes;
}

static void set_option(Protocol *protocol, Text *output, const char *name, const char *value)
{
    char line[128];
    text_clear(output);
    snprintf(line, sizeof line, "setoption name %s value %s", name, value);
    run(protocol, line);
    CHECK_THAT(output->len == 0, "%s: %s", line, output->ptr);
}

// The option as it is listed: its default value.
static void default_of(const char *name, char value[32])
{
    Text list = {0};
    char start[64];
    bool found = false;
    options_print(&list);
    snprintf(start, sizeof start, "option name %s ", name);
    Span rest = text_span(&list), line;
    while (!found && span_line(&rest, &line))
        found = span_starts(line, start) && span_copy(word_after(line, "default"), value, 32);
    CHECK_THAT(found, "no option %s", name);
    text_free(&list);
}

// Each of them, set by its name, makes the search of at least one of these positions another one.
static void test_quiescence_options(void)
{
    static const char *const CHANGES[][2] = {
        {"QSearchMaxDepth", "1"},     {"QSearchDelta", "false"},      {"QSearchDeltaMargin", "0"},
        {"QSearchFutility", "false"}, {"QSearchFutilityMargin", "0"}, {"QSearchExtensions", "false"},
        {"QSearchMaxExt", "0"},       {"QSearchTT", "false"},         {"QSearchCheckPlies", "4"},
        {"QSearchThreats", "true"},   {"QSearchHighValue", "0"},      {"QSearchSEE", "-500"},
        {"QSearchOwnOrder", "true"},
    };
    enum { POSITIONS = 6 };
    Text output = {0};
    Protocol *protocol = protocol_open(&output);
    char position[POSITIONS][TEXT_MAX];
    i64 before[POSITIONS];
    Rng rng = {2};
    CASE("options: positions for quiescence");
    for (int i = 0; i < POSITIONS; i++) {
        Position pos;
        while (!random_position(&rng, 20 + 10 * i, &pos))
            ;
        pos_print(&pos, position[i]);
        before[i] = searched_nodes(protocol, &output, position[i]);
    }
    for (size_t c = 0; c < sizeof CHANGES / sizeof CHANGES[0]; c++) {
        CASE("options: %s changes the search", CHANGES[c][0]);
        char usual[32] = "";
        bool differs = false;
        default_of(CHANGES[c][0], usual);
        set_option(protocol, &output, CHANGES[c][0], CHANGES[c][1]);
        for (int i = 0; i < POSITIONS && !differs; i++)
            differs = searched_nodes(protocol, &output, position[i]) != before[i];
        CHECK_THAT(differs, "the same nodes with %s as with %s", CHANGES[c][1], usual);
        set_option(protocol, &output, CHANGES[c][0], usual);
    }
    CASE("options: with all of them back, the same searches again");
    for (int i = 0; i < POSITIONS; i++)
        CHECK_INT(searched_nodes(protocol, &output, position[i]), before[i]);
    protocol_close(protocol, &output);
}

// ---- positions that are refused -----------------------------------------------------------------
static void check_refused(Protocol *protocol, Text *output, const char *line)
{
    CASE("'%s' is refused whole", line);
    Position before = protocol->session.game.pos;
    text_clear(output);
    run(protocol, line);
    CHECK_INT(count_lines(output, "info string position: "), 1);
    CHECK(memcmp(&before, &protocol->session.game.pos, sizeof before) == 0);
    CHECK_INT(protocol->session.game.keys.count, 1);
    CHECK_INT(protocol->session.game.move_nb, 1);
}

static void test_refusals(void)
{
    Text output = {0};
    Protocol *protocol = protocol_open(&output);
    Move list[MAX_MOVES];
    char first[MOVE_TEXT_MAX], line[256];
    gen_all(&protocol->session.game.pos, list);
    move_print(&protocol->session.game.pos, list[0], first);
    snprintf(line, sizeof line, "position startpos moves %s", first);
    run(protocol, line);
    check_refused(protocol, &output, "position");
    check_refused(protocol, &output, "position nonsense");
    check_refused(protocol, &output, "position startpos nonsense");
    check_refused(protocol, &output, "position startpos moves nonsense");
    snprintf(line, sizeof line, "position startpos moves %s %s", first, first);
    check_refused(protocol, &output, line);
    const char *const TEXTS[] = {"", " x", " / b -", " 9/9/9 b - 1", " 8/8/8/8/8/8/8/8 w - - 0 1"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        snprintf(line, sizeof line, "position %s%s", PROTOCOL_WORDS.position, TEXTS[i]);
        check_refused(protocol, &output, line);
    }
    protocol_close(protocol, &output);
}

// ---- searches -----------------------------------------------------------------------------------
// The output without what depends on the clock.
static void add_timeless(const Text *output, Text *out)
{
    Span lines = text_span(output), line;
    while (span_line(&lines, &line)) {
        char text[4096];
        span_copy(line, text, sizeof text);
        if (strstr(text, "erbound ") || strstr(text, " currmove "))
            continue; // told only when a search takes seconds
        for (Span word; (word = span_word(&line)).len;) {
            if (span_is(word, "nps") || span_is(word, "time"))
                span_word(&line);
            else
                text_add(out, "%.*s ", (int)word.len, word.ptr);
        }
    }
}

static void test_searches(void)
{
    Text output = {0}, first = {0}, second = {0};
    Protocol *protocol = protocol_open(&output);
    CASE("a new game repeats a search exactly");
    char new_game[64];
    snprintf(new_game, sizeof new_game, "%s", PROTOCOL_WORDS.new_game);
    run(protocol, new_game);
    run(protocol, "go nodes 20000");
    add_timeless(&output, &first);
    CHECK_INT(count_lines(&output, "bestmove "), 1);
    run(protocol, "go nodes 5000");
    text_clear(&output);
    run(protocol, new_game);
    run(protocol, "go nodes 20000");
    add_timeless(&output, &second);
    CHECK_TEXT(first.ptr, second.ptr);

    CASE("go nodes is exact on one thread");
    for (u64 nodes = 1000; nodes <= 3001; nodes += 667) {
        char text[64];
        snprintf(text, sizeof text, "go nodes %d", (int)nodes);
        run(protocol, new_game);
        run(protocol, text);
        CHECK_INT((i64)protocol->session.counters.nodes, (i64)nodes);
    }

    CASE("json on: one line that names the command, and nothing changes");
    text_clear(&output);
    run(protocol, "json on");
    CHECK_INT(count_lines(&output, ""), 1);
    CHECK_INT(count_lines(&output, "info string json: "), 1);
    CHECK(output.len && strstr(output.ptr, "twofold-" GAME_NAME " json"));
    run(protocol, "go depth 4");
    CHECK_INT(count_lines(&output, "bestmove "), 1);
    CHECK_INT(count_lines(&output, "{"), 0);
    text_free(&first);
    text_free(&second);
    protocol_close(protocol, &output);
}

// The number behind a word of the last info line that has it; -1: there is none.
static i64 last_number(const Text *output, const char *key)
{
    i64 number = -1;
    Span rest = text_span(output), line;
    while (span_line(&rest, &line))
        if (span_starts(line, "info depth "))
            span_int(word_after(line, key), 0, INT64_MAX, &number);
    return number;
}

// Whatever ends a search, its last line tells all of its nodes and the move that is played.
static void test_last_line(void)
{
    Text output = {0};
    Protocol *protocol = protocol_open(&output);
    CASE("the last line before a bestmove tells all nodes, at a depth that was told before");
    for (int i = 0; i < 40; i++) {
        char text[64];
        snprintf(text, sizeof text, "go nodes %d", 500 + 777 * i);
        text_clear(&output);
        run(protocol, text);
        Span rest = text_span(&output), line, best = {0}, last = {0};
        i64 depth = 0, number = 0;
        while (span_line(&rest, &line)) {
            if (span_starts(line, "info depth ")) {
                last = word_after(line, "pv");
                CHECK(span_int(word_after(line, "depth"), depth, MAX_PLY, &number));
                depth = number;
            } else if (span_starts(line, "bestmove "))
                best = word_after(line, "bestmove");
        }
        CHECK_INT(last_number(&output, "nodes"), 500 + 777 * i);
        CHECK_THAT(best.len > 0 && best.len == last.len && memcmp(best.ptr, last.ptr, best.len) == 0, "%s",
                   output.ptr);
    }
    protocol_close(protocol, &output);
}

// The words of the last two info lines from one word on.
static void last_two(const Text *output, const char *key, Span lines[2])
{
    Span rest = text_span(output), line;
    lines[0] = lines[1] = (Span){0};
    while (span_line(&rest, &line)) {
        if (!span_starts(line, "info depth "))
            continue;
        Span word = word_after(line, key);
        lines[0] = lines[1];
        lines[1] = (Span){word.ptr, word.len ? (size_t)(line.ptr + line.len - word.ptr) : 0};
    }
}

// Do the last two info lines have the same words behind this one?
static bool is_repeated(const Text *output, const char *key, int word_nb)
{
    Span lines[2];
    bool is_same = true;
    last_two(output, key, lines);
    for (int i = 0; i < word_nb; i++) {
        Span a = span_word(&lines[0]), b = span_word(&lines[1]);
        is_same &= a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
    }
    return is_same;
}

static void test_last_moves(void)
{
    Text output = {0};
    Protocol *protocol = protocol_open(&output);
    int repeated_nb = 0;
    CASE("the last line, told again with all nodes, still has all of its moves");
    for (int i = 0; i < 30; i++) {
        char text[64];
        snprintf(text, sizeof text, "go nodes %d", 2000 + 991 * i);
        text_clear(&output);
        run(protocol, PROTOCOL_WORDS.new_game);
        run(protocol, text);
        if (!is_repeated(&output, "depth", 1) || !is_repeated(&output, "score", 2) ||
            !is_repeated(&output, "pv", 1))
            continue;
        repeated_nb++;
        CHECK_THAT(is_repeated(&output, "pv", MAX_PLY), "%s: %s", text, output.ptr);
    }
    CHECK(repeated_nb >= 5);
    protocol_close(protocol, &output);
}

// Feeds the report of a search with many lines in no time.
static void test_flood(void)
{
    enum { DEPTHS = 200, LINES = 60 };
    Text output = {0};
    Protocol *protocol = protocol_open(&output);
    Report report;
    Move list[MAX_MOVES], *end = gen_all(&protocol->session.game.pos, list);
    CASE("many lines at every depth are cut down to what can be read, and the last ones come all the same");
    i64 start_ms = os_now_ms();
    SearchControl control;
    control_init(&control, &(Limits){.infinite = true}, 0);
    report_init(&report, &protocol->session, &protocol->session.game, &control);
    SearchEvents events = report_events(&report);
    for (int depth = 1; depth <= DEPTHS; depth++)
        for (int i = 0; i < LINES; i++)
            events.line(events.context, &(SearchLine){.depth = depth,
                                                      .multi_pv = i + 1,
                                                      .score = -i,
                                                      .bound = BOUND_EXACT,
                                                      .nodes = 1000,
                                                      .pv = &list[i % (end - list)],
                                                      .pv_nb = 1});
    events.settled(events.context);
    int shown = count_lines(&output, "info depth "), last = count_lines(&output, "info depth 200 ");
    i64 most = 600 + os_now_ms() - start_ms + 2 * LINES;
    CHECK_THAT(shown <= most && shown < DEPTHS * LINES / 2, "%d lines, at most %d", shown, (int)most);
    CHECK_INT(last, LINES);
    CHECK_INT(count_lines(&output, "info depth 1 "), LINES);
    report_close(&report, &(SearchResult){.best = list[0], .depth = DEPTHS, .nodes = 1000, .pv_nb = 0});
    CHECK_INT(count_lines(&output, "info depth "), shown);
    report_free(&report);
    control_free(&control);
    protocol_close(protocol, &output);
}

static void test_exclusions(void)
{
    Text output = {0};
    Protocol *protocol = protocol_open(&output);
    char move[MOVE_TEXT_MAX], line[64];
    Move list[MAX_MOVES];
    gen_all(&protocol->session.game.pos, list);
    move_print(&protocol->session.game.pos, list[2], move);
    CASE("searchmoves of nothing but excluded moves is obeyed, and said");
    snprintf(line, sizeof line, "exclude %s", move);
    run(protocol, line);
    snprintf(line, sizeof line, "go depth 2 searchmoves %s", move);
    run(protocol, line);
    CHECK_INT(count_lines(&output, "info string exclude: every move of searchmoves is excluded"), 1);
    snprintf(line, sizeof line, "bestmove %s", move);
    CHECK_INT(count_lines(&output, line), 1);
    protocol_close(protocol, &output);
}

static void test_perft_command(void)
{
    Text output = {0};
    Protocol *protocol = protocol_open(&output);
    CASE("perft: a line per root move, and the total is their sum");
    run(protocol, "go perft 2");
    Span rest = text_span(&output), line;
    u64 sum = 0;
    int moves = 0;
    i64 total = -1;
    while (span_line(&rest, &line)) {
        i64 number;
        Span words = line, name = span_word(&words), value = span_word(&words);
        if (span_is(name, "Nodes"))
            CHECK(span_int(span_word(&words), 0, INT64_MAX, &total));
        else if (name.len && name.ptr[name.len - 1] == ':' && span_int(value, 0, INT64_MAX, &number))
            sum += (u64)number, moves++;
    }
    CHECK_INT(moves, gen_count(&protocol->session.game.pos));
    CHECK_INT((i64)sum, total);
    CHECK_INT(total, (i64)perft(&protocol->session.game.pos, 2, true));
    protocol_close(protocol, &output);
}

// ---- soup ---------------------------------------------------------------------------------------
static void add_soup_word(Protocol *protocol, Rng *rng, Text *line)
{
    static const char *const WORDS[] = {"go",          "position",
                                        "startpos",    "moves",
                                        "setoption",   "name",
                                        "value",       "depth",
                                        "nodes",       "movetime",
                                        "stop",        "isready",
                                        "perft",       "mate",
                                        "infinite",    "ponder",
                                        "d",           "eval",
                                        "flip",        "moves",
                                        "threat",      "exclude",
                                        "clear",       "on",
                                        "off",         "debug",
                                        "json",        "qstats",
                                        "searchmoves", "MultiPV",
                                        "QSearchTT",   "true",
                                        "false",       "-1",
                                        "0",           "7",
                                        "300",         "99999999999999999999"};
    const char *const OWN_WORDS[] = {PROTOCOL_WORDS.hello,   PROTOCOL_WORDS.new_game, PROTOCOL_WORDS.position,
                                     PROTOCOL_WORDS.time[0], PROTOCOL_WORDS.inc[1],   PROTOCOL_WORDS.pass};
    enum { WORD_NB = sizeof WORDS / sizeof WORDS[0], OWN_WORD_NB = sizeof OWN_WORDS / sizeof OWN_WORDS[0] };
    u32 pick = rng_below(rng, WORD_NB + OWN_WORD_NB + 12);
    if (pick < WORD_NB) {
        text_add(line, "%s ", WORDS[pick]);
    } else if (pick < WORD_NB + OWN_WORD_NB) {
        text_add(line, "%s ", OWN_WORDS[pick - WORD_NB]);
    } else if (pick < WORD_NB + OWN_WORD_NB + 8) {
        Move list[MAX_MOVES], *end = gen_all(&protocol->session.game.pos, list);
        char text[MOVE_TEXT_MAX] = "";
        if (end > list)
            move_print(&protocol->session.game.pos, list[rng_below(rng, (u32)(end - list))], text);
        text_add(line, "%s ", text);
    } else if (pick < WORD_NB + OWN_WORD_NB + 10) {
        char text[TEXT_MAX];
        pos_print(&protocol->session.game.pos, text);
        text_add(line, "%s ", text);
    } else {
        char byte = (char)rng_below(rng, 256);
        text_add_bytes(line, &byte, 1);
    }
}

// How many answers to a go are in the output: a move, a mate or a count, as text or as JSON.
static int count_answers(const Text *output)
{
    static const char *const STARTS[] = {"bestmove ", "checkmate", "{\"type\":\"bestmove\"",
                                         "{\"type\":\"checkmate\"", "Nodes searched: "};
    int nb = 0;
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++)
        nb += count_lines(output, STARTS[i]);
    return nb;
}

static void test_soup(void)
{
    CASE("random commands: the position stays sound, each go has its answer");
    Text output = {0}, line = {0};
    Protocol *protocol = protocol_open(&output);
    Rng rng = {2024};
    protocol->session.node_cap = 150;
    int rounds = test_is_light() ? 300 : 3000, go_nb = 0;
    for (int i = 0; i < rounds; i++) {
        text_clear(&line);
        int words = 1 + (int)rng_below(&rng, 12);
        for (int w = 0; w < words; w++)
            add_soup_word(protocol, &rng, &line);
        text_clear(&output);
        protocol_run_line(protocol, text_span(&line));
        Span rest = text_span(&line);
        if (span_is(span_word(&rest), "go")) {
            go_nb++;
            CHECK_THAT(count_answers(&output) == 1, "%d answers to '%s': %s", count_answers(&output),
                       line.ptr, output.ptr);
        }
        CHECK_THAT(pos_is_ok(&protocol->session.game.pos), "after '%s'", line.ptr);
        CHECK(protocol->session.game.keys.count == protocol->session.game.move_nb);
    }
    CHECK(go_nb >= rounds / 100);
    text_free(&line);
    protocol_close(protocol, &output);
}

void test_protocol(void)
{
    const Position pos = position_of(GAME_START);
    test_go_words(&pos);
    test_go_trouble(&pos);
    test_mate_numbers();
    test_option_list();
    test_quiescence_options();
    test_refusals();
    test_searches();
    test_last_line();
    test_last_moves();
    test_flood();
    test_exclusions();
    test_perft_command();
    test_soup();
}
