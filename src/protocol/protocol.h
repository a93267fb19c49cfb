// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol loop: reads commands from standard input, answers on standard output, never blocks. UCI or
// USI, as the game's dialect says. Commands given as arguments are run one time instead.
#ifndef TWOFOLD_PROTOCOL_H
#define TWOFOLD_PROTOCOL_H

#include <stdbool.h>

struct Peers;

// Serves standard input until quit or its end; with arguments, runs them as one command. With peers (NULL:
// none) its searches are theirs too. Returns the exit code.
// Does the line begin with a command of the protocol?
bool protocol_has_command(const char *line);
int protocol_main(int argc, char **argv, const struct Peers *peers);

#endif
