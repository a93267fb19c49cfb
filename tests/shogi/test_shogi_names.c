// SPDX-License-Identifier: GPL-3.0-or-later
// Names of shogi's openings and castles: other orders of moves, shapes on either side, and starts without
// names.
#include "games/notation.h"
#include "helpers.h"

static void check_name(const char *start, const char *moves, const char *name, const char *name_ja, int ply)
{
    Game game = game_from(start, NULL);
    Opening opening = {0};
    play_text(&game, moves);
    bool has_name = opening_name(&game, &opening);
    CHECK_THAT(has_name == (name[0] != '\0'), "%s: %s", moves, opening.name);
    CHECK_TEXT(opening.name, name);
    CHECK_TEXT(opening.name_ja, name_ja);
    CHECK_TEXT(opening.code, "");
    CHECK_INT(opening.ply, ply);
    game_free(&game);
}

static void test_lines(void)
{
    CASE("the usual order, and others that lead to the same position");
    check_name(GAME_START, "7g7f 8c8d 7i6h 3c3d 6h7g", "Fortress", "矢倉", 5);
    check_name(GAME_START, "7g7f 3c3d 7i6h 8c8d 6h7g", "Fortress", "矢倉", 5);
    check_name(GAME_START, "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d",
               "Side Pawn Capture", "横歩取り", 15);
    check_name(GAME_START, "2g2f 8c8d 7g7f 3c3d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d",
               "Side Pawn Capture", "横歩取り", 15);

    CASE("the last name stays when the game goes on without one");
    check_name(GAME_START, "7g7f 8c8d 7i6h 3c3d 6h7g 9c9d 9g9f", "Fortress", "矢倉", 5);

    CASE("handicaps have no names");
    check_name("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "3c3d 7i6h", "", "", 0);
    check_name("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
               "3c3d 7g7f 8c8d 2h6h 8d8e 5i4h", "", "", 0);
}

static void test_shapes(void)
{
    CASE("a ranging rook has its name once the king has gone the other way");
    check_name(GAME_START, "7g7f 8c8d 6g6f 8d8e 8h7g 9c9d 2h6h 9d9e", "", "", 0);
    check_name(GAME_START, "7g7f 8c8d 6g6f 8d8e 8h7g 9c9d 2h6h 9d9e 5i4h 1c1d 4h3h", "Fourth File Rook",
               "四間飛車", 9);
    check_name(GAME_START, "9g9f 3c3d 2g2f 4c4d 2f2e 2b3c 1g1f 8b5b 9f9e 5a6b", "Central Rook", "中飛車", 10);

    CASE("a line says more than a rook and a king, both less than two rooks");
    check_name(GAME_START, "7g7f 3c3d 7f7e 8c8d 2h7h 8d8e 5i4h", "Quick Ishida", "早石田", 5);
    check_name(GAME_START, "7g7f 3c3d 6g6f 3d3e 2h6h 8b3b 5i4h 5a6b", "Double Ranging Rook", "相振り飛車", 8);

    CASE("a way to stand has its name whatever moves led there, for either side");
    check_name(GAME_START, "7g7f 8c8d 6i7h 3c3d 7i6h 9c9d 6h7g 9d9e 6g6f", "Fortress", "矢倉", 9);
    check_name(GAME_START, "9g9f 3c3d 9f9e 4a3b 1g1f 3a4b 1f1e 4b3c 7g7f 4c4d", "Fortress", "矢倉", 10);
    check_name(GAME_START, "2g2f 3c3d 7g7f 4a3b 1g1f 2b8h+ 7i8h 3a2b 8h7g 2b3c", "Bishop Exchange",
               "角換わり", 10);
    check_name(GAME_START, "7g7f 8c8d 2g2f 3c3d 6g6f 8d8e 8h7g 4a3b 7i6h 9c9d 6h6g 9d9e 6i7h 1c1d",
               "Snowroof", "雁木", 13);
    check_name(GAME_START, "2g2f 3c3d 3g3f 9c9d 4g4f 9d9e 3i4h 1c1d 4h4g 1d1e 2i3g 6a5b 2h2i 7a6b 5i4h",
               "Right King", "右玉", 15);
    check_name(GAME_START, "7g7f 9c9d 4g4f 9d9e 3i4h 1c1d 4h4g 1d1e 2h4h 6a5b 5i6h", "Right Fourth File Rook",
               "右四間飛車", 11);

    CASE("a silver that climbs the file of the rook, for either side");
    check_name(GAME_START, "2g2f 3c3d 2f2e 2b3c 3i3h 9c9d 3h2g", "Climbing Silver", "棒銀", 7);
    check_name(GAME_START, "7g7f 8c8d 8h7g 8d8e 9g9f 7a7b 9f9e 7b8c", "Climbing Silver", "棒銀", 8);
}

static void check_castle(const char *sfen, int side, const char *name, const char *name_ja)
{
    Position pos = position_of(sfen), turned;
    Opening castle = {.name = "old"};
    bool has_name = castle_name(&pos, side, &castle);
    CHECK_THAT(has_name == (name[0] != '\0'), "%s: %s", sfen, castle.name);
    CHECK_TEXT(castle.name, name);
    CHECK_TEXT(castle.name_ja, name_ja);
    pos_flip(&pos, &turned);
    castle_name(&turned, !side, &castle);
    CHECK_TEXT(castle.name, name);
}

static void test_castles(void)
{
    CASE("castles of either side");
    check_castle("4k4/9/9/9/9/9/5PPPP/4G1SK1/5GSNL b - 1", 0, "Mino", "美濃囲い");
    check_castle("4k4/9/9/9/9/9/5PPPP/6SK1/5GSNL b - 1", 0, "Half Mino", "片美濃囲い");
    check_castle("4k4/9/9/9/9/9/5GPPP/6SK1/5G1NL b - 1", 0, "High Mino", "高美濃囲い");
    check_castle("4k4/9/9/9/9/9/5G1SP/6GK1/7NL b - 1", 0, "Silver Crown", "銀冠");
    check_castle("4k4/9/9/9/9/9/2SG5/1KG6/9 b - 1", 0, "Gold Fortress", "金矢倉");
    check_castle("4k4/9/9/9/9/9/2SS5/1KG6/9 b - 1", 0, "Silver Fortress", "銀矢倉");
    check_castle("4k4/9/9/9/9/9/2SG5/2KG5/9 b - 1", 0, "Half Fortress", "片矢倉");
    check_castle("4k4/9/9/9/9/9/9/LS6R/KN7 b - 1", 0, "Static Rook Bear-in-the-Hole", "居飛車穴熊");
    check_castle("4k4/9/9/9/9/9/9/2R4SL/7NK b - 1", 0, "Ranging Rook Bear-in-the-Hole", "振り飛車穴熊");
    check_castle("4k4/9/9/9/9/9/9/7SL/6RNK b - 1", 0, "Bear-in-the-Hole", "穴熊");
    check_castle("4k4/9/9/9/9/9/1S7/L8/K8 b - 1", 0, "Silver Crown Bear-in-the-Hole", "銀冠穴熊");
    check_castle("4k4/9/9/9/9/9/9/1KS1G4/3G5 b - 1", 0, "Left Mino", "左美濃");
    check_castle("4k4/9/9/9/9/9/9/1BK1G4/2SG5 b - 1", 0, "Boat", "舟囲い");
    check_castle("4k4/9/9/9/9/9/9/2KS5/2G6 b - 1", 0, "Elmo", "エルモ囲い");
    check_castle("4k4/9/9/9/9/9/9/4GGKS1/9 b - 1", 0, "Gold Pair", "金無双");
    check_castle("4k4/9/9/9/9/9/9/2G2S3/3KG4 b - 1", 0, "Nakahara", "中原囲い");
    check_castle("4k4/9/9/9/9/9/9/2GSG4/3K5 b - 1", 0, "Crab", "カニ囲い");
    check_castle("4k4/9/9/9/9/3P5/3SS4/2G6/4K4 b - 1", 0, "Snowroof", "雁木囲い");
    check_castle("4k4/9/9/9/9/9/5SN2/5K3/7R1 b - 1", 0, "Right King", "右玉");
    check_castle("4k4/9/9/9/9/9/9/2G1K1G2/9 b - 1", 0, "Central House", "中住まい");
    check_castle("4k4/9/9/9/9/9/9/2G1K1S2/5G3 b - 1", 0, "Central House", "中住まい");
    check_castle("4k4/9/9/9/9/9/2N6/9/1K7 b - 1", 0, "Millennium", "ミレニアム囲い");

    check_castle("4k4/9/9/9/9/9/5S3/4G1GK1/9 b - 1", 0, "Kimura Mino", "木村美濃");
    check_castle("4k4/9/9/9/9/9/5S3/4G1SK1/5G3 b - 1", 0, "Diamond Mino", "ダイヤモンド美濃");
    check_castle("4k4/9/9/9/9/9/1K7/2S1G4/3G5 b - 1", 0, "Castle Tower Mino", "天守閣美濃");
    check_castle("4k4/9/9/9/9/9/2SG5/L1G6/K8 b - 1", 0, "Fortress Bear-in-the-Hole", "矢倉穴熊");
    check_castle("4k4/9/9/9/9/9/2NG5/1SG6/1K7 b - 1", 0, "Chrysanthemum Fortress", "菊水矢倉");

    CASE("no castle");
    check_castle(GAME_START, 0, "", "");
    check_castle(GAME_START, 1, "", "");
    check_castle("4k4/9/9/9/9/9/5PPPP/6SK1/6GNL b - 1", 0, "", "");
}

void test_shogi_names(void)
{
    test_lines();
    test_shapes();
    test_castles();
}
