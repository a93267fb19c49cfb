// SPDX-License-Identifier: GPL-3.0-or-later
// The command `book`: a book made from two games plays what was played in them, and every mistake has its
// message.
#include <stdlib.h>

#include "console/console.h"
#include "games/record.h"
#include "helpers.h"

typedef struct Said {
    int code;
    char *out, *err;
} Said;

static Said run(int argc, char **argv)
{
    Said said = {0};
    size_t out_size = 0, err_size = 0;
    FILE *out = open_memstream(&said.out, &out_size), *err = open_memstream(&said.err, &err_size);
    said.code = book_run(argc, argv, out, err);
    fclose(out);
    fclose(err);
    return said;
}

static void check_run(int argc, char **argv, int code, const char *out, const char *err)
{
    Said said = run(argc, argv);
    CHECK_THAT(said.code == code, "exit code %d, expected %d: %s%s", said.code, code, said.out, said.err);
    CHECK_THAT(strstr(said.out, out) != NULL, "no '%s' in '%s'", out, said.out);
    CHECK_THAT(strstr(said.err, err) != NULL, "no '%s' in '%s'", err, said.err);
    free(said.out);
    free(said.err);
}

// Two drawn games that part at the fourth move, in the game's usual format; `common` becomes the texts of the
// three moves before.
static void make_games(const char *path, char common[3][MOVE_TEXT_MAX])
{
    Text text = {0};
    for (int i = 0; i < 2; i++) {
        Record record = {.result = RESULT_DRAW, .start = position_of(GAME_START)};
        Position pos = record.start;
        for (int ply = 0; ply < 4; ply++) {
            Move list[MAX_MOVES];
            CHECK(gen_all(&pos, list) - list >= 2);
            Move move = list[ply == 3 ? i : 0];
            if (ply < 3)
                move_print(&pos, move, common[ply]);
            CHECK(record_add_move(&record, move, NULL));
            play_move(&pos, move);
        }
        CHECK(record_write(&record, NULL, &text));
        record_free(&record);
    }
    write_text(path, text.ptr);
    text_free(&text);
}

void test_book_command(void)
{
    char games[PATH_BYTES], book[PATH_BYTES], common[3][MOVE_TEXT_MAX], before[64];
    char *first = common[0];
    scratch_path("book-games", games);
    scratch_path("book", book);
    CASE("book: made from games, it plays their moves");
    make_games(games, common);
    snprintf(before, sizeof before, "%s %s %s", common[0], common[1], common[2]);
    check_run(5, (char *[]){"book", "make", "-o", book, games}, 0, "from 2 games", "");
    check_run(3, (char *[]){"book", "show", book}, 0, first, "");
    check_run(5, (char *[]){"book", "show", book, "--moves", first}, 0, "weight", "");
    CASE("book: the start by name, and moves with their numbers");
    char numbered[64];
    snprintf(numbered, sizeof numbered, "1. %s", first);
    check_run(7, (char *[]){"book", "show", book, "-p", "startpos", "-m", numbered}, 0, "weight", "");
    snprintf(numbered, sizeof numbered, "1.%s", first);
    check_run(5, (char *[]){"book", "show", book, "-m", numbered}, 0, "weight", "");
    CASE("book: moves of too few games are left out");
    check_run(7, (char *[]){"book", "make", "-o", book, "-g", "2", games}, 0, "from 2 games", "");
    check_run(5, (char *[]){"book", "show", book, "--moves", first}, 0, "weight", "");
    check_run(5, (char *[]){"book", "show", book, "--moves", before}, 0, "The book has no move here.", "");
    check_run(7, (char *[]){"book", "make", "-o", book, "-g", "1", games}, 0, "from 2 games", "");
    check_run(5, (char *[]){"book", "show", book, "--moves", before}, 0, "weight", "");
    CASE("book: what is no legal move is told");
    check_run(5, (char *[]){"book", "show", book, "--moves", "xyzzy"}, 1, "", "'xyzzy' is no legal move");
    check_run(5, (char *[]){"book", "show", book, "--moves", "0000"}, 1, "", "'0000' is no legal move");
    CASE("book: every mistake has its message");
    check_run(1, (char *[]){"book"}, 2, "", "expected make or show first");
    check_run(2, (char *[]){"book", "burn"}, 2, "", "expected make or show");
    check_run(3, (char *[]){"book", "make", games}, 2, "", "-o BOOK");
    check_run(4, (char *[]){"book", "make", "-o", book}, 2, "", "the game files are missing");
    check_run(5, (char *[]){"book", "make", "-o", "/dev/full", games}, 1, "", "cannot write");
    check_run(5, (char *[]){"book", "make", "-o", book, "/nonexistent/games"}, 1, "", "cannot open");
    CASE("book: the games are not overwritten by their book");
    check_run(5, (char *[]){"book", "make", "-o", games, games}, 1, "", "is one of the game files");
    check_run(5, (char *[]){"book", "make", "-o", book, games}, 0, "from 2 games", "");
    check_run(3, (char *[]){"book", "show", "/nonexistent/book"}, 1, "", "/nonexistent/book");
    check_run(3, (char *[]){"book", "show", games}, 1, "", "book");
    check_run(5, (char *[]){"book", "show", book, "-p", "nonsense"}, 1, "", "book: ");
    check_run(2, (char *[]){"book", "--help"}, 0, "Usage:", "");
    check_run(3, (char *[]){"book", "make", "--help"}, 0, "--min-games", "");
    check_run(3, (char *[]){"book", "show", "--help"}, 0, "--moves", "");
    remove(games);
    remove(book);
}
