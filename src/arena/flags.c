// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and explaining command lines from a table. Nothing is guessed: a number must be a number to its
// last character.
#include "arena/flags.h"

enum { FLAG_VALUES_MAX = 8, HELP_COLUMN = 34 };

static const Flag *flag_find(const FlagTable *tables, int table_nb, Span name)
{
    for (int t = 0; t < table_nb; t++)
        for (int i = 0; i < tables[t].row_nb; i++)
            if (tables[t].row[i].name && span_is(name, tables[t].row[i].name))
                return &tables[t].row[i];
    return NULL;
}

static int value_count(const Flag *flag)
{
    int nb = 0;
    Span rest = span_of(flag->values ? flag->values : "");
    while (span_word(&rest).len)
        nb++;
    return nb;
}

static bool flag_apply(const Flag *flag, void *context, const Span *value, Message *error)
{
    void *field = (char *)context + flag->offset;
    i64 number;
    switch (flag->kind) {
    case FLAG_CALL: return flag->set(context, value, error);
    case FLAG_SWITCH: return *(bool *)field = true;
    case FLAG_INT:
        if (!flag_int(value[0], (i64)flag->lo, (i64)flag->hi, &number, error))
            return false;
        *(int *)field = (int)number;
        return true;
    case FLAG_LONG: return flag_int(value[0], (i64)flag->lo, (i64)flag->hi, field, error);
    case FLAG_REAL: return flag_real(value[0], flag->lo, flag->hi, field, error);
    case FLAG_TIME: return flag_time_ms(value[0], field, error);
    case FLAG_TEXT:
        *(const char **)field = value[0].ptr; // an argument: ends in NUL and lives as long as the program
        return true;
    }
    return false;
}

bool flags_read(const FlagTable *tables, int table_nb, int argc, char **argv, void *context, Message *error)
{
    for (int i = 1; i < argc; i++) {
        Span name = span_of(strcmp(argv[i], "-h") == 0 ? "--help" : argv[i]), value[FLAG_VALUES_MAX];
        const char *equals = memchr(name.ptr, '=', name.len);
        if (equals)
            name.len = (size_t)(equals - name.ptr);
        const Flag *flag = flag_find(tables, table_nb, name);
        if (!flag)
            return message_set(error, "unknown option '%s' (--help lists them)", argv[i]);
        int nb = 0, wanted = value_count(flag);
        assert(wanted <= FLAG_VALUES_MAX);
        if (equals && wanted == 0)
            return message_set(error, "%s takes no value", flag->name);
        if (equals)
            value[nb++] = span_of(equals + 1);
        while (nb < wanted && i + 1 < argc)
            value[nb++] = span_of(argv[++i]);
        if (nb < wanted)
            return message_set(error, "%s needs %s", flag->name, flag->values);
        Message why = {{0}};
        if (!flag_apply(flag, context, value, &why))
            return message_set(error, "%s: %s", flag->name, why.text);
    }
    return true;
}

void flags_help(FlagTable table, Text *out)
{
    for (int i = 0; i < table.row_nb; i++) {
        const Flag *flag = &table.row[i];
        if (!flag->name) {
            text_add(out, "\n%s\n", flag->help);
            continue;
        }
        size_t start = out->len;
        text_add(out, "  %s%s%s", flag->name, flag->values ? " " : "", flag->values ? flag->values : "");
        // The help's own line breaks start a new line under the column.
        Span rest = span_of(flag->help), line;
        for (bool first = true; span_line(&rest, &line); first = false) {
            int used = first ? (int)(out->len - start) : 0;
            if (used >= HELP_COLUMN) {
                text_add(out, "\n");
                used = 0;
            }
            text_add(out, "%*s%.*s\n", HELP_COLUMN - used, "", (int)line.len, line.ptr);
        }
    }
}

bool flag_int(Span value, i64 lo, i64 hi, i64 *out, Message *error)
{
    if (span_int(value, lo, hi, out))
        return true;
    return message_set(error, "'%.*s' is not a whole number from %lld to %lld", (int)value.len, value.ptr,
                       (long long)lo, (long long)hi);
}

bool flag_real(Span value, double lo, double hi, double *out, Message *error)
{
    if (span_real(value, lo, hi, out))
        return true;
    return message_set(error, "'%.*s' is not a number from %g to %g", (int)value.len, value.ptr, lo, hi);
}

bool flag_time_ms(Span value, i64 *ms, Message *error)
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
    return message_set(error, "'%.*s' is not a time: seconds, or a number with ms, s or m", (int)value.len,
                       value.ptr);
}

bool flag_files_differ(const char *const *path, int nb, Message *error)
{
    for (int i = 1; i < nb; i++)
        for (int k = 0; path[i] && k < i; k++)
            if (path[k] && os_same_file(path[i], path[k]))
                return message_set(error, "'%s' is to serve two purposes: name another file for one",
                                   path[i]);
    return true;
}
