// SPDX-License-Identifier: GPL-3.0-or-later
// The network file as bytes of the program. The assembler takes it in, which is why this file is compiled
// outside link-time optimisation: it can't see through an assembler's symbol. The build names the file in
// NET_FILE if there is one.
#include "nnue/embed.h"

#ifdef NET_FILE
// clang-format off
#ifdef _WIN32 // its names are never seen outside
#define NET_SYMBOL(name) ".globl " name "\n"
#else
#define NET_SYMBOL(name) ".globl " name "\n.hidden " name "\n"
#endif
#ifdef _WIN32
#define NET_SECTION ".section .rdata,\"dr\"\n.balign 64\n"
#define NET_SIZE(name, size) ""
#define NET_LAST ".byte 0\n.text\n"
#elif defined(__wasm__) // its assembler wants a section for the piece, and the type and size of every name
#define NET_SECTION ".section .rodata.twofold_net,\"\",@\n.p2align 6\n"
#define NET_SIZE(name, size) ".type " name ",@object\n.size " name "," size "\n"
#define NET_LAST ".int8 0\n"
#else
#define NET_SECTION ".pushsection .rodata\n.balign 64\n"
#define NET_SIZE(name, size) ""
#define NET_LAST ".byte 0\n.popsection\n"
#endif
__asm__(NET_SECTION
        NET_SYMBOL("twofold_net_begin")
        NET_SIZE("twofold_net_begin", "twofold_net_end - twofold_net_begin")
        "twofold_net_begin:\n"
        ".incbin \"" NET_FILE "\"\n"
        NET_SYMBOL("twofold_net_end")
        NET_SIZE("twofold_net_end", "1")
        "twofold_net_end:\n"
        NET_LAST);
// clang-format on
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
