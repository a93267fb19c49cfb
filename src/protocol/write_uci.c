// SPDX-License-Identifier: GPL-3.0-or-later
// What a session tells, in the words of UCI and USI: info, bestmove, checkmate, threat.
#include "games/notation.h"
#include "games/words.h"
#include "protocol/writer.h"

static void uci_note(const char *text, Text *out) { text_add(out, "info string %s\n", text); }

// "cp 31", "mate -2".
static void uci_score(int score, const Position *pos, Text *out)
{
    if (score_is_mate(score))
        text_add(out, "mate %d", words_mate_shown(score_mate_plies(score)));
    else
        text_add(out, "cp %d", score_shown(score, pos));
}

static void uci_line(const Game *game, const SearchLine *line, bool show_wdl, Text *out)
{
    text_add(out, "info depth %d seldepth %d multipv %d score ", line->depth, line->seldepth, line->multi_pv);
    uci_score(line->score, &game->pos, out);
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

static void uci_root_move(int depth, const char *move, int number, Text *out)
{
    text_add(out, "info depth %d currmove %s currmovenumber %d\n", depth, move, number);
}

static void uci_known(const KnownLine *line, const char *move, Text *out)
{
    text_add(out, "info depth %d score ", line->depth);
    if (line->is_mated)
        text_add(out, "%s", PROTOCOL_WORDS.mated);
    else
        text_add(out, "cp %d", line->centipawns);
    text_add(out, "%s%s\n", move ? " pv " : "", move ? move : "");
}

static void uci_mate(const Game *game, const Answer *answer, Text *out)
{
    text_add(out, "checkmate ");
    if (answer->mate == MATE_FOUND)
        line_print_from(&game->pos, answer->mate_line, answer->mate_line_nb, (LineStyle){0}, out);
    else
        text_add(out, "%s", answer_mate_word(answer->mate));
    text_add(out, "\n");
}

static void uci_best(const char *move, const char *ponder, Text *out)
{
    text_add(out, "bestmove %s%s%s\n", move, ponder ? " ponder " : "", ponder ? ponder : "");
}

static void uci_threat(const char *move, const Position *pos, int score, Text *out)
{
    text_add(out, "threat %s", move);
    if (pos) {
        text_add(out, " score ");
        uci_score(score, pos, out);
    }
    text_add(out, "\n");
}

const Writer WRITE_UCI = {
    .note = uci_note,
    .line = uci_line,
    .root_move = uci_root_move,
    .known = uci_known,
    .best = uci_best,
    .mate = uci_mate,
    .threat = uci_threat,
};
