// SPDX-License-Identifier: GPL-3.0-or-later
// See play_input.h.
#include "console/play_input.h"

#include <signal.h>
#include <stdlib.h>

#include "session/levels.h"
#include "session/phrases.h"

enum { TICK_MS = 1000, FAST_TICK_MS = 100, FAST_MS = 10000, THINKING_EVERY_MS = 100, THINKING_LATE_MS = 300 };

void play_input_open(Play *play)
{
    if (!play->options->edits || !(play->editor = calloc(1, sizeof *play->editor)))
        return;
    if (os_keys_begin())
        return;
    free(play->editor);
    play->editor = NULL;
}

void play_input_close(Play *play)
{
    if (!play->editor)
        return;
    os_keys_end();
    edit_free(play->editor);
    free(play->editor);
    play->editor = NULL;
}

// ---- lines that are drawn over ------------------------------------------------------------------
void play_status(Play *play, Span text)
{
    if (!play->editor)
        return;
    const Span front = span_fit(text, max_int(os_terminal_width() - 1, 1));
    fprintf(play->out, "\r%.*s\x1b[K", (int)front.len, front.ptr);
    fflush(play->out);
    play->status_us = os_now_us();
}

void play_status_end(Play *play)
{
    if (play->status_us) {
        fputs("\r\x1b[K", play->out);
        fflush(play->out);
    }
    play->status_us = 0;
}

// "4:59", or nothing without clocks.
static void print_clock(const Play *play, char out[PHRASE_MAX])
{
    out[0] = '\0';
    if (play->control.has_clock)
        phrase_clock(max_i64(play_left_ms(play), 0), out);
}

// What is told of a line on the status line, until the next one comes.
static void keep_thought(Play *play, const SearchLine *line)
{
    const Game *game = &play->session.game;
    char score[PHRASE_MAX];
    phrase_score_words(line->score, &game->pos, score);
    text_clear(&play->thought);
    text_add(&play->thought, said(", depth %d, %s: "), line->depth, score);
    line_print(game, line->pv, line->pv_nb,
               (LineStyle){.is_spoken = true, .is_numbered = true, .last = play_last(play)}, &play->thought);
}

void play_show_thinking(Play *play, const SearchLine *line)
{
    if (play->editor && line)
        keep_thought(play, line);
    const i64 now_us = os_now_us(), taken_ms = (now_us - play->turn_start_us) / 1000;
    if (!play->editor || taken_ms < THINKING_LATE_MS ||
        now_us - play->status_us < (line ? THINKING_EVERY_MS : TICK_MS) * 1000LL)
        return;
    char clock[PHRASE_MAX];
    Text text = {0};
    print_clock(play, clock);
    text_add(&text, said("Twofold thinks: %s"), clock);
    if (!clock[0])
        text_add(&text, said("%.1f s"), (double)taken_ms / 1000);
    if (!play->hides_thinking)
        text_add_bytes(&text, play->thought.ptr, play->thought.len);
    play_status(play, text_span(&text));
    text_free(&text);
}

// ---- completion ---------------------------------------------------------------------------------
static void offer_moves(const Play *play, Completion *completion)
{
    const Position *pos = &play->session.game.pos;
    Move list[MAX_MOVES];
    const int nb = play->over ? 0 : (int)(gen_all(pos, list) - list);
    for (int i = 0; i < nb; i++) {
        char human[64], protocol[MOVE_TEXT_MAX], spoken[MOVE_WORDS_MAX];
        move_print_human(pos, list[i], human);
        move_print(pos, list[i], protocol);
        move_print_words(pos, play_last(play), list[i], language(), spoken);
        // Nothing was typed: every move once.
        complete_offer(completion, completion->typed.len ? human : spoken);
        if (completion->typed.len && strcmp(protocol, human) != 0)
            complete_offer(completion, protocol);
        if (completion->typed.len && strcmp(spoken, human) != 0)
            complete_offer(completion, spoken);
    }
}

// What may stand in the place of the word before the cursor: a command or a move; behind level one of them.
static void offer_words(const Play *play, Completion *completion)
{
    const Editor *editor = play->editor;
    Span rest = {editor->line, editor->cursor}, first = span_word(&rest);
    size_t from = editor->cursor;
    while (from > 0 && editor->line[from - 1] != ' ')
        from--;
    completion->typed = (Span){editor->line + from, editor->cursor - from};
    const bool is_first = completion->typed.len == editor->cursor;
    if (is_first) {
        offer_moves(play, completion);
        for (int i = 0; completion->typed.len && play->command_at(i); i++)
            complete_offer(completion, play->command_at(i));
    } else if (span_is_nocase(first, "level")) {
        for (int i = 0; i < levels_count(); i++)
            complete_offer(completion, levels_at(i).name);
    }
}

// The words in columns, below the prompt.
static void list_words(Play *play, Span list)
{
    const char *end = list.ptr + list.len;
    int widest = 0, column = 0;
    for (const char *word = list.ptr; word < end; word += strlen(word) + 1)
        widest = max_int(widest, span_width(span_of(word)));
    const int column_nb = max_int((os_terminal_width() - 1) / (widest + 2), 1);
    fputc('\n', play->out);
    for (const char *word = list.ptr; word < end; word += strlen(word) + 1) {
        column++;
        const bool ends_row = column % column_nb == 0 || word + strlen(word) + 1 >= end;
        fprintf(play->out, "%s%*s", word, ends_row ? 0 : widest + 2 - span_width(span_of(word)), "");
        if (ends_row)
            fputc('\n', play->out);
    }
}

static void complete(Play *play)
{
    Completion completion = {0};
    Span list = {0};
    offer_words(play, &completion);
    if (complete_apply(&completion, play->editor, &list))
        list_words(play, list);
    complete_free(&completion);
}

// ---- reading ------------------------------------------------------------------------------------
static void print_prompt(Play *play, Text *out)
{
    char number[24], clock[PHRASE_MAX];
    const char *side = side_words(&play->session.game.pos, play_side(play));
    move_number_words(&play->session.game.pos, number, sizeof number);
    print_clock(play, clock);
    if (play->over)
        text_add(out, "> ");
    else if (clock[0])
        text_add(out, said("%s %s, your move %s> "), side, clock, number);
    else
        text_add(out, said("%s, your move %s> "), side, number);
}

static void draw_prompt(Play *play)
{
    Text prompt = {0}, drawn = {0};
    print_prompt(play, &prompt);
    edit_draw(play->editor, text_span(&prompt), os_terminal_width(), &drawn);
    fwrite(drawn.ptr, 1, drawn.len, play->out);
    fflush(play->out);
    text_free(&prompt);
    text_free(&drawn);
}

// How long the prompt is true as it stands: until the clock shows another second.
static int until_tick_ms(const Play *play)
{
    if (!play->control.has_clock || play->over)
        return TICK_MS;
    const i64 left_ms = play_left_ms(play);
    return left_ms < FAST_MS ? FAST_TICK_MS : (int)(left_ms % TICK_MS) + 1;
}

static PlayInput read_keys(Play *play, Text *line)
{
    Editor *editor = play->editor;
    EditEvent event = EDIT_GOES_ON;
    bool is_drawn = false;
    while (event != EDIT_DONE) {
        int key = os_key_read(0); // what is pasted is drawn once
        if (key == KEY_NONE && !os_interrupted()) {
            if (!is_drawn || play->control.has_clock)
                draw_prompt(play);
            is_drawn = true;
            key = os_key_read(until_tick_ms(play));
        }
        if (os_interrupted() == SIGINT && editor->len) { // it takes back what was typed, as in a shell
            os_forget_interrupt();
            edit_begin(editor);
            fputs("^C\n", play->out);
            is_drawn = false;
        } else if (os_interrupted()) {
            return INPUT_SIGNAL;
        }
        if (play->control.has_clock && !play->over && play_left_ms(play) < 0)
            return INPUT_TIME;
        if (key == KEY_NONE)
            continue;
        is_drawn = false;
        event = key == KEY_END ? EDIT_CLOSED : edit_take(editor, key);
        if (event == EDIT_CLOSED)
            return INPUT_END;
        if (event == EDIT_TAB)
            complete(play);
        else if (event == EDIT_CLEAR)
            fputs("\x1b[H\x1b[2J", play->out);
    }
    draw_prompt(play); // the whole of it, before the cursor leaves
    text_clear(line);
    text_add_bytes(line, editor->line, editor->len);
    return INPUT_LINE;
}

PlayInput play_read_line(Play *play, Text *line)
{
    if (play->editor) {
        edit_begin(play->editor);
        const PlayInput input = read_keys(play, line);
        fputc('\n', play->out);
        return input;
    }
    if (play->options->prompt) {
        text_clear(&play->text);
        print_prompt(play, &play->text);
        fwrite(play->text.ptr, 1, play->text.len, play->out);
    }
    fflush(play->out);
    os_input_wanted();
    const bool is_read = text_read_line(line, play->in);
    if (os_interrupted())
        return INPUT_SIGNAL;
    if (!is_read && play->options->prompt)
        fputc('\n', play->out);
    return is_read ? INPUT_LINE : INPUT_END;
}

bool play_ask(Play *play, const char *question)
{
    fputs(said(question), play->out);
    fflush(play->out);
    for (;;) {
        const int key = os_key_read(-1);
        const bool is_yes = key == 'y' || key == 'Y' || key == KEY_END || os_interrupted();
        if (is_yes || key == 'n' || key == 'N' || key == '\n' || key == '\r') {
            fputs(is_yes ? "y\n" : "n\n", play->out);
            return is_yes;
        }
    }
}

void play_interrupted(Play *play)
{
    const int came = os_interrupted();
    bool leaves = true;
    play_status_end(play);
    if (came == SIGINT && play->editor) {
        os_forget_interrupt();
        leaves = play_ask(play, "Leave the game? (y/n) ");
    }
    play->quit = leaves;
    if (leaves)
        play->exit_code = 128 + came;
}
