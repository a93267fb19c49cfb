// SPDX-License-Identifier: GPL-3.0-or-later
// The comments of a file: which words are people's, and which are remarks of our own from an earlier run. Our
// words are known by a command in front of them, [%twofold WORDS,SUM]: how many words they are, and the sum
// of these words. Words that were changed since are no longer ours, and are kept.
#ifndef TWOFOLD_COMMENTS_H
#define TWOFOLD_COMMENTS_H

#include "base/base.h"

// What comment_strip leaves out besides our own words.
enum {
    COMMENT_EVALS = 1,       // evaluations of programs: [%eval 0.35]
    COMMENT_COMMANDS = 2,    // all commands for programs: [%clk 0:03:00] too
    COMMENT_OLD_REMARKS = 4, // our remarks by earlier versions, without a mark: known by their sentences
};

// Has the comment a mark of ours?
bool comment_is_marked(const char *comment);
// Adds words of our own with the mark before them; nothing when there are no words.
void comment_add_own(Span words, Text *out);
// Adds the comment (NULL: none) without our own words and what else is to be left out.
void comment_strip(const char *comment, int left_out, Text *out);

#endif
