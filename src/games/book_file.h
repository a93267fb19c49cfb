// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the games: an opening book as it lies in memory, read whole, so that a file which changes later
// does no harm. What the bytes mean is the game's business.
#ifndef TWOFOLD_GAMES_BOOK_FILE_H
#define TWOFOLD_GAMES_BOOK_FILE_H

#include "games/knowledge.h"

struct Book {
    u8 *bytes;
    size_t size; // at least one byte
};

// The game's own: is this a book in its format? The message, which names the path, says why not.
bool book_check(const Book *book, const char *path, Message *message);

#endif
