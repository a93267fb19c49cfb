// SPDX-License-Identifier: GPL-3.0-or-later
// The files of the page, as bytes of the program: all of src/page that a browser reads. scripts/embed.sh
// writes them as C when one of them changes. Knows nothing of what is in them.
#ifndef TWOFOLD_PAGE_ASSETS_H
#define TWOFOLD_PAGE_ASSETS_H

#include "base/base.h"

typedef struct PageFile {
    const char *name, *type; // "board.js", "text/javascript; charset=utf-8"
    const u8 *bytes;         // a NUL stands behind them
    size_t size;
} PageFile;

// The file of a name; NULL when there is none.
const PageFile *page_file(Span name);
// The files by number, from 0 and in the order of their names; NULL when there are no more.
const PageFile *page_file_at(int index);

#endif
