// SPDX-License-Identifier: GPL-3.0-or-later
// PGN as it is found, good and bad: real files of several programs, every odd construct, errors named by
// move, broken and binary data; what is written is read back the same. EPD lines as games without moves.
#include <stdlib.h>
#include <time.h>

#include "games/notation.h"
#include "games/record.h"
#include "helpers.h"

static const Rules STANDARD = {.chess960 = false};

// The moves of a record as one line of SAN, for comparing.
static const char *moves_of(const Record *record)
{
    static char line[8192];
    size_t len = 0;
    Position pos = record->start;
    line[0] = '\0';
    for (int i = 0; i < record->move_nb && len + 32 < sizeof line; i++) {
        char text[MOVE_TEXT_MAX];
        move_print_human(&pos, record->move[i].move, text);
        len += (size_t)snprintf(line + len, sizeof line - len, "%s%s", i ? " " : "", text);
        play_move(&pos, record->move[i].move);
    }
    return line;
}

static bool read_one(const char *text, Record *record)
{
    Span rest = span_of(text);
    return record_read(&rest, &STANDARD, record);
}

// ---- real files ---------------------------------------------------------------------------------
static void check_file(const char *name, int games, int plies, const char *last_move)
{
    CASE("PGN file %s", name);
    Text file = {0}, written = {0};
    Message error = {""};
    char path[128];
    snprintf(path, sizeof path, "chess/pgn/%s", name);
    CHECK_THAT(text_read_file(&file, test_data(path), 1 << 20, &error), "%s", error.text);
    Span rest = text_span(&file);
    Record record = {0};
    int game_nb = 0, ply_nb = 0;
    char last[64] = "";
    while (record_read(&rest, &STANDARD, &record)) {
        CHECK_THAT(!record.error.text[0], "game %d: %s", game_nb + 1, record.error.text);
        game_nb++;
        ply_nb += record.move_nb;
        const char *moves = moves_of(&record), *space = strrchr(moves, ' ');
        snprintf(last, sizeof last, "%s", space ? space + 1 : moves);
        CHECK(record_write(&record, NULL, &written));
    }
    CHECK_INT(game_nb, games);
    CHECK_INT(ply_nb, plies);
    CHECK_TEXT(last, last_move);

    // Once more from what was written: the same games.
    Span first = text_span(&file), second = text_span(&written);
    Record other = {0};
    while (record_read(&first, &STANDARD, &record)) {
        CHECK(record_read(&second, &STANDARD, &other));
        CHECK_INT(other.move_nb, record.move_nb);
        CHECK(other.start.key == record.start.key);
        CHECK_TEXT(other.result_word, record.result_word);
        for (int i = 0; i < record.move_nb && i < other.move_nb; i++) {
            CHECK(record.move[i].move == other.move[i].move);
            const char *a = record.move[i].comment, *b = other.move[i].comment;
            CHECK(!a == !b && (!a || strcmp(a, b) == 0));
        }
        for (int i = 0; i < record.tag_nb; i++)
            if (strcmp(record.tag[i].name, "FEN") != 0)
                CHECK_TEXT(record_tag(&other, record.tag[i].name), record.tag[i].value);
    }
    CHECK(!record_read(&second, &STANDARD, &other));
    record_free(&record);
    record_free(&other);
    text_free(&file);
    text_free(&written);
}

static void test_files(void)
{
    check_file("chessbase-empty-line.pgn", 1, 134, "Bd6");
    check_file("cutechess-fischerrandom.pgn", 4, 396, "Rc8#");
    check_file("kasparov-deep-blue-1997.pgn", 6, 519, "c4");
    check_file("stockfish-learning.pgn", 1, 154, "Rf1+");
    check_file("uci-moves.pgn", 1, 113, "e4");
    check_file("utf8-bom.pgn", 2, 0, "");
}

// ---- constructs ---------------------------------------------------------------------------------
static void test_constructs(void)
{
    static const char *const CASES[][2] = {
        {"1. e4 e5 2. Nf3 Nc6 *", "e4 e5 Nf3 Nc6"},
        {"1.e4 e5 2.Nf3 Nc6 3.Bb5 1-0", "e4 e5 Nf3 Nc6 Bb5"},
        {"1 e4 e5 2 Nf3 *", "e4 e5 Nf3"},
        {"e4 e5 Nf3", "e4 e5 Nf3"},
        {"1.e4(1.d4 d5(1...Nf6 2.c4(2.Nf3))2.c4)1...e5 *", "e4 e5"},
        {"1. e4 {a (comment) [with] ; all} e5 ; to the end ) {\n2. Nf3 *", "e4 e5 Nf3"},
        {"1. e4 $1 e5 $14 $255 2. Nf3!? Nc6?! 3. Bb5 !! a6 ?? *", "e4 e5 Nf3 Nc6 Bb5 a6"},
        {"1. e4 e5\r\n2. Nf3\r\n\r\n\r\nNc6 *", "e4 e5 Nf3 Nc6"},
        {"% an escape 1. d4\n1. e4\n% 1... d5\ne5 *", "e4 e5"},
        {"1. e4 1... e5 2. Nf3 2... Nc6 *", "e4 e5 Nf3 Nc6"},
        {"1. e2e4 e7e5 2. g1f3 *", "e4 e5 Nf3"},
        {"1. e4 (1. d4 {unclosed ) in a comment}) e5 *", "e4 e5"},
        {"1. e4 e6 2. e5 d5 3. exd6 e.p. *", "e4 e6 e5 d5 exd6"},
        {"1. e4 e6 2. e5 d5 3. exd6e.p. Bxd6 *", "e4 e6 e5 d5 exd6 Bxd6"},
        {"1. e4 = e5 +- *", "e4 e5"},
        {"1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 *", "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O"},
        {"[Event \"x\"]\n1. e4 *", "e4"},
        {"[Event \"x\"][Site \"y\"]\n\n1. d4 *", "d4"},
        {"[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 40\"]\n\n40. a8Q+ Kd7 *", "a8=Q+ Kd7"},
        {"[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 40\"]\n\n40... Kd7 41. Kd2 *", "Kd7 Kd2"},
    };
    CASE("PGN constructs");
    Record record = {0};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        CHECK_THAT(read_one(CASES[i][0], &record), "no game in '%s'", CASES[i][0]);
        CHECK_THAT(!record.error.text[0], "'%s': %s", CASES[i][0], record.error.text);
        CHECK_TEXT(moves_of(&record), CASES[i][1]);
    }
    record_free(&record);
}

static void test_tags_and_comments(void)
{
    CASE("PGN tags");
    Record record = {0};
    CHECK(read_one(
        "[Event \"A \\\"quoted\\\" back\\\\slash\"]\n[White \"J. \"Joe\" Doe\"]\n[Black \"M\xFCller\"]\n"
        "[Annotator   \"K\xC3\xB6nig\" ]\n[Broken \"no end\n[Result \"0-1\"]\n\n1. e4\n",
        &record));
    CHECK_TEXT(record_tag(&record, "Event"), "A \"quoted\" back\\slash");
    CHECK_TEXT(record_tag(&record, "White"), "J. \"Joe\" Doe");
    CHECK_TEXT(record_tag(&record, "Black"), "M\xC3\xBCller"); // Latin-1 becomes UTF-8
    CHECK_TEXT(record_tag(&record, "Annotator"), "K\xC3\xB6nig");
    CHECK_TEXT(record_tag(&record, "Broken"), "no end");
    CHECK(record_tag(&record, "Nothing") == NULL);
    CHECK_TEXT(record.result_word, "0-1"); // no result behind the moves: the tag's
    CHECK_INT(record.result, RESULT_SECOND_WINS);
    CHECK_INT(record.move_nb, 1);

    CASE("PGN comments stay with the move before them");
    CHECK(read_one(
        "{before} 1. e4 {one\n two} {three} (1. d4 {not this}) e5 ; four\n2. Nf3 { } Nc6 1/2-1/2 {last}",
        &record));
    CHECK_TEXT(record.comment, "before");
    CHECK_TEXT(record.move[0].comment, "one two three");
    CHECK_TEXT(record.move[1].comment, "four");
    CHECK(record.move[2].comment == NULL);
    CHECK_TEXT(record.move[3].comment, "last");
    CHECK_INT(record.result, RESULT_DRAW);
    CHECK(read_one("1. e4 {[%clk 0:03:01]} {caf\xE9} *", &record));
    CHECK_TEXT(record.move[0].comment, "[%clk 0:03:01] caf\xC3\xA9");

    CASE("PGN: marks behind moves, glued or not, as signs or as numbers");
    CHECK(read_one("1. e4!? e5 ?? 2. Nf3 $1 Nc6! {x} 3. Bb5 +- 3... a6!!! *", &record));
    static const u8 MARKS[] = {5, 4, 1, 1, 0, 0};
    CHECK_INT(record.move_nb, 6);
    for (int i = 0; i < 6; i++)
        CHECK_INT(record.move[i].mark, MARKS[i]);

    CASE("PGN: an empty position is none");
    CHECK(read_one("[SetUp \"0\"]\n[FEN \"\"]\n\n1. e4 *", &record));
    CHECK_TEXT(record.error.text, "");
    CHECK_TEXT(moves_of(&record), "e4");

    CASE("PGN results");
    static const char *const RESULTS[] = {"1-0", "0-1", "1/2-1/2", "*"};
    static const GameResult MEANT[] = {RESULT_FIRST_WINS, RESULT_SECOND_WINS, RESULT_DRAW, RESULT_NONE};
    for (int i = 0; i < 4; i++) {
        char text[64];
        snprintf(text, sizeof text, "1. e4 e5 %s", RESULTS[i]);
        CHECK(read_one(text, &record));
        CHECK_TEXT(record.result_word, RESULTS[i]);
        CHECK_INT(record.result, MEANT[i]);
    }
    static const char *const DRAWS[] = {"1/2", "\xC2\xBD-\xC2\xBD", "\xBD-\xBD"};
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "1. e4 e5 %s", DRAWS[i]);
        CHECK(read_one(text, &record));
        CHECK_TEXT(record.error.text, "");
        CHECK_TEXT(record.result_word, "1/2-1/2");
    }
    CASE("PGN: a loss on time, and a draw by one");
    CHECK(read_one("[Termination \"Time forfeit\"]\n\n1. e4 e5 1/2-1/2", &record));
    CHECK_INT(record.result, RESULT_DRAW);
    CHECK_INT(record.reason, REASON_TIME);
    CHECK(read_one("[Termination \"normal\"]\n\n1. e4 e5 1-0", &record));
    CHECK_INT(record.reason, REASON_NONE);
    record_free(&record);
}

static void test_chess960_games(void)
{
    CASE("Chess960 games, with and without the tag that says so");
    static const char *const HEADS[] = {"[Variant \"Chess960\"]\n", "[Variant \"fischerandom\"]\n",
                                        "[Variant \"Fischer Random\"]\n", ""};
    Record record = {0};
    for (int i = 0; i < 4; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "%s[FEN \"1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w KQkq - 0 1\"]\n\n1. O-O O-O-O *", HEADS[i]);
        CHECK(read_one(text, &record));
        CHECK_TEXT(moves_of(&record), "O-O O-O-O");
    }
    Text out = {0};
    CHECK(record_write(&record, "pgn", &out));
    CHECK(strstr(out.ptr, "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 "
                          "w GBgb - 0 1\"]\n"));
    text_free(&out);
    record_free(&record);
}

// ---- errors -------------------------------------------------------------------------------------
static void test_errors(void)
{
    static const struct {
        const char *text, *error;
        int moves;
    } CASES[] = {
        {"1. e4 e5 2. Ke3 Nc6 *", "move 2 (White): 'Ke3' is not a legal move", 2},
        {"1. e4 e9 *", "move 1 (Black): 'e9'", 1},
        {"1. e4 -- 2. d4 *", "move 1 (Black): '--' is a null move", 1},
        {"1. e4 Z0 *", "null move", 1},
        {"[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", "tag FEN: FEN board: White has 0 kings", 0},
        {"1. d4 d5 2. Nf3 Nf6 3. Nd2 *", "move 3 (White): 'Nd2'", 4},
        {"1. e4 {never closed", "move 1 (Black): the comment before it is not closed", 1},
        {"1. e4 (1. d4 d5", "move 1 (Black): the variation before it is not closed", 1},
    };
    CASE("PGN errors name the move; the next game is read");
    Record record = {0};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Text text = {0};
        text_add(&text, "%s\n\n[Event \"next\"]\n\n1. d4 d5 1-0\n", CASES[i].text);
        Span rest = text_span(&text);
        CHECK(record_read(&rest, &STANDARD, &record));
        CHECK_THAT(strstr(record.error.text, CASES[i].error), "'%s' does not say '%s'", record.error.text,
                   CASES[i].error);
        CHECK_INT(record.move_nb, CASES[i].moves);
        CHECK(record_read(&rest, &STANDARD, &record));
        CHECK_TEXT(record.error.text, "");
        CHECK_TEXT(record_tag(&record, "Event"), "next");
        CHECK_TEXT(moves_of(&record), "d4 d5");
        CHECK(!record_read(&rest, &STANDARD, &record));
        text_free(&text);
    }

    CASE("what is never closed does not swallow the next game");
    static const char *const OPEN[] = {"1. e4 {never closed", "1. e4 (1. d4", "1. e4 (1. d4 {", "[White \"x",
                                       "[White"};
    for (size_t i = 0; i < sizeof OPEN / sizeof OPEN[0]; i++) {
        Text text = {0};
        text_add(&text, "[Event \"first\"]\n%s\n\n[Event \"next\"]\n\n1. d4 *\n", OPEN[i]);
        Span rest = text_span(&text);
        bool found = false;
        while (record_read(&rest, &STANDARD, &record))
            found |= record_tag(&record, "Event") && strcmp(record_tag(&record, "Event"), "next") == 0 &&
                     record.move_nb == 1;
        CHECK_THAT(found, "'%s' hides the next game", OPEN[i]);
        text_free(&text);
    }

    CASE("no game in nothing");
    static const char *const EMPTY[] = {
        "", " \r\n\t", "\xEF\xBB\xBF", "{only a comment}", "; and another\n", "% escape"};
    for (size_t i = 0; i < sizeof EMPTY / sizeof EMPTY[0]; i++)
        CHECK_THAT(!read_one(EMPTY[i], &record), "a game in '%s'", EMPTY[i]);
    record_free(&record);
}

// Reads everything: it must come to an end, and each record be sound: its moves legal, and what is written of
// it read back as the same moves.
static int read_all(Span rest)
{
    Record record = {0}, again = {0};
    Text out = {0};
    const size_t most = rest.len + 1;
    size_t games = 0;
    for (; games <= most && record_read(&rest, &STANDARD, &record); games++) {
        Position pos = record.start;
        for (int i = 0; i < record.move_nb; i++) {
            Move move = record.move[i].move;
            CHECK(move_is_pseudo_legal(&pos, move) && move_is_legal(&pos, move));
            play_move(&pos, move);
        }
        if (games >= 20) // enough of one file is written again
            continue;
        text_clear(&out);
        CHECK(record_write(&record, NULL, &out) && read_one(out.ptr, &again));
        CHECK_INT(again.move_nb, record.move_nb);
    }
    CHECK_THAT(games <= most, "the reader does not come to an end");
    record_free(&record);
    record_free(&again);
    text_free(&out);
    return (int)games;
}

static void test_damage(void)
{
    CASE("truncated and binary PGN");
    Text file = {0};
    Message error;
    CHECK(text_read_file(&file, test_data("chess/pgn/cutechess-fischerrandom.pgn"), 1 << 20, &error));
    Rng rng = {5};
    int step = test_is_light() ? 97 : 29;
    for (size_t len = 0; len < file.len; len += (size_t)step) {
        char *copy = malloc(len + 1); // of exactly this size, so that a sanitizer sees a read past it
        memcpy(copy, file.ptr, len);
        CHECK((read_all((Span){copy, len}) > 0) == (len > 7)); // "[Event " and more is a game
        for (size_t i = 0; i < len / 50; i++)
            copy[rng_below(&rng, (u32)len)] = (char)rng_next(&rng);
        read_all((Span){copy, len});
        free(copy);
    }
    text_free(&file);

    CASE("a megabyte of one construct takes linear time");
    static const char *const PARTS[] = {"{",     "}",         "(",           ")",           "[",
                                        "[A \"", "[A \"\"\"", "1.",          "e4 ",         "\"",
                                        "{a}",   "$1 ",       ";",           "%\n",         "[Event \"x\"]\n",
                                        "1-0 ",  "\xFF",      "e4 e5 {x} (", "8/8/8/8/8/8 "};
    size_t size = test_is_light() ? 1 << 15 : 1 << 20;
    clock_t start = clock(); // of this program: other work on the machine does not count
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        Text text = {0};
        while (text.len < size)
            text_add_bytes(&text, PARTS[i], strlen(PARTS[i]));
        read_all(text_span(&text));
        text_free(&text);
    }
    CHECK((clock() - start) / CLOCKS_PER_SEC < 60);
}

// ---- writing ------------------------------------------------------------------------------------
static void test_writing(void)
{
    CASE("PGN as the standard writes it");
    Record record = {0};
    CHECK(read_one(
        "[Black \"B\"]\n[ECO \"C60\"]\n[Event \"E \\\" \\\\\"]\n\n1. e4 e5 {a {b c} 2. Nf3 Nc6 3. Bb5 1-0",
        &record));
    Text out = {0};
    CHECK(record_write(&record, NULL, &out));
    CHECK_TEXT(out.ptr,
               "[Event \"E \\\" \\\\\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
               "[Black \"B\"]\n[Result \"1-0\"]\n[ECO \"C60\"]\n\n"
               "1. e4 e5 {a (b c} 2. Nf3 Nc6 3. Bb5 1-0\n\n");
    text_clear(&out);
    CHECK(!record_write(&record, "kif", &out));

    CHECK(
        read_one("[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 40\"]\n\n40... Kd7 {why} 41. Kd2 {and} Kd6 *", &record));
    CHECK(record_set_tag(&record, "Site", "here"));
    CHECK(record_set_tag(&record, "Site", "there"));
    text_clear(&out);
    CHECK(record_write(&record, "PGN", &out));
    CHECK(strstr(out.ptr, "[Site \"there\"]\n") &&
          strstr(out.ptr, "\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 40\"]\n"));
    CHECK(strstr(out.ptr, "\n40... Kd7 {why} 41. Kd2 {and} 41... Kd6 *\n"));

    CHECK(read_one("1. e4 0-1", &record));
    record.reason = REASON_TIME;
    text_clear(&out);
    CHECK(record_write(&record, "pgn", &out) && strstr(out.ptr, "\n[Termination \"time forfeit\"]\n"));

    CASE("lines of at most 79 characters; comments with everything in them");
    Text comment = {0};
    for (int i = 0; i < 300; i++)
        text_add(&comment, "%s ", i % 3 == 0 ? "[%clk]" : i % 3 == 1 ? "}{;(%" : "\xC3\xBC\xC3\xBC");
    record_free(&record);
    CHECK(pos_set(&record.start, span_of(GAME_START), &STANDARD, NULL) == SET_OK);
    Position pos = record.start;
    Rng rng = {11};
    for (int i = 0; i < 300; i++) {
        Move move = random_move(&pos, &rng);
        if (move == MOVE_NONE)
            break;
        CHECK(record_add_move(&record, move, i % 50 == 7 ? comment.ptr : NULL));
        play_move(&pos, move);
    }
    text_clear(&out);
    CHECK(record_write(&record, NULL, &out));
    Span rest = text_span(&out), line;
    while (span_line(&rest, &line)) {
        size_t width = 0;
        for (size_t i = 0; i < line.len; i++)
            width += ((u8)line.ptr[i] & 0xC0) != 0x80;
        CHECK_THAT(width <= 79 + 8, "%zu characters: %.*s", width, (int)line.len, line.ptr);
        CHECK(line.len == 0 || *line.ptr != '%');
    }
    Record again = {0};
    CHECK(read_one(out.ptr, &again));
    CHECK_TEXT(again.error.text, "");
    CHECK_INT(again.move_nb, record.move_nb);
    CHECK(again.move[7].comment && strstr(again.move[7].comment, ")(;(% \xC3\xBC"));
    record_free(&again);
    record_free(&record);
    text_free(&comment);
    text_free(&out);
}

static void test_epd(void)
{
    CASE("EPD and FEN lines are games without moves");
    Span rest = span_of(
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"scholar 1\";\n"
        "4k3/8/8/8/8/8/8/4K2R w K - 7 30\r\n"
        "4k3/8/8/8/8/8/8/8 w - - 0 1\n"
        "nonsense here\n"
        "8/8/8/8/k1pP4/8/8/4K3 b - d3 0 1 ;D1 6 ;D2 95\n");
    Record record = {0};
    char text[TEXT_MAX];
    CHECK(record_read(&rest, &STANDARD, &record));
    CHECK_TEXT(record_tag(&record, "bm"), "Qxf7#");
    CHECK_TEXT(record_tag(&record, "id"), "scholar 1");
    CHECK_INT(record.move_nb, 0);
    CHECK(record_read(&rest, &STANDARD, &record));
    pos_print(&record.start, text);
    CHECK_TEXT(text, "4k3/8/8/8/8/8/8/4K2R w K - 7 30");
    CHECK(record_read(&rest, &STANDARD, &record));
    CHECK(strstr(record.error.text, "White has 0 kings") != NULL);
    CHECK(record_read(&rest, &STANDARD, &record));
    CHECK(strstr(record.error.text, "nonsense") != NULL);
    CHECK(record_read(&rest, &STANDARD, &record));
    CHECK_TEXT(record_tag(&record, "D2"), "95");
    CHECK(!record_read(&rest, &STANDARD, &record));

    CASE("the operations hmvc and fmvn are the position's counters, unless it has its own or they are none");
    static const char *const COUNTED[][2] = {
        {"4k3/8/8/8/8/8/8/4K2R w K - hmvc 98; fmvn 77;", "4k3/8/8/8/8/8/8/4K2R w K - 98 77"},
        {"4k3/8/8/8/8/8/8/4K2R w K - id \"x\"; fmvn 77;", "4k3/8/8/8/8/8/8/4K2R w K - 0 77"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 7 30 hmvc 98; fmvn 77;", "4k3/8/8/8/8/8/8/4K2R w K - 7 30"},
        {"4k3/8/8/8/8/8/8/4K2R w K - hmvc x; fmvn -2;", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
    };
    for (size_t i = 0; i < sizeof COUNTED / sizeof COUNTED[0]; i++) {
        CHECK(read_one(COUNTED[i][0], &record));
        CHECK_TEXT(record.error.text, "");
        pos_print(&record.start, text);
        CHECK_TEXT(text, COUNTED[i][1]);
    }

    CASE("a semicolon in quotes does not end an operation, one after quotes that are not closed does");
    CHECK(read_one("4k3/8/8/8/8/8/8/4K2R w K - c0 \"one; two\"; id \"x\";", &record));
    CHECK_TEXT(record_tag(&record, "c0"), "one; two");
    CHECK_TEXT(record_tag(&record, "id"), "x");
    CHECK(read_one("4k3/8/8/8/8/8/8/4K2R w K - c0 \"one; bm Rh8;", &record));
    CHECK_TEXT(record_tag(&record, "bm"), "Rh8");

    CASE("an operation whose name could not be a tag's is left out");
    Record again = {0};
    Text out = {0};
    rest = span_of(";>B\xE4[///.J\xE4[-");
    CHECK(record_read(&rest, &STANDARD, &record));
    CHECK_INT(record.tag_nb, 0);
    CHECK(record_write(&record, NULL, &out));
    CHECK(read_one(out.ptr, &again));
    CHECK_TEXT(again.error.text, "");
    text_free(&out);
    record_free(&again);
    record_free(&record);
}

void test_pgn(void)
{
    test_files();
    test_constructs();
    test_tags_and_comments();
    test_chess960_games();
    test_errors();
    test_damage();
    test_writing();
    test_epd();
}
