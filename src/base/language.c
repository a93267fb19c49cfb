// SPDX-License-Identifier: GPL-3.0-or-later
// Which language is spoken. One variable, written before there are threads.
#include "base/language.h"

#include <stdlib.h>

static Language spoken = LANGUAGE_ENGLISH;

Language language(void) { return spoken; }

void language_set(Language wanted) { spoken = wanted; }

const char *said_in(Language in, const char *english)
{
    if (in == LANGUAGE_ENGLISH)
        return english;
    for (int i = 0; i < LANGUAGE_TABLE_NB; i++)
        if (strcmp(LANGUAGE_TABLE[i].english, english) == 0)
            return LANGUAGE_TABLE[i].japanese;
    return english;
}

const char *said(const char *english) { return said_in(spoken, english); }

bool language_named(Span name, Language *out)
{
    static const char *const NAMES[LANGUAGE_NB] = {"en", "ja"};
    for (int i = 0; i < LANGUAGE_NB; i++)
        if (span_is_nocase(name, NAMES[i])) {
            *out = (Language)i;
            return true;
        }
    return false;
}

// "ja_JP.UTF-8", "ja": a language, then perhaps a country and an encoding.
Language language_of_environment(void)
{
    static const char *const NAMES[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    Language found = LANGUAGE_ENGLISH;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        const char *value = getenv(NAMES[i]);
        if (!value || !*value)
            continue;
        language_named((Span){value, strcspn(value, "_.@")}, &found);
        break;
    }
    return found;
}
