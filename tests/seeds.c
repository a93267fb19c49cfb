// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target on files, where no fuzzer is: each file as it is, then cut short, then with a byte
// changed, at places all over it. The last line is `seeds: P passed, 0 failed`; a target that finds a fault
// ends the program.
#include <stdlib.h>

#include "game.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

enum { PLACES = 64 };

int main(int argc, char **argv)
{
    int run_nb = 0;
    os_start(&argc, &argv);
    game_init();
    for (int i = 1; i < argc; i++) {
        FileMap map;
        Message error;
        if (!os_map_file(&map, argv[i], &error)) {
            printf("FAILED: seeds: %s\n", error.text);
            return 1;
        }
        u8 *bytes = malloc(map.size + 1);
        if (!bytes)
            return 1;
        memcpy(bytes, map.data, map.size);
        LLVMFuzzerTestOneInput(bytes, map.size);
        size_t step = map.size / PLACES + 1;
        for (size_t at = 0; at < map.size; at += step, run_nb += 2) {
            LLVMFuzzerTestOneInput(bytes, at);
            bytes[at] ^= (u8)(1 + at % 255);
            LLVMFuzzerTestOneInput(bytes, map.size);
            bytes[at] = map.data[at];
        }
        run_nb++;
        free(bytes);
        os_unmap_file(&map);
    }
    printf("seeds: %d passed, 0 failed\n", run_nb);
    return 0;
}
