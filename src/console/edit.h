// SPDX-License-Identifier: GPL-3.0-or-later
// A line that is typed on a terminal: moving in it, taking away, the lines before it, completion of words.
// Knows no terminal: it takes bytes as a keyboard sends them, and tells what a screen has to be sent to show
// the line. Invariant: the cursor stands between two whole characters of the line, which is UTF-8 without
// control characters.
#ifndef TWOFOLD_EDIT_H
#define TWOFOLD_EDIT_H

#include "base/base.h"

enum { EDIT_LINE_MAX = 4096, EDIT_HISTORY_MAX = 200, EDIT_PENDING_MAX = 16 };

typedef struct Editor {
    char line[EDIT_LINE_MAX], kept[EDIT_LINE_MAX],
        cut[EDIT_LINE_MAX]; // kept: the new one, while an old one is shown
    size_t len, cursor, kept_len, cut_len;
    char *history[EDIT_HISTORY_MAX]; // oldest first
    int history_nb, at;              // the line that is shown; history_nb: the new one
    char pending[EDIT_PENDING_MAX];  // the beginning of a character, or of what a key sends
    size_t pending_nb;
} Editor;

typedef enum EditEvent {
    EDIT_GOES_ON,
    EDIT_DONE,   // the line is there
    EDIT_CLOSED, // nothing more will be typed
    EDIT_TAB,    // it is to be completed
    EDIT_CLEAR,  // the screen is to be cleared
} EditEvent;

// Takes the next byte of what is typed.
EditEvent edit_take(Editor *editor, int byte);
// Begins a new line; the one before becomes part of the history unless it is empty or the same as the last.
void edit_begin(Editor *editor);
void edit_free(Editor *editor);
// Puts a text (made safe for a terminal) in the place of the last `from` bytes before the cursor.
void edit_insert(Editor *editor, size_t from, Span text);
// What shows the prompt and the line on the screen line the cursor is in, which has so many columns, and puts
// the cursor where it belongs. A line that is too long is shown as far as it fits around the cursor.
void edit_draw(const Editor *editor, Span prompt, int columns, Text *out);

// ---- completion ---------------------------------------------------------------------------------
// Words that what was typed may become.
typedef struct Completion {
    Span typed;
    Text words;  // those that begin with it, each ending in NUL
    Text folded; // the same for those that do so when upper and lower case are equal
    int word_nb, folded_nb;
} Completion;

// Offers a word.
void complete_offer(Completion *completion, const char *word);
// Replaces what was typed by as much as all words have in common. True when that says no more than before,
// and there are several words, which *list then has, each ending in NUL.
bool complete_apply(const Completion *completion, Editor *editor, Span *list);
void complete_free(Completion *completion);

#endif
