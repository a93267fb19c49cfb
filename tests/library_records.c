/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library from outside, for the game GAME names: moves in other notations, records read and written, a
 * whole game analysed, byoyomi, and structs of programs that are older or newer than the library. Its last
 * line is `library: P passed, F failed, 0 skipped`.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "twofold.h"

#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b) JOIN_AGAIN(a, b)
#define ENGINE JOIN(twofold_, GAME)
#define CALL(name) JOIN(ENGINE, _##name)

static int passed, failed;
static void check(int ok, const char *what, int line)
{
    passed += ok;
    failed += !ok;
    if (!ok)
        printf("FAILED: library_records: line %d: %s\n", line, what);
}
#define CHECK(condition) check(!!(condition), #condition, __LINE__)
#define CHECK_TEXT(given, expected)                                           \
    do {                                                                      \
        CHECK(strcmp((given), (expected)) == 0);                              \
        if (strcmp((given), (expected)) != 0)                                 \
            printf("        got '%s', expected '%s'\n", (given), (expected)); \
    } while (0)

/* What the two games have to say: each line is one move list in three notations. */
typedef struct Case {
    const char *protocol, *human, *japanese, *typed;
    const char *usual, *record, *record_tag, *record_moves, *damaged, *bad_word;
} Case;
static const Case chess_case = {
    .protocol = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1",
    .human = "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O",
    .japanese = "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O",
    .typed = "1. e4 e5 2.Nf3 b8c6 3. Bc4 Nf6 4. 0-0",
    .usual = "pgn",
    .record = "[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"1-0\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Bc4 {hm} "
              "Nc6 3. Qh5 "
              "Nf6 4. Qxf7# 1-0\n\n[White \"Cleo\"]\n[Black \"Dora\"]\n[Result \"*\"]\n\n1. d4 d5 *\n",
    .record_tag = "White",
    .record_moves = "\"move\":\"h5f7\",\"text\":\"Qxf7#\"",
    .damaged = "1. e4 e5 2. Ke3 *\n\n[White \"Cleo\"]\n\n1. d4 d5 *\n",
    .bad_word = "Ke3",
};
static const Case shogi_case = {
    .protocol = "7g7f 3c3d 8h2b+ 3a2b B*4e",
    .human = "P-7f P-3d Bx2b+ Sx2b B*4e",
    .japanese = "▲７六歩 △３四歩 ▲２二角成 △同銀 ▲４五角",
    .typed = "▲７六歩 3c3d ▲２二角成 △同 銀 B*4e",
    .usual = "kif",
    .record =
        "先手：Anna\n後手：Bert\n手数----指手---------消費時間--\n   1 ７六歩(77)\n*hm\n   2 ３四歩(33)\n"
        "   3 ２二角成(88)\n   4 投了\n",
    .record_tag = "Black",
    .record_moves = "\"move\":\"8h2b+\"",
    .damaged = "先手：Anna\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ５五歩(33)\n",
    .bad_word = "５五歩",
};

static void notations(ENGINE *engine, const Case *c)
{
    const char *text = NULL;
    char before[256], after[256];
    CHECK(CALL(set_position)(engine, NULL, NULL) == TWOFOLD_OK);
    CHECK(CALL(position)(engine, before, sizeof before) == TWOFOLD_OK);
    CHECK(CALL(convert)(engine, c->protocol, TWOFOLD_HUMAN, &text) == TWOFOLD_OK);
    CHECK_TEXT(text, c->human);
    CHECK(CALL(convert)(engine, c->protocol, TWOFOLD_JAPANESE, &text) == TWOFOLD_OK);
    CHECK_TEXT(text, c->japanese);
    CHECK(CALL(convert)(engine, c->human, TWOFOLD_PROTOCOL, &text) == TWOFOLD_OK);
    CHECK_TEXT(text, c->protocol);
    CHECK(CALL(convert)(engine, c->japanese, TWOFOLD_PROTOCOL, &text) == TWOFOLD_OK);
    CHECK_TEXT(text, c->protocol);
    CHECK(CALL(convert)(engine, c->typed, TWOFOLD_PROTOCOL, &text) == TWOFOLD_OK);
    CHECK_TEXT(text, c->protocol);
    CHECK(CALL(convert)(engine, "", TWOFOLD_HUMAN, &text) == TWOFOLD_OK && !text[0]);
    CHECK(CALL(convert)(engine, "xyzzy", TWOFOLD_HUMAN, &text) == TWOFOLD_BAD_MOVE);
    CHECK(strstr(CALL(error)(engine), "move 1: 'xyzzy'") != NULL);
    CHECK(CALL(convert)(engine, c->protocol, 3, &text) == TWOFOLD_BAD_ARGUMENT);
    CHECK(CALL(convert)(engine, NULL, TWOFOLD_HUMAN, &text) == TWOFOLD_BAD_ARGUMENT);
    CHECK(CALL(convert)(engine, c->protocol, TWOFOLD_HUMAN, NULL) == TWOFOLD_BAD_ARGUMENT);
    CHECK(CALL(position)(engine, after, sizeof after) == TWOFOLD_OK && strcmp(before, after) == 0);
}

static void records(ENGINE *engine, const Case *c)
{
    const char *text = NULL;
    char before[256], after[256], *copy;
    size_t at = 0;
    CHECK(CALL(read_record)(engine, c->record, strlen(c->record), &at) == TWOFOLD_OK && at > 0);
    CHECK(CALL(tag)(engine, c->record_tag, &text) == TWOFOLD_OK);
    CHECK_TEXT(text, "Anna");
    CHECK(CALL(tag)(engine, "Nothing", &text) == TWOFOLD_OK && !text[0]);
    CHECK(CALL(write_record)(engine, "json", &text) == TWOFOLD_OK && strstr(text, c->record_moves) &&
          strstr(text, "\"comment\":\"hm\""));
    CHECK(CALL(write_record)(engine, NULL, &text) == TWOFOLD_OK && strstr(text, "Anna") &&
          strstr(text, "hm"));
    copy = malloc(strlen(text) + 1);
    strcpy(copy, text); /* what is written is read, and written the same again */
    CHECK(CALL(read_record)(engine, copy, strlen(copy), NULL) == TWOFOLD_OK);
    CHECK(CALL(write_record)(engine, c->usual, &text) == TWOFOLD_OK);
    CHECK_TEXT(text, copy);
    free(copy);
    CHECK(CALL(set_tag)(engine, "Event", "a test") == TWOFOLD_OK);
    CHECK(CALL(write_record)(engine, NULL, &text) == TWOFOLD_OK && strstr(text, "a test"));
    CHECK(CALL(set_tag)(engine, "two words", "x") == TWOFOLD_BAD_ARGUMENT);
    CHECK(CALL(set_tag)(engine, "Event", "two\nlines") == TWOFOLD_BAD_ARGUMENT);
    CHECK(CALL(write_record)(engine, "docx", &text) == TWOFOLD_BAD_ARGUMENT &&
          strstr(CALL(error)(engine), c->usual));
    CHECK(CALL(position)(engine, before, sizeof before) == TWOFOLD_OK);
    at = 0;
    CHECK(CALL(read_record)(engine, c->damaged, strlen(c->damaged), &at) == TWOFOLD_BAD_RECORD && at > 0);
    CHECK(strstr(CALL(error)(engine), c->bad_word) != NULL);
    CHECK(CALL(read_record)(engine, "", 0, NULL) == TWOFOLD_NO_RECORD);
    CHECK(CALL(read_record)(engine, "a\0b", 3, NULL) == TWOFOLD_BAD_RECORD);
    CHECK(CALL(read_record)(engine, NULL, 0, NULL) == TWOFOLD_BAD_ARGUMENT);
    at = 7;
    CHECK(CALL(read_record)(engine, "x", 1, &at) == TWOFOLD_BAD_ARGUMENT && at == 7);
    CHECK(CALL(position)(engine, after, sizeof after) == TWOFOLD_OK && strcmp(before, after) == 0);
    CHECK(CALL(set_position)(engine, NULL, NULL) == TWOFOLD_OK); /* another game: another sheet */
    CHECK(CALL(tag)(engine, "Event", &text) == TWOFOLD_OK && !text[0]);
    CHECK(CALL(set_position)(engine, NULL, c->protocol) == TWOFOLD_OK);
    CHECK(CALL(write_record)(engine, "json", &text) == TWOFOLD_OK && strstr(text, "\"result\":\"*\""));
}

/* Every game of a text, the damaged one too; and a game that goes on behind its record. */
static void several(ENGINE *engine, const Case *c)
{
    const char *text = NULL;
    size_t at = 0, last;
    int status, good = 0, bad = 0;
    if (c != &chess_case)
        return;
    while ((status = CALL(read_record)(engine, c->record, strlen(c->record), &at)) == TWOFOLD_OK)
        good++;
    CHECK(status == TWOFOLD_NO_RECORD && good == 2);
    CHECK(CALL(tag)(engine, "White", &text) == TWOFOLD_OK);
    CHECK_TEXT(text, "Cleo");
    for (at = 0;
         (status = CALL(read_record)(engine, c->damaged, strlen(c->damaged), &at)) != TWOFOLD_NO_RECORD;) {
        good += status == TWOFOLD_OK;
        bad += status == TWOFOLD_BAD_RECORD;
        if (good + bad > 10)
            break;
    }
    last = at;
    CHECK(good == 3 && bad == 1 && last == strlen(c->damaged));
    static const char tree[] = "1. e4 e5 (1... c5 2. Nf3) * ";
    CHECK(CALL(read_record)(engine, tree, sizeof tree - 1, NULL) == TWOFOLD_OK);
    CHECK(CALL(play)(engine, "g1f3") == TWOFOLD_OK && CALL(write_record)(engine, NULL, &text) == TWOFOLD_OK);
    CHECK(strstr(text, "(1... c5 2. Nf3)") && strstr(text, "2. Nf3 *"));
}

typedef struct Seen {
    int calls, total, stop_after;
} Seen;
static int see(void *context, int done, int total)
{
    Seen *seen = context;
    seen->calls++;
    seen->total = total;
    return seen->stop_after && done >= seen->stop_after;
}

static void analyses(ENGINE *engine, const Case *c)
{
    const char *text = NULL;
    Seen seen = {0};
    twofold_limits limits = {.size = sizeof limits, .nodes = 2000};
    char *first;
    CHECK(CALL(set_option)(engine, "Threads", "2") == TWOFOLD_OK);
    CHECK(CALL(read_record)(engine, c->record, strlen(c->record), NULL) == TWOFOLD_OK);
    CHECK(CALL(analyse)(engine, &limits, see, &seen, NULL, &text) == TWOFOLD_OK);
    CHECK(seen.calls == seen.total && seen.total > 3);
    CHECK(strstr(text, "\"type\":\"summary\"") && strstr(text, "Anna") && strstr(text, "\"accuracy\""));
    first = malloc(strlen(text) + 1);
    strcpy(first, text);
    CHECK(CALL(set_option)(engine, "Threads", "1") == TWOFOLD_OK);
    CHECK(CALL(analyse)(engine, &limits, NULL, NULL, "json", &text) == TWOFOLD_OK);
    CHECK_TEXT(text, first); /* of any number of threads, the same */
    free(first);
    CHECK(CALL(analyse)(engine, &limits, NULL, NULL, "html", &text) == TWOFOLD_OK && strstr(text, "</html>"));
    CHECK(CALL(analyse)(engine, &limits, NULL, NULL, c->usual, &text) == TWOFOLD_OK &&
          (strstr(text, "[%eval") || strstr(text, "*#評価値=")));
    seen = (Seen){.stop_after = 2};
    CHECK(CALL(analyse)(engine, &limits, see, &seen, NULL, &text) == TWOFOLD_STOPPED && seen.calls == 2);
    CHECK(strstr(CALL(error)(engine), "stopped after 2 of") != NULL);
    CALL(arm)(engine);
    CALL(stop)(engine);
    CHECK(CALL(analyse)(engine, &limits, NULL, NULL, NULL, &text) == TWOFOLD_STOPPED);
    CHECK(CALL(analyse)(engine, &limits, NULL, NULL, "docx", &text) == TWOFOLD_BAD_ARGUMENT);
    limits = (twofold_limits){.size = sizeof limits, .infinite = 1};
    CHECK(CALL(analyse)(engine, &limits, NULL, NULL, NULL, &text) == TWOFOLD_BAD_ARGUMENT);
    CHECK(CALL(set_position)(engine, NULL, NULL) == TWOFOLD_OK);
    CHECK(CALL(analyse)(engine, NULL, NULL, NULL, NULL, &text) == TWOFOLD_BAD_ARGUMENT);
    CHECK(strstr(CALL(error)(engine), "no moves") != NULL);
}

/* A program of another version: structs as it would have them. */
typedef struct NewerLimits {
    twofold_limits known;
    int64_t unknown;
} NewerLimits;
typedef struct NewerResult {
    twofold_result known;
    int64_t unknown;
} NewerResult;

static void versions(ENGINE *engine)
{
    twofold_limits limits = {.size = offsetof(twofold_limits, byoyomi_ms), .depth = 3, .byoyomi_ms = -1};
    twofold_result result = {.size = sizeof result};
    NewerLimits newer = {.known = {.size = sizeof newer, .depth = 3}};
    NewerResult wider = {.known = {.size = sizeof wider}, .unknown = 7};
    CHECK(CALL(set_position)(engine, NULL, NULL) == TWOFOLD_OK);
    /* older: what lies behind its size is not looked at */
    CHECK(CALL(search)(engine, &limits, NULL, NULL, &result) == TWOFOLD_OK && result.depth >= 3);
    CHECK(result.size == sizeof result);
    limits.size = sizeof limits;
    CHECK(CALL(search)(engine, &limits, NULL, NULL, &result) == TWOFOLD_BAD_ARGUMENT);
    /* newer: as long as it asks for nothing new */
    CHECK(CALL(search)(engine, &newer.known, NULL, NULL, &wider.known) == TWOFOLD_OK && wider.known.best[0]);
    CHECK(wider.unknown == 0 && wider.known.size == sizeof wider);
    newer.unknown = 1;
    CHECK(CALL(search)(engine, &newer.known, NULL, NULL, &result) == TWOFOLD_BAD_ARGUMENT);
    CHECK(strstr(CALL(error)(engine), "newer") != NULL);
    /* no size, or none that can be */
    limits = (twofold_limits){.depth = 3};
    CHECK(CALL(search)(engine, &limits, NULL, NULL, &result) == TWOFOLD_BAD_ARGUMENT);
    CHECK(strstr(CALL(error)(engine), "sizeof(twofold_limits)") != NULL);
    limits.size = 100000000;
    CHECK(CALL(search)(engine, &limits, NULL, NULL, &result) == TWOFOLD_BAD_ARGUMENT);
    limits.size = sizeof limits;
    result.size = 8;
    CHECK(CALL(search)(engine, &limits, NULL, NULL, &result) == TWOFOLD_BAD_ARGUMENT);
    CHECK(strstr(CALL(error)(engine), "twofold_result") != NULL);
    CHECK(CALL(check)(TWOFOLD_INTERFACE) == NULL);
    CHECK(strstr(CALL(check)(TWOFOLD_INTERFACE + 1), "newer") != NULL);
    CHECK(strstr(CALL(check)(TWOFOLD_INTERFACE - 1), "older") != NULL);
}

/* Byoyomi alone is a limit, and is kept. */
static void byoyomi(ENGINE *engine)
{
    twofold_limits limits = {.size = sizeof limits, .byoyomi_ms = 300};
    twofold_result result = {.size = sizeof result};
    CHECK(CALL(set_option)(engine, "MoveOverhead", "50") == TWOFOLD_OK);
    CHECK(CALL(search)(engine, &limits, NULL, NULL, &result) == TWOFOLD_OK && result.best[0]);
    CHECK(result.time_ms >= 20 && result.time_ms < 5000);
}

#define TEXT_OF_AGAIN(x) #x
#define TEXT_OF(x) TEXT_OF_AGAIN(x)
int main(void)
{
    const Case *c = strcmp(TEXT_OF(GAME), "chess") == 0 ? &chess_case : &shogi_case;
    ENGINE *engine = CALL(new)();
    CHECK(engine != NULL);
    if (engine) {
        notations(engine, c);
        records(engine, c);
        several(engine, c);
        analyses(engine, c);
        versions(engine);
        byoyomi(engine);
    }
    CALL(free)(engine);
    printf("library: %d passed, %d failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
