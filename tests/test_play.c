// SPDX-License-Identifier: GPL-3.0-or-later
// The game in the terminal, scripted: what is typed is a string, what is answered is searched for sentences.
// Moves are taken from the generator, so that every game is tested with the same script.
#include <stdlib.h>

#include "games/notation.h"
#include "games/record.h"
#include "play.h"
#include "session/levels.h"
#include "session/phrases.h"

// The first legal move of the start position in both spellings.
static void first_move(char *human, char *protocol)
{
    const Position pos = position_of(GAME_START);
    Move list[MAX_MOVES];
    gen_all(&pos, list);
    move_print_human(&pos, list[0], human);
    move_print(&pos, list[0], protocol);
}

static void test_moves(void)
{
    PlayOptions options = quick();
    char human[64], protocol[MOVE_TEXT_MAX], script[256];
    first_move(human, protocol);
    const char *const spellings[] = {human, protocol};
    for (int i = 0; i < 2; i++) {
        CASE("play: the move %s is taken and answered", spellings[i]);
        int code;
        snprintf(script, sizeof script, "%s\n", spellings[i]);
        char *answer = run(script, &options, &code);
        CHECK_INT(code, 0);
        CHECK_INT(count_of(answer, "Twofold plays 1..."), 1);
        CHECK(strstr(answer, "Goodbye.") != NULL);
        free(answer);
    }
    CASE("play: a move with its number in front");
    snprintf(script, sizeof script, "1. %s\ngame\n", human);
    check_says(script, &options, "Twofold plays 1...");
    CASE("play: the second side lets the engine begin");
    options.human[0] = false;
    options.human[1] = true;
    check_says("", &options, "Twofold plays 1. ");
    CASE("play: two people at one board");
    options.human[0] = true;
    snprintf(script, sizeof script, "%s\nquit\n", human);
    check_says(script, &options, "two people");
    CASE("play: no input at all ends politely");
    check_says("", &options, "Goodbye.");
    CASE("play: the same game at the same number of nodes");
    options = quick();
    snprintf(script, sizeof script, "%s\nhint\neval\nquit\n", protocol);
    char *first = run(script, &options, NULL), *second = run(script, &options, NULL);
    CHECK_TEXT(first, second);
    free(first);
    free(second);
}

// The start position, drawn this way round, comes so often in the answer.
static void check_board(const char *script, const PlayOptions *options, bool flip, int times)
{
    const Position start = position_of(GAME_START);
    Text board = {0};
    board_draw(&start, (BoardStyle){.flip = flip}, &board);
    char *answer = run(script, options, NULL);
    CHECK_THAT(count_of(answer, board.ptr) == times, "not %d times\n%s in:\n%s", times, board.ptr, answer);
    free(answer);
    text_free(&board);
}

static void test_commands(void)
{
    PlayOptions options = quick();
    char human[64], protocol[MOVE_TEXT_MAX], script[1400];
    first_move(human, protocol);
    CASE("play: undo goes back to the player's own move");
    snprintf(script, sizeof script, "%s\nundo\ngame\n", human);
    check_says(script, &options, "No move has been played.");
    check_says("undo\n", &options, "nothing to take back");
    check_says("undo x\n", &options, "undo takes a number");
    CASE("play: hint and eval");
    check_says("hint\n", &options, "Hint: ");
    check_says("eval\n", &options, "of such games");
    CASE("play: levels by name and number");
    check_says("level\n", &options, "beginner");
    check_says("level club\n", &options, "Level: club");
    check_says("level FULL\n", &options, "Level: full strength");
    check_says("level wizard\n", &options, "'wizard' is no level: expected beginner");
    CASE("play: resign ends the game, new begins another");
    snprintf(script, sizeof script, "resign\n%s\n", human);
    check_says(script, &options, "resigns");
    check_says(script, &options, "The game is over");
    snprintf(script, sizeof script, "resign\nnew\n%s\n", human);
    check_says(script, &options, "Twofold plays");
    CASE("play: undo takes back a resignation, and then moves");
    snprintf(script, sizeof script, "resign\nundo\n%s\n", human);
    check_says(script, &options, "Taken back: the game goes on.");
    check_says(script, &options, "Twofold plays 1...");
    snprintf(script, sizeof script, "%s\nresign\nundo\ngame\n", human);
    check_says(script, &options, "Position: ");
    char *answer = run(script, &options, NULL);
    CHECK_THAT(strstr(answer, "\nNo move has been played.") == NULL, "%s", answer);
    free(answer);
    snprintf(script, sizeof script, "%s\nresign\nundo\nundo\n%s\n", human, human);
    answer = run(script, &options, NULL);
    CHECK_INT(count_of(answer, "Twofold plays"), 2);
    free(answer);
    CASE("play: the other commands");
    check_says("moves\n", &options, human);
    check_says("help\n", &options, "take back");
    check_board("flip\n", &options, true, 1);
    check_board("flip\nflip\n", &options, false, 2);
    check_says("swap\n", &options, "Twofold plays 1. ");
    check_board("board\n", &options, false, 2);
    check_says("new nonsense\n", &options, "no position to play from");
    CASE("play: the start by name");
    check_says("new startpos\n", &options, "A new game.");
    options.position = "startpos";
    check_says("moves\n", &options, human);
}

static void test_files(void)
{
    PlayOptions options = quick();
    char human[64], protocol[MOVE_TEXT_MAX], path[PATH_BYTES], script[1400];
    Message message = {0};
    Text text = {0};
    Record record = {0};
    Rules rules = rules_default();
    first_move(human, protocol);
    scratch_path("saved-game", path);
    CASE("play: a saved game can be read and loaded again");
    snprintf(script, sizeof script, "%s\nsave %s\n", human, path);
    check_says(script, &options, "Saved in");
    CHECK(text_read_file(&text, path, 1 << 20, &message));
    Span rest = text_span(&text);
    CHECK(record_read(&rest, &rules, &record));
    CHECK_INT(record.move_nb, 2);
    CHECK_TEXT(record.error.text, "");
    snprintf(script, sizeof script, "load %s\ngame\n", path);
    check_says(script, &options, "Loaded 2 moves");
    CASE("play: of several games the first is loaded, and it is said so");
    Text twice = {0};
    text_add(&twice, "%s\n%s\n%s", text.ptr, text.ptr, text.ptr);
    write_text(path, twice.ptr);
    text_free(&twice);
    check_says(script, &options, "The file has 3 games: this is the first.");
    write_text(path, text.ptr);
    char *heard = run(script, &options, NULL);
    CHECK(!strstr(heard, "The file has"));
    free(heard);
    CASE("play: a file that is there is not replaced unasked");
    snprintf(script, sizeof script, "save %s\n", path);
    check_says(script, &options, "is there already. Type save! ");
    check_file(path, text.ptr);
    snprintf(script, sizeof script, "save! %s\nsave %s\n", path, path);
    char *answer = run(script, &options, NULL);
    CHECK_THAT(count_of(answer, "Saved in") == 2, "%s", answer);
    free(answer);
    CASE("play: a name that stands for no format of the game");
    snprintf(script, sizeof script, "save! %s.docx\n", path);
    check_says(script, &options, ".docx, in this game's usual format.");
    snprintf(script, sizeof script, "%s.docx", path);
    remove(script);
    CASE("play: files that can't be had");
    check_says("save!\n", &options, "save needs the name of a file");
    check_says("save\n", &options, "save needs the name of a file");
    check_says("save /nonexistent/game\n", &options, "Not saved: cannot write");
    check_says("save /dev/full\n", &options, "Not saved: cannot write");
    check_says("load /nonexistent/game\n", &options, "Not loaded: cannot open");
    CASE("play: a file without a game leaves the game alone");
    CHECK(os_write_file(path, "no game\nis here\n", 16, &message));
    snprintf(script, sizeof script, "%s\nload %s\nundo\n", human, path);
    check_says(script, &options, "Not loaded: ");
    check_says(script, &options, "Taken back.");
    remove(path);
    record_free(&record);
    text_free(&text);
}

static void test_mistakes(void)
{
    PlayOptions options = quick();
    char human[64], protocol[MOVE_TEXT_MAX], script[256];
    first_move(human, protocol);
    CASE("play: mistakes are answered with what was expected");
    check_says("xyzzyplugh\n", &options, "is no move here. Expected a move, such as ");
    check_says("hlep\n", &options, "Did you mean help?");
    snprintf(script, sizeof script, "%.*sq%s\n", (int)strlen(protocol) - 1, protocol,
             protocol + strlen(protocol) - 1);
    check_says(script, &options, "Did you mean ");
    char *blank = run("\n \n\t\n", &options, NULL);
    CHECK_THAT(!strstr(blank, "is no move") && strstr(blank, "Goodbye."), "%s", blank);
    free(blank);
    check_says("--\n", &options, "'--' is no move here.");
    check_says("0000\n", &options, "'0000' is no move here.");
    CASE("play: what was typed cannot drive the terminal");
    char *answer = run("\x1b[2Jxyzzyplugh\n", &options, NULL);
    CHECK(strchr(answer, '\x1b') == NULL);
    free(answer);
    check_says("歩歩歩歩歩歩歩歩歩歩歩歩歩歩歩歩\n", &options, "歩' is no move here");
    CASE("play: a line of a million letters");
    char *long_line = malloc(1000002);
    memset(long_line, 'e', 1000000);
    memcpy(long_line + 1000000, "\n", 2);
    check_says(long_line, &options, "eee' is no move here.");
    free(long_line);
    CASE("play: a bad start position is refused");
    options.position = "nonsense";
    int code;
    answer = run("", &options, &code);
    CHECK_INT(code, 1);
    CHECK(strstr(answer, "no position to play from") != NULL);
    free(answer);
}

static void test_clock(void)
{
    PlayOptions options = quick();
    char human[64], protocol[MOVE_TEXT_MAX], script[256], shown[64];
    first_move(human, protocol);
    CASE("play: clocks are shown, and run out");
    options.clock_ms = 300000;
    check_says("board\n", &options, "5:00");
    options.clock_ms = 20;
    char *answer = run_late(human, 120, &options);
    CHECK_THAT(!answer || strstr(answer, "has run out of time") != NULL, "%s", answer);
    free(answer);
    CASE("play: a flag is put up again");
    options.human[1] = true;
    options.clock_ms = 500;
    snprintf(script, sizeof script, "%s\nundo\n%s\ngame", human, human);
    answer = run_late(script, 600, &options);
    snprintf(shown, sizeof shown, "the game goes on, with 0.5 on %s's clock.", phrase_side(0));
    CHECK_THAT(!answer || (strstr(answer, shown) && strstr(answer, "\n1. ")), "%s", answer);
    free(answer);
    options.human[1] = false;
    CASE("play: a move taken back gives its time back");
    options.clock_ms = 600000;
    snprintf(script, sizeof script, "%s\nundo", human);
    snprintf(shown, sizeof shown, "Clocks: %s 10:00", phrase_side(0));
    answer = run_late(script, 20, &options);
    CHECK_THAT(!answer || (count_of(answer, "Clocks: ") == 3 && count_of(answer, shown) == 2), "%s", answer);
    free(answer);
}

static void test_words(void)
{
    char out[PHRASE_MAX];
    CASE("words: clocks");
    phrase_clock(303000, out);
    CHECK_TEXT(out, "5:03");
    phrase_clock(3723000, out);
    CHECK_TEXT(out, "1:02:03");
    phrase_clock(9400, out);
    CHECK_TEXT(out, "9.4");
    phrase_clock(-5, out);
    CHECK_TEXT(out, "0.0");
    CASE("levels: names are in order and within the range");
    SkillRange range = skill_range();
    for (int i = 0, last = 0; i + 1 < levels_count(); i++) {
        CHECK(levels_at(i).elo >= last && levels_at(i).elo >= range.min_elo &&
              levels_at(i).elo <= range.max_elo);
        last = levels_at(i).elo;
    }
    CHECK_INT(levels_at(levels_count() - 1).elo, LEVEL_FULL);
}

// Reads one option with its value as the command would; false when it refuses.
static bool read_option(char *name, char *value, PlayOptions *options)
{
    char *said = NULL;
    size_t size;
    FILE *stream = open_memstream(&said, &size);
    int code = -1;
    bool ok = play_read(3, (char *[]){"play", name, value}, options, stream, stream, &code);
    fclose(stream);
    CHECK(ok ? code == 0 && !said[0] : code == 2 && strstr(said, "play: ") && strstr(said, name));
    free(said);
    return ok;
}

static void test_command_line(void)
{
    static const struct {
        char *text;
        i64 clock_ms, inc_ms; // -1: refused
    } CLOCKS[] = {{"5+3", 300000, 3000}, {"0.5", 30000, 0}, {"10+0", 600000, 0}, {"0+1", 1000, 1000},
                  {"0+0.5", 500, 500},   {"0", -1, 0},      {"0+0", -1, 0},      {"x", -1, 0},
                  {"0.001", -1, 0},      {"5+", -1, 0},     {"-1+5", -1, 0},     {"5+601", -1, 0}};
    PlayOptions options;
    for (size_t i = 0; i < sizeof CLOCKS / sizeof CLOCKS[0]; i++) {
        CASE("play: --clock %s", CLOCKS[i].text);
        bool ok = read_option("--clock", CLOCKS[i].text, &options);
        CHECK(ok == (CLOCKS[i].clock_ms >= 0));
        if (ok)
            CHECK_INT(options.clock_ms, CLOCKS[i].clock_ms);
        if (ok)
            CHECK_INT(options.inc_ms, CLOCKS[i].inc_ms);
    }
    CASE("play: sides and levels of the command line");
    CHECK(read_option("--side", "second", &options) && !options.human[0] && options.human[1]);
    CHECK(read_option("-s", "BOTH", &options) && options.human[0] && options.human[1]);
    CHECK(read_option("--side", "random", &options) && options.human[0] != options.human[1]);
    CHECK(!read_option("--side", "left", &options));
    CHECK(read_option("--elo", "1500", &options) && options.elo == 1500);
    CHECK(!read_option("--level", "nonsense", &options));
    CHECK(read_option("--nodes", "50", &options) && options.nodes == 50 && options.move_time_ms == 1000);
    CASE("play: a clock of increments alone is played with");
    options = quick();
    options.clock_ms = options.inc_ms = 60000;
    check_says("moves\nquit\n", &options, "1:00");
}

static void test_engine_options(void)
{
    int code;
    PlayOptions options;
    Message message = {0};
    CASE("play: --option sets an option of the engine, whatever its protocol calls it");
    CHECK(read_option("--option", "Hash=2", &options) && options.engine.nb == 1);
    options = quick();
    CHECK(option_list_add(&options.engine, span_of("QSearchMaxDepth=2"), &message));
    CHECK(option_list_add(&options.engine, span_of("EvalFile=none"), &message));
    free(run("quit\n", &options, &code));
    CHECK_INT(code, 0);
    CASE("play: an option that is none ends it before it begins, with the nearest name");
    CHECK(option_list_add(&options.engine, span_of("MultyPV=2"), &message));
    char *answer = run("quit\n", &options, &code);
    CHECK_INT(code, 2);
    CHECK_TEXT(answer, "The engine cannot start: there is no option 'MultyPV' (did you mean MultiPV?).\n");
    free(answer);
    CASE("play: the level is an option too");
    options = quick();
    CHECK(option_list_add(&options.engine, span_of("Elo=1500"), &message));
    check_says("level\n", &options, "Now: club (1500).");
    check_says("level 1700\nlevel\n", &options, "Now: 1700.");
}

void test_play(void)
{
    test_engine_options();
    test_words();
    test_command_line();
    test_moves();
    test_commands();
    test_files();
    test_mistakes();
    test_clock();
}
