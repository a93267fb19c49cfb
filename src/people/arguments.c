// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines read by table. Nothing is guessed: an unknown option, a missing or an impossible value is a
// message.
#include "people/arguments.h"

#include "base/suggest.h"

static const Argument *find(const Argument *table, int table_nb, Span name, bool is_letter)
{
    for (int i = 0; i < table_nb; i++)
        if (is_letter ? table[i].letter && name.len == 1 && name.ptr[0] == table[i].letter
                      : span_is(name, table[i].name))
            return &table[i];
    return NULL;
}

static bool unknown(const Argument *table, int table_nb, const char *word, Span name, Message *message)
{
    Suggestions near = {0};
    for (int i = 0; i < table_nb; i++)
        suggest(&near, name, span_of(table[i].name));
    if (near.nb > 0)
        return message_set(message, "unknown option '%.60s': did you mean --%s?", word, near.item[0].text);
    return message_set(message, "unknown option '%.60s'", word);
}

static bool store(const Argument *row, const char *value, Message *message)
{
    if (row->kind == ARGUMENT_TEXT) {
        *(const char **)row->target = value;
        return true;
    }
    if (span_int(span_of(value), row->lo, row->hi, row->target))
        return true;
    return message_set(message, "--%s takes a whole number from %lld to %lld, not '%.60s'", row->name,
                       (long long)row->lo, (long long)row->hi, value);
}

bool arguments_read(const Argument *table, int table_nb, int argc, char **argv, const char **operand,
                    int operand_max, int *operand_nb, Message *message)
{
    bool only_operands = false;
    *operand_nb = 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (only_operands || word[0] != '-' || word[1] == '\0') {
            if (*operand_nb == operand_max)
                return message_set(message, "'%.60s' is one word too many", word);
            operand[(*operand_nb)++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_operands = true;
            continue;
        }
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
        const Argument *row = find(table, table_nb, name, is_letter);
        if (!row)
            return unknown(table, table_nb, word, name, message);
        if (row->kind == ARGUMENT_FLAG) {
            if (glued)
                return message_set(message, "--%s takes no value", row->name);
            *(bool *)row->target = true;
            continue;
        }
        const char *value = glued ? glued : i + 1 < argc ? argv[++i] : NULL;
        if (!value)
            return message_set(message, "--%s needs a value: %s", row->name, row->value);
        if (!store(row, value, message))
            return false;
    }
    return true;
}

void arguments_help(const Argument *table, int table_nb, Text *out)
{
    for (int i = 0; i < table_nb; i++) {
        char left[64];
        int used = table[i].letter ? snprintf(left, sizeof left, "-%c, --%s", table[i].letter, table[i].name)
                                   : snprintf(left, sizeof left, "    --%s", table[i].name);
        if (table[i].value)
            snprintf(left + used, sizeof left - (size_t)used, " %s", table[i].value);
        text_add(out, "  %-24s %s\n", left, table[i].help);
    }
}
