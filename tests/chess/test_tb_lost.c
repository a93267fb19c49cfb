// SPDX-License-Identifier: GPL-3.0-or-later
// Endgame tables whose files are cut short while they are in use: they cost the table and one message, never
// a wrong answer or the program; a search that went by one begins again without it.
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "bitboard.h"
#include "games/knowledge.h"
#include "helpers.h"
#include "protocol/commands.h"

static const char FOLDER[] = "chess/syzygy";

// Copies a file of the committed tables into the folder.
static void copy_table(const char *folder, const char *name, char path[PATH_BYTES])
{
    Message message = {""};
    char source[PATH_BYTES];
    snprintf(source, sizeof source, "%s/%s", test_data(FOLDER), name);
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    Text file = read_whole(source);
    CHECK_THAT(os_write_file(path, file.ptr, file.len, &message), "%s", message.text);
    text_free(&file);
}

// Asks for positions with a king and two pawns against a king; how many had an answer. An answer that is
// given is the one that the whole table gives.
static int ask_pawns(const Tablebase *tables, const Tablebase *whole)
{
    int answered = 0;
    for (int first = 8; first < 48; first++)
        for (int second = first + 1; second < 48; second += 5) {
            char fen[TEXT_MAX];
            Position pos = position_of("7k/8/8/8/8/8/8/K7 w - - 0 1");
            pos_put(&pos, piece_make(WHITE, PAWN), first);
            pos_put(&pos, piece_make(WHITE, PAWN), second);
            pos_print(&pos, fen);
            pos = position_of(fen);
            TbResult result = tb_probe(tables, &pos);
            answered += result != TB_NONE;
            CHECK_THAT(result == TB_NONE || result == tb_probe(whole, &pos), "%s", fen);
        }
    return answered;
}

static void test_cut(const Tablebase *whole, bool is_mapped)
{
    CASE("a table cut short while it is open costs the table alone, %s",
         is_mapped ? "mapped" : "read in pieces");
    char folder[PATH_BYTES], pawns[PATH_BYTES], queen[PATH_BYTES], rook[PATH_BYTES], pawn[PATH_BYTES];
    Message message = {""};
    scratch_path("cut-tables", folder);
    CHECK(os_make_folder(folder, &message));
    copy_table(folder, "KPPvK.rtbw", pawns);
    copy_table(folder, "KPvK.rtbw", pawn);
    copy_table(folder, "KQvK.rtbw", queen);
    copy_table(folder, "KRvK.rtbw", rook);
    disk_use_maps(is_mapped);
    Tablebase *tables = open_tables(folder);
    disk_use_maps(false);
    int all = ask_pawns(tables, whole);
    CHECK(all > 100 && tb_lost(tables) == 0 && !tb_tell_lost(tables, &message));
    CHECK(os_truncate(pawns, 4096, &message));
    ask_pawns(tables, whole);
    CHECK_INT(tb_lost(tables), 1);
    CHECK_INT(ask_pawns(tables, whole), 0);
    CHECK(tb_tell_lost(tables, &message));
    check_has(message.text, "KPPvK.rtbw");
    CHECK(!tb_tell_lost(tables, &message)); // once
    Position pos = position_of("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    CHECK_INT(tb_probe(tables, &pos), TB_WIN);

    CASE("a cut within a page is found by asking, %s", is_mapped ? "mapped" : "read in pieces");
    CHECK(os_truncate(queen, 200, &message));
    tb_check_files(tables);
    CHECK_INT(tb_lost(tables), 2);
    CHECK_INT(tb_probe(tables, &pos), TB_NONE);
    CHECK(tb_tell_lost(tables, &message));
    check_has(message.text, "KQvK.rtbw");
    pos = position_of("4k3/8/8/8/8/8/8/3RK3 w - - 0 1");
    CHECK_INT(tb_probe(tables, &pos), TB_WIN);
    tb_close(tables);
    remove(pawns), remove(pawn), remove(queen), remove(rook);
    rmdir(folder);
}

// A thread that asks for the same positions again and again while the file is cut.
enum { ASKER_NB = 4, ASKED_NB = 40 };
typedef struct Asker {
    const Tablebase *tables;
    const Position *pos; // ASKED_NB of them, with what the whole table says
    const TbResult *expected;
    atomic_bool *is_over;
    Thread thread;
    int wrong;
} Asker;

// Its last pass begins after the end was told, so that every thread has asked for all after the cut.
static void *ask_on(void *argument)
{
    Asker *asker = argument;
    bool is_last;
    do {
        is_last = atomic_load(asker->is_over);
        for (int i = 0; i < ASKED_NB; i++) {
            TbResult result = tb_probe(asker->tables, &asker->pos[i]);
            asker->wrong += result != TB_NONE && result != asker->expected[i];
        }
    } while (!is_last);
    return NULL;
}

static void test_cut_under_threads(const Tablebase *whole)
{
    CASE("threads that ask while a table is cut get its values or none");
    char folder[PATH_BYTES], pawns[PATH_BYTES], pawn[PATH_BYTES], fen[TEXT_MAX];
    Message message = {""};
    Position pos[ASKED_NB];
    TbResult expected[ASKED_NB];
    for (int i = 0; i < ASKED_NB; i++) {
        snprintf(fen, sizeof fen, "7k/8/8/%dP%d/8/%dP%d/8/K7 w - - 0 1", 1 + i % 6, 6 - i % 6, 1 + i / 7,
                 6 - i / 7);
        pos[i] = position_of(fen);
        expected[i] = tb_probe(whole, &pos[i]);
        CHECK(expected[i] != TB_NONE);
    }
    scratch_path("cut-threads", folder);
    CHECK(os_make_folder(folder, &message));
    for (int round = 0; round < 10; round++) {
        copy_table(folder, "KPPvK.rtbw", pawns);
        copy_table(folder, "KPvK.rtbw", pawn);
        disk_use_maps(true);
        Tablebase *tables = open_tables(folder);
        disk_use_maps(false);
        Asker asker[ASKER_NB];
        atomic_bool is_over = false;
        for (int i = 0; i < ASKER_NB; i++) {
            asker[i] = (Asker){.tables = tables, .pos = pos, .expected = expected, .is_over = &is_over};
            CHECK(os_thread_start(&asker[i].thread, ask_on, &asker[i]));
        }
        os_sleep_ms(5);
        CHECK(os_truncate(pawns, 4096, &message));
        os_sleep_ms(5);
        atomic_store(&is_over, true);
        for (int i = 0; i < ASKER_NB; i++) {
            os_thread_join(asker[i].thread);
            CHECK_INT(asker[i].wrong, 0);
        }
        CHECK_INT(tb_lost(tables), 1);
        tb_close(tables);
    }
    remove(pawns), remove(pawn);
    rmdir(folder);
}

// Cuts a table after the first lines of a search.
typedef struct Cutter {
    const char *path;
    int line_nb, last_depth;
    bool has_begun_again;
} Cutter;

static void cut_at_line(void *context, const SearchLine *line)
{
    Cutter *cutter = context;
    Message message = {""};
    if (++cutter->line_nb == 3)
        CHECK_THAT(os_truncate(cutter->path, 4096, &message), "%s", message.text);
    cutter->has_begun_again |= line->depth < cutter->last_depth;
    cutter->last_depth = line->depth;
}

static void test_cut_in_search(void)
{
    CASE("a search whose table is cut short begins again without it");
    char folder[PATH_BYTES], pawns[PATH_BYTES], queen[PATH_BYTES];
    Message message = {""};
    scratch_path("cut-search", folder);
    CHECK(os_make_folder(folder, &message));
    copy_table(folder, "KPPvK.rtbw", pawns);
    copy_table(folder, "KQPvK.rtbw", queen); // four men too, so that the same positions are looked up
    disk_use_maps(true);
    Tablebase *tables = open_tables(folder), *rest;
    Engine *engine = engine_new(4);
    engine_options(engine)->tablebase = tables;
    const Position pos = position_of("8/8/3k4/8/2p5/8/1P1K1P2/8 w - - 0 1");
    Cutter cutter = {.path = pawns};
    SearchEvents events = {.context = &cutter, .line = cut_at_line};
    SearchResult result = search_of(engine, &pos, (Limits){.nodes = 60000}, &events);
    CHECK(cutter.has_begun_again && tb_lost(tables) == 1);
    CHECK(tb_tell_lost(tables, &message));
    check_has(message.text, "KPPvK.rtbw");
    engine_free(engine);

    CASE("and finds what it would have found without it");
    remove(pawns);
    rest = open_tables(folder);
    disk_use_maps(false);
    engine = engine_new(4);
    engine_options(engine)->tablebase = rest;
    SearchResult other = search_of(engine, &pos, (Limits){.nodes = 60000}, NULL);
    CHECK_INT(result.best, other.best);
    CHECK_INT(result.score, other.score);
    CHECK_INT(result.depth, other.depth);
    CHECK_INT(result.nodes, other.nodes);
    engine_free(engine);
    tb_close(tables);
    tb_close(rest);
    remove(queen);
    rmdir(folder);
}

static bool keep_output(void *context, const char *bytes, size_t size)
{
    text_add_bytes(context, bytes, size);
    return true;
}

static void test_cut_is_told(void)
{
    CASE("a table that got lost is named in one line before the answer");
    char folder[PATH_BYTES], pawns[PATH_BYTES], queen[PATH_BYTES], line[PATH_BYTES + 64];
    static const char GO[] = "go nodes 20000";
    Message message = {""};
    Text output = {0};
    scratch_path("cut-told", folder);
    CHECK(os_make_folder(folder, &message));
    copy_table(folder, "KPPvK.rtbw", pawns);
    copy_table(folder, "KQPvK.rtbw", queen);
    Protocol *protocol = calloc(1, sizeof *protocol);
    CHECK(protocol && protocol_init(protocol));
    protocol->out.write = keep_output;
    protocol->out.context = &output;
    snprintf(line, sizeof line, "setoption name SyzygyPath value %s", folder);
    protocol_run_line(protocol, span_of(line));
    protocol_run_line(protocol, span_of("position fen 8/8/3k4/8/2p5/8/1P1K1P2/8 w - - 0 1"));
    CHECK(os_truncate(pawns, 4096, &message));
    protocol_run_line(protocol, span_of(GO));
    CHECK_INT(count_of(output.ptr, "KPPvK.rtbw"), 1);
    CHECK(strstr(output.ptr, "KPPvK.rtbw") < strstr(output.ptr, "bestmove"));
    protocol_run_line(protocol, span_of(GO));
    CHECK_INT(count_of(output.ptr, "KPPvK.rtbw"), 1);
    CHECK_INT(count_of(output.ptr, "bestmove"), 2);
    protocol_free(protocol);
    free(protocol);
    text_free(&output);
    remove(pawns), remove(queen);
    rmdir(folder);
}

void test_tb_lost(void)
{
    Tablebase *whole = open_tables(test_data(FOLDER));
    if (!whole)
        return;
    test_cut(whole, false);
    test_cut(whole, true);
    test_cut_under_threads(whole);
    tb_close(whole);
    test_cut_in_search();
    test_cut_is_told();
}
