// SPDX-License-Identifier: GPL-3.0-or-later
// What is hard to see in shogi, and what people like in the opening.
#include "helpers.h"

static int obscurity(const char *sfen, const char *move)
{
    const Position pos = position_of(sfen);
    return move_obscurity(&pos, move_parse(&pos, span_of(move)));
}

static int manner(const char *sfen, const char *move, u64 lot)
{
    const Position pos = position_of(sfen);
    return move_manner(&pos, move_parse(&pos, span_of(move)), lot);
}

static void check_obscurity(void)
{
    CASE("shogi: drops far from the king, backward and long moves are harder to see; captures and checks "
         "easier");
    static const char OPEN[] = "4k4/9/9/9/4B4/4S4/9/4R4/4K4 b GN 1";
    CHECK(obscurity(OPEN, "G*1h") > obscurity(OPEN, "G*4c"));
    CHECK(obscurity(OPEN, "G*5b") < obscurity(OPEN, "G*4c"));
    CHECK(obscurity(OPEN, "5f4g") > obscurity(OPEN, "5f4e"));
    CHECK(obscurity(OPEN, "5e1a") > obscurity(OPEN, "5e4d"));
    static const char TAKES[] = "4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1";
    CHECK(obscurity(TAKES, "5f5e") < obscurity("4k4/9/9/9/9/4P4/9/9/4K4 b - 1", "5f5e"));
    static const char HIDDEN[] = "4k4/9/9/9/4S4/9/9/4R4/4K4 b - 1";
    CHECK(obscurity(HIDDEN, "5e4d") > obscurity("4k4/9/9/9/4S4/9/9/3R5/4K4 b - 1", "5e4d"));
}

static void check_manners(void)
{
    CASE("shogi: the king and his guards go where a castle is, away from a rook that has left its home");
    for (u64 lot = 0; lot < 4; lot++) {
        CHECK(manner(GAME_START, "5i6h", lot) > 0 && manner(GAME_START, "5i4h", lot) < 0);
        static const char RANGING[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1BR6/LNSGKGSNL b - 1";
        CHECK(manner(RANGING, "5i4h", lot) > 0 && manner(RANGING, "5i6h", lot) < 0);
        CHECK(manner(GAME_START, "9g9f", lot) < 0);
        CHECK_INT(manner(GAME_START, "2g2f", lot), 0);
    }
    CASE("shogi: both sides build alike, and later manners say nothing");
    CHECK(manner("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", "5a4b", 0) > 0);
    CHECK_INT(manner("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 101", "5i6h", 0), 0);
}

void test_manners(void)
{
    check_obscurity();
    check_manners();
}
