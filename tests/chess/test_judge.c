// SPDX-License-Identifier: GPL-3.0-or-later
// How a move is judged, from results that are made up here: what gets a mark, and where looks that disagree,
// or a draw that nothing changes, get none.
#include "analysis/judge.h"
#include "helpers.h"

#define MIDDLE "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5"
#define ENDING "8/5pk1/6p1/7p/r6P/5KP1/1R3P2/8 w - - 0 40"

// What two looks saw before the move and after it, in centipawns for the mover; NOT_SEEN: there was no
// second.
enum { NOT_SEEN = 9999 };
typedef struct Seen {
    int before, after, earlier_before, earlier_after;
} Seen;

typedef struct Made {
    Position pos;
    RecordMove move;
    PositionResult result[2];
    int index[2];
    AnalysedGame game;
    Analysis analysis;
} Made;

static int score(int centipawns, const Position *pos)
{
    return centipawns == NOT_SEEN ? SCORE_NONE : score_of_shown(centipawns, pos);
}

// A game of one move in place of the best one.
static void make(Made *made, const char *text, const char *move, const char *best, const Seen *seen)
{
    *made = (Made){.pos = position_of(text), .index = {0, 1}};
    made->move.move = move_of(&made->pos, move);
    const Position after = pos_after(&made->pos, made->move.move);
    const int sign = seen->earlier_after == NOT_SEEN ? 1 : -1;
    made->result[0] = (PositionResult){.score = score(seen->before, &made->pos),
                                       .earlier = score(seen->earlier_before, &made->pos),
                                       .second = SCORE_NONE,
                                       .line_nb = 1,
                                       .line = {move_of(&made->pos, best)}};
    made->result[1] = (PositionResult){.score = score(-seen->after, &after),
                                       .earlier = score(sign * seen->earlier_after, &after),
                                       .second = SCORE_NONE,
                                       .line_nb = 1};
    made->game.record.start = made->pos;
    made->game.record.move = &made->move;
    made->game.record.move_nb = 1;
    made->game.result_index = made->index;
    made->analysis.result = made->result;
}

static MoveVerdict judge(const char *text, const char *move, const char *best, Seen seen)
{
    Made made;
    make(&made, text, move, best, &seen);
    return analysis_judge_move(&made.analysis, &made.game, &made.pos, 0);
}

// Which of the two positions are to be looked at again: 1 the first, 2 the second.
static int wanted(const char *text, const char *move, const char *best, int look, Seen seen)
{
    Made made;
    bool is_wanted[2] = {false, false};
    make(&made, text, move, best, &seen);
    judge_doubts(&made.analysis, &made.game, look, is_wanted);
    return is_wanted[0] + 2 * is_wanted[1];
}

static void test_marks(void)
{
    CASE("judge: a middlegame lost by one move is a blunder by every look");
    CHECK_INT(judge(MIDDLE, "f3g5", "e1g1", (Seen){30, -300, 30, -300}).mark, MARK_BLUNDER);
    CHECK_INT(judge(MIDDLE, "f3g5", "e1g1", (Seen){30, -300, NOT_SEEN, NOT_SEEN}).mark, MARK_BLUNDER);
    CASE("judge: the best move gets no mark, whatever comes of it");
    CHECK_INT(judge(MIDDLE, "e1g1", "e1g1", (Seen){30, -300, 30, -300}).mark, MARK_NONE);
    CASE("judge: what only the last look sees is marked lower, or not at all");
    CHECK_INT(judge(MIDDLE, "f3g5", "e1g1", (Seen){30, -300, 30, 30}).mark, MARK_MISTAKE);
    CHECK_INT(judge(MIDDLE, "f3g5", "e1g1", (Seen){20, -110, 20, -110}).mark, MARK_MISTAKE);
    CHECK_INT(judge(MIDDLE, "f3g5", "e1g1", (Seen){20, -110, 20, 20}).mark, MARK_NONE);
    CASE("judge: what a stronger program may still draw gets no mark, though something is lost");
    const MoveVerdict verdict = judge(ENDING, "f3e3", "b2b7", (Seen){40, -40, 40, -40});
    CHECK_INT(verdict.mark, MARK_NONE);
    CHECK_THAT(verdict.loss >= 50 && verdict.people_loss >= 45, "%d, %d", verdict.loss, verdict.people_loss);
    CASE("judge: a mate that is allowed, or missed, is clear whatever the look before saw");
    Made made;
    make(&made, MIDDLE, "f3g5", "e1g1", &(Seen){-90, -90, -90, -90});
    made.result[1].score = SCORE_MATE - 1;
    CHECK_INT(analysis_judge_move(&made.analysis, &made.game, &made.pos, 0).mark, MARK_BLUNDER);
    make(&made, MIDDLE, "f3g5", "e1g1", &(Seen){120, 120, 120, 120});
    made.result[0].score = SCORE_MATE - 1;
    CHECK_INT(analysis_judge_move(&made.analysis, &made.game, &made.pos, 0).mark, MARK_BLUNDER);
    CASE("judge: which of two won positions is better won is nothing either");
    CHECK_INT(judge(MIDDLE, "f3g5", "e1g1", (Seen){900, 500, 900, 500}).mark, MARK_NONE);
}

static void test_looks(void)
{
    CASE("judge: the second look is at what may be marked, before the move and after it");
    CHECK_INT(wanted(MIDDLE, "f3g5", "e1g1", 1, (Seen){30, -300, NOT_SEEN, NOT_SEEN}), 3);
    CHECK_INT(wanted(MIDDLE, "f3g5", "e1g1", 1, (Seen){30, 28, NOT_SEEN, NOT_SEEN}), 0);
    CASE("judge: the third is at what two looks leave in doubt, not at what both see");
    CHECK_INT(wanted(MIDDLE, "f3g5", "e1g1", 2, (Seen){30, -110, 30, 0}), 3);
    CHECK_INT(wanted(MIDDLE, "f3g5", "e1g1", 2, (Seen){30, -300, 30, 20}), 3);
    CHECK_INT(wanted(MIDDLE, "f3g5", "e1g1", 2, (Seen){130, -600, 130, -600}), 0);
    CHECK_INT(wanted(MIDDLE, "f3g5", "e1g1", 2, (Seen){30, 28, 30, 28}), 0);
}

void test_judge(void)
{
    test_marks();
    test_looks();
}
