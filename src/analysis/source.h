// SPDX-License-Identifier: GPL-3.0-or-later
// Where the games of an analysis come from: files, standard input, positions given as words. They are read
// through once to see what is there; after that each game can be read by itself, by its place. Private to
// analysis/.
#ifndef TWOFOLD_SOURCE_H
#define TWOFOLD_SOURCE_H

#include "analysis/analysis.h"

// Where a game stands.
typedef struct SourcePlace {
    i64 offset;
    int size, file, line, number; // of the file: an index; line and number count from 1
    int position_nb;              // that are searched; 0 when it is left out
    bool is_position;
} SourcePlace;

typedef struct SourceFile {
    const char *name; // for people
    FILE *stream;     // NULL: the text is all there is
    Text text;        // given as words, or read from standard input
    bool is_words;
} SourceFile;

// Zero-initialised is empty.
typedef struct Source {
    Rules rules;
    const char *player;
    int from_move;
    SourceFile *file;
    int file_nb;
    SourcePlace *place; // of the games that were chosen, in order
    int place_nb, capacity;
    int game_nb;     // in the input
    int readable_nb; // of those chosen, that something can be analysed of
    // Of the share that is looked at, the places from first_place up to end_place; source_choose_share fills
    // them.
    int first_place, end_place;
    int kept_nb;     // games that something can be analysed of: not positions
    i64 position_nb; // that are to be searched
} Source;

// Reads through the inputs. Games that cannot be read, or only in part, are told on `err` with their places.
// False with a message when an input can't be read or there is nothing in it.
bool source_open(Source *source, const char *const *inputs, int input_nb, FILE *err, Message *message);
// Of several shares one, in which games stand one after the other; zero-initialised is all of them.
void source_choose_share(Source *source, const Shard *shard);
void source_free(Source *source);
// Reads the game of a place; false when there is no memory, or the file is not what it was.
bool source_read(Source *source, int index, AnalysedGame *game, Message *message);
// The inputs of a command line: words that are a position and were not put in quotes are joined again, into
// `joined`. How many inputs there are.
int source_join(const char *const *words, int word_nb, const char **inputs, Text *joined);

#endif
