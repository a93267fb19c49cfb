// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes as a PGN file. Reading ends; every game that was read can be written and read again
// with the same moves.
#include "fuzz.h"
#include "games/record.h"

static void check_record(const Record *record)
{
    Text out = {0};
    Record again = {0};
    require(record_write(record, NULL, &out));
    Span rest = text_span(&out);
    require(record_read(&rest, &record->start.rules, &again));
    require(!again.error.text[0] && again.move_nb == record->move_nb && again.start.key == record->start.key);
    for (int i = 0; i < record->move_nb; i++)
        require(again.move[i].move == record->move[i].move &&
                !again.move[i].comment == !record->move[i].comment);
    require(!record_read(&rest, &record->start.rules, &again));
    record_free(&again);
    text_free(&out);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    Span rest = {(const char *)data, size};
    Rules rules = rules_default();
    Record record = {0};
    size_t left = size + 1;
    while (record_read(&rest, &rules, &record)) {
        require(rest.len < left);
        left = rest.len;
        check_record(&record);
    }
    record_free(&record);
    return 0;
}
