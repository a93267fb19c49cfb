// SPDX-License-Identifier: GPL-3.0-or-later
// A game in the terminal: a person against the engine, two people at one board, or the engine with itself.
// Reads a line at a time and works the same over a pipe. A line is a command of the table below or a move in
// any notation of the game; what is neither is answered with what was expected. Invariant: `over` is set
// exactly when no more moves are taken.
#include <stdlib.h>
#include <time.h>

#include "base/suggest.h"
#include "console/console.h"
#include "games/notation.h"
#include "games/record.h"
#include "session/levels.h"
#include "session/phrases.h"

enum { ADVICE_HASH_MB = 16, LINE_SHOWN = 8, TYPED_SHOWN = 40, GAME_FILE_MAX = 16 << 20, PATH_SIZE = 1024 };
enum { FLAG_MERCY_MS = 10000 }; // what a fallen flag has at least when the game goes on

typedef struct Play {
    const PlayOptions *options;
    FILE *in, *out;
    Engine *engine;
    Engine
        *adviser; // for hint and eval: a table of its own, so that asking does not make a weak engine wiser
    Game game;
    Record loaded; // the game of a file that this one began with, when has_loaded: its tags and comments
    bool has_loaded;
    char saved[PATH_SIZE]; // where a game was saved last: that file may be replaced
    BoardStyle style;
    bool human[SIDE_NB];
    int elo;
    i64 clock_ms[SIDE_NB];
    i64 (*clock_after)[SIDE_NB]; // what the clocks showed after each move of the game
    int clock_capacity;
    i64 turn_start_us;
    Rng rng;           // draws start positions
    GameResult result; // when over, with its reason
    Reason reason;
    bool over, quit, shown; // shown: the board on the screen is the current one
    Text text;
} Play;

static void say(Play *play, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Play *play, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(play->out, format, args);
    va_end(args);
    fputc('\n', play->out);
}

static int to_move(const Play *play) { return pos_side(&play->game.pos); }

// ---- the board ----------------------------------------------------------------------------------
static void show_clocks(Play *play)
{
    if (!play->options->clock_ms)
        return;
    char time[SIDE_NB][WORDS_MAX];
    for (int side = 0; side < SIDE_NB; side++)
        words_clock(play->clock_ms[side], time[side]);
    say(play, "Clocks: %s %s, %s %s", words_side(0), time[0], words_side(1), time[1]);
}

static void show_board(Play *play)
{
    const Game *game = &play->game;
    play->style.last = game->move_nb ? game->move[game->move_nb - 1] : MOVE_NONE;
    play->style.columns = play->options->on_screen ? os_terminal_width() : 0; // it may have changed since
    text_clear(&play->text);
    board_draw(&game->pos, play->style, &play->text);
    fputc('\n', play->out);
    fwrite(play->text.ptr, 1, play->text.len, play->out);
    if (play->text.len && play->text.ptr[play->text.len - 1] != '\n')
        fputc('\n', play->out);
    show_clocks(play);
    play->shown = true;
}

// ---- endings ------------------------------------------------------------------------------------
// The last position is on the screen before the game ends in words.
static void end_game(Play *play, GameResult result, Reason reason)
{
    if (!play->shown)
        show_board(play);
    play->result = result;
    play->reason = reason;
    play->over = true;
}

// Asks the rules whether the game has ended, and says so.
static void check_rules(Play *play)
{
    Verdict verdict = game_verdict(&play->game);
    if (play->over || verdict.outcome == OUTCOME_NONE)
        return;
    if (verdict.outcome == OUTCOME_DRAW) {
        end_game(play, RESULT_DRAW, verdict.reason);
        say(play, "The game is drawn: %s.", words_reason(verdict));
    } else {
        int side = to_move(play), winner = verdict.outcome == OUTCOME_WIN ? side : !side;
        end_game(play, result_of_winner(winner), verdict.reason);
        say(play, "%s wins: %s.", words_side(winner), words_reason(verdict));
    }
}

static void declare_win(Play *play)
{
    int side = to_move(play);
    end_game(play, result_of_winner(side), REASON_DECLARATION);
    say(play, "%s declares and wins.", words_side(side));
}

static void lose_on_time(Play *play, int side)
{
    bool is_lost = pos_can_win(&play->game.pos, !side);
    end_game(play, is_lost ? result_of_winner(!side) : RESULT_DRAW, REASON_TIME);
    if (is_lost)
        say(play, "%s has run out of time: %s wins.", words_side(side), words_side(!side));
    else
        say(play, "%s has run out of time, but %s has nothing to win with: the game is drawn.",
            words_side(side), words_side(!side));
}

// Takes the time since the turn began off the mover's clock; false when it has run out, which ends the game.
static bool charge_clock(Play *play)
{
    if (!play->options->clock_ms)
        return true;
    int side = to_move(play);
    play->clock_ms[side] -= (os_now_us() - play->turn_start_us) / 1000;
    if (play->clock_ms[side] > 0) {
        play->clock_ms[side] += play->options->inc_ms;
        return true;
    }
    play->clock_ms[side] = 0;
    lose_on_time(play, side);
    return false;
}

// What the clocks show after the move that is about to be made: a move taken back gives its time back.
static bool keep_clocks(Play *play)
{
    int at = play->game.move_nb;
    if (at == play->clock_capacity) {
        int capacity = at ? 2 * at : 128;
        void *grown = realloc(play->clock_after, (size_t)capacity * sizeof *play->clock_after);
        if (!grown)
            return false;
        play->clock_after = grown;
        play->clock_capacity = capacity;
    }
    memcpy(play->clock_after[at], play->clock_ms, sizeof play->clock_ms);
    return true;
}

static void restore_clocks(Play *play)
{
    int nb = play->game.move_nb;
    for (int side = 0; side < SIDE_NB; side++)
        play->clock_ms[side] = nb ? play->clock_after[nb - 1][side] : play->options->clock_ms;
    play->turn_start_us = os_now_us();
}

// ---- moves --------------------------------------------------------------------------------------
static bool make_move(Play *play, Move move)
{
    if (!keep_clocks(play) || !game_play(&play->game, move)) {
        say(play, "There is not enough memory for another move.");
        return false;
    }
    play->turn_start_us = os_now_us();
    play->shown = false;
    return true;
}

static void engine_turn(Play *play)
{
    Limits limits = {.nodes = play->options->nodes};
    if (play->options->clock_ms) {
        for (int side = 0; side < SIDE_NB; side++) {
            limits.has_clock[side] = true;
            limits.time_ms[side] = play->clock_ms[side];
            limits.inc_ms[side] = play->options->inc_ms;
        }
    } else if (!limits.nodes) {
        limits.move_time_ms = play->options->move_time_ms;
    }
    Message message = {0};
    SearchResult result;
    fflush(play->out);
    play->turn_start_us = os_now_us();
    engine_options(play->engine)->elo = play->elo;
    if (!search_run(play->engine, &play->game.pos, &play->game.keys, &limits, NULL, &result, &message)) {
        say(play, "The engine cannot think: %s.", message.text);
        play->human[to_move(play)] = true;
        return;
    }
    if (!charge_clock(play))
        return;
    if (result.best == MOVE_WIN) {
        declare_win(play);
        return;
    }
    char number[24], human[64], protocol[MOVE_TEXT_MAX];
    move_number_print(&play->game.pos, number, sizeof number);
    move_print_human(&play->game.pos, result.best, human);
    move_print(&play->game.pos, result.best, protocol);
    if (make_move(play, result.best))
        say(play, "Twofold plays %s%s (%s)", number, human, protocol);
}

static void explain_mistake(Play *play, Span typed);

static void human_turn(Play *play, Span typed)
{
    const Position *pos = &play->game.pos;
    Span text = move_number_skip(typed);
    if (play->over) {
        say(play,
            "The game is over: type new for another one, undo to take back, save FILE to keep it, or quit.");
        return;
    }
    Move move = move_parse_human(pos, text);
    if (move == MOVE_NONE)
        explain_mistake(play, text);
    else if (charge_clock(play))
        make_move(play, move);
}

// ---- commands -----------------------------------------------------------------------------------
static bool advise(Play *play, SearchResult *result)
{
    Message message = {0};
    Limits limits = {.nodes = play->options->advice_nodes};
    fflush(play->out);
    if (!play->adviser)
        play->adviser = engine_new(ADVICE_HASH_MB);
    if (!play->adviser) {
        say(play, "There is not enough memory to think about it.");
        return false;
    }
    engine_new_game(play->adviser);
    if (!search_run(play->adviser, &play->game.pos, &play->game.keys, &limits, NULL, result, &message)) {
        say(play, "There is no advice: %s.", message.text);
        return false;
    }
    return true;
}

static bool refuse_when_over(Play *play)
{
    if (play->over)
        say(play, "The game is over.");
    return play->over;
}

static void command_hint(Play *play, Span argument)
{
    (void)argument;
    SearchResult result;
    if (refuse_when_over(play) || !advise(play, &result))
        return;
    if (result.best == MOVE_WIN) {
        say(play, "Hint: declare. The game is won.");
        return;
    }
    char human[64], protocol[MOVE_TEXT_MAX];
    move_print_human(&play->game.pos, result.best, human);
    move_print(&play->game.pos, result.best, protocol);
    say(play, "Hint: %s (%s)", human, protocol);
}

static void command_eval(Play *play, Span argument)
{
    (void)argument;
    SearchResult result;
    if (refuse_when_over(play) || !advise(play, &result))
        return;
    const Position *pos = &play->game.pos;
    int side = to_move(play);
    char score[WORDS_MAX], chance[WORDS_MAX];
    Wdl wdl = score_wdl(result.score, pos);
    words_score(result.score, pos, score);
    words_chance(words_expectation(result.score, pos), chance);
    say(play, "%s: %s (depth %d).", chance, score, result.depth);
    say(play, "%s wins %d%%, draw %d%%, %s wins %d%% of such games.", words_side(side), (wdl.win + 5) / 10,
        (wdl.draw + 5) / 10, words_side(!side), (wdl.loss + 5) / 10);
    text_clear(&play->text);
    line_print(&play->game, result.pv, min_int(result.pv_nb, LINE_SHOWN), LINE_NUMBERED, &play->text);
    if (play->text.len)
        say(play, "Best line: %s", play->text.ptr);
}

// The game ended by a word or by the clock while there were moves to make: that end can be taken back by
// itself. Not a declaration of the engine, which would only declare again.
static bool can_resume(const Play *play)
{
    bool declared_by_engine = play->reason == REASON_DECLARATION && !play->human[to_move(play)];
    return play->over && !declared_by_engine && game_verdict(&play->game).outcome == OUTCOME_NONE;
}

static void resume(Play *play)
{
    int side = to_move(play);
    restore_clocks(play);
    play->over = false;
    if (play->options->clock_ms && play->reason == REASON_TIME) {
        char time[WORDS_MAX];
        play->clock_ms[side] = max_i64(play->clock_ms[side], min_i64(FLAG_MERCY_MS, play->options->clock_ms));
        words_clock(play->clock_ms[side], time);
        say(play, "Taken back: the game goes on, with %s on %s's clock.", time, words_side(side));
    } else {
        say(play, "Taken back: the game goes on.");
    }
    show_board(play);
}

static void command_undo(Play *play, Span argument)
{
    Game *game = &play->game;
    i64 plies = 0;
    if (argument.len && !span_int(argument, 1, 10000, &plies)) {
        say(play, "undo takes a number of half-moves, or nothing to go back to your own last move.");
        return;
    }
    if (!plies && can_resume(play)) {
        resume(play);
        return;
    }
    if (game->move_nb == 0) {
        say(play, "There is nothing to take back.");
        return;
    }
    if (!plies) {
        int side = to_move(play);
        // Back to the last turn of a person; an engine playing both sides takes back one.
        bool against_engine = play->human[0] != play->human[1];
        plies = against_engine && play->human[side] ? 2 : 1;
        if (plies > game->move_nb) {
            say(play, "You have not moved yet.");
            return;
        }
    }
    game_undo(game, (int)plies);
    restore_clocks(play);
    play->over = false;
    say(play, "Taken back.");
    show_board(play);
}

static void command_level(Play *play, Span argument)
{
    char text[64];
    Message message = {0};
    if (argument.len == 0) {
        for (int i = 0; i < levels_count(); i++) {
            Level level = levels_at(i);
            if (level.elo == LEVEL_FULL)
                say(play, "  %-10s full strength", level.name);
            else
                say(play, "  %-10s %d", level.name, level.elo);
        }
        levels_print(play->elo, text, sizeof text);
        say(play, "Now: %s. Type level and a name or an Elo number to change.", text);
    } else if (!levels_parse(argument, &play->elo, &message)) {
        say(play, "%s", message.text);
    } else {
        levels_print(play->elo, text, sizeof text);
        say(play, "Level: %s.", text);
    }
}

// The game on the board is a new one.
static void restart(Play *play)
{
    record_free(&play->loaded);
    engine_new_game(play->engine);
    play->has_loaded = play->over = play->shown = false;
    restore_clocks(play);
}

// Without a text, from where the options say: a position, one drawn by lot, or the usual one.
static bool set_start(Play *play, Span text)
{
    Message message = {0};
    Rules rules = rules_default();
    char drawn[TEXT_MAX] = GAME_START;
    const char *kind = play->options->start, *given = play->options->position;
    if (kind && !start_random(kind, &play->rng, &rules, drawn)) {
        say(play, "There is no %s in " GAME_NAME ".", kind);
        return false;
    }
    Span chosen = text.len ? text : span_of(given ? given : drawn);
    SetResult set = game_set(&play->game, chosen, &rules, &message);
    if (set == SET_REJECTED) {
        say(play, "That is no position to play from: %s.", message.text);
        return false;
    }
    if (set == SET_REPAIRED)
        say(play, "Note: %s.", message.text);
    restart(play);
    return true;
}

static void command_new(Play *play, Span argument)
{
    if (!set_start(play, argument))
        return;
    say(play, "A new game.");
    show_board(play);
}

// How many moves the game has in common with the loaded one.
static int loaded_moves(const Play *play)
{
    int nb = 0, limit = play->has_loaded ? min_int(play->loaded.move_nb, play->game.move_nb) : 0;
    while (nb < limit && play->loaded.move[nb].move == play->game.move[nb])
        nb++;
    return nb;
}

// The game on the board is the loaded one, with nothing added, taken back or decided since.
static bool is_as_loaded(const Play *play)
{
    int nb = loaded_moves(play);
    GameResult result = play->over ? play->result : RESULT_NONE;
    return play->has_loaded && nb == play->loaded.move_nb && nb == play->game.move_nb &&
           result == play->loaded.result;
}

// What a file says of the end of its game, which is not true of a game that went on from it.
static bool is_about_end(const char *tag)
{
    static const char *const NAMES[] = {"Result", "Termination", "EndReason", "EndDate", "PlyCount"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(tag, NAMES[i]) == 0)
            return true;
    return false;
}

static bool copy_loaded(const Play *play, Record *record)
{
    const Record *loaded = &play->loaded;
    record->comment = loaded->comment ? strdup(loaded->comment) : NULL;
    bool ok = record->comment || !loaded->comment;
    for (int i = 0; i < loaded->tag_nb; i++)
        if (!is_about_end(loaded->tag[i].name))
            ok = ok && record_add_tag(record, loaded->tag[i].name, loaded->tag[i].value);
    for (int i = 0; i < loaded_moves(play); i++) {
        const RecordMove *move = &loaded->move[i];
        ok = ok && record_add_move(record, move->move, move->comment);
        if (ok) {
            record->move[i].mark = move->mark;
            record->move[i].time_ms = move->time_ms;
        }
    }
    return ok;
}

static bool add_missing_tag(Record *record, const char *name, const char *value)
{
    return record_tag(record, name) || record_add_tag(record, name, value);
}

// The game as a record, for saving. The names of the tags are those of the sides; a loaded game keeps its
// own.
static bool make_record(const Play *play, Record *record)
{
    char level[64], name[96], date[16] = "????.??.??";
    time_t now = time(NULL);
    struct tm parts;
    if (localtime_r(&now, &parts))
        strftime(date, sizeof date, "%Y.%m.%d", &parts);
    levels_print(play->elo, level, sizeof level);
    snprintf(name, sizeof name, "Twofold, %s", level);
    record->start = play->game.start;
    bool ok = copy_loaded(play, record);
    ok = ok && add_missing_tag(record, "Event", "A game in the terminal") &&
         add_missing_tag(record, "Date", date);
    for (int side = 0; side < SIDE_NB; side++)
        ok = ok && add_missing_tag(record, words_side(side), play->human[side] ? "Player" : name);
    for (int i = record->move_nb; i < play->game.move_nb; i++)
        ok = ok && record_add_move(record, play->game.move[i], NULL);
    if (play->over) {
        record->result = play->result;
        record->reason = play->reason;
    }
    return ok;
}

static const char *extension_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

static void save(Play *play, const char *path)
{
    Message message = {0};
    Record made = {0};
    const Record *record = is_as_loaded(play) ? &play->loaded : &made;
    Text text = {0};
    bool ready = record == &play->loaded || make_record(play, &made);
    bool is_named = ready && record_write(record, extension_of(path), &text);
    bool written = is_named || (ready && (text_clear(&text), record_write(record, NULL, &text)));
    if (!written || text.failed)
        say(play, "There is not enough memory to write the game.");
    else if (!os_write_file(path, text.ptr, text.len, &message))
        say(play, "Not saved: %s.", message.text);
    else if (span_copy(span_of(path), play->saved, sizeof play->saved))
        say(play, "Saved in %s%s.", path,
            is_named || !*extension_of(path) ? "" : ", in this game's usual format");
    text_free(&text);
    record_free(&made);
}

static void command_save_over(Play *play, Span argument)
{
    char path[PATH_SIZE];
    if (argument.len && span_copy(argument, path, sizeof path))
        save(play, path);
    else
        say(play, "save needs the name of a file.");
}

static void command_save(Play *play, Span argument)
{
    char path[PATH_SIZE];
    bool is_other = span_copy(argument, path, sizeof path) && strcmp(path, play->saved) != 0;
    if (is_other && os_has_file(path))
        say(play, "Not saved: %s is there already. Type save! %s to replace it.", path, path);
    else
        command_save_over(play, argument);
}

// Goes to the end of the loaded game and keeps the record, of which nothing is left to the caller.
static void take_loaded(Play *play, Record *record)
{
    game_start(&play->game, &record->start);
    restart(play);
    for (int i = 0; i < record->move_nb && make_move(play, record->move[i].move); i++)
        ;
    play->loaded = *record;
    play->has_loaded = true;
    *record = (Record){0};
}

// A game that the file calls finished is not played on unasked.
static void end_loaded(Play *play)
{
    GameResult result = play->loaded.result;
    bool ends_by_rules = game_verdict(&play->game).outcome != OUTCOME_NONE;
    if (result == RESULT_NONE || ends_by_rules)
        return;
    end_game(play, result, play->loaded.reason);
    if (result == RESULT_DRAW)
        say(play, "This game is over: it was drawn. Type undo to play on from here.");
    else
        say(play, "This game is over: %s won. Type undo to play on from here.",
            words_side(result_winner(result)));
}

static void command_load(Play *play, Span argument)
{
    char path[PATH_SIZE];
    Message message = {0};
    Record record = {0};
    Text text = {0};
    Rules rules = rules_default();
    if (argument.len == 0 || !span_copy(argument, path, sizeof path)) {
        say(play, "load needs the name of a file.");
        return;
    }
    if (!text_read_file(&text, path, GAME_FILE_MAX, &message)) {
        say(play, "Not loaded: %s.", message.text);
    } else {
        Span rest = text_span(&text);
        bool is_game = record_read(&rest, &rules, &record);
        words_disarm(record.error.text, strlen(record.error.text));
        if (!is_game) {
            say(play, "Not loaded: there is no game in %s.", path);
        } else if (record.move_nb == 0 && record.error.text[0]) {
            say(play, "Not loaded: %s.", record.error.text);
        } else {
            say(play, "Loaded %d move%s from %s.", record.move_nb, record.move_nb == 1 ? "" : "s", path);
            if (record.error.text[0]) { // the moves that decided the game are missing
                say(play, "Note: %s.", record.error.text);
                record.result = RESULT_NONE;
                record.reason = REASON_NONE;
                record.result_word[0] = '\0';
            }
            take_loaded(play, &record);
            show_board(play);
            end_loaded(play);
        }
    }
    record_free(&record);
    text_free(&text);
}

static void command_resign(Play *play, Span argument)
{
    (void)argument;
    if (refuse_when_over(play))
        return;
    int side = to_move(play);
    end_game(play, result_of_winner(!side), REASON_NONE);
    say(play, "%s resigns: %s wins.", words_side(side), words_side(!side));
}

static void command_declare(Play *play, Span argument)
{
    (void)argument;
    if (refuse_when_over(play))
        return;
    if (!pos_can_declare(&play->game.pos))
        say(play, "There is nothing to declare here.");
    else if (charge_clock(play))
        declare_win(play);
}

static void command_flip(Play *play, Span argument)
{
    (void)argument;
    play->style.flip = !play->style.flip;
    show_board(play);
}

static void command_board(Play *play, Span argument)
{
    (void)argument;
    show_board(play);
}

static void command_moves(Play *play, Span argument)
{
    (void)argument;
    enum { WIDE = 8, CELL = 10 }; // columns of moves, and their width
    Move list[MAX_MOVES];
    int nb = (int)(gen_all(&play->game.pos, list) - list), column = 0;
    const int column_nb = play->options->on_screen ? clamp_int(os_terminal_width() / CELL, 1, WIDE) : WIDE;
    if (nb == 0)
        say(play, "There is no legal move.");
    for (int i = 0; i < nb; i++) {
        char human[64];
        move_print_human(&play->game.pos, list[i], human);
        bool ends_row = (column += 1) == column_nb || i == nb - 1;
        fprintf(play->out, ends_row ? "%s\n" : "%-9s ", human);
        column %= column_nb;
    }
}

static void command_game(Play *play, Span argument)
{
    (void)argument;
    const Game *game = &play->game;
    char position[TEXT_MAX];
    pos_print(&game->pos, position);
    text_clear(&play->text);
    line_print_from(&game->start, game->move, game->move_nb, LINE_NUMBERED, &play->text);
    say(play, "%s", play->text.len ? play->text.ptr : "No move has been played.");
    say(play, "Position: %s", position);
}

static void command_swap(Play *play, Span argument)
{
    (void)argument;
    bool first = play->human[0];
    play->human[0] = play->human[1];
    play->human[1] = first;
    say(play, "Sides changed.");
}

static void command_quit(Play *play, Span argument)
{
    (void)argument;
    play->quit = true;
}

static void command_help(Play *play, Span argument);

static const struct {
    const char *name, *argument, *help;
    void (*run)(Play *play, Span argument);
} COMMANDS[] = {
    {"undo", "[N]", "take back your last move, a resignation, or N half-moves", command_undo},
    {"hint", "", "what a strong player would do", command_hint},
    {"eval", "", "who stands better, and the best line", command_eval},
    {"level", "[NAME]", "show the levels, or choose one by name or Elo", command_level},
    {"new", "[POSITION]", "start again", command_new},
    {"save", "FILE", "keep the game in a file", command_save},
    {"save!", "FILE", "the same, replacing a file that is there", command_save_over},
    {"load", "FILE", "go on with a kept game", command_load},
    {"resign", "", "give up", command_resign},
    {"swap", "", "change sides with the engine", command_swap},
    {"flip", "", "turn the board round", command_flip},
    {"board", "", "draw the board again", command_board},
    {"moves", "", "all legal moves", command_moves},
    {"game", "", "the moves so far, and the position as text", command_game},
    {"help", "", "this list", command_help},
    {"quit", "", "leave", command_quit},
    // Where the game has them:
    {"declare", "", "claim a win by the rule of the entering king", command_declare},
    {"win", "", "the same, as the protocol says it", command_declare},
};
enum { COMMAND_NB = sizeof COMMANDS / sizeof COMMANDS[0] - (HAS_DECLARATION ? 0 : 2) };

// Two legal moves in both spellings, as examples of what could be typed.
static void print_examples(const Position *pos, Text *out)
{
    Move list[MAX_MOVES];
    int nb = (int)(gen_all(pos, list) - list);
    if (nb == 0)
        return;
    char human[64], protocol[MOVE_TEXT_MAX];
    move_print_human(pos, list[nb / 2], human);
    move_print(pos, list[nb / 2], protocol);
    text_add(out, strcmp(human, protocol) ? "such as %s or %s" : "such as %s", human, protocol);
}

static void command_help(Play *play, Span argument)
{
    (void)argument;
    text_clear(&play->text);
    print_examples(&play->game.pos, &play->text);
    say(play, "Type a move%s%s, or one of these:", play->text.len ? ", " : "",
        play->text.len ? play->text.ptr : "");
    for (int i = 0; i < COMMAND_NB; i++)
        say(play, "  %-7s %-11s %s", COMMANDS[i].name, COMMANDS[i].argument, COMMANDS[i].help);
}

static void explain_mistake(Play *play, Span typed)
{
    const Position *pos = &play->game.pos;
    Suggestions near = {0};
    Move list[MAX_MOVES];
    Move *end = gen_all(pos, list);
    for (const Move *move = list; move < end; move++) {
        char human[64], protocol[MOVE_TEXT_MAX];
        move_print_human(pos, *move, human);
        move_print(pos, *move, protocol);
        suggest(&near, typed, span_of(human));
        if (strcmp(human, protocol) != 0)
            suggest(&near, typed, span_of(protocol));
    }
    for (int i = 0; i < COMMAND_NB; i++)
        suggest(&near, typed, span_of(COMMANDS[i].name));
    text_clear(&play->text);
    suggest_print(&near, &play->text);
    Text shown = {0};
    size_t shown_len = typed.len < TYPED_SHOWN ? typed.len : TYPED_SHOWN;
    while (shown_len < typed.len && shown_len && ((unsigned char)typed.ptr[shown_len] & 0xC0) == 0x80)
        shown_len--;                       // no character is cut in two
    for (size_t i = 0; i < shown_len; i++) // what was typed, made safe for a terminal
        text_add(&shown, "%c", (unsigned char)typed.ptr[i] < ' ' || typed.ptr[i] == 127 ? '?' : typed.ptr[i]);
    const char *in_check = pos_in_check(pos) ? " The king is in check." : "";
    if (play->text.len) {
        say(play, "'%s' is no move here.%s Did you mean %s?", shown.len ? shown.ptr : "", in_check,
            play->text.ptr);
    } else {
        print_examples(pos, &play->text);
        say(play,
            "'%s' is no move here.%s Expected a move%s%s, or a command: moves lists the moves, help the "
            "commands.",
            shown.len ? shown.ptr : "", in_check, play->text.len ? ", " : "",
            play->text.len ? play->text.ptr : "");
    }
    text_free(&shown);
}

// ---- the loop -----------------------------------------------------------------------------------
static void obey(Play *play, Span line)
{
    Span rest = line, word = span_word(&rest);
    if (word.len == 0)
        return;
    for (int i = 0; i < COMMAND_NB; i++) {
        if (span_is_nocase(word, COMMANDS[i].name)) {
            COMMANDS[i].run(play, span_trim(rest));
            return;
        }
    }
    human_turn(play, span_trim(line));
}

static void prompt(Play *play)
{
    if (!play->over && !play->shown) {
        show_board(play);
        if (pos_in_check(&play->game.pos))
            say(play, "%s is in check.", words_side(to_move(play)));
        if (pos_can_declare(&play->game.pos))
            say(play, "%s may declare a win: type declare.", words_side(to_move(play)));
    }
    if (play->options->prompt) {
        char number[24];
        move_number_print(&play->game.pos, number, sizeof number);
        fprintf(play->out, play->over ? "> " : "%s, your move %s> ", words_side(to_move(play)), number);
    }
    fflush(play->out);
}

static void greet(Play *play)
{
    char level[64];
    levels_print(play->elo, level, sizeof level);
    if (play->human[0] && play->human[1])
        say(play, "Twofold " GAME_NAME ": two people at one board.");
    else if (!play->human[0] && !play->human[1])
        say(play, "Twofold " GAME_NAME ": the engine plays itself at %s.", level);
    else
        say(play, "Twofold " GAME_NAME ": you are %s, the engine plays at %s.",
            words_side(play->human[0] ? 0 : 1), level);
    say(play, "Type a move, or help.");
}

static void loop(Play *play)
{
    Text line = {0};
    while (!play->quit) {
        check_rules(play);
        if (!play->over && !play->human[to_move(play)]) {
            bool watched = !play->human[0] && !play->human[1]; // no prompt comes that would draw the board
            if (watched && !play->shown)
                show_board(play);
            engine_turn(play);
            continue;
        }
        prompt(play);
        if (!text_read_line(&line, play->in)) {
            if (play->options->prompt)
                fputc('\n', play->out);
            break;
        }
        obey(play, text_span(&line));
    }
    say(play, "Goodbye.");
    text_free(&line);
}

PlayOptions play_options_default(void)
{
    return (PlayOptions){
        .human = {true, false},
        .move_time_ms = 1000,
        .advice_nodes = 300000,
        .hash_mb = 64,
        .threads = 1,
    };
}

int play_run(FILE *in, FILE *out, const PlayOptions *options)
{
    Play play = {.options = options, .in = in, .out = out, .elo = options->elo, .rng = {options->seed}};
    Message message = {0};
    play.human[0] = options->human[0];
    play.human[1] = options->human[1];
    play.style = (BoardStyle){.colour = options->colour,
                              .unicode = options->unicode,
                              .flip = !options->human[0] && options->human[1]};
    play.engine = engine_new(options->hash_mb);
    bool ready = play.engine != NULL && engine_set_threads(play.engine, options->threads, &message);
    if (!ready)
        say(&play, "The engine cannot start: %s.", message.text[0] ? message.text : "not enough memory");
    ready = ready && set_start(&play, (Span){0});
    if (ready) {
        greet(&play);
        loop(&play);
    }
    bool told = fflush(out) == 0;
    if (play.engine)
        engine_free(play.engine);
    if (play.adviser)
        engine_free(play.adviser);
    game_free(&play.game);
    record_free(&play.loaded);
    free(play.clock_after);
    text_free(&play.text);
    return ready && told ? 0 : 1;
}
