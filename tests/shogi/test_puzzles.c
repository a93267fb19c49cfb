// SPDX-License-Identifier: GPL-3.0-or-later
// Puzzles of shogi: a mate that was missed becomes a tsume in SFEN, which is asked in any spelling.
#include <stdlib.h>

#include "analyse.h"
#include "console/puzzles.h"

void test_puzzles(void)
{
    CASE("puzzles: a mate that was missed becomes one, and analyse solves what it wrote");
    Run run = analyse("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves 5i5h 5a4a\n",
                      (AnalyseOptions){.puzzles_path = "-"});
    CHECK_INT(run.code, 0);
    check_has(run.out,
              "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*5b; dm 1; id \"? - ?, game 1, 1. K-5h was played\";");
    Run solved = analyse(run.out, (AnalyseOptions){0});
    check_has(solved.out, "Solved 1 of 1");
    char path[PATH_BYTES], *said = NULL;
    size_t size;
    scratch_path("tsume.sfen", path);
    write_text(path, run.out);
    run_free(&solved);
    run_free(&run);
    CASE("puzzles: asked in shogi, answered in Japanese");
    char typed[] = "G*4b\n５二金打\n";
    PlayOptions options = play_options_default();
    options.puzzles_path = path;
    FILE *in = fmemopen(typed, strlen(typed), "r"), *out = open_memstream(&said, &size);
    CHECK_INT(puzzles_run(in, out, out, &options), 0);
    fclose(in);
    fclose(out);
    check_has(said, "mate in 1");
    check_has(said, "0 of 1 solved at the first try.");
    CHECK_INT(count_of(said, "Right."), 1);
    free(said);
    remove(path);
}
