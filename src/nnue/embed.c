// SPDX-License-Identifier: GPL-3.0-or-later
// The network file as bytes of the program. The assembler takes it in, which is why this file is compiled
// outside link-time optimisation: it can't see through an assembler's symbol. The build names the file in
// NET_FILE if there is one.
#include "nnue/embed.h"

#ifdef NET_FILE
__asm__(".pushsection .rodata\n"
        ".balign 64\n"
        ".globl twofold_net_begin\n"
        ".hidden twofold_net_begin\n"
        "twofold_net_begin:\n"
        ".incbin \"" NET_FILE "\"\n"
        ".globl twofold_net_end\n"
        ".hidden twofold_net_end\n"
        "twofold_net_end:\n"
        ".byte 0\n"
        ".popsection\n");
extern const u8 twofold_net_begin[], twofold_net_end[];

const u8 *embed_file(size_t *size)
{
    *size = (size_t)(twofold_net_end - twofold_net_begin);
    return twofold_net_begin;
}
#else
const u8 *embed_file(size_t *size)
{
    *size = 0;
    return NULL;
}
#endif
