// SPDX-License-Identifier: GPL-3.0-or-later
// What every game promises, tested on positions of random games (from the start and from the texts of
// data/<game>/positions.txt): the generators agree with each other and with the questions about single moves,
// making and taking back restores every byte, keys and features change as they would be computed anew.
#include "games/notation.h"
#include "helpers.h"

// How often the parts that not every position has were looked at: a part that never was has not been tested.
static struct {
    int evasion_nb, check_nb, null_nb, mirror_nb, promotion_nb;
} seen;

static bool contains(const Move *list, const Move *end, Move move)
{
    for (; list < end; list++)
        if (*list == move)
            return true;
    return false;
}

static bool has_duplicates(const Move *list, const Move *end)
{
    for (const Move *move = list; move < end; move++)
        if (contains(move + 1, end, *move))
            return true;
    return false;
}

static bool same_set(const u16 *a, int a_nb, const u16 *b, int b_nb)
{
    if (a_nb != b_nb)
        return false;
    static int count[FEATURE_NB];
    for (int i = 0; i < a_nb; i++) {
        count[a[i]]++;
        count[b[i]]--;
    }
    bool same = true;
    for (int i = 0; i < a_nb; i++) {
        same &= count[a[i]] == 0 && count[b[i]] == 0;
    }
    for (int i = 0; i < a_nb; i++)
        count[a[i]] = count[b[i]] = 0;
    return same;
}

static bool contains_squares(const Move *list, const Move *end, Move move)
{
    for (; list < end; list++)
        if (move_to(*list) == move_to(move) && move_from_index(*list) == move_from_index(move))
            return true;
    return false;
}

// Every legal move is on one of the lists. Only a game without legal generation may leave out a move that
// another with the same squares (a promotion) always beats.
static void check_complete(const Position *pos, const char *name, const Move *all, const Move *all_end,
                           const Move *list, const Move *end, const Move *list2, const Move *end2)
{
    for (const Move *move = all; move < all_end; move++) {
        bool found = contains(list, end, *move) || contains(list2, end2, *move);
        if (!GEN_IS_LEGAL)
            found = found || contains_squares(list, end, *move) || contains_squares(list2, end2, *move);
        CHECK_THAT(found, "%s: %04x is missing: %s", name, *move, text_of(pos));
    }
}

// A generated list: what is on it is playable (legal, once the picker has asked), nothing twice.
static void check_list(const Position *pos, const char *name, const Move *list, const Move *end,
                       const Move *all, const Move *all_end)
{
    CHECK_THAT(end - list <= MAX_MOVES, "%s has too many moves: %s", name, text_of(pos));
    CHECK_THAT(!has_duplicates(list, end), "%s has a move twice: %s", name, text_of(pos));
    for (const Move *move = list; move < end; move++) {
        CHECK_THAT(move_is_pseudo_legal(pos, *move), "%s: %04x is not pseudo-legal: %s", name, *move,
                   text_of(pos));
        bool legal = move_is_legal(pos, *move);
        CHECK_THAT(legal || !GEN_IS_LEGAL, "%s: %04x is not legal: %s", name, *move, text_of(pos));
        CHECK_THAT(legal == contains(all, all_end, *move), "%s: %04x and gen_all: %s", name, *move,
                   text_of(pos));
    }
}

// Noisy and quiet are disjoint, each is what move_is_noisy says, checks are the quiet moves that check.
static void check_stages(const Position *pos, const Move *all, const Move *all_end)
{
    Move noisy[MAX_MOVES], quiet[MAX_MOVES], checks[MAX_MOVES];
    Move *noisy_end = gen_noisy(pos, noisy), *quiet_end = gen_quiet(pos, quiet),
         *checks_end = gen_checks(pos, checks);
    check_list(pos, "gen_noisy", noisy, noisy_end, all, all_end);
    check_list(pos, "gen_quiet", quiet, quiet_end, all, all_end);
    check_list(pos, "gen_checks", checks, checks_end, all, all_end);
    for (Move *move = noisy; move < noisy_end; move++)
        CHECK_THAT(move_is_noisy(pos, *move), "noisy %04x is not: %s", *move, text_of(pos));
    for (Move *move = quiet; move < quiet_end; move++) {
        CHECK_THAT(!move_is_noisy(pos, *move), "quiet %04x is noisy: %s", *move, text_of(pos));
        if (move_is_legal(pos, *move))
            CHECK_THAT(move_gives_check(pos, *move) == contains(checks, checks_end, *move), "check %04x: %s",
                       *move, text_of(pos));
    }
    for (Move *move = checks; move < checks_end; move++)
        CHECK_THAT(contains(quiet, quiet_end, *move), "check %04x is not quiet: %s", *move, text_of(pos));
    seen.check_nb += checks_end > checks;
    check_complete(pos, "noisy and quiet", all, all_end, noisy, noisy_end, quiet, quiet_end);
}

static void check_generators(const Position *pos)
{
    Move all[MAX_MOVES], *all_end = gen_all(pos, all);
    check_list(pos, "gen_all", all, all_end, all, all_end);
    for (Move *move = all; move < all_end; move++)
        CHECK_THAT(move_is_legal(pos, *move), "gen_all: %04x is not legal: %s", *move, text_of(pos));
    CHECK_THAT(gen_count(pos) == all_end - all, "gen_count is %d: %s", gen_count(pos), text_of(pos));
    if (!pos_in_check(pos)) {
        check_stages(pos, all, all_end);
        return;
    }
    seen.evasion_nb++;
    Move evasions[MAX_MOVES], *evasions_end = gen_evasions(pos, evasions);
    check_list(pos, "gen_evasions", evasions, evasions_end, all, all_end);
    check_complete(pos, "gen_evasions", all, all_end, evasions, evasions_end, evasions, evasions);
}

// Pseudo-legal and legal together are membership of gen_all, for every value a move can have.
static void check_all_values(const Position *pos)
{
    static bool member[65536];
    Move all[MAX_MOVES], *end = gen_all(pos, all);
    for (Move *move = all; move < end; move++)
        member[*move] = true;
    for (int value = 0; value < 65536; value++) {
        bool legal = move_is_pseudo_legal(pos, (Move)value) && move_is_legal(pos, (Move)value);
        CHECK_THAT(legal == member[value], "move %04x is %s: %s", value, legal ? "legal" : "not legal",
                   text_of(pos));
    }
    CHECK(!member[MOVE_NONE] && !member[MOVE_NULL] && !member[MOVE_WIN]);
    for (Move *move = all; move < end; move++)
        member[*move] = false;
}

// The features after the move are those before, with the Delta's removed and added.
static void check_features(const Position *before, const Position *after, const Delta *delta, Move move)
{
    for (int side = 0; side < SIDE_NB; side++) {
        int perspective = features_perspective(before, side);
        CHECK(perspective >= 0 && perspective < PERSPECTIVE_NB &&
              features_perspective_bucket(perspective) < PERSPECTIVE_BUCKET_NB);
        u16 old[FEATURE_ACTIVE_MAX], now[FEATURE_ACTIVE_MAX], added[FEATURE_CHANGED_MAX],
            removed[FEATURE_CHANGED_MAX];
        int old_nb = features_active(before, side, perspective, old),
            now_nb = features_active(after, side, perspective, now);
        int added_nb, removed_nb;
        features_changed(delta, side, perspective, added, &added_nb, removed, &removed_nb);
        CHECK(added_nb <= FEATURE_CHANGED_MAX && removed_nb <= FEATURE_CHANGED_MAX &&
              old_nb <= FEATURE_ACTIVE_MAX);
        for (int i = 0; i < removed_nb; i++) {
            int at = 0;
            while (at < old_nb && old[at] != removed[i])
                at++;
            CHECK_THAT(at < old_nb, "move %04x removes a feature that is not there: %s", move,
                       text_of(before));
            if (at < old_nb)
                old[at] = old[--old_nb];
        }
        for (int i = 0; i < added_nb && old_nb < FEATURE_ACTIVE_MAX; i++)
            old[old_nb++] = added[i];
        CHECK_THAT(same_set(old, old_nb, now, now_nb), "features after move %04x: %s", move, text_of(before));
    }
    CHECK(features_bucket(after) >= 0 && features_bucket(after) < BUCKET_NB);
}

// The text gives the same position back: the same key, the same part keys, the same moves.
static void check_text(const Position *pos)
{
    char text[TEXT_MAX];
    pos_print(pos, text);
    Position again = *pos;
    Message message;
    CHECK_THAT(pos_set(&again, span_of(text), &pos->rules, &message) == SET_OK, "text not read back: %s",
               text);
    CHECK_THAT(pos_key(&again) == pos_key(pos), "another key from its text: %s", text);
    for (int i = 0; i < SUBKEY_NB; i++)
        CHECK_THAT(pos_subkey(&again, i) == pos_subkey(pos, i), "another part key %d from its text: %s", i,
                   text);
    CHECK_THAT(gen_count(&again) == gen_count(pos), "other moves from its text: %s", text);
    CHECK_INT(pos_game_ply(&again), pos_game_ply(pos));
}

static void check_make(const Position *pos)
{
    Move all[MAX_MOVES], *end = gen_all(pos, all);
    for (Move *move = all; move < end; move++) {
        Position copy = *pos;
        Undo undo;
        Delta delta;
        pos_make(&copy, *move, &undo, &delta);
        CHECK_THAT(pos_is_ok(&copy), "not ok after %04x: %s", *move, text_of(pos));
        CHECK_THAT(pos_side(&copy) != pos_side(pos), "the turn after %04x: %s", *move, text_of(pos));
        CHECK_THAT(pos_in_check(&copy) == move_gives_check(pos, *move), "check by %04x: %s", *move,
                   text_of(pos));
        CHECK_THAT(pos_game_ply(&copy) == pos_game_ply(pos) + 1, "ply after %04x: %s", *move, text_of(pos));
        check_features(pos, &copy, &delta, *move);
        Position without_delta = *pos;
        Undo undo_too;
        pos_make(&without_delta, *move, &undo_too, NULL);
        CHECK_THAT(memcmp(&without_delta, &copy, sizeof copy) == 0, "without a Delta %04x: %s", *move,
                   text_of(pos));
        pos_unmake(&copy, *move, &undo);
        CHECK_THAT(memcmp(&copy, pos, sizeof copy) == 0, "not restored after %04x: %s", *move, text_of(pos));
    }
    if (pos_in_check(pos))
        return;
    seen.null_nb++;
    Position copy = *pos;
    Undo undo;
    pos_make_null(&copy, &undo);
    CHECK_THAT(pos_is_ok(&copy) && pos_side(&copy) != pos_side(pos), "null move: %s", text_of(pos));
    CHECK_INT(pos_material(&copy), -pos_material(pos));
    pos_unmake_null(&copy, &undo);
    CHECK_THAT(memcmp(&copy, pos, sizeof copy) == 0, "null move not restored: %s", text_of(pos));
}

static void check_symmetry(const Position *pos)
{
    Position other, back;
    pos_flip(pos, &other);
    pos_flip(&other, &back);
    CHECK_THAT(pos_is_ok(&other), "flipped: %s", text_of(pos));
    CHECK_THAT(memcmp(&back, pos, sizeof back) == 0, "flipped twice: %s", text_of(pos));
    CHECK_INT(pos_material(&other), pos_material(pos));
    CHECK_INT(pos_activity(&other), pos_activity(pos));
    CHECK_INT(pos_phase(&other), pos_phase(pos));
    CHECK_INT(gen_count(&other), gen_count(pos));
    CHECK(pos_side(&other) != pos_side(pos) && pos_in_check(&other) == pos_in_check(pos));
    CHECK_INT(features_bucket(&other), features_bucket(pos));
    for (int side = 0; side < SIDE_NB; side++) { // the network sees no difference either
        int perspective = features_perspective(pos, side);
        u16 here[FEATURE_ACTIVE_MAX], there[FEATURE_ACTIVE_MAX];
        CHECK_INT(features_perspective(&other, !side), perspective);
        int here_nb = features_active(pos, side, perspective, here),
            there_nb = features_active(&other, !side, perspective, there);
        CHECK_THAT(same_set(here, here_nb, there, there_nb), "features flipped: %s", text_of(pos));
    }
    if (!pos_mirror(pos, &other))
        return;
    seen.mirror_nb++;
    CHECK_THAT(pos_is_ok(&other), "mirrored: %s", text_of(pos));
    CHECK_INT(pos_material(&other), pos_material(pos));
    CHECK_INT(pos_activity(&other), pos_activity(pos));
    CHECK_INT(gen_count(&other), gen_count(pos));
}

// Opinions about moves stay in their ranges, whatever the position.
static void check_opinions(const Position *pos)
{
    int score = pos_material(pos) + pos_activity(pos);
    CHECK(score > -20000 && score < 20000);
    CHECK(pos_phase(pos) >= 0 && pos_phase(pos) <= 256);
    CHECK(pos_damp(pos, 500) >= pos_damp(pos, 499) && pos_damp(pos, 1) >= 0 && pos_damp(pos, -1) <= 0 &&
          pos_damp(pos, 0) == 0);
    Move all[MAX_MOVES], *end = gen_all(pos, all);
    for (Move *move = all; move < end; move++) {
        CHECK(move_to(*move) >= 0 && move_to(*move) < SQUARE_NB);
        CHECK(move_from_index(*move) >= 0 && move_from_index(*move) < FROM_NB);
        CHECK(move_piece(pos, *move) > 0 && move_piece(pos, *move) < PIECE_NB);
        CHECK(move_captured(pos, *move) >= 0 && move_captured(pos, *move) < PIECE_NB);
        CHECK(move_gain(pos, *move) >= 0 && move_risk(pos, *move) >= 0);
        CHECK((move_gain(pos, *move) > 0) == (move_captured(pos, *move) != 0 || move_is_promotion(*move)));
        if (!move_is_noisy(pos, *move))
            CHECK_THAT(move_order_bonus(pos, *move) >= -100 && move_order_bonus(pos, *move) <= 100,
                       "prior %d of %04x: %s", move_order_bonus(pos, *move), *move, text_of(pos));
        seen.promotion_nb += move_is_promotion(*move);
        // No exchange wins more than its first capture, and what is won by a is won by less.
        int gain = move_gain(pos, *move);
        CHECK_THAT(!see_ge(pos, *move, gain + 1), "exchange of %04x above its gain: %s", *move, text_of(pos));
        bool wins = true;
        for (int threshold = gain - 3000; threshold <= gain; threshold += 150) {
            bool now = see_ge(pos, *move, threshold);
            CHECK_THAT(wins || !now, "exchange of %04x is not monotone: %s", *move, text_of(pos));
            wins = now;
        }
    }
}

static void check_position(const Position *pos, bool every_value)
{
    CHECK_THAT(pos_is_ok(pos), "not ok: %s", text_of(pos));
    check_generators(pos);
    check_make(pos);
    check_text(pos);
    check_symmetry(pos);
    check_opinions(pos);
    if (every_value)
        check_all_values(pos);
}

// A random game that looks at every position on its way; noisy moves are preferred now and then to reach odd
// material.
static void play(const Position *start, Rng *rng, int max_ply, int value_step)
{
    Position pos = *start;
    for (int ply = 0; ply < max_ply; ply++) {
        check_position(&pos, ply % value_step == 0);
        Move move = random_move(&pos, rng);
        if (move == MOVE_NONE)
            return;
        for (int try = 0; try < 4 && ply % 3 == 0 && !move_is_noisy(&pos, move); try++)
            move = random_move(&pos, rng);
        play_move(&pos, move);
    }
}

// A result is by sides; outcomes and half points are views of it.
static void test_results(void)
{
    CASE("results: the same by sides, by outcome and by half points");
    CHECK_INT(result_of_outcome(OUTCOME_LOSS, 0), RESULT_SECOND_WINS);
    CHECK_INT(result_of_outcome(OUTCOME_LOSS, 1), RESULT_FIRST_WINS);
    CHECK_INT(result_of_outcome(OUTCOME_WIN, 1), RESULT_SECOND_WINS);
    static const GameResult RESULTS[] = {RESULT_FIRST_WINS, RESULT_DRAW, RESULT_SECOND_WINS};
    for (int i = 0; i < 3; i++) {
        for (int side = 0; side < SIDE_NB; side++)
            CHECK_INT(result_of_outcome(result_outcome(RESULTS[i], side), side), RESULTS[i]);
        CHECK_INT(result_points(RESULTS[i], 0), POINTS_WIN - i);
        CHECK_INT(result_points(RESULTS[i], 0) + result_points(RESULTS[i], 1), POINTS_WIN);
        CHECK_INT(result_of_points(result_points(RESULTS[i], 0)), RESULTS[i]);
        CHECK_INT(result_winner(RESULTS[i]), i == 1 ? -1 : i / 2);
    }
    CHECK_INT(result_of_outcome(OUTCOME_NONE, 1), RESULT_NONE);
    CHECK_INT(result_outcome(RESULT_NONE, 0), OUTCOME_NONE);
}

static Rng rng = {20240229};

static void check_listed(Span line)
{
    char text[TEXT_MAX];
    CASE("contract: %.*s", (int)line.len, line.ptr);
    CHECK(span_copy(line, text, sizeof text));
    Position pos = position_of(text);
    check_position(&pos, true);
    if (!test_is_light())
        for (int game = 0; game < 2; game++)
            play(&pos, &rng, 24, 4);
}

void test_contract(void)
{
    test_results();
    const int games = test_is_light() ? 3 : 80;
    CASE("row 26: contract: random games from the start");
    Position pos = position_of(GAME_START);
    for (int game = 0; game < games; game++)
        play(&pos, &rng, 160, test_is_light() ? 20 : 4);

    CASE("contract: words that other places have a meaning for are no legal moves");
    static const char *const WORDS[] = {"0000", "--",  "Z0",     "@@@@",   "pass",
                                        "null", "win", "resign", "(none)", "none"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        CHECK_THAT(move_parse(&pos, span_of(WORDS[i])) == MOVE_NONE, "'%s' is a move", WORDS[i]);
        CHECK_THAT(move_parse_human(&pos, span_of(WORDS[i])) == MOVE_NONE, "'%s' is a move for people",
                   WORDS[i]);
    }

    CASE("contract: the list of positions");
    int listed = each_line(GAME_NAME "/positions.txt", check_listed);

    CASE("contract: the positions are of every sort");
    CHECK_THAT(listed > 50, "%d positions", listed);
    CHECK_THAT(seen.evasion_nb > 20, "%d in check", seen.evasion_nb);
    CHECK_THAT(seen.check_nb > 20, "%d with quiet checks", seen.check_nb);
    CHECK_THAT(seen.null_nb > 20, "%d with a null move", seen.null_nb);
    CHECK_THAT(seen.mirror_nb > 20, "%d mirrored", seen.mirror_nb);
    CHECK_THAT(seen.promotion_nb > 20, "%d promotions", seen.promotion_nb);
}
