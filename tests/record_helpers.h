// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of games opened as record_open reads them, for the suites of both games: the last one opened, its
// moves, and what was said when it was refused.
#ifndef TWOFOLD_TEST_RECORD_HELPERS_H
#define TWOFOLD_TEST_RECORD_HELPERS_H

#include "games/record.h"
#include "helpers.h"

// What the last call of open_bytes or open_text gave.
extern RecordText opened;
extern Message open_message;

// Opens game `number` of the bytes, or of a text, under the usual rules.
bool open_bytes(const char *bytes, size_t len, int number);
bool open_text(const char *bytes, int number);
// The moves of the opened game in the protocol's text; valid until the next call.
const char *opened_moves(void);
// The text is one game with these moves, read in this format without a warning.
void check_list(const char *pasted, const char *expected, const char *format);
// The text is refused, in these words among others.
void check_refused(const char *bytes, const char *words);

#endif
