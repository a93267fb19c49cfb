// SPDX-License-Identifier: GPL-3.0-or-later
// A level as an opponent: with a seed its games repeat, without one they do not, and they begin with the
// lines of named openings, the weaker level leaving them sooner. Full strength knows nothing of seeds.
#include "session/opponent.h"

#include <stdlib.h>

#include "games/opening_table.h"
#include "helpers.h"
#include "session/options.h"

enum { PLIES = 24 };

static void on_answer(void *context, const Game *game, const Answer *answer)
{
    (void)game;
    *(Answer *)context = *answer;
}

static Session new_session(Answer *answer, int elo)
{
    Session session;
    CHECK(session_init(&session));
    session.events = (SessionEvents){.context = answer, .answer = on_answer};
    Message message;
    CHECK(option_set_number(&session, "Hash", 1, &message));
    session_set_level(&session, elo);
    return session;
}

static void set(Session *session, const char *name, i64 value)
{
    Message message = {0};
    CHECK_THAT(option_set_number(session, name, value, &message), "%s", message.text);
}

// The move that is answered to the words of a go.
static Move go(Session *session, const char *words)
{
    GoRequest request;
    SearchControl control;
    Message complaint;
    go_parse(span_of(words), &request, &complaint);
    control_init(&control, &request.limits, 0);
    go_take_moves(&request, &session->game.pos, &control.limits, &complaint);
    CHECK(session_go(session, &request, &control));
    control_free(&control);
    go_free(&request);
    return ((Answer *)session->events.context)->move;
}

// A game of the session against itself, so many plies of it.
static void play(Session *session, const char *words, int plies, Move *out)
{
    Message message = {0};
    session_new_game(session);
    CHECK_INT(session_set_position(session, span_of("startpos"), (Span){0}, &message), POSITION_SET);
    for (int i = 0; i < plies; i++) {
        out[i] = go(session, words);
        CHECK(is_listed(&session->game.pos, out[i]));
        CHECK(game_play(&session->game, out[i]));
    }
}

static void check_seeds(void)
{
    static const char *const WORDS[] = {"nodes 400", "movetime 60000"};
    Answer answer;
    Move first[PLIES], second[PLIES];
    for (int elo = 700; elo <= 1900; elo += 600) {
        Session session = new_session(&answer, elo), other = new_session(&answer, elo);
        for (int w = 0; w < 2; w++) {
            CASE("opponent: level %d, go %s: the same seed, the same game", elo, WORDS[w]);
            set(&session, "Seed", 7);
            set(&other, "Seed", 7);
            play(&session, WORDS[w], PLIES, first);
            play(&session, WORDS[w], PLIES, second);
            CHECK(memcmp(first, second, sizeof first) == 0);
            play(&other, WORDS[w], PLIES, second);
            CHECK(memcmp(first, second, sizeof first) == 0);
            CASE("opponent: level %d, go %s: another seed, or none, another game", elo, WORDS[w]);
            set(&session, "Seed", 8);
            play(&session, WORDS[w], PLIES, second);
            CHECK(memcmp(first, second, sizeof first) != 0);
            set(&session, "Seed", 0);
            play(&session, WORDS[w], PLIES, first);
            play(&session, WORDS[w], PLIES, second);
            CHECK(memcmp(first, second, sizeof first) != 0);
        }
        session_free(&session);
        session_free(&other);
    }
}

static void check_first_moves(void)
{
    CASE("opponent: a first move that is asked for again and again is not always the same");
    Answer answer;
    Session session = new_session(&answer, 1000);
    // Most games begin alike, and chance may not decide this test: so many that a few others are certain.
    const Move first = go(&session, "nodes 1000");
    int differ = 0;
    for (int i = 0; i < 400; i++)
        differ += go(&session, "nodes 1000") != first; // nobody says that a game begins
    CHECK(differ > 3);
    session_free(&session);
}

static void check_full_strength(void)
{
    CASE("opponent: full strength at fixed nodes repeats, whatever the seed");
    Answer answer;
    Move first[8], second[8];
    Session session = new_session(&answer, 0);
    play(&session, "nodes 2000", 8, first);
    play(&session, "nodes 2000", 8, second);
    CHECK(memcmp(first, second, sizeof first) == 0);
    set(&session, "Seed", 99);
    play(&session, "nodes 2000", 8, second);
    CHECK(memcmp(first, second, sizeof first) == 0);
    session_free(&session);
    CASE("opponent: at the top of the range nothing is limited");
    session = new_session(&answer, skill_range().max_elo);
    play(&session, "nodes 2000", 8, second);
    CHECK(memcmp(first, second, sizeof first) == 0);
    session_free(&session);
}

static void check_option(void)
{
    CASE("opponent: the option takes numbers of its range alone");
    Answer answer;
    Session session = new_session(&answer, 1000);
    static const char *const BAD[] = {"-1", "x", "", "99999999999", "1.5"};
    set(&session, "Seed", 5);
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        Message message = {0};
        CHECK_INT(option_set(&session, span_of("seed"), span_of(BAD[i]), &message), OPTION_REFUSED);
        CHECK(message.text[0] && session.settings.seed == 5);
    }
    set(&session, "Seed", SEED_MAX);
    session_free(&session);
}

// Does the move lead on along a line?
static bool is_of_line(const Position *pos, Move move)
{
    OpeningMove moves[MAX_MOVES];
    const int nb = opening_moves(pos, moves);
    for (int i = 0; i < nb; i++)
        if (moves[i].move == move)
            return true;
    return false;
}

// For how many plies the games of a level follow the lines, on the average of some.
static double followed(int elo)
{
    enum { GAMES = 12 };
    Answer answer;
    Session session = new_session(&answer, elo);
    int sum = 0, named = 0;
    for (int g = 0; g < GAMES; g++) {
        Move moves[8];
        set(&session, "Seed", 100 + g);
        play(&session, "nodes 300", 8, moves);
        Position pos = session.game.start;
        Opening opening;
        for (int i = 0; i < 8 && is_of_line(&pos, moves[i]); i++, sum++)
            pos = pos_after(&pos, moves[i]);
        named += opening_name(&session.game, &opening);
    }
    CHECK_THAT(elo < 1500 || named > GAMES / 2, "level %d: %d of %d games have a name", elo, named,
               (int)GAMES);
    session_free(&session);
    return (double)sum / GAMES;
}

static void check_openings(void)
{
    CASE("opponent: levels play named openings, the weaker the shorter");
    const double weak = followed(600), strong = followed(1600);
    CHECK_THAT(weak >= 1 && strong > weak + 1, "%.1f and %.1f plies", weak, strong);
    CASE("opponent: no opening where the best move is asked for, or one of a few");
    Answer answer;
    Session session = new_session(&answer, 1600);
    char words[64 + MOVE_TEXT_MAX];
    Move list[MAX_MOVES];
    gen_all(&session.game.pos, list);
    snprintf(words, sizeof words, "nodes 200 searchmoves %s", move_text(&session.game.pos, list[0]));
    CHECK_INT(go(&session, words), list[0]);
    go(&session, "nodes 300");
    CHECK(answer.result.nodes == 0); // of a line
    session.settings.analyse = true;
    go(&session, "nodes 300");
    CHECK(answer.result.nodes > 0);
    session_free(&session);
}

static void check_lines(void)
{
    CASE("opponent: there are at least sixty lines to play, each legal to its end");
    Span rest = span_of(OPENING_TABLE.played);
    int line_nb = 0;
    Game game = game_from(GAME_START, NULL);
    while (rest.len) {
        Span line = take_field(&rest, '\n'), moves = take_field(&line, '|');
        i64 kept = -1;
        CHECK(span_int(span_word(&moves), 0, game.move_nb, &kept));
        game_undo(&game, game.move_nb - (int)kept);
        for (Span word; (word = span_word(&moves)).len;) {
            const Move move = move_parse_human(&game.pos, word);
            CHECK_THAT(move != MOVE_NONE && is_of_line(&game.pos, move), "line %d: '%.*s'", line_nb + 1,
                       (int)word.len, word.ptr);
            if (move == MOVE_NONE || !game_play(&game, move))
                break;
        }
        line_nb++;
    }
    CHECK(line_nb >= 60);
    OpeningMove moves[MAX_MOVES];
    CHECK_INT(opening_moves(&game.pos, moves), 0); // behind the last
    game_free(&game);
}

void test_opponent(void)
{
    check_seeds();
    check_first_moves();
    check_full_strength();
    check_option();
    check_openings();
    check_lines();
}
