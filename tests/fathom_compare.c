// SPDX-License-Identifier: GPL-3.0-or-later
// Our reader of endgame tables against libfathom on random positions of three and four men and the positions
// a few random moves later (en passant included): result, distance, and the rank of every root move. Not part
// of the test programs, since it needs the library and the tables: scripts/compare-fathom.sh builds and runs
// it.
//   fathom_compare FOLDER [positions [seed]]; with "epd" behind it, prints what libfathom says about each
//   position instead.
#include <stdlib.h>
#include <tbprobe.h>

#include "game.h"
#include "tablebase.h"

enum { OUR_RANK_MAX = 1 << 18, THEIR_RANK_MAX = 1000 };

// The arguments that every call of the library begins with.
#define MEN(pos)                                                                               \
    (pos)->by_side[WHITE], (pos)->by_side[BLACK], (pos)->by_kind[KING], (pos)->by_kind[QUEEN], \
        (pos)->by_kind[ROOK], (pos)->by_kind[BISHOP], (pos)->by_kind[KNIGHT], (pos)->by_kind[PAWN]

static unsigned ep_of(const Position *pos) { return pos->en_passant < SQUARE_NB ? pos->en_passant : 0; }

// Puts the men of a board of 64 letters ('1' is empty) into a position.
static bool set_board(const char *board, char side, u32 clock, Position *pos)
{
    char text[128];
    int n = 0;
    for (int rank = 7; rank >= 0; rank--) {
        memcpy(text + n, board + 8 * rank, 8);
        n += 8;
        text[n++] = rank ? '/' : ' ';
    }
    snprintf(text + n, sizeof text - (size_t)n, "%c - - %u 90", side, clock);
    Rules rules = rules_default();
    return pos_set(pos, span_of(text), &rules, NULL) == SET_OK;
}

static bool random_position(Rng *rng, Position *pos)
{
    static const char LETTERS[] = "PNBRQpnbrq";
    char board[64];
    memset(board, '1', sizeof board);
    int men = rng_below(rng, 10) ? 4 : 3;
    for (int i = 0; i < men; i++) {
        u32 sq = rng_below(rng, 64);
        if (board[sq] != '1')
            return false;
        board[sq] = i == 0 ? 'K' : i == 1 ? 'k' : LETTERS[rng_below(rng, 10)];
    }
    return set_board(board, rng_below(rng, 2) ? 'w' : 'b', rng_below(rng, 2) ? 0 : rng_below(rng, 95), pos);
}

// A pawn has just passed another one: en passant, where it is legal.
static bool random_en_passant(Rng *rng, Position *pos)
{
    char board[64];
    memset(board, '1', sizeof board);
    u32 file = rng_below(rng, 8), beside = file + (rng_below(rng, 2) ? 1 : (u32)-1),
        kings[2] = {rng_below(rng, 64), rng_below(rng, 64)};
    bool white = rng_below(rng, 2);
    if (beside > 7)
        return false;
    u32 origin = (white ? 8 : 48) + file, target = (white ? 24 : 32) + file;
    board[origin] = white ? 'P' : 'p';
    board[(white ? 24 : 32) + beside] = white ? 'p' : 'P';
    if (kings[0] == kings[1] || board[kings[0]] != '1' || board[kings[1]] != '1')
        return false;
    board[kings[0]] = 'K', board[kings[1]] = 'k';
    if (!set_board(board, white ? 'w' : 'b', 0, pos))
        return false;
    char push[8] = {(char)('a' + file), white ? '2' : '7', (char)('a' + file), white ? '4' : '5'};
    Move move = move_parse(pos, span_of(push));
    Undo undo;
    if (board[target] != '1' || !move)
        return false;
    pos_make(pos, move, &undo, NULL);
    return pos->en_passant < SQUARE_NB;
}

static int their_rank(const struct TbRootMoves *moves, Move move)
{
    int promotion = move_is_promotion(move) ? QUEEN - move_promotion_kind(move) + 1 : 0;
    for (unsigned i = 0; i < moves->size; i++) {
        TbMove m = moves->moves[i].move;
        if ((int)TB_MOVE_FROM(m) == move_from(move) && (int)TB_MOVE_TO(m) == move_to(move) &&
            (int)TB_MOVE_PROMOTES(m) == promotion)
            return moves->moves[i].tbRank;
    }
    return 9999;
}

static bool same_ranks(const Tablebase *tables, const Position *pos, Text *why)
{
    static struct TbRootMoves theirs;
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    int ranks[MAX_MOVES];
    TbResult result;
    KeyHistory keys = {0};
    if (end == list)
        return true;
    bool found = tb_rank_root(tables, pos, &keys, true, list, (int)(end - list), ranks, &result);
    int ok =
        tb_probe_root_dtz(MEN(pos), pos->rule50, 0, ep_of(pos), pos->side == WHITE, false, true, &theirs);
    if (!found || !ok || theirs.size != (unsigned)(end - list)) {
        text_add(why, "ranking: ours %d, theirs %d", found, ok);
        return false;
    }
    for (int i = 0; i < end - list; i++) {
        int ours = ranks[i] > 0   ? THEIR_RANK_MAX - (OUR_RANK_MAX - ranks[i])
                   : ranks[i] < 0 ? -THEIR_RANK_MAX + (OUR_RANK_MAX + ranks[i])
                                  : 0;
        char move[MOVE_TEXT_MAX];
        move_print(pos, list[i], move);
        if (ours > 900 && ours < THEIR_RANK_MAX)
            ours = THEIR_RANK_MAX; // we begin to count before the edge
        if (ours != their_rank(&theirs, list[i])) {
            text_add(why, "%s: rank %d, theirs %d", move, ours, their_rank(&theirs, list[i]));
            return false;
        }
    }
    return true;
}

static bool same_answers(const Tablebase *tables, const Position *pos, bool print, Text *why)
{
    unsigned wdl = tb_probe_wdl(MEN(pos), 0, 0, ep_of(pos), pos->side == WHITE);
    TbResult ours = tb_probe(tables, pos);
    unsigned root = tb_probe_root(MEN(pos), 0, 0, ep_of(pos), pos->side == WHITE, NULL);
    int distance = 0;
    bool ended = root == TB_RESULT_CHECKMATE || root == TB_RESULT_STALEMATE;
    if (wdl == TB_RESULT_FAILED || root == TB_RESULT_FAILED || ours != (TbResult)((int)wdl - 2)) {
        text_add(why, "result %d, theirs %d", ours, (int)wdl - 2);
        return false;
    }
    if (!tb_probe_distance(tables, pos, &distance) || (!ended && abs(distance) != (int)TB_GET_DTZ(root))) {
        text_add(why, "distance %d, theirs %d", distance, (int)TB_GET_DTZ(root));
        return false;
    }
    if (print) {
        char fen[TEXT_MAX];
        pos_print(pos, fen);
        printf("%s wdl %d; dtz %d;\n", fen, (int)wdl - 2,
               ended     ? distance
               : wdl < 2 ? -(int)TB_GET_DTZ(root)
                         : (int)TB_GET_DTZ(root));
    }
    return same_ranks(tables, pos, why);
}

int main(int argc, char **argv)
{
    Message message = {""};
    if (argc < 2)
        return 2;
    game_init();
    Tablebase *tables = tb_open(argv[1], &message);
    if (!tables || !tb_init(argv[1])) {
        fprintf(stderr, "%s\n", message.text);
        return 2;
    }
    int wanted = argc > 2 ? atoi(argv[2]) : 100000, seen = 0, different = 0, en_passant = 0;
    Rng rng = {argc > 3 ? (u64)atoi(argv[3]) : 1};
    bool print = argc > 4;
    while (seen < wanted) {
        Position pos;
        if (!(rng_below(&rng, 4) ? random_position(&rng, &pos) : random_en_passant(&rng, &pos)))
            continue;
        for (int ply = 0; ply < 4 && seen < wanted && pos_men(&pos) > 2; ply++) {
            Text why = {0};
            seen++;
            en_passant += pos.en_passant < SQUARE_NB;
            if (!same_answers(tables, &pos, print, &why)) {
                char fen[TEXT_MAX];
                pos_print(&pos, fen);
                if (different++ < 20)
                    printf("%s: %s\n", fen, why.ptr ? why.ptr : "");
            }
            text_free(&why);
            Move list[MAX_MOVES], *end = gen_all(&pos, list);
            if (end == list)
                break;
            Undo undo;
            pos_make(&pos, list[rng_below(&rng, (u32)(end - list))], &undo, NULL);
        }
    }
    if (!print)
        printf("%d positions of up to %d men (%d with en passant): %d differ\n", seen, tb_men(tables),
               en_passant, different);
    tb_close(tables);
    return different != 0;
}
