// SPDX-License-Identifier: GPL-3.0-or-later
// Games in a line: a position and moves as the protocol writes them, or a position with what EPD says of one;
// and lists of moves in any notation, numbered or not, over as many lines as it takes.
#include "games/notation.h"
#include "record.h"

// ---- lists of USI moves -------------------------------------------------------------------------
static bool looks_like_board(Span word)
{
    int ranks = 0;
    for (size_t i = 0; i < word.len; i++) {
        ranks += word.ptr[i] == '/';
        if (!strchr("/+0123456789PLNSGBRKplnsgbrk", word.ptr[i]) || !word.ptr[i])
            return false;
    }
    return ranks == 8;
}

static bool looks_like_move(Span word)
{
    bool is_long = word.len == 4 || (word.len == 5 && word.ptr[4] == '+');
    if (!is_long || word.ptr[2] < '1' || word.ptr[2] > '9' || word.ptr[3] < 'a' || word.ptr[3] > 'i')
        return false;
    bool is_drop = word.ptr[0] && strchr("PLNSGBR", word.ptr[0]) && word.ptr[1] == '*';
    return is_drop || (word.ptr[0] >= '1' && word.ptr[0] <= '9' && word.ptr[1] >= 'a' && word.ptr[1] <= 'i');
}

bool usi_begins(Span line)
{
    Span word = span_word(&line);
    return span_is(word, "position") || span_is(word, "startpos") || span_is(word, "sfen") ||
           looks_like_board(word) || looks_like_move(word);
}

// Takes the position's words off the line; false when it is one that cannot be.
static bool usi_read_position(Span *line, Builder *builder)
{
    Span at = *line, word = span_word(&at);
    if (span_is(word, "position"))
        *line = at, word = span_word(&at);
    if (span_is(word, "startpos")) {
        *line = at;
        return true;
    }
    if (span_is(word, "sfen"))
        *line = at, word = span_word(&at);
    if (!looks_like_board(word) && looks_like_move(word))
        return true; // moves alone: from the start
    // Board, side, hands and perhaps a number.
    Span text = {word.ptr, 0};
    for (int i = 0; i < 4 && word.len; i++) {
        i64 number;
        bool is_last = i == 3 && !span_int(word, 0, 99999, &number);
        if (is_last || span_is(word, "moves"))
            break;
        text.len = (size_t)(word.ptr + word.len - text.ptr);
        *line = at;
        word = span_word(&at);
    }
    Position pos;
    Message message = {""};
    SetResult set = pos_set(&pos, text, builder->rules, &message);
    if (set == SET_REJECTED) {
        builder_note(builder, &message);
        return false;
    }
    if (set == SET_REPAIRED)
        builder->record->note = message;
    builder_set_position(builder, &pos);
    return true;
}

// What EPD says of chess positions, said of a SFEN: best moves, moves to avoid, a name. They become tags.
static bool is_operation(Span word)
{
    return span_is(word, "bm") || span_is(word, "am") || span_is(word, "dm") || span_is(word, "id") ||
           span_is(word, "|");
}

// Name, operands, semicolon (or a bar). Quotes around the operands are not part of them.
static void usi_read_operations(Span rest, Builder *builder)
{
    while (rest.len) {
        size_t len = 0;
        while (len < rest.len && rest.ptr[len] != ';' && rest.ptr[len] != '|')
            len++;
        Span part = {rest.ptr, len}, name = span_word(&part), value = span_trim(part);
        if (value.len >= 2 && *value.ptr == '"' && value.ptr[value.len - 1] == '"')
            value = (Span){value.ptr + 1, value.len - 2};
        if (name.len)
            builder_tag(builder, name, value);
        size_t step = len + (len < rest.len);
        rest = (Span){rest.ptr + step, rest.len - step};
    }
}

void usi_read(Lines *lines, Builder *builder)
{
    Span line = lines->line, first = line;
    builder->record->format = looks_like_move(span_word(&first)) ? "moves" : "sfen";
    if (usi_read_position(&line, builder)) {
        Span after = line;
        if (is_operation(span_word(&after))) {
            usi_read_operations(line, builder);
            line.len = 0;
        }
        for (Span word = span_word(&line); word.len && !builder->is_over; word = span_word(&line)) {
            const Ending *ending = ending_named(word);
            if (strcmp(builder->record->format, "sfen") == 0)
                builder->record->format = "usi";
            if (ending)
                builder_end(builder, ending, word);
            else if (!span_is(word, "moves"))
                builder_add(builder, move_parse(&builder->pos, word), word);
        }
    }
    lines_next(lines);
}

// The moves as the protocol writes them, then how the game ended: where USI has no word for it (a flag that
// fell), CSA's, which is read back from here too.
void usi_write(const Record *record, Text *out)
{
    Position pos = record->start;
    char text[TEXT_MAX];
    pos_print(&pos, text);
    if (strcmp(text, GAME_START) == 0)
        text_add(out, "startpos");
    else
        text_add(out, "sfen %s", text);
    for (int i = 0; i < record->move_nb; i++) {
        move_print(&pos, record->move[i].move, text);
        text_add(out, "%s %s", i ? "" : " moves", text);
        pos = pos_after(&pos, record->move[i].move);
    }
    const Ending *ending = ending_of(record, pos.side);
    if (ending)
        text_add(out, " %s", ending->usi ? ending->usi : ending->csa);
    text_add(out, "\n");
}

// ---- lists of moves -----------------------------------------------------------------------------
// Takes the next word that is no number of a move; a number may be glued to the word. Empty at the end.
static Span list_word(Span *line)
{
    Span word;
    do
        word = span_word(line);
    while (word.len && !(word = move_number_skip(word)).len);
    return word;
}

bool list_begins(Span line)
{
    Position start;
    Rules rules = rules_default();
    pos_set(&start, span_of(GAME_START), &rules, NULL);
    Span word = list_word(&line);
    return word.len && move_parse_human(&start, word) != MOVE_NONE;
}

// A line with the first move of a game: where one has been read, another begins.
static bool has_first_number(Span line)
{
    line = span_trim(line);
    return span_starts(line, "1.") && !span_starts(line, "1..");
}

void list_read(Lines *lines, Builder *builder)
{
    Move last = MOVE_NONE;
    for (; lines->has_line && !builder->is_over; lines_next(lines)) {
        Span line = lines->line;
        bool is_csa = csa_begins(line) && line.ptr[0] != 'P'; // "P-3d" is a move
        if (builder->record->move_nb && (usi_begins(line) || is_csa || has_first_number(line)))
            return;
        for (Span word; !builder->is_over && (word = list_word(&line)).len;) {
            const Ending *ending = ending_named(word);
            if (ending)
                builder_end(builder, ending, word);
            else if (builder_add(builder, move_parse_reply(&builder->pos, last, word), word))
                last = builder->record->move[builder->record->move_nb - 1].move;
        }
    }
    // What follows a move that cannot be read is of the same game, up to the next blank line.
    while (builder->record->error.text[0] && lines->has_line && span_trim(lines->line).len)
        lines_next(lines);
}
