// SPDX-License-Identifier: GPL-3.0-or-later
// SFEN, USI moves, western notation and the packed position: what is read, what is refused and with which
// words, and that everything written is read back.
#include "helpers.h"

#include "games/notation.h"

static SetResult set(Position *pos, const char *sfen, Message *message)
{
    Rules rules = rules_default();
    message->text[0] = '\0';
    return pos_set(pos, span_of(sfen), &rules, message);
}

// ---- SFEN ---------------------------------------------------------------------------------------
static void expect_text(const char *sfen, const char *printed)
{
    CASE("sfen: %s", sfen);
    char text[TEXT_MAX];
    Position pos = position_of(sfen);
    pos_print(&pos, text);
    CHECK_TEXT(text, printed);
    CHECK(pos_is_ok(&pos));
}

static void test_accepted(void)
{
#define TRICKY "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"
#define MANY "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b "
    expect_text(GAME_START, GAME_START);
    expect_text(TRICKY, TRICKY);
    expect_text(MANY "RBGSNLP3g3n17p 1", MANY "RBGSNLP3g3n17p 1");
    expect_text(MANY "GNLPSRB3g3n17p", MANY "RBGSNLP3g3n17p 1");     // another order, no move number
    expect_text(MANY "17p3n3gPLNSGBR 77", MANY "RBGSNLP3g3n17p 77"); // White's first
    expect_text(MANY "RBGSNLP3g3n16pp 1", MANY "RBGSNLP3g3n17p 1");  // a kind in two parts
    expect_text("4k4/9/9/9/9/9/9/9/9 b 16P 1", "4k4/9/9/9/9/9/9/9/9 b 16P 1");
    expect_text("9/9/9/9/9/9/9/9/4K4 b - 1", "9/9/9/9/9/9/9/9/4K4 b - 1");
    expect_text("4k4/9/9/9/9/9/9/9/4K4 w", "4k4/9/9/9/9/9/9/9/4K4 w - 1");
    expect_text("4k4/9/9/9/9/9/9/9/4K4", "4k4/9/9/9/9/9/9/9/4K4 b - 1");
    expect_text("  4k4/9/9/9/9/9/9/9/4K4   b\t-  5 ", "4k4/9/9/9/9/9/9/9/4K4 b - 5");
    expect_text("4k4/111111111/9/9/9/9/9/36/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K4 b - 1");
    expect_text("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
                "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    CASE("sfen: move number 0");
    Position pos;
    Message message;
    CHECK_INT(set(&pos, "4k4/9/9/9/9/9/9/9/4K4 b - 0", &message), SET_REPAIRED);
    CHECK(message.text[0] && pos_game_ply(&pos) == 0);
}

static void expect_refused(const char *sfen, const char *word)
{
    CASE("sfen refused: %s", sfen);
    Position pos = position_of(TRICKY);
    const Position before = pos;
    Message message;
    CHECK_INT(set(&pos, sfen, &message), SET_REJECTED);
    CHECK_THAT(strstr(message.text, word) != NULL, "the message '%s' does not say '%s'", message.text, word);
    CHECK(memcmp(&pos, &before, sizeof pos) == 0);
}

static void test_refused(void)
{
    expect_refused("", "no board");
    expect_refused("startpos", "rank a");
    expect_refused("4k4/9/9/9/9/9/9/9 b - 1", "8 ranks");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4/9 b - 1", "more than 9 ranks");
    expect_refused("4k4/9/9/8/9/9/9/9/4K4 b - 1", "rank d has 8");
    expect_refused("4k5/9/9/9/9/9/9/9/4K4 b - 1", "rank a has more than 9");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4P b - 1", "rank i has more than 9");
    expect_refused("4k4/9/9/9/9/9/9/9/4K3 b - 1", "rank i has 8");
    expect_refused("4k4/9/9/9/9/9/9/9/4K3+ b - 1", "stands before no piece");
    expect_refused("4k4/+9/9/9/9/9/9/9/4K4 b - 1", "rank b stands before no piece");
    expect_refused("4k4/++p8/9/9/9/9/9/9/4K4 b - 1", "stands before no piece");
    expect_refused("4k4/4+g4/9/9/9/9/9/9/4K4 b - 1", "does not promote");
    expect_refused("4k4/9/9/9/9/9/9/9/4+K4 b - 1", "does not promote");
    expect_refused("4k4/9/9/9/4x4/9/9/9/4K4 b - 1", "'x' in rank e");
    expect_refused("4k4/9/9/9/0p8/9/9/9/4K4 b - 1", "'0' in rank e");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 B - 1", "neither b nor w");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 - b 1", "neither b nor w");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b K 1", "can't be in a hand");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b +P 1", "can't be in a hand");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b 2 1", "stands before no piece");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b 0P 1", "must not begin with 0");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b 3R 1", "3 of 'R'");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b 99999999999999999999P 1", "of 'P'");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b 10P9p 1", "19 pawns");
    expect_refused("4k4/r7r/9/9/9/9/9/9/4K4 b R 1", "3 rooks");
    expect_refused("4k4/+r7+r/9/9/9/9/9/9/4K4 b R 1", "3 rooks");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b - x", "move number");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b - -1", "move number");
    expect_refused("4k4/9/9/9/9/9/9/9/4K4 b - 1 moves", "after the move number");
    expect_refused("9/9/9/9/9/9/9/9/9 b - 1", "no king");
    expect_refused("4k4/9/4k4/9/9/9/9/9/4K4 b - 1", "second king in rank c");
    expect_refused("P3k4/9/9/9/9/9/9/9/4K4 b - 1", "9a");
    expect_refused("4k4/9/9/9/9/9/9/9/4K3p w - 1", "1i");
    expect_refused("4k4/N8/9/9/9/9/9/9/4K4 w - 1", "knight on 9b");
    expect_refused("4k4/9/9/9/9/9/9/l8/L3K3l w - 1", "lance on 1i");
    expect_refused("4k4/9/9/9/P8/9/P8/9/4K4 w - 1", "two pawns on file 9");
    expect_refused("4k4/4P4/9/9/9/9/9/9/4K4 b - 1", "take the king on 5a");
    expect_refused("9/9/9/9/4k4/4K4/9/9/9 b - 1", "take the king on 5e");
    CASE("sfen: white pawns may share a file with black ones, tokins with pawns");
    Position pos;
    Message message;
    CHECK_INT(set(&pos, "4k4/9/p8/9/+p8/9/P8/+P8/4K4 b - 1", &message), SET_OK);
}

// ---- moves --------------------------------------------------------------------------------------
static void expect_move(const char *sfen, const char *text, bool legal)
{
    Position pos = position_of(sfen);
    Move move = move_parse(&pos, span_of(text));
    CHECK_THAT((move != MOVE_NONE) == legal, "%s in %s", text, sfen);
    char printed[MOVE_TEXT_MAX];
    if (move != MOVE_NONE) {
        move_print(&pos, move, printed);
        CHECK_TEXT(printed, text);
    }
}

static void test_usi_moves(void)
{
    CASE("usi moves");
    expect_move(GAME_START, "7g7f", true);
    static const char *const WRONG[] = {"7g7e", "7G7F", "7g7f+", "7g7f=",  "7g",   "",     "7g7f ", "P*5e",
                                        "0000", "pass", "win",   "resign", "none", "7a7b", "0g0f",  "7g7j"};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++)
        expect_move(GAME_START, WRONG[i], false);
    expect_move("4k4/9/9/9/9/9/9/9/4K4 w p 1", "P*5e", true); // upper case for White too
    expect_move("4k4/9/9/9/9/9/9/9/4K4 w p 1", "p*5e", false);
    expect_move("4k4/9/9/9/9/9/9/9/4K4 w p 1", "P*5e+", false);
    expect_move("4k4/9/9/9/9/9/9/9/4K4 w p 1", "+P*5e", false);
    expect_move("4k4/9/9/9/9/9/9/1B7/4K4 b - 1", "8h2b+", true);
}

static void test_special_moves(void)
{
    CASE("moves that are none");
    char text[MOVE_TEXT_MAX];
    Position pos = position_of(GAME_START);
    move_print(&pos, MOVE_NONE, text);
    CHECK_TEXT(text, "none");
    move_print(&pos, MOVE_NULL, text);
    CHECK_TEXT(text, "pass");
    move_print(&pos, MOVE_WIN, text);
    CHECK_TEXT(text, "win");
    move_print_human(&pos, MOVE_WIN, text);
    CHECK_TEXT(text, "win");
}

static void expect_western(const char *sfen, const char *usi, const char *western)
{
    CASE("western: %s", western);
    char text[MOVE_TEXT_MAX];
    Position pos = position_of(sfen);
    Move move = move_of(&pos, usi);
    move_print_human(&pos, move, text);
    CHECK_TEXT(text, western);
    CHECK_INT(move_parse_human(&pos, span_of(western)), move);
    CHECK_INT(move_parse_human(&pos, span_of(usi)), move);
}

static void expect_reading(const char *sfen, const char *text, const char *usi)
{
    CASE("western reading: %s", text);
    const Position pos = position_of(sfen);
    CHECK_INT(move_parse_human(&pos, span_of(text)), usi ? move_of(&pos, usi) : MOVE_NONE);
}

static void test_western(void)
{
    expect_western(GAME_START, "7g7f", "P-7f");
    expect_western(GAME_START, "6i5h", "G6i-5h"); // both golds reach it
    expect_western(GAME_START, "6i6h", "G-6h");
    expect_western("4k4/7r1/9/9/9/9/9/7R1/4K4 b - 1", "2h2b+", "Rx2b+");
    expect_western("4k4/7r1/9/9/9/9/9/7R1/4K4 b - 1", "2h2b", "Rx2b=");
    expect_western("4k4/7r1/9/9/9/9/9/7R1/4K4 b - 1", "2h2c+", "R-2c+");
    expect_western("4k4/7r1/9/9/9/9/9/7R1/4K4 b - 1", "2h2d", "R-2d");
    expect_western("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", "G*5b");
    expect_western("3k5/9/9/9/9/9/9/4+R4/3K5 b - 1", "5h5g", "+R-5g");
    expect_western("3+P1+P3/9/9/k8/9/9/9/9/4K4 b - 1", "6a5a", "+P6a-5a");
    expect_western("4k4/9/9/9/9/9/9/1G2G4/4K4 b G 1", "G*6h", "G*6h"); // a drop needs no square
    // A pinned rival is none.
    expect_western("4r3k/9/9/9/9/9/4G4/4K4/6G2 b - 1", "3i4h", "G-4h");
    expect_reading(GAME_START, "P7f", "7g7f");
    expect_reading(GAME_START, "P-76", "7g7f");
    expect_reading(GAME_START, "P7g-7f", "7g7f");
    expect_reading(GAME_START, "  P-7f ", "7g7f");
    expect_reading(GAME_START, "G-5h", NULL); // two golds
    expect_reading(GAME_START, "Px7f", NULL);
    expect_reading(GAME_START, "P*7f", NULL);
    expect_reading(GAME_START, "p-7f", NULL);
    expect_reading(GAME_START, "P-7f+", NULL);
    expect_reading(GAME_START, "P-7f-", NULL);
    expect_reading(GAME_START, "P-", NULL);
    expect_reading(GAME_START, "+", NULL);
    expect_reading("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G'5b", "G*5b");
    expect_reading("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G5b", "G*5b");
    expect_reading("4k4/9/9/9/9/9/9/4G4/4K4 b G 1", "G5g", "5h5g"); // on the board before the hand
}

// ---- everything written is read back ------------------------------------------------------------
static void check_texts(const Position *pos)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    char sfen[TEXT_MAX];
    pos_print(pos, sfen);
    for (Move *move = list; move < end; move++) {
        char usi[MOVE_TEXT_MAX], human[MOVE_TEXT_MAX];
        move_print(pos, *move, usi);
        move_print_human(pos, *move, human);
        CHECK_THAT(move_parse(pos, span_of(usi)) == *move, "%s in %s", usi, sfen);
        CHECK_THAT(move_parse_human(pos, span_of(human)) == *move, "%s (%s) in %s", human, usi, sfen);
    }
}

static void check_packing(const Position *pos)
{
    u8 bytes[PACKED_BYTES], again[PACKED_BYTES];
    Position unpacked;
    char sfen[TEXT_MAX], back[TEXT_MAX];
    pos_print(pos, sfen);
    CHECK_THAT(pos_pack(pos, bytes), "not packed: %s", sfen);
    CHECK_THAT(pos_unpack(&unpacked, bytes, &pos->rules), "not unpacked: %s", sfen);
    pos_print(&unpacked, back);
    CHECK_TEXT(back, sfen);
    CHECK(pos_is_ok(&unpacked) && pos_pack(&unpacked, again) && memcmp(bytes, again, sizeof bytes) == 0);
}

static void test_round_trips(void)
{
    CASE("texts and packing in random games");
    Rng rng = {4711};
    for (int game = 0; game < (test_is_light() ? 2 : 60); game++) {
        Position pos = position_of(GAME_START);
        for (int ply = 0; ply < 250; ply++) {
            check_packing(&pos);
            if (ply % 16 == 0)
                check_texts(&pos);
            if (!play_random(&pos, &rng))
                break;
        }
    }
    CASE("packing of problem positions");
    static const char *const PROBLEMS[] = {"4k4/9/9/9/9/9/9/9/9 b 16P 1", MANY "RBGSNLP3g3n17p 30000",
                                           "9/9/9/9/9/9/9/9/4K4 w rb4g4s4n4l18p 9"};
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof PROBLEMS[0]; i++) {
        const Position pos = position_of(PROBLEMS[i]);
        check_packing(&pos);
    }
}

// Whatever the bytes are: refused, or a sound position that packs to the same bytes.
static void test_hostile_bytes(void)
{
    CASE("unpacking damaged bytes");
    Rng rng = {99};
    Rules rules = rules_default();
    const Position pos = position_of(TRICKY);
    Position unpacked;
    u8 start[PACKED_BYTES], bytes[PACKED_BYTES], again[PACKED_BYTES];
    CHECK(pos_pack(&pos, start));
    int accepted = 0;
    for (int i = 0; i < (test_is_light() ? 2000 : 200000); i++) {
        memcpy(bytes, start, sizeof bytes);
        for (int n = 1 + (int)rng_below(&rng, 3); n > 0; n--)
            bytes[rng_below(&rng, PACKED_BYTES)] ^= (u8)(1 << rng_below(&rng, 8));
        if (i % 4 == 0)
            for (int k = 0; k < PACKED_BYTES; k++)
                bytes[k] = (u8)rng_next(&rng);
        if (!pos_unpack(&unpacked, bytes, &rules))
            continue;
        accepted++;
        CHECK(pos_is_ok(&unpacked) && pos_pack(&unpacked, again) && memcmp(bytes, again, sizeof bytes) == 0);
    }
    CHECK(accepted > 0); // another ply or side is a position too
}

void test_notation(void)
{
    test_accepted();
    test_refused();
    test_usi_moves();
    test_special_moves();
    test_western();
    test_round_trips();
    test_hostile_bytes();
}
