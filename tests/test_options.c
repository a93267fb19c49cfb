// SPDX-License-Identifier: GPL-3.0-or-later
// The one option table: every option takes and tells its values, refuses others, and has its names; and the
// same through the library and through `analyse --option`.
#include "session/options.h"

#include <stdlib.h>

#include "../include/twofold.h"
#include "analysis/analysis.h"
#include "helpers.h"

// The library's names for the game this is compiled for.
#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b) JOIN_AGAIN(a, b)
#define HANDLE JOIN(twofold_, TWOFOLD_GAME)
#define LIBRARY(name) JOIN(HANDLE, _##name)

// Big memory is not asked for in a test.
static bool is_big(const OptionInfo *info)
{
    return info->max >= THREADS_MAX && (span_is(span_of(info->name), "Threads") ||
                                        span_is(span_of(info->name), PROTOCOL_WORDS.option[ROLE_HASH].name));
}

// Values of an option as text: the least, the greatest and the default; how many.
static int values_of(const OptionInfo *info, char value[3][128])
{
    int nb = 0;
    switch (info->type) {
    case OPTION_SPIN:
        snprintf(value[nb++], 128, "%lld", (long long)info->min);
        if (!is_big(info))
            snprintf(value[nb++], 128, "%lld", (long long)info->max);
        snprintf(value[nb++], 128, "%lld", (long long)info->def);
        break;
    case OPTION_CHECK:
        snprintf(value[nb++], 128, "%s", info->def ? "false" : "true");
        snprintf(value[nb++], 128, "%s", info->def ? "true" : "false");
        break;
    case OPTION_COMBO:
        snprintf(value[nb++], 128, "%s", info->choice[info->max]);
        snprintf(value[nb++], 128, "%s", info->choice[info->def]);
        break;
    default: snprintf(value[nb++], 128, "%s", info->type == OPTION_BUTTON ? "" : "<empty>");
    }
    return nb;
}

// A value that does not fit; NULL when any text does.
static const char *bad_value(const OptionInfo *info, char text[128])
{
    snprintf(text, 128, "maybe");
    if (info->type == OPTION_SPIN && info->max < INT64_MAX)
        snprintf(text, 128, "%lld", (long long)info->max + 1);
    return info->type == OPTION_SPIN || info->type == OPTION_CHECK || info->type == OPTION_COMBO ? text
                                                                                                 : NULL;
}

// ---- the session --------------------------------------------------------------------------------
static void print_all(const Session *session, Text *out)
{
    OptionInfo info;
    for (int i = 0; option_at(i, &info); i++) {
        text_add(out, "%s=", info.name);
        option_print(session, i, out);
        text_add(out, "\n");
    }
}

static void check_one(Session *session, int index, const OptionInfo *info)
{
    char value[3][128], bad[128];
    Text now = {0};
    Message message = {0};
    for (int i = 0, nb = values_of(info, value); i < nb; i++) {
        CHECK_THAT(option_set(session, span_of(info->name), span_of(value[i]), &message) == OPTION_DONE,
                   "%s = %s: %s", info->name, value[i], message.text);
        text_clear(&now);
        option_print(session, index, &now);
        bool has_value = now.len || info->type == OPTION_SPIN || info->type == OPTION_CHECK;
        if (has_value && info->is_listed)
            CHECK_TEXT(now.ptr, value[i]);
    }
    const char *refused = bad_value(info, bad);
    if (refused) {
        Text before = {0}, after = {0};
        print_all(session, &before);
        CHECK_INT(option_set(session, span_of(info->name), span_of(refused), &message), OPTION_REFUSED);
        CHECK_THAT(message.text[0], "%s = %s is refused without a word", info->name, refused);
        print_all(session, &after);
        CHECK_TEXT(after.ptr, before.ptr);
        text_free(&before);
        text_free(&after);
    }
    text_free(&now);
}

static void test_session_options(void)
{
    Session session;
    Text before = {0}, after = {0};
    OptionInfo info;
    CASE("each option takes its least, greatest and default value, tells it, and refuses others");
    CHECK(session_init(&session));
    print_all(&session, &before);
    const int overhead_ms = engine_options(session.engine)->move_overhead_ms;
    int nb = 0;
    for (; option_at(nb, &info); nb++)
        check_one(&session, nb, &info);
    CHECK(nb >= 30);
    CASE("after all defaults everything is as it was at the start");
    print_all(&session, &after);
    CHECK_TEXT(after.ptr, before.ptr);
    CASE("the defaults of the game's words reach the engine at the start");
    CHECK_INT(overhead_ms, PROTOCOL_WORDS.option[ROLE_OVERHEAD].def);
    CHECK_INT(engine_hash_mb(session.engine), PROTOCOL_WORDS.option[ROLE_HASH].def);
    CASE("indices outside the table are no options");
    CHECK(!option_at(-1, &info) && !option_at(nb, &info));
    text_free(&before);
    text_free(&after);
    session_free(&session);
}

static void test_names(void)
{
    Session session;
    Message message = {0};
    SkillRange range = skill_range();
    char text[32];
    CHECK(session_init(&session));
    CASE("names that are the same in every game, in any case");
    CHECK_INT(option_set(&session, span_of("hash"), span_of("3"), &message), OPTION_DONE);
    CHECK_INT(engine_hash_mb(session.engine), 3);
    CHECK_INT(option_set(&session, span_of("MOVEOVERHEAD"), span_of("77"), &message), OPTION_DONE);
    CHECK_INT(engine_options(session.engine)->move_overhead_ms, 77);
    CHECK_INT(option_set(&session, span_of("OwnBook"), span_of("TRUE"), &message), OPTION_DONE);
    CHECK(session.settings.own_book);
    CASE("Elo is a level and its switch in one");
    snprintf(text, sizeof text, "%d", range.min_elo);
    CHECK_INT(option_set(&session, span_of("Elo"), span_of(text), &message), OPTION_DONE);
    CHECK(session.settings.limit_strength && session.settings.elo == range.min_elo);
    CHECK_INT(option_set(&session, span_of("Elo"), span_of("1"), &message), OPTION_REFUSED);
    CHECK_INT(option_set(&session, span_of("Elo"), span_of("0"), &message), OPTION_DONE);
    CHECK(!session.settings.limit_strength);
    CASE("NAME=VALUE, and the nearest name to one that is none");
    CHECK(option_set_pair(&session, span_of("Threads=2"), &message));
    CHECK_INT(session.settings.threads, 2);
    CHECK(!option_set_pair(&session, span_of("Treads=2"), &message));
    check_has(message.text, "did you mean Threads?");
    CHECK(!option_set_pair(&session, span_of("Threads"), &message));
    check_has(message.text, "expected NAME=VALUE, not 'Threads'");
    CHECK(!option_set_pair(&session, span_of("Threads=many"), &message));
    check_has(message.text, "Threads: expected a number from 1 to 1024, not 'many'");
    CHECK_INT(option_set(&session, span_of("Nothing"), span_of("1"), &message), OPTION_UNKNOWN);
    session_free(&session);
}

static void test_files(void)
{
    Session session;
    Message message = {0};
    static const char *const NAMES[] = {"EvalFile", "BookFile", "Tables"};
    CHECK(session_init(&session));
    const Net *net = engine_net(session.engine);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        CASE("a file that is not there for %s leaves all as it was", NAMES[i]);
        OptionResult result = option_set(&session, span_of(NAMES[i]), span_of("/nonexistent/file"), &message);
        CHECK(result == OPTION_REFUSED || (result == OPTION_UNKNOWN && i == 2));
        CHECK(engine_net(session.engine) == net && !session.book && !session.tablebase);
    }
    CASE("EvalFile none is no network, and empty the built-in one again");
    CHECK_INT(option_set(&session, span_of("EvalFile"), span_of("none"), &message), OPTION_DONE);
    CHECK(engine_net(session.engine) == NULL);
    CHECK_INT(option_set(&session, span_of("EvalFile"), span_of(""), &message), OPTION_DONE);
    CHECK(engine_net(session.engine) == net_embedded());
    session_free(&session);
}

// ---- the library --------------------------------------------------------------------------------
static void test_library(void)
{
    HANDLE *engine = LIBRARY(new)();
    OptionInfo info;
    int nb = 0, refused_nb = 0;
    CASE("the library knows every option, and refuses the same values");
    CHECK(engine != NULL);
    for (; option_at(nb, &info); nb++) {
        char value[3][128], bad[128];
        CHECK_TEXT(LIBRARY(option_name)(nb), info.name);
        for (int i = 0, value_nb = values_of(&info, value); i < value_nb; i++)
            CHECK_THAT(LIBRARY(set_option)(engine, info.name, value[i]) == TWOFOLD_OK, "%s = %s: %s",
                       info.name, value[i], LIBRARY(error)(engine));
        if (bad_value(&info, bad)) {
            refused_nb++;
            CHECK_INT(LIBRARY(set_option)(engine, info.name, bad), TWOFOLD_BAD_OPTION);
            check_has(LIBRARY(error)(engine), info.name);
        }
    }
    CHECK(LIBRARY(option_name)(nb) == NULL);
    CHECK_THAT(nb >= 20 && refused_nb >= 15, "%d options, %d with values to refuse", nb, refused_nb);
    CASE("the library: what is no option, and files that are not there");
    CHECK_INT(LIBRARY(set_option)(engine, "Nothing", "1"), TWOFOLD_BAD_OPTION);
    CHECK_INT(LIBRARY(set_option)(engine, "BookFile", "/nonexistent/book"), TWOFOLD_BAD_OPTION);
    LIBRARY(free)(engine);
}

static int nodes_heard(void *context, const twofold_info *info)
{
    *(uint64_t *)context = info->nodes;
    return 0;
}

// A search by the library is the session's: options of the protocol count, and the last line tells all nodes.
static void test_library_search(void)
{
    HANDLE *engine = LIBRARY(new)();
    twofold_limits limits = {.size = sizeof limits, .nodes = 3000};
    twofold_result result = {.size = sizeof result};
    uint64_t nodes = 0;
    CASE("the library's searches obey the options");
    CHECK(engine && LIBRARY(search)(engine, &limits, nodes_heard, &nodes, &result) == TWOFOLD_OK);
    CHECK_INT((i64)result.nodes, 3000);
    CHECK(nodes > 0 && nodes <= result.nodes);
    if (PROTOCOL_WORDS.option[ROLE_NODES_LIMIT].name) {
        CHECK_INT(LIBRARY(set_option)(engine, "NodesLimit", "700"), TWOFOLD_OK);
        CHECK_INT(LIBRARY(search)(engine, &limits, NULL, NULL, &result), TWOFOLD_OK);
        CHECK_INT((i64)result.nodes, 700);
    }
    LIBRARY(free)(engine);
}

// ---- analyse --option ---------------------------------------------------------------------------
// Analyses the start position with one option; the exit code, and what was said, to be freed.
static int analyse_with(const char *name, const char *value, char **said)
{
    char path[PATH_BYTES], pair[256];
    AnalyseOptions options = analyse_options_default();
    Message message = {0};
    size_t size;
    scratch_path("options.txt", path);
    write_text(path, GAME_START "\n");
    snprintf(pair, sizeof pair, "%s=%s", name, value);
    options.depth = options.threads = options.hash_mb = 1;
    options.quiet = true;
    CHECK(option_list_add(&options.engine, span_of(pair), &message));
    FILE *stream = open_memstream(said, &size);
    int code = analyse_run((const char *[]){path}, 1, &options, stream, stream);
    fclose(stream);
    remove(path);
    return code;
}

static void test_analyse_options(void)
{
    OptionInfo info;
    char *said = NULL;
    int index = 0, refused_nb = 0;
    CASE("analyse --option knows every option, and refuses the same values as a wrong call");
    for (; option_at(index, &info); index++) {
        char value[3][128], bad[128];
        for (int i = 0, nb = values_of(&info, value); i < nb; i++) {
            CHECK_THAT(analyse_with(info.name, value[i], &said) == 0, "%s=%s: %s", info.name, value[i], said);
            free(said);
        }
        if (bad_value(&info, bad)) {
            refused_nb++;
            CHECK_THAT(analyse_with(info.name, bad, &said) == 2, "%s=%s: %s", info.name, bad, said);
            check_has(said, info.name);
            free(said);
        }
    }
    CHECK_THAT(index >= 20 && refused_nb >= 15, "%d options, %d with values to refuse", index, refused_nb);
    CASE("analyse --option with a name that is none tells the nearest");
    CHECK_INT(analyse_with("MaxNSP", "1", &said), 2);
    check_has(said, "(did you mean MaxNPS?)");
    free(said);
}

void test_options(void)
{
    test_analyse_options();
    test_session_options();
    test_names();
    test_files();
    test_library();
    test_library_search();
}
