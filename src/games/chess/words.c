// SPDX-License-Identifier: GPL-3.0-or-later
// The UCI dialect: chess's protocol words, option names, and the positions of bench and demo.
#include "games/words.h"

static void apply_chess960(Rules *rules, i64 value) { rules->chess960 = value != 0; }

static i64 read_chess960(const Rules *rules) { return rules->chess960; }

static int square_at(int row, int column) { return 8 * (7 - row) + column; }

static void square_print(int sq, char out[4])
{
    out[0] = (char)('a' + sq % 8);
    out[1] = (char)('1' + sq / 8);
    out[2] = '\0';
}

static bool is_checker(const Position *pos, int sq) { return pos->checkers >> sq & 1; }

static void piece_print(const Position *pos, int sq, char out[4])
{
    int piece = pos->board[sq];
    out[0] = piece ? "PNBRQKpnbrqk"[piece_kind(piece) - PAWN + 6 * piece_side(piece)] : '\0';
    out[1] = '\0';
}

static const RuleOption RULE_OPTIONS[] = {
    {.name = "UCI_Chess960", .type = OPTION_CHECK, .max = 1, .apply = apply_chess960, .read = read_chess960},
};

// Openings, sharp and quiet middlegames, endings of every kind, mates and fortresses: every part of the
// search has something to do. Changing this list changes the signature of every later version.
static const char *const BENCH[] = {
    GAME_START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp1nppbp/3p1np1/8/2PNP3/2N5/PP2BPPP/R1BQ1RK1 w - - 4 9",
    "rnbqkb1r/5ppp/p1p1p3/1p1nP3/2BP4/1QN2N2/PP3PPP/R1B1K2R w KQkq b6 0 9",
    "r1bqkb1r/3npppp/p2p1n2/8/Pp1pP3/5N2/1PP2PPP/RNBQRBK1 w kq - 0 9",
    "rn1qk2r/1bppbppp/p3p3/1p6/2PPn3/1PN2NP1/P2BPPBP/R2QK2R w KQkq - 7 9",
    "rnbq1rk1/pp4bp/3p1ppn/2pPp3/P3P3/2N2N2/1PP1BPPP/R1BQ1RK1 w - - 0 9",
    "r1b1k2r/pp2nppp/1qn1p3/2bpP2Q/8/2N2N2/PPPB1PPP/R3KB1R w KQkq - 2 9",
    "knbrqbnr/pp4p1/2pppp1p/8/4PP2/P1P5/1P1P2PP/RNBQRBNK w - - 0 15",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1",
    "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1",
    "1r3r2/4q1kp/b1pp2p1/5p2/pPn1N3/6P1/P3PPBP/2QRR1K1 w - - 0 1",
    "r4rk1/1bn2qnp/3p1B1Q/p2P1pP1/1pp5/5N1P/PPB2P2/2KR3R w - - 0 1",
    "b2b1r1k/3R1ppp/4qP2/4p1PQ/4P3/5B2/4N1K1/8 w - - 0 1",
    "q3rn1k/2QR4/pp2pp2/8/P1P5/1P4N1/6n1/6K1 w - - 0 1",
    "1r4k1/7p/5np1/3p3n/8/2NB4/7P/3N1RK1 w - - 0 1",
    "3r2k1/1p3ppp/2pq4/p1n5/P6P/1P6/1PB2QP1/1K2R3 w - - 40 60",
    "8/4p3/p2p4/2pP4/2P1P3/1P4k1/1P1K4/8 w - - 0 1",
    "8/5p2/pk2p3/4P2p/2b1pP1P/P3P2B/8/7K w - - 0 1",
    "8/p1ppk1p1/2n2p2/8/4B3/2P1KPP1/1P5P/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 4 23",
    "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
    "8/6pk/1p6/8/PP3p1p/5P2/4KP1q/3Q4 w - - 0 1",
    "8/3p4/p1bk3p/Pp6/1Kp1PpPp/2P2P1P/2P5/5B2 b - - 0 1",
    "8/1B1k4/8/8/8/8/3KN3/8 w - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "6k1/p3q2p/1nr3pB/8/3Q1P2/6P1/PP5P/3R2K1 b - - 0 1",
    NULL,
};

const ProtocolWords PROTOCOL_WORDS = {
    .protocol = "UCI",
    .hello = "uci",
    .hello_ok = "uciok",
    .new_game = "ucinewgame",
    .position = "fen",
    .position_title = "Fen",
    .time = {"wtime", "btime"},
    .inc = {"winc", "binc"},
    .pass = "0000",
    .no_move = "(none)",
    .mated = "mate 0",
    .file_type = "string",
    .option =
        {
            [ROLE_HASH] = {"Hash", NULL, 16},
            [ROLE_CLEAR_HASH] = {"Clear Hash", NULL, 0},
            [ROLE_PONDER] = {"Ponder", NULL, 0},
            [ROLE_OVERHEAD] = {"Move Overhead", NULL, 10},
            [ROLE_NODE_TIME] = {"nodestime", NULL, 0},
            [ROLE_ANALYSE] = {"UCI_AnalyseMode", NULL, 0},
            [ROLE_SHOW_WDL] = {"UCI_ShowWDL", NULL, 0},
            [ROLE_LIMIT_STRENGTH] = {"UCI_LimitStrength", NULL, 0},
            [ROLE_ELO] = {"UCI_Elo", NULL, 0},
            [ROLE_ABOUT] = {"UCI_EngineAbout", NULL, 0},
            [ROLE_OWN_BOOK] = {"OwnBook", NULL, 0},
            [ROLE_BOOK_FILE] = {"Book File", NULL, 0},
            [ROLE_BOOK_DEPTH] = {"Book Depth", NULL, 255},
            [ROLE_BOOK_VARIETY] = {"Book Variety", NULL, 100},
            [ROLE_TB_PATH] = {"SyzygyPath", NULL, 0},
            [ROLE_TB_DEPTH] = {"SyzygyProbeDepth", NULL, 1},
            [ROLE_TB_MEN] = {"SyzygyProbeLimit", NULL, 7},
            [ROLE_TB_COUNT_LIMIT] = {"Syzygy50MoveRule", NULL, 1},
            [ROLE_DRAW_FIRST] = {"DrawValueWhite", NULL, 0},
            [ROLE_DRAW_SECOND] = {"DrawValueBlack", NULL, 0},
        },
    .rule_option = RULE_OPTIONS,
    .rule_option_nb = sizeof RULE_OPTIONS / sizeof RULE_OPTIONS[0],
    .square_at = square_at,
    .square_print = square_print,
    .is_checker = is_checker,
    .piece_print = piece_print,
    .bench = BENCH,
    .bench_depth = 14,
    .demo = "2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1",
    .demo_about = "White to move. Three heavy pieces look at g7; does that lead anywhere?",
    .guis = "Cute Chess, En Croissant, Arena, BanksiaGUI, PyChess, Lucas Chess",
};
