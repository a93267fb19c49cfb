// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard of a terminal, a byte at a time, and where a user's data is kept, on POSIX systems. Invariant:
// between os_keys_begin and os_keys_end the terminal neither shows what is typed nor waits for whole lines,
// also after the program was stopped and goes on; signals of the keyboard are signals as before.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "base/base.h"

static struct termios usual, keyed;
static bool has_keys;
// What was typed, as lines, before the keys were ours: it would lose its end.
static char ahead[4096];
static size_t ahead_nb, ahead_at;
static bool is_ended_ahead;

static void take_ahead(void)
{
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    while (!is_ended_ahead && ahead_nb < sizeof ahead && poll(&fd, 1, 0) == 1) {
        const ssize_t got = read(STDIN_FILENO, ahead + ahead_nb, sizeof ahead - ahead_nb);
        is_ended_ahead = got <= 0;
        ahead_nb += got > 0 ? (size_t)got : 0;
    }
}

// The shell has set the terminal as it likes it while we were stopped.
static void note_continued(int signal_number)
{
    (void)signal_number;
    const int old = errno;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &keyed);
    errno = old;
}

bool os_keys_begin(void)
{
    struct sigaction action = {.sa_handler = note_continued, .sa_flags = SA_RESTART};
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &usual) != 0)
        return false;
    take_ahead();
    keyed = usual;
    keyed.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    keyed.c_iflag &= ~(tcflag_t)IXON; // Ctrl-S would stand still without a word
    keyed.c_cc[VMIN] = 1;
    keyed.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSADRAIN, &keyed) != 0)
        return false;
    sigemptyset(&action.sa_mask);
    sigaction(SIGCONT, &action, NULL);
    has_keys = true;
    return true;
}

void os_keys_end(void)
{
    if (!has_keys)
        return;
    has_keys = false;
    signal(SIGCONT, SIG_DFL);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &usual);
}

int os_key_read(int timeout_ms)
{
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    u8 byte;
    if (ahead_at < ahead_nb)
        return (u8)ahead[ahead_at++];
    if (is_ended_ahead)
        return KEY_END;
    const int ready = poll(&fd, 1, timeout_ms);
    if (ready == 0 || (ready < 0 && errno == EINTR))
        return KEY_NONE;
    const ssize_t got = ready < 0 ? -1 : read(STDIN_FILENO, &byte, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return KEY_NONE;
    return got == 1 ? byte : KEY_END;
}

bool os_data_folder(char *out, size_t size)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int len = -1;
    if (data && data[0] == '/') // a path that is not whole is to be left alone, as the convention has it
        len = snprintf(out, size, "%s", data);
    else if (home && home[0] == '/')
        len = snprintf(out, size, "%s/.local/share", home);
    return len >= 0 && (size_t)len < size;
}
