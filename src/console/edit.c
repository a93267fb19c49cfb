// SPDX-License-Identifier: GPL-3.0-or-later
// See edit.h. Keys are those of most terminals and, with Ctrl and Alt, those of Emacs and of the shells.
#include "console/edit.h"

#include <stdlib.h>

// ---- the line -----------------------------------------------------------------------------------
static bool is_inside(u8 byte) { return (byte & 0xC0) == 0x80; }

static size_t before(const Editor *editor, size_t at)
{
    while (at > 0 && is_inside((u8)editor->line[--at]))
        ;
    return at;
}

static size_t behind(const Editor *editor, size_t at)
{
    while (at < editor->len && is_inside((u8)editor->line[++at]))
        ;
    return at < editor->len ? at : editor->len;
}

static size_t word_before(const Editor *editor)
{
    size_t at = editor->cursor;
    while (at > 0 && editor->line[at - 1] == ' ')
        at--;
    while (at > 0 && editor->line[at - 1] != ' ')
        at--;
    return at;
}

static size_t word_behind(const Editor *editor)
{
    size_t at = editor->cursor;
    while (at < editor->len && editor->line[at] == ' ')
        at++;
    while (at < editor->len && editor->line[at] != ' ')
        at++;
    return at;
}

// Takes away what stands between two places.
static void take_away(Editor *editor, size_t from, size_t to)
{
    memmove(editor->line + from, editor->line + to, editor->len - to);
    editor->len -= to - from;
    editor->cursor = from;
}

// The same, to be had again by Ctrl-Y.
static void cut(Editor *editor, size_t from, size_t to)
{
    if (from == to)
        return;
    editor->cut_len = to - from;
    memcpy(editor->cut, editor->line + from, editor->cut_len);
    take_away(editor, from, to);
}

void edit_insert(Editor *editor, size_t from, Span text)
{
    assert(from <= editor->cursor);
    take_away(editor, editor->cursor - from, editor->cursor);
    if (text.len > sizeof editor->line - editor->len || !span_is_utf8(text))
        return;
    memmove(editor->line + editor->cursor + text.len, editor->line + editor->cursor,
            editor->len - editor->cursor);
    memcpy(editor->line + editor->cursor, text.ptr, text.len);
    text_disarm(editor->line + editor->cursor, text.len, '?');
    editor->len += text.len;
    editor->cursor += text.len;
}

// ---- the lines before ---------------------------------------------------------------------------
void edit_begin(Editor *editor)
{
    const bool is_new =
        editor->len && (editor->history_nb == 0 ||
                        !span_is((Span){editor->line, editor->len}, editor->history[editor->history_nb - 1]));
    char *copy = is_new ? malloc(editor->len + 1) : NULL; // not every system has strndup
    if (copy)
        span_copy((Span){editor->line, editor->len}, copy, editor->len + 1);
    if (copy && editor->history_nb == EDIT_HISTORY_MAX) {
        free(editor->history[0]);
        editor->history_nb--;
        memmove(editor->history, editor->history + 1, (size_t)editor->history_nb * sizeof editor->history[0]);
    }
    if (copy)
        editor->history[editor->history_nb++] = copy;
    editor->at = editor->history_nb;
    editor->len = editor->cursor = editor->kept_len = editor->pending_nb = 0;
}

void edit_free(Editor *editor)
{
    for (int i = 0; i < editor->history_nb; i++)
        free(editor->history[i]);
    *editor = (Editor){0};
}

static void show_line(Editor *editor, int at)
{
    if (at < 0 || at > editor->history_nb || at == editor->at)
        return;
    if (editor->at == editor->history_nb) {
        memcpy(editor->kept, editor->line, editor->len);
        editor->kept_len = editor->len;
    }
    editor->at = at;
    const bool is_kept = at == editor->history_nb;
    editor->len = is_kept ? editor->kept_len : strlen(editor->history[at]);
    memcpy(editor->line, is_kept ? editor->kept : editor->history[at], editor->len);
    editor->cursor = editor->len;
}

// ---- keys ---------------------------------------------------------------------------------------
enum { CTRL = 0x1F, ESCAPE = 27, BACKSPACE = 127 };

static EditEvent take_control(Editor *editor, int key)
{
    switch (key) {
    case 'A' & CTRL: editor->cursor = 0; break;
    case 'B' & CTRL: editor->cursor = before(editor, editor->cursor); break;
    case 'D' & CTRL:
        if (editor->len == 0)
            return EDIT_CLOSED;
        take_away(editor, editor->cursor, behind(editor, editor->cursor));
        break;
    case 'E' & CTRL: editor->cursor = editor->len; break;
    case 'F' & CTRL: editor->cursor = behind(editor, editor->cursor); break;
    case BACKSPACE:
    case 'H' & CTRL: take_away(editor, before(editor, editor->cursor), editor->cursor); break;
    case '\t': return EDIT_TAB;
    case '\n':
    case '\r': return EDIT_DONE;
    case 'K' & CTRL: cut(editor, editor->cursor, editor->len); break;
    case 'L' & CTRL: return EDIT_CLEAR;
    case 'N' & CTRL: show_line(editor, editor->at + 1); break;
    case 'P' & CTRL: show_line(editor, editor->at - 1); break;
    case 'U' & CTRL: cut(editor, 0, editor->cursor); break;
    case 'W' & CTRL: cut(editor, word_before(editor), editor->cursor); break;
    case 'Y' & CTRL: edit_insert(editor, 0, (Span){editor->cut, editor->cut_len}); break;
    default: break;
    }
    return EDIT_GOES_ON;
}

// What a key sends behind ESC [ or ESC O: digits and signs, and a letter or ~ at the end.
static void take_sequence(Editor *editor)
{
    const char *sequence = editor->pending;
    const size_t nb = editor->pending_nb;
    const char last = sequence[nb - 1], number = nb == 4 ? sequence[2] : '\0';
    const bool by_words = nb > 4 && last != '~'; // ESC [ 1 ; 5 C: with Ctrl, and the like
    switch (last == '~' ? number : last) {
    case 'A': show_line(editor, editor->at - 1); break;
    case 'B': show_line(editor, editor->at + 1); break;
    case 'C': editor->cursor = by_words ? word_behind(editor) : behind(editor, editor->cursor); break;
    case 'D': editor->cursor = by_words ? word_before(editor) : before(editor, editor->cursor); break;
    case '1':
    case '7':
    case 'H': editor->cursor = 0; break;
    case '4':
    case '8':
    case 'F': editor->cursor = editor->len; break;
    case '3': take_away(editor, editor->cursor, behind(editor, editor->cursor)); break;
    default: break;
    }
}

static EditEvent take_escape(Editor *editor, int byte)
{
    const bool is_first = editor->pending_nb == 1;
    editor->pending[editor->pending_nb] = (char)byte;
    editor->pending_nb =
        (size_t)min_int((int)editor->pending_nb + 1, EDIT_PENDING_MAX - 1); // none is so long
    if (is_first && (byte == '[' || byte == 'O'))
        return EDIT_GOES_ON;
    if (!is_first && byte < 0x40 && byte >= ' ')
        return EDIT_GOES_ON;
    if (!is_first)
        take_sequence(editor);
    else if (byte == 'b')
        editor->cursor = word_before(editor);
    else if (byte == 'f')
        editor->cursor = word_behind(editor);
    else if (byte == 'd')
        cut(editor, editor->cursor, word_behind(editor));
    editor->pending_nb = 0;
    return EDIT_GOES_ON;
}

EditEvent edit_take(Editor *editor, int byte)
{
    if (editor->pending_nb && editor->pending[0] == ESCAPE)
        return take_escape(editor, byte);
    if (byte == ESCAPE || byte >= 0x80) {
        if (byte != ESCAPE && !is_inside((u8)byte))
            editor->pending_nb = 0; // the rest of the character before did not come
        editor->pending[editor->pending_nb++] = (char)byte;
        const Span character = {editor->pending, editor->pending_nb};
        if (byte != ESCAPE && span_utf8_char(character) == editor->pending_nb) {
            edit_insert(editor, 0, character);
            editor->pending_nb = 0;
        }
        if (editor->pending_nb >= 4)
            editor->pending_nb = 0;
        return EDIT_GOES_ON;
    }
    editor->pending_nb = 0;
    if (byte < ' ' || byte == BACKSPACE)
        return take_control(editor, byte);
    const char letter = (char)byte;
    edit_insert(editor, 0, (Span){&letter, 1});
    return EDIT_GOES_ON;
}

// ---- the screen ---------------------------------------------------------------------------------
void edit_draw(const Editor *editor, Span prompt, int columns, Text *out)
{
    enum { LEAST = 8 }; // columns for the line, however long the prompt is
    const Span shown_prompt = span_fit(prompt, max_int(columns - LEAST, 0));
    const int room = max_int(columns - span_width(shown_prompt) - 1, 1);
    size_t from = 0;
    while (from < editor->cursor && span_width((Span){editor->line + from, editor->cursor - from}) > room)
        from = behind(editor, from);
    const Span shown = span_fit((Span){editor->line + from, editor->len - from}, room);
    text_add(out, "\r");
    text_add_bytes(out, shown_prompt.ptr, shown_prompt.len);
    text_add_bytes(out, shown.ptr, shown.len);
    text_add(out, "\x1b[K\r");
    const int column =
        span_width(shown_prompt) + span_width((Span){editor->line + from, editor->cursor - from});
    if (column)
        text_add(out, "\x1b[%dC", column);
}

// ---- completion ---------------------------------------------------------------------------------
static int lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

void complete_offer(Completion *completion, const char *word)
{
    bool is_same = true, is_folded = true;
    for (size_t i = 0; i < completion->typed.len; i++) { // the NUL of a shorter word differs
        is_same = is_same && completion->typed.ptr[i] == word[i];
        is_folded = is_folded && lower(completion->typed.ptr[i]) == lower(word[i]);
        if (!is_folded)
            return;
    }
    Text *words = is_same ? &completion->words : &completion->folded;
    text_add_bytes(words, word, strlen(word) + 1);
    (*(is_same ? &completion->word_nb : &completion->folded_nb))++;
}

bool complete_apply(const Completion *completion, Editor *editor, Span *list)
{
    const bool is_exact = completion->word_nb > 0;
    const Text *words = is_exact ? &completion->words : &completion->folded;
    const int nb = is_exact ? completion->word_nb : completion->folded_nb;
    if (nb == 0 || words->failed)
        return false;
    Span common = span_of(words->ptr);
    for (const char *word = words->ptr; word < words->ptr + words->len; word += strlen(word) + 1) {
        size_t len = 0;
        while (len < common.len && word[len] == common.ptr[len])
            len++;
        common.len = len;
    }
    while (common.len && common.len < strlen(words->ptr) && is_inside((u8)common.ptr[common.len]))
        common.len--; // no half characters
    const bool says_more = common.len > completion->typed.len || (nb == 1 && !is_exact);
    if (says_more)
        edit_insert(editor, completion->typed.len, common);
    if (nb == 1)
        edit_insert(editor, 0, span_of(" "));
    *list = text_span(words);
    return !says_more && nb > 1;
}

void complete_free(Completion *completion)
{
    text_free(&completion->words);
    text_free(&completion->folded);
}
