// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning without games: SPSA climbs a hill whose top is known. And the games it plays: a pair between equal
// engines at fixed nodes is the same game twice, so it scores exactly one half.
#include <math.h>
#include <unistd.h>

#include "arena/arena.h"
#include "arena/selfplay.h"
#include "arena/spsa.h"
#include "helpers.h"

// A noisy referee: the side nearer to the top wins more often. Scores of a pair, -2..2.
static double climb_result(const int *plus, const int *minus, const double *top, const Tunable *tunable,
                           int nb, Rng *rng)
{
    double height = 0;
    for (int i = 0; i < nb; i++) {
        double range = tunable[i].max - tunable[i].min;
        height += (pow((minus[i] - top[i]) / range, 2) - pow((plus[i] - top[i]) / range, 2)) * 400; // Elo
    }
    double win = 1 / (1 + pow(10, -height / 400)), result = 0;
    for (int game = 0; game < 2; game++)
        result += rng_unit(rng) < win ? 1 : -1;
    return result;
}

static void check_climb(void)
{
    CASE("tune: SPSA climbs to a known top");
    static const double TOP[3] = {300, 20, 5};
    Tunable tunable[3] = {
        {.name = "wide", .def = 600, .min = 0, .max = 1000, .value = 600, .reach = 50},
        {.name = "middle", .def = 60, .min = 0, .max = 100, .value = 60, .reach = 5},
        {.name = "narrow", .def = 9, .min = 1, .max = 12, .value = 9, .reach = 0.55},
    };
    i64 iterations = test_is_light() ? 20000 : 60000;
    Spsa spsa = {.tunable = tunable, .tunable_nb = 3, .iterations = iterations, .rate = 0.02, .seed = 5};
    Rng rng = {11};
    SpsaTrial trial;
    for (i64 k = 0; k < iterations; k++) {
        spsa_trial(&spsa, k, &trial);
        spsa_learn(&spsa, &trial, climb_result(trial.plus, trial.minus, TOP, tunable, 3, &rng));
    }
    for (int i = 0; i < 3; i++) {
        double range = tunable[i].max - tunable[i].min;
        CHECK_THAT(fabs(tunable[i].value - TOP[i]) < 0.12 * range, "%s is %.2f, the top %.2f",
                   tunable[i].name, tunable[i].value, TOP[i]);
        CHECK(tunable_rounded(&tunable[i]) >= tunable[i].min &&
              tunable_rounded(&tunable[i]) <= tunable[i].max);
    }

    CASE("tune: trials stay in range, repeat, and see both neighbours");
    Tunable edge[1] = {{.name = "edge", .def = 0, .min = 0, .max = 2, .value = 0.4, .reach = 0.5}};
    Spsa small = {.tunable = edge, .tunable_nb = 1, .iterations = 100, .rate = 0.002, .seed = 1};
    int seen = 0;
    for (i64 k = 0; k < 100; k++) {
        SpsaTrial again;
        spsa_trial(&small, k, &trial);
        spsa_trial(&small, k, &again);
        CHECK(trial.plus[0] == again.plus[0] && trial.minus[0] == again.minus[0]);
        CHECK(trial.plus[0] >= 0 && trial.plus[0] <= 2 && trial.minus[0] >= 0 && trial.minus[0] <= 2);
        seen |= 1 << trial.plus[0];
    }
    CHECK_INT(seen & 3, 3);
    edge[0].value = 2;
    spsa_trial(&small, 0, &trial);
    spsa_learn(&small, &trial, trial.direction[0] > 0 ? 2 : -2);
    CHECK(edge[0].value == 2); // never out of range
}

// ---- games --------------------------------------------------------------------------------------
typedef struct Tester {
    Selfplay selfplay; // first: the context of its jobs
    int taken, number[16];
} Tester;

static bool take_number(void *context, i64 index, Span result, Message *message)
{
    Tester *tester = context;
    (void)message;
    CHECK_INT(result.len, sizeof tester->number[0]);
    memcpy(&tester->number[index], result.ptr, sizeof tester->number[0]);
    tester->taken++;
    return true;
}

static bool play_job(void *context, void *state, i64 index, Span task, Text *result, Message *message)
{
    int points;
    (void)context;
    (void)task;
    if (!engine_pair_play(state, index, &points, message))
        return false;
    text_add_bytes(result, (const char *)&points, sizeof points);
    return true;
}

static bool fail_job(void *context, void *state, i64 index, Span task, Text *result, Message *message)
{
    int none = 0;
    (void)context;
    (void)state;
    (void)task;
    text_add_bytes(result, (const char *)&none, sizeof none);
    return index < 3 || message_set(message, "job %d failed", (int)index);
}

static bool time_job(void *context, void *state, i64 index, Span task, Text *result, Message *message)
{
    EnginePair *engines = state;
    Position start = position_of(GAME_START);
    Thought thought;
    (void)context;
    (void)index;
    (void)task;
    game_start(&engines->game, &start);
    engines->seat[0].limits = (Limits){.move_time_ms = 40};
    Seat seat = seat_of_engine(&engines->seat[0]);
    if (!seat.think(seat.self, &engines->game, NULL, &thought, message))
        return false;
    int ms = (int)(thought.elapsed_us / 1000);
    text_add_bytes(result, (const char *)&ms, sizeof ms);
    return true;
}

static void check_selfplay(void)
{
    CASE("tune: equal engines share every pair at fixed nodes");
    SelfplayOptions options = selfplay_options_default();
    Tester tester = {.selfplay.options = &options};
    Message message = {{0}};
    options.nodes = 300;
    options.openings.even_nodes = 300;
    options.threads = 2;
    int nb = test_is_light() ? 2 : 6;
    JobSet set = {.context = &tester, .job_nb = nb, .run = play_job, .take = take_number};
    CHECK_INT(selfplay_run(&tester.selfplay, set, &message), JOBS_DONE);
    CHECK_INT(tester.taken, nb);
    for (int i = 0; i < nb; i++)
        CHECK_INT(tester.number[i], 2);

    CASE("tune: the time for a move is all for thinking");
    set.job_nb = 1;
    set.run = time_job;
    CHECK_INT(selfplay_run(&tester.selfplay, set, &message), JOBS_DONE);
    CHECK_THAT(tester.number[0] >= 40, "%d ms of 40", tester.number[0]);

    CASE("tune: a job that fails ends the run with its words");
    tester.taken = 0;
    options.threads = 1;
    set.job_nb = 16;
    set.run = fail_job;
    CHECK_INT(selfplay_run(&tester.selfplay, set, &message), JOBS_FAILED);
    CHECK_TEXT(message.text, "job 3 failed");
    CHECK_INT(tester.taken, 3);
}

static void check_names(void)
{
    CASE("tune: lists of names");
    CHECK(param_matches("LmrBase", "Razor*,Lmr*", false) && param_matches("LmrBase", "LmrBase", true));
    CHECK(!param_matches("LmrBase", "Lmr", false) && !param_matches("LmrBase", "Lmr*", true) &&
          !param_matches("LmrBase", "", false));
    CHECK(param_matches("LmrBase", "*", false));
    CHECK(param_count() > 0 && param_find(span_of(param_name(0))) == 0 &&
          param_find(span_of("NoSuchParameter")) == -1);
}

// ---- the commands -------------------------------------------------------------------------------
// In a build whose parameters are constants both refuse; in one that tunes they play, write their files and
// go on from them.
static void check_commands(void)
{
    CASE("tune: the commands");
    Message error;
    char out[PATH_BYTES], path[600], first[64], pattern[64];
    int param = 0, def, min, max;
    for (param_range(param, &def, &min, &max); min == 0 && max == 1 && param + 1 < param_count();)
        param_range(++param, &def, &min, &max);
    snprintf(first, sizeof first, "%s", param_name(param));
    scratch_path("tune", out);
    char *tune[] = {"tune", "--params", first, "--iterations", "3", "--nodes",
                    "100",  "--out",    out,   "--quiet",      NULL};
    snprintf(pattern, sizeof pattern, "UseN*,UseLmr");
    snprintf(path, sizeof path, "%s.ablate", out);
    char *ablate[] = {"ablate", "--params", pattern, "--games", "2", "--nodes",
                      "100",    "--state",  path,    "--quiet", NULL};
    if (!params_can_change(&error)) {
        CHECK_INT(run_command(arena_tune_main, tune), 1);
        CHECK_INT(run_command(arena_ablate_main, ablate), 1);
        return;
    }
    CHECK_INT(run_command(arena_tune_main, tune), 0);
    snprintf(path, sizeof path, "%s.state", out);
    CHECK(file_says(path, "iterations 3\n"));
    tune[4] = "5";
    CHECK_INT(run_command(arena_tune_main, tune), 0);
    CHECK(file_says(path, "iterations 5\n"));
    tune[2] = "*";
    CHECK_INT(run_command(arena_tune_main, tune), 1); // the state is about other parameters
    unlink(path);
    snprintf(path, sizeof path, "%s.svg", out);
    CHECK(file_says(path, first) && file_says(path, "</svg>"));
    unlink(path);
    snprintf(path, sizeof path, "%s.history", out);
    CHECK(file_says(path, "iteration\t"));
    unlink(path);
    snprintf(path, sizeof path, "%s.ablate", out);
    CHECK_INT(run_command(arena_ablate_main, ablate), 0);
    CHECK(file_says(path, "\nUseLmr 0 ") && file_says(path, "\nUseNullMove 0 "));
    ablate[4] = "4";
    CHECK_INT(run_command(arena_ablate_main, ablate), 0);
    CHECK(file_says(path, "\nUseLmr 1 "));
    ablate[6] = "200";
    CHECK_INT(run_command(arena_ablate_main, ablate), 1); // other conditions
    unlink(path);
    // A test that is content with very little ends long before its games do, and does not play on.
    char *tested[] = {"ablate", "--params", "UseTt", "--games", "400",  "--nodes", "100",     "--state",
                      path,     "--sprt",   "-200",  "200",     "0.45", "0.45",    "--quiet", NULL};
    CHECK_INT(run_command(arena_ablate_main, tested), 0);
    CHECK(file_says(path, "\nUseTt 0 ") && !file_says(path, "\nUseTt 100 "));
    Text before = read_whole(path);
    CHECK_INT(run_command(arena_ablate_main, tested), 0);
    Text after = read_whole(path);
    CHECK_INT((i64)after.len, (i64)before.len);
    text_free(&before);
    text_free(&after);
    tested[11] = "-200";
    CHECK_INT(run_command(arena_ablate_main, tested), 2);
    unlink(path);
}

void test_tune(void)
{
    check_climb();
    check_selfplay();
    check_names();
    check_commands();
}
