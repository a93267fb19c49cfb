// SPDX-License-Identifier: GPL-3.0-or-later
// Polyglot books: keys as published, probing with its traps, broken files refused with a reason, and making a
// book.
#include <stdlib.h>

#include "games/knowledge.h"
#include "games/record.h"
#include "helpers.h"
#include "polyglot.h"

static const Rules STANDARD = {.chess960 = false};

// One line: key <tab> fen <tab> remark.
static void check_key(Span line)
{
    char key[32], fen[TEXT_MAX];
    CHECK(span_copy(take_field(&line, '\t'), key, sizeof key));
    CHECK(span_copy(take_field(&line, '\t'), fen, sizeof fen));
    const Position pos = position_of(fen);
    // A position forgets an en passant square where the capture is illegal; the format does not.
    Span fields = span_of(fen);
    for (int i = 0; i < 3; i++)
        span_word(&fields);
    Span square = span_word(&fields);
    int pushed_file = square.len == 2 ? *square.ptr - 'a' : -1;
    CHECK_THAT(polyglot_key(&pos, pushed_file) == strtoull(key, NULL, 16), "%s: %016llx, expected %s", fen,
               (unsigned long long)polyglot_key(&pos, pushed_file), key);
}

static void test_keys(void)
{
    CASE("published keys");
    CHECK_INT(each_line("chess/polyglot/test_keys.tsv", check_key), 16);
}

// ---- books made here, entry by entry ------------------------------------------------------------
typedef struct Entry {
    u64 key;
    u16 move, weight;
} Entry;

static u16 code(const char *move)
{
    int promotion = move[4] ? (int)(strchr("nbrq", move[4]) - "nbrq") + 1 : 0;
    return (u16)((move[2] - 'a') | (move[3] - '1') << 3 | (move[0] - 'a') << 6 | (move[1] - '1') << 9 |
                 promotion << 12);
}

static void write_book(const char *path, const Entry *entry, int nb)
{
    u8 bytes[64 * 16];
    for (int i = 0; i < nb; i++)
        for (int b = 0; b < 8; b++) {
            u64 tail = (u64)entry[i].move << 48 | (u64)entry[i].weight << 32 |
                       0xABCD; // learning data, to be ignored
            bytes[16 * i + b] = (u8)(entry[i].key >> (56 - 8 * b));
            bytes[16 * i + 8 + b] = (u8)(tail >> (56 - 8 * b));
        }
    CHECK(os_write_file(path, bytes, (size_t)nb * 16, NULL));
}

// The book's moves of a position as "move:weight ..." in the order of the answer.
static const char *probed(const Book *book, const Position *pos)
{
    static char line[512];
    BookMove moves[BOOK_MOVES_MAX];
    int nb = book_probe(book, pos, moves), len = 0;
    line[0] = '\0';
    for (int i = 0; i < nb; i++) {
        char text[MOVE_TEXT_MAX];
        move_print(pos, moves[i].move, text);
        len +=
            snprintf(line + len, sizeof line - (size_t)len, "%s%s:%u", i ? " " : "", text, moves[i].weight);
    }
    return line;
}

static int by_key(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static void test_probing(void)
{
    CASE("moves of a book: legal ones only, by weight, castling as the king takes its rook");
    static const char *const FENS[] = {
        GAME_START,
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/4p3/8/8/8/8/8/R3R1K1 w kq - 0 1", // e1h1 is no castling here, and no move either
        "7k/P7/8/8/8/8/8/7K w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", // no right to castle
        "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1",
    };
    static const struct {
        int fen;
        const char *move;
        u16 weight;
    } MOVES[] = {{0, "e2e4", 10}, {0, "d2d4", 30}, {0, "g1f3", 0},  {0, "e2e5", 99}, {0, "c2c4", 30},
                 {0, "e2e4", 5},  {1, "e1h1", 7},  {1, "e1a1", 9},  {1, "e1g1", 50}, {2, "e1h1", 3},
                 {2, "e1e7", 4},  {3, "a7a8q", 2}, {3, "a7a8n", 1}, {3, "a7a8", 9},  {4, "e1h1", 9},
                 {4, "e1a1", 9},  {4, "e1e2", 1},  {5, "a4b3", 6}};
    static const char *const EXPECTED[] = {"d2d4:30 c2c4:30 e2e4:10", "e1c1:9 e1g1:7", "e1e7:4",
                                           "a7a8q:2 a7a8n:1",         "e1e2:1",        "a4b3:6"};
    enum { MOVE_NB = sizeof MOVES / sizeof MOVES[0] };
    Entry entry[MOVE_NB];
    Position pos[6];
    for (int i = 0; i < 6; i++)
        pos[i] = position_of(FENS[i]);
    for (int i = 0; i < MOVE_NB; i++) // the last position under the key that other programs give it
        entry[i] = (Entry){polyglot_key(&pos[MOVES[i].fen], MOVES[i].fen == 5 ? 3 : -1), code(MOVES[i].move),
                           MOVES[i].weight};
    // A stable sort by key keeps the order of the moves.
    for (int i = 1; i < MOVE_NB; i++)
        for (int j = i; j > 0 && by_key(&entry[j - 1], &entry[j]) > 0; j--) {
            Entry swap = entry[j];
            entry[j] = entry[j - 1], entry[j - 1] = swap;
        }
    char path[PATH_BYTES];
    scratch_path("probe.bin", path);
    write_book(path, entry, MOVE_NB);
    Message message = {""};
    Book *book = book_open(path, &message);
    CHECK(os_truncate(path, 0, &message)); // a book is read whole: its file may go
    CHECK_THAT(book != NULL, "%s", message.text);
    for (int i = 0; i < 6; i++)
        CHECK_TEXT(probed(book, &pos[i]), EXPECTED[i]);
    Position other = position_of("8/8/8/3k4/8/8/8/4K3 w - - 0 1");
    CHECK_TEXT(probed(book, &other), "");
    CHECK_TEXT(probed(NULL, &other), "");
    book_close(book);
    book_close(NULL);
    remove(path);

    CASE("a book of another program");
    book = book_open(test_data("chess/polyglot/lasker-trap.bin"), &message);
    CHECK_THAT(book != NULL, "%s", message.text);
    static const char *const LINE[] = {"d2d4", "d7d5", "c2c4", "e7e5", "d4e5", "d5d4", "e2e3",
                                       "f8b4", "c1d2", "d4e3", "d2b4", "e3f2", "e1e2", "f2g1n"};
    Position game = position_of(GAME_START);
    for (int i = 0; i < 14; i++) {
        char expected[16];
        snprintf(expected, sizeof expected, "%s:2", LINE[i]);
        CHECK_TEXT(probed(book, &game), i % 2 ? expected : ""); // it is a book for Black
        play_move(&game, move_of(&game, LINE[i]));
    }
    book_close(book);
}

static void check_refused(const char *path, const char *reason)
{
    Message message = {""};
    Book *book = book_open(path, &message);
    CHECK_THAT(!book && strstr(message.text, reason), "'%s' does not say '%s'", message.text, reason);
    book_close(book);
}

static void test_broken(void)
{
    CASE("broken books are refused with a reason");
    char path[PATH_BYTES];
    scratch_path("broken.bin", path);
    Entry unsorted[3] = {{5, 1, 1}, {7, 1, 1}, {6, 1, 1}};
    write_book(path, unsorted, 3);
    check_refused(path, "not sorted at entry 3");
    CHECK(os_write_file(path, "1234567890123456789", 19, NULL));
    check_refused(path, "19 bytes are no whole number");
    CHECK(os_write_file(path, "", 0, NULL));
    check_refused(path, "empty");
    remove(path);
    check_refused(path, "cannot open");
    check_refused("tests", "not a regular file");
}

// ---- making -------------------------------------------------------------------------------------
static void add_games(BookMaker *maker, const char *pgn, int copies, int max_ply)
{
    for (int i = 0; i < copies; i++) {
        Span rest = span_of(pgn);
        Record record = {0};
        while (record_read(&rest, &STANDARD, &record))
            book_maker_add(maker, &record, max_ply);
        record_free(&record);
    }
}

static Book *finish(BookMaker *maker, const char *path, int min_games)
{
    Message message = {""};
    CHECK_THAT(book_maker_finish(maker, path, min_games, &message), "%s", message.text);
    Book *book = book_open(path, &message);
    CHECK_THAT(book != NULL, "%s", message.text);
    return book;
}

static void test_making(void)
{
    CASE("a book made from games: two points a win, one a draw, lost moves left out");
    char path[PATH_BYTES];
    scratch_path("made.bin", path);
    BookMaker *maker = book_maker_new();
    add_games(
        maker,
        "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 0-1\n\n1. d4 d5 1/2-1/2\n\n1. d4 1/2-1/2\n\n1. c4 e5 0-1\n\n1. b3 *",
        1, 2);
    Book *book = finish(maker, path, 1);
    Position pos = position_of(GAME_START);
    CHECK_TEXT(probed(book, &pos), "d2d4:2 e2e4:2 b2b3:1");
    pos = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    CHECK_TEXT(probed(book, &pos), "c7c5:2");
    pos = position_of("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    CHECK_TEXT(probed(book, &pos), ""); // beyond max_ply
    book_close(book);

    CASE("rare moves are left out; large counts are scaled");
    maker = book_maker_new();
    add_games(maker, "1. e4 1-0", 50000, 0);
    add_games(maker, "1. d4 1/2-1/2", 10000, 0);
    add_games(maker, "1. c4 1-0", 2, 0);
    book = finish(maker, path, 3);
    pos = position_of(GAME_START);
    CHECK_TEXT(probed(book, &pos), "e2e4:65535 d2d4:6553");
    book_close(book);

    CASE("castling, promotion and en passant survive the book");
    maker = book_maker_new();
    add_games(maker,
              "1. e4 e6 2. e5 d5 3. exd6 Bxd6 4. Nf3 Nf6 5. Be2 O-O 6. O-O 1/2-1/2\n\n"
              "[FEN \"7k/P7/8/8/8/8/8/7K w - - 0 1\"]\n\n1. a8=N *\n\n"
              "[FEN \"8/8/8/8/k1p4R/8/3P4/4K3 w - - 0 1\"]\n\n1. d4 Kb3 *",
              1, 0);
    book = finish(maker, path, 1);
    static const char *const CHECKS[][2] = {
        {"rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", "e5d6:1"},
        {"rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", ""},
        {"rnbq1rk1/ppp2ppp/3bpn2/8/8/5N2/PPPPBPPP/RNBQK2R w KQ - 4 6", "e1g1:1"},
        {"7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8n:1"},
        {"8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1", "a4b3:1"},
    };
    for (size_t i = 0; i < sizeof CHECKS / sizeof CHECKS[0]; i++) {
        pos = position_of(CHECKS[i][0]);
        CHECK_TEXT(probed(book, &pos), CHECKS[i][1]);
    }
    book_close(book);
    remove(path);

    CASE("a book that can't be made says why");
    Message message = {""};
    CHECK(!book_maker_finish(book_maker_new(), path, 1, &message) && strstr(message.text, "no move"));
    maker = book_maker_new();
    add_games(maker, "1. e4 *", 1, 0);
    CHECK(!book_maker_finish(maker, "/nonexistent/folder/book.bin", 1, &message) && message.text[0]);
    maker = book_maker_new();
    add_games(maker, "1. e4 *", 1, 0);
    CHECK(!book_maker_finish(maker, path, 2, &message));
}

void test_polyglot(void)
{
    test_keys();
    test_probing();
    test_broken();
    test_making();
}
