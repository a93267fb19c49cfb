// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from self-play, as subcommands: make games (datagen), look after the files (data), learn a network
// from them (train). Each takes its own command line, argv[0] being the subcommand's name, prints what a
// person wants to know, and returns the exit code (base/cli.h). All answer --help.
#ifndef TWOFOLD_TRAIN_H
#define TWOFOLD_TRAIN_H

#include "base/cli.h"

int train_datagen_main(int argc, char **argv);
int train_data_main(int argc, char **argv);
int train_train_main(int argc, char **argv);

// Are these the first bytes of a file of packed games? And: joins the files of several shares, games in the
// order of their numbers; *told gets what is to be told of it.
bool train_is_games(Span bytes);
bool train_join(const char *out, const CliFiles *parts, Text *told, Message *message);

#endif
