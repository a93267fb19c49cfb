// SPDX-License-Identifier: GPL-3.0-or-later
// What handing out jobs costs: jobs that sleep and do nothing else, over the ranks this program is started
// with (mpirun, or --ranks N). Prints how well the ranks were used and what a job cost rank 0. What
// docs/cluster.md says of large runs begins with these numbers.
//   jobs_bench JOBS MICROSECONDS      so many jobs, each sleeping half of it to one and a half of it
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/jobs.h"
#include "cluster/cluster.h"

enum { TASK_BYTES = 400, RESULT_BYTES = 400 }; // as those of a position

typedef struct Bench {
    i64 us;
    i64 slept_us;
    int threads;
} Bench;

static bool give(void *context, i64 index, Text *task, Message *message)
{
    char bytes[TASK_BYTES] = {0};
    (void)context, (void)index, (void)message;
    text_add_bytes(task, bytes, sizeof bytes);
    return true;
}

static bool run(void *context, void *state, i64 index, Span task, Text *result, Message *message)
{
    const Bench *bench = context;
    char bytes[RESULT_BYTES] = {0};
    const i64 us = bench->us / 2 + (bench->us ? (i64)(hash_mix((u64)index) % (u64)bench->us) : 0);
    (void)state, (void)task, (void)message;
    nanosleep(&(struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000}, NULL);
    memcpy(bytes, &us, sizeof us);
    text_add_bytes(result, bytes, sizeof bytes);
    return true;
}

static bool take(void *context, i64 index, Span result, Message *message)
{
    i64 us;
    (void)index, (void)message;
    memcpy(&us, result.ptr, sizeof us);
    ((Bench *)context)->slept_us += us;
    return true;
}

static void tick(void *context, const JobProgress *progress)
{
    ((Bench *)context)->threads = progress->threads;
}

int main(int argc, char **argv)
{
    ClusterRun cluster;
    Message message = {0};
    i64 jobs;
    Bench bench = {0};
    if (!cluster_open(&cluster, &argc, argv, &message) || argc != 3 ||
        !span_int(span_of(argv[1]), 1, 1000000000, &jobs) ||
        !span_int(span_of(argv[2]), 0, 1000000000, &bench.us)) {
        fprintf(stderr, "usage: jobs_bench JOBS MICROSECONDS %s\n", message.text);
        return 2;
    }
    const JobSet set = {.context = &bench,
                        .threads = 1,
                        .job_nb = jobs,
                        .give = give,
                        .run = run,
                        .take = take,
                        .tick = tick};
    int code = 0;
    if (cluster_wait(&cluster)) {
        const i64 start_us = os_now_us();
        const clock_t start_cpu = clock();
        code = jobs_run(&set, cluster.transport, &message) != JOBS_DONE;
        const double wall = (double)(os_now_us() - start_us),
                     cpu = (double)(clock() - start_cpu) * 1e6 / CLOCKS_PER_SEC;
        if (cluster.transport->rank == 0)
            printf("ranks %d, jobs %lld of %lld us: %.3f s, %.0f jobs/s, efficiency %.3f, rank 0 %.1f us of "
                   "its core a job %s\n",
                   bench.threads, (long long)jobs, (long long)bench.us, wall / 1e6, (double)jobs / wall * 1e6,
                   (double)bench.slept_us / wall / bench.threads, cpu / (double)jobs, message.text);
    }
    cluster_close(&cluster, code);
    return code;
}
