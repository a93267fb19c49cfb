// SPDX-License-Identifier: GPL-3.0-or-later
// The bench command: the same nodes each time, whatever was set and searched before it, and what a change of
// the search is measured by.
#include <stdlib.h>

#include "helpers.h"
#include "protocol/commands.h"

static bool capture(void *context, const char *bytes, size_t size)
{
    text_add_bytes(context, bytes, size);
    return true;
}

// The nodes of `bench DEPTH`; also those of its positions added up, which must be the same.
static i64 bench_nodes(Protocol *protocol, Text *output, const char *command)
{
    i64 sum = 0, total = -1;
    text_free(output);
    protocol_run_line(protocol, span_of(command));
    Span rest = text_span(output), line;
    while (span_line(&rest, &line)) {
        char text[256];
        long long number, nodes;
        if (!span_copy(line, text, sizeof text))
            continue;
        if (sscanf(text, "%lld: %lld nodes, depth", &number, &nodes) == 2)
            sum += nodes;
        else if (sscanf(text, "%lld nodes %*d nps", &nodes) == 1)
            total = nodes;
    }
    CHECK_INT(total, sum);
    return total;
}

void test_bench(void)
{
    Text output = {0};
    Protocol *protocol = calloc(1, sizeof *protocol);
    CASE("row 44: bench counts the same nodes whatever was before, and more for a greater depth");
    CHECK(protocol && protocol_init(protocol));
    protocol->out.write = capture;
    protocol->out.context = &output;
    const i64 first = bench_nodes(protocol, &output, "bench 2");
    check_has(output.ptr, "beta_cutoffs_first");
    protocol_run_line(protocol, span_of("setoption name QSearchSEE value -500"));
    protocol_run_line(protocol, span_of("position startpos"));
    protocol_run_line(protocol, span_of("go depth 5"));
    CHECK(first > 0);
    CHECK_INT(bench_nodes(protocol, &output, "bench 2"), first);
    CHECK(bench_nodes(protocol, &output, "bench 3") > first);
    protocol_free(protocol);
    free(protocol);
    text_free(&output);
}
