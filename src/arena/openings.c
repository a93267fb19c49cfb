// SPDX-License-Identifier: GPL-3.0-or-later
// Openings from files and from chance. A file is read once and kept as text; an opening is parsed when its
// pair is played, so a million lines cost their text and an offset each. Positions that are over, and games
// that can't be read, are left out and counted.
#include "arena/openings.h"

#include <stdlib.h>

#include "games/notation.h"
#include "games/record.h"

enum { FILE_MAX_BYTES = 1 << 30, RANDOM_TRIES = 10000 };

// ---- positions and games as text ----------------------------------------------------------------
// A position's text with or without the protocol's words before it, with EPD operations after it, or with `
// moves ...`.
static bool parse_line(Span line, const Rules *rules, Game *game, Message *message)
{
    static const char *const LEAD[] = {"position", "fen", "sfen"};
    line = span_trim(line);
    for (size_t i = 0; i < sizeof LEAD / sizeof LEAD[0]; i++) {
        Span rest = line;
        if (span_is(span_word(&rest), LEAD[i]))
            line = span_trim(rest);
    }
    // As many words as make a position; what follows them must not be part of it.
    Span scan = line, end[16];
    int words = 0;
    while (words < 16) {
        Span word = span_word(&scan);
        if (word.len == 0 || span_is(word, "moves"))
            break;
        end[words++] = (Span){line.ptr, (size_t)(word.ptr + word.len - line.ptr)};
    }
    if (words == 0)
        return message_set(message, "there is no position on the line");
    SetResult set = SET_REJECTED;
    Message first = {{0}};
    for (int n = words; n > 0 && set == SET_REJECTED; n--)
        set = game_set(game, end[n - 1], rules, n == words ? &first : message);
    if (set == SET_REJECTED)
        return message_set(message, "%s", first.text);
    Span rest = {end[words - 1].ptr + end[words - 1].len,
                 (size_t)(line.ptr + line.len - end[words - 1].ptr) - end[words - 1].len};
    if (!span_is(span_word(&rest), "moves"))
        return true;
    if (game_play_text(game, rest, message) != PLAY_DONE)
        return false;
    for (int i = 0; i < game->move_nb; i++)
        if (game->move[i] == MOVE_NULL)
            return message_set(message, "move %d is a pass, which no game has", i + 1);
    return true;
}

// The first moves of the next game of a file.
static bool parse_record(Span *rest, const Rules *rules, int plies, Game *game, Message *message)
{
    Record record = {0};
    bool ok = record_read(rest, rules, &record);
    if (ok && record.error.text[0] && record.move_nb < plies)
        ok = message_set(message, "%s", record.error.text);
    if (ok)
        game_start(game, &record.start);
    for (int i = 0; ok && i < min_int(record.move_nb, plies); i++)
        ok = game_play(game, record.move[i].move) || message_set(message, "out of memory");
    record_free(&record);
    return ok;
}

static bool is_playable(const Game *game) { return game_verdict(game).outcome == OUTCOME_NONE; }

// ---- a file -------------------------------------------------------------------------------------
static bool add_offset(Openings *openings, int *capacity, size_t offset)
{
    if (openings->count == *capacity) {
        int wanted = *capacity ? *capacity * 2 : 1024;
        size_t *bigger = realloc(openings->offset, (size_t)wanted * sizeof *bigger);
        if (!bigger)
            return false;
        openings->offset = bigger;
        *capacity = wanted;
    }
    openings->offset[openings->count++] = offset;
    return true;
}

// The first line that is neither empty nor a comment decides what the file is.
static bool starts_with_position(Span text, const Rules *rules)
{
    Span line;
    Game game = {0};
    Message ignored;
    bool is_position = false;
    while (span_line(&text, &line))
        if (span_trim(line).len && *span_trim(line).ptr != '#') {
            is_position = parse_line(line, rules, &game, &ignored);
            break;
        }
    game_free(&game);
    return is_position;
}

static bool index_file(Openings *openings, Message *message)
{
    const OpeningOptions *options = &openings->options;
    Span rest = text_span(&openings->text);
    Game game = {0};
    int capacity = 0;
    bool ok = true;
    openings->is_lines = starts_with_position(rest, &options->rules);
    for (int number = 1; ok && span_trim(rest).len; number++) {
        size_t offset = (size_t)(rest.ptr - openings->text.ptr);
        Message why = {"the game is over there"};
        bool good;
        if (openings->is_lines) {
            Span line;
            span_line(&rest, &line);
            if (!span_trim(line).len || *span_trim(line).ptr == '#')
                continue;
            good = parse_line(line, &options->rules, &game, &why);
        } else {
            good = parse_record(&rest, &options->rules, options->plies, &game, &why);
            if (!good && (size_t)(rest.ptr - openings->text.ptr) == offset)
                break;
        }
        if (good && is_playable(&game)) {
            ok = add_offset(openings, &capacity, offset);
        } else if (openings->refused_nb++ == 0) {
            message_set(&openings->refused, openings->is_lines ? "line %d: %s" : "game %d: %s", number,
                        why.text);
        }
    }
    game_free(&game);
    if (!ok)
        return message_set(message, "out of memory for the openings");
    if (openings->count == 0)
        return message_set(message, "no opening in '%s'%s%s",
                           options->file ? options->file : said("the program"),
                           openings->refused_nb ? "; " : "", openings->refused.text);
    return true;
}

bool openings_load(Openings *openings, const OpeningOptions *options, Message *message)
{
    *openings = (Openings){.options = *options};
    if (!options->file && !options->is_own)
        return true;
    for (int i = 0; !options->file && OPENING_LINES[i]; i++)
        text_add(&openings->text, GAME_START " moves %s\n", OPENING_LINES[i]);
    if ((!options->file || text_read_file(&openings->text, options->file, FILE_MAX_BYTES, message)) &&
        index_file(openings, message))
        return true;
    openings_free(openings);
    return false;
}

void openings_free(Openings *openings)
{
    text_free(&openings->text);
    free(openings->offset);
    *openings = (Openings){0};
}

// Place `index` of a permutation of 0..count-1 that follows from the seed, without building it: a Feistel
// network over the next power of four, walked until it lands inside. Every opening comes once before any
// comes again.
static int permuted(int index, int count, u64 seed)
{
    int half = 1;
    while (((i64)1 << (2 * half)) < count)
        half++;
    u32 mask = (1u << half) - 1, value = (u32)index;
    do {
        u32 left = value >> half, right = value & mask;
        for (u32 round = 0; round < 6; round++) {
            u32 next = left ^ ((u32)hash_mix(seed ^ ((u64)round << 40) ^ right) & mask);
            left = right;
            right = next;
        }
        value = left << half | right;
    } while (value >= (u32)count);
    return (int)value;
}

static bool get_from_file(const Openings *openings, i64 pair, Game *game, Message *message)
{
    const OpeningOptions *options = &openings->options;
    int index = (int)(pair % openings->count);
    if (!options->sequential)
        index = permuted(index, openings->count, hash_mix(options->seed + (u64)(pair / openings->count)));
    size_t offset = openings->offset[index];
    Span rest = {openings->text.ptr + offset, openings->text.len - offset}, line;
    if (!openings->is_lines)
        return parse_record(&rest, &options->rules, options->plies, game, message);
    return span_line(&rest, &line) && parse_line(line, &options->rules, game, message);
}

// ---- chance -------------------------------------------------------------------------------------
bool opening_random(Game *game, int plies, Rng *rng)
{
    for (int i = 0; i < plies; i++) {
        Move list[MAX_MOVES];
        int nb = (int)(gen_all(&game->pos, list) - list);
        if (nb == 0 || !game_play(game, list[rng_below(rng, (u32)nb)]))
            return false;
    }
    return true;
}

// False when the moves ended the game.
static bool random_line(const OpeningOptions *options, Rng *rng, Game *game)
{
    Message ignored;
    Rules rules = options->rules;
    char text[TEXT_MAX] = GAME_START;
    return (!options->start || start_random(options->start, rng, &rules, text)) &&
           game_set(game, span_of(text), &rules, &ignored) != SET_REJECTED &&
           opening_random(game, options->random_plies, rng) && is_playable(game);
}

bool opening_is_even(const Game *game, Engine *judge, u64 nodes, int cp)
{
    Limits limits = {.nodes = nodes};
    SearchResult result;
    Message ignored;
    if (!is_playable(game))
        return false;
    // A search that starts from nothing: the verdict must not depend on what was judged before.
    engine_new_game(judge);
    return search_to_limits(judge, game, &limits, NULL, &result, &ignored) && abs(result.score) <= cp;
}

bool openings_get(const Openings *openings, i64 pair, Engine *judge, Game *game, Message *message)
{
    const OpeningOptions *options = &openings->options;
    if (openings->count)
        return get_from_file(openings, pair, game, message);
    bool is_drawn = options->random_plies > 0 || options->start;
    Rng rng = {hash_mix(options->seed) ^ hash_mix((u64)pair + 1)};
    bool found = false;
    for (int i = 0; i < RANDOM_TRIES && !found; i++)
        found = random_line(options, &rng, game) &&
                (options->even_cp == 0 || !is_drawn ||
                 opening_is_even(game, judge, options->even_nodes, options->even_cp));
    return found || message_set(message, "no even opening of %d random plies in %d tries",
                                options->random_plies, RANDOM_TRIES);
}
