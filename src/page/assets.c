// SPDX-License-Identifier: GPL-3.0-or-later
// Looks up the files of the page in the table that scripts/embed.sh wrote.
#include "page/assets.h"

// In build/page/files.c; the last one has no name.
extern const PageFile PAGE_FILES[];

const PageFile *page_file(Span name)
{
    for (const PageFile *file = PAGE_FILES; file->name; file++)
        if (span_is(name, file->name))
            return file;
    return NULL;
}

const PageFile *page_file_at(int index)
{
    for (const PageFile *file = PAGE_FILES; file->name; file++)
        if (index-- == 0)
            return file;
    return NULL;
}
