// SPDX-License-Identifier: GPL-3.0-or-later
// See reports.h. A file is written under a temporary name and takes its own at the end, so that an interrupt
// or a full disk leaves what was there before.
#include "analysis/reports.h"
#include "base/language.h"

#include <errno.h>

enum { REPORT_MS = 2000 };

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

// The format and the encoding of the annotated games: as was asked for, else by the ending of the file's
// name; an encoding that is open then is that of the first game that was read.
static RecordStyle annotated_style(const Analysis *analysis, const AnalyseOptions *options)
{
    RecordStyle style = record_style_of(options->annotated_path);
    const RecordFormat *format = NULL;
    for (int i = 0; style.format && (format = record_format_at(i)); i++)
        if (strcmp(format->name, style.format) == 0)
            break;
    if (!format || !format->is_written)
        style = (RecordStyle){0};
    const char *of_input = analysis->game_nb ? analysis->game[0].record.encoding : NULL;
    if (!style.encoding && of_input)
        style.encoding = record_encoding_named(span_of(of_input));
    if (options->format)
        style.format = options->format;
    if (options->encoding)
        style.encoding = record_encoding_named(span_of(options->encoding));
    return style;
}

// What can't be written in the encoding is told once.
static bool make_annotated(Reports *reports, const Analysis *analysis, Message *message)
{
    Message note = {0};
    if (!reports->has_style)
        reports->style = annotated_style(analysis, reports->options);
    reports->has_style = true;
    bool ok = report_annotated(analysis, reports->style.format, &reports->text) &&
              record_encode(&reports->text, reports->style.encoding, &note);
    if (note.text[0] && !reports->was_noted)
        fprintf(reports->err, "%s: %s\n", message_of(reports->options->annotated_path).text, note.text);
    reports->was_noted |= note.text[0] != '\0';
    return ok || message_set(message, "not enough memory to write '%s'", reports->options->annotated_path);
}

// A page with more games than this becomes an index.
enum { PAGE_GAMES = 100 };

static bool open_output(Reports *reports, ReportKind kind, const char *path, int game_nb, Message *message)
{
    ReportOutput *output = &reports->output[kind];
    const bool is_folder = kind == REPORT_HTML && !is_standard(path) && folder_is_named(path);
    output->path = path;
    if (is_folder || (kind == REPORT_HTML && !is_standard(path) && game_nb > PAGE_GAMES))
        if (!folder_open(&reports->folder, path, message))
            return false;
    if (is_folder || is_standard(path))
        return true;
    output->is_file = os_out_open(&output->file, path, message);
    return output->is_file;
}

bool reports_open(Reports *reports, const AnalyseOptions *options, int game_nb, FILE *out, FILE *err,
                  Message *message)
{
    const char *const paths[REPORT_NB] = {[REPORT_ANNOTATED] = options->annotated_path,
                                          [REPORT_JSON] = options->json_path,
                                          [REPORT_HTML] = options->html_path,
                                          [REPORT_PUZZLES] = options->puzzles_path,
                                          [REPORT_TEXT] = "-"};
    bool is_taken = options->quiet; // is standard output in use by a report, or not wanted?
    *reports = (Reports){.options = options, .out = out, .err = err};
    progress_start(&reports->progress, options->quiet ? NULL : err, options->progress_bar, REPORT_MS);
    for (int i = 0; i < REPORT_NB; i++) {
        ReportOutput *output = &reports->output[i];
        if (!paths[i] || (i == REPORT_TEXT && is_taken))
            continue;
        is_taken |= is_standard(paths[i]);
        if (!open_output(reports, (ReportKind)i, paths[i], game_nb, message))
            return false;
        output->is_open = true;
    }
    return true;
}

// Writes what the text holds.
static bool put(Reports *reports, ReportOutput *output, Message *message)
{
    const Text *text = &reports->text;
    if (os_interrupted())
        return message_set(message,
                           "interrupted before all reports were written: run the same command again");
    if (text->failed)
        return message_set(message, "not enough memory to write '%s'", output->path);
    if (is_standard(output->path))
        progress_end(&reports->progress);
    if (!is_standard(output->path) && !output->is_file)
        return true;
    FILE *stream = is_standard(output->path) ? reports->out : output->file.stream;
    bool ok = !text->len || (fwrite(text->ptr, 1, text->len, stream) == text->len && fflush(stream) == 0);
    if (ok)
        return true;
    return is_standard(output->path)
               ? message_set(message, "cannot write to standard output: %s", said(strerror(errno)))
               : message_set(message, "cannot write '%s': %s", output->path, said(strerror(errno)));
}

bool reports_add(Reports *reports, Analysis *analysis, Message *message)
{
    bool ok = true;
    analysis->progress = &reports->progress;
    analysis_totals(analysis, &reports->totals);
    for (int i = 0; ok && i < REPORT_NB; i++) {
        ReportOutput *output = &reports->output[i];
        if (!output->path)
            continue;
        analysis->output = output->path;
        text_clear(&reports->text);
        if (i == REPORT_ANNOTATED)
            ok = make_annotated(reports, analysis, message);
        else if (i == REPORT_JSON)
            report_json_games(analysis, &reports->text);
        else if (i == REPORT_HTML && reports->folder.is_open)
            ok = folder_add(&reports->folder, analysis, message);
        else if (i == REPORT_HTML)
            html_add(&reports->page, analysis);
        else if (i == REPORT_PUZZLES)
            report_puzzles(analysis, &reports->text);
        else if (i == REPORT_TEXT)
            report_text_games(analysis, &reports->text);
        ok = ok && put(reports, output, message);
    }
    analysis->progress = NULL;
    return ok;
}

bool reports_close(Reports *reports, bool ok, Message *message)
{
    for (int i = 0; i < REPORT_NB; i++) {
        ReportOutput *output = &reports->output[i];
        if (!output->is_open)
            continue;
        text_clear(&reports->text);
        if (ok && i == REPORT_JSON)
            report_json_end(&reports->totals, &reports->text);
        else if (ok && i == REPORT_HTML && reports->folder.is_open)
            ok = folder_finish(&reports->folder, reports->options->title, &reports->text, message);
        else if (ok && i == REPORT_HTML)
            html_finish(&reports->page, reports->options->title, &reports->text);
        else if (ok && i == REPORT_TEXT)
            report_text_end(&reports->totals, &reports->text);
        ok = ok && put(reports, output, message);
        if (output->is_file)
            ok = os_out_close(&output->file, ok, ok ? message : &(Message){0}) && ok;
        output->is_open = false;
    }
    progress_end(&reports->progress);
    html_free(&reports->page);
    folder_free(&reports->folder);
    text_free(&reports->text);
    return ok;
}
