// SPDX-License-Identifier: GPL-3.0-or-later
// The outputs of a run: opened before the search, added to with every batch of games, closed at the end.
// Private to analysis/.
#ifndef TWOFOLD_REPORTS_H
#define TWOFOLD_REPORTS_H

#include "analysis/report_folder.h"

// ---- outputs ------------------------------------------------------------------------------------
typedef enum ReportKind {
    REPORT_ANNOTATED,
    REPORT_JSON,
    REPORT_HTML,
    REPORT_PUZZLES,
    REPORT_TEXT,
    REPORT_NB
} ReportKind;

typedef struct ReportOutput {
    const char *path; // NULL: not wanted; "-": standard output
    OutFile file;     // while is_file
    bool is_open, is_file;
} ReportOutput;

typedef struct Reports {
    const AnalyseOptions *options;
    FILE *out, *err;   // `out` is what "-" stands for
    RecordStyle style; // of the annotated games, once has_style
    bool has_style, was_noted;
    ReportOutput output[REPORT_NB];
    HtmlPage page;     // the games of a single page
    HtmlFolder folder; // is_open: in its place, a folder with a page for each
    AnalysisTotals totals;
    Progress progress;
    Text text;
} Reports;

// Opens what the options ask for, for so many games; false with a message when something can't be written. To
// be closed in either case.
bool reports_open(Reports *reports, const AnalyseOptions *options, int game_nb, FILE *out, FILE *err,
                  Message *message);
// Writes a batch of games that were judged.
bool reports_add(Reports *reports, Analysis *analysis, Message *message);
// Ends them; when `ok` is false, files stay what they were before. Answers whether all was written.
bool reports_close(Reports *reports, bool ok, Message *message);

#endif
