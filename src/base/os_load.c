// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the cores other work takes, on Linux from /proc; elsewhere nobody tells. All that the cores did
// is counted, processes that came and went too, but for our own time and that of processes which would yield
// to us at once. Who yields is not only a matter of nice: with autogroups the scheduler shares the cores
// between sessions first, and nice counts within one.
#include "base/base.h"

#ifdef __linux__
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

enum { YIELDING_NICE = 15 }; // a thirtieth of the weight of a process that is not nice

typedef struct LoadSample {
    int pid, session, nice;
    i64 ticks; // of CPU time so far
    char name[32];
} LoadSample;

typedef struct Samples {
    LoadSample *ptr;
    int nb, capacity;
    i64 busy; // ticks of all cores
} Samples;

static bool read_text(const char *path, char *out, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t len = file ? fread(out, 1, size - 1, file) : 0;
    out[len] = '\0';
    if (file)
        fclose(file);
    return len > 0;
}

// A process as its line in /proc tells it: pid (name) state ppid pgrp session ... The name may hold anything.
static bool read_sample(int pid, LoadSample *sample)
{
    char path[64], line[1024];
    long long user, system;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    *sample = (LoadSample){.pid = pid};
    char *name, *end;
    if (!read_text(path, line, sizeof line) || !(name = strchr(line, '(')) || !(end = strrchr(line, ')')))
        return false;
    *end = '\0';
    snprintf(sample->name, sizeof sample->name, "%s", name + 1);
    for (char *c = sample->name; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?'; // it may be meant for a terminal
    if (sscanf(end + 1, " %*c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %lld %lld %*d %*d %*d %d",
               &sample->session, &user, &system, &sample->nice) != 4)
        return false;
    sample->ticks = user + system;
    return true;
}

static i64 busy_ticks(void)
{
    char line[512];
    long long user, nice, system, irq, softirq;
    bool ok =
        read_text("/proc/stat", line, sizeof line) &&
        sscanf(line, "cpu %lld %lld %lld %*d %*d %lld %lld", &user, &nice, &system, &irq, &softirq) == 5;
    return ok ? user + nice + system + irq + softirq : -1;
}

static int compare_pids(const void *a, const void *b)
{
    int x = ((const LoadSample *)a)->pid, y = ((const LoadSample *)b)->pid;
    return (x > y) - (x < y);
}

// All processes, in the order of their numbers.
static bool samples_take(Samples *all)
{
    DIR *folder = opendir("/proc");
    all->busy = busy_ticks();
    bool ok = folder && all->busy >= 0;
    for (struct dirent *entry; ok && (entry = readdir(folder));) {
        LoadSample sample;
        if (!isdigit((unsigned char)entry->d_name[0]) ||
            !read_sample((int)strtol(entry->d_name, NULL, 10), &sample))
            continue;
        if (all->nb == all->capacity) {
            int capacity = 2 * all->capacity + 256;
            LoadSample *grown = realloc(all->ptr, (size_t)capacity * sizeof *grown);
            ok = grown != NULL;
            if (!ok)
                break;
            all->ptr = grown;
            all->capacity = capacity;
        }
        all->ptr[all->nb++] = sample;
    }
    if (folder)
        closedir(folder);
    if (ok)
        qsort(all->ptr, (size_t)all->nb, sizeof all->ptr[0], compare_pids);
    return ok;
}

// Its session has a nice of its own, which is all that counts for others when sessions share the cores.
static bool yields(const LoadSample *sample)
{
    char path[64], text[128];
    int nice = sample->nice;
    bool has_groups =
        read_text("/proc/sys/kernel/sched_autogroup_enabled", text, sizeof text) && text[0] == '1';
    snprintf(path, sizeof path, "/proc/%d/autogroup", sample->pid);
    if (has_groups && sample->session != (int)getsid(0) && read_text(path, text, sizeof text)) {
        const char *word = strstr(text, " nice ");
        nice = word ? (int)strtol(word + 6, NULL, 10) : 0;
    }
    return nice >= YIELDING_NICE;
}

static void compare_samples(const Samples *before, const Samples *after, double seconds, OtherLoad *load)
{
    int self = (int)getpid();
    i64 ticks = after->busy - before->busy, most = 0;
    for (int i = 0; i < after->nb; i++) {
        const LoadSample *now = &after->ptr[i];
        const LoadSample *then = bsearch(now, before->ptr, (size_t)before->nb, sizeof *now, compare_pids);
        i64 used = now->ticks - (then ? then->ticks : 0);
        if (used <= 0)
            continue;
        if (now->pid == self || yields(now)) {
            ticks -= used;
        } else if (used > most) {
            most = used;
            load->pid = now->pid;
            memcpy(load->name, now->name, sizeof load->name);
        }
    }
    load->cores = (double)max_i64(ticks, 0) / (double)sysconf(_SC_CLK_TCK) / seconds;
}

bool os_process_yields(int pid)
{
    LoadSample sample;
    return read_sample(pid, &sample) && yields(&sample);
}

bool os_other_load(i64 ms, OtherLoad *load)
{
    Samples before = {0}, after = {0};
    *load = (OtherLoad){0};
    i64 start_us = os_now_us();
    bool ok = samples_take(&before);
    if (ok)
        os_sleep_ms(ms);
    ok = ok && samples_take(&after);
    if (ok)
        compare_samples(&before, &after, (double)(os_now_us() - start_us) / 1e6, load);
    free(before.ptr);
    free(after.ptr);
    return ok;
}
#else
bool os_process_yields(int pid)
{
    (void)pid;
    return false;
}

bool os_other_load(i64 ms, OtherLoad *load)
{
    (void)ms;
    *load = (OtherLoad){0};
    return false;
}
#endif
