// SPDX-License-Identifier: GPL-3.0-or-later
// What a person types, and the lines that are drawn while nobody types: the prompt with its clock, what the
// engine thinks. Over a pipe lines are read as they come and nothing is drawn.
#ifndef TWOFOLD_PLAY_INPUT_H
#define TWOFOLD_PLAY_INPUT_H

#include "console/play_game.h"

// Lines are edited, where the options say that a terminal can do it. And no more; harmless before.
void play_input_open(Play *play);
void play_input_close(Play *play);
typedef enum PlayInput {
    INPUT_LINE,
    INPUT_END,
    INPUT_SIGNAL, // os_interrupted tells which
    INPUT_TIME,   // the clock of whoever is to move has run out
} PlayInput;
// Shows the prompt and reads a line.
PlayInput play_read_line(Play *play, Text *line);
// A question that is answered by one key; true for yes. A signal is yes, and stays.
bool play_ask(Play *play, const char *question);
// A signal came: asks whether to leave where somebody can answer, else leaves.
void play_interrupted(Play *play);

// Draws a line over the one before; nothing where no lines are drawn.
void play_status(Play *play, Span text);
// And takes it away again.
void play_status_end(Play *play);
// Shows the running clock and what the engine thinks: a new line, or the one told last (NULL). Not too often.
void play_show_thinking(Play *play, const SearchLine *line);

#endif
