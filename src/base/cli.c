// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and explaining command lines from tables. Nothing is guessed: an unknown option, a missing value
// and a number that is not one to its last character are mistakes, each with a message that names the word.
#include "base/cli.h"

#include "base/language.h"
#include "base/suggest.h"

enum { VALUES_MAX = 8, LEFT_MAX = 32, LEFT_SIZE = 96 };

// ---- values -------------------------------------------------------------------------------------
bool cli_int(Span value, i64 lo, i64 hi, i64 *out, Message *message)
{
    if (span_int(value, lo, hi, out))
        return true;
    return message_set(message, "'%.*s' is not a whole number from %lld to %lld", (int)value.len, value.ptr,
                       (long long)lo, (long long)hi);
}

bool cli_real(Span value, double lo, double hi, double *out, Message *message)
{
    if (span_real(value, lo, hi, out))
        return true;
    return message_set(message, "'%.*s' is not a number from %g to %g", (int)value.len, value.ptr, lo, hi);
}

bool cli_time_ms(Span value, i64 *ms, Message *message)
{
    static const struct {
        const char *unit;
        double ms;
    } UNITS[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"", 1000}};
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        size_t len = strlen(UNITS[i].unit);
        double number;
        if (value.len <= len || memcmp(value.ptr + value.len - len, UNITS[i].unit, len) != 0)
            continue;
        if (!span_real((Span){value.ptr, value.len - len}, 0, 1e9, &number))
            break;
        *ms = (i64)(number * UNITS[i].ms + 0.5);
        return true;
    }
    return message_set(message, "'%.*s' is not a time: seconds, or a number with ms, s or m", (int)value.len,
                       value.ptr);
}

bool cli_files_differ(const char *const *path, int nb, Message *message)
{
    for (int i = 1; i < nb; i++)
        for (int k = 0; path[i] && k < i; k++)
            if (path[k] && os_same_file(path[i], path[k]))
                return message_set(message, "'%s' is to serve two purposes: name another file for one",
                                   path[i]);
    return true;
}

// A bound of a table as a whole number: the largest ones are not exact as a double.
static i64 whole(double bound)
{
    return bound >= 0x1p63 ? INT64_MAX : bound <= -0x1p63 ? INT64_MIN : (i64)bound;
}

// ---- reading ------------------------------------------------------------------------------------
typedef struct CliReader {
    const CliCommand *command;
    int argc, at; // argv[at] is the word being read
    char **argv;
    void *options;
    CliFiles *operands;
    Message *message;
} CliReader;

static bool add_file(CliFiles *files, int max, const char *word, Message *message)
{
    if (files->nb == max)
        return message_set(message, "more than %d files", max);
    files->path[files->nb++] = word;
    return true;
}

static const CliOption *find(const CliCommand *command, Span name, bool is_letter)
{
    for (int t = 0; t < command->table_nb; t++)
        for (int i = 0; i < command->table[t].row_nb; i++) {
            const CliOption *row = &command->table[t].row[i];
            if (row->kind != CLI_HEADING &&
                (is_letter ? row->letter && name.ptr[0] == row->letter : span_is(name, row->name)))
                return row;
        }
    return NULL;
}

static bool is_unknown(const CliReader *reader, Span name)
{
    Suggestions near = {0};
    const CliCommand *command = reader->command;
    suggest(&near, name, span_of("help"));
    if (command->speaks)
        suggest(&near, name, span_of("lang"));
    for (int t = 0; t < command->table_nb; t++)
        for (int i = 0; i < command->table[t].row_nb; i++)
            if (command->table[t].row[i].kind != CLI_HEADING)
                suggest(&near, name, span_of(command->table[t].row[i].name));
    const char *word = reader->argv[reader->at];
    if (near.nb > 0)
        return message_set(reader->message, "unknown option '%.60s': did you mean --%s?", word,
                           near.item[0].text);
    return message_set(reader->message, "unknown option '%.60s'", word);
}

static int value_count(const CliOption *row)
{
    if (row->kind == CLI_SWITCH)
        return 0;
    if (row->kind != CLI_CALL)
        return 1;
    int nb = 0;
    Span rest = span_of(row->value ? row->value : "");
    while (span_word(&rest).len)
        nb++;
    assert(nb <= VALUES_MAX);
    return nb;
}

static bool store_number(const CliOption *row, void *field, Span value, Message *message)
{
    i64 number;
    if (row->kind == CLI_REAL)
        return span_real(value, row->lo, row->hi, field) ||
               message_set(message, "--%s takes a number from %g to %g, not '%.60s'", row->name, row->lo,
                           row->hi, value.ptr);
    if (!span_int(value, whole(row->lo), whole(row->hi), &number))
        return message_set(message, "--%s takes a whole number from %lld to %lld, not '%.60s'", row->name,
                           (long long)whole(row->lo), (long long)whole(row->hi), value.ptr);
    if (row->kind == CLI_INT)
        *(int *)field = (int)number;
    else
        *(i64 *)field = number;
    return true;
}

static bool store(const CliOption *row, void *options, const Span *value, Message *message)
{
    void *field = (char *)options + row->offset;
    Message why = {{0}};
    switch (row->kind) {
    case CLI_HEADING: break;
    case CLI_SWITCH: *(bool *)field = true; return true;
    case CLI_TEXT: *(const char **)field = value[0].ptr; return true;
    case CLI_INT:
    case CLI_I64:
    case CLI_REAL: return store_number(row, field, value[0], message);
    case CLI_TIME_MS:
        return cli_time_ms(value[0], field, &why) || message_set(message, "--%s: %s", row->name, why.text);
    case CLI_FILES: return add_file(field, row->hi > 0 ? (int)row->hi : CLI_FILES_MAX, value[0].ptr, message);
    case CLI_CALL:
        return row->call(options, value, &why) || message_set(message, "--%s: %s", row->name, why.text);
    }
    assert(false);
    return false;
}

// More files of the same option follow until a word looks like an option.
static bool store_more_files(CliReader *reader, const CliOption *row)
{
    while (reader->at + 1 < reader->argc) {
        const char *next = reader->argv[reader->at + 1];
        if (next[0] == '-' && next[1] != '\0')
            break;
        if (!store(row, reader->options, &(Span){next, strlen(next)}, reader->message))
            return false;
        reader->at++;
    }
    return true;
}

// One option with its values, of which the first may be in the same word.
static bool obey(CliReader *reader, const CliOption *row, const char *glued)
{
    Span value[VALUES_MAX];
    int nb = 0, wanted = value_count(row);
    if (glued && wanted == 0)
        return message_set(reader->message, "--%s takes no value", row->name);
    if (glued)
        value[nb++] = span_of(glued);
    while (nb < wanted && reader->at + 1 < reader->argc)
        value[nb++] = span_of(reader->argv[++reader->at]);
    if (nb < wanted)
        return message_set(reader->message, wanted == 1 ? "--%s needs a value: %s" : "--%s needs all of %s",
                           row->name, said(row->value ? row->value : "FILE"));
    return store(row, reader->options, value, reader->message) &&
           (row->kind != CLI_FILES || glued || store_more_files(reader, row));
}

static bool read_operand(CliReader *reader, const char *word)
{
    int max = min_int(reader->command->operand_max, CLI_FILES_MAX);
    if (max == 0 || reader->operands->nb == max)
        return message_set(reader->message, "'%.60s' is one word too many", word);
    reader->operands->path[reader->operands->nb++] = word;
    return true;
}

static const CliOption LANG = {
    .name = "lang",
    .kind = CLI_TEXT,
    .value = "LANGUAGE",
    .help = "the language to speak: en or ja (default: as LC_ALL, LC_MESSAGES or LANG say)",
};

// The word is an option: it begins with a dash and has more than that.
static bool read_option(CliReader *reader, const char *word, bool *wants_help)
{
    bool is_letter = word[1] != '-';
    Span name = span_of(word + (is_letter ? 1 : 2));
    const char *glued = NULL; // the value in the same word: --name=value, -nvalue
    if (is_letter) {
        glued = name.len > 1 ? name.ptr + 1 : NULL;
        name.len = 1;
    } else if (memchr(name.ptr, '=', name.len)) {
        glued = (const char *)memchr(name.ptr, '=', name.len) + 1;
        name.len = (size_t)(glued - 1 - name.ptr);
    }
    if (!glued && span_is(name, is_letter ? "h" : "help")) {
        *wants_help = true;
        return true;
    }
    if (reader->command->speaks && !is_letter && span_is(name, LANG.name)) {
        Language wanted;
        const char *value = glued ? glued : reader->at + 1 < reader->argc ? reader->argv[++reader->at] : "";
        if (!language_named(span_of(value), &wanted))
            return message_set(reader->message, "--lang takes en or ja, not '%.60s'", value);
        return true; // cli_read has obeyed it
    }
    const CliOption *row = find(reader->command, name, is_letter);
    return row ? obey(reader, row, glued) : is_unknown(reader, name);
}

bool cli_parse(const CliCommand *command, int argc, char **argv, void *options, CliFiles *operands,
               bool *wants_help, Message *message)
{
    CliReader reader = {command, argc, 1, argv, options, operands, message};
    bool only_operands = false;
    *wants_help = false;
    if (operands)
        operands->nb = 0;
    for (; reader.at < argc && !*wants_help; reader.at++) {
        const char *word = argv[reader.at];
        bool is_operand = only_operands || word[0] != '-' || word[1] == '\0';
        if (!is_operand && strcmp(word, "--") == 0)
            only_operands = true;
        else if (is_operand ? !read_operand(&reader, word) : !read_option(&reader, word, wants_help))
            return false;
    }
    return true;
}

// ---- the help -----------------------------------------------------------------------------------
// "-o, --output FILE"; how many columns that takes.
static int print_left(const CliOption *row, char *out)
{
    char letter[8] = "    ";
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    const char *value = row->value ? row->value : row->kind == CLI_FILES ? "FILE.." : NULL;
    snprintf(out, LEFT_SIZE, "%s--%s%s%s", letter, row->name, value ? " " : "", value ? said(value) : "");
    return span_width(span_of(out));
}

// How wide the left column is: as the longest option that is not too long.
static int left_width(const CliCommand *command)
{
    int width = 0;
    for (int t = 0; t < command->table_nb; t++)
        for (int i = 0; i < command->table[t].row_nb; i++) {
            char left[LEFT_SIZE];
            int len = command->table[t].row[i].kind == CLI_HEADING
                          ? 0
                          : print_left(&command->table[t].row[i], left);
            if (len <= LEFT_MAX)
                width = max_int(width, len);
        }
    return width;
}

static void add_default(const CliOption *row, const void *options, Text *out)
{
    if (row == &LANG)
        return;
    const void *field = (const char *)options + row->offset;
    i64 number = row->kind == CLI_INT ? *(const int *)field : row->kind == CLI_I64 ? *(const i64 *)field : 0;
    switch (row->kind) {
    case CLI_INT:
    case CLI_I64:
        if (number >= whole(row->lo) && number <= whole(row->hi))
            text_add(out, said(" (default %lld)"), (long long)number);
        break;
    case CLI_REAL:
        if (*(const double *)field >= row->lo && *(const double *)field <= row->hi)
            text_add(out, said(" (default %g)"), *(const double *)field);
        break;
    case CLI_TEXT:
        if (*(const char *const *)field && **(const char *const *)field)
            text_add(out, said(" (default %s)"), *(const char *const *)field);
        break;
    case CLI_TIME_MS:
        if (*(const i64 *)field)
            text_add(out, said(" (default %g)"), (double)*(const i64 *)field / 1000);
        break;
    case CLI_HEADING:
    case CLI_SWITCH:
    case CLI_FILES:
    case CLI_CALL: break;
    }
}

// Line breaks of the help go on under its column.
static void add_row(const CliOption *row, const void *options, int width, Text *out)
{
    char left[LEFT_SIZE];
    if (row->kind == CLI_HEADING) {
        text_add(out, "\n%s\n", said(row->help));
        return;
    }
    int len = print_left(row, left);
    if (len > width)
        text_add(out, "  %s\n", left);
    Span rest = span_of(said(row->help)), line;
    for (bool is_first = len <= width; span_line(&rest, &line); is_first = false) {
        text_add(out, "  ");
        text_add_padded(out, is_first ? left : "", width);
        text_add(out, "  %.*s", (int)line.len, line.ptr);
        if (rest.len == 0)
            add_default(row, options, out);
        text_add(out, "\n");
    }
}

void cli_help(const CliCommand *command, const void *options, Text *out)
{
    static const CliOption HELP = {.name = "help", .letter = 'h', .kind = CLI_SWITCH, .help = "this text"};
    int width = left_width(command);
    text_add(out, "%s\n", said(command->about));
    if (command->table_nb == 0 || command->table[0].row_nb == 0 ||
        command->table[0].row[0].kind != CLI_HEADING)
        text_add(out, "\n%s\n", said("Options:"));
    for (int t = 0; t < command->table_nb; t++)
        for (int i = 0; i < command->table[t].row_nb; i++)
            add_row(&command->table[t].row[i], options, width, out);
    if (command->speaks)
        add_row(&LANG, NULL, max_int(width, 10), out);
    add_row(&HELP, options, max_int(width, 10), out);
    if (command->more)
        text_add(out, "\n%s\n", said(command->more));
}

// ---- telling ------------------------------------------------------------------------------------
static FILE *error_stream(const CliCommand *command) { return command->err ? command->err : stderr; }

int cli_misused(const CliCommand *command, const char *text)
{
    fprintf(error_stream(command), "%s: %s\n%s\n", command->name, said(text), said("Try --help."));
    return EXIT_USAGE;
}

int cli_failed(const CliCommand *command, const char *text)
{
    fprintf(error_stream(command), "%s: %s\n", command->name, said(text));
    return EXIT_FAILED;
}

// Before anything is said: the last --lang of the line, else the system's.
void cli_choose_language(int argc, char **argv)
{
    Language wanted = language_of_environment();
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        Span word = span_of(argv[i]);
        if (span_is(word, "--lang") && i + 1 < argc)
            language_named(span_of(argv[i + 1]), &wanted);
        else if (span_starts(word, "--lang="))
            language_named((Span){word.ptr + 7, word.len - 7}, &wanted);
    }
    language_set(wanted);
}

bool cli_read(const CliCommand *command, int argc, char **argv, void *options, CliFiles *operands, int *code)
{
    Message message = {{0}};
    Text help = {0};
    bool wants_help;
    if (command->speaks)
        cli_choose_language(argc, argv);
    cli_help(command, options, &help); // now, while the options hold their defaults
    bool ok = cli_parse(command, argc, argv, options, operands, &wants_help, &message);
    *code = EXIT_DONE;
    if (!ok)
        *code = cli_misused(command, message.text);
    else if (wants_help)
        fputs(help.ptr ? help.ptr : "", command->out ? command->out : stdout);
    text_free(&help);
    return ok && !wants_help;
}
