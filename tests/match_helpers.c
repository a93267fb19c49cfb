// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that behave in a certain way, and matches between them.
#include "match_helpers.h"

#include <fcntl.h>
#include <stdlib.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif
#include <unistd.h>

#include "arena/arena.h"

const char *behaves(void)
{
    static char path[1024];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 16);
    while (len > 0 && path[len - 1] != '/')
        len--;
    strcpy(path + (len > 0 ? len : 0), "behaves");
    return path;
}

void pair_up(Pairing *pairing, const char *first, const char *second, const TimeControl *control)
{
    const char *modes[SIDE_NB] = {first, second};
    *pairing = (Pairing){
        .common = {.init_timeout_ms = 20000, .margin_ms = 20, .hang_timeout_ms = 300, .stop_grace_ms = 200}};
    for (int s = 0; s < SIDE_NB; s++) {
        char command[1200];
        Message error;
        snprintf(command, sizeof command, "'%s' %s", behaves(), modes[s]);
        CHECK(seat_spec_command(&pairing->spec[s], span_of(command), &error));
        snprintf(pairing->spec[s].name, sizeof pairing->spec[s].name, "%s", modes[s]);
        pairing->spec[s].control = *control;
        pairing->seat[s] = seat_process_new(&pairing->spec[s], &pairing->common, NULL);
        pairing->seat[s]->log = &pairing->log;
    }
}

void pairing_play(Pairing *pairing, const Adjudication *rule, GameReport *report)
{
    Game game = {0};
    Position start = position_of(GAME_START);
    Message message;
    game_start(&game, &start);
    text_clear(&pairing->log);
    CHECK_THAT(match_game_play(pairing->seat, &game, rule, report, &message), "%s", message.text);
    game_free(&game);
}

GameReport pairing_result(Pairing *pairing, const Adjudication *rule)
{
    GameReport report;
    pairing_play(pairing, rule, &report);
    record_free(&report.record);
    return report;
}

void part(Pairing *pairing)
{
    for (int s = 0; s < SIDE_NB; s++) {
        seat_process_free(pairing->seat[s]);
        free(pairing->spec[s].words);
    }
    text_free(&pairing->log);
}

#ifndef _WIN32 // where there is no fork, the matches are those of tests/windows.sh
pid_t start_match(const char *format, ...)
{
    char text[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout);
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    SeatSpec words = {0};
    Message error;
    int null = open("/dev/null", O_WRONLY);
    if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ||
        !seat_spec_command(&words, span_of(text), &error))
        _exit(99);
    _exit(arena_match_main(words.argv_nb, words.argv));
}

int end_of_match(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
#endif
