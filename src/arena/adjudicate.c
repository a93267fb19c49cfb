// SPDX-License-Identifier: GPL-3.0-or-later
// Ends a game when the scores told with the moves leave no doubt about its result. The scores of both sides
// count together, ply by ply: a ply that does not fit ends the row, and the next one begins a new row. A move
// without a score fits nowhere.
#include "arena/adjudicate.h"

#include <stdlib.h>

EndKind adjudicate(Streak *streak, const Adjudication *rule, int side, int score, int ply, GameResult *result)
{
    bool is_known = score != SCORE_NONE;
    int leader = score > 0 ? side : !side;
    bool is_win = is_known && abs(score) >= rule->win_score;
    bool is_draw = is_known && abs(score) <= rule->draw_score;
    streak->win_plies = is_win ? (leader == streak->leader ? streak->win_plies : 0) + 1 : 0;
    streak->draw_plies = is_draw ? streak->draw_plies + 1 : 0;
    streak->leader = leader;
    if (rule->win_plies && streak->win_plies >= rule->win_plies) {
        *result = result_of_winner(leader);
        return END_WIN_SCORE;
    }
    // Long enough, and the row that counts began late enough?
    bool is_long = rule->draw_plies && streak->draw_plies >= rule->draw_plies;
    bool is_late = ply >= rule->draw_from_ply + rule->draw_plies - 1;
    bool is_over = rule->max_plies && ply >= rule->max_plies;
    if (!is_over && !(is_long && is_late))
        return END_NONE;
    *result = RESULT_DRAW;
    // Self-play has always called a row that began too early a draw by score, and its files must not change.
    return is_long && (is_late || rule->scores_first) ? END_DRAW_SCORE : END_LENGTH;
}
