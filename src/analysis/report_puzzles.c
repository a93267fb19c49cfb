// SPDX-License-Identifier: GPL-3.0-or-later
// Positions in which a player missed something clear, as tasks: one a line, with the best move (bm), the mate
// (dm) where there is one, and whose game it is. Such lines are EPD in chess, and SFEN with the same
// operations in shogi; `analyse` solves them, `play --puzzles` asks them.
#include "analysis/analysis.h"
#include "games/notation.h"
#include "session/phrases.h"

// How much better than all others the move must be, and how well it must do, in permille of a win.
enum { PUZZLE_MARGIN = 150, PUZZLE_PEOPLE_MARGIN = 100, PUZZLE_LEAST = 550 };

// Is there one move that a player should have found? The second, deeper look has to say so.
static bool is_puzzle(const AnalysedGame *game, const PositionResult *now, const Position *pos, int ply)
{
    const MoveVerdict *verdict = &game->verdict[ply];
    if (!verdict->is_judged || !game->is_of[pos_side(pos)] || now->earlier == SCORE_NONE || !now->line_nb ||
        !now->other_nb || (verdict->mark != MARK_MISTAKE && verdict->mark != MARK_BLUNDER))
        return false;
    const int sign = pos_side(pos) == 0 ? 1 : -1, other = now->other[0].score;
    const int best = pos_side(pos) == 0 ? verdict->before : 1000 - verdict->before;
    const int margin = sign * (verdict->before - phrase_expectation(other, pos));
    const bool is_mate = score_is_mate(now->score) && now->score > 0;
    // Of two mates the longer one is no mistake.
    if (is_mate && score_is_mate(other) && other > 0)
        return false;
    return best >= PUZZLE_LEAST && margin >= PUZZLE_MARGIN &&
           score_people(now->score, pos) - score_people(other, pos) >= PUZZLE_PEOPLE_MARGIN;
}

// The position without its two counters, which EPD has as operations; a text that has no more than four words
// stays as it is.
static void add_position(const Position *pos, Text *out)
{
    enum { EPD_FIELDS = 4 };
    char text[TEXT_MAX];
    Text operations = {0};
    pos_print(pos, text);
    Span rest = span_of(text), word;
    for (int i = 0; (word = span_word(&rest)).len; i++) {
        if (i < EPD_FIELDS)
            text_add(out, "%s%.*s", i ? " " : "", (int)word.len, word.ptr);
        else
            text_add(&operations, " %s %.*s;", i == EPD_FIELDS ? "hmvc" : "fmvn", (int)word.len, word.ptr);
    }
    text_add_bytes(out, operations.ptr ? operations.ptr : "", operations.len);
    text_free(&operations);
}

// A text in quotes, in which there may be neither quotes nor semicolons.
static void add_quoted(const char *name, const Text *value, Text *out)
{
    text_add(out, " %s \"", name);
    for (size_t i = 0; i < value->len; i++) {
        const char c = value->ptr[i];
        text_add_bytes(out, c == '"' || c == ';' || (u8)c < ' ' ? " " : &value->ptr[i], 1);
    }
    text_add(out, "\";");
}

static void add_puzzle(const AnalysedGame *game, const PositionResult *now, const Position *pos, int ply,
                       Text *out)
{
    char move[64], number[24];
    Text words = {0};
    const char *first = record_tag(&game->record, phrase_side(0)),
               *second = record_tag(&game->record, phrase_side(1));
    add_position(pos, out);
    move_print_human(pos, now->line[0], move);
    text_add(out, " bm %s;", move);
    if (score_is_mate(now->score) && now->score > 0)
        text_add(out, " dm %d;", (score_mate_plies(now->score) + 1) / 2);
    move_number_print(pos, number, sizeof number);
    move_print_human(pos, game->record.move[ply].move, move);
    text_add(&words, "%s - %s, game %d, %s%s was played", first ? first : "?", second ? second : "?",
             game->number, number, move);
    add_quoted("id", &words, out);
    text_clear(&words);
    line_print_from(pos, now->line, now->line_nb, LINE_NUMBERED, &words);
    add_quoted("c0", &words, out);
    text_add(out, "\n");
    text_free(&words);
}

void report_puzzles(const Analysis *analysis, Text *out)
{
    for (int i = 0; i < analysis->game_nb && analysis_goes_on(analysis, i); i++) {
        const AnalysedGame *game = &analysis->game[i];
        Position pos = game->record.start;
        for (int ply = 0; ply < game->record.move_nb && !game->is_skipped; ply++) {
            if (ply >= game->first_ply) {
                const PositionResult *now = analysis_result(analysis, game, ply);
                if (is_puzzle(game, now, &pos, ply))
                    add_puzzle(game, now, &pos, ply, out);
            }
            pos = pos_after(&pos, game->record.move[ply].move);
        }
    }
}
