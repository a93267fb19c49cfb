// SPDX-License-Identifier: GPL-3.0-or-later
// The names of levels. What a number means is the search's business; names outside its range move to the
// nearest end.
#include "session/levels.h"

#include "base/language.h"

static const Level LEVELS[] = {
    {"beginner", "初心者", 700}, {"casual", "初級", 1100}, {"club", "中級", 1500},
    {"expert", "上級", 1900},    {"master", "有段", 2300}, {"full", "最強", LEVEL_FULL},
};
enum { LEVEL_NB = sizeof LEVELS / sizeof LEVELS[0] };

int levels_count(void) { return LEVEL_NB; }

Level levels_at(int index)
{
    Level level = LEVELS[index];
    SkillRange range = skill_range();
    if (level.elo != LEVEL_FULL)
        level.elo = clamp_int(level.elo, range.min_elo, range.max_elo);
    return level;
}

const char *level_word(Level level) { return language() == LANGUAGE_JAPANESE ? level.japanese : level.name; }

bool levels_parse(Span text, int *elo, Message *message)
{
    SkillRange range = skill_range();
    i64 number;
    for (int i = 0; i < LEVEL_NB; i++) {
        if (span_is_nocase(text, LEVELS[i].name) || span_is(text, LEVELS[i].japanese)) {
            *elo = levels_at(i).elo;
            return true;
        }
    }
    if (span_int(text, range.min_elo, range.max_elo, &number)) {
        *elo = (int)number;
        return true;
    }
    return message_set(message,
                       "'%.*s' is no level: expected beginner, casual, club, expert, master, full or an Elo "
                       "number from %d to %d",
                       (int)(text.len < 60 ? text.len : 60), text.ptr, range.min_elo, range.max_elo);
}

void levels_print(int elo, char *out, size_t size)
{
    if (elo == LEVEL_FULL) {
        snprintf(out, size, "%s", said("full strength"));
        return;
    }
    for (int i = 0; i < LEVEL_NB; i++) {
        if (levels_at(i).elo == elo) {
            snprintf(out, size, said("%s (%d)"), level_word(LEVELS[i]), elo);
            return;
        }
    }
    snprintf(out, size, "%d", elo);
}
