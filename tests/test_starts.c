// SPDX-License-Identifier: GPL-3.0-or-later
// Start positions by name: the list, every spelling, and what is no name; in a session and in the words of
// the protocol.
#include "games/notation.h"
#include "helpers.h"
#include "session/session.h"

static void check_start(const char *name, const char *text)
{
    Rules rules = rules_default();
    char out[TEXT_MAX] = "";
    Message message = {""};
    CHECK_THAT(start_by_name(span_of(name), &rules, out, &message), "%s: %s", name, message.text);
    CHECK_TEXT(out, text);
    Position pos;
    CHECK_INT(pos_set(&pos, span_of(out), &rules, &message), SET_OK);
    Game game = {0};
    rules = rules_default();
    CHECK_INT(game_set(&game, span_of(name), &rules, &message), SET_OK);
    CHECK_TEXT(text_of(&game.pos), text);
    game_free(&game);
}

static void check_none(const char *name)
{
    Rules rules = rules_default(), before = rules;
    char out[TEXT_MAX];
    Message message = {""};
    CHECK_THAT(!start_by_name(span_of(name), &rules, out, &message), "%s", name);
    check_has(message.text, "there is no start");
    CHECK(memcmp(&rules, &before, sizeof rules) == 0);
    CHECK(!start_by_name(span_of(name), &rules, out, NULL));
}

static void test_list(void)
{
    CASE("every name of the list has a start, under each of its names");
    int nb = 0;
    for (const StartName *start; (start = start_name_at(nb)) != NULL; nb++) {
        Rules rules = rules_default();
        char text[TEXT_MAX], other[TEXT_MAX], key[64];
        Message message = {""};
        snprintf(key, sizeof key, start->number_nb ? "%s%d" : "%s", start->key, start->number_nb - 1);
        CHECK_THAT(start_by_name(span_of(key), &rules, text, &message), "%s", message.text);
        Position pos;
        CHECK_INT(pos_set(&pos, span_of(text), &rules, NULL), SET_OK);
        CHECK(start->name && start->name[0]);
        if (start->number_nb)
            continue;
        CHECK(start_by_name(span_of(start->name), &rules, other, &message));
        CHECK_TEXT(other, text);
        CHECK(start_by_name(span_of(start->name_ja), &rules, other, &message));
        CHECK_TEXT(other, text);
    }
    CHECK(nb > 0 && !start_name_at(-1) && !start_name_at(nb));
    CASE("what is no name");
    check_none("");
    check_none("no such thing");
    check_none("2");
    check_none("chess960:960");
    check_none("chess960:-1");
    check_none("chess960:");
    check_none("chess960:1x");
    check_none("handicap:");
    check_none("handicap:9");
    check_none("handicap:1000000000000");
}

static void test_chess(void)
{
    CASE("numbers of Chess960");
    check_start("chess960:518", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    check_start("chess960:0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
    check_start("Chess960:959", "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1");
    check_none("handicap:2");
    CASE("all of them differ");
    static u64 key[960];
    for (int n = 0; n < 960; n++) {
        char name[32], text[TEXT_MAX];
        Rules rules = rules_default();
        snprintf(name, sizeof name, "chess960:%d", n);
        CHECK(start_by_name(span_of(name), &rules, text, NULL));
        Position pos;
        CHECK_INT(pos_set(&pos, span_of(text), &rules, NULL), SET_OK);
        key[n] = pos_key(&pos);
        for (int i = 0; i < n; i++)
            CHECK_THAT(key[i] != key[n], "%d is %d", n, i);
    }
}

static void test_shogi(void)
{
    static const struct {
        const char *name, *top; // of the board, to the third rank
    } HANDICAPS[] = {
        {"handicap:lance", "lnsgkgsn1/1r5b1/ppppppppp"},
        {"香", "lnsgkgsn1/1r5b1/ppppppppp"},
        {"handicap:香落ち", "lnsgkgsn1/1r5b1/ppppppppp"},
        {"Right lance handicap", "1nsgkgsnl/1r5b1/ppppppppp"},
        {"右香", "1nsgkgsnl/1r5b1/ppppppppp"},
        {"handicap:bishop", "lnsgkgsnl/1r7/ppppppppp"},
        {"角落ち", "lnsgkgsnl/1r7/ppppppppp"},
        {"handicap:rook", "lnsgkgsnl/7b1/ppppppppp"},
        {"飛車落ち", "lnsgkgsnl/7b1/ppppppppp"},
        {"飛落ち", "lnsgkgsnl/7b1/ppppppppp"},
        {"handicap:rook-lance", "lnsgkgsn1/7b1/ppppppppp"},
        {"飛香", "lnsgkgsn1/7b1/ppppppppp"},
        {"handicap:2", "lnsgkgsnl/9/ppppppppp"},
        {"2-piece", "lnsgkgsnl/9/ppppppppp"},
        {"二枚落ち", "lnsgkgsnl/9/ppppppppp"},
        {"2枚落ち", "lnsgkgsnl/9/ppppppppp"},
        {"２枚落ち", "lnsgkgsnl/9/ppppppppp"},
        {"二枚", "lnsgkgsnl/9/ppppppppp"},
        {"handicap:3", "lnsgkgsn1/9/ppppppppp"},
        {"四枚落ち", "1nsgkgsn1/9/ppppppppp"},
        {"handicap:5", "2sgkgsn1/9/ppppppppp"},
        {"左五枚落ち", "1nsgkgs2/9/ppppppppp"},
        {"handicap:6", "2sgkgs2/9/ppppppppp"},
        {"handicap:7", "2sgkg3/9/ppppppppp"},
        {"七枚落ち", "2sgkg3/9/ppppppppp"},
        {"右七枚落ち", "3gkgs2/9/ppppppppp"},
        {"handicap:8", "3gkg3/9/ppppppppp"},
        {"handicap:10", "4k4/9/ppppppppp"},
        {"十枚落ち", "4k4/9/ppppppppp"},
        {"１０枚落ち", "4k4/9/ppppppppp"},
        {"裸玉", "4k4/9/9"},
        {"handicap:king", "4k4/9/9"},
    };
    CASE("handicaps, in either language");
    for (size_t i = 0; i < sizeof HANDICAPS / sizeof HANDICAPS[0]; i++) {
        char text[TEXT_MAX];
        snprintf(text, sizeof text, "%s/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", HANDICAPS[i].top);
        check_start(HANDICAPS[i].name, text);
    }
    CASE("the even game has a name too");
    check_start("平手", GAME_START);
    check_start("even", GAME_START);
    check_none("九枚落ち");
    check_none("chess960:518");
}

static void test_in_session(void)
{
    CASE("a session takes names, and keeps its position when there is none");
    bool is_chess = strcmp(GAME_NAME, "chess") == 0;
    Session session;
    Message message = {""};
    const char *name = is_chess ? "chess960:0" : "handicap:2", *moves = is_chess ? "f1g1 f8g8" : "3c3d 7g7f";
    CHECK(session_init(&session));
    CHECK_INT(session_set_position(&session, span_of(name), span_of(is_chess ? "e2e4" : moves), &message),
              POSITION_SET);
    CHECK(session.game.move_nb > 0);
    char before[TEXT_MAX];
    pos_print(&session.game.pos, before);
    CHECK_INT(session_set_position(&session, span_of("handicap:99"), span_of(""), &message),
              POSITION_REFUSED);
    check_has(message.text, "there is no start 'handicap:99'");
    CHECK_INT(session_set_position(&session, span_of("chess960:xyz"), span_of(""), &message),
              POSITION_REFUSED);
    CHECK_INT(session_set_position(&session, span_of(name), span_of("zzzz"), &message), POSITION_BAD_MOVE);
    CHECK_TEXT(text_of(&session.game.pos), before);
    CHECK_INT(session_set_position(&session, span_of("startpos"), span_of(""), &message), POSITION_SET);
    CHECK_TEXT(text_of(&session.game.pos), GAME_START);
    session_free(&session);
}

void test_starts(void)
{
    test_list();
    if (strcmp(GAME_NAME, "chess") == 0)
        test_chess();
    else
        test_shogi();
    test_in_session();
}
