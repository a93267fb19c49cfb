// SPDX-License-Identifier: GPL-3.0-or-later
// Analyses of files and of texts; see analyse.h for what each function promises.
#include "analyse.h"

#include <stdlib.h>

Run analyse_file(const char *path, const AnalyseOptions *options)
{
    Run run = {0};
    size_t out_size = 0, err_size = 0;
    FILE *out = open_memstream(&run.out, &out_size), *err = open_memstream(&run.err, &err_size);
    run.code = analyse_run(&path, 1, options, out, err);
    fclose(out);
    fclose(err);
    return run;
}

Run analyse(const char *text, AnalyseOptions options)
{
    char path[PATH_BYTES];
    scratch_path("analyse.txt", path);
    write_text(path, text);
    options.hash_mb = 1;
    options.threads = 2;
    if (!options.nodes)
        options.nodes = 3000;
    Run run = analyse_file(path, &options);
    remove(path);
    return run;
}

void run_free(Run *run)
{
    free(run->out);
    free(run->err);
}

void check_report(const char *text, AnalyseOptions options, const char *said, const char *complained)
{
    Run run = analyse(text, options);
    CHECK_INT(run.code, 0);
    check_has(run.out, said);
    check_has(run.err, complained);
    run_free(&run);
}
