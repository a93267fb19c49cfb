// SPDX-License-Identifier: GPL-3.0-or-later
// Opens texts of games for the suites and keeps the last one.
#include "record_helpers.h"

RecordText opened;
Message open_message;

bool open_bytes(const char *bytes, size_t len, int number)
{
    Rules rules = rules_default();
    open_message = (Message){""};
    return record_open((Span){bytes, len}, NULL, number, &rules, &opened, &open_message);
}

bool open_text(const char *bytes, int number) { return open_bytes(bytes, strlen(bytes), number); }

const char *opened_moves(void)
{
    static char out[512];
    Position pos = opened.record.start;
    out[0] = '\0';
    for (int i = 0; i < opened.record.move_nb; i++) {
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", i ? " " : "",
                 move_text(&pos, opened.record.move[i].move));
        pos = pos_after(&pos, opened.record.move[i].move);
    }
    return out;
}

void check_list(const char *pasted, const char *expected, const char *format)
{
    CHECK_THAT(open_text(pasted, 1), "'%s': %s", pasted, open_message.text);
    CHECK_TEXT(opened_moves(), expected);
    CHECK_TEXT(opened.format ? opened.format : "", format);
    CHECK_INT(opened.game_nb, 1);
    CHECK_INT(opened.warning_nb, 0);
}

void check_refused(const char *bytes, const char *words)
{
    CHECK_THAT(!open_text(bytes, 1), "'%s' is taken", bytes);
    check_has(open_message.text, words);
}
