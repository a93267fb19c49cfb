// SPDX-License-Identifier: GPL-3.0-or-later
// Games with everything a record can hold, by a number: played by a simple player against itself, from the
// even start or from a handicap, with comments, times, bookmarks and variations strewn in, and one of the
// endings behind them. The same number makes the same game, for the suites and for the tools.
#ifndef TWOFOLD_TEST_GAME_MAKER_H
#define TWOFOLD_TEST_GAME_MAKER_H

#include <stdlib.h>

#include "game.h"
#include "games/record.h"
#include "starts.h"

// Takes what is worth most among a few moves drawn by lot.
static inline Move maker_move(const Position *pos, Rng *rng)
{
    Move list[MAX_MOVES], best = MOVE_NONE;
    int nb = (int)(gen_all(pos, list) - list), most = -1000000;
    for (int i = 0; i < 6 && nb; i++) {
        Move move = list[rng_below(rng, (u32)nb)];
        int value = move_gain(pos, move) + (see_ge(pos, move, 0) ? 300 : 0) + (int)rng_below(rng, 100);
        if (value > most)
            most = value, best = move;
    }
    return best;
}

static inline const char *maker_comment(Rng *rng)
{
    static const char *const TEXTS[] = {"好手",
                                        "ここは▲２六歩が普通。\n△３四歩なら互角",
                                        "*印のついた行\n\n空行の後",
                                        "ﾊﾝｶｸ ｶﾀｶﾅ",
                                        "変化：4手 ではない",
                                        "まで と始まる行",
                                        "&しおりではない",
                                        "髙橋・﨑﨑",
                                        " 前後に空白 ",
                                        "#印",
                                        "5 ではじまる",
                                        "+0.35",
                                        "'引用'"};
    return TEXTS[rng_below(rng, sizeof TEXTS / sizeof TEXTS[0])];
}

static inline void maker_decorate(RecordMove *move, Rng *rng)
{
    move->time_ms = rng_below(rng, 3) ? (i32)rng_below(rng, 4000) * 1000 : 0;
    if (rng_below(rng, 6) == 0)
        move->comment = strdup(maker_comment(rng));
    if (rng_below(rng, 30) == 0)
        move->bookmark = strdup("しおり その１");
    if (rng_below(rng, 40) == 0)
        move->mark = (u8)(1 + rng_below(rng, 6));
}

static inline void maker_play(Record *record, int line, int plies, Rng *rng)
{
    int nb;
    record_line_moves(record, line, &nb);
    Position pos = record_line_position(record, line, nb);
    for (int i = 0; i < plies; i++) {
        Move move = maker_move(&pos, rng);
        if (move == MOVE_NONE || !record_add_line_move(record, line, move, NULL))
            return;
        maker_decorate(record_last_move(record, line), rng);
        pos = pos_after(&pos, move);
    }
}

// A variation that begins with another move than the line has there; nothing when there is none.
static inline void maker_branch(Record *record, Rng *rng)
{
    int parent =
            record->line_nb && rng_below(rng, 2) ? (int)rng_below(rng, (u32)record->line_nb) : RECORD_MAIN,
        nb;
    const RecordMove *moves = record_line_moves(record, parent, &nb);
    int ply = (int)rng_below(rng, (u32)nb + 1);
    Move played = ply < nb ? moves[ply].move : MOVE_NONE;
    Position pos = record_line_position(record, parent, ply);
    Move move = maker_move(&pos, rng);
    if (move == MOVE_NONE || move == played || (parent != RECORD_MAIN && ply == 0))
        return;
    for (int i = record_first_line(record, parent, ply); i >= 0; i = record->line[i].next - 1)
        if (record->line[i].move_nb && record->line[i].move[0].move == move)
            return;
    int line = record_add_line(record, parent, ply);
    if (line < 0)
        return;
    record_add_line_move(record, line, move, NULL);
    maker_decorate(record_last_move(record, line), rng);
    maker_play(record, line, (int)rng_below(rng, 6), rng);
    if (rng_below(rng, 3) == 0)
        record->line[line].comment = strdup(maker_comment(rng));
    if (rng_below(rng, 5) == 0)
        record->line[line].ending = strdup(rng_below(rng, 2) ? "投了" : "千日手");
}

static inline void maker_end(Record *record, Rng *rng)
{
    static const struct {
        const char *word;
        Outcome outcome;
        Reason reason;
    } ENDS[] = {{"投了", OUTCOME_LOSS, REASON_NONE},         {"詰み", OUTCOME_LOSS, REASON_MATE},
                {"切れ負け", OUTCOME_LOSS, REASON_TIME},     {"反則負け", OUTCOME_LOSS, REASON_NONE},
                {"反則勝ち", OUTCOME_WIN, REASON_NONE},      {"入玉勝ち", OUTCOME_WIN, REASON_DECLARATION},
                {"千日手", OUTCOME_DRAW, REASON_REPETITION}, {"持将棋", OUTCOME_DRAW, REASON_NONE},
                {"中断", OUTCOME_NONE, REASON_NONE}};
    int end = (int)rng_below(rng, sizeof ENDS / sizeof ENDS[0]);
    Position pos = record_line_position(record, RECORD_MAIN, record->move_nb);
    strcpy(record->result_word, ENDS[end].word);
    record->result = result_of_outcome(ENDS[end].outcome, pos_side(&pos));
    record->reason = ENDS[end].reason;
    record->end_ms = (i32)rng_below(rng, 600) * 1000;
}

// Every tenth game is from a handicap, one after the other.
static inline void maker_make(int number, Record *record)
{
    Rng rng = {0x9E3779B97F4A7C15u * (u64)(number + 1)};
    Rules rules = rules_default();
    char sfen[TEXT_MAX];
    record_free(record);
    handicap_print(number % 10 == 9 ? 1 + number / 10 % (HANDICAP_NB - 1) : 0, sfen);
    pos_set(&record->start, span_of(sfen), &rules, NULL);
    record_add_tag(record, "Black", "先手の人");
    record_add_tag(record, "White", "Twofold");
    record_add_tag(record, "Event", "試験対局");
    record_add_tag(record, "NOTE", "備考の　値");
    if (number % 3 == 0)
        record->comment = strdup(maker_comment(&rng));
    if (number % 7 == 0)
        record->bookmark = strdup("開始局面");
    maker_play(record, RECORD_MAIN, 20 + (int)rng_below(&rng, 120), &rng);
    for (int i = 0; i < 6; i++)
        maker_branch(record, &rng);
    maker_end(record, &rng);
}

#endif
