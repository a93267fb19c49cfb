// SPDX-License-Identifier: GPL-3.0-or-later
// Time controls as text, and clocks that run by them.
#include "base/clock.h"

#include "base/language.h"

bool time_control_parse(TimeControl *control, Span text, Message *message)
{
    TimeControl c = *control;
    const char *slash = memchr(text.ptr, '/', text.len);
    Span rest = text;
    c.has_clock = true;
    c.moves = 0;
    c.inc_ms = 0;
    if (slash) {
        i64 moves;
        if (!span_int((Span){text.ptr, (size_t)(slash - text.ptr)}, 1, 1000, &moves))
            return message_set(message, "'%.*s' does not begin with a number of moves", (int)text.len,
                               text.ptr);
        c.moves = (int)moves;
        rest = (Span){slash + 1, text.len - (size_t)(slash + 1 - text.ptr)};
    }
    const char *plus = memchr(rest.ptr, '+', rest.len);
    Span base = {rest.ptr, plus ? (size_t)(plus - rest.ptr) : rest.len}, inc = {0};
    if (plus)
        inc = (Span){plus + 1, rest.len - base.len - 1};
    double base_s, inc_s = 0;
    if (!span_real(base, 0, 1e6, &base_s) || (plus && !span_real(inc, 0, 1e6, &inc_s)))
        return message_set(message, "'%.*s' is not [MOVES/]SECONDS[+SECONDS], like 8+0.08 or 40/60",
                           (int)text.len, text.ptr);
    c.base_ms = (i64)(base_s * 1000 + 0.5);
    c.inc_ms = (i64)(inc_s * 1000 + 0.5);
    *control = c;
    return true;
}

static void print_control(const TimeControl *control, Language in, char *out, size_t size)
{
    Text text = {0};
    if (control->has_clock && control->moves)
        text_add(&text, "%d/", control->moves);
    if (control->has_clock && (control->base_ms || control->inc_ms || !control->byoyomi_ms))
        text_add(&text, "%g+%g", (double)control->base_ms / 1000, (double)control->inc_ms / 1000);
    if (control->byoyomi_ms)
        text_add(&text, said_in(in, "%sbyoyomi %lld ms"), text.len ? ", " : "",
                 (long long)control->byoyomi_ms);
    if (control->move_time_ms)
        text_add(&text, said_in(in, "%s%lld ms a move"), text.len ? ", " : "",
                 (long long)control->move_time_ms);
    if (control->nodes)
        text_add(&text, said_in(in, "%s%llu nodes"), text.len ? ", " : "",
                 (unsigned long long)control->nodes);
    if (control->depth)
        text_add(&text, said_in(in, "%sdepth %d"), text.len ? ", " : "", control->depth);
    span_copy(text_span(&text), out, size);
    text_free(&text);
}

void time_control_print(const TimeControl *control, char *out, size_t size)
{
    print_control(control, LANGUAGE_ENGLISH, out, size);
}

void time_control_say(const TimeControl *control, char *out, size_t size)
{
    print_control(control, language(), out, size);
}

void clock_start(Clock *clock, const TimeControl *control)
{
    bool is_empty = !control->base_ms && !control->byoyomi_ms;
    *clock = (Clock){.control = control,
                     .left_us = (is_empty ? control->inc_ms : control->base_ms) * 1000,
                     .moves_to_go = control->moves};
}

i64 clock_allowed_ms(const Clock *clock)
{
    const TimeControl *control = clock->control;
    if (!control->has_clock)
        return control->move_time_ms ? control->move_time_ms : -1;
    i64 ms = clock->left_us / 1000 + control->byoyomi_ms;
    return control->move_time_ms ? min_i64(ms, control->move_time_ms) : ms;
}

bool clock_spend(Clock *clock, i64 us)
{
    const TimeControl *control = clock->control;
    if (!control->has_clock)
        return true;
    bool in_time = us <= clock->left_us + control->byoyomi_ms * 1000;
    // Byoyomi is given anew for every move.
    clock->left_us = max_i64(clock->left_us - us, 0) + control->inc_ms * 1000;
    if (clock->moves_to_go && --clock->moves_to_go == 0) {
        clock->left_us += control->base_ms * 1000;
        clock->moves_to_go = control->moves;
    }
    return in_time;
}
