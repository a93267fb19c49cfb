// SPDX-License-Identifier: GPL-3.0-or-later
// The job queue and fork-join: each job once, in order, whatever the number of threads; every function may
// fail, it may be enough or interrupted at any moment, and what was opened is closed.
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jobs.h"
#include "base/parallel.h"

enum { JOBS_MAX = 400 };

// What one run does and what it saw.
typedef struct Trial {
    i64 fail_open, fail_give, fail_run, fail_take,
        mute_run;                           // the number of the call, or the job, that fails; -1: none
    i64 enough_at, interrupt_at, cancel_at; // after so many results; -1: never
    bool waits;                             // jobs wait to be cancelled once enough is there
    int job_us;
    atomic_int opened, closed, opens, running, most_running, cancelled_nb;
    atomic_bool is_enough;
    pthread_t caller;
    atomic_bool wrong_thread, wrong_order, wrong_bytes, wrong_state;
    i64 given, taken_nb, tick_nb, last_nb, asked;
    u8 was_done[JOBS_MAX];
    int taken[JOBS_MAX];
} Trial;

typedef struct State {
    Trial *trial;
    pthread_t thread;
    atomic_bool is_cancelled, is_closed;
} State;

static Trial *trial_new(void)
{
    Trial *trial = calloc(1, sizeof *trial);
    trial->fail_open = trial->fail_give = trial->fail_run = trial->fail_take = trial->mute_run = -1;
    trial->enough_at = trial->interrupt_at = trial->cancel_at = -1;
    trial->caller = pthread_self();
    return trial;
}

static void in_caller(Trial *trial) { trial->wrong_thread |= !pthread_equal(trial->caller, pthread_self()); }

static bool is_done(void *context, i64 index)
{
    Trial *trial = context;
    in_caller(trial);
    trial->wrong_order |= index != trial->asked++;
    return index < JOBS_MAX && trial->was_done[index];
}

static void *open_state(void *context, Message *message)
{
    Trial *trial = context;
    if (atomic_fetch_add(&trial->opens, 1) == trial->fail_open)
        return message_set(message, "open failed"), NULL;
    State *state = calloc(1, sizeof *state);
    state->trial = trial;
    state->thread = pthread_self();
    atomic_fetch_add(&trial->opened, 1);
    return state;
}

static bool give(void *context, i64 index, Text *task, Message *message)
{
    Trial *trial = context;
    in_caller(trial);
    trial->given = index + 1;
    text_add(task, "task %lld", (long long)index);
    return index != trial->fail_give || message_set(message, "give failed");
}

static bool run(void *context, void *opened, i64 index, Span task, Text *result, Message *message)
{
    Trial *trial = context;
    State *state = opened;
    char want[32];
    snprintf(want, sizeof want, "task %lld", (long long)index);
    trial->wrong_bytes |= !span_is(task, want) || result->len != 0;
    trial->wrong_state |= !pthread_equal(state->thread, pthread_self()) || atomic_load(&state->is_closed);
    int now = atomic_fetch_add(&trial->running, 1) + 1;
    for (int most = atomic_load(&trial->most_running); now > most;)
        atomic_compare_exchange_weak(&trial->most_running, &most, now);
    for (i64 until_us = os_now_us() + trial->job_us;
         os_now_us() < until_us && !atomic_load(&state->is_cancelled);)
        usleep(100);
    while (trial->waits && index % 2 && !atomic_load(&state->is_cancelled))
        usleep(100);
    atomic_fetch_sub(&trial->running, 1);
    if (index == trial->fail_run)
        return message_set(message, "run failed");
    if (index == trial->mute_run || (trial->waits && index % 2))
        return false;
    text_add(result, "result %lld", (long long)index);
    return true;
}

static bool take(void *context, i64 index, Span result, Message *message)
{
    Trial *trial = context;
    char want[32];
    in_caller(trial);
    snprintf(want, sizeof want, "result %lld", (long long)index);
    trial->wrong_bytes |= !span_is(result, want);
    if (index == trial->fail_take)
        return message_set(message, "take failed");
    if (index < JOBS_MAX)
        trial->taken[index]++;
    if (++trial->taken_nb == trial->interrupt_at)
        raise(SIGINT);
    return true;
}

static bool is_enough(void *context)
{
    Trial *trial = context;
    in_caller(trial);
    return trial->enough_at >= 0 && trial->taken_nb >= trial->enough_at;
}

static bool is_cancelled(void *context)
{
    Trial *trial = context;
    in_caller(trial);
    return trial->cancel_at >= 0 && trial->taken_nb >= trial->cancel_at;
}

static void cancel(void *opened)
{
    State *state = opened;
    in_caller(state->trial);
    state->trial->wrong_state |= atomic_load(&state->is_closed);
    atomic_store(&state->is_cancelled, true);
    atomic_fetch_add(&state->trial->cancelled_nb, 1);
}

static void close_state(void *opened)
{
    State *state = opened;
    atomic_store(&state->is_closed, true);
    state->trial->wrong_state |= !pthread_equal(state->thread, pthread_self());
    atomic_fetch_add(&state->trial->closed, 1);
    free(state);
}

static void tick(void *context, const JobProgress *progress)
{
    Trial *trial = context;
    in_caller(trial);
    trial->tick_nb++;
    trial->last_nb += progress->is_last;
    trial->wrong_order |= progress->taken != trial->taken_nb;
}

static JobsEnd run_trial(Trial *trial, int threads, i64 job_nb, bool finishes, Message *message)
{
    const JobSet set = {.context = trial,
                        .threads = threads,
                        .job_nb = job_nb,
                        .is_done = is_done,
                        .give = give,
                        .take = take,
                        .is_enough = is_enough,
                        .finishes = finishes,
                        .tick = tick,
                        .is_cancelled = is_cancelled,
                        .cancel = cancel,
                        .open = open_state,
                        .run = run,
                        .close = close_state};
    *message = (Message){{0}};
    return jobs_run(&set, transport_local(), message);
}

// What holds however a run ends.
static void check_trial(const Trial *trial)
{
    CHECK(!trial->wrong_thread && !trial->wrong_order && !trial->wrong_bytes && !trial->wrong_state);
    CHECK_INT(trial->opened, trial->closed);
    CHECK_INT(trial->running, 0);
    CHECK_INT(trial->last_nb, 1);
    for (int i = 0; i < JOBS_MAX; i++)
        CHECK(trial->taken[i] <= 1 && !(trial->taken[i] && trial->was_done[i]));
}

static void test_all_done(void)
{
    static const int THREADS[] = {0, 1, 2, 3, 8, 64};
    for (size_t t = 0; t < sizeof THREADS / sizeof THREADS[0]; t++) {
        CASE("jobs: each once, %d threads", THREADS[t]);
        Trial *trial = trial_new();
        Message message;
        for (int i = 0; i < JOBS_MAX; i += 3)
            trial->was_done[i] = 1;
        CHECK_INT(run_trial(trial, THREADS[t], JOBS_MAX, false, &message), JOBS_DONE);
        check_trial(trial);
        for (int i = 0; i < JOBS_MAX; i++)
            CHECK_INT(trial->taken[i], i % 3 != 0);
        CHECK_INT(trial->asked, JOBS_MAX);
        const int most = max_int(THREADS[t], 1);
        CHECK(trial->opened <= most && trial->most_running <= most);
        free(trial);
    }
    CASE("jobs: no threads for no work");
    for (int nb = 0; nb < 3; nb++) {
        Trial *trial = trial_new();
        Message message;
        for (int i = 0; i < nb; i++)
            trial->was_done[i] = 1;
        CHECK_INT(run_trial(trial, 4, nb, false, &message), JOBS_DONE);
        check_trial(trial);
        CHECK_INT(trial->opens, 0);
        free(trial);
    }
    CASE("jobs: no more threads than jobs");
    Trial *trial = trial_new();
    Message message;
    trial->job_us = 2000;
    CHECK_INT(run_trial(trial, 50, 3, false, &message), JOBS_DONE);
    CHECK_INT(trial->opens, 3);
    check_trial(trial);
    free(trial);
}

static void test_cancelled(void)
{
    for (int threads = 0; threads <= 3; threads++) {
        CASE("jobs: nobody is interested any more, %d threads", threads);
        Trial *trial = trial_new();
        Message message;
        trial->cancel_at = 20;
        trial->job_us = 500;
        CHECK_INT(run_trial(trial, threads, JOBS_MAX, false, &message), JOBS_INTERRUPTED);
        check_trial(trial);
        CHECK(trial->taken_nb >= 20 && trial->taken_nb < JOBS_MAX / 2);
        free(trial);
    }
}

static bool run_plain(void *context, void *opened, i64 index, Span task, Text *result, Message *message)
{
    (void)message;
    ((Trial *)context)->wrong_state |= opened || task.len;
    text_add(result, "result %lld", (long long)index);
    return true;
}

static void test_only_what_is_needed(void)
{
    CASE("jobs: run and take are enough");
    Trial *trial = trial_new();
    Message message = {{0}};
    const JobSet set = {.context = trial, .threads = 2, .job_nb = 20, .take = take, .run = run_plain};
    CHECK_INT(jobs_run(&set, transport_local(), &message), JOBS_DONE);
    CHECK_INT(trial->taken_nb, 20);
    CHECK(!trial->wrong_bytes && !trial->wrong_state);
    free(trial);
}

// With one thread a job is given when all results before it are taken.
static bool give_late(void *context, i64 index, Text *task, Message *message)
{
    Trial *trial = context;
    trial->wrong_order |= trial->taken_nb != index;
    return give(context, index, task, message);
}

static void test_one_thread(void)
{
    CASE("jobs: with one thread each job knows all results before it");
    Trial *trial = trial_new();
    Message message = {{0}};
    const JobSet set = {.context = trial,
                        .threads = 1,
                        .job_nb = 300,
                        .give = give_late,
                        .take = take,
                        .open = open_state,
                        .run = run,
                        .close = close_state};
    CHECK_INT(jobs_run(&set, transport_local(), &message), JOBS_DONE);
    CHECK(!trial->wrong_order);
    CHECK_INT(trial->taken_nb, 300);
    free(trial);
}

static void test_failures(void)
{
    static const struct {
        const char *message;
        i64 open, give, run, take, mute;
    } FAILURES[] = {
        {"open failed", 0, -1, -1, -1, -1},  {"give failed", -1, 7, -1, -1, -1},
        {"give failed", -1, 0, -1, -1, -1},  {"run failed", -1, -1, 9, -1, -1},
        {"take failed", -1, -1, -1, 11, -1}, {"job 5 ended without a result", -1, -1, -1, -1, 5},
    };
    for (size_t i = 0; i < sizeof FAILURES / sizeof FAILURES[0]; i++)
        for (int threads = 0; threads <= 4; threads += threads ? 3 : 1) {
            CASE("jobs: %s, %d threads", FAILURES[i].message, threads);
            Trial *trial = trial_new();
            Message message;
            trial->fail_open = FAILURES[i].open;
            trial->fail_give = FAILURES[i].give;
            trial->fail_run = FAILURES[i].run;
            trial->fail_take = FAILURES[i].take;
            trial->mute_run = FAILURES[i].mute;
            trial->job_us = 300;
            CHECK_INT(run_trial(trial, threads, JOBS_MAX, false, &message), JOBS_FAILED);
            CHECK_TEXT(message.text, FAILURES[i].message);
            check_trial(trial);
            CHECK_THAT(trial->given < 40, "%lld jobs were given", (long long)trial->given);
            if (FAILURES[i].run >= 0 && threads == 1)
                CHECK_INT(trial->taken_nb, FAILURES[i].run); // all before it
            free(trial);
        }
    CASE("jobs: one thread of several can't be opened");
    Trial *trial = trial_new();
    Message message;
    trial->fail_open = 2;
    trial->job_us = 1000;
    CHECK_INT(run_trial(trial, 4, JOBS_MAX, false, &message), JOBS_FAILED);
    CHECK_TEXT(message.text, "open failed");
    check_trial(trial);
    free(trial);
}

static void test_enough(void)
{
    for (int threads = 1; threads <= 4; threads += 3) {
        CASE("jobs: enough ends a run without an end, %d threads", threads);
        Trial *trial = trial_new();
        Message message;
        trial->enough_at = 25;
        CHECK_INT(run_trial(trial, threads, -1, false, &message), JOBS_ENOUGH);
        check_trial(trial);
        CHECK_INT(trial->taken_nb, 25);
        free(trial);

        CASE("jobs: what has begun is finished, %d threads", threads);
        trial = trial_new();
        trial->enough_at = 25;
        trial->job_us = 2000;
        CHECK_INT(run_trial(trial, threads, -1, true, &message), JOBS_ENOUGH);
        check_trial(trial);
        CHECK_INT(trial->taken_nb, trial->given);
        CHECK(trial->taken_nb >= 25 && trial->taken_nb < 25 + threads && trial->cancelled_nb == 0);
        free(trial);
    }
    CASE("jobs: enough before the first");
    Trial *trial = trial_new();
    Message message;
    trial->enough_at = 0;
    CHECK_INT(run_trial(trial, 2, 10, false, &message), JOBS_ENOUGH);
    CHECK_INT(trial->opens, 0);
    check_trial(trial);
    free(trial);
    CASE("jobs: jobs that would never end are cancelled");
    trial = trial_new();
    trial->enough_at = 3;
    trial->waits = true; // half of them
    CHECK_INT(run_trial(trial, 4, -1, false, &message), JOBS_ENOUGH);
    check_trial(trial);
    CHECK_INT(trial->taken_nb, 3);
    CHECK(trial->cancelled_nb > 0);
    free(trial);
}

// An interrupt can't be taken back, so it happens in a process of its own. Its exit code is the number of the
// first thing that is wrong.
static int interrupted_run(int threads, i64 interrupt_at, i64 job_nb, bool waits)
{
    os_catch_interrupts();
    Trial *trial = trial_new();
    Message message;
    trial->interrupt_at = interrupt_at;
    trial->waits = waits;
    trial->job_us = 500;
    if (interrupt_at == 0)
        raise(SIGINT);
    JobsEnd end = run_trial(trial, threads, job_nb, false, &message);
    if (end != (interrupt_at == job_nb ? JOBS_DONE : JOBS_INTERRUPTED))
        return 1;
    if (trial->opened != trial->closed || trial->running || trial->wrong_state || trial->wrong_thread)
        return 2;
    if (trial->taken_nb < interrupt_at || trial->taken_nb > interrupt_at + threads)
        return 3;
    if (interrupt_at == 0 && trial->opens)
        return 4;
    free(trial);
    return 0;
}

static void test_interrupts(void)
{
    static const struct {
        int threads;
        i64 at, job_nb;
        bool waits;
    } RUNS[] = {{1, 5, 100, false}, {4, 5, -1, false}, {4, 0, 100, false},
                {2, 20, 20, false}, {4, 2, 100, true}, {1, 1, 1, false}};
    for (size_t i = 0; i < sizeof RUNS / sizeof RUNS[0]; i++) {
        CASE("jobs: interrupted after %lld of %lld, %d threads", (long long)RUNS[i].at,
             (long long)RUNS[i].job_nb, RUNS[i].threads);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            _exit(interrupted_run(RUNS[i].threads, RUNS[i].at, RUNS[i].job_nb, RUNS[i].waits));
        int status = -1;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        CHECK_INT(status, 0);
    }
}

typedef struct Sums {
    i64 sum[64];
    atomic_int calls;
} Sums;

static void sum_part(void *context, int part, int part_nb)
{
    Sums *sums = context;
    atomic_fetch_add(&sums->calls, 1);
    for (int i = part; i < 1000; i += part_nb)
        sums->sum[part] += i;
}

static void test_fork_join(void)
{
    static const int SIZES[] = {1, 2, 5, 32};
    for (size_t s = 0; s < sizeof SIZES / sizeof SIZES[0]; s++) {
        CASE("parallel: every part once in each round, %d parts", SIZES[s]);
        Parallel *team = parallel_new(SIZES[s]);
        Sums sums = {0};
        i64 total = 0;
        CHECK_INT(parallel_size(team), SIZES[s]);
        for (int round = 1; round <= 50; round++) {
            parallel_run(team, sum_part, &sums);
            CHECK_INT(sums.calls, round * SIZES[s]);
        }
        parallel_free(team);
        for (int i = 0; i < SIZES[s]; i++)
            total += sums.sum[i];
        CHECK_INT(total, 50 * 499500);
        sums = (Sums){0};
        parallel_once(SIZES[s], sum_part, &sums);
        CHECK_INT(sums.calls, SIZES[s]);
    }
    CASE("transport: alone there is nobody to talk to");
    const Transport *local = transport_local();
    Text bytes = {0};
    int from, tag;
    CHECK(local->rank == 0 && local->size == 1);
    CHECK(!local->send(local->self, 1, 0, "x", 1));
    CHECK(!local->receive(local->self, &from, &tag, &bytes, 0));
    CHECK(transport_tell_all(local, TRANSPORT_START, NULL, 0) && transport_of_run() == local);
}

void test_jobs(void)
{
    test_all_done();
    test_cancelled();
    test_only_what_is_needed();
    test_one_thread();
    test_failures();
    test_enough();
    test_interrupts();
    test_fork_join();
}
