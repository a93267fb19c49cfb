// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes as lines of the protocol, run one after the other with tiny searches. What would
// fill a disk or the memory (the table's size, its files, threads) is left out; the position must stay sound
// whatever comes.
#include <stdlib.h>

#include "protocol/uci.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static bool forget(void *context, const char *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
    return true;
}

static bool is_harmless(Span line)
{
    for (Span word; (word = span_word(&line)).len;)
        if (span_is_nocase(word, "hash") || span_is_nocase(word, "threads") ||
            span_is_nocase(word, "USI_Hash") || span_is(word, "bench"))
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    static Protocol protocol; // one for the whole run: a start for each input would be most of the time
    static bool is_open;
    if (!is_open) {
        game_init();
        if (!protocol_init(&protocol))
            abort();
        protocol.out.write = forget;
        protocol.session.node_cap = 60;
        is_open = true;
    }
    Span rest = {(const char *)data, size}, line;
    while (span_line(&rest, &line)) {
        if (is_harmless(line))
            protocol_run_line(&protocol, line);
        if (!pos_is_ok(&protocol.session.game.pos))
            abort();
    }
    return 0;
}
