// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters as a list that can be read in every build and set in a build that tunes.
#include "search/worker.h"

static const struct {
    const char *name;
    int def, min, max;
    size_t offset;
} PARAM_ROWS[] = {
#define PARAM_ROW(name, first, second, min, max) {#name, PARAM_##name, min, max, offsetof(Params, name)},
    SEARCH_PARAMS(PARAM_ROW)
#undef PARAM_ROW
};

Params params_default(void)
{
    return (Params){
#define PARAM_DEFAULT(name, first, second, min, max) .name = PARAM_##name,
        SEARCH_PARAMS(PARAM_DEFAULT)
#undef PARAM_DEFAULT
    };
}

int param_count(void) { return (int)(sizeof PARAM_ROWS / sizeof PARAM_ROWS[0]); }

const char *param_name(int index) { return PARAM_ROWS[index].name; }

void param_range(int index, int *def, int *min, int *max)
{
    *def = PARAM_ROWS[index].def;
    *min = PARAM_ROWS[index].min;
    *max = PARAM_ROWS[index].max;
}

int param_get(const Engine *engine, int index)
{
    return *(const int *)(const void *)((const char *)&engine->param_values + PARAM_ROWS[index].offset);
}

bool param_set(Engine *engine, int index, int value)
{
#ifdef TUNE
    if (value < PARAM_ROWS[index].min || value > PARAM_ROWS[index].max)
        return false;
    *(int *)(void *)((char *)&engine->param_values + PARAM_ROWS[index].offset) = value;
    return true;
#else
    (void)engine, (void)index, (void)value;
    return false;
#endif
}
