// SPDX-License-Identifier: GPL-3.0-or-later
// A match as one HTML page that needs nothing else: no script, no font, no image from elsewhere. Curves are
// drawn without text, so that they may stretch to any width; their labels are HTML. Colours follow the
// reader's light or dark setting, and lines are told apart by their dashes and by names, never by colour
// alone.
#include "arena/match_html.h"

#include <math.h>
#include <stdlib.h>

#include "arena/match_table.h"

enum { POINTS_MAX = 240, LINES_MAX = 8, GRAPH_WIDTH = 1000, GRAPH_HEIGHT = 300, PAIRS_LEAST = 4 };

// clang-format off
static const char STYLE[] =
    ":root{color-scheme:light dark;--paper:#f7f5f1;--card:#fff;--ink:#23211e;--soft:#615c54;--rule:#dfd9ce;--accent:#0a6a72;"
      "--good:#1b6e3a;--bad:#b3261e;--band:#0a6a7226;--l0:#0a6a72;--l1:#a84a00;--l2:#5b3fa0;--l3:#b3261e;--l4:#1b6e3a;"
      "--l5:#7a5d00;--l6:#a0286f;--l7:#4a5560}"
    "@media(prefers-color-scheme:dark){:root{--paper:#161513;--card:#211f1c;--ink:#ece8e1;--soft:#aaa399;--rule:#3a3631;"
      "--accent:#5cc6cf;--good:#7fd39a;--bad:#ff8a80;--band:#5cc6cf2e;--l0:#5cc6cf;--l1:#ffb066;--l2:#b9a3f5;--l3:#ff8a80;"
      "--l4:#7fd39a;--l5:#e6c75a;--l6:#f09ac8;--l7:#b6c0c9}}"
    "*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}"
    "body{margin:0;background:var(--paper);color:var(--ink);"
      "font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans CJK JP',sans-serif}"
    "main{max-width:68rem;margin:0 auto;padding:2rem 1rem 3rem}"
    "h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem;overflow-wrap:anywhere;text-wrap:balance}"
    "h2{font-size:1.25rem;margin:2.5rem 0 .75rem}"
    "p{margin:.5rem 0}.soft{color:var(--soft)}.num{font-variant-numeric:tabular-nums}"
    ".wide{overflow-x:auto;background:var(--card);border:1px solid var(--rule);border-radius:.75rem;padding:.25rem .75rem}"
    ".wide:focus-visible{outline:3px solid var(--accent)}"
    "table{border-collapse:collapse;width:100%;font-size:.9375rem;font-variant-numeric:tabular-nums}"
    "th,td{padding:.375rem .5rem;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap}"
    "tr:last-child>*{border-bottom:0}"
    "th{font-weight:600}.name{text-align:left;white-space:normal;min-width:8rem;overflow-wrap:anywhere}"
    ".up{color:var(--good)}.down{color:var(--bad)}.self{color:var(--soft)}"
    ".big{font-size:2rem;font-weight:700;line-height:1.2}"
    "figure{margin:1rem 0 0}figcaption{color:var(--soft);font-size:.875rem;margin-top:.25rem}"
    ".frame{position:relative;height:15rem;margin-left:3.25rem;border:1px solid var(--rule);border-radius:.5rem;background:var(--card)}"
    ".frame svg{display:block;width:100%;height:100%;border-radius:.5rem}"
    ".y{position:absolute;right:100%;margin-right:.375rem;transform:translateY(-50%);font-size:.8125rem;color:var(--soft);white-space:nowrap}"
    ".x{display:flex;justify-content:space-between;margin-left:3.25rem;font-size:.8125rem;color:var(--soft)}"
    ".grid{stroke:var(--rule);stroke-width:1}.zero{stroke:var(--soft);stroke-width:1.25;stroke-dasharray:5 4}"
    ".band{fill:var(--band)}.line{fill:none;stroke-width:2.25;stroke-linejoin:round}"
    ".key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:.5rem 0 0 3.25rem;padding:0;font-size:.9375rem}"
    ".key svg{width:2.25rem;height:.75rem;vertical-align:middle;margin-right:.375rem}"
    "@media(max-width:34rem){h1{font-size:1.5rem}.frame{height:11rem}.hide{display:none}}"
    "@media print{body{background:#fff}figure,table{break-inside:avoid}}";
static const char *const DASHES[LINES_MAX] = {"none", "7 3", "2 3", "10 3 2 3", "14 4", "4 4", "1 4", "8 2 2 2 2 2"};
// clang-format on

static void add(Text *out, const char *text) { text_add_html(out, span_of(text)); }

static void add_signed(Text *out, double value)
{
    if (isinf(value))
        text_add(out, "%s", value > 0 ? "+∞" : "−∞");
    else
        text_add(out, "%s%.1f", value < 0 ? "−" : "+", fabs(value));
}

// ---- curves -------------------------------------------------------------------------------------
typedef struct Curve {
    double value[POINTS_MAX], low[POINTS_MAX], high[POINTS_MAX];
    int nb;
    i64 pair_nb; // the last point is after so many pairs
} Curve;

typedef struct Axis {
    double low, high, zero; // zero: the line that is dashed
    const char *unit;
} Axis;

static bool is_pair(const i8 *result, i64 pair) { return result[2 * pair] >= 0 && result[2 * pair + 1] >= 0; }

// How the estimate of a pairing went, pair by pair: Elo and its interval, or the ratio of the sequential
// test.
static void find_curve(const MatchOptions *options, const MatchState *state, int pairing, bool is_llr,
                       Curve *curve)
{
    const i8 *result = state->result[pairing];
    const i64 all = tally_pairs(&state->tally[pairing]);
    Tally tally = {0};
    *curve = (Curve){.pair_nb = all};
    for (i64 pair = 0, seen = 0, step = all / POINTS_MAX + 1; pair < state->games / 2; pair++) {
        if (!is_pair(result, pair))
            continue;
        for (int i = 0; i < 2; i++) {
            tally.win += result[2 * pair + i] == 2;
            tally.draw += result[2 * pair + i] == 1;
            tally.loss += result[2 * pair + i] == 0;
        }
        tally.pair[result[2 * pair] + result[2 * pair + 1]]++;
        seen++;
        if (seen < PAIRS_LEAST || (seen % step && seen != all) || curve->nb == POINTS_MAX)
            continue;
        const Estimate e = estimate_pairs(&tally);
        const double llr = is_llr ? sprt_llr(&options->sprt, tally.pair) : 0;
        curve->value[curve->nb] = is_llr ? llr : e.elo;
        curve->low[curve->nb] = is_llr ? llr : e.elo_low;
        curve->high[curve->nb] = is_llr ? llr : e.elo_high;
        curve->nb++;
    }
}

// The score of an engine against all, in percent, as the rounds of pairs went by.
static void find_scores(const MatchOptions *options, const MatchState *state, int engine, Curve *curve)
{
    const i64 all = state->games / 2, step = all / POINTS_MAX + 1;
    double points = 0, games = 0;
    *curve = (Curve){.pair_nb = all};
    for (i64 pair = 0; pair < all; pair++) {
        bool any = false;
        for (int p = 1; p <= match_pairing_nb(options); p++) {
            int first, second;
            match_pairing(options, p, &first, &second);
            if ((first != engine && second != engine) || !is_pair(state->result[p], pair))
                continue;
            const int won = state->result[p][2 * pair] + state->result[p][2 * pair + 1];
            points += (first == engine ? won : 4 - won) / 2.0;
            games += 2;
            any = true;
        }
        if (any && (pair + 1) % step == 0 && curve->nb < POINTS_MAX)
            curve->value[curve->nb++] = 100 * points / games;
    }
}

static double y_of(const Axis *axis, double value)
{
    const double share = (value - axis->low) / (axis->high - axis->low);
    return GRAPH_HEIGHT * (1 - fmin(fmax(share, 0), 1));
}

static double x_of(const Curve *curve, int i)
{
    return curve->nb > 1 ? (double)GRAPH_WIDTH * i / (curve->nb - 1) : 0;
}

// The same to either side of zero, in round numbers, wide enough for what came after the first tenth.
static Axis axis_for(const Curve *curve, double least, const char *unit)
{
    static const double ROUND[] = {1, 2, 4, 6, 10, 20, 40, 60, 100, 200, 400, 600, 1000};
    const int round_nb = sizeof ROUND / sizeof ROUND[0];
    double most = least;
    for (int i = curve->nb / 10; i < curve->nb; i++) {
        const double ends[] = {curve->low[i], curve->high[i]};
        for (int end = 0; end < 2; end++)
            most = isinf(ends[end]) ? most : fmax(most, fabs(ends[end]));
    }
    int i = 0;
    while (i < round_nb - 1 && ROUND[i] < most)
        i++;
    return (Axis){-ROUND[i], ROUND[i], 0, unit};
}

static void open_frame(Text *out, const Axis *axis, const char *label)
{
    text_add(out, "<figure><div class=\"frame\">");
    for (int i = 0; i <= 4; i++) {
        const double value = axis->low + (axis->high - axis->low) * i / 4;
        text_add(out, "<span class=\"y num\" style=\"top:%.1f%%\">%s%.*f%s</span>", 100 - 25.0 * i,
                 value < 0                      ? "−"
                 : axis->zero == 0 && value > 0 ? "+"
                                                : "",
                 axis->high - axis->low < 8 ? 1 : 0, fabs(value), axis->unit);
    }
    text_add(out, "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
             GRAPH_WIDTH, GRAPH_HEIGHT);
    add(out, label);
    text_add(out, "\">");
    for (int i = 1; i < 4; i++)
        text_add(out, "<path class=\"grid\" vector-effect=\"non-scaling-stroke\" d=\"M0 %dH%d\"/>",
                 GRAPH_HEIGHT * i / 4, GRAPH_WIDTH);
    text_add(out, "<path class=\"zero\" vector-effect=\"non-scaling-stroke\" d=\"M0 %.1fH%d\"/>",
             y_of(axis, axis->zero), GRAPH_WIDTH);
}

static void add_curve(Text *out, const Axis *axis, const Curve *curve, int style)
{
    text_add(out,
             "<path class=\"line\" vector-effect=\"non-scaling-stroke\" "
             "style=\"stroke:var(--l%d);stroke-dasharray:%s\" d=\"M",
             style, DASHES[style]);
    for (int i = 0; i < curve->nb; i++)
        text_add(out, "%.1f %.1f ", x_of(curve, i), y_of(axis, curve->value[i]));
    text_add(out, "\"/>");
}

static void add_band(Text *out, const Axis *axis, const Curve *curve)
{
    text_add(out, "<path class=\"band\" d=\"M");
    for (int i = 0; i < curve->nb; i++)
        text_add(out, "%.1f %.1f ", x_of(curve, i), y_of(axis, curve->high[i]));
    for (int i = curve->nb - 1; i >= 0; i--)
        text_add(out, "%.1f %.1f ", x_of(curve, i), y_of(axis, curve->low[i]));
    text_add(out, "Z\"/>");
}

static void close_frame(Text *out, i64 from, i64 to, const char *caption)
{
    text_add(out,
             "</svg></div><div class=\"x num\"><span>%lld</span><span>%lld pairs</span></div><figcaption>",
             (long long)from, (long long)to);
    add(out, caption);
    text_add(out, "</figcaption></figure>\n");
}

static void add_elo_curve(const MatchOptions *options, const MatchState *state, Text *out)
{
    Curve curve;
    find_curve(options, state, 1, false, &curve);
    if (curve.nb < 2)
        return;
    const Axis axis = axis_for(&curve, 10, "");
    text_add(out, "<h2>Elo as the match went</h2>\n");
    open_frame(out, &axis, "The Elo difference after each pair of games");
    add_band(out, &axis, &curve);
    add_curve(out, &axis, &curve, 0);
    close_frame(out, PAIRS_LEAST, curve.pair_nb, "The estimate after each pair, with its 95 % interval.");
}

static void add_llr_curve(const MatchOptions *options, const MatchState *state, Text *out)
{
    Curve curve;
    find_curve(options, state, 1, true, &curve);
    if (!options->has_sprt || curve.nb < 2)
        return;
    const double lower = sprt_lower(&options->sprt), upper = sprt_upper(&options->sprt);
    const Axis axis = axis_for(&curve, fmax(-lower, upper) + 0.5, "");
    text_add(out, "<h2>The sequential test</h2>\n");
    open_frame(out, &axis, "The log-likelihood ratio after each pair of games");
    text_add(out,
             "<path class=\"zero\" style=\"stroke:var(--good)\" vector-effect=\"non-scaling-stroke\" d=\"M0 "
             "%.1fH%d\"/>"
             "<path class=\"zero\" style=\"stroke:var(--bad)\" vector-effect=\"non-scaling-stroke\" d=\"M0 "
             "%.1fH%d\"/>",
             y_of(&axis, upper), GRAPH_WIDTH, y_of(&axis, lower), GRAPH_WIDTH);
    add_curve(out, &axis, &curve, 0);
    char caption[160];
    snprintf(
        caption, sizeof caption,
        "Log-likelihood ratio: %.2f. Above the upper line (%.2f) H1 is accepted, below the lower (%.2f) H0.",
        state->llr, upper, lower);
    close_frame(out, PAIRS_LEAST, curve.pair_nb, caption);
}

// The best engines of a table, each with a line.
static void add_score_curves(const MatchOptions *options, const MatchState *state, const Standing *standing,
                             int nb, Text *out)
{
    Curve *curve = calloc(LINES_MAX, sizeof *curve);
    const int shown = min_int(nb, LINES_MAX);
    if (!curve) {
        out->failed = true;
        return;
    }
    Axis axis = {0, 100, 50, " %"};
    i64 most = 0;
    for (int i = 0; i < shown; i++) {
        find_scores(options, state, standing[i].engine, &curve[i]);
        most = curve[i].nb > most ? curve[i].nb : most;
    }
    if (most >= 2) {
        text_add(out, "<h2>Scores as the rounds went</h2>\n");
        open_frame(out, &axis, "The score of each engine after each round");
        for (int i = 0; i < shown; i++)
            add_curve(out, &axis, &curve[i], i);
        close_frame(out, 1, curve[0].pair_nb,
                    "Share of the points so far, of each engine against all its opponents.");
        text_add(out, "<ul class=\"key\">");
        for (int i = 0; i < shown; i++) {
            text_add(out,
                     "<li><svg viewBox=\"0 0 36 12\" aria-hidden=\"true\"><path class=\"line\" "
                     "style=\"stroke:var(--l%d);"
                     "stroke-dasharray:%s\" d=\"M0 6H36\"/></svg>",
                     i, DASHES[i]);
            add(out, options->engine[standing[i].engine].name);
            text_add(out, "</li>");
        }
        text_add(out, "</ul>\n");
    }
    free(curve);
}

// ---- tables -------------------------------------------------------------------------------------
static void add_faults(Text *out, const EngineTotals *totals)
{
    bool any = false;
    for (int f = FAULT_NONE + 1; f < FAULT_NB; f++)
        if (totals->faults[f]) {
            text_add(out, "%s%s %lld", any ? ", " : "", fault_name((Fault)f), (long long)totals->faults[f]);
            any = true;
        }
    if (!any)
        text_add(out, "none");
}

static void add_standings(const MatchOptions *options, const MatchState *state, const Standing *standing,
                          int nb, Text *out)
{
    text_add(out, "<h2>Table</h2>\n<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th>#</th><th "
                  "class=\"name\">engine</th><th>Elo</th><th>± 95 "
                  "%%</th><th>score</th><th>points</th><th>games</th><th>+ = "
                  "−</th></tr></thead><tbody>\n");
    for (int i = 0; i < nb; i++) {
        const Standing *s = &standing[i];
        const Tally *tally = &state->total[s->engine];
        const Estimate e = estimate_pairs(tally);
        text_add(out, "<tr><td>%d</td><th class=\"name\" scope=\"row\">", i + 1);
        add(out, options->engine[s->engine].name);
        text_add(out, "</th><td class=\"%s\">", s->elo < 0 ? "down" : "up");
        add_signed(out, s->elo);
        if (isinf(e.elo_error) || !s->games)
            text_add(out, "</td><td>–</td>");
        else
            text_add(out, "</td><td>%.1f</td>", e.elo_error);
        text_add(out, "<td>%.1f %%</td><td>%.1f</td><td>%lld</td><td>+%lld =%lld −%lld</td></tr>\n",
                 s->games ? 100 * s->points / (double)s->games : 0.0, s->points, (long long)s->games,
                 (long long)tally->win, (long long)tally->draw, (long long)tally->loss);
    }
    text_add(
        out,
        "</tbody></table></div>\n<p class=\"soft\">Elo: the most likely ratings for all results together, "
        "their mean being 0.</p>\n");
}

static void add_cross_table(const MatchOptions *options, const MatchState *state, const Standing *standing,
                            int nb, Text *out)
{
    text_add(out, "<h2>Cross table</h2>\n<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th>#</th><th "
                  "class=\"name\">engine</th>");
    for (int i = 0; i < nb; i++)
        text_add(out, "<th scope=\"col\">%d</th>", i + 1);
    text_add(out, "</tr></thead><tbody>\n");
    for (int i = 0; i < nb; i++) {
        text_add(out, "<tr><td>%d</td><th class=\"name\" scope=\"row\">", i + 1);
        add(out, options->engine[standing[i].engine].name);
        text_add(out, "</th>");
        for (int j = 0; j < nb; j++) {
            Tally tally;
            if (i == j || !match_between(options, state, standing[i].engine, standing[j].engine, &tally)) {
                text_add(out, "<td class=\"self\">%s</td>", i == j ? "■" : "");
                continue;
            }
            const i64 games = tally_games(&tally);
            const double points = tally_points(&tally);
            text_add(
                out,
                "<td class=\"%s\" title=\"+%lld =%lld −%lld\">%.1f<span class=\"soft\">/%lld</span></td>",
                2 * points > (double)games   ? "up"
                : 2 * points < (double)games ? "down"
                                             : "",
                (long long)tally.win, (long long)tally.draw, (long long)tally.loss, points, (long long)games);
        }
        text_add(out, "</tr>\n");
    }
    text_add(out, "</tbody></table></div>\n<p class=\"soft\">Points of the row's engine against the "
                  "column's, of so many "
                  "games.</p>\n");
}

static void add_engines(const MatchOptions *options, const MatchState *state, Text *out)
{
    text_add(out, "<h2>Engines</h2>\n<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th "
                  "class=\"name\">engine</th><th>limit</th><th>ms a "
                  "move</th><th>depth</th><th>nodes a move</th><th>faults</th></tr></thead><tbody>\n");
    for (int i = 0; i < options->engine_nb; i++) {
        const SideReport *sum = &state->engine[i].sum;
        char control[128];
        time_control_print(&options->engine[i].control, control, sizeof control);
        text_add(out, "<tr><th class=\"name\" scope=\"row\">");
        add(out, options->engine[i].name);
        text_add(out, "</th><td>");
        add(out, control);
        text_add(out, "</td><td>%.1f</td><td>%.1f</td><td>%.0f</td><td>",
                 sum->moves ? (double)sum->time_us / 1000 / sum->moves : 0,
                 sum->depth_nb ? (double)sum->depth_sum / sum->depth_nb : 0,
                 sum->moves ? (double)sum->nodes / sum->moves : 0);
        add_faults(out, &state->engine[i]);
        text_add(out, "</td></tr>\n");
    }
    text_add(out, "</tbody></table></div>\n<h2>How games ended</h2>\n<div class=\"wide\" "
                  "tabindex=\"0\"><table><tbody>\n");
    for (int i = 0; i < state->word_nb; i++) {
        text_add(out, "<tr><th class=\"name\" scope=\"row\">");
        add(out, state->word[i].text);
        text_add(out, "</th><td>%lld</td></tr>\n", (long long)state->word[i].count);
    }
    text_add(out, "</tbody></table></div>\n");
}

// ---- the page -----------------------------------------------------------------------------------
static void add_title(const MatchOptions *options, Text *out)
{
    if (options->engine_nb == 2 || !options->round_robin) {
        add(out, options->engine[0].name);
        text_add(out, " against ");
        if (options->engine_nb == 2)
            add(out, options->engine[1].name);
        else
            text_add(out, "%d engines", options->engine_nb - 1);
    } else {
        text_add(out, "%d engines, each against each", options->engine_nb);
    }
}

static void add_head(const MatchOptions *options, const MatchState *state, const char *end, Text *out)
{
    const OpeningOptions *openings = &options->openings;
    text_add(out, "<h1>");
    add_title(options, out);
    text_add(out, "</h1>\n<p class=\"soft\">%s, %lld games, %s. Openings: ", GAME_NAME,
             (long long)match_games_done(state), end);
    if (openings->file)
        add(out, openings->file);
    else if (openings->is_own)
        text_add(out, "balanced ones of Twofold's own");
    else
        text_add(out, "%s%d random plies", openings->start ? "drawn start positions, " : "",
                 openings->random_plies);
    text_add(out, ", seed %llu, each with both colours.</p>\n", (unsigned long long)openings->seed);
    if (options->engine_nb != 2 || !match_games_done(state))
        return;
    const Estimate e = estimate_pairs(&state->tally[1]);
    text_add(out, "<p class=\"big num\">");
    add_signed(out, e.elo);
    if (!isinf(e.elo_error))
        text_add(out, " ± %.1f", e.elo_error);
    text_add(out,
             " Elo</p>\n<p class=\"num\">%.1f %% of the points, +%lld =%lld −%lld; likelihood of superiority "
             "%.1f %%</p>\n",
             100 * e.score, (long long)state->tally[1].win, (long long)state->tally[1].draw,
             (long long)state->tally[1].loss, 100 * e.superiority);
}

void match_html(const MatchOptions *options, const MatchState *state, const char *end, Text *out)
{
    Standing standing[ENGINES_MAX];
    const int nb = match_standings(options, state, standing);
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                  "content=\"width=device-width,initial-scale=1\"><title>");
    add_title(options, out);
    text_add(out, "</title><style>%s</style></head><body><main>\n", STYLE);
    add_head(options, state, end, out);
    add_standings(options, state, standing, nb, out);
    if (nb > 2) {
        add_cross_table(options, state, standing, nb, out);
        add_score_curves(options, state, standing, nb, out);
    } else {
        add_elo_curve(options, state, out);
        add_llr_curve(options, state, out);
    }
    add_engines(options, state, out);
    text_add(out, "<p class=\"soft\">Made by Twofold " TWOFOLD_VERSION ".</p>\n</main></body></html>\n");
}
