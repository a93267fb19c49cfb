// SPDX-License-Identifier: GPL-3.0-or-later
// The language in which the program speaks to people. It is English until language_set is called, which a
// front end for people does once, before it starts a thread; protocols, JSON and files of games never ask for
// it.
#ifndef TWOFOLD_LANGUAGE_H
#define TWOFOLD_LANGUAGE_H

#include "base/base.h"

typedef enum Language { LANGUAGE_ENGLISH, LANGUAGE_JAPANESE } Language;
enum { LANGUAGE_NB = 2 };

Language language(void);
void language_set(Language language);
// "en" or "ja"; false, with *out untouched, for anything else.
bool language_named(Span name, Language *out);
// What LC_ALL, LC_MESSAGES and LANG ask for, the first of them that is set; English when it is another.
Language language_of_environment(void);

#endif
