// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes as a file of games. Reading must come to an end, every move kept must be legal, and
// what is written in each format must be read back with the same moves.
#include <stdlib.h>

#include "games/record.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void check_moves(const Record *record)
{
    Position pos = record->start;
    for (int i = 0; i < record->move_nb; i++) {
        Move move = record->move[i].move;
        Undo undo;
        if (!move_is_pseudo_legal(&pos, move) || !move_is_legal(&pos, move))
            abort();
        pos_make(&pos, move, &undo, NULL);
    }
}

static void check_written(const Record *record, const Rules *rules, const char *format)
{
    Text text = {0};
    Record again = {0};
    if (!record_write(record, format, &text))
        abort();
    Span rest = text_span(&text);
    if (!record_read(&rest, rules, &again) || again.error.text[0] || again.move_nb != record->move_nb)
        abort();
    for (int i = 0; i < again.move_nb; i++)
        if (again.move[i].move != record->move[i].move)
            abort();
    record_free(&again);
    text_free(&text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    static const char *const FORMATS[] = {"kif", "csa", "usi"};
    Record record = {0};
    Span rest = {(const char *)data, size};
    size_t games = 0;
    game_init();
    Rules rules = rules_default();
    while (record_read(&rest, &rules, &record)) {
        check_moves(&record);
        for (int i = 0; i < 3; i++)
            check_written(&record, &rules, FORMATS[i]);
        if (++games > size)
            abort();
    }
    record_free(&record);
    return 0;
}
