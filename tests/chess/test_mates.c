// SPDX-License-Identifier: GPL-3.0-or-later
// Known mates, searched with a fixed number of nodes: no claim may have the wrong sign or be shorter than the
// truth, every line replays, a mate's line ends in that mate, and within one search a mate is never replaced
// by a longer one. TWOFOLD_MATES names a larger file (lines: four FEN fields, then `bm #N;`), TWOFOLD_NODES
// the nodes a position, TWOFOLD_THREADS the threads, TWOFOLD_NEAR a number of moves (1): of mates no longer
// than that, none may be missed.
#include <stdlib.h>

#include "helpers.h"

typedef struct Watch {
    Position root;
    int known_moves;   // mate in so many moves; negative: the side to move is mated
    int claimed_plies; // the last claim; 0: none yet
    bool ok;
    char what[200];
} Watch;

static void complain(Watch *watch, const char *what)
{
    if (watch->ok)
        snprintf(watch->what, sizeof watch->what, "%s", what);
    watch->ok = false;
}

static void see_line(void *context, const SearchLine *line)
{
    Watch *watch = context;
    Position pos = watch->root;
    Undo undo;
    for (int i = 0; i < line->pv_nb; i++) {
        if (!move_is_pseudo_legal(&pos, line->pv[i]) || !move_is_legal(&pos, line->pv[i])) {
            complain(watch, "the line has an illegal move");
            return;
        }
        pos_make(&pos, line->pv[i], &undo, NULL);
    }
    if (!score_is_mate(line->score))
        return;
    int plies = score_mate_plies(line->score),
        known_plies = watch->known_moves > 0 ? 2 * watch->known_moves - 1 : 2 * watch->known_moves;
    if ((plies > 0) != (known_plies > 0))
        complain(watch, "the mate has the wrong sign");
    if (line->bound == BOUND_EXACT) {
        if (abs(plies) < abs(known_plies))
            complain(watch, "the mate is shorter than the truth");
        if (line->pv_nb != abs(plies) || gen_count(&pos) != 0 || !pos_in_check(&pos))
            complain(watch, "the mate's line does not end in that mate");
        if (watch->claimed_plies && abs(plies) > abs(watch->claimed_plies))
            complain(watch, "a mate was replaced by a longer one");
        watch->claimed_plies = plies;
    }
}

// A line of the file: four FEN fields and `bm #N;`. False with a message that says what is wrong with it.
static bool read_mate(Span line, Watch *watch, Message *message)
{
    char text[256];
    i64 known;
    const Rules rules = rules_default();
    *watch = (Watch){.ok = true};
    char *mark = span_copy(line, text, sizeof text) ? strstr(text, "bm #") : NULL;
    if (!mark)
        return message_set(message, "there is no 'bm #'");
    Span number = span_of(mark + 4);
    while (number.len && (number.ptr[number.len - 1] == ';' || number.ptr[number.len - 1] == ' '))
        number.len--;
    if (!span_int(number, -999, 999, &known) || known == 0)
        return message_set(message, "'%.*s' is no number of moves", (int)number.len, number.ptr);
    watch->known_moves = (int)known;
    return pos_set(&watch->root, (Span){text, (size_t)(mark - text)}, &rules, message) != SET_REJECTED;
}

static void check_reading(void)
{
    static const char *const BROKEN[] = {
        "4k3/8/4K3/8/8/8/8/7R w - - bm #x;", "4k3/8/4K3/8/8/8/8/7R w - - bm #0;",
        "4k3/8/4K3/8/8/8/8/7R w - - bm Rh8;", "4k3/8/4K3/8/8/8/8/9R w - - bm #1;", "bm #1;"};
    Watch watch;
    Message message;
    CASE("a line that is no known mate is told, and what is wrong with it");
    CHECK(read_mate(span_of("4k3/8/4K3/8/8/8/8/7R w - - bm #1;"), &watch, &message));
    CHECK_INT(watch.known_moves, 1);
    for (size_t i = 0; i < sizeof BROKEN / sizeof BROKEN[0]; i++) {
        message.text[0] = 0;
        CHECK_THAT(!read_mate(span_of(BROKEN[i]), &watch, &message) && message.text[0], "%s", BROKEN[i]);
    }
}

// A mate that is found shortly before the end of the nodes: first as a bound, whose line is a move long.
static void check_cut_short(Engine *engine)
{
    static const char *const FOUND_LATE = "R7/2k5/K4p2/3R4/1p6/3p1r2/2pn4/5b2 w - - 0 1";
    int whole_nb = 0;
    CASE("a mate found by a search that is cut short has all of its line, or is told as a bound");
    for (u64 nodes = 30000; nodes < 46000; nodes += 5000) {
        Watch watch = {.root = position_of(FOUND_LATE), .known_moves = 7, .ok = true};
        engine_new_game(engine);
        const SearchResult result = search_of(engine, &watch.root, (Limits){.nodes = nodes}, NULL);
        CHECK_THAT(score_is_mate(result.score), "%d nodes: %d", (int)nodes, result.score);
        see_line(&watch,
                 &(SearchLine){
                     .score = result.score, .bound = result.bound, .pv = result.pv, .pv_nb = result.pv_nb});
        CHECK_THAT(watch.ok, "%d nodes, %d plies: %s", (int)nodes, result.pv_nb, watch.what);
        CHECK(result.bound == BOUND_EXACT || result.bound == BOUND_LOWER);
        whole_nb += result.bound == BOUND_EXACT;
    }
    CHECK(whole_nb > 0);
}

void test_mates(void)
{
    const char *path = getenv("TWOFOLD_MATES"), *nodes_text = getenv("TWOFOLD_NODES"),
               *threads_text = getenv("TWOFOLD_THREADS");
    const char *near_text = getenv("TWOFOLD_NEAR");
    const int near = near_text ? (int)strtol(near_text, NULL, 10) : 1;
    u64 nodes = nodes_text ? strtoull(nodes_text, NULL, 10) : test_is_light() ? 2000 : 60000;
    Message message;
    CASE("known mates");
    Text file = read_whole(path ? path : test_data("chess/mates.epd"));
    Engine *engine = engine_new(16);
    CHECK(engine_set_threads(engine, threads_text ? (int)strtol(threads_text, NULL, 10) : 1, &message));
    Span rest = text_span(&file), line;
    int line_nb = 0, total = 0, found = 0, exact = 0, wrong = 0, near_nb = 0, near_found = 0;
    while (span_line(&rest, &line)) {
        Watch watch;
        line_nb++;
        if (span_trim(line).len == 0 || line.ptr[0] == '#')
            continue;
        if (!read_mate(span_trim(line), &watch, &message)) {
            CHECK_THAT(false, "%s, line %d: %s", path ? path : "mates.epd", line_nb, message.text);
            continue;
        }
        const int known = abs(watch.known_moves);
        engine_new_game(engine);
        Limits limits = {.nodes = nodes, .mate = known * 2};
        SearchResult result =
            search_of(engine, &watch.root, limits, &(SearchEvents){.context = &watch, .line = see_line});
        total++;
        found += score_is_mate(result.score);
        near_nb += known <= near;
        near_found += known <= near && score_is_mate(result.score);
        exact += score_is_mate(result.score) &&
                 abs(score_mate_plies(result.score)) <= 2 * known - (watch.known_moves > 0);
        wrong += !watch.ok;
        CHECK_THAT(watch.ok, "%.*s: %s", (int)line.len, line.ptr, watch.what);
    }
    CHECK(total > 50);
    CHECK(found > (test_is_light() ? 0 : total / 10));
    CHECK(near_nb > 0);
    CHECK_INT(near_found, near_nb);
    printf(
        "mates: %d positions, %d with a mate, %d with the shortest, %d wrong; of %d in at most %d moves %d\n",
        total, found, exact, wrong, near_nb, near, near_found);
    check_cut_short(engine);
    engine_free(engine);
    text_free(&file);
    check_reading();
}
