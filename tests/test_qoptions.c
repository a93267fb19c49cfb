// SPDX-License-Identifier: GPL-3.0-or-later
// Quiescence and its options: which moves it plays, in positions made for each sort of them (moves.txt has
// those of each game); its own order; futility by ply and extensions on a budget; and every QSearch...
// option, set as a protocol sets it, changes the search of a named position, so that none is dead. The cases
// carry the rows of docs/features.md that they show.
#include "node_helpers.h"
#include "search/movepick.h"
#include "session/options.h"

static bool is_known(const NodeBench *b, const Position *pos, Move move)
{
    Position after = *pos;
    play_move(&after, move);
    return tt_probe(b->engine->tt, pos_key(&after), b->node->ply + 1).hit;
}

// ---- named positions ----------------------------------------------------------------------------
typedef struct Named {
    const char *name;
    Position pos;
    Move move;
    int nb;
} Named;
static Named wanted; // what take_named looks for

static void take_named(Span line)
{
    char text[TEXT_MAX], word[MOVE_TEXT_MAX];
    const Span name = take_field(&line, ':');
    if (!span_is(name, wanted.name))
        return;
    take_field(&line, '|');
    CHECK(span_copy(take_field(&line, '|'), text, sizeof text));
    CHECK(span_copy(take_field(&line, '|'), word, sizeof word));
    wanted.pos = position_of(text);
    wanted.move = move_of(&wanted.pos, word);
    wanted.nb++;
}

static Named named_position(const char *name)
{
    wanted = (Named){.name = name};
    each_line(GAME_NAME "/quiescence_named.txt", take_named);
    CHECK_THAT(wanted.nb == 1, "%d positions have the name %s", wanted.nb, name);
    return wanted;
}

// ---- the moves ----------------------------------------------------------------------------------
// Does quiescence play the move, with so many plies of quiet checks, and threats or none?
static bool plays(NodeBench *b, const Position *pos, Move move, int check_plies, bool threats)
{
    SearchOptions *o = engine_options(b->engine);
    const SearchOptions saved = *o;
    o->q_check_plies = check_plies;
    o->q_threats = threats;
    node_place(b, pos, 3);
    quiescence(b->w, b->node, -20000, 20000, 0, 0);
    *o = saved;
    return is_known(b, pos, move);
}

static NodeBench *bench; // what check_sort asks
static int sorts_seen;

// One line of quiescence_moves.txt: sort | what it takes | position | move | a quiet move that is never
// played.
static void check_sort(Span line)
{
    char sort[40], need[20], text[TEXT_MAX], word[MOVE_TEXT_MAX], quiet[MOVE_TEXT_MAX];
    CHECK(span_copy(take_field(&line, '|'), sort, sizeof sort));
    CHECK(span_copy(take_field(&line, '|'), need, sizeof need));
    CHECK(span_copy(take_field(&line, '|'), text, sizeof text));
    CHECK(span_copy(take_field(&line, '|'), word, sizeof word));
    CHECK(span_copy(take_field(&line, '|'), quiet, sizeof quiet));
    CASE("row 30: quiescence plays a %s", sort);
    const Position pos = position_of(text);
    const Move move = move_of(&pos, word);
    const bool by_checks = strcmp(need, "checks") == 0, by_threats = strcmp(need, "threats") == 0;
    CHECK(by_checks || by_threats || strcmp(need, "always") == 0);
    CHECK_THAT(plays(bench, &pos, move, by_checks, by_threats), "%s of %s is not played", word, text);
    CHECK_THAT(plays(bench, &pos, move, 0, false) == !(by_checks || by_threats), "%s of %s without it", word,
               text);
    CHECK_THAT(!plays(bench, &pos, move_of(&pos, quiet), 1, false), "%s of %s is played", quiet, text);
    sorts_seen++;
}

static void check_sorts(NodeBench *b)
{
    bench = b;
    sorts_seen = 0;
    each_line(GAME_NAME "/quiescence_moves.txt", check_sort);
    CASE("row 30: every sort has its position");
    CHECK_THAT(sorts_seen >= 5, "%d", sorts_seen);
}

// ---- its own order ------------------------------------------------------------------------------
enum { SORT_CHECK, SORT_CAPTURE, SORT_PROMOTION, SORT_NB };

static int sort_of(const Position *pos, Move move)
{
    return move_gives_check(pos, move) ? SORT_CHECK
           : move_captured(pos, move)  ? SORT_CAPTURE
                                       : SORT_PROMOTION;
}

// May the move stand before the other in quiescence's own order?
static bool goes_before(const Position *pos, Move move, Move other)
{
    if (move == MOVE_NONE)
        return true;
    const int sort = sort_of(pos, move), gain = move_gain(pos, move), other_gain = move_gain(pos, other);
    if (sort != sort_of(pos, other))
        return sort < sort_of(pos, other);
    return sort != SORT_CAPTURE || gain > other_gain ||
           (gain == other_gain && move_risk(pos, move) <= move_risk(pos, other));
}

static int legal_nb(const Position *pos, Move *(*generate)(const Position *, Move *))
{
    Move list[MAX_MOVES], *end = generate(pos, list);
    int nb = 0;
    for (Move *m = list; m < end; m++)
        nb += move_is_legal(pos, *m);
    return nb;
}

static void check_own_order(NodeBench *b)
{
    static Picker picker;
    SearchOptions *o = engine_options(b->engine);
    Rng rng = {5};
    int seen[SORT_NB] = {0}, differs = 0;
    CASE("row 31: in its own order checks come first, then captures by victim and attacker, then promotions");
    for (int own = 0; own < 2; own++) {
        o->q_own_order = own;
        for (int i = 0; i < 400; i++) {
            const Position pos = random_node(&rng, false);
            node_place(b, &pos, 3);
            picker_init_quiescence(&picker, b->w, b->node, MOVE_NONE, true);
            Move last = MOVE_NONE;
            int nb = 0;
            for (Move m; (m = picker_next(&picker)) != MOVE_NONE; nb++) {
                if (own)
                    CHECK_THAT(goes_before(&pos, last, m), "%s: %s", text_of(&pos), move_text(&pos, m));
                differs += !own && !goes_before(&pos, last, m);
                seen[sort_of(&pos, m)] += own;
                last = m;
            }
            CHECK_INT(nb, legal_nb(&pos, gen_noisy) + legal_nb(&pos, gen_checks));
        }
    }
    o->q_own_order = false;
    CHECK(seen[SORT_CHECK] && seen[SORT_CAPTURE] && seen[SORT_PROMOTION] && differs);
}

// ---- futility and extensions --------------------------------------------------------------------
// Nodes of quiescence at a ply of its own, `over` above what the evaluation and the only capture come to.
static u64 nodes_at(NodeBench *b, const Position *pos, Move take, int qply, int over)
{
    node_place(b, pos, 3);
    const int alpha = node_eval(b) + move_gain(pos, take) + over;
    quiescence(b->w, b->node, alpha, alpha + 1, qply, 0);
    return node_count(b);
}

static void check_futility(NodeBench *b)
{
    SearchOptions *o = engine_options(b->engine);
    const SearchOptions saved = *o;
    CASE("row 31: the margin of futility is 100, 200 and 300 at the first, second and later plies");
    const Named named = named_position("futility");
    const Position pos = named.pos;
    const Move take = named.move;
    o->q_delta = o->q_extensions = false;
    o->q_see = -500;
    o->q_check_plies = 0;
    o->q_high_value = 2000;
    CHECK(move_gain(&pos, take) < o->q_high_value && !move_gives_check(&pos, take));
    for (int qply = 0; qply < 4; qply++) {
        const int margin = 100 * min_int(qply + 1, 3);
        CHECK(nodes_at(b, &pos, take, qply, margin - 1) > 0);
        CHECK_INT((i64)nodes_at(b, &pos, take, qply, margin), 0);
        CHECK_INT((i64)b->w->counters.q_futility, 1);
    }
    o->q_futility = false;
    CHECK(nodes_at(b, &pos, take, 0, 500) > 0);
    *o = saved;
}

static void check_extensions(NodeBench *b)
{
    SearchOptions *o = engine_options(b->engine);
    const SearchOptions saved = *o;
    Rng rng = {9};
    u64 nodes[3] = {0}, extensions[3] = {0};
    CASE("row 31: forcing moves are followed without spending depth, so often in a line and no more");
    o->q_max_depth = 1;
    for (int i = 0; i < 80; i++) {
        const Position pos = random_node(&rng, false);
        for (int most = 0; most < 3; most++) {
            o->q_max_ext = most;
            node_place(b, &pos, 3);
            quiescence(b->w, b->node, -3000, 3000, 0, 0);
            nodes[most] += node_count(b);
            extensions[most] += b->w->counters.q_extensions;
            // A line whose budget is spent is not extended.
            node_place(b, &pos, 3);
            quiescence(b->w, b->node, -3000, 3000, 0, most);
            CHECK_INT((i64)b->w->counters.q_extensions, 0);
        }
    }
    CHECK(extensions[0] == 0 && extensions[1] > 0 && extensions[2] > extensions[1]);
    CHECK(nodes[0] < nodes[1] && nodes[1] < nodes[2]);
    *o = saved;
}

// ---- the options --------------------------------------------------------------------------------
typedef struct Setting {
    const char *name, *value, *other; // the other where the value is the default
} Setting;
static const Setting SETTINGS[] = {
    {"QSearchMaxDepth", "1", NULL},       {"QSearchDelta", "false", NULL},
    {"QSearchDeltaMargin", "0", NULL},    {"QSearchFutility", "false", NULL},
    {"QSearchFutilityMargin", "0", NULL}, {"QSearchExtensions", "false", NULL},
    {"QSearchMaxExt", "0", NULL},         {"QSearchTT", "false", NULL},
    {"QSearchCheckPlies", "0", "1"},      {"QSearchThreats", "true", NULL},
    {"QSearchHighValue", "0", NULL},      {"QSearchSEE", "-500", NULL},
    {"QSearchOwnOrder", "true", NULL},
};

static u64 nodes_of(Session *session, const Position *pos)
{
    engine_new_game(session->engine);
    return run(session->engine, pos, (Limits){.depth = 4}, NULL).nodes;
}

static void set(Session *session, const char *name, const char *value)
{
    Message why = {0};
    CHECK_THAT(option_set(session, span_of(name), span_of(value), &why) == OPTION_DONE, "%s: %s", name,
               why.text);
}

static void check_options(void)
{
    static Session session;
    CASE("row 34: the options are those of quiescence");
    const Position pos = named_position("options").pos;
    CHECK(session_init(&session));
    const u64 usual = nodes_of(&session, &pos);
    OptionInfo info;
    int options_nb = 0;
    for (int i = 0; option_at(i, &info); i++)
        options_nb += strncmp(info.name, "QSearch", 7) == 0;
    CHECK_INT(options_nb, (int)(sizeof SETTINGS / sizeof SETTINGS[0]));
    for (size_t i = 0; i < sizeof SETTINGS / sizeof SETTINGS[0]; i++) {
        const Setting *s = &SETTINGS[i];
        CASE("row 34: %s changes the search", s->name);
        const SearchOptions before = *engine_options(session.engine);
        set(&session, s->name, s->value);
        if (s->other && memcmp(&before, engine_options(session.engine), sizeof before) == 0)
            set(&session, s->name, s->other);
        CHECK(memcmp(&before, engine_options(session.engine), sizeof before) != 0);
        const u64 changed = nodes_of(&session, &pos);
        CHECK_THAT(changed != usual, "%llu nodes with either", (unsigned long long)usual);
        *engine_options(session.engine) = before;
    }
    CASE("row 34: and all of them as they were, it is as it was");
    CHECK_INT((i64)nodes_of(&session, &pos), (i64)usual);
    session_free(&session);
}

void test_qoptions(void)
{
    NodeBench b;
    CASE("one node of quiescence by itself");
    node_open(&b);
    check_sorts(&b);
    check_own_order(&b);
    check_futility(&b);
    check_extensions(&b);
    node_close(&b);
    check_options();
}
