// SPDX-License-Identifier: GPL-3.0-or-later
// What fuzz targets share: included once by each.
#ifndef TWOFOLD_FUZZ_H
#define TWOFOLD_FUZZ_H

#include <stdlib.h>

#include "game.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    game_init();
    return 0;
}

static inline void require(bool condition)
{
    if (!condition)
        abort();
}

#endif
