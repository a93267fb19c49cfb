// SPDX-License-Identifier: GPL-3.0-or-later
// The network's inference: vectors against the scalar reference along random lines with null moves and
// takebacks, the file format with everything that can be wrong in it, the range check of the export, and the
// speed of updating.
#include <stdlib.h>

#include "helpers.h"
#include "nnue/layers.h"
#include "nnue/nnue.h"

enum { LINE_MAX = 120 };

// Weights anywhere in what 16 bits can hold together; `gentle` keeps most hidden values between the two
// clamps.
static void net_fill_random(Net *net, u64 seed, bool gentle)
{
    Rng rng = {seed};
    int limit = gentle ? 40 : INT16_MAX / (FEATURE_ACTIVE_MAX + 1);
    memset(net, 0, sizeof *net);
    for (int row = 0; row < NET_ROWS; row++)
        for (int i = 0; i < NET_HIDDEN; i++)
            net->feature_weight[row][i] = (i16)((int)rng_below(&rng, (u32)(2 * limit + 1)) - limit);
    for (int i = 0; i < NET_HIDDEN; i++)
        net->feature_bias[i] = (i16)((int)rng_below(&rng, (u32)(2 * limit + 1)) - limit);
    for (int b = 0; b < BUCKET_NB; b++) {
        for (int s = 0; s < SIDE_NB; s++)
            for (int i = 0; i < NET_HIDDEN; i++)
                net->output_weight[b][s][i] =
                    (i16)((int)rng_below(&rng, 2 * NET_OUTPUT_MAX + 1) - NET_OUTPUT_MAX);
        net->output_bias[b] = (i32)rng_below(&rng, 20001) - 10000;
    }
    snprintf(net->name, sizeof net->name, "random %llu", (unsigned long long)seed);
}

static Net *net_random(u64 seed, bool gentle)
{
    Net *net = os_alloc_big(sizeof *net);
    net_fill_random(net, seed, gentle);
    return net;
}

typedef struct RandomLine {
    Position pos;
    Undo undo[LINE_MAX];
    Move move[LINE_MAX];
    int length;
} RandomLine;

static bool line_play(RandomLine *line, Accumulators *acc, Rng *rng)
{
    Move list[MAX_MOVES];
    int nb = (int)(gen_all(&line->pos, list) - list);
    if (nb == 0 || line->length == LINE_MAX)
        return false;
    Delta delta;
    Move move = list[rng_below(rng, (u32)nb)];
    pos_make(&line->pos, move, &line->undo[line->length], &delta);
    line->move[line->length++] = move;
    nnue_push(acc, &delta, &line->pos);
    return true;
}

static void line_take_back(RandomLine *line, Accumulators *acc)
{
    line->length--;
    pos_unmake(&line->pos, line->move[line->length], &line->undo[line->length]);
    nnue_pop(acc);
}

static void check_null(RandomLine *line, Accumulators *acc, const Net *net)
{
    if (pos_in_check(&line->pos))
        return;
    Undo undo;
    pos_make_null(&line->pos, &undo);
    CHECK_INT(nnue_evaluate(acc, net, &line->pos), nnue_evaluate_scalar(net, &line->pos));
    pos_unmake_null(&line->pos, &undo);
}

static void test_random_lines(void)
{
    int games = test_is_light() ? 6 : 60;
    Accumulators *acc = accumulators_new();
    for (int g = 0; g < games; g++) {
        CASE("%s: incremental equals scalar along random line %d", nnue_backend(), g);
        Net *net = net_random((u64)g, g % 2 == 0);
        RandomLine line = {.length = 0};
        line.pos = position_of(GAME_START);
        Rng rng = {1000 + (u64)g};
        nnue_reset(acc, &line.pos);
        bool going = true;
        while (going) {
            // Stretches without a score leave layers unknown; takebacks go below and above the known ones.
            int forward = 1 + (int)rng_below(&rng, 6);
            for (int i = 0; i < forward && going; i++)
                going = line_play(&line, acc, &rng);
            if (rng_below(&rng, 4) == 0)
                check_null(&line, acc, net);
            if (rng_below(&rng, 8) != 0)
                CHECK_INT(nnue_evaluate(acc, net, &line.pos), nnue_evaluate_scalar(net, &line.pos));
            int back = (int)rng_below(&rng, 4);
            for (int i = 0; i < back && line.length > 0; i++)
                line_take_back(&line, acc);
            CHECK_INT(nnue_evaluate(acc, net, &line.pos), nnue_evaluate_scalar(net, &line.pos));
        }
        while (line.length > 0) {
            line_take_back(&line, acc);
            CHECK_INT(nnue_evaluate(acc, net, &line.pos), nnue_evaluate_scalar(net, &line.pos));
        }
        os_free_big(net, sizeof *net);
    }
    accumulators_free(acc);
}

static void test_reset(void)
{
    CASE("another network after a reset");
    Net *one = net_random(1, true), *two = net_random(2, true);
    Accumulators *acc = accumulators_new();
    const Position pos = position_of(GAME_START);
    nnue_reset(acc, &pos);
    int first = nnue_evaluate(acc, one, &pos);
    nnue_reset(acc, &pos);
    CHECK_INT(first, nnue_evaluate_scalar(one, &pos));
    CHECK_INT(nnue_evaluate(acc, two, &pos), nnue_evaluate_scalar(two, &pos));
    CHECK(nnue_evaluate_scalar(one, &pos) != nnue_evaluate_scalar(two, &pos));
    CASE("another root of the same network: what a refresh remembers is right there too");
    RandomLine line = {.pos = pos};
    Rng rng = {77};
    for (int root = 0; root < 40; root++) {
        nnue_begin(acc, &line.pos);
        CHECK_INT(nnue_evaluate(acc, two, &line.pos), nnue_evaluate_scalar(two, &line.pos));
        for (int i = 0; i < 3 && line_play(&line, acc, &rng); i++)
            CHECK_INT(nnue_evaluate(acc, two, &line.pos), nnue_evaluate_scalar(two, &line.pos));
    }
    CASE("the score keeps its distance from mates");
    for (int i = 0; i < NET_HIDDEN; i++)
        for (int s = 0; s < SIDE_NB; s++)
            one->output_weight[features_bucket(&pos)][s][i] = NET_OUTPUT_MAX, one->feature_bias[i] = NET_QA;
    one->output_bias[features_bucket(&pos)] = 1 << 30;
    nnue_reset(acc, &pos);
    CHECK_INT(nnue_evaluate(acc, one, &pos), NET_SCORE_MAX);
    CHECK_INT(nnue_evaluate_scalar(one, &pos), NET_SCORE_MAX);
    one->output_bias[features_bucket(&pos)] = -(1 << 30);
    CHECK_INT(nnue_evaluate(acc, one, &pos), -NET_SCORE_MAX);
    accumulators_free(acc);
    os_free_big(one, sizeof *one);
    os_free_big(two, sizeof *two);
}

// The position with one piece unseen, put together by hand from the features of both sides.
static int evaluate_by_hand(const Net *net, const Position *pos, int sq)
{
    int bucket = features_bucket(pos);
    i64 sum = 0;
    for (int side = 0; side < SIDE_NB; side++) {
        int perspective = features_perspective(pos, side),
            row0 = features_perspective_bucket(perspective) * FEATURE_NB;
        u16 active[FEATURE_ACTIVE_MAX], gone[FEATURE_ACTIVE_MAX] = {0};
        int active_nb = features_active(pos, side, perspective, active),
            gone_nb = features_of_square(pos, side, perspective, sq, gone);
        for (int i = 0; i < NET_HIDDEN; i++) {
            int v = net->feature_bias[i];
            for (int a = 0; a < active_nb; a++)
                v += net->feature_weight[row0 + active[a]][i];
            for (int a = 0; a < gone_nb; a++)
                v -= net->feature_weight[row0 + gone[a]][i];
            v = clamp_int(v, 0, NET_QA);
            sum += (i64)v * v * net->output_weight[bucket][side != pos_side(pos)][i];
        }
    }
    i64 score = (sum / NET_QA + net->output_bias[bucket]) * NET_SCALE / (NET_QA * NET_QB);
    return clamp_int((int)score, -NET_SCORE_MAX, NET_SCORE_MAX);
}

static void test_without(void)
{
    CASE("a piece unseen");
    Net *net = net_random(7, true);
    const Position pos = position_of(GAME_START);
    int changed = 0, same = 0;
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        int score = nnue_evaluate_without(net, &pos, sq);
        CHECK_INT(score, evaluate_by_hand(net, &pos, sq));
        changed += score != nnue_evaluate_scalar(net, &pos);
        same += score == nnue_evaluate_scalar(net, &pos);
    }
    CHECK(changed > 10);
    CHECK(same > SQUARE_NB / 3);
    os_free_big(net, sizeof *net);
}

// ---- files --------------------------------------------------------------------------------------

static void put_file(const char *path, const u8 *bytes, size_t size)
{
    Message message;
    CHECK_THAT(os_write_file(path, bytes, size, &message), "%s", message.text);
}

static void check_refused(const u8 *bytes, size_t size, const char *what, const char *word)
{
    char path[PATH_BYTES];
    scratch_path("wrong.nnue", path);
    put_file(path, bytes, size);
    Net *net = net_random(3, true), *before = net_random(3, true);
    Message message = {""};
    CHECK_THAT(!net_load(net, path, &message), "%s was accepted", what);
    CHECK_THAT(strstr(message.text, word) != NULL, "%s: the message '%s' does not say '%s'", what,
               message.text, word);
    CHECK_THAT(memcmp(net, before, sizeof *net) == 0, "%s changed the network in use", what);
    remove(path);
    os_free_big(net, sizeof *net);
    os_free_big(before, sizeof *before);
}

static void test_wrong_files(const u8 *good, size_t size)
{
    u8 *bytes = malloc(size + 1);
    CASE("a file that is no network");
    check_refused((const u8 *)"not a network at all", 20, "text", "not a network");
    check_refused(good, 0, "an empty file", "empty");
    check_refused(good, 7, "seven bytes", "not a network");
    CASE("a file cut short, or too long");
    memcpy(bytes, good, size);
    bytes[size] = 0;
    check_refused(bytes, size - 1, "a cut file", "bytes");
    check_refused(bytes, size + 1, "a long file", "bytes");
    check_refused(bytes, 128, "a header alone", "bytes");
    CASE("version, game, architecture, quantisation");
    static const struct {
        size_t at;
        const char *word;
    } FIELDS[] = {{8, "version"},    {12, "game"},         {32, "hidden"},
                  {36, "features"},  {40, "king buckets"}, {44, "output buckets"},
                  {48, "quantised"}, {52, "quantised"},    {56, "quantised"}};
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        memcpy(bytes, good, size);
        bytes[FIELDS[i].at] ^= 1;
        check_refused(bytes, size, FIELDS[i].word, FIELDS[i].word);
    }
    CASE("one bit of the weights turned");
    for (int i = 0; i < (test_is_light() ? 4 : 40); i++) {
        memcpy(bytes, good, size);
        Rng rng = {(u64)i};
        size_t at = 128 + (size_t)(rng_next(&rng) % (size - 128));
        bytes[at] ^= (u8)(1u << rng_below(&rng, 8));
        check_refused(bytes, size, "a damaged file", "damaged");
    }
    free(bytes);
}

// The file's own sum, written again from its description.
static u64 file_sum(const u8 *weights, size_t size)
{
    u64 sum = 0xCBF29CE484222325ULL ^ size, word;
    for (; size > 0; weights += 8, size -= 8) {
        memcpy(&word, weights, 8);
        sum = (sum ^ word) * 0x100000001B3ULL;
        sum = sum ^ sum >> 29;
    }
    return hash_mix(sum);
}

// The first `hidden` units of each row; returns the end.
static u8 *put_units(u8 *at, const i16 *row, size_t hidden)
{
    memcpy(at, row, hidden * sizeof *row);
    return at + hidden * sizeof *row;
}

// The file of a network with the first `hidden` units and king buckets of this one.
static size_t smaller_file(const Net *net, const u8 *header, u32 hidden, u32 buckets, u8 *bytes)
{
    u8 *at = bytes + 128;
    memcpy(bytes, header, 128);
    for (u32 row = 0; row < FEATURE_NB * buckets; row++)
        at = put_units(at, net->feature_weight[row], hidden);
    at = put_units(at, net->feature_bias, hidden);
    for (int i = 0; i < BUCKET_NB * SIDE_NB; i++)
        at = put_units(at, net->output_weight[i / SIDE_NB][i % SIDE_NB], hidden);
    memset(at, 0, 256);
    memcpy(at, net->output_bias, sizeof net->output_bias);
    memcpy(at + sizeof net->output_bias, net->name, sizeof net->name);
    size_t weights = (size_t)(at - bytes) - 128 + (sizeof net->output_bias + sizeof net->name + 63) / 64 * 64;
    u64 said = weights, sum = file_sum(bytes + 128, weights);
    memcpy(bytes + 32, &hidden, sizeof hidden);
    memcpy(bytes + 40, &buckets, sizeof buckets);
    memcpy(bytes + 64, &said, sizeof said);
    memcpy(bytes + 72, &sum, sizeof sum);
    return 128 + weights;
}

static void test_grown_files(const Net *net, const u8 *good, size_t size)
{
    CASE("a network with fewer units grows: the further ones weigh nothing");
    enum { UNITS = NET_HIDDEN - 32 };
    char path[PATH_BYTES];
    scratch_path("narrow.nnue", path);
    u8 *bytes = malloc(size);
    Net *grown = net_random(5, false);
    Message message = {""};
    size_t narrow = smaller_file(net, good, UNITS, PERSPECTIVE_BUCKET_NB, bytes);
    CHECK(narrow < size);
    put_file(path, bytes, narrow);
    CHECK_THAT(!net_load(grown, path, &message), "a search took a narrower network");
    CHECK_THAT(net_load_grown(grown, path, &message), "%s", message.text);
    for (int unit = 0; unit < NET_HIDDEN; unit++) {
        CHECK_INT(grown->feature_weight[NET_ROWS - 1][unit],
                  unit < UNITS ? net->feature_weight[NET_ROWS - 1][unit] : 0);
        CHECK_INT(grown->output_weight[BUCKET_NB - 1][1][unit],
                  unit < UNITS ? net->output_weight[BUCKET_NB - 1][1][unit] : 0);
        CHECK_INT(grown->feature_bias[unit], unit < UNITS ? net->feature_bias[unit] : 0);
    }
    CHECK_INT(grown->output_bias[BUCKET_NB - 1], net->output_bias[BUCKET_NB - 1]);
    CHECK_TEXT(grown->name, net->name);
    CASE("a narrower one that is damaged or cut does not");
    bytes[narrow / 2] ^= 4;
    put_file(path, bytes, narrow);
    CHECK(!net_load_grown(grown, path, &message) && strstr(message.text, "damaged"));
    put_file(path, bytes, narrow - 8);
    CHECK(!net_load_grown(grown, path, &message) && strstr(message.text, "hidden units"));
    CASE("one of the same width is loaded as ever");
    put_file(path, good, size);
    CHECK_THAT(net_load_grown(grown, path, &message), "%s", message.text);
    CHECK(memcmp(grown->output_weight, net->output_weight, sizeof net->output_weight) == 0);
    CASE("all king buckets of a network that has one for all get its weights");
    put_file(path, bytes, smaller_file(net, good, UNITS, 1, bytes));
    CHECK_THAT(net_load_grown(grown, path, &message), "%s", message.text);
    for (int row = 0; row < NET_ROWS; row++)
        CHECK_INT(grown->feature_weight[row][UNITS - 1], net->feature_weight[row % FEATURE_NB][UNITS - 1]);
    CHECK_INT(grown->feature_bias[UNITS - 1], net->feature_bias[UNITS - 1]);
    CHECK_INT(grown->output_weight[BUCKET_NB - 1][1][0], net->output_weight[BUCKET_NB - 1][1][0]);
    remove(path);
    free(bytes);
    os_free_big(grown, sizeof *grown);
}

static void test_files(void)
{
    CASE("a file round trip");
    char path[PATH_BYTES];
    scratch_path("good.nnue", path);
    Net *net = net_random(11, false), *back = net_random(12, false);
    Message message = {""};
    CHECK_THAT(net_save(net, path, &message), "%s", message.text);
    CHECK_THAT(net_load(back, path, &message), "%s", message.text);
    CHECK(memcmp(net->feature_weight, back->feature_weight, sizeof net->feature_weight) == 0);
    CHECK(memcmp(net->feature_bias, back->feature_bias, sizeof net->feature_bias) == 0);
    CHECK(memcmp(net->output_weight, back->output_weight, sizeof net->output_weight) == 0);
    CHECK(memcmp(net->output_bias, back->output_bias, sizeof net->output_bias) == 0);
    CHECK_TEXT(back->name, "random 11");
    CASE("a file that is not there");
    CHECK(!net_load(back, test_scratch("missing.nnue"), &message));
    CHECK(strstr(message.text, "missing.nnue") != NULL);
    Text good = read_whole(path);
    test_wrong_files((const u8 *)good.ptr, good.len);
    test_grown_files(net, (const u8 *)good.ptr, good.len);
    text_free(&good);
    remove(path);
    os_free_big(net, sizeof *net);
    os_free_big(back, sizeof *back);
}

// One hidden unit at the very edge of 16 bits, and one past it, with as many features as can be active at
// once.
static void test_overflow(void)
{
    char path[PATH_BYTES];
    scratch_path("edge.nnue", path);
    for (int bucket = 0; bucket < PERSPECTIVE_BUCKET_NB; bucket++)
        for (int past = 0; past < 2; past++) {
            CASE("export with a hidden unit %s 16 bits, king bucket %d", past ? "past" : "at the edge of",
                 bucket);
            Net *net = os_alloc_big(sizeof *net);
            int unit = NET_HIDDEN - 1, weight = INT16_MAX / (FEATURE_ACTIVE_MAX + 1),
                bias = INT16_MAX - weight * FEATURE_ACTIVE_MAX + past;
            for (int f = 0; f < FEATURE_NB; f++)
                net->feature_weight[bucket * FEATURE_NB + f][unit] = (i16)(f % 2 ? weight : -weight);
            net->feature_bias[unit] = (i16)(bucket % 2 ? -bias : bias);
            Message message = {""};
            CHECK_INT(net_save(net, path, &message), !past);
            if (past)
                CHECK(strstr(message.text, "overflow") != NULL);
            os_free_big(net, sizeof *net);
        }
    CASE("export with an output weight too large");
    Net *net = os_alloc_big(sizeof *net);
    Message message = {""};
    net->output_weight[BUCKET_NB - 1][1][0] = -(NET_OUTPUT_MAX + 1);
    CHECK(!net_save(net, path, &message));
    net->output_weight[BUCKET_NB - 1][1][0] = -NET_OUTPUT_MAX;
    CHECK_THAT(net_save(net, path, &message), "%s", message.text);
    os_free_big(net, sizeof *net);
    remove(path);
}

// The bytes of a file, aligned as those in the program are.
static u8 *aligned_copy(const Text *file)
{
    u8 *bytes = os_alloc_big(file->len);
    CHECK(bytes != NULL);
    memcpy(bytes, file->ptr, file->len);
    return bytes;
}

static void test_in_place(void)
{
    CASE("a network is used where it lies only when all is well with it");
    char path[PATH_BYTES];
    scratch_path("place.nnue", path);
    Message message = {""};
    Net *net = net_random(21, false);
    CHECK_THAT(net_save(net, path, &message), "%s", message.text);
    Text file = read_whole(path);
    u8 *bytes = aligned_copy(&file);
    const size_t head = file.len - sizeof(Net);
    const Net *found = net_in_place(bytes, file.len, &message);
    CHECK_THAT(found == (const Net *)(const void *)(bytes + head), "%s", message.text);
    CHECK(found && net_checksum(found) == net_checksum(net));
    bytes[head + 1000] ^= 4;
    CHECK(!net_in_place(bytes, file.len, &message));
    check_has(message.text, "checksum");
    bytes[head + 1000] ^= 4;
    CHECK(!net_in_place(bytes, file.len - 64, &message));

    CASE("nor when its checksum is right and a weight is out of range");
    u64 old_sum = net_checksum(net), new_sum;
    Net *wrong = (Net *)(void *)(bytes + head);
    wrong->output_weight[0][0][0] = NET_OUTPUT_MAX + 1;
    new_sum = net_checksum(wrong);
    for (size_t at = 0; at + 8 <= head; at += 8) // where the header has it
        if (memcmp(bytes + at, &old_sum, 8) == 0)
            memcpy(bytes + at, &new_sum, 8);
    CHECK(!net_in_place(bytes, file.len, &message));
    check_has(message.text, "output weight");
    os_free_big(bytes, file.len);
    text_free(&file);
    remove(path);
    os_free_big(net, sizeof *net);
}

static void test_embedded(void)
{
    CASE("the network that is built in");
    const Net *net = net_embedded();
    if (!net) {
        CHECK_TEXT(net_embedded_error(), "");
        test_skip("this build has no network");
        return;
    }
    CHECK_TEXT(net_embedded_error(), "");
    char path[PATH_BYTES];
    scratch_path("embedded.nnue", path);
    Message message = {""};
    Net *back = os_alloc_big(sizeof *back);
    CHECK_THAT(net_save(net, path, &message), "%s", message.text);
    CHECK_THAT(net_load(back, path, &message), "%s", message.text);
    CHECK(((uintptr_t)net & 63) == 0);
    const Position pos = position_of(GAME_START);
    CHECK_INT(nnue_evaluate_scalar(net, &pos), nnue_evaluate_scalar(back, &pos));
    CHECK(abs(nnue_evaluate_scalar(net, &pos)) < 300);
    remove(path);
    os_free_big(back, sizeof *back);
}

// ---- speed --------------------------------------------------------------------------------------

// A random line with its positions and deltas kept, so that only the network's work is timed.
typedef struct Tape {
    Position pos[LINE_MAX + 1];
    Delta delta[LINE_MAX + 1];
    int length;
} Tape;

static void tape_record(Tape *tape, u64 seed)
{
    Rng rng = {seed};
    Undo undo;
    tape->pos[0] = position_of(GAME_START);
    for (tape->length = 0; tape->length < LINE_MAX; tape->length++) {
        Move list[MAX_MOVES];
        Position *next = &tape->pos[tape->length + 1];
        *next = tape->pos[tape->length];
        int nb = (int)(gen_all(next, list) - list);
        if (nb == 0)
            return;
        pos_make(next, list[rng_below(&rng, (u32)nb)], &undo, &tape->delta[tape->length + 1]);
    }
}

static i64 time_tape(const Tape *tape, Accumulators *acc, const Net *net, bool refresh, int rounds, i64 *sum)
{
    i64 start_us = os_now_us();
    for (int r = 0; r < rounds; r++) {
        nnue_reset(acc, &tape->pos[0]);
        for (int i = 1; i <= tape->length; i++) {
            if (refresh)
                nnue_reset(acc, &tape->pos[i]);
            else
                nnue_push(acc, &tape->delta[i], &tape->pos[i]);
            *sum += nnue_evaluate(acc, net, &tape->pos[i]);
        }
    }
    return os_now_us() - start_us;
}

static void test_speed(void)
{
    CASE("updating is at least four times as fast as a full refresh");
    if (test_is_slow()) {
        test_skip("timings mean nothing with asserts or a sanitizer");
        return;
    }
    Net *net = net_random(5, true);
    Accumulators *acc = accumulators_new();
    Tape *tape = calloc(1, sizeof *tape);
    tape_record(tape, 42);
    double best = 0;
    i64 sum_refresh = 0, sum_update = 0;
    for (int attempt = 0; attempt < 10 && best < 4; attempt++) {
        i64 refresh_us = time_tape(tape, acc, net, true, 200, &sum_refresh);
        i64 update_us = time_tape(tape, acc, net, false, 200, &sum_update);
        double ratio = (double)refresh_us / (double)max_i64(update_us, 1);
        best = ratio > best ? ratio : best;
        if (attempt == 0)
            printf("%s, 2 x %d: refresh %.0f ns, update %.0f ns an evaluation\n", nnue_backend(), NET_HIDDEN,
                   1000.0 * (double)refresh_us / (200.0 * tape->length),
                   1000.0 * (double)update_us / (200.0 * tape->length));
    }
    CHECK_INT(sum_refresh, sum_update);
    CHECK_THAT(best >= 4, "the best ratio of ten is %.2f", best);
    free(tape);
    accumulators_free(acc);
    os_free_big(net, sizeof *net);
}

void test_nnue(void)
{
    test_random_lines();
    test_reset();
    test_without();
    test_files();
    test_overflow();
    test_in_place();
    test_embedded();
    test_speed();
}
