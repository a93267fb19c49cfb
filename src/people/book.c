// SPDX-License-Identifier: GPL-3.0-or-later
// The command `book`: `book make` builds an opening book from game files, `book show` tells what a book plays
// in a position. The format of the book is the game's own.
#include "people/arguments.h"
#include "people/course.h"
#include "people/people.h"
#include "people/words.h"

enum { FILE_MAX = 1 << 30, DEFAULT_MAX_PLY = 40, DEFAULT_MIN_GAMES = 2 };

// Where it speaks.
typedef struct Streams {
    FILE *out, *err;
} Streams;

static int fail(const Streams *streams, const char *text)
{
    fprintf(streams->err, "twofold-" GAME_NAME " book: %s\n", text);
    return 1;
}

static int misuse(const Streams *streams, const char *text)
{
    fprintf(streams->err, "twofold-" GAME_NAME " book: %s\nTry --help.\n", text);
    return 2;
}

static void print_help(const Streams *streams, const char *usage, const Argument *table, int table_nb)
{
    Text text = {0};
    text_add(&text, "%s\nOptions:\n", usage);
    arguments_help(table, table_nb, &text);
    fwrite(text.ptr, 1, text.len, streams->out);
    text_free(&text);
}

// ---- make ---------------------------------------------------------------------------------------
// Adds the games of one file; how many, or -1 when it can't be read.
static int add_file(const Streams *streams, BookMaker *maker, const char *path, int max_ply, Message *message)
{
    Text text = {0};
    Rules rules = rules_default();
    int game_nb = 0, number = 0;
    if (!text_read_file(&text, path, FILE_MAX, message)) {
        text_free(&text);
        return -1;
    }
    Span rest = text_span(&text);
    Record record = {0};
    for (; record_read(&rest, &rules, &record); number++) {
        if (record.error.text[0])
            fprintf(streams->err, "%s: game %d: %s; the moves before it are used\n", path, number + 1,
                    record.error.text);
        if (record.move_nb == 0)
            continue;
        book_maker_add(maker, &record, max_ply);
        game_nb++;
    }
    record_free(&record);
    text_free(&text);
    return game_nb;
}

static int make(const Streams *streams, int argc, char **argv)
{
    const char *output = NULL, *operand[ARGUMENT_OPERANDS_MAX];
    bool help = false;
    i64 max_ply = DEFAULT_MAX_PLY, min_games = DEFAULT_MIN_GAMES;
    const Argument table[] = {
        {"output", 'o', ARGUMENT_TEXT, &output, "BOOK", "the book to write", 0, 0},
        {"max-ply", 'p', ARGUMENT_INT, &max_ply, "N", "only the first N half-moves of each game (40)", 1,
         1000},
        {"min-games", 'g', ARGUMENT_INT, &min_games, "N", "only moves played in at least N games (2)", 1,
         1000000},
        {"help", 'h', ARGUMENT_FLAG, &help, NULL, "this text", 0, 0},
    };
    enum { TABLE_NB = sizeof table / sizeof table[0] };
    Message message = {0};
    int operand_nb, game_nb = 0, code = 0;
    if (!arguments_read(table, TABLE_NB, argc, argv, operand, ARGUMENT_OPERANDS_MAX, &operand_nb, &message))
        return misuse(streams, message.text);
    if (help) {
        print_help(streams,
                   "Usage: twofold-" GAME_NAME
                   " book make -o BOOK FILE...\nBuilds an opening book from the games of the files.\n",
                   table, TABLE_NB);
        return 0;
    }
    if (!output || operand_nb == 0)
        return misuse(streams,
                      output ? "the game files are missing" : "the book to write is missing: -o BOOK");
    for (int i = 0; i < operand_nb; i++) {
        if (!os_same_file(output, operand[i]))
            continue;
        message_set(&message, "'%s' is one of the game files: name another file for the book", output);
        return fail(streams, message.text);
    }
    BookMaker *maker = book_maker_new();
    if (!maker)
        return fail(streams, "not enough memory");
    for (int i = 0; i < operand_nb; i++) {
        int nb = add_file(streams, maker, operand[i], (int)max_ply, &message);
        if (nb < 0)
            code = fail(streams, message.text);
        game_nb += max_int(nb, 0);
    }
    if (!book_maker_finish(maker, output, (int)min_games, &message))
        return fail(streams, message.text);
    fprintf(streams->out, "%s: from %d game%s.\n", output, game_nb, game_nb == 1 ? "" : "s");
    return code;
}

// ---- show ---------------------------------------------------------------------------------------
static bool play_moves(Course *course, const char *moves, Message *message)
{
    Span rest = span_of(moves);
    for (Span word = span_word(&rest); word.len; word = span_word(&rest)) {
        Span text = course_without_number(word);
        if (text.len == 0)
            continue;
        Move move = move_parse_human(&course->pos, text);
        if (move == MOVE_NONE)
            return message_set(message, "'%.*s' is no legal move after %d moves",
                               (int)(word.len < 40 ? word.len : 40), word.ptr, course->move_nb);
        if (!course_play(course, move))
            return message_set(message, "not enough memory");
    }
    return true;
}

static void print_moves(FILE *out, const Position *pos, const BookMove *move, int nb)
{
    u64 total = 0;
    for (int i = 0; i < nb; i++)
        total += move[i].weight;
    if (nb == 0)
        fprintf(out, "The book has no move here.\n");
    for (int i = 0; i < nb; i++) {
        char human[64], protocol[MOVE_TEXT_MAX];
        move_print_human(pos, move[i].move, human);
        move_print(pos, move[i].move, protocol);
        fprintf(out, "%-8s %-8s weight %6u  %5.1f%%", human, protocol, (unsigned)move[i].weight,
                total ? 100.0 * move[i].weight / (double)total : 0.0);
        if (move[i].has_score)
            fprintf(out, "  score %+d depth %d", (int)move[i].score, (int)move[i].depth);
        fprintf(out, "\n");
    }
}

static int show(const Streams *streams, int argc, char **argv)
{
    const char *position = GAME_START, *moves = "", *path = NULL;
    bool help = false;
    const Argument table[] = {
        {"position", 'p', ARGUMENT_TEXT, &position, "POSITION",
         "the position to look up (the start of the game)", 0, 0},
        {"moves", 'm', ARGUMENT_TEXT, &moves, "MOVES", "moves to play from there, in one word or in quotes",
         0, 0},
        {"help", 'h', ARGUMENT_FLAG, &help, NULL, "this text", 0, 0},
    };
    enum { TABLE_NB = sizeof table / sizeof table[0] };
    Message message = {0};
    Rules rules = rules_default();
    Position start;
    Course course = {0};
    BookMove move[BOOK_MOVES_MAX];
    int operand_nb;
    if (!arguments_read(table, TABLE_NB, argc, argv, &path, 1, &operand_nb, &message))
        return misuse(streams, message.text);
    if (help) {
        print_help(streams,
                   "Usage: twofold-" GAME_NAME " book show BOOK\nTells what a book plays in a position.\n",
                   table, TABLE_NB);
        return 0;
    }
    if (operand_nb == 0)
        return misuse(streams, "the book is missing");
    if (course_position(&start, span_of(position), &rules, &message) == SET_REJECTED)
        return fail(streams, message.text);
    Book *book = book_open(path, &message);
    if (!book)
        return fail(streams, message.text);
    course_start(&course, &start);
    bool ok = play_moves(&course, moves, &message);
    if (ok)
        print_moves(streams->out, &course.pos, move, book_probe(book, &course.pos, move));
    course_free(&course);
    book_close(book);
    return ok ? 0 : fail(streams, message.text);
}

int book_run(int argc, char **argv, FILE *out, FILE *err)
{
    const Streams streams = {out, err};
    if (argc > 1 && strcmp(argv[1], "make") == 0)
        return make(&streams, argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "show") == 0)
        return show(&streams, argc - 1, argv + 1);
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fprintf(out, "Usage: twofold-" GAME_NAME " book make -o BOOK FILE...\n"
                     "       twofold-" GAME_NAME " book show BOOK [OPTIONS]\n"
                     "Opening books: made from game files, and looked into. Each answers to --help.\n");
        return 0;
    }
    return misuse(&streams, argc > 1 ? "expected make or show" : "make or show?");
}

int people_book_main(int argc, char **argv) { return book_run(argc, argv, stdout, stderr); }
