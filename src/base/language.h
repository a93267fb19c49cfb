// SPDX-License-Identifier: GPL-3.0-or-later
// The language in which the program speaks to people. It is English until language_set is called, which a
// front end for people does once (base/cli.c does it for the commands that say so), before it starts a
// thread; protocols, JSON and files of games never ask for it.
#ifndef TWOFOLD_LANGUAGE_H
#define TWOFOLD_LANGUAGE_H

#include "base/base.h"

typedef enum Language { LANGUAGE_ENGLISH, LANGUAGE_JAPANESE } Language;
enum { LANGUAGE_NB = 2 };

// A phrase in both languages; language_table.c has all of them.
typedef struct Phrase {
    const char *english, *japanese;
} Phrase;
extern const Phrase LANGUAGE_TABLE[];
extern const int LANGUAGE_TABLE_NB;
// The phrase, which may be a format of printf, in the language that is spoken. One that the table has not is
// said as it stands.
const char *said(const char *english) __attribute__((format_arg(1)));
// The same in a language of the caller's choice.
const char *said_in(Language in, const char *english) __attribute__((format_arg(2)));

Language language(void);
void language_set(Language language);
// "en" or "ja"; false, with *out untouched, for anything else.
bool language_named(Span name, Language *out);
// What LC_ALL, LC_MESSAGES and LANG ask for, the first of them that is set; English when it is another.
Language language_of_environment(void);

#endif
