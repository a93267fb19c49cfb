// SPDX-License-Identifier: GPL-3.0-or-later
// Opening books in YaneuraOu's text format: a line "sfen POSITION", then a line "move reply score depth
// count" for each of its moves, positions sorted by their text. The move number is ignored, and a position is
// looked for from both sides of the board: turned round it is the same. Blank lines, comments, CR LF and
// missing fields are put up with; a file that is no such book, or in which no position can be used, is
// refused when opened.
#include <stdlib.h>

#include "games/book_file.h"
#include "games/book_maker.h"

static const char HEADER[] = "#YANEURAOU-DB2016";

// ---- lines of the file --------------------------------------------------------------------------
// The line that begins at `at`, without its end; *next is where the next one begins.
static Span line_at(const Book *book, size_t at, size_t *next)
{
    Span rest = {(const char *)book->bytes + at, book->size - at}, line = {rest.ptr, 0};
    span_line(&rest, &line);
    *next = (size_t)((const u8 *)rest.ptr - book->bytes);
    return line;
}

static size_t line_start_after(const Book *book, size_t at)
{
    const u8 *end = memchr(book->bytes + at, '\n', book->size - at);
    return end ? (size_t)(end + 1 - book->bytes) : book->size;
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
    while (at < book->size) {
        size_t next;
        if (position_text(line_at(book, at, &next), text))
            return at;
        at = next;
    }
    *text = (Span){"", 0};
    return book->size;
}

static int compare(Span a, Span b)
{
    int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

// ---- opening ------------------------------------------------------------------------------------
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
    size_t step = book->size > SMALL ? book->size / PLACES : 0, at = 0;
    Span last = {"", 0}, text;
    while ((at = next_position(book, at, &text)) < book->size) {
        if (!text_is_position(text))
            return message_set(message, "book '%s': byte %zu: this is not a position", path, at);
        if (compare(last, text) > 0)
            return message_set(message, "book '%s': byte %zu: positions are not sorted", path, at);
        last = text;
        at = line_start_after(book, step && at + step < book->size ? at + step : at);
    }
    return true;
}

// ---- looking up ---------------------------------------------------------------------------------
// The first line that begins at or after `at`.
static size_t line_start_from(const Book *book, size_t at) { return at ? line_start_after(book, at - 1) : 0; }

// Where the first position that is not before `wanted` begins: a search by halves on bytes, not on lines.
static size_t find(const Book *book, Span wanted)
{
    // Positions that begin before low are before `wanted`; those that begin at high or later are not.
    size_t low = 0, high = book->size;
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

// The reply may be `none`, or a move that is not legal: then there is none.
static Move parse_reply(const Position *pos, Move move, Span reply)
{
    Position after = pos_after(pos, move);
    return move_parse(&after, reply);
}

static bool parse_move(Span line, const Position *pos, BookMove *out)
{
    Span move = span_word(&line), reply = span_word(&line);
    i64 score = 0, depth = 0, count = 1;
    *out = (BookMove){.move = move_parse(pos, move)};
    if (out->move == MOVE_NONE || !reply.len)
        return out->move != MOVE_NONE && (out->weight = 1);
    out->reply = parse_reply(pos, out->move, reply);
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
    Move turned =
        move_is_drop(move) ? move_make_drop(move_drop_kind(move), to) : move_make(SQUARE_NB - 1 - from, to);
    return turned | (move & MOVE_PROMOTE);
}

// Adds the moves that the book has for exactly this side's view. `is_turned`: the position was turned round
// to be looked up.
static void add_moves(const Book *book, const Position *pos, bool is_turned, BookMove *out, int *nb)
{
    char sfen[TEXT_MAX + 8] = "sfen ";
    Span wanted = {"", 0}, text;
    pos_print(pos, sfen + 5);
    position_text(span_of(sfen), &wanted);
    size_t at = find(book, wanted);
    // The same position may be there with several move numbers.
    while (at < book->size && position_text(line_at(book, at, &at), &text) && compare(text, wanted) == 0) {
        while (at < book->size) {
            size_t next;
            Span line = line_at(book, at, &next);
            BookMove move;
            if (position_text(line, &text))
                break;
            at = next;
            if (!parse_move(line, pos, &move))
                continue;
            if (is_turned) {
                move.move = turn_move(move.move);
                move.reply = move.reply == MOVE_NONE ? MOVE_NONE : turn_move(move.reply);
            }
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

// ---- opening: is it a book? ---------------------------------------------------------------------
// Is there a position with a legal move to play? The first usually is one.
static bool has_usable_position(const Book *book)
{
    Rules rules = rules_default();
    Span text, ignored;
    for (size_t at = 0; (at = next_position(book, at, &text)) < book->size;) {
        Position pos;
        bool is_position = pos_set(&pos, text, &rules, NULL) != SET_REJECTED;
        for (line_at(book, at, &at); at < book->size;) {
            size_t next;
            Span line = line_at(book, at, &next);
            BookMove move;
            if (position_text(line, &ignored))
                break;
            if (is_position && parse_move(line, &pos, &move))
                return true;
            at = next;
        }
    }
    return false;
}

bool book_check(const Book *book, const char *path, Message *message)
{
    size_t next;
    Span first = line_at(book, 0, &next);
    if (first.len >= 3 && memcmp(first.ptr, "\xEF\xBB\xBF", 3) == 0) // byte order mark
        first.ptr += 3, first.len -= 3;
    if (!span_starts(first, HEADER))
        return message_set(message, "book '%s': does not begin with %s", path, HEADER);
    if (!check_order(book, path, message))
        return false;
    return has_usable_position(book) ||
           message_set(message, "book '%s': there is no position with a legal move in it", path);
}

// ---- making -------------------------------------------------------------------------------------
bool book_count_init(BookCount *count, const Position *pos, Move last, Move move)
{
    (void)last;
    count->key = pos_key(pos);
    count->code = move;
    return pos_pack(pos, count->note); // one that cannot be packed (a problem with one king) is no opening
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
    const BookCount *x = a, *y = b;
    if (x->games != y->games)
        return x->games < y->games ? 1 : -1;
    return x->points != y->points ? (x->points < y->points ? 1 : -1) : x->code - y->code;
}

// The position's text with the least move number it was met at.
static void page_title(Page *page, const BookCount *count)
{
    Position pos;
    Rules rules = rules_default();
    bool is_whole = pos_unpack(&pos, count->note, &rules);
    assert(is_whole);
    if (is_whole) {
        pos.game_ply = count->ply;
        pos_print(&pos, page->text);
    }
}

// Cuts the sorted counts into pages, the moves of each by how often they were played.
static size_t make_pages(BookCount *count, size_t nb, Page *pages)
{
    size_t page_nb = 0;
    for (size_t i = 0; i < nb; i++) {
        if (i == 0 || count[i - 1].key != count[i].key) {
            pages[page_nb].first = i;
            page_title(&pages[page_nb++], &count[i]);
        }
        pages[page_nb - 1].nb++;
    }
    for (size_t i = 0; i < page_nb; i++)
        qsort(count + pages[i].first, pages[i].nb, sizeof *count, by_games);
    qsort(pages, page_nb, sizeof *pages, by_text);
    return page_nb;
}

static void print_page(const Page *page, const BookCount *count, Text *out)
{
    Position pos;
    Rules rules = rules_default();
    pos_set(&pos, span_of(page->text), &rules, NULL);
    text_add(out, "sfen %s\n", page->text);
    for (size_t i = 0; i < page->nb; i++) {
        char move[MOVE_TEXT_MAX];
        move_print(&pos, count[page->first + i].code, move);
        text_add(out, "%s none 0 0 %u\n", move, count[page->first + i].games);
    }
}

void book_counts_print(BookCount *count, size_t nb, Text *out)
{
    Page *pages = calloc(nb, sizeof *pages);
    size_t page_nb = pages ? make_pages(count, nb, pages) : 0;
    out->failed |= !pages;
    text_add(out, "%s 1.00\n", HEADER);
    for (size_t i = 0; i < page_nb; i++)
        print_page(&pages[i], count, out);
    free(pages);
}
