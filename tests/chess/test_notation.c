// SPDX-License-Identifier: GPL-3.0-or-later
// FEN, protocol moves and SAN: verdicts and messages on bad input, round trips over random games, and
// spellings.
#include "bitboard.h"
#include "games/notation.h"
#include "helpers.h"

#define KIWI "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

static const Rules STANDARD = {.chess960 = false}, CHESS960 = {.chess960 = true};

// ---- FEN ----------------------------------------------------------------------------------------
static void check_verdict(const char *verdict, const char *fen, size_t len, const Rules *rules)
{
    Position pos = position_of(GAME_START), before = pos;
    Message message = {""};
    SetResult result = pos_set(&pos, (Span){fen, len}, rules, &message);
    static const char *const VERDICT[] = {
        [SET_OK] = "accept", [SET_REPAIRED] = "repair", [SET_REJECTED] = "reject"};
    CHECK_THAT(strcmp(VERDICT[result], verdict) == 0, "%s is a %s, expected %s: %s", fen, VERDICT[result],
               verdict, message.text);
    CHECK_THAT((message.text[0] != '\0') == (result != SET_OK), "%s: '%s'", fen, message.text);
    if (result == SET_REJECTED) {
        CHECK_THAT(memcmp(&pos, &before, sizeof pos) == 0, "%s changed the position", fen);
        return;
    }
    CHECK_THAT(pos_is_ok(&pos), "%s gives a broken position", fen);
    char first[TEXT_MAX];
    strcpy(first, text_of(&pos));
    SetResult again = pos_set(&pos, span_of(first), rules, &message);
    CHECK_THAT(again == SET_OK, "%s is printed as %s: %s", fen, first, message.text);
    CHECK_TEXT(text_of(&pos), first);
}

// One line: verdict <tab> remark <tab> fen.
static void check_verdict_line(Span line)
{
    char verdict[16], fen[TEXT_MAX];
    CHECK(span_copy(take_field(&line, '\t'), verdict, sizeof verdict));
    take_field(&line, '\t');
    CHECK(span_copy(line, fen, sizeof fen));
    check_verdict(verdict, fen, strlen(fen), &STANDARD);
}

static void test_verdict_file(void)
{
    CASE("FEN verdicts of the file");
    CHECK(each_line("chess/fen_cases.tsv", check_verdict_line) > 20);
}

static const char *const VERDICTS[][2] = {
    // fields
    {"accept", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"},
    {"accept", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ"},
    {"accept", "4k3/8/8/8/8/8/8/4K3 w - -"},
    {"accept", "\r\n\v\f 4k3/8/8/8/8/8/8/4K3\tw\r\n"},
    {"reject", ""},
    {"reject", " \t"},
    {"reject", "4k3/8/8/8/8/8/8/4K3"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 W - - 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 white - - 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 - - - 0 1"},
    // board
    {"reject", "4k3/8/8/8/8/8/8/4K3/ w - - 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1"},
    {"reject", "/4k3/8/8/8/8/8/4K3 w - - 0 1"},
    {"reject", "4k3//8/8/8/8/8/4K3 w - - 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K2 w - - 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K4 w - - 0 1"},
    {"reject", "4k3/8/0/8/8/8/8/4K3 w - - 0 1"},
    {"reject", "4k3/8/8/8/3.4/8/8/4K3 w - - 0 1"},
    {"reject", "4k3/88888888888888888888/8/8/8/8/8/4K3 w - - 0 1"},
    {"accept", "4k3/8/1111p3/8/8/8/44/4K3 w - - 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/8 w - - 0 1"},
    {"reject", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"reject", "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1"},
    {"accept", "4k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1"},
    {"reject", "qqqqkqqq/qqq5/8/8/8/8/8/4K3 b - - 0 1"},
    {"accept", "qqqqk3/qqqqq3/8/8/8/8/8/7K w - - 0 1"},
    {"reject", "qqqqk3/qqqqq3/p7/8/8/8/8/7K w - - 0 1"},
    {"reject", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"},
    {"accept", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"},
    {"reject", "4k3/8/8/8/4r3/2n5/8/K3K3 w - - 0 1"},
    {"reject", "4r2k/8/8/8/1b6/8/2n5/4K3 w - - 0 1"},
    {"accept", "4r2k/8/8/8/1b6/8/8/4K3 w - - 0 1"},
    // castling rights
    {"reject", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq- - 0 1"},
    {"reject", "r3k2r/8/8/8/8/8/8/R3K2R w -- - 0 1"},
    {"reject", "r3k2r/8/8/8/8/8/8/R3K2R w KQkz - 0 1"},
    {"reject", "r3k2r/8/8/8/8/8/8/R3K2R w I - 0 1"},
    {"accept", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1"},
    {"accept", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"},
    {"repair", "r3k2r/8/8/8/8/8/8/R3K2R w HK - 0 1"},
    {"repair", "r3k2r/8/8/8/8/8/8/R3K2R w E - 0 1"},
    {"repair", "r3k2r/8/8/8/8/8/8/R3K2R w B - 0 1"},
    {"repair", "r4k1r/8/8/8/8/8/8/R3K2R w KQkqq - 0 1"},
    {"repair", "r3k2r/8/8/8/8/8/4K3/R6R w KQ - 0 1"},
    {"repair", "4k3/8/8/8/8/8/8/R4RK1 w KQ - 0 1"}, // a castled king whose rights were not taken away
    {"accept", "1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1"},
    {"accept", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"},
    {"repair", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"},
    // en passant
    {"accept", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"},
    {"repair", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
    {"repair", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq g6 0 3"},
    {"repair", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f3 0 3"},
    {"repair", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq e4 0 3"},
    {"repair", "rnbqkb1r/ppp1pnpp/8/3pPp2/8/8/PPPP1PPP/RNBQKB1R w KQkq a1 0 3"},
    {"repair", "rnbqkb1r/ppp1p1pp/5n2/3pPp2/8/8/PPPP1PPP/RNBQKB1R w KQkq f6 0 3"}, // occupied
    {"repair",
     "rnbqkb1r/ppp1pnpp/8/3pPp2/8/8/PPPP1PPP/RNBQKB1R w KQkq f6 0 3"}, // came from an occupied square
    {"repair", "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1"},
    {"repair", "8/5bk1/8/2Pp4/8/1K6/8/8 b - d6 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - i3 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - e 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - e33 0 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - E3 0 1"},
    // counters
    {"accept", "4k3/8/8/8/8/8/8/4K3 w - - 100 9999"},
    {"accept", "4k3/8/8/8/8/8/8/4K3 w - - 007 0012"},
    {"repair", "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999"},
    {"repair", "4k3/8/8/8/8/8/8/4K3 w - - 70000 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - - x 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - - +1 1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - - 0 -1"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5"},
    {"reject", "4k3/8/8/8/8/8/8/4K3 w - - 0x10 1"},
};

static void test_more_verdicts(void)
{
    CASE("FEN verdicts of the same kind");
    for (size_t i = 0; i < sizeof VERDICTS / sizeof VERDICTS[0]; i++)
        check_verdict(VERDICTS[i][0], VERDICTS[i][1], strlen(VERDICTS[i][1]), &STANDARD);

    CASE("FEN with bytes that are no text");
    static const char IN_BOARD[] = "4k3/8/8/8/\0/8/8/4K3 w - - 0 1", HIGH[] = "\xFF\xFE\x80 w - - 0 1";
    static const char IN_RIGHTS[] = "r3k2r/8/8/8/8/8/8/R3K2R w K\0 - 0 1";
    check_verdict("reject", IN_BOARD, sizeof IN_BOARD - 1, &STANDARD);
    check_verdict("reject", IN_RIGHTS, sizeof IN_RIGHTS - 1, &STANDARD);
    check_verdict("reject", HIGH, sizeof HIGH - 1, &STANDARD);
    Text long_line = {0};
    for (int i = 0; i < 100000; i++)
        text_add(&long_line, "8/");
    text_add(&long_line, " w - - 0 1");
    check_verdict("reject", long_line.ptr, long_line.len, &STANDARD);
    text_free(&long_line);
}

static void test_messages(void)
{
    static const char *const CASES[][2] = {
        {"rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'x' in rank 7"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "7 ranks"},
        {"rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7"},
        {"rnbqkbnr/pppppppp/8/8/8/7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 3 has 7 squares"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQXq - 0 1", "castling rights: 'X'"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side to move: 'x'"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e0 0 1", "en passant square: 'e0'"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -5 1", "half-move clock: '-5'"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 one", "move number: 'one'"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w KQkq - 0 1", "White has 0 kings"},
        {"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "Black is in check, but it is White to move"},
        {"2r1k2r/8/8/8/8/8/8/R4RK1 w q - 0 1", "castling right q dropped"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "en passant square e3 dropped"},
        {"2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq c3 0 1", "castling right Q dropped"},
        {"2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq c3 0 1", "en passant square c3 dropped"},
    };
    CASE("FEN messages say what and where");
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Position pos;
        Message message = {""};
        CHECK(pos_set(&pos, span_of(CASES[i][0]), &STANDARD, &message) != SET_OK);
        CHECK_THAT(strstr(message.text, CASES[i][1]) != NULL, "'%s' does not name '%s'", message.text,
                   CASES[i][1]);
    }
}

static void test_castling_letters(void)
{
    static const struct {
        const char *fen, *standard, *chess960;
    } CASES[] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "KQkq", "HAha"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 3 9", "KQkq", "HAha"},
        {"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "GBgb", "GBgb"},
        {"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "-", "GBgb"},
        {"8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", "-", "C"},
        {"2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1", "E", "E"},
        {"rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2R2R b E - 1 20", "E", "E"},
        {"rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2R2R b K - 1 20", "H", "H"},
        {"1rkr3b/1ppn3p/3pB1n1/6q1/R2P4/4N1P1/1P5P/2KRQ1B1 b Dbd - 0 14", "Ddb", "Ddb"},
        {"2r1k2r/2pn1pp1/1p3n1p/p3PP2/4q2B/P1P5/2Q1N1PP/R4RK1 w q - 0 1", "-", "c"},
    };
    CASE("castling letters in both modes");
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        for (int mode = 0; mode < 2; mode++) {
            Position pos = position_under(CASES[i].fen, mode ? &CHESS960 : &STANDARD);
            Span rest = span_of(text_of(&pos));
            span_word(&rest), span_word(&rest);
            char text[8];
            span_copy(span_word(&rest), text, sizeof text);
            CHECK_TEXT(text, mode ? CASES[i].chess960 : CASES[i].standard);
        }
}

// ---- moves --------------------------------------------------------------------------------------
static void check_move(const char *fen, const Rules *rules, const char *text, const char *expected)
{
    Position pos = position_under(fen, rules);
    char out[MOVE_TEXT_MAX];
    move_print(&pos, move_parse(&pos, span_of(text)), out);
    CHECK_THAT(strcmp(out, expected) == 0, "%s in %s is read as %s, expected %s", text, fen, out, expected);
}

static void test_moves(void)
{
    CASE("castling in either spelling, printed by mode");
    check_move(KIWI, &STANDARD, "e1g1", "e1g1");
    check_move(KIWI, &STANDARD, "e1h1", "e1g1");
    check_move(KIWI, &STANDARD, "e1c1", "e1c1");
    check_move(KIWI, &STANDARD, "e1a1", "e1c1");
    check_move(KIWI, &CHESS960, "e1g1", "e1h1");
    check_move(KIWI, &CHESS960, "e1c1", "e1a1");
    check_move("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", &STANDARD, "e1g1", "(none)");
    check_move("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", &STANDARD, "e1h1", "(none)");

    CASE("a king step is not castling");
    check_move("4k3/8/8/8/8/8/PPPPPPPP/R4K1R w HA - 0 1", &CHESS960, "f1g1", "f1g1");
    check_move("4k3/8/8/8/8/8/PPPPPPPP/R4K1R w HA - 0 1", &CHESS960, "f1h1", "f1h1");
    check_move("4k3/8/8/8/8/8/PPPPPPPP/R4KR1 w GA - 0 1", &CHESS960, "f1g1", "f1g1");
    Position pos = position_under("4k3/8/8/8/8/8/PPPPPPPP/R4KR1 w GA - 0 1", &CHESS960);
    CHECK_INT(move_type(move_parse(&pos, span_of("f1g1"))), MOVE_CASTLING);
    pos = position_under("4k3/8/8/8/8/8/PPPPPPPP/R4K1R w HA - 0 1", &CHESS960);
    CHECK_INT(move_type(move_parse(&pos, span_of("f1g1"))), MOVE_NORMAL);
    CHECK_INT(move_type(move_parse(&pos, span_of("f1h1"))), MOVE_CASTLING);
    CHECK_INT(move_type(move_parse(&pos, span_of("f1c1"))), MOVE_CASTLING);
    pos = position_under("4k3/8/8/8/8/8/PPPPPPPP/RK6 w A - 0 1",
                         &STANDARD); // off the standard squares, in standard mode
    CHECK_INT(move_type(move_parse(&pos, span_of("b1c1"))), MOVE_NORMAL);
    check_move("4k3/8/8/8/8/8/PPPPPPPP/RK6 w A - 0 1", &STANDARD, "b1a1", "b1a1");

    CASE("promotions and odd texts");
    check_move("7k/P7/8/8/8/8/8/7K w - - 0 1", &STANDARD, "a7a8Q", "a7a8q");
    check_move("7k/P7/8/8/8/8/8/7K w - - 0 1", &STANDARD, "a7a8n", "a7a8n");
    check_move("7k/P7/8/8/8/8/8/7K w - - 0 1", &STANDARD, "a7a8=R", "a7a8r");
    static const char *const BAD[] = {
        "",      "a7",    "a7a8",   "a7a8k", "a7a8p", "a7a8x",    "a7a8qq", "a7a9q",
        "h1h2q", "i1h2",  "h1i2",   "a7a8 ", "h1-h2", "O-O",      "e2e4",   "a7a8=",
        "h1h1",  "a7b8q", "(none)", "win",   "\xFF",  "a7a8\n\n", "0000"}; // a pass is no legal move: those
                                                                           // who allow one look for its word
                                                                           // themselves
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        check_move("7k/P7/8/8/8/8/8/7K w - - 0 1", &STANDARD, BAD[i], "(none)");
    pos = position_of(GAME_START);
    char text[MOVE_TEXT_MAX];
    move_print(&pos, MOVE_NULL, text);
    CHECK_TEXT(text, "0000");
    move_print(&pos, MOVE_NONE, text);
    CHECK_TEXT(text, "(none)");
    move_print(&pos, MOVE_WIN, text);
    CHECK_TEXT(text, "win");
}

// ---- SAN ----------------------------------------------------------------------------------------
static void check_san(const char *fen, const char *uci, const char *san)
{
    Position pos = position_of(fen);
    char out[MOVE_TEXT_MAX];
    Move move = move_parse(&pos, span_of(uci));
    move_print_human(&pos, move, out);
    CHECK_THAT(strcmp(out, san) == 0, "%s in %s is %s, expected %s", uci, fen, out, san);
    CHECK_THAT(move && move_parse_human(&pos, span_of(san)) == move, "%s in %s is not read back", san, fen);
}

static void test_san_writing(void)
{
    CASE("SAN is written in its shortest form");
    check_san(GAME_START, "e2e4", "e4");
    check_san(GAME_START, "g1f3", "Nf3");
    check_san(KIWI, "e1g1", "O-O");
    check_san(KIWI, "e1c1", "O-O-O");
    check_san(KIWI, "d5e6", "dxe6");
    check_san(KIWI, "e2a6", "Bxa6");
    check_san("4k3/8/8/8/8/8/4K3/N3N3 w - - 0 1", "a1c2", "Nac2");
    check_san("4k3/8/8/2N5/8/8/4K3/2N5 w - - 0 1", "c1b3", "N1b3");
    check_san("8/k7/8/8/1Q5Q/8/8/2K4Q w - - 0 1", "h4e1", "Qh4e1");
    check_san("8/k7/8/8/1Q5Q/8/8/2K4Q w - - 0 1", "h1e1", "Q1e1");
    check_san("8/k7/8/8/1Q5Q/8/8/2K4Q w - - 0 1", "b4e1", "Qbe1");
    check_san("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"); // the other knight is pinned
    check_san("7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8q", "a8=Q+");
    check_san("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8n", "axb8=N");
    check_san("8/8/8/8/k1pP4/8/8/4K3 b - d3 0 1", "c4d3", "cxd3");
    check_san("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#");
    check_san("r3k1nr/ppp1p1pp/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O");
    check_san("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+");
    Position pos = position_of(GAME_START);
    char text[MOVE_TEXT_MAX];
    move_print_human(&pos, MOVE_NULL, text);
    CHECK_TEXT(text, "--");
    move_print_human(&pos, MOVE_NONE, text);
    CHECK_TEXT(text, "(none)");
}

static void check_reading(const char *fen, const char *human, const char *uci)
{
    Position pos = position_of(fen);
    char out[MOVE_TEXT_MAX];
    move_print(&pos, move_parse_human(&pos, span_of(human)), out);
    CHECK_THAT(strcmp(out, uci) == 0, "'%s' in %s is read as %s, expected %s", human, fen, out, uci);
}

// Position, what is typed, and the move that is meant.
static const char *const READINGS[][3] = {
    {GAME_START, "e4", "e2e4"},
    {GAME_START, " e4 ", "e2e4"},
    {GAME_START, "1.e4", "e2e4"},
    {GAME_START, "1... Nf3!?", "g1f3"},
    {GAME_START, "Pe4", "e2e4"},
    {GAME_START, "e2-e4", "e2e4"},
    {GAME_START, "e2e4", "e2e4"},
    {GAME_START, "g1-f3", "g1f3"},
    {GAME_START, "g1xf3", "g1f3"},
    {GAME_START, "Kg1-f3", "(none)"}, // no king stands there
    {GAME_START, "Ke2-e4", "(none)"},
    {GAME_START, "g1--f3", "(none)"},
    {GAME_START, "00-00", "(none)"},
    {GAME_START, "K0000", "(none)"},
    {GAME_START, "nf3", "g1f3"},
    {GAME_START, "Ng1f3", "g1f3"},
    {GAME_START, "Ng1-f3+", "g1f3"},
    {GAME_START, "Nxf3", "g1f3"},
    {GAME_START,
     "\xE2\x99\x98"
     "f3",
     "g1f3"},
    {GAME_START, "--", "(none)"},
    {GAME_START, "Z0", "(none)"},
    {GAME_START, "0000", "(none)"},
    {GAME_START, "e5", "(none)"},
    {GAME_START, "Nd2", "(none)"},
    {GAME_START, "O-O", "(none)"},
    {GAME_START, "N", "(none)"},
    {GAME_START, "x", "(none)"},
    {GAME_START, "", "(none)"},
    {GAME_START, "+", "(none)"},
    {GAME_START, "e4e5e6", "(none)"},
    {KIWI, "0-0", "e1g1"},
    {KIWI, "0-0-0", "e1c1"},
    {KIWI, "o-o", "e1g1"},
    {KIWI, "Ke1-g1", "e1g1"},
    {KIWI, "Ke1c1", "e1c1"},
    {KIWI, "e1-c1", "e1c1"},
    {KIWI, "Ke1-f1", "e1f1"},
    {KIWI, "OO", "e1g1"},
    {KIWI, "O-O-O+!!", "e1c1"},
    {KIWI, "O--O", "(none)"},
    {KIWI, "O-O-", "(none)"},
    {KIWI, "O-O-O-O", "(none)"},
    {KIWI, "de6", "d5e6"},
    {KIWI, "dxe6", "d5e6"},
    {KIWI, "d5:e6", "d5e6"},
    {KIWI, "Nd3", "e5d3"},
    {KIWI, "Nb1", "c3b1"},
    {KIWI, "Bb5", "e2b5"},
    {KIWI, "bb5", "e2b5"},
    {KIWI, "qxf6", "f3f6"},
    {"4k3/8/8/8/8/8/4K3/N3N3 w - - 0 1", "Nc2", "(none)"}, // two knights could
    {"4k3/8/8/8/8/8/4K3/N3N3 w - - 0 1", "Na1c2", "a1c2"},
    {"4k3/8/8/8/1p6/2P1B3/8/4K3 w - - 0 1", "cb4", "c3b4"},
    {"4k3/8/8/2p5/1P1B4/8/8/4K3 w - - 0 1", "bxc5", "b4c5"}, // a pawn's capture by rule, not a bishop's
    {"4k3/8/8/2p5/1P1B4/8/8/4K3 w - - 0 1", "Bxc5", "d4c5"},
    {"4k3/8/8/2p5/3B4/8/1P6/4K3 w - - 0 1", "bxc5", "d4c5"}, // no pawn can: the bishop is meant
    {"7k/P7/8/8/8/8/8/7K w - - 0 1", "a8Q", "a7a8q"},
    {"7k/P7/8/8/8/8/8/7K w - - 0 1", "a8=q+", "a7a8q"},
    {"7k/P7/8/8/8/8/8/7K w - - 0 1", "a8(N)", "a7a8n"},
    {"7k/P7/8/8/8/8/8/7K w - - 0 1", "a8/R", "a7a8r"},
    {"7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8b", "a7a8b"},
    {"1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7xb8=Q", "a7b8q"},
    {"7k/P7/8/8/8/8/8/7K w - - 0 1", "a8", "(none)"}, // four moves answer
    {"7k/P7/8/8/8/8/8/7K w - - 0 1", "a8=K", "(none)"},
    {"7k/P7/8/8/8/8/8/7K w - - 0 1", "Kh2=Q", "(none)"},
    {"8/8/8/8/k1pP4/8/8/4K3 b - d3 0 1", "cxd3 e.p.", "c4d3"},
    {"8/8/8/8/k1pP4/8/8/4K3 b - d3 0 1", "cxd3ep+", "c4d3"},
    {"8/8/8/8/k1pP4/8/8/4K3 b - d3 0 1", "c:d", "(none)"},
    {"k7/8/8/8/1B6/2N5/8/1N1K4 w - - 0 1", "B1c3", "(none)"},
    {"k7/8/8/8/8/8/8/B1N1K3 w - - 0 1", "B1c3", "a1c3"}, // not the protocol's b1c3
};

static void test_san_reading(void)
{
    CASE("SAN is read as people write it");
    for (size_t i = 0; i < sizeof READINGS / sizeof READINGS[0]; i++)
        check_reading(READINGS[i][0], READINGS[i][1], READINGS[i][2]);
}

// ---- round trips --------------------------------------------------------------------------------
// Every legal move of every position of random games: printed and read back both ways; all texts are
// different.
static void check_all_moves(const Position *pos)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    static char texts[MAX_MOVES][MOVE_TEXT_MAX];
    for (Move *m = list; m < end; m++) {
        char text[MOVE_TEXT_MAX];
        move_print(pos, *m, text);
        CHECK_THAT(move_parse(pos, span_of(text)) == *m, "%s in %s is not read back", text, text_of(pos));
        move_print_human(pos, *m, text);
        CHECK_THAT(move_parse_human(pos, span_of(text)) == *m, "%s in %s is not read back", text,
                   text_of(pos));
        strcpy(texts[m - list], text);
        for (Move *other = list; other < m; other++)
            CHECK_THAT(strcmp(texts[other - list], text) != 0, "%s in %s is two moves", text, text_of(pos));
    }
}

static void random_game(const char *fen, const Rules *rules, Rng *rng, int plies)
{
    Position pos = position_under(fen, rules), again;
    for (int i = 0; i < plies; i++) {
        Message message = {""};
        char text[TEXT_MAX];
        pos_print(&pos, text);
        SetResult result = pos_set(&again, span_of(text), rules, &message);
        CHECK_THAT(result == SET_OK, "%s: %s", text, message.text);
        CHECK_TEXT(text_of(&again), text);
        CHECK_THAT(again.key == pos.key && pos_is_ok(&again), "%s has another key", text);
        check_all_moves(&pos);
        if (!play_random(&pos, rng))
            return;
    }
}

static void test_round_trips(void)
{
    static const char *const STARTS[] = {
        GAME_START,
        KIWI,
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "1rkr3b/1ppn3p/3pB1n1/6q1/R2P4/4N1P1/1P5P/2KRQ1B1 b Dbd - 0 14",
        "rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2R2R b E - 1 20",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    };
    CASE("texts of positions and moves come back along random games");
    Rng rng = {2024};
    int games = test_is_light() ? 2 : 20;
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++)
        for (int game = 0; game < games; game++)
            random_game(STARTS[i], game & 1 ? &CHESS960 : &STANDARD, &rng, 120);
}

void test_notation(void)
{
    test_verdict_file();
    test_more_verdicts();
    test_messages();
    test_castling_letters();
    test_moves();
    test_san_writing();
    test_san_reading();
    test_round_trips();
}
