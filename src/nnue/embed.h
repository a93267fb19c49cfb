// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/nnue: the bytes of the network file the program was built with.
#ifndef TWOFOLD_NNUE_EMBED_H
#define TWOFOLD_NNUE_EMBED_H

#include "base/base.h"

// The file as it was, aligned to 64 bytes; NULL when the program was built without one.
const u8 *embed_file(size_t *size);

#endif
