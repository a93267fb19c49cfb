// SPDX-License-Identifier: GPL-3.0-or-later
// Analyses of files and of texts, for the tests of `analyse`.
#ifndef TWOFOLD_TEST_ANALYSE_H
#define TWOFOLD_TEST_ANALYSE_H

#include "analysis/analysis.h"
#include "helpers.h"

typedef struct Run {
    int code;
    char *out, *err; // what it printed and what it complained of, freed by run_free
} Run;

Run analyse_file(const char *path, const AnalyseOptions *options);
// The text as a file, searched at 3000 nodes a position unless the options say otherwise.
Run analyse(const char *text, AnalyseOptions options);
void run_free(Run *run);
// Analyses a text and expects both sentences, one in the report and one among the complaints.
void check_report(const char *text, AnalyseOptions options, const char *said, const char *complained);

#endif
