// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from self-play, as subcommands: make games (datagen), look after the files (data), learn a network
// from them (train). Each takes its own command line, argv[0] being the subcommand's name, prints what a
// person wants to know, and returns the exit code (base/cli.h). All answer --help.
#ifndef TWOFOLD_TRAIN_H
#define TWOFOLD_TRAIN_H

int train_datagen_main(int argc, char **argv);
int train_data_main(int argc, char **argv);
int train_train_main(int argc, char **argv);

#endif
