// SPDX-License-Identifier: GPL-3.0-or-later
// The progress line: it fits every terminal, keeps what matters, covers what was there before, and is whole
// in a log.
#include "test.h"

#include <stdlib.h>

#include "base/progress.h"

static void check_line(const ProgressLine *line, int width, const char *expected)
{
    Text text = {0};
    progress_print(line, width, &text);
    CHECK_TEXT(text.ptr ? text.ptr : "", expected);
    text_free(&text);
}

// What datagen tells: 100 columns were too few for all of it.
static ProgressLine long_line(void)
{
    ProgressLine line = {0};
    progress_part(&line, 0, "123456 games, 12345678 positions");
    progress_part(&line, 1, ", 12345 positions/s");
    progress_part(&line, 3, ", 1234 knps a thread");
    progress_part(&line, 2, ", won 40.1%% drawn 20.2%% lost 39.7%%");
    progress_part(&line, 0, ", 12 h 34 min left");
    return line;
}

static void test_fit(void)
{
    ProgressLine line = long_line();
    CASE("progress: a log has all of it");
    check_line(
        &line, 0,
        "123456 games, 12345678 positions, 12345 positions/s, 1234 knps a thread, won 40.1% drawn 20.2% lost "
        "39.7%, 12 h 34 min left");
    CASE("progress: what matters least goes first");
    check_line(&line, 104,
               "123456 games, 12345678 positions, 12345 positions/s, won 40.1% drawn 20.2% lost 39.7%, "
               "12 h 34 min left ");
    check_line(&line, 99,
               "123456 games, 12345678 positions, 12345 positions/s, 12 h 34 min left                        "
               "      ");
    check_line(&line, 60, "123456 games, 12345678 positions, 12 h 34 min left          ");
    check_line(&line, 20, "123456 games, 123456");
    CASE("progress: no width is exceeded, and every width is filled");
    for (int width = 1; width < 200; width++) {
        Text text = {0};
        progress_bar(&line, width, 200);
        progress_print(&line, width, &text);
        CHECK_INT(text.len, width);
        text_free(&text);
    }
    CASE("progress: characters of several bytes are not cut, and count as many columns as they take");
    line = (ProgressLine){0};
    progress_part(&line, 0, "\xE6\xA3\x8B\xE6\xA3\x8B\xE6\xA3\x8B");
    check_line(&line, 2, "\xE6\xA3\x8B");
    check_line(&line, 5, "\xE6\xA3\x8B\xE6\xA3\x8B ");
    check_line(&line, 7, "\xE6\xA3\x8B\xE6\xA3\x8B\xE6\xA3\x8B ");
    CASE("progress: a part that is too long is cut");
    line = (ProgressLine){0};
    progress_part(&line, 0, "%0500d", 7);
    CHECK_INT(strlen(line.part[0].text), PROGRESS_PART_MAX - 1);
}

static void test_bar(void)
{
    ProgressLine line = {0};
    progress_bar(&line, 1, 4);
    progress_part(&line, 0, "1 of 4");
    progress_part(&line, 1, " positions");
    CASE("progress: the bar takes what is left, up to a limit");
    check_line(&line, 80, "[#######.....................] 1 of 4 positions                                 ");
    check_line(&line, 32, "[###........] 1 of 4 positions  ");
    check_line(&line, 30, "[#####..............] 1 of 4  ");
    check_line(&line, 13, "[#...] 1 of 4");
    check_line(&line, 0, "1 of 4 positions");
    CASE("progress: no bar of nothing");
    progress_bar(&line, 0, 0);
    check_line(&line, 20, "1 of 4 positions    ");
}

static void test_streams(void)
{
    char *said = NULL;
    size_t size;
    ProgressLine one = {0}, two = {0};
    progress_part(&one, 0, "a long line");
    progress_part(&two, 0, "short");
    CASE("progress: drawn over itself on a terminal, and ended once");
    Progress progress;
    FILE *out = open_memstream(&said, &size);
    progress_start(&progress, out, true, 30000);
    progress.width = 16;
    CHECK(!progress_is_due(&progress));
    progress_show(&progress, &one);
    progress_show(&progress, &two);
    progress_end(&progress);
    progress_end(&progress);
    fclose(out);
    CHECK_TEXT(said, "\ra long line    \rshort          \n");
    free(said);
    CASE("progress: lines of a log");
    out = open_memstream(&said, &size);
    progress_start(&progress, out, false, 0);
    CHECK(progress_is_due(&progress));
    progress_show(&progress, &one);
    progress_show(&progress, &two);
    progress_end(&progress);
    fclose(out);
    CHECK_TEXT(said, "a long line\nshort\n");
    free(said);
    CASE("progress: silence");
    progress_start(&progress, NULL, true, 0);
    CHECK(!progress_is_due(&progress));
    progress_show(&progress, &one);
    progress_end(&progress);
}

static void test_times(void)
{
    static const struct {
        i64 seconds;
        const char *text;
    } TIMES[] = {{0, "0 s"},          {59, "59 s"},           {60, "1 min 0 s"}, {3599, "59 min 59 s"},
                 {3600, "1 h 0 min"}, {360061, "100 h 1 min"}};
    CASE("progress: times in words");
    for (size_t i = 0; i < sizeof TIMES / sizeof TIMES[0]; i++) {
        char text[DURATION_MAX];
        duration_print(TIMES[i].seconds, text);
        CHECK_TEXT(text, TIMES[i].text);
    }
    CASE("progress: what is left");
    Progress progress;
    progress_start(&progress, stdout, false, 1000);
    progress.start_us -= 10000000;
    CHECK_INT(progress_left_s(&progress, 5, 50), 101);
    CHECK_INT(progress_left_s(&progress, 0, 50), -1);
    CHECK_INT(progress_left_s(&progress, 5, 0), -1);
    CHECK_INT(progress_left_s(&progress, 5, -1), -1);
    CHECK_INT(progress_left_s(&progress, 1e-300, 1e300), -1);
}

void test_progress(void)
{
    test_fit();
    test_bar();
    test_streams();
    test_times();
}
