// SPDX-License-Identifier: GPL-3.0-or-later
// The library: include/twofold.h for the game this is compiled for. A thin coat over a session: texts in,
// texts out, every failure a status and a sentence. Here: how calls begin and end, life, options, positions
// and moves; think.c searches, records.c reads, writes and analyses games.
#include "library/library.h"

#include <stdlib.h>

// ---- calls --------------------------------------------------------------------------------------
int library_fail(HANDLE *engine, int status, const char *format, ...)
{
    char text[MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    message_set(&engine->error, "%s", text);
    return status;
}

int library_take(HANDLE *engine)
{
    if (!engine)
        return TWOFOLD_BAD_ARGUMENT;
    return atomic_exchange(&engine->busy, true) ? TWOFOLD_BUSY : TWOFOLD_OK;
}

int library_give(HANDLE *engine, int status)
{
    atomic_store(&engine->busy, false);
    return status;
}

int library_hand_out(HANDLE *engine, const char **text)
{
    if (!text)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "there is nowhere to put the text");
    if (engine->text.failed)
        return library_fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the text");
    *text = engine->text.len ? engine->text.ptr : "";
    return TWOFOLD_OK;
}

// ---- structs of other versions ------------------------------------------------------------------
enum { STRUCT_MAX = 65536 }; // no version will have a larger one: a size beyond it was never set

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

bool library_check_struct(HANDLE *engine, const char *name, const void *given, size_t known, size_t least)
{
    size_t size = size_of(given);
    if (size >= least && size <= STRUCT_MAX)
        return true;
    library_fail(engine, TWOFOLD_BAD_ARGUMENT,
                 "the size in %s is %zu: it has to be sizeof(%s), which is %zu in version " TWOFOLD_VERSION,
                 name, size, name, known);
    return false;
}

bool library_read_struct(HANDLE *engine, const char *name, const void *from, void *to, size_t known,
                         size_t least)
{
    const char *bytes = from;
    if (!library_check_struct(engine, name, from, known, least))
        return false;
    const size_t size = size_of(from);
    for (size_t i = known; i < size; i++)
        if (bytes[i]) {
            library_fail(engine, TWOFOLD_BAD_ARGUMENT,
                         "%s asks for something that version " TWOFOLD_VERSION
                         " of the library does not know: the program was made for a newer one",
                         name);
            return false;
        }
    memset(to, 0, known);
    memcpy(to, from, size < known ? size : known);
    return true;
}

void library_fill_struct(void *to, const void *from, size_t known)
{
    const size_t size = size_of(to);
    memset((char *)to + sizeof size, 0, size - sizeof size);
    memcpy((char *)to + sizeof size, (const char *)from + sizeof size,
           (size < known ? size : known) - sizeof size);
}

// ---- life ---------------------------------------------------------------------------------------
const char *API(version)(void) { return TWOFOLD_VERSION; }

#define TEXT_OF_AGAIN(number) #number
#define TEXT_OF(number) TEXT_OF_AGAIN(number)
const char *API(check)(int interface)
{
    if (interface == TWOFOLD_INTERFACE)
        return NULL;
    return interface < TWOFOLD_INTERFACE ? "the program was made for an older libtwofold-" GAME_NAME
                                           " than this one (version " TWOFOLD_VERSION
                                           ", interface " TEXT_OF(TWOFOLD_INTERFACE) "): build it again"
                                         : "the program was made for a newer libtwofold-" GAME_NAME
                                           " than this one (version " TWOFOLD_VERSION
                                           ", interface " TEXT_OF(TWOFOLD_INTERFACE) "): install that one";
}

HANDLE *API(new)(void)
{
    game_init();
    HANDLE *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    control_init(&engine->control, &(Limits){0}, 0);
    pthread_mutex_init(&engine->gate, NULL);
    if (session_init(&engine->session))
        return engine;
    API(free)(engine);
    return NULL;
}

void API(free)(HANDLE *engine)
{
    if (!engine)
        return;
    session_free(&engine->session);
    record_free(&engine->sheet);
    text_free(&engine->text);
    pthread_mutex_destroy(&engine->gate);
    control_free(&engine->control);
    free(engine);
}

const char *API(error)(const HANDLE *engine) { return engine ? engine->error.text : "there is no engine"; }

// ---- options ------------------------------------------------------------------------------------
static int set_option(HANDLE *engine, const char *name, const char *value)
{
    Message why = {0};
    if (!name || !value)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "an option needs a name and a value");
    switch (option_set(&engine->session, span_of(name), span_of(value), &why)) {
    case OPTION_DONE: return TWOFOLD_OK;
    case OPTION_UNKNOWN: return library_fail(engine, TWOFOLD_BAD_OPTION, "there is no option '%.60s'", name);
    case OPTION_NO_MEMORY: return library_fail(engine, TWOFOLD_NO_MEMORY, "%.60s: %s", name, why.text);
    default: return library_fail(engine, TWOFOLD_BAD_OPTION, "%.60s: %s", name, why.text);
    }
}

int API(set_option)(HANDLE *engine, const char *name, const char *value)
{
    int status = library_take(engine);
    return status == TWOFOLD_OK ? library_give(engine, set_option(engine, name, value)) : status;
}

const char *API(option_name)(int index)
{
    OptionInfo info;
    return option_at(index, &info) ? info.name : NULL;
}

// ---- the position -------------------------------------------------------------------------------
int API(new_game)(HANDLE *engine)
{
    int status = library_take(engine);
    if (status != TWOFOLD_OK)
        return status;
    session_new_game(&engine->session);
    return library_give(engine, TWOFOLD_OK);
}

static int bad_move(HANDLE *engine, Span word, int number)
{
    return library_fail(engine, TWOFOLD_BAD_MOVE, "'%.*s' (move %d) is not legal",
                        (int)(word.len < WORD_SHOWN ? word.len : WORD_SHOWN), word.ptr, number);
}

static int play(HANDLE *engine, Span word)
{
    Game *game = &engine->session.game;
    Move move = move_parse(&game->pos, word);
    if (move == MOVE_NONE || move == MOVE_WIN)
        return bad_move(engine, word, game->move_nb + 1);
    return game_play(game, move) ? TWOFOLD_OK
                                 : library_fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the game");
}

static int set_position(HANDLE *engine, const char *position, const char *moves)
{
    Message why = {0};
    Span text = span_of(position ? position : GAME_START), rest = span_of(moves ? moves : "");
    int number = 1;
    for (Span words = rest, word; (word = span_word(&words)).len; number++)
        if (words_is_pass(word)) // a session takes it, but it is no move of the game
            return bad_move(engine, word, number);
    switch (session_set_position(&engine->session, text, rest, &why)) {
    case POSITION_REFUSED: return library_fail(engine, TWOFOLD_BAD_POSITION, "%s", why.text);
    case POSITION_BAD_MOVE: return library_fail(engine, TWOFOLD_BAD_MOVE, "%s", why.text);
    case POSITION_NO_MEMORY: return library_fail(engine, TWOFOLD_NO_MEMORY, "%s", why.text);
    case POSITION_SET:
    case POSITION_REPAIRED: break;
    }
    library_forget_sheet(engine);
    return TWOFOLD_OK;
}

int API(set_position)(HANDLE *engine, const char *position, const char *moves)
{
    int status = library_take(engine);
    return status == TWOFOLD_OK ? library_give(engine, set_position(engine, position, moves)) : status;
}

int API(play)(HANDLE *engine, const char *move)
{
    int status = library_take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!move)
        return library_give(engine, library_fail(engine, TWOFOLD_BAD_ARGUMENT, "there is no move to play"));
    return library_give(engine, play(engine, span_of(move)));
}

static int hand_out(HANDLE *engine, Span text, char *out, size_t size)
{
    if (!out || size <= text.len)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "the buffer is too small: %zu bytes are needed",
                            text.len + 1);
    span_copy(text, out, size);
    return TWOFOLD_OK;
}

int API(position)(HANDLE *engine, char *out, size_t size)
{
    char text[TEXT_MAX];
    int status = library_take(engine);
    if (status != TWOFOLD_OK)
        return status;
    pos_print(&engine->session.game.pos, text);
    return library_give(engine, hand_out(engine, span_of(text), out, size));
}

int API(legal_moves)(HANDLE *engine, char *out, size_t size)
{
    int status = library_take(engine);
    if (status != TWOFOLD_OK)
        return status;
    Text text = {0};
    Move list[MAX_MOVES];
    const Move *end = gen_all(&engine->session.game.pos, list);
    for (const Move *move = list; move < end; move++) {
        char word[MOVE_TEXT_MAX];
        move_print(&engine->session.game.pos, *move, word);
        text_add(&text, "%s%s", move == list ? "" : " ", word);
    }
    status = text.failed ? library_fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the moves")
                         : hand_out(engine, text_span(&text), out, size);
    text_free(&text);
    return library_give(engine, status);
}

int API(outcome)(HANDLE *engine, twofold_outcome *outcome)
{
    int status = library_take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!outcome)
        return library_give(
            engine, library_fail(engine, TWOFOLD_BAD_ARGUMENT, "there is nowhere to put the outcome"));
    switch (game_verdict(&engine->session.game).outcome) {
    case OUTCOME_DRAW: *outcome = TWOFOLD_DRAWN; break;
    case OUTCOME_WIN: *outcome = TWOFOLD_WON; break;
    case OUTCOME_LOSS: *outcome = TWOFOLD_LOST; break;
    default: *outcome = TWOFOLD_GOES_ON; break;
    }
    return library_give(engine, TWOFOLD_OK);
}

int API(evaluate)(HANDLE *engine, int *centipawns)
{
    int status = library_take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!centipawns)
        return library_give(
            engine, library_fail(engine, TWOFOLD_BAD_ARGUMENT, "there is nowhere to put the evaluation"));
    const Position *pos = &engine->session.game.pos;
    *centipawns = library_shown(engine, engine_evaluate(engine->session.engine, pos), pos);
    return library_give(engine, TWOFOLD_OK);
}
