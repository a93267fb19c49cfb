// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that show things to a person at the prompt (show.c).
#ifndef TWOFOLD_SHOW_H
#define TWOFOLD_SHOW_H

#include "protocol/uci.h"

void command_show(Protocol *protocol, Job *job, Span arguments);
void command_eval(Protocol *protocol, Job *job, Span arguments);
void command_moves(Protocol *protocol, Job *job, Span arguments);
void command_flip(Protocol *protocol, Job *job, Span arguments);
void command_version(Protocol *protocol, Job *job, Span arguments);
void command_help(Protocol *protocol, Job *job, Span arguments);

#endif
