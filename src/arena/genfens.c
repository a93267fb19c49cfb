// SPDX-License-Identifier: GPL-3.0-or-later
// `genfens`: start positions for games that other programs let this one play, as the testing framework
// OpenBench asks for them: so many, from a seed of 64 bits, on a book or from the start of the game. Each
// comes from a few random moves and is even for a short search. The same call gives the same positions.
#include <errno.h>
#include <stdlib.h>

#include "arena/arena.h"
#include "arena/openings.h"
#include "base/cli.h"
#include "base/language.h"
#include "session/options.h"

enum { BARE_PLIES = 8, BOOK_PLIES = 4, EVEN_NODES = 500, EVEN_CP = 250, TRIES_MAX = 1000 };
enum { GENFENS_MAX = 1000000, WORD_MAX = 40 };

static const CliCommand GENFENS_COMMAND = {
    .name = "twofold-" GAME_NAME " genfens",
    .about = "Usage: twofold-" GAME_NAME
             " [\"setoption name NAME value VALUE\"] \"genfens N seed S book None|FILE\" \"quit\"\n"
             "Prints N start positions for games, even for a short search and the same for the same seed."};

typedef struct FenRequest {
    i64 nb;
    u64 seed;
    char book[4096]; // empty: none
} FenRequest;

// The whole span as a number of 64 bits without a sign.
static bool parse_seed(Span text, u64 *out)
{
    u64 value = 0;
    for (size_t i = 0; i < text.len; i++) {
        const unsigned digit = (unsigned)(text.ptr[i] - '0');
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return text.len > 0;
}

// The book's name may have blanks in it; what follows it otherwise is for other programs.
static void take_book(Span rest, FenRequest *wanted)
{
    const Span whole = span_trim(rest);
    span_copy(whole, wanted->book, sizeof wanted->book);
    if (!os_has_file(wanted->book))
        span_copy(span_word(&rest), wanted->book, sizeof wanted->book);
    if (span_is_nocase(span_of(wanted->book), "None"))
        wanted->book[0] = '\0';
}

static bool parse_wanted(Span line, FenRequest *wanted, Message *message)
{
    Span word = span_word(&line);
    if (!span_int(word, 1, GENFENS_MAX, &wanted->nb))
        return message_set(message, "expected how many positions, from 1 to %d, not '%.*s'", GENFENS_MAX,
                           (int)min_i64((i64)word.len, WORD_MAX), word.ptr);
    for (word = span_word(&line); word.len; word = span_word(&line)) {
        if (span_is(word, "book")) {
            take_book(line, wanted);
            return true;
        }
        if (!span_is(word, "seed"))
            return message_set(message, "expected seed or book, not '%.*s'",
                               (int)min_i64((i64)word.len, WORD_MAX), word.ptr);
        word = span_word(&line);
        if (!parse_seed(word, &wanted->seed))
            return message_set(message, "expected a seed of 64 bits, not '%.*s'",
                               (int)min_i64((i64)word.len, WORD_MAX), word.ptr);
    }
    return true;
}

// "setoption name NAME value VALUE", which may stand before: a network to judge with.
static bool take_option(Session *session, Span line, Message *message)
{
    Span word = span_word(&line), name = {0};
    const char *end = line.ptr + line.len;
    if (!span_is(word, "setoption") || !span_is(span_word(&line), "name"))
        return message_set(message, "expected setoption or genfens, not '%.*s'",
                           (int)min_i64((i64)word.len, WORD_MAX), word.ptr);
    while ((word = span_word(&line)).len && !span_is(word, "value"))
        name = (Span){name.ptr ? name.ptr : word.ptr,
                      (size_t)(word.ptr + word.len - (name.ptr ? name.ptr : word.ptr))};
    const Span value = span_trim((Span){line.ptr, (size_t)(end - line.ptr)});
    return option_set(session, name, value, message) == OPTION_DONE ||
           message_set(message, "option '%.*s' cannot be set to '%.*s'",
                       (int)min_i64((i64)name.len, WORD_MAX), name.ptr ? name.ptr : "",
                       (int)min_i64((i64)value.len, WORD_MAX), value.ptr);
}

// The position with that number: a line of the book, or the start, and random moves from there.
static bool find(const Openings *openings, Engine *judge, u64 seed, i64 number, Game *game, Message *message)
{
    const bool has_book = openings->count > 0;
    Rng rng = {hash_mix(seed) ^ hash_mix((u64)number + 1)};
    for (int i = 0; i < TRIES_MAX; i++) {
        const i64 line = has_book ? (i64)rng_below(&rng, (u32)openings->count) : 0;
        // One ply more or less gives both sides the move.
        const int plies = (has_book ? BOOK_PLIES : BARE_PLIES) + (int)rng_below(&rng, 2);
        if (!openings_get(openings, line, judge, game, message))
            return false;
        if (opening_random(game, plies, &rng) && opening_is_even(game, judge, EVEN_NODES, EVEN_CP))
            return true;
    }
    return message_set(message, "no even position was found in %d tries", TRIES_MAX);
}

static bool print_all(const FenRequest *wanted, const Openings *openings, Engine *judge, Message *message)
{
    Game game = {0};
    bool ok = true;
    for (i64 i = 0; i < wanted->nb && ok; i++) {
        char text[TEXT_MAX];
        ok = find(openings, judge, wanted->seed, i, &game, message);
        if (!ok)
            break;
        pos_print(&game.pos, text);
        ok = printf("info string genfens %s\n", text) > 0 && fflush(stdout) == 0;
        if (!ok)
            message_set(message, "cannot write to standard output: %s", said(strerror(errno)));
    }
    game_free(&game);
    return ok;
}

static bool begins_with(const char *argument, const char *word)
{
    Span rest = span_of(argument);
    return span_is(span_word(&rest), word);
}

// The words of genfens are those of one argument, or of all that follow; options stand before it.
static bool read_arguments(int argc, char **argv, Session *session, FenRequest *wanted, Message *message)
{
    Text line = {0};
    int i = 0;
    for (; i < argc && !begins_with(argv[i], "genfens"); i++)
        if (!take_option(session, span_of(argv[i]), message))
            return false;
    for (; i < argc && strcmp(argv[i], "quit") != 0; i++)
        text_add(&line, "%s ", argv[i]);
    Span words = text_span(&line);
    span_word(&words); // genfens
    const bool ok = span_starts(span_trim(words), "--help") || parse_wanted(words, wanted, message);
    text_free(&line);
    return ok;
}

bool arena_is_genfens(int argc, char **argv)
{
    int i = 0;
    while (i < argc && begins_with(argv[i], "setoption"))
        i++;
    return i < argc && begins_with(argv[i], "genfens");
}

int arena_genfens_main(int argc, char **argv)
{
    FenRequest wanted = {0};
    Session session;
    Openings openings = {0};
    Message message = {"not enough memory for an engine"};
    int code = EXIT_FAILED;
    bool ok = session_init(&session);
    if (ok && !read_arguments(argc, argv, &session, &wanted, &message)) {
        session_free(&session);
        return cli_misused(&GENFENS_COMMAND, message.text);
    }
    if (ok && !wanted.nb) {
        printf("%s\n", said(GENFENS_COMMAND.about));
        session_free(&session);
        return EXIT_DONE;
    }
    // The book's lines by their number: which one is drawn in `find`.
    const OpeningOptions options = {.file = wanted.book[0] ? wanted.book : NULL,
                                    .sequential = true,
                                    .plies = OPENING_PLIES_MAX,
                                    .rules = rules_default()};
    if (ok && openings_load(&openings, &options, &message) &&
        print_all(&wanted, &openings, session.engine, &message))
        code = EXIT_DONE;
    openings_free(&openings);
    session_free(&session);
    return code == EXIT_DONE ? code : cli_failed(&GENFENS_COMMAND, message.text);
}
