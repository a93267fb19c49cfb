// SPDX-License-Identifier: GPL-3.0-or-later
// The comments of a file: which words are people's, and which are remarks of our own from an earlier run. Our
// words are known by a command in front of them, [%twofold WORDS,SUM,GLYPH]: how many words they are, the sum
// of these words, and the glyph we gave the move (0: none; not there: an earlier version). Words that were
// changed since are no longer ours, and are kept. A variation of ours has [%twofold line,SUM] behind its last
// move, the sum being that of its moves.
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
// Adds words of our own, and the glyph that goes with them, with the mark before them; nothing when there are
// no words.
void comment_add_own(Span words, int glyph, Text *out);
// The glyph that a mark of ours tells of; -1: there is no mark, or none by whose words are still there; -2:
// it is of an earlier version, which did not tell.
int comment_own_glyph(const char *comment);
// A mark with any other word, [%twofold WORD]: adds it; is it there?
void comment_add_mark(const char *word, Text *out);
bool comment_has_mark(const char *comment, const char *word);
// Adds the comment (NULL: none) without our own words and what else is to be left out.
void comment_strip(const char *comment, int left_out, Text *out);

#endif
