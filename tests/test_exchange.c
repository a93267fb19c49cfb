// SPDX-License-Identifier: GPL-3.0-or-later
// Exchanges as the search asks for them: what gain and stake decide is not played out, and the verdict is the
// same; bad captures in the order of what they lose, where the switch asks for it. The cases carry the row of
// docs/features.md that they show.
#include "node_helpers.h"
#include "search/exchange.h"
#include "search/movepick.h"

static bool is_decided(const Position *pos, Move move, int threshold)
{
    const int gain = move_gain(pos, move);
    return gain < threshold || gain - move_stake(pos, move) >= threshold;
}

static void check_bounds(NodeBench *b)
{
    Rng rng = {3};
    int decided = 0, played = 0;
    CASE("row 22: what gain and stake decide is what the exchange comes to");
    for (int i = 0; i < 60; i++) {
        const Position pos = random_node(&rng, i % 3 == 0);
        Move list[MAX_MOVES], *end = gen_all(&pos, list);
        node_place(b, &pos, 3);
        for (Move *m = list; m < end; m++) {
            const int gain = move_gain(&pos, *m), stake = move_stake(&pos, *m);
            CHECK(stake >= 0 && see_ge(&pos, *m, gain - stake) && !see_ge(&pos, *m, gain + 1));
            for (int t = -1200; t <= 1200; t += 100) {
                const bool reaches = exchange_reaches(b->w, *m, gain, t);
                CHECK_THAT(reaches == see_ge(&pos, *m, t), "%s of %s, %d", move_text(&pos, *m), text_of(&pos),
                           t);
                decided += is_decided(&pos, *m, t);
                played += !is_decided(&pos, *m, t);
            }
        }
        CHECK_INT((i64)(b->w->counters.see_calls + b->w->counters.see_saved), (end - list) * 25);
    }
    CHECK(decided > 1000 && played > 1000);
}

// Hands out all noisy moves of the position and no quiet one; how many of them had to be played out.
static int take_noisy(NodeBench *b, const Position *pos, int *undecided)
{
    static Picker picker;
    int nb = 0;
    *undecided = 0;
    node_place(b, pos, 6);
    picker_init(&picker, b->w, b->node, MOVE_NONE);
    picker.skip_quiets = true;
    for (Move m; (m = picker_next(&picker)) != MOVE_NONE; nb++)
        *undecided += !is_decided(pos, m, -P(b->w, GainWeight) * move_gain(pos, m) / P(b->w, GoodNoisySee));
    return nb;
}

static void check_picker(NodeBench *b)
{
    Rng rng = {7};
    u64 calls = 0, saved = 0;
    CASE("row 22: the picker plays out only the exchanges that gain and stake leave open, and counts both");
    for (int i = 0; i < 200; i++) {
        const Position pos = random_node(&rng, false);
        int undecided;
        const int nb = take_noisy(b, &pos, &undecided);
        CHECK_INT((i64)b->w->counters.see_calls, undecided);
        CHECK_INT((i64)b->w->counters.see_saved, nb - undecided);
        calls += b->w->counters.see_calls;
        saved += b->w->counters.see_saved;
    }
    CHECK_THAT(calls > 0 && saved > 0, "%d played out, %d saved", (int)calls, (int)saved);
}

#ifdef TUNE
static void set_by_see(NodeBench *b, int value)
{
    for (int i = 0; i < param_count(); i++)
        if (strcmp(param_name(i), "UseBadNoisyBySee") == 0)
            CHECK(param_set(b->engine, i, value));
}

static void check_bad_order(NodeBench *b)
{
    static Picker picker;
    Rng rng = {11};
    int differs = 0, seen = 0;
    CASE("row 22: with the switch bad captures come by what their exchange loses");
    for (int on = 0; on < 2; on++) {
        set_by_see(b, on);
        for (int i = 0; i < 300; i++) {
            const Position pos = random_node(&rng, false);
            node_place(b, &pos, 6);
            picker_init(&picker, b->w, b->node, MOVE_NONE);
            picker.skip_quiets = true;
            int last = INT32_MAX;
            for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
                if (picker.stage != STAGE_BAD_NOISY)
                    continue;
                const int value = exchange_value(b->w, m);
                CHECK(see_ge(&pos, m, value) && !see_ge(&pos, m, value + 1));
                if (on)
                    CHECK_THAT(value <= last, "%d after %d: %s", value, last, text_of(&pos));
                else
                    differs += value > last;
                seen += on && last != INT32_MAX;
                last = value;
            }
        }
    }
    set_by_see(b, 0);
    CHECK(differs > 0 && seen > 0);
}
#endif

void test_exchange(void)
{
    NodeBench b;
    CASE("one node by itself");
    node_open(&b);
    check_bounds(&b);
    check_picker(&b);
#ifdef TUNE
    check_bad_order(&b);
#endif
    node_close(&b);
}
