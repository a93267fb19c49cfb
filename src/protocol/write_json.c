// SPDX-License-Identifier: GPL-3.0-or-later
// What a session tells as JSON, one object a line: its `type` says what it is.
#include "base/json.h"
#include "games/notation.h"
#include "games/words.h"
#include "protocol/writer.h"

static void json_note(const char *text, Text *out)
{
    text_add(out, "{\"type\":\"string\",\"text\":");
    text_add_json(out, span_of(text));
    text_add(out, "}\n");
}

// "cp":31 or "mate":-2.
static void json_score(int score, const Position *pos, Text *out)
{
    if (score_is_mate(score))
        text_add(out, "\"mate\":%d", words_mate_shown(score_mate_plies(score)));
    else
        text_add(out, "\"cp\":%d", score_shown(score, pos));
}

static void json_line(const Game *game, const SearchLine *line, bool show_wdl, Text *out)
{
    (void)show_wdl; // always shown: whoever reads JSON takes what is wanted
    text_add(out, "{\"type\":\"info\",\"depth\":%d,\"seldepth\":%d,\"multipv\":%d,\"score\":{", line->depth,
             line->seldepth, line->multi_pv);
    json_score(line->score, &game->pos, out);
    if (line->bound == BOUND_LOWER || line->bound == BOUND_UPPER)
        text_add(out, ",\"bound\":\"%s\"", line->bound == BOUND_LOWER ? "lowerbound" : "upperbound");
    Wdl wdl = score_wdl(line->score, &game->pos);
    i64 time_ms = max_i64(line->time_ms, 0);
    text_add(out,
             "},\"wdl\":[%d,%d,%d],\"nodes\":%llu,\"nps\":%llu,\"hashfull\":%d,\"tbhits\":%llu,\"time\":%lld,"
             "\"pv\":[",
             wdl.win, wdl.draw, wdl.loss, (unsigned long long)line->nodes,
             (unsigned long long)(line->nodes * 1000 / (u64)max_i64(time_ms, 1)), line->hash_permille,
             (unsigned long long)line->tb_hits, (long long)time_ms);
    line_print(game, line->pv, line->pv_nb, (LineStyle){.is_json = true}, out);
    text_add(out, "]}\n");
}

static void json_root_move(int depth, const char *move, int number, Text *out)
{
    text_add(out, "{\"type\":\"current\",\"depth\":%d,\"move\":\"%s\",\"number\":%d}\n", depth, move, number);
}

static void json_known(const KnownLine *line, const char *move, Text *out)
{
    Span number = span_of(PROTOCOL_WORDS.mated);
    span_word(&number); // mate
    text_add(out, "{\"type\":\"info\",\"depth\":%d,\"score\":{", line->depth);
    if (line->is_mated)
        text_add(out, "\"mate\":%s", span_trim(number).ptr);
    else
        text_add(out, "\"cp\":%d", line->centipawns);
    text_add(out, "},\"pv\":[");
    if (move)
        text_add(out, "\"%s\"", move);
    text_add(out, "]}\n");
}

static void json_mate(const Game *game, const Answer *answer, Text *out)
{
    text_add(out, "{\"type\":\"checkmate\",\"moves\":[");
    line_print_from(&game->pos, answer->mate_line, answer->mate_line_nb, (LineStyle){.is_json = true}, out);
    text_add(out, "],\"answer\":\"%s\"}\n", answer_mate_word(answer->mate));
}

static void json_best(const char *move, const char *ponder, Text *out)
{
    text_add(out, "{\"type\":\"bestmove\",\"move\":\"%s\"", move);
    if (ponder)
        text_add(out, ",\"ponder\":\"%s\"", ponder);
    text_add(out, "}\n");
}

static void json_threat(const char *move, const Position *pos, int score, Text *out)
{
    text_add(out, "{\"type\":\"threat\",\"move\":\"%s\"", move);
    if (pos) {
        text_add(out, ",\"score\":{");
        json_score(score, pos, out);
        text_add(out, "}");
    }
    text_add(out, "}\n");
}

const Writer WRITE_JSON = {
    .note = json_note,
    .line = json_line,
    .root_move = json_root_move,
    .known = json_known,
    .best = json_best,
    .mate = json_mate,
    .threat = json_threat,
};
