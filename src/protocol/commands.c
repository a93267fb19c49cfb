// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands of the protocol do: each turns its words into a call of the session, and says what can't
// be done. What only shows things is in show.c, bench and perft are in bench.c.
#include "protocol/commands.h"

#include "protocol/bench.h"
#include "protocol/counters.h"
#include "session/options.h"

enum { WORD_SHOWN = 32, NAME_SHOWN = 64 };

static int shown_len(Span text, int max) { return text.len > (size_t)max ? max : (int)text.len; }

// ---- hello and options --------------------------------------------------------------------------
static void print_option(const OptionInfo *info, Text *out)
{
    text_add(out, "option name %s type ", info->name);
    switch (info->type) {
    case OPTION_CHECK: text_add(out, "check default %s", info->def ? "true" : "false"); break;
    case OPTION_SPIN:
        text_add(out, "spin default %lld min %lld max %lld", (long long)info->def, (long long)info->min,
                 (long long)info->max);
        break;
    case OPTION_COMBO:
        text_add(out, "combo default %s", info->choice[info->def]);
        for (int i = 0; info->choice[i]; i++)
            text_add(out, " var %s", info->choice[i]);
        break;
    case OPTION_BUTTON: text_add(out, "button"); break;
    case OPTION_STRING:
    case OPTION_FILE:
        text_add(out, "%s default %s", info->type == OPTION_FILE ? PROTOCOL_WORDS.file_type : "string",
                 info->text[0] ? info->text : "<empty>");
        break;
    }
    text_add(out, "\n");
}

void options_print(Text *out)
{
    OptionInfo info;
    for (int i = 0; option_at(i, &info); i++)
        if (info.is_listed)
            print_option(&info, out);
}

void command_hello(Protocol *protocol, Job *job, Span arguments)
{
    (void)job, (void)arguments;
    Text text = {0};
    text_add(&text, "id name Twofold " TWOFOLD_VERSION " " GAME_NAME "\nid author the Twofold developers\n");
    options_print(&text);
    text_add(&text, "%s\n", PROTOCOL_WORDS.hello_ok);
    say_text(&protocol->out, &text);
    text_free(&text);
}

// Words with single blanks between; the text of a name. False when it does not fit.
static bool join_words(Span text, char *out, size_t size)
{
    size_t len = 0;
    for (Span word; (word = span_word(&text)).len;) {
        if (len + word.len + 2 > size)
            return false;
        if (len)
            out[len++] = ' ';
        memcpy(out + len, word.ptr, word.len);
        len += word.len;
    }
    out[len] = '\0';
    return len > 0;
}

void command_setoption(Protocol *protocol, Job *job, Span arguments)
{
    (void)job;
    Span rest = arguments, word = span_word(&rest);
    if (!span_is(word, "name")) {
        refuse(&protocol->out, "setoption: expected name NAME [value VALUE]");
        return;
    }
    Span begin = rest, text = {"", 0};
    size_t name_len = begin.len;
    while ((word = span_word(&rest)).len) {
        if (span_is(word, "value")) {
            name_len = (size_t)(word.ptr - begin.ptr);
            text = span_trim(rest);
            break;
        }
    }
    char name[128];
    Message message = {0};
    Span raw = span_trim((Span){begin.ptr, name_len});
    if (!join_words(raw, name, sizeof name))
        refuse(&protocol->out, "setoption: '%.*s' is not the name of an option", shown_len(raw, NAME_SHOWN),
               raw.ptr);
    else if (option_set(&protocol->session, span_of(name), text, &message) != OPTION_DONE)
        refuse(&protocol->out, "setoption: %s: %s; nothing is changed", name, message.text);
}

// ---- the game -----------------------------------------------------------------------------------
void command_isready(Protocol *protocol, Job *job, Span arguments)
{
    (void)arguments;
    Message message;
    // In its turn it takes the memory that is still to be taken; asked during a search, that has long been
    // done.
    if (job && !session_prepare(&protocol->session, &message))
        say_info(&protocol->out, "%s", message.text);
    say(&protocol->out, "readyok");
}

void command_new_game(Protocol *protocol, Job *job, Span arguments)
{
    (void)job, (void)arguments;
    session_new_game(&protocol->session);
}

// Sets the position of the text and plays the moves, or says why not.
static void set_position(Protocol *protocol, Span text, Span moves)
{
    Message message = {0};
    switch (session_set_position(&protocol->session, text, moves, &message)) {
    case POSITION_SET: break;
    case POSITION_REPAIRED: say_info(&protocol->out, "position: %s", message.text); break;
    default: refuse(&protocol->out, "position: %s; the position is kept", message.text);
    }
}

void command_position(Protocol *protocol, Job *job, Span arguments)
{
    (void)job;
    Span rest = arguments, first = span_word(&rest);
    if (first.len == 0) {
        refuse(&protocol->out, "position: expected startpos or %s; the position is kept",
               PROTOCOL_WORDS.position);
        return;
    }
    bool is_start = span_is(first, "startpos");
    if (!is_start &&
        !span_is(first, PROTOCOL_WORDS.position)) // a text without the word before it is welcome too
        rest = arguments;
    // The text of the position runs to the word moves.
    Span begin = rest, word;
    bool has_moves = false;
    size_t text_len = 0;
    while ((word = span_word(&rest)).len && !(has_moves = span_is(word, "moves")))
        text_len = (size_t)(word.ptr + word.len - begin.ptr);
    Span text = span_trim((Span){begin.ptr, text_len});
    if (is_start && text_len)
        refuse(&protocol->out, "position: expected moves after startpos, not '%.*s'; the position is kept",
               shown_len(text, WORD_SHOWN), text.ptr);
    else
        set_position(protocol, is_start ? span_of(GAME_START) : text, has_moves ? rest : (Span){0});
}

void command_exclude(Protocol *protocol, Job *job, Span arguments)
{
    (void)job;
    Session *session = &protocol->session;
    Span rest = arguments, word = span_word(&rest);
    if (span_is(word, "clear")) {
        text_clear(&session->excluded);
        word = span_word(&rest);
        if (!word.len)
            return;
    }
    for (; word.len; word = span_word(&rest)) {
        if (move_parse(&session->game.pos, word) == MOVE_NONE)
            refuse(&protocol->out, "exclude: '%.*s' is not legal here", shown_len(word, WORD_SHOWN),
                   word.ptr);
        else
            text_add(&session->excluded, "%s%.*s", session->excluded.len ? " " : "", (int)word.len, word.ptr);
    }
    Span all = text_span(&session->excluded);
    say_info(&protocol->out, "excluded: %.*s", all.len ? (int)all.len : 7, all.len ? all.ptr : "nothing");
}

// ---- thinking -----------------------------------------------------------------------------------
// What is not understood is said; on a command line that is the end of it.
static bool is_refused(Protocol *protocol, const Message *complaint)
{
    if (complaint->text[0])
        refuse(&protocol->out, "%s", complaint->text);
    return complaint->text[0] && protocol->out.is_command_line;
}

void command_go(Protocol *protocol, Job *job, Span arguments)
{
    (void)arguments; // were read when they came
    const Position *pos = &protocol->session.game.pos;
    Message complaint;
    go_take_moves(&job->asked->request, pos, &job->asked->control.limits, &complaint);
    if (is_refused(protocol, &job->asked->complaint) || is_refused(protocol, &complaint))
        return;
    if (job->asked->request.is_perft)
        perft_print(protocol, job, pos, job->asked->request.perft_depth);
    else
        session_go(&protocol->session, &job->asked->request, &job->asked->control);
}

static void say_threat(Protocol *protocol, const Game *game, Move move, int score)
{
    Text text = {0};
    // A declaration ends the game now.
    write_threat(game, move, move == MOVE_WIN ? SCORE_MATE - 1 : score, &text);
    job_answers(protocol);
    say_text(&protocol->out, &text);
    text_free(&text);
}

// The side to move passes, and the opponent is searched for: at full strength, whatever level is played.
static void find_threat(Protocol *protocol, Job *job, const Game *game)
{
    enum { THREAT_MS = 1000 };
    Limits *limits = &job->asked->control.limits;
    Message complaint;
    SearchResult result = {0};
    go_take_moves(&job->asked->request, &game->pos, limits, &complaint);
    is_refused(protocol, &job->asked->complaint);
    is_refused(protocol, &complaint);
    if (!limits->depth && !limits->nodes && !limits->move_time_ms && !job->asked->request.has_clock)
        limits->move_time_ms = THREAT_MS; // a mate may not be there
    if (gen_count(&game->pos) == 0)
        say_threat(protocol, game, MOVE_NONE, 0);
    else if (session_search(&protocol->session, game, &job->asked->control, &result))
        say_threat(protocol, game, result.best, result.score);
}

void command_threat(Protocol *protocol, Job *job, Span arguments)
{
    (void)arguments;
    Game game = {0};
    if (pos_in_check(&protocol->session.game.pos))
        refuse(&protocol->out, "threat: the side to move is in check and can't pass");
    else if (!game_copy(&game, &protocol->session.game) || !game_play(&game, MOVE_NULL))
        refuse(&protocol->out, "threat: no memory");
    else
        find_threat(protocol, job, &game);
    game_free(&game);
}

void command_ponderhit(Protocol *protocol, Job *job, Span arguments)
{
    (void)job;
    protocol_ponder_hit(protocol, arguments);
}

// ---- the rest -----------------------------------------------------------------------------------
static bool parse_switch(Protocol *protocol, const char *name, Span arguments, bool *value)
{
    Span word = span_word(&arguments);
    if (span_is_nocase(word, "on") || span_is_nocase(word, "off")) {
        *value = span_is_nocase(word, "on");
        return true;
    }
    refuse(&protocol->out, "%s: expected on or off", name);
    return false;
}

void command_debug(Protocol *protocol, Job *job, Span arguments)
{
    (void)job;
    bool value;
    if (parse_switch(protocol, "debug", arguments, &value))
        atomic_store(&protocol->debug, value);
}

void command_json(Protocol *protocol, Job *job, Span arguments)
{
    (void)job;
    (void)arguments;
    say_info(&protocol->out,
             "json: programs that want JSON start twofold-" GAME_NAME
             " json (docs/json.md); this loop speaks %s alone",
             PROTOCOL_WORDS.protocol);
}

void command_hash(Protocol *protocol, Job *job, Span arguments)
{
    (void)job;
    Engine *engine = protocol->session.engine;
    Span what = span_word(&arguments), name = span_trim(arguments);
    char path[4096];
    bool save = span_is(what, "save");
    Message message = {0};
    if ((!save && !span_is(what, "load")) || name.len == 0 || memchr(name.ptr, '\0', name.len) ||
        !span_copy(name, path, sizeof path)) {
        refuse(&protocol->out, "hash: expected save FILE or load FILE");
        return;
    }
    bool ok = save ? engine_hash_save(engine, path, &message) : engine_hash_load(engine, path, &message);
    if (ok)
        say_info(&protocol->out, "hash: %s %s, %d MB", save ? "saved to" : "loaded from", path,
                 engine_hash_mb(engine));
    else
        refuse(&protocol->out, "hash: %s", message.text);
}

void command_qstats(Protocol *protocol, Job *job, Span arguments)
{
    (void)job, (void)arguments;
    Text text = {0};
    counters_print_quiescence(&protocol->session.counters, &text);
    say_text(&protocol->out, &text);
    text_free(&text);
}
