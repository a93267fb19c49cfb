// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis of files, whatever the game: the same report twice, going on after an interruption, JSON that
// is JSON, a page that stands alone, and inputs and outputs that can't be had. The games are made here, by
// playing random legal moves.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyse.h"
#include "games/record.h"

enum { PLIES = 16, GAMES = 2 };

// ---- a checker of JSON --------------------------------------------------------------------------
static bool json_value(Span *s, int depth);

static void json_blank(Span *s)
{
    while (s->len && strchr(" \t\r\n", *s->ptr))
        s->ptr++, s->len--;
}

static bool json_take(Span *s, const char *word)
{
    if (!span_starts(*s, word))
        return false;
    s->ptr += strlen(word);
    s->len -= strlen(word);
    return true;
}

static bool json_string(Span *s)
{
    if (!json_take(s, "\""))
        return false;
    while (s->len && *s->ptr != '"') {
        if ((unsigned char)*s->ptr < ' ')
            return false;
        size_t step = *s->ptr == '\\' ? 2 : 1;
        if (step > s->len)
            return false;
        s->ptr += step;
        s->len -= step;
    }
    return json_take(s, "\"");
}

static bool json_list(Span *s, int depth, char end, bool is_object)
{
    char close[2] = {end, '\0'};
    json_blank(s);
    if (json_take(s, close))
        return true;
    for (;;) {
        if (is_object && (json_blank(s), !json_string(s) || !json_take(s, ":")))
            return false;
        if (!json_value(s, depth))
            return false;
        json_blank(s);
        if (json_take(s, close))
            return true;
        if (!json_take(s, ","))
            return false;
        json_blank(s);
    }
}

static bool json_value(Span *s, int depth)
{
    json_blank(s);
    if (depth > 8 || s->len == 0)
        return false;
    if (*s->ptr == '"')
        return json_string(s);
    if (json_take(s, "{"))
        return json_list(s, depth + 1, '}', true);
    if (json_take(s, "["))
        return json_list(s, depth + 1, ']', false);
    if (json_take(s, "true") || json_take(s, "false") || json_take(s, "null"))
        return true;
    size_t nb = 0;
    while (nb < s->len && strchr("+-0123456789.eE", s->ptr[nb]) && s->ptr[nb])
        nb++;
    double number;
    bool ok = span_real((Span){s->ptr, nb}, -1e18, 1e18, &number);
    s->ptr += nb;
    s->len -= nb;
    return ok;
}

// ---- helpers ------------------------------------------------------------------------------------
// Random legal games in the game's usual format.
static void make_games(const char *path)
{
    Text text = {0};
    Rng rng = {7};
    for (int i = 0; i < GAMES; i++) {
        Record record = {.start = position_of(GAME_START)};
        Position pos = record.start;
        for (int ply = 0; ply < PLIES; ply++) {
            Move move = random_move(&pos, &rng);
            CHECK(move != MOVE_NONE && record_add_move(&record, move, ply == 3 ? "a comment to keep" : NULL));
            play_move(&pos, move);
        }
        CHECK(record_write(&record, NULL, &text));
        record_free(&record);
    }
    write_text(path, text.ptr);
    text_free(&text);
}

static AnalyseOptions quick(void)
{
    AnalyseOptions options = analyse_options_default();
    options.nodes = 400;
    options.hash_mb = 1;
    options.threads = 2;
    return options;
}

// Runs and expects this exit code and a sentence among the errors.
static void check_fails(const char *path, const AnalyseOptions *options, int code, const char *sentence)
{
    Run run = analyse_file(path, options);
    CHECK_INT(run.code, code);
    CHECK_THAT(strstr(run.err, sentence) != NULL, "no '%s' in '%s'", sentence, run.err);
    run_free(&run);
}

// The name of every member stands on the page of the schema.
static void check_members(const char *json)
{
    Text page = {0};
    Message message;
    CHECK(text_read_file(&page, "docs/json.md", 1 << 20, &message));
    const char *schema = page.ptr ? strstr(page.ptr, "## Lines of analyse --json") : NULL;
    CHECK(schema != NULL);
    for (const char *at = json, *end; schema && (at = strchr(at, '"')); at = end + 1) {
        char name[64], shown[64];
        end = strchr(at + 1, '"');
        if (end[1] != ':')
            continue;
        snprintf(name, sizeof name, "`%.*s`", (int)(end - at) - 1, at + 1);
        snprintf(shown, sizeof shown, "\"%.*s\":", (int)(end - at) - 1, at + 1);
        CHECK_THAT(strstr(schema, name) || strstr(schema, shown), "docs/json.md does not tell of %s", name);
        if (strcmp(name, "`tags`") == 0) // those of the file, whatever they are called
            end = strchr(end, '}');
    }
    text_free(&page);
}

// ---- the cases ----------------------------------------------------------------------------------
static void test_same_report(const char *games)
{
    AnalyseOptions options = quick();
    CASE("analyse: the same file gives the same report, on any number of threads");
    options.json_path = "-";
    Run first = analyse_file(games, &options);
    Run second = analyse_file(games, &options);
    options.threads = 1;
    Run third = analyse_file(games, &options);
    CHECK_INT(first.code, 0);
    CHECK_TEXT(second.out, first.out);
    CHECK_TEXT(third.out, first.out);
    CASE("analyse: every line of the JSON is an object");
    Span rest = span_of(first.out), line;
    int move_nb = 0, summary_nb = 0;
    while (span_line(&rest, &line)) {
        Span value = line;
        CHECK_THAT(json_value(&value, 0) && value.len == 0, "not JSON: %.*s", (int)line.len, line.ptr);
        move_nb += span_starts(line, "{\"type\":\"move\"");
        summary_nb += span_starts(line, "{\"type\":\"summary\"");
    }
    CHECK_INT(move_nb, GAMES * PLIES);
    CHECK_INT(summary_nb, GAMES);
    CHECK(!strstr(first.out, "e+0")); // no number has lost its digits
    CHECK(strstr(first.out, "a comment to keep") != NULL);
    CASE("analyse: docs/json.md has every member of it");
    check_members(first.out);
    CASE("analyse: the text has a line for each move, and the accuracy of both");
    options.json_path = NULL;
    Run text = analyse_file(games, &options);
    CHECK(strstr(text.out, "accurate over 8 moves") != NULL);
    CHECK(strstr(text.out, "Game 2: ") != NULL);
    CHECK_INT(count_of(text.err, "positions, 100%"), 1);
    run_free(&first);
    run_free(&second);
    run_free(&third);
    run_free(&text);
}

static void test_engine_options(const char *games, const char *state)
{
    AnalyseOptions options = quick();
    Message message = {0};
    CASE("analyse: options of the engine reach every thread");
    options.json_path = "-";
    options.state_path = state;
    Run plain = analyse_file(games, &options);
    CHECK(option_list_add(&options.engine, span_of("EvalFile=none"), &message));
    Run material = analyse_file(games, &options);
    CHECK_INT(material.code, 0);
    CHECK(strcmp(material.out, plain.out) != 0);
    options.threads = 1;
    Run alone = analyse_file(games, &options);
    CHECK_TEXT(alone.out, material.out);
    CASE("analyse: results of other options are not taken");
    options.stop_after = 3;
    Run cut = analyse_file(games, &options);
    CHECK_INT(cut.code, 130);
    options.stop_after = 0;
    CHECK(option_list_add(&options.engine, span_of("EvalFile="), &message));
    Run other = analyse_file(games, &options);
    CHECK(strstr(other.err, "is of other settings or other games: starting over") != NULL);
    CHECK_TEXT(other.out, plain.out);
    run_free(&plain);
    run_free(&material);
    run_free(&alone);
    run_free(&cut);
    run_free(&other);
}

static void test_resume(const char *games, const char *state)
{
    AnalyseOptions options = quick();
    options.json_path = "-";
    options.state_path = state;
    CASE("analyse: an interrupted run goes on where it stopped");
    Run whole = analyse_file(games, &options);
    CHECK(!os_exists(state));
    options.threads = 1;
    options.nodes = 1500; // slow enough to be interrupted half-way
    options.stop_after = 3;
    Run cut = analyse_file(games, &options);
    CHECK_INT(cut.code, 130);
    CHECK(os_exists(state));
    CHECK(strstr(cut.err, "run the same command again") != NULL);
    options.stop_after = 0;

    CASE("analyse: a progress file with damaged lines is used as far as it is sound");
    FILE *file = fopen(state, "ab");
    fprintf(file, "0123456789abcdef 1 2 3 4 0 0123456789abcdef\ngarbage\n\n00000000");
    fclose(file);
    Run resumed = analyse_file(games, &options);
    CHECK_INT(resumed.code, 0);
    CHECK(strstr(resumed.err, "going on: ") != NULL);
    CHECK(!os_exists(state));
    Run again = analyse_file(games, &options);
    CHECK_TEXT(resumed.out, again.out);
    CHECK(strcmp(again.out, whole.out) != 0);

    CASE("analyse: results for other settings are not taken");
    options.stop_after = 3;
    Run other = analyse_file(games, &options);
    options.stop_after = 0;
    options.nodes = 400;
    options.threads = 2;
    Run fresh = analyse_file(games, &options);
    CHECK(strstr(fresh.err, "going on: ") == NULL);
    CHECK(strstr(fresh.err, "is of other settings or other games: starting over") != NULL);
    CHECK_TEXT(fresh.out, whole.out);

    CASE("analyse: a file that is no progress file is neither used nor harmed");
    write_text(state, "my diary\n");
    check_fails(games, &options, 1, "is no progress file");
    Text text = {0};
    Message message = {0};
    CHECK(text_read_file(&text, state, 1000, &message));
    CHECK_TEXT(text.ptr, "my diary\n");
    options.state_path = "/dev/zero"; // endless, and not ours
    check_fails(games, &options, 1, "is no progress file");
    options.state_path = state;
    text_free(&text);
    remove(state);
    run_free(&whole);
    run_free(&cut);
    run_free(&resumed);
    run_free(&again);
    run_free(&other);
    run_free(&fresh);
}

static void test_page(const char *games)
{
    AnalyseOptions options = quick();
    CASE("analyse: the page stands alone and is well formed");
    options.html_path = "-";
    options.title = "<b>&\"title\"";
    Run page = analyse_file(games, &options);
    CHECK_INT(page.code, 0);
    static const char *const PARTS[] = {"<!DOCTYPE html>",
                                        "lang=\"en\"",
                                        "name=\"viewport\"",
                                        "prefers-color-scheme",
                                        "<svg",
                                        "role=\"img\"",
                                        "accuracy",
                                        "&lt;b&gt;&amp;&quot;title&quot;",
                                        "a comment to keep",
                                        "id=\"g2p16\""};
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++)
        CHECK_THAT(strstr(page.out, PARTS[i]) != NULL, "no %s", PARTS[i]);
    static const char *const TAGS[] = {"section", "svg", "article", "table", "details", "ul",
                                       "ol",      "li",  "figure",  "a",     "span",    "div"};
    for (size_t i = 0; i < sizeof TAGS / sizeof TAGS[0]; i++) {
        char open[32], open_bare[32], close[32];
        snprintf(open, sizeof open, "<%s ", TAGS[i]);
        snprintf(open_bare, sizeof open_bare, "<%s>", TAGS[i]);
        snprintf(close, sizeof close, "</%s>", TAGS[i]);
        CHECK_INT(count_of(page.out, open) + count_of(page.out, open_bare), count_of(page.out, close));
    }
    CHECK(strstr(page.out, "src=") == NULL && strstr(page.out, "href=\"http") == NULL);
    CHECK(strstr(page.out, "@import") == NULL && strstr(page.out, "url(") == NULL);
    CHECK(strstr(page.out, "\nimport ") == NULL && strstr(page.out, "\nexport ") == NULL);
    CASE("analyse: the page has the games as data for its script, and is small");
    CHECK_INT(count_of(page.out, "<script type=\"application/json\" class=\"game\">"), GAMES);
    CHECK_INT(count_of(page.out, "class=\"view\" hidden"), GAMES);
    const char *data = strstr(page.out, "class=\"game\">") + strlen("class=\"game\">");
    Span json = {data, (size_t)(strstr(data, "</script>") - data)};
    CHECK(json_value(&json, 0) && json.len == 0);
    CHECK_THAT(strlen(page.out) < 150000, "%d bytes", (int)strlen(page.out));
    run_free(&page);
}

// All of a file's text; to be freed.
static Text file_text(const char *folder, const char *name)
{
    char path[PATH_BYTES + 64];
    Text text = {0};
    Message message = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_THAT(text_read_file(&text, path, 1 << 20, &message), "%s", message.text);
    remove(path);
    return text;
}

static void test_folder(const char *games, const char *folder)
{
    AnalyseOptions options = quick();
    Message message = {0};
    char part[PATH_BYTES + 64];
    static const char *const NAMES[] = {"index.html", "list-1.html",     "report.js",
                                        "report.css", "000/game-1.html", "000/game-2.html"};
    static const char *const PARTS[] = {"list-1.html", "000/game-2.html", "class Board",
                                        ".tf-board",   "../report.js",    "a comment to keep"};
    CASE("analyse: a folder gets an index, lists and a page for each game, in batches as in one");
    for (int batch = 0; batch < 2; batch++) {
        CHECK(os_make_folder(folder, &message));
        options.html_path = folder;
        options.batch = batch;
        options.quiet = true;
        Run run = analyse_file(games, &options);
        CHECK_INT(run.code, 0);
        CHECK_TEXT(run.err, "");
        for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
            Text text = file_text(folder, NAMES[i]);
            CHECK_THAT(text.ptr && strstr(text.ptr, PARTS[i]), "no %s in %s", PARTS[i], NAMES[i]);
            text_free(&text);
        }
        run_free(&run);
        snprintf(part, sizeof part, "%s/000", folder);
        CHECK_INT(rmdir(part), 0);
        CHECK_INT(rmdir(folder), 0);
    }
    CASE("analyse: a folder that can't be made is told");
    options.html_path = "/nonexistent/folder/";
    check_fails(games, &options, 1, "cannot make the folder '/nonexistent/folder'");
}

static void test_batches(const char *games)
{
    AnalyseOptions options = quick();
    CASE("analyse: games in batches give the same reports as all at once");
    options.json_path = "-";
    Run whole = analyse_file(games, &options);
    options.batch = 1;
    Run parts = analyse_file(games, &options);
    CHECK_TEXT(parts.out, whole.out);
    options.html_path = "-";
    options.json_path = NULL;
    Run page = analyse_file(games, &options);
    CHECK_INT(count_of(page.out, "<!DOCTYPE html>"), 1);
    CHECK_INT(count_of(page.out, "class=\"game\">"), GAMES);
    CASE("analyse: several files, and a position in words");
    const char *const inputs[] = {games, GAME_START, games};
    options.html_path = NULL;
    options.json_path = "-";
    Run many = {0};
    size_t size;
    FILE *out = open_memstream(&many.out, &size);
    many.code = analyse_run(inputs, 3, &options, out, out);
    fclose(out);
    CHECK_INT(many.code, 0);
    CHECK_INT(count_of(many.out, "{\"type\":\"game\""), 2 * GAMES);
    CHECK_INT(count_of(many.out, "{\"type\":\"position\""), 1);
    CASE("analyse: moves before a number are not looked at");
    options.from_move = 5;
    Run late = analyse_file(games, &options);
    CHECK_INT(count_of(late.out, "\"judged\":false"), GAMES * 8);
    CHECK_INT(count_of(late.out, "\"judged\":true"), GAMES * (PLIES - 8));
    CASE("analyse: several lines for each position");
    options.from_move = 0;
    options.multi_pv = 3;
    Run lines = analyse_file(games, &options);
    CHECK_INT(lines.code, 0);
    CHECK(count_of(lines.out, "\"other_lines\":[{\"score\"") > GAMES * PLIES / 2);
    CASE("analyse: a player whom no game has");
    options.player = "nobody at all";
    check_fails(games, &options, 1, "no game has a player whose name has 'nobody at all' in it");
    run_free(&whole);
    run_free(&parts);
    run_free(&page);
    free(many.out);
    run_free(&late);
    run_free(&lines);
}

static void test_annotated(const char *games, const char *output)
{
    AnalyseOptions options = quick();
    Text text = {0};
    Message message = {0};
    Rules rules = rules_default();
    Record record = {0};
    int game_nb = 0, mark_nb = 0;
    const char *better = record_language() == LANGUAGE_JAPANESE ? "最善は" : "Better was";
    CASE("analyse: annotated games can be read again, moves and comments kept");
    options.annotated_path = output;
    options.quiet = true;
    Run run = analyse_file(games, &options);
    CHECK_INT(run.code, 0);
    CHECK_TEXT(run.out, "");
    CHECK_TEXT(run.err, "");
    CHECK(text_read_file(&text, output, 1 << 20, &message));
    Span rest = text_span(&text);
    for (; record_read(&rest, &rules, &record); game_nb++) {
        CHECK_INT(record.move_nb, PLIES);
        CHECK_TEXT(record.error.text, "");
        CHECK(record.move[3].comment && strstr(record.move[3].comment, "a comment to keep"));
        CHECK(record.move[0].comment && strstr(record.move[0].comment, "[%eval"));
        for (int i = 0; i < record.move_nb; i++)
            mark_nb += record.move[i].comment && strstr(record.move[i].comment, better);
    }
    CHECK_INT(game_nb, GAMES);
    CHECK_THAT(mark_nb > 0, "random games without a mistake");
    CASE("analyse: a format that is none");
    options.format = "nonsense";
    check_fails(games, &options, 1, "'nonsense' is no format");
    remove(output);
    record_free(&record);
    text_free(&text);
    run_free(&run);
}

static void test_bad_files(const char *games, const char *bad)
{
    AnalyseOptions options = quick();
    Message message = {0};
    CASE("analyse: inputs that are none");
    check_fails("/nonexistent/games", &options, 1, "cannot open");
    write_text(bad, "");
    check_fails(bad, &options, 1, "the file is empty");
    write_text(bad, " \n\n\t\n");
    check_fails(bad, &options, 1, "the file is empty");
    CHECK(os_write_file(bad,
                        "\x7f"
                        "ELF\0\0\1\2",
                        8, &message));
    check_fails(bad, &options, 1, "the file is binary");
    check_fails("/", &options, 1, "cannot");
    CASE("analyse: outputs that can't be written");
    options.json_path = "/nonexistent/out.json";
    check_fails(games, &options, 1, "cannot write '/nonexistent/out.json'");
    options.json_path = NULL;
    options.html_path = "/dev/full";
    options.state_path = bad;
    remove(bad);
    check_fails(games, &options, 1, "cannot write '/dev/full'");
    CHECK(os_exists(bad)); // the work is not lost
    CHECK(access("/dev/full", W_OK) == 0);
    options.html_path = NULL;
    Run run = analyse_file(games, &options);
    CHECK_INT(run.code, 0);
    CHECK(strstr(run.err, "going on: ") != NULL);
    run_free(&run);
    CASE("analyse: no output takes the place of the games, of the progress or of another output");
    char other[600];
    Text before = {0}, after = {0};
    CHECK(text_read_file(&before, games, 1 << 20, &message));
    options = quick();
    options.annotated_path = games;
    check_fails(games, &options, 1, "is both the file to analyse and the output of --output");
    const char *slash = strrchr(games, '/'), *name = slash ? slash + 1 : games;
    int folder_len = slash ? (int)(slash - games) : 1;
    snprintf(other, sizeof other, "%.*s/./%s", folder_len, slash ? games : ".", name);
    options.annotated_path = NULL;
    options.html_path = other;
    check_fails(games, &options, 1, "is both the file to analyse and the output of --html");
    snprintf(other, sizeof other, "%.*s/./%s.out", folder_len, slash ? games : ".", name);
    char plain[600];
    snprintf(plain, sizeof plain, "%s.out", games);
    options.json_path = plain;
    check_fails(games, &options, 1, "is both the output of --json and the output of --html");
    CHECK(!os_exists(plain));
    options.html_path = NULL;
    options.state_path = plain;
    check_fails(games, &options, 1, "is both the progress file and the output of --json");
    CHECK(text_read_file(&after, games, 1 << 20, &message));
    CHECK_TEXT(after.ptr, before.ptr);
    text_free(&before);
    text_free(&after);
    options = quick();
    options.json_path = options.html_path = "/dev/null"; // a device takes both
    run = analyse_file(games, &options);
    CHECK_INT(run.code, 0);
    run_free(&run);
    options = quick();
    CASE("analyse: what is named as progress file and is no file stays");
    char folder[600];
    snprintf(folder, sizeof folder, "%s.folder", games);
    CHECK(os_make_folder(folder, &message));
    options.state_path = folder;
    run = analyse_file(games, &options);
    CHECK_INT(run.code, 0);
    run_free(&run);
    CHECK_INT(rmdir(folder), 0);
    CASE("analyse: no place for a progress file is only a note");
    options.state_path = "/nonexistent/state";
    run = analyse_file(games, &options);
    CHECK_INT(run.code, 0);
    CHECK(strstr(run.err, "an interrupted run will have to start again") != NULL);
    run_free(&run);
    remove(bad);
}

// A truncated or scrambled file must never do more than be refused or be analysed in part.
static void test_damaged(const char *games, const char *bad)
{
    AnalyseOptions options = quick();
    Text text = {0};
    Message message = {0};
    Rng rng = {3};
    options.nodes = 20;
    options.quiet = true;
    CASE("analyse: truncated and scrambled files");
    CHECK(text_read_file(&text, games, 1 << 20, &message));
    for (int i = 0; i < (test_is_light() ? 10 : 30); i++) {
        size_t len = i % 2 ? text.len : rng_below(&rng, (u32)text.len);
        char *copy = malloc(len + 1);
        memcpy(copy, text.ptr, len);
        for (int k = 0; i % 2 && k < 4; k++)
            copy[rng_below(&rng, (u32)len)] = (char)(1 + rng_below(&rng, 255));
        os_write_file(bad, copy, len, &message);
        Run run = analyse_file(bad, &options);
        CHECK_THAT(run.code == 0 || (run.code == 1 && run.err[0]), "exit code %d, '%s'", run.code, run.err);
        run_free(&run);
        free(copy);
    }
    remove(bad);
    text_free(&text);
}

// Is there anything in the text that a terminal would obey?
static bool has_controls(const char *text)
{
    for (; *text; text++)
        if (((u8)*text < ' ' && *text != '\n') || *text == 127 || ((u8)text[0] == 0xC2 && (u8)text[1] < 0xA0))
            return true;
    return false;
}

static void test_escapes(const char *games)
{
    char path[600], output[600];
    Text text = {0}, written = {0};
    Message message = {0};
    snprintf(path, sizeof path, "%s\033[2J\xC2\x9B\n", games);
    snprintf(output, sizeof output, "%s.out", games);
    CASE("analyse: escapes of a file's name and of its comments reach no terminal");
    CHECK(text_read_file(&text, games, 1 << 20, &message));
    char *comment = strstr(text.ptr, "comment to keep");
    CHECK(comment != NULL);
    memcpy(comment,
           "\033[2J\x7F\xC2\x9B"
           "32m keep",
           15);
    Text broken = {0}; // what is no game is told where it stands
    text_add(&broken, "zzz nonsense\n\n%s\nzzz nonsense\n", text.ptr);
    CHECK(os_write_file(path, broken.ptr, broken.len, &message));
    text_free(&broken);
    AnalyseOptions options = quick();
    options.annotated_path = output;
    Run run = analyse_file(path, &options);
    CHECK_INT(run.code, 0);
    CHECK_THAT(strstr(run.err, "[2J") && strstr(run.err, "(line "), "said '%s'", run.err);
    CHECK(!has_controls(run.err) && !has_controls(run.out));
    CHECK(text_read_file(&written, output, 1 << 20, &message));
    CHECK(strstr(written.ptr, "32m keep") && !has_controls(written.ptr));
    run_free(&run);
    text_free(&text);
    text_free(&written);
    remove(path);
    remove(output);
}

// An interrupt can't be taken back, so it comes in a process of its own. The exit code of analyse, when no
// report was written and the progress file is there still.
static int interrupted_writing(const char *games, const char *state, const char *output)
{
    AnalyseOptions options = quick();
    options.state_path = state;
    options.html_path = output;
    os_catch_interrupts();
    raise(SIGINT);
    Run run = analyse_file(games, &options);
    bool is_right = !os_exists(output) && os_exists(state) && !run.out[0] &&
                    strstr(run.err, "run the same command again");
    return is_right ? run.code : 99;
}

static void test_writing(const char *games, const char *state)
{
    char output[600];
    snprintf(output, sizeof output, "%s.html", games);
    CASE("analyse: an interrupt after the last position is answered");
    AnalyseOptions options = quick();
    options.state_path = state;
    options.html_path = "/dev/full"; // all is searched, and the progress file stays
    check_fails(games, &options, 1, "cannot write '/dev/full'");
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        _exit(interrupted_writing(games, state, output));
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_INT(WEXITSTATUS(status), 128 + SIGINT);
    remove(state);
    CASE("analyse: what takes long to write is told");
    char *said = NULL;
    size_t size;
    Progress progress;
    FILE *stream = open_memstream(&said, &size);
    progress_start(&progress, stream, false, 0);
    CHECK(analysis_goes_on(&(Analysis){.game_nb = 7, .progress = &progress, .output = "page\033.html"}, 2));
    CHECK(analysis_goes_on(&(Analysis){.game_nb = 7}, 3));
    fclose(stream);
    CHECK_TEXT(said, "writing page?.html: game 3 of 7\n");
    free(said);
}

void test_analyse(void)
{
    char games[PATH_BYTES], output[PATH_BYTES], bad[PATH_BYTES];
    scratch_path("games", games);
    scratch_path("output", output);
    scratch_path("bad", bad);
    CASE("analyse: games to begin with");
    make_games(games);
    test_same_report(games);
    test_engine_options(games, output);
    test_resume(games, output);
    test_page(games);
    test_folder(games, output);
    test_batches(games);
    test_annotated(games, output);
    test_bad_files(games, bad);
    test_damaged(games, bad);
    test_escapes(games);
    test_writing(games, bad);
    remove(games);
}
