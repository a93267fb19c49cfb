// SPDX-License-Identifier: GPL-3.0-or-later
// Looking back on a game that was played: the moves of people that gave away most, and what was better.
#ifndef TWOFOLD_PLAY_MOMENTS_H
#define TWOFOLD_PLAY_MOMENTS_H

#include "console/play_game.h"

// The command, which also runs by itself when a game has ended: looks at every move, twice at what seems to
// matter, and names three at most. An interrupt ends it.
void play_moments(Play *play, Span argument);

#endif
