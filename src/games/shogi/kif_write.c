// SPDX-License-Identifier: GPL-3.0-or-later
// Writing the game formats of Japanese programs: KIF, a numbered line a move with its time, and KI2, moves as
// books print them, several in a line, without times. Headers, positions, comments, bookmarks, endings and
// variations (変化) are the same in both. What is written is UTF-8; see record_encode.
#include "japanese.h"
#include "record.h"
#include "starts.h"

enum { KI2_MOVES_IN_LINE = 6, KI2_MOVE_WIDTH = 12 };

static void kif_write_hand(const Position *pos, int side, Text *out)
{
    text_add(out, "%s手の持駒：", side == BLACK ? "先" : "後");
    static const u8 ORDER[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    for (size_t i = 0; i < sizeof ORDER; i++) {
        int count = hand_count(pos->hand[side], ORDER[i]);
        if (count == 0)
            continue;
        text_add(out, "%s", PIECE_NAMES[ORDER[i]].kanji);
        if (count >= 10)
            text_add(out, "十");
        if (count > 1 && count != 10)
            text_add(out, "%s", KANJI_DIGITS[count % 10]);
        text_add(out, "　");
    }
    text_add(out, "%s\n", pos->hand[side] ? "" : "なし");
}

static void kif_write_board(const Position *pos, Text *out)
{
    kif_write_hand(pos, WHITE, out);
    text_add(out, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (int rank = 1; rank <= 9; rank++) {
        text_add(out, "|");
        for (int file = 9; file >= 1; file--) {
            int piece = pos->board[square_make(file, rank)];
            text_add(out, "%s%s", piece_side(piece) == WHITE ? "v" : " ",
                     piece ? PIECE_NAMES[piece_kind(piece)].kanji : "・");
        }
        text_add(out, "|%s\n", KANJI_DIGITS[rank]);
    }
    text_add(out, "+---------------------------+\n");
    kif_write_hand(pos, BLACK, out);
    if (pos->side == WHITE)
        text_add(out, "後手番\n");
    if (pos_game_ply(pos) > 0)
        text_add(out, "手数＝%d\n", pos_game_ply(pos));
}

// The players of a game with a handicap are not called first and second: the one who gives it moves first.
static const char *side_name(int side, int handicap)
{
    bool is_handicap = handicap > 0 && handicap < HANDICAP_NB;
    return side == BLACK ? (is_handicap ? "下手" : "先手") : is_handicap ? "上手" : "後手";
}

// Would a line that begins with the name be read as a header, and as no other line?
static bool is_tag_name(const char *name)
{
    static const char *const OTHERS[] = {"変化",   "まで",   "手数",   "手合割", "後手番",
                                         "上手番", "先手番", "下手番", " ",      "　",
                                         "後手の", "先手の", "上手の", "下手の", NULL};
    static const char *const INSIDE[] = {"：", "の持", "\n", "\r", NULL};
    Span text = span_of(name);
    if (text.len == 0 || text.len >= KIF_HEADER_MAX || strchr("0123456789*#&+|'", name[0]) ||
        starts_with_any(text, OTHERS))
        return false;
    for (const char *const *inside = INSIDE; *inside; inside++)
        if (strstr(name, *inside))
            return false;
    return true;
}

static void kif_write_tags(const Record *record, int handicap, Text *out)
{
    for (int i = 0; i < record->tag_nb; i++) {
        const char *name = record->tag[i].name;
        for (int n = 0; n < TAG_NAME_NB; n++)
            if (strcmp(record->tag[i].name, TAG_NAMES[n].tag) == 0)
                name = TAG_NAMES[n].kif;
        for (int side = 0; side < SIDE_NB; side++)
            if (strcmp(name, side_name(side, 0)) == 0)
                name = side_name(side, handicap);
        if (!is_tag_name(name))
            continue;
        text_add(out, "%s：", name);
        write_tag_value(&record->tag[i], out);
        text_add(out, "\n");
    }
}

static void kif_write_move(const Position *pos, Move move, int last_to, Text *out)
{
    int to = move_to(move);
    if (to == last_to)
        text_add(out, "同　");
    else
        text_add(out, "%s%s", WIDE_DIGITS[square_file(to)], KANJI_DIGITS[square_rank(to)]);
    text_add(out, "%s", PIECE_NAMES[piece_kind(move_piece(pos, move))].written);
    if (move_is_drop(move))
        text_add(out, "打");
    else
        text_add(out, "%s(%d%d)", move_is_promotion(move) ? "成" : "", square_file(move_from(move)),
                 square_rank(move_from(move)));
}

static void kif_write_marks(const RecordMove *move, Text *out)
{
    for (int i = -1; i < RECORD_GLYPH_MAX; i++) {
        const char *mark = record_mark_text(i < 0 ? move->mark : move->glyph[i]);
        if (mark[0])
            text_add(out, "*[%s]\n", mark);
    }
}

static void kif_write_time(i64 time_ms, i64 total_ms, Text *out)
{
    long long s = time_ms / 1000, t = total_ms / 1000;
    text_add(out, " (%2lld:%02lld/%02lld:%02lld:%02lld)\n", s / 60, s % 60, t / 3600, t / 60 % 60, t % 60);
}

// ---- endings ------------------------------------------------------------------------------------
// "まで99手で先手の勝ち": how it ended, in a line of its own.
static void write_summary(const Ending *ending, int winner, int mover, int moves, int handicap, Text *out)
{
    bool is_of_mover =
        ending && (span_starts(span_of(ending->kif), "反則") || ending->reason == REASON_DECLARATION);
    text_add(out, "まで%d手で", moves);
    if (is_of_mover)
        text_add(out, "%sの%s\n", side_name(mover, handicap), ending->kif);
    else if (winner >= 0 && ending && ending->reason == REASON_TIME)
        text_add(out, "時間切れにより%sの勝ち\n", side_name(winner, handicap));
    else if (winner >= 0 &&
             (!ending || (ending->reason == REASON_NONE && strcmp(ending->csa, "%TORYO") == 0 &&
                          strcmp(ending->kif, "投了") == 0)))
        text_add(out, "%sの勝ち\n", side_name(winner, handicap));
    else
        text_add(out, "%s\n", ending->kif);
}

static int winner_of(const Ending *ending, int mover)
{
    return result_winner(result_of_outcome(ending->outcome, mover));
}

// A line being written: the position and what is known of the moves so far.
typedef struct KifLine {
    Position pos;
    i64 total_ms[SIDE_NB];
    int last_to;
    int number; // of the next move
    int in_row; // moves of KI2 in the line of text that is open; 0: none is open
    int width;  // of the last of them
} KifLine;

static void kif_step(const RecordMove *move, KifLine *at)
{
    at->total_ms[at->pos.side] += move->time_ms;
    at->last_to = move->move == MOVE_NULL ? -1 : move_to(move->move);
    at->pos = pos_after(&at->pos, move->move);
    at->number++;
}

// Brings `at` from the start to the place where a variation begins.
static void kif_walk_to(const Record *record, int line, int ply, KifLine *at)
{
    if (line != RECORD_MAIN)
        kif_walk_to(record, record->line[line].parent, record->line[line].ply, at);
    int move_nb;
    const RecordMove *moves = record_line_moves(record, line, &move_nb);
    for (int i = 0; i < ply; i++)
        kif_step(&moves[i], at);
}

static void write_words(const char *comment, const char *bookmark, const KifLine *at, Text *out)
{
    if (comment)
        write_analysed("*", comment, &at->pos, at->last_to, out);
    if (bookmark) {
        text_add(out, "&");
        write_in_line(bookmark, out);
        text_add(out, "\n");
    }
}

// ---- KIF ----------------------------------------------------------------------------------------
static void kif_write_ending(const Ending *ending, i32 time_ms, const KifLine *at, Text *out)
{
    text_add(out, "%4d %s", at->number, ending->kif);
    kif_write_time(time_ms, at->total_ms[at->pos.side] + time_ms, out);
}

static void kif_put(const RecordMove *move, KifLine *at, Text *out)
{
    text_add(out, "%4d ", at->number);
    if (move->move == MOVE_NULL)
        text_add(out, "パス");
    else
        kif_write_move(&at->pos, move->move, at->last_to, out);
    kif_write_time(move->time_ms, at->total_ms[at->pos.side] + move->time_ms, out);
}

// ---- KI2 ----------------------------------------------------------------------------------------
static void ki2_close_row(KifLine *at, Text *out)
{
    if (at->in_row)
        text_add(out, "\n");
    at->in_row = 0;
}

static void ki2_put(const RecordMove *move, KifLine *at, Text *out)
{
    char text[JAPANESE_MOVE_MAX] = "パス";
    if (move->move != MOVE_NULL)
        japanese_print(&at->pos, move->move, at->last_to, text);
    if (at->in_row == KI2_MOVES_IN_LINE)
        ki2_close_row(at, out);
    for (int width = at->width; at->in_row && width < KI2_MOVE_WIDTH; width++)
        text_add(out, " ");
    text_add(out, "%s%s", at->pos.side == BLACK ? "▲" : "△", text);
    at->in_row++;
    at->width = 2 + (int)strlen(text) / 3 * 2; // every sign takes three bytes and two columns
}

// ---- both ---------------------------------------------------------------------------------------
static bool has_words(const RecordMove *move) { return move->comment || move->bookmark || move->mark; }

static void write_line(const Record *record, int line, bool is_kif, KifLine *at, Text *out)
{
    int move_nb;
    const RecordMove *moves = record_line_moves(record, line, &move_nb);
    for (int i = 0; i < move_nb; i++) {
        const RecordMove *move = &moves[i];
        (is_kif ? kif_put : ki2_put)(move, at, out);
        kif_step(move, at);
        if (has_words(move)) {
            ki2_close_row(at, out);
            kif_write_marks(move, out);
            write_words(move->comment, move->bookmark, at, out);
        }
    }
    ki2_close_row(at, out);
}

// How a variation ended; a word that is no ending's is written as it is, where the format has a place for it.
static void write_variation_end(const char *word, int handicap, bool is_kif, KifLine *at, Text *out)
{
    const Ending *ending = ending_named(span_of(word));
    if (is_kif && ending)
        kif_write_ending(ending, 0, at, out);
    else if (ending)
        write_summary(ending, winner_of(ending, at->pos.side), at->pos.side, at->number - 1, handicap, out);
    else
        write_comment("*", word, out);
}

// The variations of a line, the last place first: so each leaves the line written before it, or one that this
// one leaves.
static void write_variations(const Record *record, int line, int handicap, bool is_kif, Text *out)
{
    int move_nb;
    record_line_moves(record, line, &move_nb);
    for (int ply = move_nb; ply >= 0; ply--) {
        for (int i = record_first_line(record, line, ply); i >= 0; i = record->line[i].next - 1) {
            const RecordLine *variation = &record->line[i];
            KifLine at = {.pos = record->start, .last_to = -1, .number = 1};
            kif_walk_to(record, line, ply, &at);
            text_add(out, "\n変化：%d手\n", at.number);
            write_words(variation->comment, NULL, &at, out);
            write_line(record, i, is_kif, &at, out);
            if (variation->ending)
                write_variation_end(variation->ending, handicap, is_kif, &at, out);
            write_variations(record, i, handicap, is_kif, out);
        }
    }
}

// Programs that read a name of KIF's list need no board; of the others some know the name, all the board.
static void write_start(const Position *start, int handicap, Text *out)
{
    static const char *const COMMON[] = {"平手",     "香落ち",   "右香落ち", "角落ち",
                                         "飛車落ち", "飛香落ち", "二枚落ち", "四枚落ち",
                                         "六枚落ち", "八枚落ち", "十枚落ち", NULL};
    const char *name = handicap < HANDICAP_NB ? handicap_name(handicap) : NULL;
    if (name)
        text_add(out, "手合割：%s\n", name);
    if (!name || !starts_with_any(span_of(name), COMMON))
        kif_write_board(start, out);
}

static void write_game(const Record *record, bool is_kif, Text *out)
{
    int handicap = handicap_of(&record->start);
    kif_write_tags(record, handicap, out);
    write_start(&record->start, handicap, out);
    if (is_kif)
        text_add(out, "手数----指手---------消費時間--\n");
    KifLine at = {.pos = record->start, .last_to = -1, .number = 1};
    write_words(record->comment, record->bookmark, &at, out);
    write_line(record, RECORD_MAIN, is_kif, &at, out);
    const Ending *ending = ending_of(record, at.pos.side);
    int winner = result_winner(record->result);
    if (is_kif && ending)
        kif_write_ending(ending, record->end_ms, &at, out);
    // Without a word of the file the ending is a guess: who won is not.
    bool is_guess = !record->result_word[0] && record->reason == REASON_NONE && winner >= 0;
    if (ending || winner >= 0)
        write_summary(is_guess ? NULL : ending, winner, at.pos.side, record->move_nb, handicap, out);
    write_variations(record, RECORD_MAIN, handicap, is_kif, out);
}

void kif_write(const Record *record, Text *out)
{
    text_add(out, "#KIF version=2.0 encoding=UTF-8\n");
    write_game(record, true, out);
}

void ki2_write(const Record *record, Text *out)
{
    if (out->len)
        text_add(out, "\n"); // between games
    write_game(record, false, out);
}
