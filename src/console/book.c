// SPDX-License-Identifier: GPL-3.0-or-later
// The command `book`: `book make` builds an opening book from game files, `book show` tells what a book plays
// in a position. The format of the book is the game's own.
#include "base/cli.h"
#include "console/console.h"
#include "games/knowledge.h"
#include "games/notation.h"
#include "games/record.h"
#include "session/phrases.h"

enum { FILE_MAX = 1 << 30, DEFAULT_MAX_PLY = 40, DEFAULT_MIN_GAMES = 2 };

// ---- make ---------------------------------------------------------------------------------------
// Adds the games of one file; how many, or -1 when it can't be read.
static int add_file(FILE *err, BookMaker *maker, const char *path, int max_ply, Message *message)
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
        if (record.error.text[0]) {
            fprintf(err, said("%s: game %d: %s; the moves before it are used\n"), message_of(path).text,
                    number + 1, record.error.text);
        }
        if (record.move_nb == 0)
            continue;
        book_maker_add(maker, &record, max_ply);
        game_nb++;
    }
    record_free(&record);
    text_free(&text);
    return game_nb;
}

typedef struct MakeOptions {
    const char *output;
    int max_ply, min_games;
} MakeOptions;

static const CliOption MAKE_OPTIONS[] = {
    {"output", 'o', CLI_TEXT, offsetof(MakeOptions, output), 0, 0, "BOOK", "the book to write", NULL},
    {"max-ply", 'p', CLI_INT, offsetof(MakeOptions, max_ply), 1, 1000, "N",
     "only the first N half-moves of each game", NULL},
    {"min-games", 'g', CLI_INT, offsetof(MakeOptions, min_games), 1, 1000000, "N",
     "only moves played in at least N games", NULL},
};

// Makes the book that was asked for of the games of the files.
static int make_book(const CliCommand *command, const MakeOptions *options, const CliFiles *files)
{
    Message message = {0};
    int game_nb = 0, code = EXIT_DONE;
    for (int i = 0; i < files->nb; i++) {
        if (!os_same_file(options->output, files->path[i]))
            continue;
        message_set(&message, "'%s' is one of the game files: name another file for the book",
                    options->output);
        return cli_failed(command, message.text);
    }
    BookMaker *maker = book_maker_new();
    if (!maker)
        return cli_failed(command, "not enough memory");
    for (int i = 0; i < files->nb; i++) {
        int nb = add_file(command->err, maker, files->path[i], options->max_ply, &message);
        if (nb < 0)
            code = cli_failed(command, message.text);
        game_nb += max_int(nb, 0);
    }
    if (!book_maker_finish(maker, options->output, options->min_games, &message))
        return cli_failed(command, message.text);
    fprintf(command->out, said("%s: from %d game%s.\n"), message_of(options->output).text, game_nb,
            game_nb == 1 ? "" : "s");
    return code;
}

static int make(int argc, char **argv, FILE *out, FILE *err)
{
    const CliCommand command = {
        .name = "twofold-" GAME_NAME " book",
        .about = "Usage: twofold-" GAME_NAME
                 " book make -o BOOK FILE...\nBuilds an opening book from the games of the files.",
        .table = &(const CliTable){MAKE_OPTIONS, sizeof MAKE_OPTIONS / sizeof MAKE_OPTIONS[0]},
        .table_nb = 1,
        .operand_max = CLI_FILES_MAX,
        .out = out,
        .err = err,
        .speaks = true,
    };
    MakeOptions options = {.max_ply = DEFAULT_MAX_PLY, .min_games = DEFAULT_MIN_GAMES};
    CliFiles files;
    int code;
    if (!cli_read(&command, argc, argv, &options, &files, &code))
        return code;
    if (!options.output || files.nb == 0)
        return cli_misused(&command, options.output ? "the game files are missing"
                                                    : "the book to write is missing: -o BOOK");
    return make_book(&command, &options, &files);
}

// ---- show ---------------------------------------------------------------------------------------
static bool play_moves(Game *game, const char *moves, Message *message)
{
    Span rest = span_of(moves);
    for (Span word = span_word(&rest); word.len; word = span_word(&rest)) {
        Span text = move_number_skip(word);
        if (text.len == 0)
            continue;
        Move move = move_parse_human(&game->pos, text);
        if (move == MOVE_NONE)
            return message_set(message, "'%.*s' is no legal move after %d moves",
                               (int)(word.len < 40 ? word.len : 40), word.ptr, game->move_nb);
        if (!game_play(game, move))
            return message_set(message, "not enough memory");
    }
    return true;
}

static void print_moves(FILE *out, const Position *pos, const BookMove *move, int nb)
{
    u64 total = 0;
    Text row = {0};
    for (int i = 0; i < nb; i++)
        total += move[i].weight;
    if (nb == 0)
        fprintf(out, "%s", said("The book has no move here.\n"));
    for (int i = 0; i < nb; i++) {
        char words[MOVE_WORDS_MAX], protocol[MOVE_TEXT_MAX];
        move_print_words(pos, MOVE_NONE, move[i].move, language(), words);
        move_print(pos, move[i].move, protocol);
        text_clear(&row);
        text_add_padded(&row, words, language() == LANGUAGE_JAPANESE ? 14 : 8);
        text_add(&row, " %-8s ", protocol);
        text_add(&row, said("weight %6u"), (unsigned)move[i].weight);
        text_add(&row, "  %5.1f%%", total ? 100.0 * move[i].weight / (double)total : 0.0);
        if (move[i].has_score)
            text_add(&row, said("  score %+d depth %d"), (int)move[i].score, (int)move[i].depth);
        fprintf(out, "%s\n", row.ptr ? row.ptr : "");
    }
    text_free(&row);
}

typedef struct ShowOptions {
    const char *position, *moves;
} ShowOptions;

static const CliOption SHOW_OPTIONS[] = {
    {"position", 'p', CLI_TEXT, offsetof(ShowOptions, position), 0, 0, "POSITION",
     "the position to look up (default: the start of the game)", NULL},
    {"moves", 'm', CLI_TEXT, offsetof(ShowOptions, moves), 0, 0, "MOVES",
     "moves to play from there, in one word or in quotes", NULL},
};

static int show_book(const CliCommand *command, const ShowOptions *options, const char *path)
{
    Message message = {0};
    Rules rules = rules_default();
    Game game = {0};
    BookMove move[BOOK_MOVES_MAX];
    const char *position = options->position ? options->position : GAME_START;
    if (game_set(&game, span_of(position), &rules, &message) == SET_REJECTED)
        return cli_failed(command, message.text);
    Book *book = book_open(path, &message);
    if (!book)
        return cli_failed(command, message.text);
    bool ok = play_moves(&game, options->moves, &message);
    if (ok)
        print_moves(command->out, &game.pos, move, book_probe(book, &game.pos, move));
    game_free(&game);
    book_close(book);
    return ok ? EXIT_DONE : cli_failed(command, message.text);
}

static int show(int argc, char **argv, FILE *out, FILE *err)
{
    const CliCommand command = {
        .name = "twofold-" GAME_NAME " book",
        .about = "Usage: twofold-" GAME_NAME " book show BOOK\nTells what a book plays in a position.",
        .table = &(const CliTable){SHOW_OPTIONS, sizeof SHOW_OPTIONS / sizeof SHOW_OPTIONS[0]},
        .table_nb = 1,
        .operand_max = 1,
        .out = out,
        .err = err,
        .speaks = true,
    };
    ShowOptions options = {.moves = ""};
    CliFiles operands;
    int code;
    if (!cli_read(&command, argc, argv, &options, &operands, &code))
        return code;
    return operands.nb ? show_book(&command, &options, operands.path[0])
                       : cli_misused(&command, "the book is missing");
}

int book_run(int argc, char **argv, FILE *out, FILE *err)
{
    const CliCommand command = {
        .name = "twofold-" GAME_NAME " book",
        .about = "Usage: twofold-" GAME_NAME " book make -o BOOK FILE...\n"
                 "       twofold-" GAME_NAME " book show BOOK [OPTIONS]\n"
                 "Opening books: made from game files, and looked into. Each answers to --help.",
        .out = out,
        .err = err,
        .speaks = true,
    };
    int code;
    if (argc > 1 && strcmp(argv[1], "make") == 0)
        return make(argc - 1, argv + 1, out, err);
    if (argc > 1 && strcmp(argv[1], "show") == 0)
        return show(argc - 1, argv + 1, out, err);
    cli_choose_language(argc, argv);
    if (argc > 1 && argv[1][0] != '-')
        return cli_misused(&command, "expected make or show");
    return cli_read(&command, argc, argv, NULL, NULL, &code)
               ? cli_misused(&command, "expected make or show first")
               : code;
}

int console_book_main(int argc, char **argv) { return book_run(argc, argv, stdout, stderr); }
