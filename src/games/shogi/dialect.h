// SPDX-License-Identifier: GPL-3.0-or-later
// Shogi speaks USI: the words and habits of its protocol, for the protocol loop and the match runner alone.
#ifndef TWOFOLD_DIALECT_H
#define TWOFOLD_DIALECT_H

#include "games/dialect_type.h"

#endif
