// SPDX-License-Identifier: GPL-3.0-or-later
// The clock and the threads of POSIX, which WebAssembly has too: the same calls on every system. What differs
// between them is in os_posix.c and os_wasm.c.
#include <time.h>

#include "base/base.h"

i64 os_now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (i64)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

bool os_thread_start(Thread *thread, void *(*run)(void *), void *argument)
{
    if (!os_can(OS_THREADS))
        return false;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, OS_STACK_BYTES);
    int error = pthread_create(thread, &attr, run, argument);
    pthread_attr_destroy(&attr);
    return error == 0;
}

void os_thread_join(Thread thread) { pthread_join(thread, NULL); }

void os_cond_init(Cond *cond)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}
