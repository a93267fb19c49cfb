// SPDX-License-Identifier: GPL-3.0-or-later
// What play does beyond the moves, scripted: moves taken back and made again, games of a file by number,
// games that are kept and gone on with, and the look back at the end.
#include <stdlib.h>
#include <unistd.h>

#include "games/notation.h"
#include "games/record.h"
#include "play.h"

static const char *const MOVES = HAS_DECLARATION ? "7g7f 3c3d 2g2f 8c8d" : "e2e4 e7e5 g1f3 b8c6";

// The script with the moves, each on a line of its own, before it.
static void with_moves(char *script, size_t size, const char *rest)
{
    size_t len = (size_t)snprintf(script, size, "%s\n%s", MOVES, rest);
    for (size_t i = 0; i < strlen(MOVES); i++)
        script[i] = script[i] == ' ' ? '\n' : script[i];
    CHECK(len < size);
}

// Two people play, so that the moves are known.
static PlayOptions two_people(void)
{
    PlayOptions options = quick();
    options.human[1] = true;
    return options;
}

// The position behind so many of the moves is shown by `game` in the last line "Position: ".
static void check_stands(const char *rest, int move_nb)
{
    char script[512], expected[TEXT_MAX];
    const PlayOptions options = two_people();
    Position pos = position_of(GAME_START);
    Span words = span_of(MOVES);
    for (int i = 0; i < move_nb; i++)
        pos = pos_after(&pos, move_parse(&pos, span_word(&words)));
    pos_print(&pos, expected);
    with_moves(script, sizeof script, rest);
    char *answer = run(script, &options, NULL), *at = answer;
    for (char *next = answer; (next = strstr(next, "Position: ")); next++)
        at = next;
    CHECK_THAT(strncmp(at, "Position: ", 10) == 0 && strncmp(at + 10, expected, strlen(expected)) == 0,
               "%s: %s, not %s", rest, at, expected);
    free(answer);
}

static void test_redo(void)
{
    const PlayOptions options = two_people(), against = quick();
    char script[512];
    CASE("undo N and redo N");
    check_stands("game\n", 4);
    check_stands("undo\ngame\n", 3);
    check_stands("undo 4\ngame\n", 0);
    check_stands("undo 4\nredo\ngame\n", 1);
    check_stands("undo 4\nredo 3\ngame\n", 3);
    check_stands("undo 2\nundo 1\nredo 3\ngame\n", 4);
    CASE("the same moves by hand go on with what was taken back, others forget it");
    char again[64];
    Span words = span_of(MOVES), first = span_word(&words), second = span_word(&words);
    snprintf(again, sizeof again, "undo 4\n%.*s\nredo\ngame\n", (int)first.len, first.ptr);
    check_stands(again, 2);
    const char *other = HAS_DECLARATION ? "1g1f" : "a2a3";
    with_moves(script, sizeof script, "undo 4\n");
    snprintf(script + strlen(script), 64, "%s\nredo\n", other);
    check_says(script, &options, "There is nothing to make again.");
    CASE("more than there is changes nothing");
    check_stands("undo 40\ngame\n", 4);
    check_stands("undo 2\nredo 3\ngame\n", 2);
    with_moves(script, sizeof script, "undo 40\nundo 1\nredo 2\nredo x\nundo 99999999999999\n");
    check_says(script, &options, "There are only 4 half-moves to take back.");
    check_says(script, &options, "There are only 1 half-moves to make again.");
    check_says(script, &options, "redo takes a number");
    CASE("against the engine both go by turns of the person");
    snprintf(script, sizeof script, "%.*s\nundo\nredo\nredo\n%.*s\n", (int)first.len, first.ptr,
             (int)second.len, "????");
    char *answer = run(script, &against, NULL);
    CHECK_THAT(strstr(answer, "Made again.") && strstr(answer, "There is nothing to make again.") &&
                   count_of(answer, "Twofold plays") == 1,
               "%s", answer);
    free(answer);
}

static void test_numbers(void)
{
    const PlayOptions options = two_people();
    char path[PATH_BYTES], script[1400], spaced[PATH_BYTES + 8];
    Text text = {0};
    Message message;
    scratch_path("some games", path);
    CASE("load FILE N takes that game of the file");
    for (int i = 1; i <= 3; i++) {
        with_moves(script, sizeof script, "undo ");
        snprintf(script + strlen(script), sizeof script - strlen(script), "%d\nsave! %s\n", i, path);
        free(run(script, &options, NULL));
        CHECK(text_read_file(&text, path, 1 << 16, &message));
        text_add(&text, "\n");
    }
    CHECK(os_write_file(path, text.ptr, text.len, &message));
    static const char *const LOADED[] = {"Loaded 3 moves", "Loaded 2 moves", "Loaded 1 move"};
    for (int i = 1; i <= 3; i++) {
        snprintf(script, sizeof script, "load %s %d\n", path, i);
        check_says(script, &options, LOADED[i - 1]);
    }
    check_says(script, &options, "The file has 3 games: this is number 3.");
    snprintf(script, sizeof script, "load %s 4\n", path);
    check_says(script, &options, "Not loaded: there is no game 4 in ");
    snprintf(script, sizeof script, "load %s 0\n", path);
    check_says(script, &options, "Not loaded: cannot open");
    CASE("a name that ends in a number is a name");
    snprintf(spaced, sizeof spaced, "%s 2", path);
    CHECK(os_write_file(spaced, text.ptr, text.len, &message));
    snprintf(script, sizeof script, "load %s\n", spaced);
    check_says(script, &options, "Loaded 3 moves");
    os_remove(spaced);
    os_remove(path);
    text_free(&text);
}

// A loaded game that goes on otherwise keeps what it had: the moves of the file become a variation.
static void test_loaded_variations(void)
{
    const PlayOptions options = two_people();
    char path[PATH_BYTES], script[1400];
    const char *text =
        HAS_DECLARATION
            ? "先手：A\n手数----指手\n1 ７六歩(77)\n*first\n2 ３四歩(33)\n3 ２六歩(27)\n\n変化：2手\n2 "
              "８四歩(83)\n"
            : "[White \"A\"]\n\n1. e4 {first} e5 (1... c5 $14 2. Nf3) 2. Nf3 Nc6 (2... d6 {solid}) *\n";
    scratch_path(HAS_DECLARATION ? "varied.kifu" : "varied.pgn", path);
    Message message;
    CASE("a loaded game that went on keeps comments, signs, variations, and its own moves as one");
    CHECK(os_write_file(path, text, strlen(text), &message));
    snprintf(script, sizeof script, "load %s\nundo 1\n%s\nsave! %s\n", path,
             HAS_DECLARATION ? "5g5f" : "b8a6", path);
    check_says(script, &options, "Saved in");
    static const char *const KEPT[] = {
        HAS_DECLARATION ? "*first" : "{first}", HAS_DECLARATION ? "変化：2手" : "c5 $14 2. Nf3",
        HAS_DECLARATION ? "変化：3手" : "2... Nc6", HAS_DECLARATION ? "５六歩" : "2... d6\n{solid}"};
    for (size_t i = 0; i < sizeof KEPT / sizeof KEPT[0]; i++)
        check_file(path, KEPT[i]);
    os_remove(path);
}

// The file that has the game, as the small file beside names it.
static void kept_path(const char *folder, char out[PATH_BYTES])
{
    char path[PATH_BYTES + 16];
    Text text = {0};
    Message message;
    Span line = {0}, rest;
    snprintf(path, sizeof path, "%s/" GAME_NAME ".last", folder);
    CHECK(text_read_file(&text, path, 1 << 16, &message));
    rest = text_span(&text);
    CHECK(span_line(&rest, &line) && span_starts(line, "game "));
    span_copy((Span){line.ptr + 5, line.len > 5 ? line.len - 5 : 0}, out, PATH_BYTES);
    text_free(&text);
}

static void test_keeping(void)
{
    PlayOptions options = two_people();
    char folder[PATH_BYTES], kept[PATH_BYTES], other[PATH_BYTES], path[PATH_BYTES + 16], script[512];
    scratch_path("data/of/a user", folder);
    options.folder = folder;
    CASE("each game is kept in a file of its own");
    with_moves(script, sizeof script, "");
    free(run(script, &options, NULL));
    kept_path(folder, kept);
    check_file(kept, HAS_DECLARATION ? "８四歩" : "2. Nf3 Nc6 *");
    free(run(script, &options, NULL));
    kept_path(folder, other);
    CHECK_THAT(strcmp(kept, other) != 0, "%s", other);
    check_file(kept, HAS_DECLARATION ? "８四歩" : "2. Nf3 Nc6 *");
    CASE("one that was not finished is offered to whoever sits there, and gone on with in its file");
    options.prompt = true;
    check_says("quit\n", &options, "Your last game, of 4 half-moves, is not finished: type resume");
    options.prompt = false;
    char *answer = run("quit\n", &options, NULL);
    CHECK(!strstr(answer, "Your last game"));
    free(answer);
    snprintf(script, sizeof script, "resume\n%s\n", HAS_DECLARATION ? "2f2e" : "f1c4");
    options.human[1] = false; // the sides are the game's
    answer = run(script, &options, NULL);
    CHECK_THAT(strstr(answer, "Loaded 4 moves") && !strstr(answer, "Twofold plays"), "%s", answer);
    free(answer);
    check_file(other, HAS_DECLARATION ? "２五歩" : "Bc4 *");
    CASE("its level and clocks come back too");
    options = two_people();
    options.folder = folder;
    options.clock_ms = 300000;
    options.elo = 1500;
    with_moves(script, sizeof script, "");
    free(run(script, &options, NULL));
    kept_path(folder, kept);
    if (!HAS_DECLARATION)
        check_file(kept, "[%clk 0:0");
    PlayOptions plain = quick();
    plain.folder = folder;
    check_says("resume\nlevel\n", &plain, "Now: club (1500).");
    check_says("resume\n", &plain, "Clocks: ");
    CASE("a game that is over is not offered");
    check_says("resume\nresign\n", &plain, "resigns");
    check_says("resume\n", &plain, "There is no game that was not finished.");
    CASE("files that are cut, damaged or gone are as none");
    snprintf(path, sizeof path, "%s/" GAME_NAME ".last", folder);
    static const char *const DAMAGED[] = {
        "",          "game",      "game \n",  "game /nonexistent\nsides 1 0\nlevel 0\n",
        "sides 1\n", "level x\n", "\xFF\xFE", "clock 1 2\n"};
    Message message;
    for (size_t i = 0; i < sizeof DAMAGED / sizeof DAMAGED[0]; i++) {
        CHECK(os_write_file(path, DAMAGED[i], strlen(DAMAGED[i]), &message));
        check_says("resume\n", &plain, "There is no game that was not finished.");
    }
    CASE("where nothing can be kept it is said once, and the game goes on");
    plain.folder = "/proc/nothing/here";
    with_moves(script, sizeof script, "undo\n");
    plain.human[1] = true;
    answer = run(script, &plain, NULL);
    CHECK_THAT(count_of(answer, "Note: this game is not kept: ") == 1 && strstr(answer, "Goodbye."), "%s",
               answer);
    free(answer);
}

static void test_moments(void)
{
    PlayOptions options = two_people();
    char script[512];
    options.moment_nodes = 1000;
    CASE("after the game: what gave most away, and what was better");
    // A queen (in shogi a bishop) for nothing.
    const char *lost =
        HAS_DECLARATION ? "7g7f\n3c3d\n8h3c\n2a3c\nresign\n" : "e4\ne5\nQg4\nd6\nQxc8\nQxc8\nresign\n";
    char *answer = run(lost, &options, NULL);
    CHECK_THAT((strstr(answer, "The moments of this game:") || strstr(answer, "Your three moments:")) &&
                   strstr(answer, HAS_DECLARATION ? "3c" : "3. Qxc8") &&
                   strstr(answer, " of a win. Better was "),
               "%s", answer);
    CASE("the same game has the same moments, again and by name");
    snprintf(script, sizeof script, "%smoments\n", lost);
    char *twice = run(script, &options, NULL);
    CHECK_INT(count_of(twice, " of a win. Better was "), 2 * count_of(answer, " of a win. Better was "));
    CHECK(count_of(answer, " of a win. Better was ") <= 3);
    free(answer);
    free(twice);
    CASE("where nothing was given away, nothing is told; without a move not even that");
    with_moves(script, sizeof script, "undo 3\nresign\n");
    check_says(script, &options, "Looking back: no move gave away much.");
    answer = run("resign\nmoments\n", &options, NULL);
    CHECK(!strstr(answer, "Looking back") && !strstr(answer, "oments"));
    free(answer);
    CASE("a game that is over by the rules");
    options.position = HAS_DECLARATION ? "4k4/9/4P4/9/9/9/9/9/4K4 b G 1" : NULL;
    check_says(HAS_DECLARATION ? "G*5b\n" : "f3\ne5\ng4\nQh4\n", &options,
               HAS_DECLARATION ? "Looking back: no move gave away much." : "2. g4 gave away ");
}

void test_play_keep(void)
{
    test_redo();
    test_numbers();
    test_loaded_variations();
    test_keeping();
    test_moments();
}
