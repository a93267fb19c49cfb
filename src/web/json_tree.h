// SPDX-License-Identifier: GPL-3.0-or-later
// Comments, signs, times and variations that a request gives to a record (json_tree.c), in the form in which
// record_put_json writes them: one list of variations, in which a line stands behind the one it leaves.
#ifndef TWOFOLD_JSON_TREE_H
#define TWOFOLD_JSON_TREE_H

#include "games/record.h"
#include "web/json_request.h"

// Puts what an object (the request, or one of its variations) tells of the moves of a line (RECORD_MAIN or an
// index) to them: the comment before the first of them, comments, glyphs, times, clocks; adds the variations
// of the request. False: refused.
bool take_remarks(Request *request, const JsonValue *from, Record *record, int line);
bool take_variations(Request *request, Record *record);

#endif
