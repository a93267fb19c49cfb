// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: every way to write an option, every mistake with its message, the help with its defaults,
// and the nearest word.
#include "test.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/suggest.h"

typedef struct Options {
    bool flag;
    int number;
    i64 big;
    double real;
    const char *text;
    i64 time_ms;
    CliFiles files;
    char called[64];
} Options;

static bool set_pair(void *options, const Span *value, Message *message)
{
    Options *o = options;
    if (span_is(value[0], "no"))
        return message_set(message, "'no' is refused");
    snprintf(o->called, sizeof o->called, "%s+%s", value[0].ptr, value[1].ptr);
    return true;
}

static bool set_none(void *options, const Span *value, Message *message)
{
    (void)value, (void)message;
    snprintf(((Options *)options)->called, sizeof((Options *)options)->called, "called");
    return true;
}

static const CliOption ROWS[] = {
    {NULL, 0, CLI_HEADING, 0, 0, 0, NULL, "Numbers:", NULL},
    {"nodes", 'n', CLI_INT, offsetof(Options, number), 1, 100, "N", "how many", NULL},
    {"big", 0, CLI_I64, offsetof(Options, big), 0, 0x1p63, "N", "a large one", NULL},
    {"real", 'r', CLI_REAL, offsetof(Options, real), -1, 1, "X", "a real one", NULL},
    {"time", 0, CLI_TIME_MS, offsetof(Options, time_ms), 0, 0, "TIME", "a time", NULL},
};
static const CliOption MORE[] = {
    {NULL, 0, CLI_HEADING, 0, 0, 0, NULL, "The rest:", NULL},
    {"flag", 'f', CLI_SWITCH, offsetof(Options, flag), 0, 0, NULL, "a switch", NULL},
    {"name", 0, CLI_TEXT, offsetof(Options, text), 0, 0, "TEXT", "a text", NULL},
    {"data", 'd', CLI_FILES, offsetof(Options, files), 0, 3, NULL, "files", NULL},
    {"pair", 0, CLI_CALL, 0, 0, 0, "A B", "two\nwords", set_pair},
    {"none", 0, CLI_CALL, 0, 0, 0, NULL, "no word", set_none},
    {"an-option-with-a-very-long-name", 0, CLI_SWITCH, offsetof(Options, flag), 0, 0, NULL, "long", NULL},
};
static const CliTable TABLES[] = {{ROWS, sizeof ROWS / sizeof ROWS[0]}, {MORE, sizeof MORE / sizeof MORE[0]}};
static const CliCommand COMMAND = {
    .name = "program command", .about = "Usage: program", .table = TABLES, .table_nb = 2, .operand_max = 2};

static Options defaults(void)
{
    return (Options){.number = 7, .real = 0.5, .text = "nobody", .time_ms = 1500};
}

// Reads words, up to the first NULL, into fresh options.
static bool parse(char *const *words, Options *options, CliFiles *operands, bool *wants_help,
                  Message *message)
{
    char *argv[16] = {"program"};
    int argc = 1;
    while (words[argc - 1] && argc < 15)
        argv[argc] = words[argc - 1], argc++;
    *options = defaults();
    *message = (Message){{0}};
    return cli_parse(&COMMAND, argc, argv, options, operands, wants_help, message);
}

static void test_forms(void)
{
    Options o;
    CliFiles operands;
    bool wants_help;
    Message message;
    CASE("cli: every form of an option");
    char *const all[] = {"-n", "5", "--name=a=b", "file", "--flag", "--pair", "x", "y", "--", "-n", NULL};
    CHECK(parse(all, &o, &operands, &wants_help, &message));
    CHECK(!wants_help && o.flag);
    CHECK_INT(o.number, 5);
    CHECK_TEXT(o.text, "a=b");
    CHECK_TEXT(o.called, "x+y");
    CHECK_INT(operands.nb, 2);
    CHECK_TEXT(operands.path[0], "file");
    CHECK_TEXT(operands.path[1], "-n");
    CHECK(parse((char *[]){"-n42", "-r=", NULL}, &o, &operands, &wants_help, &message) == false);
    CHECK(
        parse((char *[]){"-n42", "-r-1", "--pair=x", "y", "-", NULL}, &o, &operands, &wants_help, &message));
    CHECK_INT(o.number, 42);
    CHECK(o.real == -1);
    CHECK_TEXT(o.called, "x+y");
    CHECK_TEXT(operands.path[0], "-");
    CASE("cli: a value may look like an option, the last one of several counts");
    CHECK(parse((char *[]){"--name", "--flag", "--real", "-1", "--real=0.25", "--none", NULL}, &o, &operands,
                &wants_help, &message));
    CHECK_TEXT(o.text, "--flag");
    CHECK(!o.flag && o.real == 0.25);
    CHECK_TEXT(o.called, "called");
    CASE("cli: files up to the next option, again and again");
    CHECK(parse((char *[]){"--data", "a", "-", "-f", "--data=b", "c", NULL}, &o, &operands, &wants_help,
                &message));
    CHECK_INT(o.files.nb, 3);
    CHECK_TEXT(o.files.path[1], "-");
    CHECK_TEXT(o.files.path[2], "b");
    CHECK_INT(operands.nb, 1);
    CHECK(!parse((char *[]){"--data", "a", "b", "c", "d", NULL}, &o, &operands, &wants_help, &message));
    CHECK_TEXT(message.text, "more than 3 files");
    CASE("cli: the largest number is read whole");
    CHECK(parse((char *[]){"--big", "9223372036854775807", NULL}, &o, &operands, &wants_help, &message));
    CHECK_INT(o.big, INT64_MAX);
    CHECK(!parse((char *[]){"--big", "9223372036854775808", NULL}, &o, &operands, &wants_help, &message));
    CHECK(!parse((char *[]){"--big", "-1", NULL}, &o, &operands, &wants_help, &message));
    CASE("cli: times");
    const struct {
        char *word;
        i64 ms;
    } TIMES[] = {{"2", 2000}, {"0.5", 500}, {"250ms", 250}, {"1.5s", 1500}, {"2m", 120000}, {"0", 0}};
    for (size_t i = 0; i < sizeof TIMES / sizeof TIMES[0]; i++) {
        CHECK(parse((char *[]){"--time", TIMES[i].word, NULL}, &o, &operands, &wants_help, &message));
        CHECK_INT(o.time_ms, TIMES[i].ms);
    }
}

static void test_mistakes(void)
{
    static const struct {
        char *words[4];
        const char *message;
    } BAD[] = {
        {{"--ndoes", "5"}, "unknown option '--ndoes': did you mean --nodes?"},
        {{"--ndoes=5"}, "unknown option '--ndoes=5': did you mean --nodes?"},
        {{"--halp"}, "unknown option '--halp': did you mean --help?"},
        {{"--zzzzzzzz"}, "unknown option '--zzzzzzzz'"},
        {{"-z", "f"}, "unknown option '-z'"},
        {{"--nodes", "101"}, "--nodes takes a whole number from 1 to 100, not '101'"},
        {{"-n", "0"}, "--nodes takes a whole number from 1 to 100, not '0'"},
        {{"--nodes", "5x"}, "--nodes takes a whole number from 1 to 100, not '5x'"},
        {{"--nodes="}, "--nodes takes a whole number from 1 to 100, not ''"},
        {{"--real", "1.5"}, "--real takes a number from -1 to 1, not '1.5'"},
        {{"--real", "nan"}, "--real takes a number from -1 to 1, not 'nan'"},
        {{"--time", "-1"}, "--time: '-1' is not a time: seconds, or a number with ms, s or m"},
        {{"--time", "ms"}, "--time: 'ms' is not a time: seconds, or a number with ms, s or m"},
        {{"f", "--name"}, "--name needs a value: TEXT"},
        {{"--pair", "x"}, "--pair needs all of A B"},
        {{"--pair", "no", "x"}, "--pair: 'no' is refused"},
        {{"--data"}, "--data needs a value: FILE"},
        {{"--flag=1"}, "--flag takes no value"},
        {{"--none=1"}, "--none takes no value"},
        {{"a", "b", "c"}, "'c' is one word too many"},
        {{"--name", "x\033[2J", "\033]0;"}, NULL},
        {{"--\033[2J"}, "unknown option '--?[2J'"},
    };
    CASE("cli: every mistake has its message");
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        Options o;
        CliFiles operands;
        Message message;
        bool wants_help, ok = parse((char *const *)BAD[i].words, &o, &operands, &wants_help, &message);
        CHECK_THAT(ok == !BAD[i].message, "%s: read", BAD[i].words[0]);
        CHECK_TEXT(message.text, BAD[i].message ? BAD[i].message : "");
    }
    CASE("cli: numbers and files for those who read them themselves");
    Message message = {{0}};
    i64 number = 3;
    double real = 3;
    CHECK(!cli_int(span_of("x"), 0, 9, &number, &message));
    CHECK_TEXT(message.text, "'x' is not a whole number from 0 to 9");
    CHECK(!cli_real(span_of("9.5"), 0, 9, &real, &message));
    CHECK_TEXT(message.text, "'9.5' is not a number from 0 to 9");
    CHECK(number == 3 && real == 3);
    const char *const paths[] = {NULL, "tests/test.h", NULL, "tests/../tests/test.h"};
    CHECK(cli_files_differ(paths, 3, &message));
    CHECK(!cli_files_differ(paths, 4, &message));
    CHECK(strstr(message.text, "two purposes") != NULL);
}

static void test_help(void)
{
    CASE("cli: the help tells every option, its default and nothing that is not set");
    Options o = defaults();
    o.number = 0; // outside its range: not set
    o.real = 0.25;
    Text text = {0};
    cli_help(&COMMAND, &o, &text);
    CHECK_TEXT(text.ptr, "Usage: program\n"
                         "\nNumbers:\n"
                         "  -n, --nodes N      how many\n"
                         "      --big N        a large one (default 0)\n"
                         "  -r, --real X       a real one (default 0.25)\n"
                         "      --time TIME    a time (default 1.5)\n"
                         "\nThe rest:\n"
                         "  -f, --flag         a switch\n"
                         "      --name TEXT    a text (default nobody)\n"
                         "  -d, --data FILE..  files\n"
                         "      --pair A B     two\n"
                         "                     words\n"
                         "      --none         no word\n"
                         "      --an-option-with-a-very-long-name\n"
                         "                     long\n"
                         "  -h, --help         this text\n");
    text_free(&text);
    CASE("cli: help wins over what follows, not over a mistake before it");
    CliFiles operands;
    Message message;
    bool wants_help;
    CHECK(parse((char *[]){"-f", "-h", "--nonsense", NULL}, &o, &operands, &wants_help, &message) &&
          wants_help);
    CHECK(parse((char *[]){"--help", NULL}, &o, &operands, &wants_help, &message) && wants_help);
    CHECK(!parse((char *[]){"--nonsense", "--help", NULL}, &o, &operands, &wants_help, &message));
    CHECK(parse((char *[]){"--name", "--help", NULL}, &o, &operands, &wants_help, &message) && !wants_help);
}

// What the command says on its two streams, and its exit code.
static void test_streams(void)
{
    static const struct {
        char *word;
        int code;
        const char *out, *err;
    } RUNS[] = {{"-h", EXIT_DONE, "Usage: program", ""},
                {"--nodes=9", EXIT_DONE, "", ""},
                {"--nodes=x", EXIT_USAGE, "",
                 "program command: --nodes takes a whole number from 1 to 100, not 'x'\n"}};
    CASE("cli: what is said where, and the exit code");
    for (size_t i = 0; i < sizeof RUNS / sizeof RUNS[0]; i++) {
        char *out = NULL, *err = NULL;
        size_t out_size, err_size;
        CliCommand command = COMMAND;
        command.out = open_memstream(&out, &out_size);
        command.err = open_memstream(&err, &err_size);
        Options o = defaults();
        CliFiles operands;
        int code = -1;
        bool runs = cli_read(&command, 2, (char *[]){"program", RUNS[i].word}, &o, &operands, &code);
        fclose(command.out);
        fclose(command.err);
        CHECK(runs == (i == 1));
        CHECK_INT(code, RUNS[i].code);
        CHECK_THAT(RUNS[i].out[0] ? strstr(out, RUNS[i].out) == out : !out[0], "printed '%s'", out);
        CHECK_THAT(RUNS[i].err[0] ? strstr(err, RUNS[i].err) == err && strstr(err, "Try --help.") : !err[0],
                   "said '%s'", err);
        free(out);
        free(err);
    }
}

static void test_suggestions(void)
{
    CASE("suggest: near words only, nearest first");
    Suggestions near = {0};
    const char *const words[] = {"undo", "new", "resign", "under"};
    for (int i = 0; i < 4; i++)
        suggest(&near, span_of("udno"), span_of(words[i]));
    CHECK_INT(near.nb, 1);
    CHECK_TEXT(near.item[0].text, "undo");
    CHECK_INT(suggest_distance(span_of("abc"), span_of("abc")), 0);
    CHECK_INT(suggest_distance(span_of("abc"), span_of("acb")), 2);
    CHECK_INT(suggest_distance(span_of("abc"), span_of("aBc")), 1);
    CHECK_INT(suggest_distance(span_of(""), span_of("abc")), 6);
    CHECK_INT(suggest_distance(span_of("abc"), span_of("ab")), 3);
    near = (Suggestions){0};
    suggest(&near, span_of("a8"), span_of("a8=Q"));
    suggest(&near, span_of("a8"), span_of("b8=Q"));
    CHECK_INT(near.nb, 1);
    CHECK_TEXT(near.item[0].text, "a8=Q");
}

void test_cli(void)
{
    test_forms();
    test_mistakes();
    test_help();
    test_streams();
    test_suggestions();
}
