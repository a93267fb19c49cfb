// SPDX-License-Identifier: GPL-3.0-or-later
// Progress lines. A drawn line is padded with blanks to the width of the terminal less one column: it covers
// the one before, and a terminal that wraps after its last column does not.
#include "base/progress.h"

#include "base/language.h"

// BAR_FRAME: what is around a bar, its brackets and three blanks.
enum { REDRAW_US = 30000, BAR_MIN = 4, BAR_WANTED = 10, BAR_MAX = 28, BAR_FRAME = 5 };

void progress_part(ProgressLine *line, int rank, const char *format, ...)
{
    assert(line->part_nb < PROGRESS_PARTS_MAX);
    va_list args;
    va_start(args, format);
    vsnprintf(line->part[line->part_nb].text, PROGRESS_PART_MAX, said(format), args);
    va_end(args);
    line->part[line->part_nb++].rank = rank;
}

void progress_bar(ProgressLine *line, i64 done, i64 total)
{
    line->has_bar = total > 0;
    line->done = done;
    line->total = total;
}

// The columns of all parts up to a rank.
static int columns_to(const ProgressLine *line, int rank)
{
    int nb = 0;
    for (int i = 0; i < line->part_nb; i++)
        if (line->part[i].rank <= rank)
            nb += span_width(span_of(line->part[i].text));
    return nb;
}

static void add_bar(const ProgressLine *line, int room, Text *out)
{
    int width = clamp_int(room, BAR_MIN, BAR_MAX);
    text_add(out, "[");
    for (int i = 0; i < width; i++)
        text_add(out, (double)i * (double)line->total < (double)line->done * width ? "#" : ".");
    text_add(out, "] ");
}

// Cuts what is too long and fills what is too short.
static void fit(Text *out, size_t start, int width)
{
    int used = 0;
    size_t end = start;
    for (size_t len; end < out->len; end += len) {
        const Span rest = {out->ptr + end, out->len - end};
        len = span_utf8_char(rest);
        len += len == 0; // a byte that is no character
        const int wide = span_width((Span){rest.ptr, len});
        if (used + wide > width)
            break;
        used += wide;
    }
    if (end < out->len) {
        out->len = end;
        out->ptr[end] = '\0';
    }
    text_add(out, "%*s", width - used, "");
}

void progress_print(const ProgressLine *line, int width, Text *out)
{
    size_t start = out->len;
    int rank = 0, bar = line->has_bar && width > 0 ? BAR_WANTED + BAR_FRAME : 0;
    for (int i = 0; i < line->part_nb; i++)
        rank = max_int(rank, line->part[i].rank);
    while (width > 0 && rank > 0 && columns_to(line, rank) + bar > width)
        rank--;
    if (bar)
        add_bar(line, width - columns_to(line, rank) - BAR_FRAME, out);
    for (int i = 0; i < line->part_nb; i++)
        if (line->part[i].rank <= rank)
            text_add(out, "%s", line->part[i].text);
    if (width > 0 && !out->failed)
        fit(out, start, width);
}

void progress_start(Progress *progress, FILE *out, bool redraws, i64 every_ms)
{
    i64 now_us = os_now_us();
    *progress = (Progress){.out = out,
                           .redraws = redraws,
                           .every_us = redraws ? min_i64(REDRAW_US, every_ms * 1000) : every_ms * 1000,
                           .start_us = now_us,
                           .shown_us = now_us};
}

bool progress_is_due(const Progress *progress)
{
    return progress->out && os_now_us() - progress->shown_us >= progress->every_us;
}

void progress_show(Progress *progress, const ProgressLine *line)
{
    if (!progress->out)
        return;
    Text text = {0};
    int columns = progress->width ? progress->width : os_terminal_width();
    progress_print(line, progress->redraws ? max_int(columns - 1, 1) : 0, &text);
    fprintf(progress->out, progress->redraws ? "\r%s" : "%s\n", text.ptr ? text.ptr : "");
    fflush(progress->out);
    text_free(&text);
    progress->shown_us = os_now_us();
    progress->is_open = progress->redraws;
}

void progress_end(Progress *progress)
{
    if (progress->out && progress->is_open) {
        fputc('\n', progress->out);
        fflush(progress->out);
    }
    progress->is_open = false;
}

void duration_print(i64 seconds, char out[DURATION_MAX])
{
    if (seconds < 60)
        snprintf(out, DURATION_MAX, said("%lld s"), (long long)seconds);
    else if (seconds < 3600)
        snprintf(out, DURATION_MAX, said("%lld min %lld s"), (long long)seconds / 60,
                 (long long)seconds % 60);
    else
        snprintf(out, DURATION_MAX, said("%lld h %lld min"), (long long)seconds / 3600,
                 (long long)seconds / 60 % 60);
}

i64 progress_left_s(const Progress *progress, double done, double left)
{
    if (!(done > 0) || !(left > 0))
        return -1;
    double seconds = (double)(os_now_us() - progress->start_us) / 1e6 * left / done;
    return seconds < 1e15 ? (i64)seconds + 1 : -1;
}
