// SPDX-License-Identifier: GPL-3.0-or-later
// The one option table. Every front end lists and sets its options here, so that a name means the same, with
// the same limits, in the protocol, in the library, in the terminal and in analyses. Names are those of the
// game's protocol (upper and lower case being equal); a few are also known by a name that is the same in
// every game (Hash, MoveOverhead, Tables, OwnBook, BookFile).
#ifndef TWOFOLD_OPTIONS_H
#define TWOFOLD_OPTIONS_H

#include "games/words.h"
#include "session/session.h"

enum { HASH_MB_MAX = 33554432, THREADS_MAX = 1024, SEED_MAX = INT32_MAX };

typedef struct OptionInfo {
    const char *name;
    OptionType type;
    i64 def, min, max;         // a number; a truth is 0 or 1, a choice its index
    const char *const *choice; // of OPTION_COMBO; ends with NULL
    const char *text;          // the default of OPTION_STRING and OPTION_FILE
    bool is_listed;            // else it is understood, but not shown in the protocol's list
} OptionInfo;
// What the option is; false when there are no more. Indices count from 0.
bool option_at(int index, OptionInfo *info);
// The index of the option of that name, or of another name that it is known by; -1: there is none.
int option_find(Span name);
// Adds the present value in the words that set it; nothing for an option that has none, as a button.
void option_print(const Session *session, int index, Text *out);

typedef enum OptionResult {
    OPTION_DONE,
    OPTION_UNKNOWN, // there is no such option
    OPTION_REFUSED, // the value does not fit, or its file can't be used
    OPTION_NO_MEMORY,
} OptionResult;
// Sets an option. Unless it is done nothing has changed, and the message says why. What else there is to tell
// (of the endgame tables found) goes to the session's notes.
OptionResult option_set(Session *session, Span name, Span value, Message *message);
// The same for an option of the rules, wherever these are kept; OPTION_UNKNOWN when it is none of the rules'.
OptionResult option_set_rule(Rules *rules, Span name, Span value, Message *message);
// What an option of the rules is in these rules; false when the game has no such rule.
bool option_rule(const Rules *rules, Span name, i64 *value);
// The same for NAME=VALUE, as command lines have it; false with a message that names the option, and the
// nearest one when there is none of that name.
bool option_set_pair(Session *session, Span pair, Message *message);

// NAME=VALUE words of a command line, to be set when there is a session. The words are not copied.
enum { OPTION_LIST_MAX = 64 };
typedef struct OptionList {
    Span pair[OPTION_LIST_MAX];
    int nb;
} OptionList;
// False with a message when there are too many.
bool option_list_add(OptionList *list, Span pair, Message *message);
// Sets all, in order; false with a message at the first that can't be set.
bool option_list_set(Session *session, const OptionList *list, Message *message);
// A number by its option's name; the same as its text.
bool option_set_number(Session *session, const char *name, i64 value, Message *message);

// All options at their defaults, for a new session. Hash, threads and files start out as the engine does.
void options_init(Session *session);

#endif
