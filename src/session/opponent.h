// SPDX-License-Identifier: GPL-3.0-or-later
// What makes one game of a level different from another: the seeds of its tastes and oversights, and the
// openings it plays. With a seed of the user's a game depends on nothing else; without one every game, and
// every move that is asked for twice, is drawn anew. Nothing of this reaches full strength.
#ifndef TWOFOLD_OPPONENT_H
#define TWOFOLD_OPPONENT_H

#include "session/session.h"

// A game begins.
void opponent_begin(Session *session);
// Draws the seeds for the move that is to be made now.
void opponent_draw(Session *session, Limits *limits);
// A move of a named opening, while the level knows any: the weaker, the shorter. False when it is to think,
// as at the top of the range, where nothing is limited.
bool opponent_opening(const Session *session, const Limits *limits, Move *move);

#endif
