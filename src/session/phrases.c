// SPDX-License-Identifier: GPL-3.0-or-later
// Words and numbers for people. Scores are always from the view of side 0, so that the scores of a game can
// be compared.
#include "session/phrases.h"

#include "games/notation.h"

const char *phrase_side(int side)
{
    static const char *const NAMES[SIDE_NB] = SIDE_NAMES;
    return NAMES[side];
}

bool phrase_mate(int score, const Position *pos, int *moves)
{
    if (!score_is_mate(score))
        return false;
    int plies = score_mate_plies(score);
    int nb = (plies + (plies > 0 ? 1 : -1)) / 2;
    *moves = pos_side(pos) == 0 ? nb : -nb;
    return true;
}

bool phrase_rule_win(int score, const Position *pos, int *side)
{
    *side = score > 0 ? pos_side(pos) : !pos_side(pos);
    return !score_is_mate(score) && (score >= SCORE_TB_MIN || score <= -SCORE_TB_MIN);
}

// In Japanese the length of a mate is counted in half-moves, and a score in hundredths of a pawn.
static void score_in_japanese(int score, const Position *pos, char out[PHRASE_MAX])
{
    int winner, shown = score_shown(score, pos) * (pos_side(pos) == 0 ? 1 : -1);
    int plies = score_is_mate(score) ? score_mate_plies(score) * (pos_side(pos) == 0 ? 1 : -1) : 0;
    if (score_is_mate(score) && plies == 0)
        snprintf(out, PHRASE_MAX, "詰み"); // mated already
    else if (score_is_mate(score))
        snprintf(out, PHRASE_MAX, "%+d手詰", plies);
    else if (phrase_rule_win(score, pos, &winner))
        snprintf(out, PHRASE_MAX, "%c勝ち", winner == 0 ? '+' : '-');
    else
        snprintf(out, PHRASE_MAX, "%+d", shown);
}

void phrase_score_words(int score, const Position *pos, char out[PHRASE_MAX])
{
    if (language() == LANGUAGE_JAPANESE)
        score_in_japanese(score, pos, out);
    else
        phrase_score(score, pos, out);
}

int phrase_mate_length(int plies, Language in)
{
    int length = plies < 0 ? -plies : plies;
    return in == LANGUAGE_JAPANESE ? length : (length + 1) / 2;
}

void phrase_score(int score, const Position *pos, char out[PHRASE_MAX])
{
    int mate, winner, shown = score_shown(score, pos) * (pos_side(pos) == 0 ? 1 : -1);
    if (score_is_mate(score) && score_mate_plies(score) == 0)
        snprintf(out, PHRASE_MAX, "#"); // mated already
    else if (phrase_mate(score, pos, &mate))
        snprintf(out, PHRASE_MAX, "%cM%d", mate > 0 ? '+' : '-', mate > 0 ? mate : -mate);
    else if (phrase_rule_win(score, pos, &winner))
        snprintf(out, PHRASE_MAX, "%cwin", winner == 0 ? '+' : '-');
    else
        snprintf(out, PHRASE_MAX, "%c%d.%02d", shown < 0 ? '-' : '+', (shown < 0 ? -shown : shown) / 100,
                 (shown < 0 ? -shown : shown) % 100);
}

int phrase_expectation(int score, const Position *pos)
{
    Wdl wdl = score_wdl(score, pos);
    int mover = wdl.win + wdl.draw / 2;
    return pos_side(pos) == 0 ? mover : 1000 - mover;
}

void phrase_chance(const Position *pos, int permille, char out[PHRASE_MAX])
{
    const char *who = side_words(pos, permille >= 500 ? 0 : 1);
    int best = permille >= 500 ? permille : 1000 - permille;
    if (best < 550)
        snprintf(out, PHRASE_MAX, "%s", said("The game is even"));
    else if (best < 650)
        snprintf(out, PHRASE_MAX, said("%s is a little better"), who);
    else if (best < 800)
        snprintf(out, PHRASE_MAX, said("%s is clearly better"), who);
    else if (best < 950)
        snprintf(out, PHRASE_MAX, said("%s is winning"), who);
    else
        snprintf(out, PHRASE_MAX, said("%s is as good as won"), who);
}

static const char *reason_words(Verdict verdict)
{
    switch (verdict.reason) {
    case REASON_MATE: return "checkmate";
    case REASON_NO_MOVE: return verdict.outcome == OUTCOME_DRAW ? "stalemate" : "no move left";
    case REASON_REPETITION: return "repetition";
    case REASON_PERPETUAL_CHECK: return "perpetual check";
    case REASON_MOVE_LIMIT: return MOVE_LIMIT_WORDS;
    case REASON_DEAD_POSITION: return "neither side can win any more";
    case REASON_DECLARATION: return "declaration";
    case REASON_TIME: return "time";
    case REASON_NONE:
    case REASON_NB: break;
    }
    return "agreement";
}

const char *phrase_reason(Verdict verdict) { return said(reason_words(verdict)); }

void phrase_clock(i64 ms, char out[PHRASE_MAX])
{
    i64 s = ms > 0 ? ms / 1000 : 0;
    if (ms < 10000)
        snprintf(out, PHRASE_MAX, "%lld.%lld", (long long)s, (long long)(ms > 0 ? ms % 1000 / 100 : 0));
    else if (s >= 3600)
        snprintf(out, PHRASE_MAX, "%lld:%02lld:%02lld", (long long)(s / 3600), (long long)(s / 60 % 60),
                 (long long)(s % 60));
    else
        snprintf(out, PHRASE_MAX, "%lld:%02lld", (long long)(s / 60), (long long)(s % 60));
}
