// SPDX-License-Identifier: GPL-3.0-or-later
// A game in the terminal: a person against the engine, two people at one board, or the engine with itself.
// Reads a line at a time and works the same over a pipe. A line is a command of the table below or a move in
// any notation of the game; what is neither is answered with what was expected.
// This is not the game loop of arena/, which asks two seats in turn until the game is over: a person takes
// moves back, loads another game, changes sides and strength, and goes on after the end, in anyone's turn.
// What the two have in common is the rules of a Game, its results, and the clocks of base/.
#include <stdlib.h>

#include "base/cli.h"
#include "base/suggest.h"
#include "console/console.h"
#include "console/play_file.h"
#include "console/play_game.h"
#include "console/play_input.h"
#include "console/play_keep.h"
#include "console/play_moments.h"
#include "console/play_undo.h"
#include "games/notation.h"
#include "session/levels.h"
#include "session/phrases.h"

enum { LINE_SHOWN = 8 };

// ---- turns --------------------------------------------------------------------------------------
static Limits limits_of(const Play *play)
{
    Limits limits = {.nodes = play->options->nodes};
    if (play->control.has_clock) {
        for (int side = 0; side < SIDE_NB; side++) {
            limits.clocks.has_clock[side] = true;
            limits.clocks.time_ms[side] = play->clock[side].left_us / 1000;
            limits.clocks.inc_ms[side] = play->control.inc_ms;
        }
        limits.clocks.byoyomi_ms = play->control.byoyomi_ms;
    } else if (!limits.nodes) {
        limits.move_time_ms = play->options->move_time_ms;
    }
    return limits;
}

static void on_answer(void *context, const Game *game, const Answer *answer)
{
    Play *play = context;
    (void)game;
    play->answer = *answer;
}

static void on_note(void *context, const char *text)
{
    Play *play = context;
    message_set(&play->note, "%s", text);
}

static void on_line(void *context, const Game *game, const SearchLine *line)
{
    Play *play = context;
    (void)game;
    if (line->bound == BOUND_EXACT && line->multi_pv <= 1)
        play_show_thinking(play, line);
}

typedef struct PlayWatch {
    Play *play;
    SearchControl *control;
} PlayWatch;

// While the engine thinks: its clock goes on, and an interrupt ends it.
static void on_poll(void *context)
{
    const PlayWatch *watch = context;
    play_show_thinking(watch->play, NULL);
    if (os_interrupted())
        control_stop(watch->control, STOP_COMMAND);
}

// Asks the session; false when it could not think, its note telling why.
static bool ask_engine(Play *play)
{
    GoRequest request = {.limits = limits_of(play), .has_limit = true};
    SearchControl control;
    PlayWatch watch = {play, &control};
    fflush(play->out);
    play->turn_start_us = os_now_us();
    text_clear(&play->thought);
    control_init(&control, &request.limits, play->turn_start_us);
    control_set_poll(&control, on_poll, &watch);
    bool ok = session_go(&play->session, &request, &control);
    control_free(&control);
    play_status_end(play);
    return ok;
}

static void resign(Play *play)
{
    int side = play_side(play);
    play_end(play, result_of_winner(!side), REASON_NONE);
    play_say(play, "%s resigns: %s wins.", side_words(&play->session.game.pos, side),
             side_words(&play->session.game.pos, !side));
}

static void engine_move(Play *play, const Answer *answer)
{
    const Position *pos = &play->session.game.pos;
    char number[24], human[64], protocol[MOVE_TEXT_MAX];
    move_number_words(pos, number, sizeof number);
    move_print_words(pos, play_last(play), answer->move, language(), human);
    move_print(pos, answer->move, protocol);
    if (play_make_move(play, answer->move))
        play_say(play, "Twofold plays %s%s (%s)%s", number, human, protocol,
                 answer->is_book ? said(", from its book") : "");
}

static void engine_turn(Play *play)
{
    const bool is_answered = ask_engine(play);
    if (os_interrupted()) {
        play_interrupted(play);
        return; // whoever stays lets it think again
    }
    if (!is_answered) {
        play_say(play, "The engine cannot think: %s.", play->note.text);
        play->human[play_side(play)] = true;
        return;
    }
    if (!play_charge_clock(play))
        return;
    switch (play->answer.kind) {
    case ANSWER_WIN: play_declare(play); break;
    case ANSWER_RESIGN: resign(play); break;
    default: engine_move(play, &play->answer);
    }
}

static void explain_mistake(Play *play, Span typed);

static void human_turn(Play *play, Span typed)
{
    const Game *game = &play->session.game;
    Span text = move_number_skip(typed);
    if (play->over) {
        play_say(
            play,
            "The game is over: type new for another one, undo to take back, save FILE to keep it, or quit.");
        return;
    }
    Move last = game->move_nb ? game->move[game->move_nb - 1] : MOVE_NONE;
    Move move = move_parse_reply(&game->pos, last, text);
    if (move == MOVE_NONE)
        explain_mistake(play, text);
    else if (play_charge_clock(play))
        play_make_move(play, move);
}

// ---- commands -----------------------------------------------------------------------------------
static bool advise(Play *play, SearchResult *result)
{
    Message message = {0};
    Limits limits = {.nodes = play->options->advice_nodes};
    fflush(play->out);
    if (!play_adviser(play))
        return false;
    engine_new_game(play->adviser);
    if (!search_to_limits(play->adviser, &play->session.game, &limits, NULL, result, &message)) {
        play_say(play, "There is no advice: %s.", message.text);
        return false;
    }
    return true;
}

static bool refuse_when_over(Play *play)
{
    if (play->over)
        play_say(play, "The game is over.");
    return play->over;
}

static void command_hint(Play *play, Span argument)
{
    (void)argument;
    SearchResult result;
    if (refuse_when_over(play) || !advise(play, &result))
        return;
    if (result.best == MOVE_WIN) {
        play_say(play, "Hint: declare. The game is won.");
        return;
    }
    char human[64], protocol[MOVE_TEXT_MAX];
    move_print_words(&play->session.game.pos, play_last(play), result.best, language(), human);
    move_print(&play->session.game.pos, result.best, protocol);
    play_say(play, "Hint: %s (%s)", human, protocol);
}

static void command_eval(Play *play, Span argument)
{
    (void)argument;
    SearchResult result;
    if (refuse_when_over(play) || !advise(play, &result))
        return;
    const Position *pos = &play->session.game.pos;
    int side = play_side(play);
    char score[PHRASE_MAX], chance[PHRASE_MAX];
    Wdl wdl = score_wdl(result.score, pos);
    phrase_score_words(result.score, pos, score);
    phrase_chance(pos, phrase_expectation(result.score, pos), chance);
    play_say(play, "%s: %s (depth %d).", chance, score, result.depth);
    play_say(play, "%s wins %d%%, draw %d%%, %s wins %d%% of such games.",
             side_words(&play->session.game.pos, side), (wdl.win + 5) / 10, (wdl.draw + 5) / 10,
             side_words(&play->session.game.pos, !side), (wdl.loss + 5) / 10);
    text_clear(&play->text);
    line_print(&play->session.game, result.pv, min_int(result.pv_nb, LINE_SHOWN),
               (LineStyle){.is_spoken = true, .is_numbered = true, .last = play_last(play)}, &play->text);
    if (play->text.len)
        play_say(play, "Best line: %s", play->text.ptr);
}

static void command_thinking(Play *play, Span argument)
{
    (void)argument;
    play->hides_thinking = !play->hides_thinking;
    play_say(play, play->hides_thinking ? "What the engine thinks is hidden."
                                        : "What the engine thinks is shown, on a terminal.");
}

static void command_level(Play *play, Span argument)
{
    char text[64];
    int elo;
    Message message = {0};
    if (argument.len == 0) {
        for (int i = 0; i < levels_count(); i++) {
            Level level = levels_at(i);
            text_clear(&play->text);
            text_add(&play->text, "  ");
            text_add_padded(&play->text, level_word(level), 11);
            if (level.elo == LEVEL_FULL)
                text_add(&play->text, "%s", said("full strength"));
            else
                text_add(&play->text, "%d", level.elo);
            play_say(play, "%s", play->text.ptr ? play->text.ptr : "");
        }
        levels_print(session_level(&play->session), text, sizeof text);
        play_say(play, "Now: %s. Type level and a name or an Elo number to change.", text);
    } else if (!levels_parse(argument, &elo, &message)) {
        play_say(play, "%s", message.text);
    } else {
        session_set_level(&play->session, elo);
        levels_print(elo, text, sizeof text);
        play_say(play, "Level: %s.", text);
    }
}

// Starts from a position as text; without one from where the options say: a position, a random one, or the
// usual one.
static bool set_start(Play *play, Span text)
{
    Message message = {0};
    Rules rules = play->session.rules;
    char drawn[TEXT_MAX] = GAME_START;
    const char *kind = play->options->start, *given = play->options->position;
    if (text.len == 0)
        text = span_of(play->options->start_name);
    if (kind && !start_random(kind, &play->rng, &rules, drawn)) {
        play_say(play, "There is no %s in " GAME_NAME ".", kind);
        return false;
    }
    Span chosen = text.len ? text : span_of(given ? given : drawn);
    SetResult set = game_set(&play->session.game, chosen, &rules, &message);
    if (set == SET_REJECTED) {
        play_say(play, "That is no position to play from: %s.", message.text);
        return false;
    }
    if (set == SET_REPAIRED)
        play_say(play, "Note: %s.", message.text);
    play_restart(play);
    return true;
}

static void command_new(Play *play, Span argument)
{
    if (!set_start(play, argument))
        return;
    play_say(play, "A new game.");
    play_show_board(play);
}

static void command_resign(Play *play, Span argument)
{
    (void)argument;
    if (refuse_when_over(play))
        return;
    resign(play);
}

static void command_declare(Play *play, Span argument)
{
    (void)argument;
    if (refuse_when_over(play))
        return;
    if (!pos_can_declare(&play->session.game.pos))
        play_say(play, "There is nothing to declare here.");
    else if (play_charge_clock(play))
        play_declare(play);
}

static void command_flip(Play *play, Span argument)
{
    (void)argument;
    play->style.flip = !play->style.flip;
    play_show_board(play);
}

static void command_board(Play *play, Span argument)
{
    (void)argument;
    play_show_board(play);
}

static void command_moves(Play *play, Span argument)
{
    (void)argument;
    const bool is_japanese = language() == LANGUAGE_JAPANESE;
    const int wide = is_japanese ? 5 : 8, cell = is_japanese ? 16 : 10; // columns of moves, and their width
    Move list[MAX_MOVES];
    int nb = (int)(gen_all(&play->session.game.pos, list) - list), column = 0;
    const int column_nb = play->options->on_screen ? clamp_int(os_terminal_width() / cell, 1, wide) : wide;
    if (nb == 0)
        play_say(play, "There is no legal move.");
    for (int i = 0; i < nb; i++) {
        char words[MOVE_WORDS_MAX];
        move_print_words(&play->session.game.pos, MOVE_NONE, list[i], language(), words);
        const bool ends_row = (column += 1) == column_nb || i == nb - 1;
        text_clear(&play->text);
        text_add_padded(&play->text, words, ends_row ? 0 : cell);
        fprintf(play->out, ends_row ? "%s\n" : "%s", play->text.ptr ? play->text.ptr : "");
        column %= column_nb;
    }
}

static void command_game(Play *play, Span argument)
{
    (void)argument;
    const Game *game = &play->session.game;
    char position[TEXT_MAX];
    pos_print(&game->pos, position);
    text_clear(&play->text);
    line_print_from(&game->start, game->move, game->move_nb, LINE_SPOKEN, &play->text);
    play_say(play, "%s", play->text.len ? play->text.ptr : said("No move has been played."));
    play_say(play, "Position: %s", position);
    Opening opening;
    if (opening_name(game, &opening)) {
        text_clear(&play->text);
        opening_print(&opening, &play->text);
        play_say(play, "Opening: %s", play->text.ptr);
    }
}

static void command_swap(Play *play, Span argument)
{
    (void)argument;
    bool first = play->human[0];
    play->human[0] = play->human[1];
    play->human[1] = first;
    play_say(play, "Sides changed.");
}

static void command_quit(Play *play, Span argument)
{
    (void)argument;
    play->quit = true;
}

static void command_help(Play *play, Span argument);

// Both names are understood in every language.
static const struct {
    const char *name, *japanese, *argument, *help;
    void (*run)(Play *play, Span argument);
} COMMANDS[] = {
    {"undo", "待った", "[N]", "take back your last move, a resignation, or N half-moves", play_undo},
    {"redo", "やり直し", "[N]", "make the moves again that were taken back, or N half-moves", play_redo},
    {"hint", "ヒント", "", "what a strong player would do", command_hint},
    {"eval", "形勢", "", "who stands better, and the best line", command_eval},
    {"level", "強さ", "[NAME]", "show the levels, or choose one by name or Elo", command_level},
    {"new", "新規", "[POSITION]", "start again", command_new},
    {"save", "保存", "FILE", "keep the game in a file", play_save},
    {"save!", "上書き", "FILE", "the same, replacing a file that is there", play_save_over},
    {"load", "読込", "FILE [N]", "go on with a game of a file: the first, or number N", play_load},
    {"resume", "再開", "", "go on with the last game that was not finished", play_resume},
    {"moments", "振り返り", "", "look back: where you gave away most, and what was better", play_moments},
    {"thinking", "読み表示", "", "hide what the engine thinks, or show it again", command_thinking},
    {"resign", "投了", "", "give up", command_resign},
    {"swap", "先後交代", "", "change sides with the engine", command_swap},
    {"flip", "反転", "", "turn the board round", command_flip},
    {"board", "盤", "", "draw the board again", command_board},
    {"moves", "合法手", "", "all legal moves", command_moves},
    {"game", "棋譜", "", "the moves so far, and the position as text", command_game},
    {"help", "説明", "", "this list", command_help},
    {"quit", "終了", "", "leave", command_quit},
    // Where the game has them:
    {"declare", "宣言", "", "claim a win by the rule of the entering king", command_declare},
    {"win", "入玉宣言", "", "the same, as the protocol says it", command_declare},
};
enum { COMMAND_NB = sizeof COMMANDS / sizeof COMMANDS[0] - (HAS_DECLARATION ? 0 : 2) };

static const char *command_at(int index) { return index < COMMAND_NB ? COMMANDS[index].name : NULL; }

static void command_help(Play *play, Span argument)
{
    (void)argument;
    text_clear(&play->text);
    move_print_examples(&play->session.game.pos, &play->text);
    play_say(play, "Type a move%s%s, or one of these:", play->text.len ? said(", ") : "",
             play->text.len ? play->text.ptr : "");
    for (int i = 0; i < COMMAND_NB; i++) {
        text_clear(&play->text);
        if (language() == LANGUAGE_JAPANESE)
            text_add_padded(&play->text, COMMANDS[i].japanese, 9);
        text_add(&play->text, "%-8s ", COMMANDS[i].name);
        text_add_padded(&play->text, said(COMMANDS[i].argument), language() == LANGUAGE_JAPANESE ? 20 : 12);
        play_say(play, "  %s%s", play->text.ptr ? play->text.ptr : "", said(COMMANDS[i].help));
    }
}

static void explain_mistake(Play *play, Span typed)
{
    const Position *pos = &play->session.game.pos;
    Suggestions near = {0};
    move_suggest(pos, typed, &near);
    for (int i = 0; i < COMMAND_NB; i++)
        suggest(&near, typed, span_of(COMMANDS[i].name));
    text_clear(&play->text);
    suggest_print(&near, &play->text);
    Text shown = {0};
    typed_print(typed, &shown);
    const char *in_check = pos_in_check(pos) ? said(" The king is in check.") : "";
    if (play->text.len) {
        play_say(play, "'%s' is no move here.%s Did you mean %s?", shown.len ? shown.ptr : "", in_check,
                 play->text.ptr);
    } else {
        move_print_examples(pos, &play->text);
        play_say(play,
                 "'%s' is no move here.%s Expected a move%s%s, or a command: moves lists the moves, help the "
                 "commands.",
                 shown.len ? shown.ptr : "", in_check, play->text.len ? said(", ") : "",
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
        if (span_is_nocase(word, COMMANDS[i].name) || span_is(word, COMMANDS[i].japanese)) {
            COMMANDS[i].run(play, span_trim(rest));
            return;
        }
    }
    human_turn(play, span_trim(line));
}

// Shows what there is to see before somebody types.
static void show_turn(Play *play)
{
    if (play->over || play->shown)
        return;
    play_show_board(play);
    if (pos_in_check(&play->session.game.pos))
        play_say(play, "%s is in check.", side_words(&play->session.game.pos, play_side(play)));
    if (pos_can_declare(&play->session.game.pos))
        play_say(play, "%s may declare a win: type declare.",
                 side_words(&play->session.game.pos, play_side(play)));
}

static void greet(Play *play)
{
    char level[64];
    levels_print(session_level(&play->session), level, sizeof level);
    if (play->human[0] && play->human[1])
        play_say(play, "Twofold " GAME_NAME ": two people at one board.");
    else if (!play->human[0] && !play->human[1])
        play_say(play, "Twofold " GAME_NAME ": the engine plays itself at %s.", level);
    else
        play_say(play, "Twofold " GAME_NAME ": you are %s, the engine plays at %s.",
                 side_words(&play->session.game.pos, play->human[0] ? 0 : 1), level);
    play_say(play, "Type a move, or help.");
}

// A line of a person, and what follows from it.
static void listen(Play *play, Text *line)
{
    show_turn(play);
    switch (play_read_line(play, line)) {
    case INPUT_LINE: obey(play, text_span(line)); break;
    case INPUT_SIGNAL: play_interrupted(play); break;
    case INPUT_TIME: play_charge_clock(play); break;
    case INPUT_END: play->quit = true; break;
    }
}

static void loop(Play *play)
{
    Text line = {0};
    while (!play->quit) {
        play_check_rules(play);
        const bool has_person = play->human[0] || play->human[1];
        if (has_person || play->over)
            play_keep(play);
        if (play->over && !play->is_looked_back) {
            play->is_looked_back = true;
            play_moments(play, (Span){0});
            if (os_interrupted())
                play_interrupted(play);
        } else if (!play->over && !play->human[play_side(play)]) {
            // There is no prompt, which would draw the board; and whoever waits for the first move sees it.
            if (!play->shown && (!has_person || play->session.game.move_nb == 0))
                play_show_board(play);
            engine_turn(play);
        } else {
            listen(play, &line);
        }
    }
    play_keep(play);
    if (!play->over && play->kept[0] && !play->cannot_keep && (play->options->prompt || play->exit_code))
        play_say(play, "The game is kept: play, then resume, goes on with it.");
    play_say(play, "Goodbye.");
    text_free(&line);
}

PlayOptions play_options_default(void)
{
    return (PlayOptions){
        .human = {true, false},
        .move_time_ms = 1000,
        .advice_nodes = 300000,
        .moment_nodes = 20000,
        .hash_mb = 64,
        .threads = 1,
    };
}

// What the options tell, as of the endgame tables they found.
static void tell_note(void *context, const char *text) { play_say(context, "Note: %s.", text); }

// The session with its options; EXIT_DONE, or what the program ends with when that can't be had.
static int open_session(Play *play)
{
    const PlayOptions *options = play->options;
    Session *session = &play->session;
    Message message = {0};
    message_set(&message, "not enough memory");
    bool ok = session_init(session);
    session->events =
        (SessionEvents){.context = play, .line = on_line, .answer = on_answer, .note = tell_note};
    ok = ok && option_set_number(session, "Hash", options->hash_mb, &message) &&
         option_set_number(session, "Threads", options->threads, &message);
    if (ok)
        session_set_level(session, options->elo);
    bool is_known = !ok || option_list_set(session, &options->engine, &message);
    if (!ok || !is_known)
        play_say(play, "The engine cannot start: %s.", message.text);
    session->events.note = on_note;
    return !ok ? EXIT_FAILED : is_known ? EXIT_DONE : EXIT_USAGE;
}

int play_run(FILE *in, FILE *out, const PlayOptions *options)
{
    Play play = {.options = options, .in = in, .out = out, .rng = {options->seed}};
    play.control = (TimeControl){.has_clock = options->clock_ms > 0 || options->byoyomi_ms > 0,
                                 .base_ms = options->clock_ms,
                                 .inc_ms = options->inc_ms,
                                 .byoyomi_ms = options->byoyomi_ms};
    play.human[0] = options->human[0];
    play.human[1] = options->human[1];
    play.style = (BoardStyle){.colour = options->colour,
                              .unicode = options->unicode,
                              .flip = !options->human[0] && options->human[1]};
    int code = open_session(&play);
    if (code == EXIT_DONE && !set_start(&play, (Span){0}))
        code = EXIT_FAILED;
    if (code == EXIT_DONE) {
        play.command_at = command_at;
        play_input_open(&play);
        greet(&play);
        play_keep_open(&play);
        loop(&play);
        play_input_close(&play);
    }
    bool told = fflush(out) == 0;
    if (play.adviser)
        engine_free(play.adviser);
    session_free(&play.session);
    record_free(&play.loaded);
    free(play.played);
    free(play.undone);
    text_free(&play.text);
    text_free(&play.thought);
    return code == EXIT_DONE && !told ? EXIT_FAILED : code == EXIT_DONE ? play.exit_code : code;
}
