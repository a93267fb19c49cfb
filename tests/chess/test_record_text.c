// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of chess games, as files or as somebody pastes them: formats, encodings, several games, and what
// cannot be read.
#include <stdlib.h>

#include "record_helpers.h"

static void test_lists(void)
{
    CASE("lists of moves, in any notation and over any lines");
    check_list("1. e4 e5 2. Nf3", "e2e4 e7e5 g1f3", "moves");
    check_list("1.e4 e5 2.Nf3 *", "e2e4 e7e5 g1f3", "moves");
    check_list("e2e4 e7e5", "e2e4 e7e5", "moves");
    check_list("e4\ne5\n", "e2e4 e7e5", "moves");
    check_list("\xEF\xBB\xBF\r\n\r\n1. e4 e5\r\n\r\n2. Nf3\r\n", "e2e4 e7e5 g1f3", "moves");
    check_list("position startpos moves e2e4 e7e5", "e2e4 e7e5", "uci");
    check_list("startpos moves e2e4", "e2e4", "uci");
    check_list("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4", "e2e4", "uci");
    check_list("fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", "uci");
    check_list("1. e4 {[%clk 0:05:00] good} e5 $1 2. Nf3! Nc6", "e2e4 e7e5 g1f3 b8c6", "moves");

    CASE("a list with a wrong move keeps what is before it, and tells the line");
    CHECK(open_text("1. e4 e5\n2. Nf3 Nf3\n3. d4 d5", 1));
    CHECK_TEXT(opened_moves(), "e2e4 e7e5 g1f3");
    CHECK_INT(opened.warning_nb, 1);
    CHECK_INT(opened.warning[0].line, 2);
    check_has(opened.warning[0].text, "move 2 (Black): 'Nf3' is not a legal move here");
    CHECK(open_text("startpos moves e2e4 e2e4", 1));
    CHECK_TEXT(opened_moves(), "e2e4");
    check_has(opened.warning[0].text, "move 2: 'e2e4' is not a legal move here");
}

static void test_positions(void)
{
    CASE("a FEN and an EPD are games of no moves");
    check_list("4k3/8/8/8/8/8/4P3/4K3 w - - 5 40", "", "fen");
    CHECK_TEXT(text_of(&opened.record.start), "4k3/8/8/8/8/8/4P3/4K3 w - - 5 40");
    CHECK(opened.record.comment == NULL);
    check_list("  4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a pawn\";\r\n", "", "epd");
    CHECK_TEXT(opened.record.comment, "bm e4; id a pawn");
    CHECK_TEXT(record_tag(&opened.record, "id"), "a pawn");
    check_list("4k3/8/8/8/8/8/4P3/4K3 w - -", "", "epd");

    CASE("what had to be mended is a warning");
    CHECK(open_text("\n\n4k3/8/8/8/8/8/4P3/4K3 w K - 0 1", 1));
    CHECK_INT(opened.warning_nb, 1);
    CHECK_INT(opened.warning[0].line, 3);
    check_has(opened.warning[0].text, "castling right K dropped");
    CHECK(open_text("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w Q - 0 1\"]\n\n1. e4 *", 1));
    check_has(opened.warning[0].text, "tag FEN: FEN: castling right Q dropped");

    CASE("a position that cannot be is refused");
    CHECK(!open_text("4k3/8/8/8/8/8/8/8 w - - 0 1", 1));
    CHECK_TEXT(open_message.text, "line 1: FEN board: White has 0 kings");
    CHECK(!open_text("[Event \"x\"]\n[FEN \"8/8 w\"]\n\n1. e4 *", 1));
    check_has(open_message.text, "line 2: tag FEN: ");
    CHECK(!open_text("position fen 8/8 w moves e2e4", 1));
    check_has(open_message.text, "line 1: FEN board");
}

static void test_games(void)
{
    static const char THREE[] =
        "[Event \"One\"]\n[White \"Anna\"]\n[Black \"Boris\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"
        "[Event \"Two\"]\n\n1. d4 *\n\n"
        "[Event \"Three\"]\n[White \"Carla\"]\n\n1. c4 c5 2. Zz9 1/2-1/2\n";
    CASE("several games are counted, described and chosen by number");
    CHECK(open_text(THREE, 1));
    CHECK_INT(opened.game_nb, 3);
    CHECK_TEXT(opened.game[0].text, "Anna - Boris, 1-0, 2 half-moves");
    CHECK_TEXT(opened.game[1].text, "Two, 1 half-move");
    CHECK_TEXT(opened.game[2].text, "Carla - ?, 1/2-1/2, 2 half-moves");
    CHECK_INT(opened.game[0].line, 1);
    CHECK_INT(opened.game[1].line, 8);
    CHECK_INT(opened.game[2].line, 12);
    CHECK_TEXT(opened_moves(), "e2e4 e7e5");
    CHECK_TEXT(opened.format, "pgn");
    CHECK_TEXT(opened.encoding, "ASCII");
    CHECK_INT(opened.warning_nb, 1);
    CHECK_INT(opened.warning[0].line, 15);
    CHECK(open_text(THREE, 2));
    CHECK_TEXT(opened_moves(), "d2d4");
    CHECK(open_text(THREE, 3));
    CHECK_TEXT(opened_moves(), "c2c4 c7c5");
    CHECK(!open_text(THREE, 4));
    CHECK_TEXT(open_message.text, "there is no game 4: it has 3");
    CHECK(!open_text(THREE, 0));
    CHECK(!open_text(THREE, -1));
    CHECK(opened.record.move == NULL && opened.game == NULL && opened.game_nb == 0);

    CASE("more games than are described are counted all the same");
    Text many = {0};
    for (int i = 0; i < RECORD_NOTES_MAX + 20; i++)
        text_add(&many, "[Event \"%d\"]\n\n1. e4 %s *\n\n", i, i % 2 ? "e5" : "e4");
    CHECK(open_bytes(many.ptr, many.len, RECORD_NOTES_MAX + 20));
    CHECK_INT(opened.game_nb, RECORD_NOTES_MAX + 20);
    CHECK_TEXT(record_tag(&opened.record, "Event"), "1019");
    text_free(&many);
}

static void test_details(void)
{
    CASE("comments, glyphs, clocks and times");
    CHECK(open_text("1. e4! {[%clk 0:09:58.5][%emt 0:00:01] a  move } e5 $2 $14 $36 $14 {[%eval 0.1]} 2. Nf3 "
                    "{[%clk 1:00:00]} 2... Nc6 {[%emt 12]} *",
                    1));
    const RecordMove *move = opened.record.move;
    CHECK_INT(opened.record.move_nb, 4);
    CHECK_INT(move[0].mark, 1);
    CHECK_INT(move[0].clock_ms, 598500);
    CHECK_INT(move[0].time_ms, 1000);
    CHECK_INT(move[1].mark, 2);
    CHECK_INT(move[1].glyph[0], 14);
    CHECK_INT(move[1].glyph[1], 36);
    CHECK_INT(move[1].glyph[2], 0);
    CHECK_INT(move[2].clock_ms, 3600000);
    CHECK_INT(move[3].time_ms, 12000);
    Text plain = {0};
    record_add_plain(move[0].comment, &plain);
    CHECK_TEXT(plain.ptr, "a move");
    text_clear(&plain);
    record_add_plain(move[1].comment, &plain);
    CHECK_INT(plain.len, 0);
    text_clear(&plain);
    record_add_plain("one [%x] two [unclosed [%y", &plain);
    CHECK_TEXT(plain.ptr, "one two [unclosed [%y");
    text_free(&plain);

    CASE("they are written as they were read, and clocks that no comment has are added");
    Text out = {0};
    Rules rules = rules_default();
    Record again = {0};
    free(opened.record.move[2].comment);
    opened.record.move[2].comment = NULL;
    CHECK(record_write(&opened.record, "pgn", &out));
    check_has(out.ptr, "1. e4 $1 {[%clk 0:09:58.5][%emt 0:00:01] a move}");
    check_has(out.ptr, "e5 $2 $14 $36\n{[%eval 0.1]}");
    check_has(out.ptr, "2. Nf3 {[%clk 1:00:00]}");
    Span rest = text_span(&out);
    CHECK(record_read(&rest, &rules, &again) && again.move_nb == 4);
    for (int i = 0; i < 4; i++)
        CHECK(again.move[i].clock_ms == opened.record.move[i].clock_ms &&
              again.move[i].time_ms == opened.record.move[i].time_ms &&
              again.move[i].mark == opened.record.move[i].mark &&
              memcmp(again.move[i].glyph, opened.record.move[i].glyph, RECORD_GLYPH_MAX) == 0);
    record_free(&again);
    text_free(&out);

    CASE("times that are none are left alone");
    CHECK(open_text("1. e4 {[%clk 0:aa] [%clk 1:2:3:4] [%clk -5] [%emt} *", 1));
    CHECK_INT(opened.record.move[0].clock_ms, 0);
    CHECK_INT(opened.record.move[0].time_ms, 0);
}

static void check_written(const char *format, const char *expected)
{
    Text out = {0};
    CHECK(record_write(&opened.record, format, &out));
    CHECK_TEXT(out.ptr, expected);
    text_free(&out);
}

static void test_written(void)
{
    CASE("the formats, and what is written in them");
    CHECK(open_text("1. e4 e5 2. Nf3", 1));
    check_written("uci", "position startpos moves e2e4 e7e5 g1f3\n");
    check_written("fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n");
    CHECK(open_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1));
    check_written("uci", "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    Text out = {0};
    CHECK(!record_write(&opened.record, "kif", &out));
    text_free(&out);
    for (int i = 0; record_format_at(i); i++) {
        const RecordFormat *format = record_format_at(i);
        CHECK_INT(record_write(&opened.record, format->name, &out), format->is_written);
        CHECK(format->is_read && format->ending[0]);
    }
    CHECK(record_format_at(-1) == NULL && strcmp(record_format_at(0)->name, "pgn") == 0);
    text_free(&out);

    CASE("a game becomes a record, unless somebody has passed");
    Game game = game_from(GAME_START, NULL);
    Record record = {0};
    play_text(&game, "e2e4 e7e5");
    CHECK(record_of_game(&record, &game) && record.move_nb == 2);
    play_text(&game, "0000");
    CHECK(!record_of_game(&record, &game));
    record_free(&record);
    game_free(&game);
}

static void test_refused(void)
{
    CASE("what is no game is refused in clear words");
    check_refused("", "it is empty");
    check_refused("  \n\t \r\n", "it is empty");
    check_refused("\xEF\xBB\xBF", "there is no game");
    CHECK(!open_bytes("a\0b", 3, 1));
    check_has(open_message.text, "it is binary");
    check_refused("Hello, here is my game:\n1. e4 e5\n",
                  "line 1: no game begins with 'Hello, here is my game:'");
    check_refused("\n\nDear all,\n\n[Event \"x\"]\n\n1. e4 *\n", "line 3: no game begins with 'Dear all,'");
    check_refused("Hello", "what is read: pgn, fen, epd, uci, moves");
    check_refused("{ a comment alone }", "there is no game");
    check_refused("手合割：平手\n▲７六歩\n", "line 1: no game begins with");
    Rules rules = rules_default();
    CHECK(!record_open(span_of("Hello"), "game.txt", 1, &rules, &opened, &open_message));
    check_has(open_message.text, "game.txt: line 1: ");
    CHECK(!record_open(span_of("Hello"), NULL, 1, &rules, &opened, NULL));

    CASE("words between games are a warning");
    CHECK(open_text("[Event \"a\"]\n\n1. e4 *\n\nSome words here\n\n[Event \"b\"]\n\n1. d4 *\n", 2));
    CHECK_INT(opened.game_nb, 2);
    CHECK_TEXT(opened_moves(), "d2d4");
    CHECK_INT(opened.warning_nb, 1);
    CHECK_INT(opened.warning[0].line, 5);
}

static void test_encodings(void)
{
    CASE("encodings");
    CHECK(open_text("[White \"J\xC3\xB6rg\"]\n\n1. e4 *\n", 1));
    CHECK_TEXT(opened.encoding, "UTF-8");
    CHECK_TEXT(record_tag(&opened.record, "White"), "J\xC3\xB6rg");
    CHECK(open_text("[White \"J\xF6rg\"]\n\n1. e4 *\n", 1));
    CHECK_TEXT(opened.encoding, "Latin-1");
    CHECK_TEXT(record_tag(&opened.record, "White"), "J\xC3\xB6rg");
    static const char LITTLE[] = "\xFF\xFE"
                                 "1\0.\0 \0e\0004\0 \0{\0\xF6\0=\xD8\x00\xDE}\0";
    CHECK(open_bytes(LITTLE, sizeof LITTLE - 1, 1));
    CHECK_TEXT(opened.encoding, "UTF-16");
    CHECK_TEXT(opened_moves(), "e2e4");
    CHECK_TEXT(opened.record.move[0].comment, "\xC3\xB6\xF0\x9F\x98\x80");
    CHECK(open_bytes("\xFE\xFF\0e\0004\0", 7, 1)); // half a sign at the end
    CHECK_TEXT(opened_moves(), "e2e4");
    CHECK(open_bytes("\xFF\xFE"
                     "e\0004\0 \0{\0\x00\xD8}\0",
                     14, 1)); // half a pair
    CHECK_TEXT(opened.record.move[0].comment, "\xEF\xBF\xBD");
}

static void test_anything(void)
{
    CASE("any bytes come to an end, and leave nothing behind");
    static const char *const PARTS[] = {"[Event \"", "\"]",   "1. e4", "{",    "}",   "(",     "\n", "e2e4",
                                        "4k3/8/8/8", "w - -", "$3",    "\xFF", "\0x", "moves", "fen"};
    Rng rng = {77};
    for (int i = 0; i < 3000; i++) {
        Text bytes = {0};
        for (int n = (int)rng_below(&rng, 12); n >= 0; n--) {
            const char *part = PARTS[rng_below(&rng, sizeof PARTS / sizeof PARTS[0])];
            text_add_bytes(&bytes, part, strlen(part));
            text_add_bytes(&bytes, rng_below(&rng, 3) ? " " : "\n", 1);
        }
        bool ok = open_bytes(bytes.ptr, bytes.len, 1 + (int)rng_below(&rng, 2));
        CHECK(ok == (open_message.text[0] == '\0'));
        CHECK(ok || opened.game_nb == 0);
        text_free(&bytes);
    }
}

void test_record_text(void)
{
    test_lists();
    test_positions();
    test_games();
    test_details();
    test_written();
    test_refused();
    test_encodings();
    test_anything();
    record_close(&opened);
}
