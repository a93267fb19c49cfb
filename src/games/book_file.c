// SPDX-License-Identifier: GPL-3.0-or-later
// Opens and closes opening books, the same for every game. A file that is no book of the game is refused
// here, so that nobody has to ask again.
#include "games/book_file.h"

#include <stdlib.h>

Book *book_open(const char *path, Message *message)
{
    Book *book = calloc(1, sizeof *book);
    if (!book) {
        message_set(message, "book '%s': no memory", path);
        return NULL;
    }
    book->bytes = disk_read_whole(path, &book->size, message);
    if (book->bytes && book_check(book, path, message))
        return book;
    book_close(book);
    return NULL;
}

void book_close(Book *book)
{
    if (!book)
        return;
    free(book->bytes);
    free(book);
}
