// SPDX-License-Identifier: GPL-3.0-or-later
// The game format of the Computer Shogi Association, versions 1 to 2.2 and what version 3 adds for single
// games. A line is one statement (or several moves and times with commas between); its first sign says which
// kind. A "/" ends a game.
#include "record.h"

typedef struct CsaReader {
    Builder *builder;
    Setup setup;
    bool has_setup; // a P line has been seen
    bool has_moves; // the position is settled: moves, or an ending, have begun
} CsaReader;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool csa_begins(Span line)
{
    char first = line.len ? line.ptr[0] : '\0', second = line.len > 1 ? line.ptr[1] : '\0';
    switch (first) {
    case '\'': return true;
    case 'V': return is_digit(second);
    case 'N': return second == '+' || second == '-';
    case '$':
    case '%': return second >= 'A' && second <= 'Z';
    case 'P': return second == 'I' || second == '+' || second == '-' || (second >= '1' && second <= '9');
    case '+':
    case '-': return second == '\0' || is_digit(second);
    }
    return false;
}

// The kind named by two letters; NO_KIND for anything else.
static int csa_kind(const char *at)
{
    for (int kind = PAWN; kind < KIND_NB; kind++)
        if (at[0] == PIECE_NAMES[kind].csa[0] && at[1] == PIECE_NAMES[kind].csa[1])
            return kind;
    return NO_KIND;
}

// The square of two digits, or SQUARE_NB for "00" (a hand); -1 for anything else.
static int csa_square(const char *at)
{
    if (at[0] == '0' && at[1] == '0')
        return SQUARE_NB;
    bool on_board = at[0] >= '1' && at[0] <= '9' && at[1] >= '1' && at[1] <= '9';
    return on_board ? square_make(at[0] - '0', at[1] - '0') : -1;
}

// ---- position -----------------------------------------------------------------------------------
// "PI", and pieces to take away: "PI82HI22KA".
static bool csa_whole_set(CsaReader *reader, Span s)
{
    setup_from(&reader->setup, GAME_START);
    for (; s.len >= 4; s.ptr += 4, s.len -= 4) {
        int sq = csa_square(s.ptr), kind = csa_kind(s.ptr + 2);
        if (sq < 0 || sq >= SQUARE_NB || !kind || piece_kind(reader->setup.board[sq]) != kind)
            return false;
        reader->setup.board[sq] = 0;
    }
    return span_trim(s).len == 0;
}

// "P1-KY-KE * ...": nine cells of three signs. A line that was stripped of its last blanks is made whole.
static bool csa_rank(CsaReader *reader, int rank, Span s)
{
    for (int file = 9; file >= 1; file--) {
        char cell[3] = {' ', '*', ' '};
        for (int i = 0; i < 3 && s.len; i++, s.ptr++, s.len--)
            cell[i] = s.ptr[0];
        int kind = csa_kind(cell + 1), sq = square_make(file, rank);
        if (cell[0] == '+' || cell[0] == '-') {
            if (!kind)
                return false;
            reader->setup.board[sq] = (u8)piece_make(cell[0] == '-', kind);
        } else if (cell[0] != ' ') {
            return false;
        } else {
            reader->setup.board[sq] = 0;
        }
    }
    return true;
}

// "P-00AL": all that is nowhere yet.
static void csa_take_rest(CsaReader *reader, int side)
{
    static const u8 TOTAL[HAND_KIND_NB] = {0, 18, 4, 4, 4, 2, 2, 4};
    for (int kind = PAWN; kind <= GOLD; kind++) {
        int left = TOTAL[kind] - reader->setup.hand[BLACK][kind] - reader->setup.hand[WHITE][kind];
        for (int sq = 0; sq < SQUARE_NB; sq++)
            left -= kind_raw(piece_kind(reader->setup.board[sq])) == kind;
        reader->setup.hand[side][kind] += max_int(left, 0);
    }
}

// "P+99KY00FU": single pieces, on the board or in the hand.
static bool csa_pieces(CsaReader *reader, int side, Span s)
{
    for (s = span_trim(s); s.len >= 4; s.ptr += 4, s.len -= 4) {
        int sq = csa_square(s.ptr), kind = csa_kind(s.ptr + 2);
        if (sq == SQUARE_NB && s.ptr[2] == 'A' && s.ptr[3] == 'L') {
            csa_take_rest(reader, side);
        } else if (sq < 0 || !kind || (sq == SQUARE_NB && kind > GOLD)) {
            return false;
        } else if (sq == SQUARE_NB) {
            int *count = &reader->setup.hand[side][kind];
            *count = min_int(*count + 1, 99);
        } else {
            reader->setup.board[sq] = (u8)piece_make(side, kind);
        }
    }
    return s.len == 0;
}

static void csa_position(CsaReader *reader, Span line)
{
    if (reader->has_moves)
        return;
    if (!reader->has_setup)
        reader->setup = (Setup){.number = 1};
    reader->has_setup = true;
    Span s = {line.ptr + 2, line.len - 2};
    char what = line.ptr[1];
    bool ok = what == 'I'                  ? csa_whole_set(reader, s)
              : what == '+' || what == '-' ? csa_pieces(reader, what == '-', s)
                                           : csa_rank(reader, what - '0', s);
    if (!ok)
        builder_refuse(reader->builder, line, "is not a line of a position");
}

// The position is complete: what follows are moves of `side`.
static void csa_settle(CsaReader *reader, int side)
{
    if (reader->has_moves)
        return;
    reader->has_moves = true;
    if (!reader->has_setup)
        setup_from(&reader->setup, GAME_START);
    reader->setup.side = side;
    builder_settle(reader->builder, &reader->setup);
}

// ---- moves --------------------------------------------------------------------------------------
// "7776FU": the piece is named as it stands after the move.
static Move csa_move(const Position *pos, Span s)
{
    if (s.len != 6)
        return MOVE_NONE;
    int from = csa_square(s.ptr), to = csa_square(s.ptr + 2), kind = csa_kind(s.ptr + 4);
    if (from < 0 || to < 0 || to >= SQUARE_NB || !kind)
        return MOVE_NONE;
    if (from == SQUARE_NB)
        return kind <= GOLD ? move_make_drop(kind, to) : MOVE_NONE;
    int before = piece_kind(pos->board[from]);
    if (before == kind)
        return move_make(from, to);
    return kind_promotes(before) && before + PROMOTED == kind ? move_make(from, to) | MOVE_PROMOTE
                                                              : MOVE_NONE;
}

static void csa_statement(CsaReader *reader, Span s)
{
    Builder *builder = reader->builder;
    char first = s.ptr[0];
    Span tail = {s.ptr + 1, s.len - 1};
    if (first == 'T') {
        double seconds;
        if (span_real(tail, 0, 1e6, &seconds))
            builder_time(builder, (i64)(seconds * 1000 + 0.5));
    } else if (first == '%') {
        csa_settle(reader, builder->pos.side);
        const Ending *ending = ending_named(s);
        // "%+ILLEGAL_ACTION" names who did it: it is the loss of a side, whoever is to move.
        if (s.len > 2 && (s.ptr[1] == '+' || s.ptr[1] == '-') &&
            span_is((Span){s.ptr + 2, s.len - 2}, "ILLEGAL_ACTION"))
            ending = ending_named(
                span_of((s.ptr[1] == '-') == builder->pos.side ? "%ILLEGAL_MOVE" : "%ILLEGAL_ACTION"));
        if (ending)
            builder_end(builder, ending, s);
    } else {
        csa_settle(reader, first == '-');
        bool right_side = builder->pos.side == (first == '-');
        if (!builder->is_over && s.len > 1)
            builder_add(builder, right_side ? csa_move(&builder->pos, tail) : MOVE_NONE, s);
    }
}

static void csa_statements(CsaReader *reader, Span line)
{
    while (line.len) {
        const char *comma = memchr(line.ptr, ',', line.len);
        size_t len = comma ? (size_t)(comma - line.ptr) : line.len;
        Span s = span_trim((Span){line.ptr, len});
        if (s.len && memchr("+-T%", s.ptr[0], 4))
            csa_statement(reader, s);
        else if (s.len && s.ptr[0] == 'P' && csa_begins(s))
            csa_position(reader, s);
        else if (s.len)
            builder_fail(reader->builder, s, "is not a move of a CSA file");
        line.ptr += len + (comma != NULL);
        line.len -= len + (comma != NULL);
    }
}

// ---- the rest -----------------------------------------------------------------------------------
static void csa_tag(Builder *builder, Span line)
{
    for (int i = 0; i < TAG_NAME_NB; i++) {
        Span value = line;
        if (span_take(&value, TAG_NAMES[i].csa)) {
            builder_tag(builder, span_of(TAG_NAMES[i].tag), value);
            return;
        }
    }
    const char *colon = line.ptr[0] == '$' ? memchr(line.ptr, ':', line.len) : NULL;
    if (colon) {
        size_t len = (size_t)(colon - line.ptr);
        builder_tag(builder, (Span){line.ptr + 1, len - 1}, (Span){colon + 1, line.len - len - 1});
    }
}

void csa_read(Lines *lines, Builder *builder)
{
    CsaReader reader = {.builder = builder};
    for (; lines->has_line; lines_next(lines)) {
        Span line = span_trim(lines->line);
        if (span_is(line, "/")) {
            lines_next(lines);
            break;
        }
        char first = line.len ? line.ptr[0] : '\0';
        if (reader.has_moves && (first == 'V' || first == 'N' || first == 'P'))
            break; // the next game, without a "/" before it
        if (span_starts(line, "'CSA encoding=")) {
            continue; // about the file, not the game; how it is encoded is seen by itself
        } else if (first == '\'') {
            // Blanks at its end are the comment's own.
            Span text = {line.ptr + 1, (size_t)(lines->line.ptr + lines->line.len - line.ptr) - 1};
            span_take(&text, "*");
            builder_comment(builder, text);
        } else if (first == 'N' || first == '$') {
            csa_tag(builder, line);
        } else if (first && (memchr("+-T%", first, 4) || (first == 'P' && csa_begins(line)))) {
            csa_statements(&reader, line);
        } else if (first && first != 'V') {
            builder_fail(builder, line, "is not a line of a CSA file");
        }
    }
    csa_settle(&reader, BLACK);
}

// ---- writing ------------------------------------------------------------------------------------
static void csa_write_tags(const Record *record, Text *out)
{
    for (int i = 0; i < record->tag_nb; i++) {
        const RecordTag *tag = &record->tag[i];
        const char *name = NULL;
        bool is_word = tag->name[0] >= 'A' && tag->name[0] <= 'Z';
        for (const char *c = tag->name; *c; c++)
            is_word &= (*c >= 'A' && *c <= 'Z') || *c == '_';
        for (int n = 0; n < TAG_NAME_NB; n++)
            name = strcmp(tag->name, TAG_NAMES[n].tag) == 0 ? TAG_NAMES[n].csa : name;
        if (!name && !is_word)
            continue; // the format has no place for it
        if (name)
            text_add(out, "%s", name);
        else
            text_add(out, "$%s:", tag->name);
        write_tag_value(tag, out);
        text_add(out, "\n");
    }
}

static void csa_write_position(const Position *pos, Text *out)
{
    char text[TEXT_MAX];
    pos_print(pos, text);
    if (span_starts(span_of(text), "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL ")) {
        text_add(out, "PI\n");
    } else {
        for (int rank = 1; rank <= 9; rank++) {
            text_add(out, "P%d", rank);
            for (int file = 9; file >= 1; file--) {
                int piece = pos->board[square_make(file, rank)];
                if (piece)
                    text_add(out, "%c%s", "+-"[piece_side(piece)], PIECE_NAMES[piece_kind(piece)].csa);
                else
                    text_add(out, " * ");
            }
            text_add(out, "\n");
        }
        for (int side = 0; side < SIDE_NB; side++) {
            if (!pos->hand[side])
                continue;
            text_add(out, "P%c", "+-"[side]);
            for (int kind = GOLD; kind >= PAWN; kind--)
                for (int i = 0; i < hand_count(pos->hand[side], kind); i++)
                    text_add(out, "00%s", PIECE_NAMES[kind].csa);
            text_add(out, "\n");
        }
    }
    text_add(out, "%c\n", "+-"[pos->side]);
}

static void csa_write_move(const Position *pos, Move move, Text *out)
{
    int to = move_to(move),
        kind = piece_kind(move_piece(pos, move)) + (move_is_promotion(move) ? PROMOTED : 0);
    text_add(out, "%c", "+-"[pos->side]);
    if (move_is_drop(move))
        text_add(out, "00");
    else
        text_add(out, "%d%d", square_file(move_from(move)), square_rank(move_from(move)));
    text_add(out, "%d%d%s\n", square_file(to), square_rank(to), PIECE_NAMES[kind].csa);
}

// Version 3 is for times with a fraction; programs that know 2.2 alone are many.
static bool has_fractions(const Record *record)
{
    for (int i = 0; i < record->move_nb; i++)
        if (record->move[i].time_ms % 1000)
            return true;
    return record->end_ms % 1000 != 0;
}

static void csa_write_time(i32 time_ms, Text *out)
{
    if (time_ms % 1000)
        text_add(out, "T%d.%03d\n", time_ms / 1000, time_ms % 1000);
    else if (time_ms > 0)
        text_add(out, "T%d\n", time_ms / 1000);
}

// The format has no bookmarks: they become comments that say so.
static void csa_write_bookmark(const char *bookmark, Text *out)
{
    if (!bookmark)
        return;
    text_add(out, "'*しおり：");
    write_in_line(bookmark, out);
    text_add(out, "\n");
}

static void csa_write_game(const Record *record, Text *out)
{
    csa_write_tags(record, out);
    csa_write_position(&record->start, out);
    if (record->comment)
        write_analysed("'*", record->comment, &record->start, -1, out);
    csa_write_bookmark(record->bookmark, out);
    Position pos = record->start;
    for (int i = 0; i < record->move_nb; i++) {
        const RecordMove *move = &record->move[i];
        csa_write_move(&pos, move->move, out);
        csa_write_time(move->time_ms, out);
        if (move->mark)
            text_add(out, "'*[%s]\n", record_mark_text(move->mark));
        pos = pos_after(&pos, move->move);
        if (move->comment)
            write_analysed("'*", move->comment, &pos, move_to(move->move), out);
        csa_write_bookmark(move->bookmark, out);
    }
    const Ending *ending = ending_of(record, pos.side);
    if (ending && strcmp(ending->csa, "%ILLEGAL_ACTION") == 0)
        text_add(out, "%%%cILLEGAL_ACTION\n", "-+"[pos.side]);
    else if (ending)
        text_add(out, "%s\n", ending->csa);
    if (ending)
        csa_write_time(record->end_ms, out);
}

// The line that tells the encoding stands first, where there is anything to tell.
void csa_write(const Record *record, Text *out)
{
    Text body = {0};
    if (out->len)
        text_add(out, "/\n"); // between games
    csa_write_game(record, &body);
    bool is_ascii = true;
    for (size_t i = 0; i < body.len; i++)
        is_ascii &= (u8)body.ptr[i] < 0x80;
    if (!is_ascii)
        text_add(out, "'CSA encoding=UTF-8\n");
    text_add(out, has_fractions(record) ? "V3.0\n" : "V2.2\n");
    text_add_bytes(out, body.ptr, body.len);
    out->failed |= body.failed;
    text_free(&body);
}
