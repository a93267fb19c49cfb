// SPDX-License-Identifier: GPL-3.0-or-later
// Opening books in YaneuraOu's text format: a line "sfen POSITION", then a line "move reply score depth count" for each
// of its moves, positions sorted by their text. A book is mapped and searched in place, so its size does not matter.
// The move number is ignored, and a position is looked for from both sides of the board: turned round it is the same.
// Blank lines, comments, CR LF and missing fields are put up with; a file that is no such book is refused when opened.
#include <stdlib.h>

#include "game.h"

static const char HEADER[] = "#YANEURAOU-DB2016";

struct Book {
    FileMap file;
};

// ---- lines of a mapped file -----------------------------------------------------------------------------------------
// The line that begins at `at`, without its end; *next is where the next one begins.
static Span line_at(const Book *book, size_t at, size_t *next)
{
    Span rest = {(const char *)book->file.data + at, book->file.size - at}, line = {rest.ptr, 0};
    span_line(&rest, &line);
    *next = (size_t)((const u8 *)rest.ptr - book->file.data);
    return line;
}

static size_t line_start_after(const Book *book, size_t at)
{
    const u8 *end = memchr(book->file.data + at, '\n', book->file.size - at);
    return end ? (size_t)(end + 1 - book->file.data) : book->file.size;
}

// Board, side and hands of a "sfen" line, the number left out; false when it is another line.
static bool position_text(Span line, Span *text)
{
    Span word = span_word(&line);
    if (!span_is(word, "sfen"))
        return false;
    Span board = span_word(&line), side = span_word(&line), hands = span_word(&line);
    const char *end = hands.ptr + hands.len;
    *text = (Span){board.ptr, side.len && hands.len ? (size_t)(end - board.ptr) : 0};
    return true;
}

// The first "sfen" line that begins at or after `at`; book size when there is none.
static size_t next_position(const Book *book, size_t at, Span *text)
{
    *text = (Span){"", 0};
    while (at < book->file.size) {
        size_t next;
        if (position_text(line_at(book, at, &next), text))
            return at;
        at = next;
    }
    *text = (Span){"", 0};
    return book->file.size;
}

static int compare(Span a, Span b)
{
    int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

// ---- opening --------------------------------------------------------------------------------------------------------
static bool text_is_position(Span text)
{
    int slashes = 0;
    for (size_t i = 0; i < text.len; i++) {
        slashes += text.ptr[i] == '/';
        if (text.ptr[i] < ' ' || text.ptr[i] > '~')
            return false;
    }
    return slashes == 8;
}

// Looks at the whole of a small file, and at places all over a big one.
static bool check_order(const Book *book, const char *path, Message *message)
{
    enum { SMALL = 8 << 20, PLACES = 1 << 12 };
    size_t step = book->file.size > SMALL ? book->file.size / PLACES : 0, at = 0;
    Span last = {"", 0}, text;
    while ((at = next_position(book, at, &text)) < book->file.size) {
        if (!text_is_position(text))
            return message_set(message, "book '%s': byte %zu: this is not a position", path, at);
        if (compare(last, text) > 0)
            return message_set(message, "book '%s': byte %zu: positions are not sorted", path, at);
        last = text;
        at = line_start_after(book, step && at + step < book->file.size ? at + step : at);
    }
    return true;
}

static bool check_book(const Book *book, const char *path, Message *message)
{
    size_t next;
    Span first = line_at(book, 0, &next);
    if (first.len >= 3 && memcmp(first.ptr, "\xEF\xBB\xBF", 3) == 0) // byte order mark
        first.ptr += 3, first.len -= 3;
    if (!span_starts(first, HEADER))
        return message_set(message, "book '%s': does not begin with %s", path, HEADER);
    return check_order(book, path, message);
}

Book *book_open(const char *path, Message *message)
{
    Book *book = calloc(1, sizeof *book);
    if (!book) {
        message_set(message, "book '%s': no memory", path);
        return NULL;
    }
    if (os_map_file(&book->file, path, message) && check_book(book, path, message))
        return book;
    book_close(book);
    return NULL;
}

void book_close(Book *book)
{
    if (!book)
        return;
    os_unmap_file(&book->file);
    free(book);
}

// ---- looking up -----------------------------------------------------------------------------------------------------
// The first line that begins at or after `at`.
static size_t line_start_from(const Book *book, size_t at)
{
    return at ? line_start_after(book, at - 1) : 0;
}

// Where the first position that is not before `wanted` begins: a search by halves on bytes, not on lines.
static size_t find(const Book *book, Span wanted)
{
    // Positions that begin before low are before `wanted`; those that begin at high or later are not.
    size_t low = 0, high = book->file.size;
    Span text;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        size_t at = next_position(book, line_start_from(book, middle), &text);
        if (at >= high)
            high = middle;
        else if (compare(text, wanted) < 0)
            low = line_start_after(book, at);
        else
            high = at;
    }
    return next_position(book, line_start_from(book, low > high ? low : high), &text);
}

static bool parse_move(Span line, const Position *pos, BookMove *out)
{
    Span move = span_word(&line), reply = span_word(&line);
    i64 score = 0, depth = 0, count = 1;
    *out = (BookMove){.move = move_parse(pos, move)};
    if (out->move == MOVE_NONE || !reply.len)
        return out->move != MOVE_NONE && (out->weight = 1);
    out->has_score = span_int(span_word(&line), -100000, 100000, &score);
    if (out->has_score && span_int(span_word(&line), 0, 10000, &depth))
        span_int(span_word(&line), 0, UINT32_MAX, &count);
    out->score = (i32)score;
    out->depth = (i32)depth;
    out->weight = (u32)(count > 0 ? count : 1);
    return true;
}

static void add_move(BookMove *out, int *nb, const BookMove *move)
{
    for (int i = 0; i < *nb; i++)
        if (out[i].move == move->move)
            return;
    if (*nb < BOOK_MOVES_MAX)
        out[(*nb)++] = *move;
}

static Move turn_move(Move move)
{
    int to = SQUARE_NB - 1 - move_to(move), from = move_from(move);
    Move turned = move_is_drop(move) ? move_make_drop(move_drop_kind(move), to) : move_make(SQUARE_NB - 1 - from, to);
    return turned | (move & MOVE_PROMOTE);
}

// Adds the moves that the book has for exactly this side's view. `is_turned`: the position was turned round to be
// looked up.
static void add_moves(const Book *book, const Position *pos, bool is_turned, BookMove *out, int *nb)
{
    char sfen[TEXT_MAX + 8] = "sfen ";
    Span wanted = {"", 0}, text;
    pos_print(pos, sfen + 5);
    position_text(span_of(sfen), &wanted);
    size_t at = find(book, wanted);
    // The same position may be there with several move numbers.
    while (at < book->file.size && position_text(line_at(book, at, &at), &text) && compare(text, wanted) == 0) {
        while (at < book->file.size) {
            size_t next;
            Span line = line_at(book, at, &next);
            BookMove move;
            if (position_text(line, &text))
                break;
            at = next;
            if (!parse_move(line, pos, &move))
                continue;
            move.move = is_turned ? turn_move(move.move) : move.move;
            add_move(out, nb, &move);
        }
    }
}

// A move that its own book calls worse than the best is known, but not to be played: it has no weight.
static void drop_worse(BookMove *out, int nb)
{
    enum { SCORE_SLACK = 30 };
    int best = INT32_MIN;
    for (int i = 0; i < nb; i++)
        best = out[i].has_score ? max_int(best, out[i].score) : best;
    for (int i = 0; i < nb; i++)
        if (out[i].has_score && out[i].score < best - SCORE_SLACK)
            out[i].weight = 0;
}

static int by_weight(const void *a, const void *b)
{
    const BookMove *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->score != y->score ? (x->score < y->score ? 1 : -1) : (int)x->move - (int)y->move;
}

int book_probe(const Book *book, const Position *pos, BookMove out[BOOK_MOVES_MAX])
{
    int nb = 0;
    Position turned;
    if (!book)
        return 0;
    add_moves(book, pos, false, out, &nb);
    pos_flip(pos, &turned);
    add_moves(book, &turned, true, out, &nb);
    drop_worse(out, nb);
    qsort(out, (size_t)nb, sizeof *out, by_weight);
    return nb;
}

// ---- making ---------------------------------------------------------------------------------------------------------
// A move in a position: how often it was played, and two points for each win, one for a draw or an unknown result.
typedef struct Count {
    u64 key;
    u64 points;
    u32 games;
    Move move;
    u16 ply; // the least
    u8 packed[PACKED_BYTES];
} Count;

struct BookMaker {
    Count *count;
    size_t nb, capacity;
    bool failed;
};

BookMaker *book_maker_new(void)
{
    return calloc(1, sizeof(BookMaker));
}

static int by_key(const void *a, const void *b)
{
    const Count *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (int)x->move - (int)y->move;
}

// Sorts, and makes one of equal moves.
static void merge(BookMaker *maker)
{
    size_t kept = 0;
    if (maker->nb)
        qsort(maker->count, maker->nb, sizeof *maker->count, by_key);
    for (size_t i = 0; i < maker->nb; i++) {
        Count *last = kept ? &maker->count[kept - 1] : NULL, now = maker->count[i];
        if (!last || by_key(last, &now) != 0) {
            maker->count[kept++] = now;
            continue;
        }
        last->points += now.points;
        last->games += now.games;
        last->ply = (u16)min_int(last->ply, now.ply);
    }
    maker->nb = kept;
}

// When the array is full it is merged first; it grows only if that did not help much.
static bool make_room(BookMaker *maker)
{
    if (maker->nb < maker->capacity)
        return true;
    merge(maker);
    if (maker->capacity && maker->nb < maker->capacity / 4 * 3)
        return true;
    size_t capacity = maker->capacity ? maker->capacity * 2 : 1024;
    Count *bigger = realloc(maker->count, capacity * sizeof *bigger);
    if (!bigger)
        return false;
    maker->count = bigger;
    maker->capacity = capacity;
    return true;
}

void book_maker_add(BookMaker *maker, const Record *record, int max_ply)
{
    if (!maker)
        return;
    Position pos = record->start;
    for (int i = 0; i < record->move_nb && (max_ply <= 0 || i < max_ply) && !maker->failed; i++) {
        Move move = record->move[i].move;
        Outcome good = pos.side == BLACK ? OUTCOME_WIN : OUTCOME_LOSS,
                bad = pos.side == BLACK ? OUTCOME_LOSS : OUTCOME_WIN;
        Outcome outcome = record->verdict.outcome;
        Count count = {.key = pos_key(&pos), .games = 1, .move = move, .ply = (u16)pos_game_ply(&pos)};
        count.points = outcome == good ? 2 : outcome == bad ? 0 : 1;
        // A position that cannot be packed (a problem with one king) is no opening.
        if (pos_pack(&pos, count.packed)) {
            maker->failed |= !make_room(maker);
            if (!maker->failed)
                maker->count[maker->nb++] = count;
        }
        Undo undo;
        pos_make(&pos, move, &undo, NULL);
    }
}

// The moves of one position, ready to be written.
typedef struct Page {
    char text[TEXT_MAX];
    size_t first, nb;
} Page;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const Page *)a)->text, ((const Page *)b)->text);
}

static int by_games(const void *a, const void *b)
{
    const Count *x = a, *y = b;
    if (x->games != y->games)
        return x->games < y->games ? 1 : -1;
    return x->points != y->points ? (x->points < y->points ? 1 : -1) : (int)x->move - (int)y->move;
}

// The position's text with the least move number it was met at.
static bool page_title(Page *page, const Count *count)
{
    Position pos;
    Rules rules = rules_default();
    if (!pos_unpack(&pos, count->packed, &rules))
        return false;
    pos.game_ply = count->ply;
    pos_print(&pos, page->text);
    return true;
}

// Cuts the sorted counts into pages, leaving out what was played too seldom, or never without losing.
static size_t make_pages(BookMaker *maker, int min_games, Page *pages)
{
    size_t page_nb = 0, kept = 0;
    for (size_t i = 0; i < maker->nb; i++) {
        Count count = maker->count[i];
        if (count.points == 0 || (i64)count.games < min_games)
            continue;
        bool is_new = page_nb == 0 || maker->count[kept - 1].key != count.key;
        if (is_new && !page_title(&pages[page_nb], &count))
            continue;
        if (is_new)
            pages[page_nb].first = kept, pages[page_nb++].nb = 0;
        pages[page_nb - 1].nb++;
        maker->count[kept++] = count;
    }
    for (size_t i = 0; i < page_nb; i++)
        qsort(maker->count + pages[i].first, pages[i].nb, sizeof *maker->count, by_games);
    qsort(pages, page_nb, sizeof *pages, by_text);
    return page_nb;
}

static void write_pages(const BookMaker *maker, const Page *pages, size_t page_nb, Text *out)
{
    text_add(out, "%s 1.00\n", HEADER);
    for (size_t i = 0; i < page_nb; i++) {
        Position pos;
        Rules rules = rules_default();
        pos_set(&pos, span_of(pages[i].text), &rules, NULL);
        text_add(out, "sfen %s\n", pages[i].text);
        for (size_t j = 0; j < pages[i].nb; j++) {
            const Count *count = &maker->count[pages[i].first + j];
            char move[MOVE_TEXT_MAX];
            move_print(&pos, count->move, move);
            text_add(out, "%s none 0 0 %u\n", move, count->games);
        }
    }
}

bool book_maker_finish(BookMaker *maker, const char *path, int min_games, Message *message)
{
    bool done = false;
    Page *pages = NULL;
    Text text = {0};
    size_t page_nb = 0;
    if (maker && !maker->failed) {
        merge(maker);
        pages = calloc(maker->nb + 1, sizeof *pages);
    }
    if (pages && (page_nb = make_pages(maker, min_games, pages)) > 0)
        write_pages(maker, pages, page_nb, &text);
    if (!pages || text.failed)
        message_set(message, "book '%s': no memory for so many moves", path);
    else if (page_nb == 0)
        message_set(message, "book '%s': no move was played often enough", path);
    else
        done = os_write_file(path, text.ptr, text.len, message);
    text_free(&text);
    free(pages);
    if (maker)
        free(maker->count);
    free(maker);
    return done;
}
