// SPDX-License-Identifier: GPL-3.0-or-later
// The reports by the names of their formats: html, text, json, or a format of games for one with marks and
// remarks.
#include "analysis/analysis.h"

static const RecordFormat *find_written(Span name)
{
    const RecordFormat *format;
    for (int i = 0; (format = record_format_at(i)) != NULL; i++)
        if (format->is_written && span_is_nocase(name, format->name))
            break;
    return format;
}

bool report_find(Span format, const char **ending)
{
    const RecordFormat *known = find_written(format);
    *ending = span_is(format, "html")   ? "html"
              : span_is(format, "text") ? "txt"
              : span_is(format, "json") ? "jsonl"
              : known                   ? known->ending
                                        : NULL;
    return *ending != NULL;
}

void report_write(const Analysis *analysis, Span format, const char *title, Text *out)
{
    if (span_is(format, "html"))
        report_html(analysis, title, out);
    else if (span_is(format, "text"))
        report_text(analysis, out);
    else if (span_is(format, "json"))
        report_json(analysis, out);
    else
        report_annotated(analysis, find_written(format)->name, out);
}

bool analysis_goes_on(const Analysis *analysis, int game)
{
    Progress *progress = analysis->progress;
    if (progress && progress_is_due(progress)) {
        ProgressLine line = {0};
        progress_part(&line, 0, "writing %.60s",
                      strcmp(analysis->output, "-") == 0 ? said("the report") : analysis->output);
        progress_part(&line, 0, ": game %d of %d", analysis->before_nb + game + 1,
                      analysis->total_nb ? analysis->total_nb : analysis->game_nb);
        text_disarm(line.part[0].text, strlen(line.part[0].text), '?');
        progress_show(progress, &line);
    }
    return !os_interrupted();
}
