// SPDX-License-Identifier: GPL-3.0-or-later
// The adjudicator against two rules written plainly, each over all scores of a game so far: the one matches
// always had (so many moves of each side) and the one self-play for training always had (so many plies).
#include <stdlib.h>

#include "arena/adjudicate.h"
#include "test.h"

enum { SEQUENCES = 4000, LENGTH = 120 };

typedef struct Scores {
    int score[LENGTH]; // own view of the side that moved; side 0 makes the even plies
    int nb;
} Scores;

// ---- the rule of matches ------------------------------------------------------------------------
typedef struct MatchRule {
    int win_score, win_moves, draw_score, draw_moves, draw_from_ply, max_plies;
} MatchRule;

// Do the last `moves` moves of a side all have a score in [low, high], each made at `from_ply` or later?
static bool last_moves_within(const Scores *scores, int side, int moves, int low, int high, int from_ply)
{
    for (int i = scores->nb - 1; moves > 0 && i >= 0; i--) {
        if (i % 2 != side)
            continue;
        bool is_told = scores->score[i] != SCORE_NONE;
        if (!is_told || scores->score[i] < low || scores->score[i] > high || i + 1 < from_ply)
            return false;
        moves--;
    }
    return moves == 0;
}

static EndKind plain_match(const MatchRule *rule, const Scores *scores, GameResult *result)
{
    *result = RESULT_DRAW;
    for (int s = 0; s < SIDE_NB && rule->win_moves; s++)
        if (last_moves_within(scores, s, rule->win_moves, rule->win_score, SCORE_MATE, 0) &&
            last_moves_within(scores, !s, rule->win_moves, -SCORE_MATE, -rule->win_score, 0)) {
            *result = result_of_winner(s);
            return END_WIN_SCORE;
        }
    bool is_draw = rule->draw_moves > 0;
    for (int s = 0; s < SIDE_NB; s++)
        is_draw &= last_moves_within(scores, s, rule->draw_moves, -rule->draw_score, rule->draw_score,
                                     rule->draw_from_ply);
    if (is_draw)
        return END_DRAW_SCORE;
    return rule->max_plies && scores->nb >= rule->max_plies ? END_LENGTH : END_NONE;
}

// ---- the rule of self-play ----------------------------------------------------------------------
typedef struct DataRule {
    int win_score, win_plies, draw_score, draw_plies, draw_after, max_plies;
    bool whole_game;
} DataRule;

static EndKind plain_data(const DataRule *rule, const Scores *scores, GameResult *result)
{
    int wins = 0, draws = 0, last = scores->nb - 1;
    int leader = scores->score[last] > 0 ? last % 2 : !(last % 2);
    while (wins <= last && abs(scores->score[last - wins]) >= rule->win_score &&
           (scores->score[last - wins] > 0 ? (last - wins) % 2 : !((last - wins) % 2)) == leader)
        wins++;
    while (draws <= last && abs(scores->score[last - draws]) <= rule->draw_score)
        draws++;
    if (rule->whole_game)
        wins = draws = 0;
    *result = wins >= rule->win_plies ? result_of_winner(leader) : RESULT_DRAW;
    if (wins >= rule->win_plies)
        return END_WIN_SCORE;
    if (draws >= rule->draw_plies && last >= rule->draw_after)
        return END_DRAW_SCORE;
    if (last + 1 >= rule->max_plies)
        return draws >= rule->draw_plies ? END_DRAW_SCORE : END_LENGTH;
    return END_NONE;
}

// ---- games of chance ----------------------------------------------------------------------------
// Mostly long rows of winning, losing and level scores, with a slip now and then.
static int next_score(Rng *rng, int side, int *mood, bool can_be_silent)
{
    if (rng_below(rng, 12) == 0)
        *mood = (int)rng_below(rng, 3) - 1; // who leads
    if (can_be_silent && rng_below(rng, 40) == 0)
        return SCORE_NONE;
    int noise = (int)rng_below(rng, 61) - 30;
    if (rng_below(rng, 20) == 0)
        noise = (int)rng_below(rng, 401) - 200;
    return (side == 0 ? *mood : -*mood) * 100 + noise;
}

// The plain rules as one: `rule` is a MatchRule or a DataRule.
typedef EndKind PlainRule(const void *rule, const Scores *scores, GameResult *result);

static EndKind ask_match(const void *rule, const Scores *scores, GameResult *result)
{
    return plain_match(rule, scores, result);
}

static EndKind ask_data(const void *rule, const Scores *scores, GameResult *result)
{
    return plain_data(rule, scores, result);
}

// The ply at which it ends by our rule is the ply at which it ends by the plain one, in the same way.
static bool agrees(PlainRule *plain, const void *plain_rule, const Adjudication *rule, Rng *rng, int *ended)
{
    Scores scores = {.nb = 0};
    Streak streak = {0};
    int mood = 0;
    while (scores.nb < LENGTH) {
        int side = scores.nb % 2, score = next_score(rng, side, &mood, plain == ask_match);
        scores.score[scores.nb++] = score;
        GameResult result = RESULT_NONE, wanted_result;
        EndKind kind = adjudicate(&streak, rule, side, score, scores.nb, &result);
        EndKind wanted = plain(plain_rule, &scores, &wanted_result);
        if (kind != wanted || (kind != END_NONE && result != wanted_result))
            return false;
        if (kind != END_NONE) {
            ended[kind]++;
            break;
        }
    }
    return true;
}

static void check_ends(const int *ended)
{
    CHECK_THAT(ended[END_WIN_SCORE] > 200 && ended[END_DRAW_SCORE] > 200 && ended[END_LENGTH] > 200,
               "%d wins, %d draws, %d too long", ended[END_WIN_SCORE], ended[END_DRAW_SCORE],
               ended[END_LENGTH]);
}

static void check_matches(void)
{
    CASE("adjudicate: %d games as matches always ended them", SEQUENCES);
    Rng rng = {17};
    int ended[END_LENGTH + 1] = {0}, apart = 0;
    for (int i = 0; i < SEQUENCES; i++) {
        MatchRule plain = {.win_score = 50 + (int)rng_below(&rng, 60),
                           .win_moves = (int)rng_below(&rng, 5),
                           .draw_score = (int)rng_below(&rng, 40),
                           .draw_moves = (int)rng_below(&rng, 5),
                           .draw_from_ply = (int)rng_below(&rng, 60),
                           .max_plies = (int)rng_below(&rng, 3) * 40};
        Adjudication rule = {.win_score = plain.win_score,
                             .win_plies = 2 * plain.win_moves,
                             .draw_score = plain.draw_score,
                             .draw_plies = 2 * plain.draw_moves,
                             .draw_from_ply = plain.draw_from_ply,
                             .max_plies = plain.max_plies};
        apart += !agrees(ask_match, &plain, &rule, &rng, ended);
    }
    CHECK_INT(apart, 0);
    check_ends(ended);
}

static void check_selfplay(void)
{
    CASE("adjudicate: %d games as self-play always ended them", SEQUENCES);
    Rng rng = {18};
    int ended[END_LENGTH + 1] = {0}, apart = 0;
    for (int i = 0; i < SEQUENCES; i++) {
        DataRule plain = {.win_score = 50 + (int)rng_below(&rng, 60),
                          .win_plies = 1 + (int)rng_below(&rng, 9),
                          .draw_score = (int)rng_below(&rng, 41) - 1,
                          .draw_plies = 1 + (int)rng_below(&rng, 9),
                          .draw_after = (int)rng_below(&rng, 60),
                          .max_plies = 20 + (int)rng_below(&rng, 80),
                          .whole_game = rng_below(&rng, 10) == 0};
        Adjudication rule = {.win_score = plain.win_score,
                             .win_plies = plain.whole_game ? 0 : plain.win_plies,
                             .draw_score = plain.draw_score,
                             .draw_plies = plain.whole_game ? 0 : plain.draw_plies,
                             .draw_from_ply = plain.draw_after + 2 - plain.draw_plies,
                             .max_plies = plain.max_plies,
                             .scores_first = true};
        apart += !agrees(ask_data, &plain, &rule, &rng, ended);
    }
    CHECK_INT(apart, 0);
    check_ends(ended);
}

void test_adjudicate(void)
{
    check_matches();
    check_selfplay();
}
