// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands of the protocol do (commands.c). The rows of the table in uci.c name them.
#ifndef TWOFOLD_COMMANDS_H
#define TWOFOLD_COMMANDS_H

#include "protocol/uci.h"

void command_hello(Protocol *protocol, Job *job, Span arguments);
void command_isready(Protocol *protocol, Job *job, Span arguments);
void command_new_game(Protocol *protocol, Job *job, Span arguments);
void command_position(Protocol *protocol, Job *job, Span arguments);
void command_setoption(Protocol *protocol, Job *job, Span arguments);
void command_go(Protocol *protocol, Job *job, Span arguments);
void command_threat(Protocol *protocol, Job *job, Span arguments);
void command_ponderhit(Protocol *protocol, Job *job, Span arguments);
void command_debug(Protocol *protocol, Job *job, Span arguments);
void command_json(Protocol *protocol, Job *job, Span arguments);
void command_hash(Protocol *protocol, Job *job, Span arguments);
void command_exclude(Protocol *protocol, Job *job, Span arguments);
void command_qstats(Protocol *protocol, Job *job, Span arguments);
// The options as the protocol lists them.
void options_print(Text *out);

#endif
