// SPDX-License-Identifier: GPL-3.0-or-later
// See source.h. Files are looked at through a window that moves on with the games, so that their size does
// not matter; only standard input, which can't be read twice, is held as a whole. Invariant: a game is taken
// only when enough of what follows it was in the window for its reader to have seen that it ends there.
#include "analysis/source.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "analysis/load.h"
#include "base/language.h"
#include "session/phrases.h"

// A reader looks at most so far behind the end of a game.
enum { INPUT_MAX = 1 << 30, WINDOW = 1 << 20, LOOK_AHEAD = 1 << 16, BINARY_LOOK = 4096 };

// ---- the window ---------------------------------------------------------------------------------
typedef struct Window {
    Source *source;
    int file;
    Text text; // from the offset `base` of the file on
    size_t at; // so much of it was read
    i64 base;
    bool is_end; // there is no more in the file
    i64 counted; // lines are counted up to this offset
    int line;    // the number of the line there
} Window;

static bool fill(Window *window, size_t more, Message *message)
{
    SourceFile *file = &window->source->file[window->file];
    if (window->at > 0) {
        const size_t from = (size_t)(window->counted - window->base);
        if (from < window->at) {
            window->line += span_line_ends((Span){window->text.ptr + from, window->at - from});
            window->counted = window->base + (i64)window->at;
        }
        memmove(window->text.ptr, window->text.ptr + window->at, window->text.len - window->at);
        window->text.len -= window->at;
        window->base += (i64)window->at;
        window->at = 0;
    }
    if (!file->stream) {
        window->is_end = true;
        return true;
    }
    char *chunk = malloc(more);
    if (!chunk || window->text.len + more > INPUT_MAX) {
        free(chunk);
        return message_set(message, "'%s': a game of it does not fit into memory", file->name);
    }
    errno = 0;
    size_t got = fread(chunk, 1, more, file->stream);
    text_add_bytes(&window->text, chunk, got);
    free(chunk);
    window->is_end = got < more;
    if (ferror(file->stream))
        return message_set(message, "cannot read '%s': %s", file->name, said(strerror(errno)));
    return !window->text.failed || message_set(message, "not enough memory to read '%s'", file->name);
}

// The next game, whole; *found is false at the end of the file.
static bool next_game(Window *window, AnalysedGame *game, SourcePlace *place, bool *found, Message *message)
{
    for (size_t more = WINDOW;; more = window->text.len > WINDOW ? window->text.len : WINDOW) {
        Span rest = {window->text.ptr ? window->text.ptr + window->at : "", window->text.len - window->at};
        const Span whole = rest;
        bool is_near = rest.len < LOOK_AHEAD && !window->is_end;
        *found = !is_near && game_read(&rest, &window->source->rules, game);
        is_near |= rest.len < LOOK_AHEAD && !window->is_end;
        if (!is_near) {
            *place = (SourcePlace){.offset = window->base + (i64)window->at,
                                   .size = (int)(whole.len - rest.len),
                                   .file = window->file};
            window->at = window->text.len - rest.len;
            return true;
        }
        game_drop(game);
        if (!fill(window, more, message))
            return false;
    }
}

static int count_lines(const char *from, const char *to)
{
    return from < to ? span_line_ends((Span){from, (size_t)(to - from)}) : 0;
}

// The line of a game is its first, of a position its last: there may be remarks before it. The line of a
// fault is the game's own when the fault stands before that.
static void set_lines(Window *window, const SourcePlace *place, AnalysedGame *game)
{
    const char *start = window->text.ptr + (place->offset - window->base), *end = start + place->size,
               *at = start;
    while (at < end && (*at == ' ' || (*at >= '\t' && *at <= '\r')))
        at++;
    if (game->is_position && end > at)
        at = end - 1;
    window->line += count_lines(window->text.ptr + (window->counted - window->base), at);
    window->counted = window->base + (at - window->text.ptr);
    game->line = window->line;
    game->error_line = window->line + count_lines(at, start + game->record.error_at);
    game->note_line = window->line + count_lines(at, start + game->record.note_at);
}

// ---- choosing -----------------------------------------------------------------------------------
static bool has_name(const char *name, const char *part)
{
    for (; name && *name; name++) {
        size_t i = 0;
        while (part[i] && tolower((unsigned char)name[i]) == tolower((unsigned char)part[i]))
            i++;
        if (!part[i])
            return true;
    }
    return false;
}

// Is it a game of the player that was asked for? And where does looking begin?
static bool choose(const Source *source, AnalysedGame *game)
{
    const int wanted = source->from_move > 1 ? 2 * (source->from_move - 1) : 0;
    game->first_ply = clamp_int(wanted - pos_game_ply(&game->record.start), 0, game->record.move_nb);
    if (!source->player)
        return true;
    for (int side = 0; side < SIDE_NB; side++)
        game->is_of[side] = has_name(record_tag(&game->record, phrase_side(side)), source->player);
    return game->is_of[0] || game->is_of[1];
}

// Tells what could not be read, with its place in the file. The rest is analysed.
static void tell_error(const SourceFile *file, const AnalysedGame *game, FILE *err)
{
    const Message name = message_of(file->name);
    if (game->record.error.text[0])
        fprintf(err, said("%s: %s %d (line %d): %s%s\n"), name.text,
                said(game->is_position ? "position" : "game"), game->number, game->error_line,
                game->record.error.text,
                said(game->is_skipped ? "; left out" : "; the moves before it are analysed"));
    if (game->record.note.text[0])
        fprintf(err, said("%s: %s %d (line %d): %s\n"), name.text,
                said(game->is_position ? "position" : "game"), game->number, game->note_line,
                game->record.note.text);
    if (game->task_error.text[0])
        fprintf(err, said("%s: position %d (line %d): %s; the task is not counted\n"), name.text,
                game->number, game->line, game->task_error.text);
}

static bool add_place(Source *source, const SourcePlace *place, const AnalysedGame *game, Message *message)
{
    if (source->place_nb == source->capacity) {
        int capacity = source->capacity ? 2 * source->capacity : 64;
        SourcePlace *grown = realloc(source->place, (size_t)capacity * sizeof *grown);
        if (!grown)
            return message_set(message, "not enough memory for %d games", capacity);
        source->place = grown;
        source->capacity = capacity;
    }
    source->place[source->place_nb] = *place;
    source->place[source->place_nb].is_position = game->is_position;
    if (!game->is_skipped) {
        source->readable_nb++;
        source->place[source->place_nb].position_nb = game->record.move_nb + 1 - game->first_ply;
    }
    source->place_nb++;
    return true;
}

// ---- reading through ----------------------------------------------------------------------------
static bool scan_file(Source *source, int index, FILE *err, Message *message)
{
    SourceFile *file = &source->file[index];
    Window window = {.source = source, .file = index, .line = 1};
    AnalysedGame game = {0};
    bool found = false, ok = true;
    const int before = source->game_nb;
    if (!file->stream)
        text_add_bytes(&window.text, file->text.ptr, file->text.len);
    ok = fill(&window, WINDOW, message);
    Span start = text_span(&window.text);
    if (ok && window.is_end && span_trim(start).len == 0)
        ok = message_set(message, "'%s': the file is empty", file->name);
    else if (ok && memchr(start.ptr, '\0', start.len < BINARY_LOOK ? start.len : BINARY_LOOK))
        ok =
            message_set(message, "'%s': the file is binary: expected games or positions as text", file->name);
    for (SourcePlace place; ok && (ok = next_game(&window, &game, &place, &found, message)) && found;) {
        game.number = place.number = ++source->game_nb;
        set_lines(&window, &place, &game);
        place.line = game.line;
        if (choose(source, &game)) {
            tell_error(file, &game, err);
            ok = add_place(source, &place, &game, message);
        }
        game_drop(&game);
    }
    if (ok && source->game_nb == before)
        ok = message_set(message, "'%s': there is no game and no position in the file", file->name);
    game_drop(&game);
    text_free(&window.text);
    return ok;
}

// Is it a position or a game in words, and no name of a file?
static bool is_words(const char *input, const Rules *rules)
{
    Span rest = span_of(input);
    AnalysedGame game;
    int slashes = 0;
    if (os_exists(input))
        return false;
    for (const char *c = input; *c && *c != ' '; c++)
        slashes += *c == '/';
    bool is_one = game_read(&rest, rules, &game);
    bool is_whole = is_one && !game.record.error.text[0];
    if (is_one)
        game_drop(&game);
    return is_whole || (slashes >= 7 && strchr(input, ' '));
}

static bool open_file(SourceFile *file, const char *input, const Rules *rules, Message *message)
{
    file->name = input;
    if (strcmp(input, "-") == 0)
        return text_read_file(&file->text, "/dev/stdin", INPUT_MAX, message);
    file->is_words = is_words(input, rules);
    if (file->is_words) {
        file->name = "the command line";
        text_add(&file->text, "%s\n", input);
        return !file->text.failed || message_set(message, "not enough memory");
    }
    file->stream = os_fopen(input, "rb");
    return file->stream || message_set(message, "cannot open '%s': %s", input, said(strerror(errno)));
}

bool source_open(Source *source, const char *const *inputs, int input_nb, FILE *err, Message *message)
{
    source->file = calloc((size_t)input_nb, sizeof *source->file);
    if (!source->file)
        return message_set(message, "not enough memory");
    for (int i = 0; i < input_nb; i++) {
        source->file_nb = i + 1;
        if (!open_file(&source->file[i], inputs[i], &source->rules, message) ||
            !scan_file(source, i, err, message))
            return false;
    }
    if (!source->place_nb && source->player)
        return message_set(message, "no game has a player whose name has '%.60s' in it", source->player);
    return source->readable_nb || message_set(message, "nothing in the file can be analysed");
}

void source_choose_share(Source *source, const Shard *shard)
{
    const int nb = max_int(shard->nb, 1);
    source->first_place = (int)((i64)source->place_nb * shard->index / nb);
    source->end_place = (int)((i64)source->place_nb * (shard->index + 1) / nb);
    source->kept_nb = 0;
    source->position_nb = 0;
    for (int i = source->first_place; i < source->end_place; i++) {
        const SourcePlace *place = &source->place[i];
        source->kept_nb += place->position_nb > 0 && !place->is_position;
        source->position_nb += place->position_nb;
    }
}

void source_free(Source *source)
{
    for (int i = 0; i < source->file_nb; i++) {
        if (source->file[i].stream)
            fclose(source->file[i].stream);
        text_free(&source->file[i].text);
    }
    free(source->file);
    free(source->place);
    *source = (Source){0};
}

bool source_read(Source *source, int index, AnalysedGame *game, Message *message)
{
    const SourcePlace *place = &source->place[index];
    SourceFile *file = &source->file[place->file];
    Text text = {0};
    char *bytes = NULL;
    Span rest = {file->text.ptr ? file->text.ptr + place->offset : "", (size_t)place->size};
    if (file->stream) {
        bytes = malloc((size_t)place->size + 1);
        if (!bytes)
            return message_set(message, "not enough memory for a game");
        clearerr(file->stream);
        bool is_there = fseeko(file->stream, place->offset, SEEK_SET) == 0 &&
                        fread(bytes, 1, (size_t)place->size, file->stream) == (size_t)place->size;
        rest = (Span){bytes, is_there ? (size_t)place->size : 0};
    }
    bool ok = game_read(&rest, &source->rules, game) && choose(source, game);
    if (ok) {
        game->number = place->number;
        game->line = place->line;
        game->file = file->name;
    } else {
        game_drop(game);
        message_set(message, "'%s' was changed while it was read", file->name);
    }
    free(bytes);
    text_free(&text);
    return ok;
}

// ---- the command line ---------------------------------------------------------------------------
// Can the word follow the board of a position that was not put in quotes?
static bool is_field(const char *word)
{
    i64 number;
    return strlen(word) <= 40 && !os_exists(word) &&
           (span_int(span_of(word), 0, 9999, &number) ||
            strspn(word, "wbKQkqA-Ha-h-0123456789RBGSNLPrbgsnlp") == strlen(word));
}

static bool is_board(const char *word)
{
    int slashes = 0;
    for (const char *c = word; *c; c++)
        slashes += *c == '/';
    return slashes >= 7 && !strchr(word, ' ') && word[0] != '/' && word[0] != '.' && !os_exists(word);
}

int source_join(const char *const *words, int word_nb, const char **inputs, Text *joined)
{
    enum { FIELDS = 5 };
    int input_nb = 0;
    size_t total = 1;
    for (int i = 0; i < word_nb; i++)
        total += strlen(words[i]) + 1;
    // The text must not move while inputs point into it.
    char *place = calloc(total, 1);
    if (!place)
        return 0;
    joined->ptr = place;
    joined->capacity = total;
    for (int i = 0; i < word_nb; i++) {
        inputs[input_nb++] = words[i];
        if (!is_board(words[i]) || i + 1 == word_nb || !is_field(words[i + 1]))
            continue;
        char *at = joined->ptr + joined->len;
        int nb = 1;
        while (nb <= FIELDS && i + nb < word_nb && is_field(words[i + nb]))
            nb++;
        for (int k = 0; k < nb; k++)
            joined->len += (size_t)snprintf(joined->ptr + joined->len, total - joined->len, "%s%s",
                                            k ? " " : "", words[i + k]);
        joined->len++;
        inputs[input_nb - 1] = at;
        i += nb - 1;
    }
    return input_nb;
}
