// SPDX-License-Identifier: GPL-3.0-or-later
// The one printer of a line of moves: as words of the protocol or for people, numbered or not, as text or as
// JSON. A line ends before a move that is not legal, so whatever it came from (a search, a table, a file) can
// be printed.
#include "games/notation.h"

enum { WORD_BYTES = MOVE_WORDS_MAX + 32 };

// ---- move numbers
// ---------------------------------------------------------------------------------------------------
int pos_move_number(const Position *pos)
{
    // In a handicap game the second side begins: that is its move 1, and the first side goes on with move 2.
    return (pos_game_ply(pos) + (pos_side(pos) == 0)) / 2 + 1;
}

void move_number_print(const Position *pos, char *out, size_t size)
{
    snprintf(out, size, "%d%s ", pos_move_number(pos), pos_side(pos) == 0 ? "." : "...");
}

bool moves_are_half_moves(void) { return COUNTS_HALF_MOVES && language() == LANGUAGE_JAPANESE; }

void move_number_words(const Position *pos, char *out, size_t size)
{
    if (moves_are_half_moves())
        snprintf(out, size, "%d手目 ", pos_game_ply(pos) + 1);
    else
        move_number_print(pos, out, size);
}

Span move_number_skip(Span text)
{
    size_t digits = 0;
    while (digits < text.len && text.ptr[digits] >= '0' && text.ptr[digits] <= '9')
        digits++;
    size_t end = digits;
    while (end < text.len && text.ptr[end] == '.')
        end++;
    return digits && end > digits ? span_trim((Span){text.ptr + end, text.len - end}) : text;
}

// ---- lines
// ----------------------------------------------------------------------------------------------------------
static void print_word(const Position *pos, Move last, Move move, bool is_first, LineStyle style,
                       char out[WORD_BYTES])
{
    char number[24] = "", text[MOVE_WORDS_MAX];
    if (style.is_spoken || style.is_japanese)
        move_print_words(pos, last, move, style.is_japanese ? LANGUAGE_JAPANESE : language(), text);
    else if (style.is_human)
        move_print_human(pos, move, text);
    else
        move_print(pos, move, text);
    bool names_side = (u8)text[0] >= 0x80; // ▲７六歩: it needs no number
    if (style.is_numbered && !names_side && (is_first || pos_side(pos) == 0))
        move_number_print(pos, number, sizeof number);
    const char *quote = style.is_json ? "\"" : "", *comma = style.is_json ? "," : " ";
    snprintf(out, WORD_BYTES, "%s%s%s%s%s", is_first ? "" : comma, quote, number, text, quote);
}

// `keys` (with room for the line) or NULL: the game before is unknown, and the rules are not asked for its
// end.
static void print_line(Position pos, KeyHistory *keys, const Move *line, int nb, LineStyle style, Text *out)
{
    size_t start = out->len;
    for (int i = 0; i < nb; i++) {
        char word[WORD_BYTES];
        if (!move_is_pseudo_legal(&pos, line[i]) || !move_is_legal(&pos, line[i]))
            return;
        print_word(&pos, i ? line[i - 1] : style.last, line[i], i == 0, style, word);
        if (style.max_bytes && out->len - start + strlen(word) > style.max_bytes)
            return;
        text_add(out, "%s", word);
        if (keys)
            keys_push(keys, &pos);
        pos = pos_after(&pos, line[i]);
        if (keys && game_outcome(&pos, keys).outcome != OUTCOME_NONE)
            return;
    }
}

void line_print(const Game *game, const Move *line, int nb, LineStyle style, Text *out)
{
    KeyHistory keys = {0};
    if (keys_copy(&keys, &game->keys, nb))
        print_line(game->pos, &keys, line, nb, style, out);
    else
        out->failed = true;
    keys_free(&keys);
}

void line_print_from(const Position *pos, const Move *line, int nb, LineStyle style, Text *out)
{
    print_line(*pos, NULL, line, nb, style, out);
}
