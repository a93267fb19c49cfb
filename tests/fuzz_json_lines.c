// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes as requests of a session that speaks JSON, with tiny searches: each line that is not
// empty gets exactly one answer, and everything told is JSON.
#include "base/json.h"
#include "fuzz.h"
#include "web/json_lines.h"

static void tell(void *context, Span line)
{
    Json json;
    require(json_read(&json, line, NULL) && json_root(&json)->type == JSON_OBJECT);
    *(int *)context += json_member(&json, json_root(&json), "ok") != NULL;
    json_free(&json);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    static JsonLines *lines; // one for the whole run: a start for each input would be most of the time
    static int answer_nb;
    if (!lines) {
        const JsonOwner owner = {.context = &answer_nb,
                                 .tell = tell,
                                 .has_no_thread = true,
                                 .hash_mb = 1,
                                 .hash_max_mb = 2,
                                 .threads_max = 1,
                                 .node_cap = 30};
        lines = json_lines_open(&owner, NULL);
        require(lines != NULL);
    }
    Span rest = {(const char *)data, size}, line;
    while (span_line(&rest, &line)) {
        answer_nb = 0;
        json_lines_take(lines, line);
        while (json_lines_step(lines)) {
        }
        require(answer_nb == (span_trim(line).len > 0));
    }
    return 0;
}
