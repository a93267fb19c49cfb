// SPDX-License-Identifier: GPL-3.0-or-later
// Endgame tables: results and distances as other programs know them, root ranking that wins what is won,
// damaged files, threads. The repository has tables of three men and some of four; TWOFOLD_SYZYGY names a
// folder with more.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bitboard.h"
#include "games/record.h"
#include "helpers.h"
#include "search/search.h"
#include "tablebase.h"

static const char FOLDER[] = "chess/syzygy";

// Checks every line of an EPD file whose tables are there; how many that were, and with a stored result.
static int check_file(const Tablebase *tables, const char *path, int *stored_nb)
{
    Text file = read_whole(path);
    Span rest = text_span(&file);
    Rules rules = rules_default();
    Record record = {0};
    int seen = 0;
    while (record_read(&rest, &rules, &record)) {
        char fen[TEXT_MAX];
        pos_print(&record.start, fen);
        const char *wdl = record_tag(&record, "wdl"), *dtz = record_tag(&record, "dtz");
        const char *stored = record_tag(&record, "wdl_table");
        TbResult result = tb_probe(tables, &record.start);
        int plies = 0;
        CHECK_THAT(!record.error.text[0] && wdl && dtz, "%s: %s", fen, record.error.text);
        if (!wdl || !dtz || result == TB_NONE || !tb_probe_distance(tables, &record.start, &plies))
            continue;
        seen++;
        CHECK_THAT(result == atoi(wdl), "%s: result %d, expected %s", fen, result, wdl);
        CHECK_THAT(plies == atoi(dtz), "%s: distance %d, expected %s", fen, plies, dtz);
        TbResult in_table = tb_probe_stored(tables, &record.start);
        if (!stored || in_table == TB_NONE)
            continue;
        ++*stored_nb;
        CHECK_THAT(in_table == atoi(stored), "%s: stored %d, expected %s", fen, in_table, stored);
    }
    record_free(&record);
    text_free(&file);
    return seen;
}

static void test_known_positions(const Tablebase *tables)
{
    CASE("results and distances of known positions");
    CHECK_INT(tb_men(tables), 4);
    char path[256];
    int stored_nb = 0;
    snprintf(path, sizeof path, "%s/positions.epd", test_data(FOLDER));
    CHECK(check_file(tables, path, &stored_nb) > 200);
    snprintf(path, sizeof path, "%s/endgame.epd", test_data(FOLDER));
    CHECK(check_file(tables, path, &stored_nb) > 30);
    CHECK_THAT(stored_nb > 10, "%d stored results", stored_nb);

    CASE("all of the endgame suite, with all tables of four men");
    const char *folder = getenv("TWOFOLD_SYZYGY");
    if (!folder || !*folder) {
        test_skip("no folder in TWOFOLD_SYZYGY");
        return;
    }
    Tablebase *all = open_tables(folder);
    CHECK_INT(check_file(all, path, &stored_nb), 200);
    tb_close(all);
}

static void test_not_covered(const Tablebase *tables)
{
    CASE("what no table covers");
    Message message = {""};
    Position pos = position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    CHECK_INT(tb_probe(tables, &pos), TB_NONE); // castling rights
    pos = position_of("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    CHECK_INT(tb_probe(tables, &pos), TB_WIN);
    pos = position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    CHECK_INT(tb_probe(tables, &pos), TB_DRAW); // two kings need no file
    pos = position_of("4k3/8/8/8/8/8/8/3QK2R w - - 0 1");
    CHECK_INT(tb_probe(tables, &pos), TB_WIN);
    pos = position_of("4k3/8/8/8/8/8/8/3NK2B w - - 0 1");
    CHECK_INT(tb_probe(tables, &pos), TB_NONE); // not among the committed ones
    pos = position_of("4k3/8/8/8/8/8/PP6/2R1K3 w - - 0 1");
    CHECK_INT(tb_probe(tables, &pos), TB_NONE);
    CHECK_INT(tb_probe(NULL, &pos), TB_NONE);
    CHECK_INT(tb_men(NULL), 0);
    tb_close(NULL);

    static const char *const EMPTY[] = {"", ":::", "/nonexistent/folder", "/dev/null"};
    for (size_t i = 0; i < sizeof EMPTY / sizeof EMPTY[0]; i++) {
        message.text[0] = '\0';
        CHECK(tb_open(EMPTY[i], &message) == NULL);
        CHECK_THAT(strstr(message.text, "none found"), "'%s': %s", EMPTY[i], message.text);
    }
    char list[600];
    snprintf(list, sizeof list, "/nonexistent:%s:", test_data(FOLDER));
    tb_close(open_tables(list));
}

// ---- the root -----------------------------------------------------------------------------------
static int rank_root(const Tablebase *tables, const Position *pos, const KeyHistory *keys, Move *list,
                     int *ranks, TbResult *result)
{
    int nb = (int)(gen_all(pos, list) - list);
    bool found = tb_rank_root(tables, pos, keys, true, list, nb, ranks, result);
    CHECK(found || nb == 0);
    return nb;
}

// A player who takes any move of the best rank, against any defence: nothing that is won is given away. A
// game that comes to an ending without a table of distances ends there, since results alone do not lead to
// mate. True when it came to mate.
static bool win_game(const Tablebase *tables, const char *fen, Rng *rng)
{
    Game game = game_from(fen, NULL);
    const Position *pos = &game.pos;
    const int strong = pos->side;
    int plies;
    while (gen_count(pos) > 0 && tb_probe_distance(tables, pos, &plies) && game.move_nb < 1000) {
        Move list[MAX_MOVES];
        int ranks[MAX_MOVES], nb = (int)(gen_all(pos, list) - list), best = INT32_MIN, best_nb = 0;
        TbResult result = TB_WIN;
        if (pos->side == strong) {
            rank_root(tables, pos, &game.keys, list, ranks, &result);
            for (int i = 0; i < nb; i++)
                best = max_int(best, ranks[i]);
            for (int i = 0; i < nb; i++)
                if (ranks[i] == best)
                    list[best_nb++] = list[i];
            nb = best_nb;
        }
        CHECK_THAT(result == TB_WIN && pos->rule50 < 100, "%s is given away at ply %d, clock %d", fen,
                   game.move_nb, pos->rule50);
        if (result != TB_WIN)
            break;
        CHECK(game_play(&game, list[rng_below(rng, (u32)nb)]));
    }
    const bool ended = gen_count(pos) == 0;
    CHECK_THAT(!ended || (pos_in_check(pos) && pos->side != strong), "%s ends without mate", fen);
    game_free(&game);
    return ended;
}

static void test_ranking(const Tablebase *tables)
{
    CASE("root ranks: wins alike, then draws, then losses");
    KeyHistory keys = {0};
    Move list[MAX_MOVES];
    int ranks[MAX_MOVES];
    TbResult result;
    Position pos = position_of("7k/8/8/8/8/5K2/8/R7 w - - 0 1");
    int nb = rank_root(tables, &pos, &keys, list, ranks, &result), wins = 0, draws = 0;
    CHECK_INT(result, TB_WIN);
    for (int i = 0; i < nb; i++) {
        Position after = pos;
        Undo undo;
        pos_make(&after, list[i], &undo, NULL);
        TbResult reply = tb_probe(tables, &after);
        CHECK(ranks[i] == ranks[0] ? reply == TB_LOSS : reply == TB_DRAW && ranks[i] == 0);
        wins += reply == TB_LOSS;
        draws += reply == TB_DRAW;
    }
    CHECK(wins > 10 && wins + draws == nb);

    CASE("near the fifty moves only the shortest ways rank high");
    pos = position_of("7k/8/8/8/8/5K2/8/R7 w - - 90 100");
    rank_root(tables, &pos, &keys, list, ranks, &result);
    int top = 0, best = -(1 << 20);
    for (int i = 0; i < nb; i++)
        best = max_int(best, ranks[i]);
    for (int i = 0; i < nb; i++)
        top += ranks[i] == best;
    CHECK(top < wins && result == TB_CURSED_WIN); // a rook needs more than ten moves from here
    bool found = tb_rank_root(tables, &pos, &keys, false, list, nb, ranks, &result);
    CHECK(found && result == TB_WIN); // unless nobody counts

    CASE("a third repetition and the hundredth half-move are draws");
    pos = position_of("7k/8/8/8/8/5K2/8/R7 w - - 10 100");
    KeyHistory past = {0};
    CHECK(keys_reserve(&past, 8));
    Position after = pos;
    Undo undo;
    Move wait = move_parse(&pos, span_of("a1a2"));
    pos_make(&after, wait, &undo, NULL);
    keys_push(&past, &after);
    keys_push(&past, &pos);
    keys_push(&past, &after);
    keys_push(&past, &pos);
    nb = rank_root(tables, &pos, &past, list, ranks, &result);
    for (int i = 0; i < nb; i++)
        CHECK_THAT((list[i] == wait) <= (ranks[i] == 0), "the repetition has rank %d", ranks[i]);
    bool strict = false;
    for (int i = 1; i < nb; i++)
        strict |= ranks[i] > 0 && ranks[0] > 0 && ranks[i] != ranks[0];
    CHECK(strict); // after a repetition the shorter win goes first
    keys_free(&past);
    pos = position_of("k7/8/1K6/8/8/8/8/7R w - - 99 150");
    nb = rank_root(tables, &pos, &keys, list, ranks, &result);
    for (int i = 0; i < nb; i++)
        CHECK_INT(ranks[i] > 0, list[i] == move_parse(&pos, span_of("h1h8"))); // mate goes before the count
    CHECK_INT(result, TB_WIN);
}

static void test_winning(const Tablebase *tables)
{
    CASE("what is won stays won");
    static const char *const WON[] = {
        "7k/8/8/8/8/5K2/8/R7 w - - 0 1",    "8/8/8/3k4/8/8/8/K5Q1 w - - 0 1",
        "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1",  "8/8/3k4/8/8/8/PR6/K7 w - - 40 1",
        "k7/8/8/8/8/8/4r3/1K6 b - - 60 60",
    };
    Rng rng = {3};
    for (size_t i = 0; i < sizeof WON / sizeof WON[0]; i++) {
        int mates = 0;
        const Position pos = position_of(WON[i]);
        CHECK_THAT(tb_probe(tables, &pos) == TB_WIN, "%s is not won", WON[i]);
        for (int round = 0; round < (test_is_light() ? 4 : 10); round++)
            mates += win_game(tables, WON[i], &rng);
        CHECK_THAT(mates > 0, "%s never came to mate", WON[i]);
    }
}

// The tables' word about a position met in the principal variation is the score, whatever the search sees
// below it.
static void test_search_score(const Tablebase *tables)
{
    CASE("a line into a lost table position is scored as lost");
    Position pos = position_of("7Q/8/8/5k2/4P3/8/8/K7 b - - 0 1");
    Engine *engine = engine_new(1);
    engine_options(engine)->tablebase = tables;
    engine_options(engine)->tb_men = 3; // the root is not covered, what comes after the capture is
    Limits limits = {.depth = 3, .only = {move_of(&pos, "f5e4")}, .only_nb = 1};
    SearchResult result = search_of(engine, &pos, limits, NULL);
    CHECK_THAT(result.score <= -SCORE_TB_MIN, "score %d", result.score);
    engine_free(engine);
}

static void keep_second(void *context, const SearchLine *line)
{
    if (line->multi_pv == 2)
        *(SearchLine *)context = *line;
}

static void test_lines(const Tablebase *tables)
{
    CASE("with several lines the best ranks come first, whatever the order the moves were found in");
    // Three moves win: the capture, and two that win the rook; the others draw or lose.
    Position pos = position_of("7k/8/8/8/3R4/8/1r6/K7 w - - 0 1");
    Engine *engine = engine_new(1);
    engine_options(engine)->tablebase = tables;
    for (int lines = 2; lines <= 4; lines += 2) {
        SearchLine second = {.score = 0};
        SearchEvents listener = {.context = &second, .line = keep_second};
        engine_options(engine)->multi_pv = lines;
        search_of(engine, &pos, (Limits){.depth = 4}, &listener);
        CHECK_THAT(second.score >= SCORE_TB_MIN, "of %d lines the second has the score %d", lines,
                   second.score);
    }
    engine_free(engine);
}

// ---- threads ------------------------------------------------------------------------------------
typedef struct Prober {
    const Tablebase *tablebase;
    u64 seed;
    int wrong;
} Prober;

static void *probe_many(void *argument)
{
    Prober *prober = argument;
    Rng rng = {prober->seed};
    Position pos;
    Rules rules = rules_default();
    for (int i = 0; i < 300; i++) {
        pos_set(&pos, span_of(i & 1 ? "8/8/8/3k4/8/8/8/K6R w - - 0 1" : "8/8/3k4/8/8/8/PR6/K7 w - - 0 1"),
                &rules, NULL);
        for (int ply = 0; ply < 10; ply++) {
            int plies;
            TbResult result = tb_probe(prober->tablebase, &pos);
            bool found = tb_probe_distance(prober->tablebase, &pos, &plies);
            prober->wrong +=
                result == TB_NONE || !found || (plies > 0) != (result > 0) || (plies < 0) != (result < 0);
            Move list[MAX_MOVES], *end = gen_all(&pos, list);
            Undo undo;
            if (end == list)
                break;
            pos_make(&pos, list[rng_below(&rng, (u32)(end - list))], &undo, NULL);
        }
    }
    return NULL;
}

static void test_threads(void)
{
    CASE("threads that probe at once");
    Tablebase *tables = open_tables(test_data(FOLDER));
    Thread thread[4];
    Prober prober[4];
    for (int i = 0; i < 4; i++) {
        prober[i] = (Prober){tables, (u64)i, 0};
        CHECK(os_thread_start(&thread[i], probe_many, &prober[i]));
    }
    for (int i = 0; i < 4; i++) {
        os_thread_join(thread[i]);
        CHECK_INT(prober[i].wrong, 0);
    }
    tb_close(tables);
}

// ---- damage -------------------------------------------------------------------------------------
// Opens a folder that holds this one file (under the table's name) and asks it about many positions: it may
// answer anything a table can say, or nothing.
static bool probe_damaged(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    Message message = {""};
    FILE *file = fopen(path, "wb"); // without the trip to the disk that os_write_file makes
    CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    char both[1400];
    snprintf(both, sizeof both, "%s:%s", folder,
             test_data(FOLDER)); // the first folder that has the file whole wins
    Tablebase *tables = tb_open(both, &message);
    CHECK(tables != NULL);
    static const char *const POSITIONS[] = {
        "8/8/8/3k4/8/8/8/K6R w - - 0 1",    "8/8/8/3k4/8/8/8/K6R b - - 0 1",
        "8/8/3k4/8/8/8/PR6/K7 w - - 0 1",   "8/8/3k4/8/8/8/PR6/K7 b - - 0 1",
        "8/2k5/8/8/8/4b3/8/K5R1 w - - 0 1", "8/2k5/8/7r/8/8/2K5/1R6 b - - 0 1",
        "8/8/8/3k4/8/8/3P4/K7 w - - 0 1",   "8/8/8/8/8/2k5/6P1/K7 b - - 0 1",
        "8/8/2k5/8/8/8/PP6/K7 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof POSITIONS / sizeof POSITIONS[0]; i++) {
        Position pos = position_of(POSITIONS[i]);
        Move list[MAX_MOVES], *end = gen_all(&pos, list);
        int ranks[MAX_MOVES], plies;
        TbResult result = tb_probe(tables, &pos);
        KeyHistory keys = {0};
        CHECK(result == TB_NONE || (result >= TB_LOSS && result <= TB_WIN));
        tb_probe_distance(tables, &pos, &plies);
        tb_rank_root(tables, &pos, &keys, true, list, (int)(end - list), ranks, &result);
    }
    tb_close(tables);
    remove(path);
    bool named = strstr(message.text, name) != NULL;
    CHECK_THAT(named == (message.text[0] != '\0'), "'%s' does not name %s", message.text, name);
    return named;
}

// A damaged file, or what is none at all, does not hide the good one of the next folder.
static void test_second_folder(const char *folder)
{
    CASE("a damaged file does not hide a good one in the next folder, and a pipe is not waited for");
    char path[700], both[1400];
    Message message = {""};
    Position pos = position_of("8/8/8/3k4/8/8/8/K6R w - - 0 1");
    snprintf(path, sizeof path, "%s/KRvK.rtbw", folder);
    snprintf(both, sizeof both, "%s:%s", folder, test_data(FOLDER));
    for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
        CHECK(is_pipe ? mkfifo(path, 0600) == 0 : os_write_file(path, "broken", 6, NULL));
        alarm(20); // who waits for the pipe's other end waits for ever
        Tablebase *tables = tb_open(both, &message);
        alarm(0);
        CHECK_THAT(strstr(message.text, is_pipe ? "not a regular file" : "KRvK.rtbw"), "%s", message.text);
        CHECK_INT(tb_probe(tables, &pos), TB_WIN);
        tb_close(tables);
        remove(path);
    }
}

static void test_damage(void)
{
    static const char *const FILES[] = {"KRvK.rtbw",  "KRvK.rtbz",  "KRPvK.rtbw", "KRPvK.rtbz",
                                        "KRvKR.rtbw", "KRvKB.rtbz", "KPvK.rtbz",  "KPPvK.rtbw"};
    char folder[600];
    snprintf(folder, sizeof folder, "%s", test_scratch("tables"));
    CASE("damaged tables are left out and named, or answer without harm");
    CHECK(mkdir(folder, 0700) == 0);
    Rng rng = {17};
    int rounds = test_is_light() ? 2 : 6;
    for (size_t f = 0; f < sizeof FILES / sizeof FILES[0]; f++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", test_data(FOLDER), FILES[f]);
        Text file = {0};
        Message error = {""};
        CHECK_THAT(text_read_file(&file, path, 1 << 20, &error), "%s", error.text);
        CHECK(!probe_damaged(folder, FILES[f], file.ptr, file.len));
        for (int i = 0; i < rounds; i++) {
            size_t cut =
                i < 3 ? (size_t)i * 20 : rng_below(&rng, (u32)file.len - 64); // the last bytes are a checksum
            CHECK_THAT(probe_damaged(folder, FILES[f], file.ptr, cut), "%s cut to %zu bytes is taken",
                       FILES[f], cut);
        }
        CHECK_THAT(probe_damaged(folder, FILES[f], file.ptr, file.len - 1),
                   "%s without its last byte is taken", FILES[f]);
        for (int i = 0; i < rounds; i++) {
            Text copy = {0};
            text_add_bytes(&copy, file.ptr, file.len);
            // In the head, in the codes, anywhere; one byte or many.
            u32 range = i % 3 == 0 ? 16 : i % 3 == 1 ? 200 : (u32)file.len;
            for (u32 n = 1 + rng_below(&rng, i & 1 ? 50 : 1); n; n--)
                copy.ptr[rng_below(&rng, range < file.len ? range : (u32)file.len)] = (char)rng_next(&rng);
            probe_damaged(folder, FILES[f], copy.ptr, copy.len);
            text_free(&copy);
        }
        text_free(&file);
    }
    static const char TEXT[] = "this is no table at all, but a text of some length that goes on and on";
    CHECK(probe_damaged(folder, "KQvK.rtbw", TEXT, sizeof TEXT));
    CHECK(probe_damaged(folder, "KQvK.rtbz", "", 0));
    test_second_folder(folder);
    rmdir(folder);
}

void test_tablebase(void)
{
    Tablebase *tables = open_tables(test_data(FOLDER));
    if (!tables)
        return;
    test_known_positions(tables);
    test_not_covered(tables);
    test_ranking(tables);
    test_winning(tables);
    test_search_score(tables);
    test_lines(tables);
    tb_close(tables);
    test_threads();
    test_damage();
}
