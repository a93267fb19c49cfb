// SPDX-License-Identifier: GPL-3.0-or-later
// Opening books as text: every position of a book is found, from both sides of the board, whatever blank
// lines, comments and line ends stand between; what is no book is refused; what is made from games is sorted
// and can be read back.
#include <stdlib.h>
#include <unistd.h>

#include "games/knowledge.h"
#include "games/record.h"
#include "helpers.h"

static BookMove found[BOOK_MOVES_MAX];

static Book *open_text(const char *text, size_t len, Message *message)
{
    char path[PATH_BYTES];
    scratch_path("book.db", path);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(text, 1, len, file) == len);
    if (file)
        fclose(file);
    message->text[0] = '\0';
    Book *book = book_open(path, message);
    CHECK(os_truncate(path, 0, message)); // a book is read whole: its file may go
    unlink(path);
    return book;
}

// The moves found, as "7g7f/50 2g2f/20": text and weight.
static const char *probe_text(const Book *book, const char *sfen)
{
    static char text[1024];
    size_t len = 0;
    const Position pos = position_of(sfen);
    int nb = book_probe(book, &pos, found);
    text[0] = '\0';
    for (int i = 0; i < nb && len < sizeof text - 64; i++) {
        char move[MOVE_TEXT_MAX];
        move_print(&pos, found[i].move, move);
        len += (size_t)sprintf(text + len, "%s%s/%u", i ? " " : "", move, found[i].weight);
    }
    return text;
}

static void check_reply(const BookMove *move, const char *expected)
{
    char text[MOVE_TEXT_MAX];
    const Position pos = position_of("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    move_print(&pos, move->reply, text);
    CHECK_TEXT(move->reply == MOVE_NONE ? "" : text, expected ? expected : "");
}

#define START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
#define AFTER_76 "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL"
#define AFTER_34 "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"

static void test_lookup(void)
{
    Message message;
    static const char TEXT[] = "#YANEURAOU-DB2016 1.00\n"
                               "sfen " AFTER_76 " w - 2\n"
                               "3c3d 2g2f 0 32 7\n"
                               "8c8d none -10 32 3\n"
                               "sfen " START " b - 1\n"
                               "7g7f 3c3d 40 20 5 // the usual\n"
                               "2g2f 8c8d 35 20 9\n"
                               "1g1f none -100 20 50\n"
                               "9i9a+ none 0 0 99\n";
    CASE("a book is looked up");
    Book *book = open_text(TEXT, strlen(TEXT), &message);
    CHECK_THAT(book, "%s", message.text);
    CHECK_TEXT(probe_text(book, START " b - 1"), "2g2f/9 7g7f/5 1g1f/0");
    CHECK(found[0].has_score && found[0].score == 35 && found[0].depth == 20);
    check_reply(&found[0], "8c8d");
    check_reply(&found[2], NULL);
    CHECK_TEXT(probe_text(book, START " b - 31"), "2g2f/9 7g7f/5 1g1f/0"); // whatever the number
    CHECK_TEXT(probe_text(book, AFTER_76 " w - 2"), "3c3d/7 8c8d/3");
    CHECK_TEXT(probe_text(book, "lnsgkgsnl/1r5b1/pppppppp1/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1"), "");
    CHECK_TEXT(probe_text(NULL, START " b - 1"), "");

    CASE("a position is found from the other side too");
    CHECK_TEXT(probe_text(book, START " w - 2"), "8c8d/9 3c3d/5 9c9d/0");
    check_reply(&found[1], "7g7f");
    CHECK_TEXT(probe_text(book, AFTER_34 " b - 3"), "7g7f/7 2g2f/3");
    book_close(book);
}

static void test_tolerance(void)
{
    static const char *const TEXTS[] = {
        "#YANEURAOU-DB2016 1.00\r\nsfen " START " b - 1\r\n7g7f 3c3d 40 20 5\r\n",
        "#YANEURAOU-DB2016 1.00\n\n\n# a comment\n// another\n\nsfen " START
        " b - 1\n\n# here\n7g7f none 40 20 5\n\n\n",
        "#YANEURAOU-DB2016 1.00\nsfen " START " b - 1\n7g7f none 40 20 5",
        "\xEF\xBB\xBF#YANEURAOU-DB2016 1.00\nsfen " START " b -\n7g7f none 40 20 5\n",
        "#YANEURAOU-DB2016 1.00\nsfen " START " b - 1\n7g7f 3c3d 1 1 5\nsfen " START
        " b - 15\n7g7f 3c3d 1 1 4\n",
        "#YANEURAOU-DB2016 1.00\nsfen " AFTER_34 " b - 1\nsfen " START
        " b - 1\nnonsense\n7g7f 3c3d 1 1 5\n2g2\n",
    };
    Message message;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        CASE("a book that is a little odd, number %zu", i);
        Book *book = open_text(TEXTS[i], strlen(TEXTS[i]), &message);
        CHECK_THAT(book, "%s", message.text);
        CHECK_TEXT(probe_text(book, START " b - 1"), "7g7f/5");
        book_close(book);
    }
    CASE("fields that are missing");
    static const char SHORT[] =
        "#YANEURAOU-DB2016 1.00\nsfen " START " b - 1\n7g7f\n2g2f none\n5g5f none 12\n";
    Book *book = open_text(SHORT, strlen(SHORT), &message);
    CHECK_TEXT(probe_text(book, START " b - 1"), "5g5f/1 2g2f/1 7g7f/1");
    CHECK(found[0].has_score && !found[1].has_score);
    book_close(book);
}

static void test_refusal(void)
{
    Message message;
    static const struct {
        const char *text, *reason;
    } BAD[] = {
        {"", "empty"},
        {"sfen " START " b - 1\n7g7f none 0 0 1\n", "does not begin with"},
        {"\x7f"
         "ELF\x02\x01",
         "does not begin with"},
        {"#YANEURAOU-DB2016 1.00\nsfen " START " b - 1\n7g7f none 0 0 1\nsfen " AFTER_76 " w - 1\n",
         "not sorted"},
        {"#YANEURAOU-DB2016 1.00\nsfen lnsg\x01\n", "not a position"},
        {"#YANEURAOU-DB2016 1.00\nsfen\n", "not a position"},
        {"#YANEURAOU-DB2016 1.00\n", "no position"},
        {"#YANEURAOU-DB2016 1.00\nsfen " START " b - 1\n", "no position"},
        {"#YANEURAOU-DB2016 1.00\nsfen " START " b - 1\n7g7e none 0 0 1\nnone\n", "no position"},
        {"#YANEURAOU-DB2016 1.00\nsfen 9/9/9/9/9/9/9/9/9 b - 1\n7g7f none 0 0 1\n", "no position"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        CASE("no book, number %zu", i);
        Book *book = open_text(BAD[i].text, strlen(BAD[i].text), &message);
        CHECK(!book);
        CHECK_THAT(strstr(message.text, BAD[i].reason), "'%s'", message.text);
        book_close(book);
    }
    CASE("no such file; a folder");
    CHECK(!book_open("/nowhere/at/all.db", &message));
    CHECK(strstr(message.text, "/nowhere/at/all.db") != NULL);
    CHECK(!book_open("/tmp", &message));
}

// ---- made from games ----------------------------------------------------------------------------
static void add_random_game(BookMaker *maker, Rng *rng, int plies)
{
    Record record = {0};
    record.start = position_of(GAME_START);
    Position pos = record.start;
    for (int i = 0; i < plies; i++) {
        Move list[MAX_MOVES];
        int nb = (int)(gen_all(&pos, list) - list);
        if (nb == 0)
            break;
        // A few moves only, so that games meet.
        Move move = list[rng_below(rng, (u32)min_int(nb, 3))];
        CHECK(record_add_move(&record, move, NULL));
        play_move(&pos, move);
    }
    record.result = (GameResult[]){RESULT_FIRST_WINS, RESULT_SECOND_WINS, RESULT_DRAW}[rng_below(rng, 3)];
    book_maker_add(maker, &record, plies - 2);
    record_free(&record);
}

// Every position that a look through the whole text shows is found by the search.
static int check_every_position(const Book *book, Span text)
{
    Span line;
    int count = 0;
    while (span_line(&text, &line)) {
        if (!span_starts(line, "sfen "))
            continue;
        Position pos;
        Rules rules = rules_default();
        Span first = text;
        CHECK(pos_set(&pos, (Span){line.ptr + 5, line.len - 5}, &rules, NULL) == SET_OK);
        int nb = book_probe(book, &pos, found);
        Move wanted = move_parse(&pos, span_word(&first));
        bool is_there = false;
        for (int i = 0; i < nb; i++)
            is_there |= found[i].move == wanted;
        CHECK_THAT(wanted != MOVE_NONE && is_there, "%.*s", (int)line.len, line.ptr);
        count++;
    }
    return count;
}

static void test_make(void)
{
    CASE("a book made from games");
    Message message = {""};
    Rng rng = {4};
    char path[PATH_BYTES];
    scratch_path("made.db", path);
    BookMaker *maker = book_maker_new();
    for (int i = 0; i < (test_is_light() ? 60 : 600); i++)
        add_random_game(maker, &rng, 14);
    CHECK_THAT(book_maker_finish(maker, path, 1, &message), "%s", message.text);
    Text text = {0};
    CHECK(text_read_file(&text, path, 1 << 26, &message));
    Book *book = book_open(path, &message);
    CHECK_THAT(book, "%s", message.text);
    CHECK(check_every_position(book, text_span(&text)) > 100);
    const Position pos = position_of(GAME_START);
    int nb = book_probe(book, &pos, found);
    CHECK_INT(nb, 3);
    CHECK(found[0].weight >= found[1].weight && found[1].weight >= found[2].weight && found[2].weight > 1);
    book_close(book);
    text_free(&text);
    unlink(path);

    CASE("moves played too seldom; nothing to write; a folder that is not there");
    maker = book_maker_new();
    add_random_game(maker, &rng, 10);
    CHECK(!book_maker_finish(maker, path, 2, &message));
    CHECK(strstr(message.text, "often enough") != NULL);
    maker = book_maker_new();
    add_random_game(maker, &rng, 10);
    CHECK(!book_maker_finish(maker, "/nowhere/at/all.db", 1, &message));
}

// The moves found, every one of which must be legal.
static int count_legal(const Book *book, const char *sfen)
{
    const Position pos = position_of(sfen);
    int nb = book_probe(book, &pos, found);
    for (int i = 0; i < nb; i++)
        CHECK(is_listed(&pos, found[i].move));
    return nb;
}

static void test_damage(void)
{
    CASE("damaged books do no harm");
    const int rounds = test_is_light() ? 50 : 500;
    int opened = 0, found_nb = 0;
    static const char TEXT[] =
        "#YANEURAOU-DB2016 1.00\nsfen " AFTER_76 " w - 2\n3c3d 2g2f 0 32 7\n8c8d none -10 32 3\n"
        "sfen " START " b - 1\n7g7f 3c3d 40 20 5\n2g2f 8c8d 35 20 9\n";
    Rng rng = {9};
    Message message;
    for (int round = 0; round < rounds; round++) {
        char copy[sizeof TEXT];
        memcpy(copy, TEXT, sizeof TEXT);
        for (u32 i = 1 + rng_below(&rng, 6); i > 0; i--)
            copy[22 + rng_below(&rng, sizeof TEXT - 23)] = (char)rng_next(&rng);
        Book *book = open_text(copy, 23 + rng_below(&rng, sizeof TEXT - 23), &message);
        CHECK_THAT(book || message.text[0], "refused without a word");
        opened += book != NULL;
        found_nb += count_legal(book, START " b - 1") + count_legal(book, AFTER_34 " b - 3");
        book_close(book);
    }
    CHECK_THAT(opened > rounds / 10 && opened < rounds && found_nb > opened / 4,
               "%d of %d opened, %d moves found", opened, rounds, found_nb);
}

void test_book_db(void)
{
    test_lookup();
    test_tolerance();
    test_refusal();
    test_make();
    test_damage();
}
