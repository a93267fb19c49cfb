// SPDX-License-Identifier: GPL-3.0-or-later
// A match in words and in JSON: the line that tells how it goes, and the report at the end. Reads the state,
// changes nothing.
#include "arena/match_report.h"

#include <math.h>
#include <time.h>

#include "arena/match_table.h"
#include "base/json.h"
#include "base/language.h"

static void add_signed(Text *out, double value)
{
    if (isinf(value))
        text_add(out, "%s", value > 0 ? "+inf" : "-inf");
    else
        text_add(out, "%+.1f", value);
}

static void add_error(Text *out, double value)
{
    if (isinf(value))
        text_add(out, "%s", "inf");
    else
        text_add(out, "%.1f", value);
}

// "+12.3 +- 4.5", or "> +321.0" when all games were won. Near that the interval has an end on one side only:
// "+726.9 (> +593.9)".
static void add_elo(Text *out, const Estimate *e)
{
    if (isinf(e->elo)) {
        text_add(out, "%c ", e->elo > 0 ? '>' : '<');
        add_signed(out, e->elo > 0 ? e->elo_low : e->elo_high);
        return;
    }
    add_signed(out, e->elo);
    if (!isinf(e->elo_low) != !isinf(e->elo_high)) { // isinf also tells the sign
        text_add(out, " (%c ", isinf(e->elo_high) ? '>' : '<');
        add_signed(out, isinf(e->elo_high) ? e->elo_low : e->elo_high);
        text_add(out, ")");
        return;
    }
    text_add(out, " +- ");
    add_error(out, e->elo_error);
}

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void add_duration(Text *out, double seconds)
{
    i64 s = (i64)(seconds + 0.5);
    if (s >= 3600)
        text_add(out, "%lld:%02lld:%02lld", (long long)(s / 3600), (long long)(s / 60 % 60),
                 (long long)(s % 60));
    else
        text_add(out, "%lld:%02lld", (long long)(s / 60), (long long)(s % 60));
}

// ---- while it runs ------------------------------------------------------------------------------
// Games still to be played: all that are left, or as many as the sequential test will need if it goes on as
// it did.
static double games_left(const MatchOptions *options, const MatchState *state)
{
    double left = (double)(match_games_wanted(options) - match_games_done(state));
    double pairs = (double)tally_pairs(&state->tally[0]);
    if (options->has_sprt && pairs >= 10 && state->llr != 0) {
        double bound = state->llr > 0 ? sprt_upper(&options->sprt) : sprt_lower(&options->sprt);
        left = fmin(left, fmax(2 * pairs * (bound / state->llr - 1), 0));
    }
    return left;
}

// "+12.3 +- 4.5" in a part of the line.
static void add_elo_part(ProgressLine *line, const Estimate *e)
{
    Text elo = {0};
    add_elo(&elo, e);
    progress_part(line, 1, "  Elo %s", elo.ptr ? elo.ptr : "");
    text_free(&elo);
}

void match_progress(const MatchOptions *options, const MatchState *state, ProgressLine *line)
{
    const Tally *tally = &state->tally[0];
    Estimate e = estimate_pairs(tally);
    i64 games = tally_games(tally), faults = 0;
    progress_part(line, 0, "%lld", (long long)games);
    if (!options->has_sprt || state->games < 1000000)
        progress_part(line, 0, "/%lld", (long long)(state->games * match_pairing_nb(options)));
    if (options->round_robin && games) {
        Standing standing[ENGINES_MAX];
        match_standings(options, state, standing);
        progress_part(line, 0, " games  %s leads", options->engine[standing[0].engine].name);
        progress_part(line, 2, " with %.1f %%", percent(standing[0].points, (double)standing[0].games));
    } else {
        progress_part(line, 0, " games  +%lld =%lld -%lld", (long long)tally->win, (long long)tally->draw,
                      (long long)tally->loss);
        progress_part(line, 2, "  %.1f %%", percent(tally_points(tally), (double)games));
        if (games)
            add_elo_part(line, &e);
    }
    if (options->has_sprt)
        progress_part(line, 0, "  LLR %.2f (%.2f, %.2f)", state->llr, sprt_lower(&options->sprt),
                      sprt_upper(&options->sprt));
    for (int i = 0; i < options->engine_nb; i++)
        for (int f = 0; f < FAULT_NB; f++)
            faults += state->engine[i].faults[f];
    if (faults)
        progress_part(line, 0, "  faults %lld", (long long)faults);
    double left = games_left(options, state);
    if (state->played && left > 0) {
        char text[DURATION_MAX];
        duration_print(
            (i64)((double)(os_now_us() - state->start_us) / 1e6 / (double)state->played * left) + 1, text);
        progress_part(line, 3, "  %s left", text);
    }
}

// ---- at the end ---------------------------------------------------------------------------------
static void add_tally(Text *out, const Tally *tally)
{
    Estimate e = estimate_pairs(tally);
    i64 games = tally_games(tally);
    double points = (double)tally->win + (double)tally->draw / 2;
    text_add(out, said("  games  %lld: +%lld =%lld -%lld, %.1f points, %.2f %%\n"), (long long)games,
             (long long)tally->win, (long long)tally->draw, (long long)tally->loss, points,
             percent(points, (double)games));
    text_add(out, said("  pairs  %lld: %lld %lld %lld %lld %lld (of 0, 1/2, 1, 1 1/2, 2 points)\n"),
             (long long)tally_pairs(tally), (long long)tally->pair[0], (long long)tally->pair[1],
             (long long)tally->pair[2], (long long)tally->pair[3], (long long)tally->pair[4]);
    Text elo = {0}, nelo = {0};
    add_elo(&elo, &e);
    add_signed(&nelo, e.nelo);
    text_add(&nelo, " +- ");
    add_error(&nelo, e.nelo_error);
    text_add(out, said("  Elo    %s   normalised %s (95 %%)   likelihood of superiority %.1f %%\n"),
             elo.ptr ? elo.ptr : "", nelo.ptr ? nelo.ptr : "", 100 * e.superiority);
    text_free(&elo);
    text_free(&nelo);
}

static const char *sprt_words(SprtVerdict verdict)
{
    return verdict == SPRT_H1 ? "H1 accepted" : verdict == SPRT_H0 ? "H0 accepted" : "not decided";
}

static void add_faults(Text *out, const EngineTotals *totals, Language in)
{
    bool any = false;
    for (int f = FAULT_NONE + 1; f < FAULT_NB; f++)
        if (totals->faults[f]) {
            text_add(out, "%s%s %lld", any ? ", " : "", said_in(in, fault_name((Fault)f)),
                     (long long)totals->faults[f]);
            any = true;
        }
    if (!any)
        text_add(out, "%s", said_in(in, "none"));
}

static void add_engine(Text *out, const SeatSpec *spec, const EngineTotals *totals)
{
    const SideReport *sum = &totals->sum;
    char control[128];
    time_control_say(&spec->control, control, sizeof control);
    text_add(out, "  %s (%s): ", spec->name, control);
    if (sum->moves)
        text_add(out, said("%.1f ms a move, "), (double)sum->time_us / 1000 / sum->moves);
    if (sum->depth_nb)
        text_add(out, said("depth %.1f, "), (double)sum->depth_sum / sum->depth_nb);
    if (sum->nodes)
        text_add(out, said("%.0f nodes a move, "), (double)sum->nodes / sum->moves);
    text_add(out, "%s", said("faults: "));
    add_faults(out, totals, language());
    text_add(out, "\n");
    if (totals->unknown[0])
        text_add(out, said("    it does not offer: %s\n"), totals->unknown);
}

void match_report(const MatchOptions *options, const MatchState *state, const char *end, Text *out)
{
    for (int o = 1; o <= match_pairing_nb(options); o++) {
        int first, second;
        match_pairing(options, o, &first, &second);
        text_add(out, said("%s against %s\n"), options->engine[first].name, options->engine[second].name);
        add_tally(out, &state->tally[o]);
    }
    if (options->round_robin) {
        text_add(out, "%s", said("each against each\n"));
        match_table(options, state, out);
    } else if (options->engine_nb > 2) {
        text_add(out, said("%s against all\n"), options->engine[0].name);
        add_tally(out, &state->tally[0]);
    }
    if (options->has_sprt)
        text_add(out, said("  SPRT   LLR %.3f of (%.3f, %.3f) for %g and %g %s Elo, alpha %g, beta %g: %s\n"),
                 state->llr, sprt_lower(&options->sprt), sprt_upper(&options->sprt), options->sprt.elo0,
                 options->sprt.elo1, said(options->sprt.logistic ? "logistic" : "normalised"),
                 options->sprt.alpha, options->sprt.beta, said(sprt_words(state->verdict)));
    text_add(out, "%s", said("  ended by"));
    for (int i = 0; i < state->word_nb; i++)
        text_add(out, "%s %s %lld", i ? "," : "", said(state->word[i].text), (long long)state->word[i].count);
    text_add(out, "\n");
    for (int i = 0; i < options->engine_nb; i++)
        add_engine(out, &options->engine[i], &state->engine[i]);
    StallsCount stalls = stalls_count(options->common.stalls);
    if (stalls.nb)
        text_add(out,
                 said("  the machine stood still %lld time%s, for %lld ms at most: %lld answer%s would have "
                      "been late but for that\n"),
                 (long long)stalls.nb, stalls.nb == 1 ? "" : "s", (long long)stalls.longest_us / 1000,
                 (long long)stalls.excused, stalls.excused == 1 ? "" : "s");
    Text duration = {0};
    add_duration(&duration, (double)(os_now_us() - state->start_us) / 1e6);
    text_add(out, said("%s after %s\n"), said(end), duration.ptr ? duration.ptr : "");
    text_free(&duration);
}

void match_rows(const MatchOptions *options, const MatchState *state, Text *out)
{
    char date[32] = "", ours[128], theirs[128];
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local))
        strftime(date, sizeof date, "%Y-%m-%d", &local);
    for (int o = 1; o <= match_pairing_nb(options); o++) {
        int first, second;
        match_pairing(options, o, &first, &second);
        const Tally *tally = &state->tally[o];
        Estimate e = estimate_pairs(tally);
        i64 games = tally_games(tally);
        if (games == 0)
            continue;
        time_control_print(&options->engine[first].control, ours, sizeof ours);
        time_control_print(&options->engine[second].control, theirs, sizeof theirs);
        text_add(out, "| %s | %s | %s | %s | %s | %lld | +%lld =%lld -%lld | %.1f %% | ", date,
                 options->round_robin ? options->engine[first].name : options->label,
                 options->engine[second].name, ours, theirs, (long long)games, (long long)tally->win,
                 (long long)tally->draw, (long long)tally->loss,
                 percent((double)tally->win + (double)tally->draw / 2, (double)games));
        add_elo(out, &e);
        text_add(out, " | ");
        add_faults(out, &state->engine[second], LANGUAGE_ENGLISH);
        text_add(out, " |\n");
    }
}

// ---- JSON ---------------------------------------------------------------------------------------
enum { REAL_DIGITS = 6 };

static void put_tally(JsonWriter *json, const Tally *tally)
{
    Estimate e = estimate_pairs(tally);
    json_put_int(json, "games", tally_games(tally));
    json_put_int(json, "wins", tally->win);
    json_put_int(json, "draws", tally->draw);
    json_put_int(json, "losses", tally->loss);
    json_open_array(json, "pairs");
    for (int i = 0; i < PAIR_NB; i++)
        json_put_int(json, NULL, tally->pair[i]);
    json_close_array(json);
    json_put_real(json, "score",
                  tally_games(tally)
                      ? ((double)tally->win + (double)tally->draw / 2) / (double)tally_games(tally)
                      : NAN,
                  REAL_DIGITS);
    json_put_real(json, "elo", e.elo, REAL_DIGITS);
    json_put_real(json, "elo_error", e.elo_error, REAL_DIGITS);
    json_put_real(json, "elo_low", e.elo_low, REAL_DIGITS);
    json_put_real(json, "elo_high", e.elo_high, REAL_DIGITS);
    json_put_real(json, "nelo", e.nelo, REAL_DIGITS);
    json_put_real(json, "nelo_error", e.nelo_error, REAL_DIGITS);
    json_put_real(json, "los", e.superiority, REAL_DIGITS);
}

static void put_engine(JsonWriter *json, const SeatSpec *spec, const EngineTotals *totals)
{
    const SideReport *sum = &totals->sum;
    char control[128];
    time_control_print(&spec->control, control, sizeof control);
    json_open_object(json, NULL);
    json_put_text(json, "name", spec->name);
    json_put_text(json, "id", totals->id);
    json_put_text(json, "limit", control);
    json_open_array(json, "command");
    for (int i = 0; i < spec->argv_nb; i++)
        json_put_text(json, NULL, spec->argv[i]);
    json_close_array(json);
    json_open_object(json, "options");
    for (int i = 0; i < spec->setting_nb; i++)
        json_put_member(json, spec->setting[i].name,
                        spec->setting[i].value.ptr ? spec->setting[i].value : span_of(""));
    json_close_object(json);
    json_put_int(json, "moves", sum->moves);
    json_put_real(json, "ms_per_move", sum->moves ? (double)sum->time_us / 1000 / sum->moves : NAN,
                  REAL_DIGITS);
    json_put_real(json, "depth", sum->depth_nb ? (double)sum->depth_sum / sum->depth_nb : NAN, REAL_DIGITS);
    json_put_real(json, "nodes_per_move", sum->moves ? (double)sum->nodes / sum->moves : NAN, REAL_DIGITS);
    json_open_object(json, "faults");
    for (int f = FAULT_NONE + 1; f < FAULT_NB; f++)
        json_put_int(json, fault_name((Fault)f), totals->faults[f]);
    json_close_object(json);
    json_close_object(json);
}

static void put_table(JsonWriter *json, const MatchOptions *options, const MatchState *state)
{
    Standing standing[ENGINES_MAX];
    const int nb = match_standings(options, state, standing);
    json_open_array(json, "table");
    for (int i = 0; i < nb; i++) {
        json_open_object(json, NULL);
        json_put_text(json, "name", options->engine[standing[i].engine].name);
        json_put_int(json, "games", standing[i].games);
        json_put_real(json, "points", standing[i].points, REAL_DIGITS);
        json_put_real(json, "elo", standing[i].elo, REAL_DIGITS);
        json_close_object(json);
    }
    json_close_array(json);
}

void match_json(const MatchOptions *options, const MatchState *state, const char *end, Text *out)
{
    JsonWriter writer = {.out = out}, *json = &writer;
    json_open_object(json, NULL);
    json_put_text(json, "game", GAME_NAME);
    json_put_text(json, "end", end);
    json_put_real(json, "seconds", (double)(os_now_us() - state->start_us) / 1e6, REAL_DIGITS);
    json_put_int(json, "seed", (i64)options->openings.seed);
    json_put_text(json, "openings",
                  options->openings.file     ? options->openings.file
                  : options->openings.is_own ? "own"
                                             : "random");
    json_put_text(json, "start",
                  options->openings.file || !options->openings.start ? "" : options->openings.start);
    json_put_int(json, "random_plies", options->openings.file ? 0 : options->openings.random_plies);
    json_put_int(json, "concurrency", options->concurrency);
    json_open_array(json, "engines");
    for (int i = 0; i < options->engine_nb; i++)
        put_engine(json, &options->engine[i], &state->engine[i]);
    json_close_array(json);
    json_open_array(json, "results");
    for (int o = 1; o <= match_pairing_nb(options); o++) {
        int first, second;
        match_pairing(options, o, &first, &second);
        json_open_object(json, NULL);
        json_put_text(json, "first", options->engine[first].name);
        json_put_text(json, "opponent", options->engine[second].name);
        put_tally(json, &state->tally[o]);
        json_close_object(json);
    }
    json_close_array(json);
    if (options->round_robin)
        put_table(json, options, state);
    json_open_object(json, "endings");
    for (int i = 0; i < state->word_nb; i++)
        json_put_int(json, state->word[i].text, state->word[i].count);
    json_close_object(json);
    if (options->has_sprt) {
        json_open_object(json, "sprt");
        json_put_text(json, "model", options->sprt.logistic ? "logistic" : "normalised");
        json_put_real(json, "elo0", options->sprt.elo0, REAL_DIGITS);
        json_put_real(json, "elo1", options->sprt.elo1, REAL_DIGITS);
        json_put_real(json, "alpha", options->sprt.alpha, REAL_DIGITS);
        json_put_real(json, "beta", options->sprt.beta, REAL_DIGITS);
        json_put_real(json, "llr", state->llr, REAL_DIGITS);
        json_put_real(json, "lower", sprt_lower(&options->sprt), REAL_DIGITS);
        json_put_real(json, "upper", sprt_upper(&options->sprt), REAL_DIGITS);
        json_put_text(json, "verdict", sprt_words(state->verdict));
        json_close_object(json);
    }
    json_close_object(json);
    text_add(out, "\n");
}
