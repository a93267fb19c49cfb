// SPDX-License-Identifier: GPL-3.0-or-later
// See writer.h: info, bestmove, checkmate, threat.
#include "protocol/writer.h"

#include "games/notation.h"
#include "games/words.h"

void write_note(const char *text, Text *out) { text_add(out, "info string %s\n", text); }

// "cp 31", "mate -2".
static void print_score(int score, const Position *pos, Text *out)
{
    if (score_is_mate(score))
        text_add(out, "mate %d", words_mate_shown(score_mate_plies(score)));
    else
        text_add(out, "cp %d", score_shown(score, pos));
}

void write_line(const Game *game, const SearchLine *line, bool show_wdl, Text *out)
{
    text_add(out, "info depth %d seldepth %d multipv %d score ", line->depth, line->seldepth, line->multi_pv);
    print_score(line->score, &game->pos, out);
    if (line->bound == BOUND_LOWER || line->bound == BOUND_UPPER)
        text_add(out, " %s", line->bound == BOUND_LOWER ? "lowerbound" : "upperbound");
    if (show_wdl) {
        Wdl wdl = score_wdl(line->score, &game->pos);
        text_add(out, " wdl %d %d %d", wdl.win, wdl.draw, wdl.loss);
    }
    i64 time_ms = max_i64(line->time_ms, 0);
    text_add(out, " nodes %llu nps %llu hashfull %d tbhits %llu time %lld", (unsigned long long)line->nodes,
             (unsigned long long)(line->nodes * 1000 / (u64)max_i64(time_ms, 1)), line->hash_permille,
             (unsigned long long)line->tb_hits, (long long)time_ms);
    if (line->pv_nb) {
        text_add(out, " pv ");
        line_print(game, line->pv, line->pv_nb, (LineStyle){0}, out);
    }
    text_add(out, "\n");
}

void write_root_move(const Game *game, int depth, Move move, int number, Text *out)
{
    char text[MOVE_TEXT_MAX];
    move_print(&game->pos, move, text);
    text_add(out, "info depth %d currmove %s currmovenumber %d\n", depth, text, number);
}

void write_known(const Game *game, const KnownLine *line, Text *out)
{
    char text[MOVE_TEXT_MAX];
    text_add(out, "info depth %d score ", line->depth);
    if (line->is_mated)
        text_add(out, "%s", PROTOCOL_WORDS.mated);
    else
        text_add(out, "cp %d", line->centipawns);
    if (line->move != MOVE_NONE) {
        move_print(&game->pos, line->move, text);
        text_add(out, " pv %s", text);
    }
    text_add(out, "\n");
}

static void write_mate(const Game *game, const Answer *answer, Text *out)
{
    text_add(out, "checkmate ");
    if (answer->mate == MATE_FOUND)
        line_print_from(&game->pos, answer->mate_line, answer->mate_line_nb, (LineStyle){0}, out);
    else
        text_add(out, "%s", answer_mate_word(answer->mate));
    text_add(out, "\n");
}

void write_answer(const Game *game, const Answer *answer, Text *out)
{
    char move[MOVE_TEXT_MAX], ponder[MOVE_TEXT_MAX];
    if (answer->kind == ANSWER_MATE) {
        write_mate(game, answer, out);
        return;
    }
    answer_print(game, answer, move);
    bool has_ponder = answer_print_ponder(game, answer, ponder);
    text_add(out, "bestmove %s%s%s\n", move, has_ponder ? " ponder " : "", has_ponder ? ponder : "");
}

void write_threat(const Game *game, Move move, int score, Text *out)
{
    char text[MOVE_TEXT_MAX];
    if (move == MOVE_NONE) {
        text_add(out, "threat %s\n", PROTOCOL_WORDS.no_move);
        return;
    }
    move_print(&game->pos, move, text);
    text_add(out, "threat %s score ", text);
    print_score(score, &game->pos, out);
    text_add(out, "\n");
}
