// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines as tables: parsing and --help from the same rows, so that neither can forget an option.
#include "train/args.h"

static void print_default(const Arg *arg)
{
    switch (arg->kind) {
    case ARG_INT: printf(" (%lld)", (long long)*(const i64 *)arg->value); break;
    case ARG_REAL: printf(" (%g)", *(const double *)arg->value); break;
    case ARG_TEXT:
        if (*(const char *const *)arg->value)
            printf(" (%s)", *(const char *const *)arg->value);
        break;
    case ARG_FLAG:
    case ARG_FILES: break;
    }
}

static void print_help(const char *usage, const Arg *args, int arg_nb)
{
    static const char *const VALUE[] = {
        [ARG_INT] = "N", [ARG_REAL] = "X", [ARG_TEXT] = "TEXT", [ARG_FLAG] = "", [ARG_FILES] = "FILE.."};
    printf("%s\n", usage);
    for (int i = 0; i < arg_nb; i++) {
        printf("  %-16s %-7s %s", args[i].name[0] ? args[i].name : "FILE..",
               args[i].name[0] ? VALUE[args[i].kind] : "", args[i].help);
        print_default(&args[i]);
        printf("\n");
    }
}

static bool files_add(ArgFiles *files, const char *path)
{
    if (files->nb == ARG_FILES_MAX)
        return false;
    files->path[files->nb++] = path;
    return true;
}

// Takes the value(s) after argv[at]; the index of the last word used, or -1 after saying what is wrong.
static int take_value(const Arg *arg, int argc, char **argv, int at)
{
    if (arg->kind == ARG_FLAG) {
        *(bool *)arg->value = true;
        return at;
    }
    if (at + 1 >= argc) {
        fprintf(stderr, "%s needs a value\n", arg->name);
        return -1;
    }
    const char *word = argv[++at];
    switch (arg->kind) {
    case ARG_INT:
        if (!span_int(span_of(word), (i64)arg->lo, (i64)arg->hi, arg->value)) {
            fprintf(stderr, "%s takes a whole number from %.0f to %.0f, not '%s'\n", arg->name, arg->lo,
                    arg->hi, word);
            return -1;
        }
        return at;
    case ARG_REAL:
        if (!span_real(span_of(word), arg->lo, arg->hi, arg->value)) {
            fprintf(stderr, "%s takes a number from %g to %g, not '%s'\n", arg->name, arg->lo, arg->hi, word);
            return -1;
        }
        return at;
    case ARG_TEXT: *(const char **)arg->value = word; return at;
    default:
        for (;; word = argv[++at]) {
            if (!files_add(arg->value, word)) {
                fprintf(stderr, "more than %d files\n", ARG_FILES_MAX);
                return -1;
            }
            if (at + 1 >= argc || strncmp(argv[at + 1], "--", 2) == 0)
                return at;
        }
    }
}

ArgsResult args_parse(const char *usage, const Arg *args, int arg_nb, int argc, char **argv)
{
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            print_help(usage, args, arg_nb);
            return ARGS_HELP;
        }
        bool is_option = strncmp(argv[at], "--", 2) == 0;
        const Arg *arg = NULL;
        for (int i = 0; i < arg_nb && !arg; i++)
            if (strcmp(args[i].name, is_option ? argv[at] : "") == 0)
                arg = &args[i];
        if (!arg) {
            fprintf(stderr, "'%s' is not understood; --help shows the options\n", argv[at]);
            return ARGS_WRONG;
        }
        at = take_value(arg, argc, argv, is_option ? at : at - 1);
        if (at < 0)
            return ARGS_WRONG;
    }
    return ARGS_OK;
}
