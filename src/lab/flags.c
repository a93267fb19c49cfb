// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and explaining command lines from a table. Nothing is guessed: a number must be a number to its last character.
#include "lab/flags.h"

enum { FLAG_VALUES_MAX = 8, HELP_COLUMN = 34 };

static const Flag *flag_find(const Flag *table, int flag_nb, Span name)
{
    for (int i = 0; i < flag_nb; i++)
        if (table[i].name && span_is(name, table[i].name))
            return &table[i];
    return NULL;
}

bool flags_read(const Flag *table, int flag_nb, int argc, char **argv, void *context, Message *error)
{
    for (int i = 1; i < argc; i++) {
        Span name = span_of(argv[i]), value[FLAG_VALUES_MAX];
        const char *equals = memchr(name.ptr, '=', name.len);
        if (equals)
            name.len = (size_t)(equals - name.ptr);
        const Flag *flag = flag_find(table, flag_nb, name);
        if (!flag)
            return message_set(error, "unknown option '%s' (--help lists them)", argv[i]);
        int nb = 0;
        if (equals && flag->value_nb == 0)
            return message_set(error, "%s takes no value", flag->name);
        if (equals)
            value[nb++] = span_of(equals + 1);
        while (nb < flag->value_nb && i + 1 < argc)
            value[nb++] = span_of(argv[++i]);
        if (nb < flag->value_nb)
            return message_set(error, "%s needs %s", flag->name, flag->values);
        Message why = {{0}};
        if (!flag->set(context, value, &why))
            return message_set(error, "%s: %s", flag->name, why.text);
    }
    return true;
}

void flags_help(const Flag *table, int flag_nb, Text *out)
{
    for (int i = 0; i < flag_nb; i++) {
        const Flag *flag = &table[i];
        if (!flag->name) {
            text_add(out, "\n%s\n", flag->help);
            continue;
        }
        size_t start = out->len;
        text_add(out, "  %s%s%s", flag->name, flag->value_nb ? " " : "", flag->value_nb ? flag->values : "");
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
    return message_set(error, "'%.*s' is not a whole number from %lld to %lld", (int)value.len, value.ptr, (long long)lo,
                       (long long)hi);
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
    return message_set(error, "'%.*s' is not a time: seconds, or a number with ms, s or m", (int)value.len, value.ptr);
}
