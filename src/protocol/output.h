// SPDX-License-Identifier: GPL-3.0-or-later
// The one place that prints: whole lines under one lock, whichever thread they come from.
#ifndef TWOFOLD_OUTPUT_H
#define TWOFOLD_OUTPUT_H

#include <stdatomic.h>

#include "protocol/writer.h"

typedef struct Output {
    Mutex mutex;
    // Gets whole lines, ends of line included; false when nobody listens any more. NULL: standard output.
    bool (*write)(void *context, const char *bytes, size_t size);
    void *context;
    atomic_bool broken;
    bool is_command_line; // one command, given as arguments: refusals are for the person who typed it
    bool has_refused;     // then: one was said
} Output;

// Prints one line, or several that end in \n; whole, at once.
void say(Output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_text(Output *out, const Text *text);
// One `info string`, on one line whatever is in it.
void say_info(Output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same for what can't be done as asked; on a command line it goes to standard error and decides the exit
// code.
void refuse(Output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
