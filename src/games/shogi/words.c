// SPDX-License-Identifier: GPL-3.0-or-later
// The USI dialect: shogi's protocol words, option names (never with a space in them), and the positions of
// bench and demo. Black moves first, so side 0 has btime. Delays default to what a program on
// the same machine needs; docs/usage.md tells what to set for games over a server.
#include "games/words.h"

#include "bitboard.h"
#include "notation.h"

enum { MAX_MOVES_LIMIT = 30000 };

static void apply_entering_king(Rules *rules, i64 value) { rules->entering_king = (EnteringKing)value; }

static i64 read_entering_king(const Rules *rules) { return rules->entering_king; }

static void apply_max_moves(Rules *rules, i64 value) { rules->max_moves_to_draw = (int)value; }

static i64 read_max_moves(const Rules *rules) { return rules->max_moves_to_draw; }

static void apply_generate_all(Rules *rules, i64 value) { rules->generate_all = value != 0; }

static i64 read_generate_all(const Rules *rules) { return rules->generate_all; }

static int square_at(int row, int column) { return sq_make(8 - column, row); }

static void square_name(int sq, char out[4]) { *square_print(sq, out) = '\0'; }

static bool is_checker(const Position *pos, int sq) { return bb_has(pos->state.checkers, sq); }

static void piece_print(const Position *pos, int sq, char out[4])
{
    int piece = pos->board[sq], kind = piece_kind(piece);
    if (kind > KING)
        *out++ = '+';
    if (piece)
        *out++ = (char)(KIND_LETTERS[kind_raw(kind)] + (piece_side(piece) == WHITE ? 'a' - 'A' : 0));
    *out = '\0';
}

static int count_in_hand(const Position *pos, int side, int index, char out[4])
{
    const int kind = PAWN + index;
    if (kind >= HAND_KIND_NB)
        return -1;
    *out++ = KIND_LETTERS[kind];
    *out = '\0';
    return hand_count(pos->hand[side], kind);
}

// In the order of EnteringKing.
static const char *const ENTERING_KING_RULES[] = {"NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27",
                                                  "CSARule27H",     "TryRule",   NULL};
static_assert(sizeof ENTERING_KING_RULES / sizeof ENTERING_KING_RULES[0] == ENTERING_KING_NB + 1,
              "a name for each rule");

static const RuleOption RULE_OPTIONS[] = {
    {.name = "EnteringKingRule",
     .type = OPTION_COMBO,
     .def = ENTERING_KING_CSA27,
     .max = ENTERING_KING_NB - 1,
     .choice = ENTERING_KING_RULES,
     .apply = apply_entering_king,
     .read = read_entering_king},
    {.name = "MaxMovesToDraw",
     .type = OPTION_SPIN,
     .max = MAX_MOVES_LIMIT,
     .apply = apply_max_moves,
     .read = read_max_moves},
    {.name = "GenerateAllLegalMoves",
     .type = OPTION_CHECK,
     .max = 1,
     .apply = apply_generate_all,
     .read = read_generate_all},
};

// Openings, attacks with full hands, kings in flight, endings, mates and an entered king: every part of the
// search has something to do. Changing this list changes the signature of every later version.
static const char *const BENCH[] = {
    GAME_START,
    "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "l2g5/2s3g2/3k1p2p/P2pp2P1/1pP4s1/p1+B6/NP1P+nPS1P/K1G4+p1/L6NL b RBGNLPrs3p 1",
    "ln7/2gk1S+S2/2+rpPp2G/2p5p/PP4P2/3B4P/K1SP3PN/1Sg2P+np1/L+r6L w L2Pbgn3p 1",
    "lng3sn1/3k3b1/rppps2gl/4ppp1p/P6p1/1BGPPPP1P/1PPS1SNR1/9/+pN1GK3L b Lp 69",
    "lnsg4l/1r1kg2s1/pppp1pb1p/4p2N1/3P2p1L/2P1PP1P1/PP3GP2/1S1K2G1R/LN4SN1 b BPp 41",
    "ln1g2s1l/1r1s2k2/ppp1pp1pp/7P1/9/1B3Pn1P/1PPP1KN2/P2S2g1L/LN1G1G2S w Rb4p 64",
    "1n2skb2/ls7/p3g1pp1/3pppg2/Pl+S3P2/2P1PP3/1pNP2KP1/LL1G3R1/2B2GN1+r w SN2P2p 100",
    "3gks1nl/l3g4/psnp1pppp/1p5r1/2S6/PP5PP/2NPPPPR1/4G1G1L/L3K1SN1 b BPb2p 47",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1",
    "4gg1n1/2s2k1s1/+Pp1npp1pl/p5p1p/5ng2/1b2P1P2/+r2P1P1PP/5SGRL/2K1S2NL w LPb3p 92",
    "lnsk3n1/r3g1s1l/2pp3p1/ppg1ppp1p/6bN1/P3PPP1P/LPPP1K1P1/1B4G1R/1NSG2S1L w - 40",
    "1n2k2nl/lrs1g4/p3pps1p/1pp5g/P5pPP/2Pp1P3/LP2P1P2/2SGG2R1/1N2KSbNL b BPp 51",
    "ln2kgsn1/3rg2b1/psp1pppp1/8l/P2p4p/1PPB5/1GSPPPPPP/5K3/LN2RGSNL b P 31",
    "l2gk1b2/r1s1gs3/2n1p1n+Rl/1ppp1p3/p5p1p/2PP5/PP2PPP1P/LBSGGS3/1N1K3NL b Pp 45",
    "3k1+S1+Ln/P2gg1+B2/2spppp1s/g+r4npp/6K2/4PPP1P/6GPN/5+b3/3+lr3L w SN2Pl4p 140",
    "3g3+B1/l1+R1s4/sppp4+B/p5pp1/1P1P2k1p/PSPKG3P/L1N3G1N/2G1P3L/7NS b RNl5p 147",
    "3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1",
    "ln1B5/1k2+Ln+R1+R/p1p5p/1ps1pG1p1/6S2/2PK5/PP5+bP/9/LN3GG1L b G2SN8P 145",
    "Sn5nl/lp1+Rp2g1/1k5b1/ps4s2/4s1p1P/P1P2P3/1G2P1P2/1G4KPL/L6N1 b RGN7Pb 155",
    "+R5s1l/6g2/1+P1pppk1p/6pp1/P8/2P+b4P/3n1P1P1/L2G2G2/3K2SNL w RBN2Pg2snl4p 100",
    "l+R1r5/1n6l/pk4+B1g/g1p5p/8n/1PP1P1S2/P1SP1P2P/L3K4/1N1G4L b G2SN8Pb 89",
    "1n7/7g1/l2ksg+Pp1/p1lppp3/7P1/3PPP2G/P3S2KR/+p+r5G1/4b1+ss1 w B2NL2Pnl4p 126",
    "l+R7/1n1r4l/pk3+B+B1g/g1p5p/8n/1PP1P1S2/P1SP1P2P/L3K4/1N1G4L b G2SN8P 87",
    "ln6+R/3r4l/pk3+B+B1g/g1p5p/8n/1PP1P1S2/P1SP1P2P/L3K4/1N1G4L b G2S8Pn 85",
    "ln7/1ks3+R1+R/p1ps4p/1p2LG1p1/3Pp1S2/2P6/PP1K3+bP/5G3/LN2+bSG1L b GN7Pn 127",
    "1+R5+B1/l1rgs4/sppp4+B/p5pp1/1P1P3kp/PSPKG1g1P/L1N4P1/2G1P3L/7NS b 2NL4p 137",
    "4k4/9/p1p1p1p1p/1+p5+p1/9/1+P5+P1/P1P1P1P1P/9/4K4 b 2P2p 1",
    "4k4/1P1L3S1/2B3R2/4N4/9/4n4/2r3b2/1s3l1p1/4K4 b - 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    NULL,
};

const ProtocolWords PROTOCOL_WORDS = {
    .protocol = "USI",
    .hello = "usi",
    .hello_ok = "usiok",
    .new_game = "usinewgame",
    .ready_before_new_game = true,
    .game_over = "gameover",
    .position = "sfen",
    .position_title = "Sfen",
    .time = {"btime", "wtime"},
    .inc = {"binc", "winc"},
    .byoyomi = "byoyomi",
    .move_time_alias = "rtime",
    .pass = "0000",
    .pass_alias = "pass",
    .no_move = "resign",
    .resign = "resign",
    .win = "win",
    .mated = "mate -0",
    .file_type = "filename",
    .multi_pv_alias = "USI_MultiPV",
    .mate_in_plies = true,
    .mate_is_solver = true,
    .option =
        {
            [ROLE_HASH] = {"USI_Hash", "Hash", 16},
            [ROLE_CLEAR_HASH] = {"ClearHash", NULL, 0},
            [ROLE_PONDER] = {"USI_Ponder", "Ponder", 0},
            [ROLE_OVERHEAD] = {"NetworkDelay", NULL, 3},
            [ROLE_OVERHEAD_MAX] = {"NetworkDelay2", NULL, 12},
            [ROLE_MIN_THINK] = {"MinimumThinkingTime", NULL, 0},
            [ROLE_ROUND_SECOND] = {"RoundUpToFullSecond", NULL, 0},
            [ROLE_NODE_TIME] = {"nodestime", NULL, 0},
            [ROLE_ANALYSE] = {"USI_AnalyseMode", "ConsiderationMode", 0},
            [ROLE_SHOW_WDL] = {"USI_ShowWDL", NULL, 0},
            [ROLE_LIMIT_STRENGTH] = {"USI_LimitStrength", NULL, 0},
            [ROLE_ELO] = {"USI_Elo", NULL, 0},
            [ROLE_OWN_BOOK] = {"USI_OwnBook", NULL, 0},
            [ROLE_BOOK_FILE] = {"BookFile", NULL, 0},
            [ROLE_BOOK_DEPTH] = {"BookMoves", NULL, 255},
            [ROLE_BOOK_VARIETY] = {"BookVariety", NULL, 100},
            [ROLE_RESIGN] = {"ResignValue", NULL, 99999},
            [ROLE_DRAW_FIRST] = {"DrawValueBlack", NULL, 0},
            [ROLE_DRAW_SECOND] = {"DrawValueWhite", NULL, 0},
            [ROLE_PV_INTERVAL] = {"PvInterval", NULL, 0},
            [ROLE_DEPTH_LIMIT] = {"DepthLimit", NULL, 0},
            [ROLE_NODES_LIMIT] = {"NodesLimit", NULL, 0},
        },
    .rule_option = RULE_OPTIONS,
    .rule_option_nb = sizeof RULE_OPTIONS / sizeof RULE_OPTIONS[0],
    .square_at = square_at,
    .square_print = square_name,
    .is_checker = is_checker,
    .piece_print = piece_print,
    .hand_count = count_in_hand,
    .bench = BENCH,
    .bench_depth = 11,
    .demo = "lng3sn1/3k3b1/rppps2gl/4ppp1p/P6p1/1BGPPPP1P/1PPS1SNR1/9/+pN1GK3L b Lp 69",
    .demo_about = "Black to move, a lance in hand. The white rook on the edge has not many squares.",
    .guis = "ShogiHome, Shogidokoro, ShogiGUI, XBoard (through an adapter)",
};
