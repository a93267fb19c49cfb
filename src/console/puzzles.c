// SPDX-License-Identifier: GPL-3.0-or-later
// Puzzles: positions with a best move (bm) or a mate (dm), as `analyse --puzzles` writes them, asked one
// after the other. A mate that is as short as the one asked for is right whatever its first move; what was
// missed is asked again after the others. Invariant: a puzzle is counted once, at its first try.
#include "console/puzzles.h"

#include <stdlib.h>

#include "games/notation.h"
#include "games/record.h"
#include "session/phrases.h"
#include "session/session.h"

enum { FILE_MAX = 1 << 26, CHECK_NODES = 400000, PUZZLES_MAX = 100000 };

typedef struct Puzzle {
    Record record;
    Move best[8];
    int best_nb;
    int mate; // in so many moves; 0: none is asked for
    bool is_missed, is_solved;
} Puzzle;

typedef struct Puzzles {
    const PlayOptions *options;
    FILE *in, *out;
    Session session;
    Puzzle *puzzle;
    int nb, capacity, left_out_nb;
    int asked_nb, first_nb; // asked for the first time; and solved then
    bool is_over;
} Puzzles;

// ---- reading ------------------------------------------------------------------------------------
static Span task_word(Span *rest)
{
    Span word = span_word(rest);
    while (word.len && (word.ptr[word.len - 1] == ',' || word.ptr[word.len - 1] == ';'))
        word.len--;
    return word;
}

// What the position asks for; false when that is nothing, or nothing that can be found.
static bool read_task(Puzzle *puzzle)
{
    const Record *record = &puzzle->record;
    const char *best = record_tag(record, "bm"), *mate = record_tag(record, "dm");
    i64 moves = 0;
    Span rest = span_of(best ? best : "");
    if (record->error.text[0] || record->move_nb)
        return false;
    for (Span word; (word = task_word(&rest)).len && puzzle->best_nb < 8;) {
        Move move = move_parse_human(&record->start, word);
        if (move != MOVE_NONE)
            puzzle->best[puzzle->best_nb++] = move;
    }
    if (mate && span_int(span_of(mate), 1, 500, &moves))
        puzzle->mate = (int)moves;
    return puzzle->best_nb || puzzle->mate;
}

static bool add_puzzle(Puzzles *puzzles, Puzzle *puzzle)
{
    if (puzzles->nb == puzzles->capacity) {
        int capacity = puzzles->capacity ? 2 * puzzles->capacity : 64;
        Puzzle *grown =
            capacity > PUZZLES_MAX ? NULL : realloc(puzzles->puzzle, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        puzzles->puzzle = grown;
        puzzles->capacity = capacity;
    }
    puzzles->puzzle[puzzles->nb++] = *puzzle;
    return true;
}

static bool load(Puzzles *puzzles, const char *path, Message *message)
{
    Text text = {0};
    bool ok = text_read_file(&text, path, FILE_MAX, message);
    Span rest = text_span(&text);
    for (Puzzle puzzle = {0}; ok && record_read(&rest, &puzzles->session.rules, &puzzle.record);
         puzzle = (Puzzle){0}) {
        if (read_task(&puzzle)) {
            ok = add_puzzle(puzzles, &puzzle) || message_set(message, "'%s' has too many puzzles", path);
        } else {
            puzzles->left_out_nb++;
            record_free(&puzzle.record);
        }
    }
    if (ok && !puzzles->nb)
        ok = message_set(
            message, "there is no puzzle in '%s': a position with bm or dm, as analyse --puzzles writes them",
            path);
    text_free(&text);
    return ok;
}

// ---- judging ------------------------------------------------------------------------------------
// Does the move mate at once, or as soon as asked for, whatever is answered?
static bool mates_in_time(Puzzles *puzzles, const Puzzle *puzzle, Move move)
{
    Session *session = &puzzles->session;
    Game *game = &session->game;
    SearchControl control;
    SearchResult result;
    Message message;
    game_start(game, &puzzle->record.start);
    if (!game_play(game, move))
        return false;
    Verdict verdict = game_verdict(game);
    if (verdict.outcome != OUTCOME_NONE || puzzle->mate <= 1)
        return verdict.outcome == OUTCOME_LOSS && verdict.reason == REASON_MATE;
    const int plies = 2 * (puzzle->mate - 1);
    const Limits limits = {.nodes = CHECK_NODES, .mate = plies};
    engine_new_game(session->engine);
    control_init(&control, &limits, os_now_us());
    bool ok = search_run(session->engine, game, &control, &(SearchEvents){0}, &result, &message);
    control_free(&control);
    return ok && score_is_mate(result.score) && result.score < 0 && -score_mate_plies(result.score) <= plies;
}

static bool is_right(Puzzles *puzzles, const Puzzle *puzzle, Move move)
{
    for (int i = 0; i < puzzle->best_nb; i++)
        if (puzzle->best[i] == move)
            return true;
    return mates_in_time(puzzles, puzzle, move);
}

// ---- asking -------------------------------------------------------------------------------------
static void show(const Puzzles *puzzles, const Puzzle *puzzle, int number)
{
    const PlayOptions *options = puzzles->options;
    const Position *pos = &puzzle->record.start;
    const BoardStyle style = {.colour = options->colour,
                              .unicode = options->unicode,
                              .flip = pos_side(pos) != 0,
                              .columns = options->on_screen ? os_terminal_width() : 0};
    Text text = {0};
    board_draw(pos, style, &text);
    fprintf(puzzles->out, "\n%s", text.ptr ? text.ptr : "");
    fprintf(puzzles->out,
            said(puzzle->is_missed ? "Again, puzzle %d of %d: %s to move" : "Puzzle %d of %d: %s to move"),
            number, puzzles->nb, side_words(pos, pos_side(pos)));
    if (puzzle->mate)
        fprintf(puzzles->out, said(" and mate in %d"), phrase_mate_length(2 * puzzle->mate - 1, language()));
    fprintf(puzzles->out, "%s", said(".\n"));
    text_free(&text);
}

static void tell_solution(const Puzzles *puzzles, const Puzzle *puzzle)
{
    char move[MOVE_WORDS_MAX];
    const char *line = record_tag(&puzzle->record, "c0"), *id = record_tag(&puzzle->record, "id");
    if (puzzle->best_nb) {
        move_print_words(&puzzle->record.start, MOVE_NONE, puzzle->best[0], language(), move);
        fprintf(puzzles->out, said("The move is %s.%s%s\n"), move, line ? " " : "", line ? line : "");
    }
    if (id)
        fprintf(puzzles->out, "(%s)\n", id);
}

static void ask(Puzzles *puzzles, int index)
{
    Puzzle *puzzle = &puzzles->puzzle[index];
    Game game = {0};
    Text line = {0};
    const bool is_first = !puzzle->is_missed;
    bool is_answered = false;
    game_start(&game, &puzzle->record.start);
    show(puzzles, puzzle, index + 1);
    while (!is_answered && !puzzles->is_over) {
        Message message = {0};
        fprintf(puzzles->out, "> ");
        fflush(puzzles->out);
        os_input_wanted();
        if (!text_read_line(&line, puzzles->in)) {
            puzzles->is_over = true;
            break;
        }
        Span typed = span_trim(text_span(&line));
        if (!typed.len)
            continue;
        if (span_is_nocase(typed, "quit") || span_is_nocase(typed, "exit") || span_is(typed, "終了")) {
            puzzles->is_over = true;
            break;
        }
        if (span_is_nocase(typed, "help") || span_is(typed, "説明")) {
            fprintf(puzzles->out, "%s", said("Type the move. show tells it, quit ends.\n"));
            continue;
        }
        const bool gives_up =
            span_is_nocase(typed, "show") || span_is_nocase(typed, "skip") || span_is(typed, "正解");
        Move move = gives_up ? MOVE_NONE : move_parse_typed(&game, typed, &message);
        if (!gives_up && move == MOVE_NONE) {
            fprintf(puzzles->out, "%s\n", message.text);
            continue;
        }
        is_answered = true;
        puzzle->is_solved = !gives_up && is_right(puzzles, puzzle, move);
        puzzles->asked_nb += is_first;
        puzzles->first_nb += is_first && puzzle->is_solved;
        puzzle->is_missed |= !puzzle->is_solved;
        fprintf(puzzles->out, "%s\n",
                said(puzzle->is_solved ? "Right."
                     : gives_up        ? "It comes again."
                                       : "No. It comes again."));
        if (puzzle->is_solved || gives_up)
            tell_solution(puzzles, puzzle);
    }
    text_free(&line);
    game_free(&game);
}

static void ask_all(Puzzles *puzzles)
{
    for (bool is_left = true; is_left && !puzzles->is_over;) {
        is_left = false;
        for (int i = 0; i < puzzles->nb && !puzzles->is_over; i++) {
            if (puzzles->puzzle[i].is_solved)
                continue;
            ask(puzzles, i);
            is_left |= !puzzles->puzzle[i].is_solved;
        }
    }
}

int puzzles_run(FILE *in, FILE *out, FILE *err, const PlayOptions *options)
{
    Puzzles puzzles = {.options = options, .in = in, .out = out};
    Message message = {0};
    bool ok = session_init(&puzzles.session) || message_set(&message, "not enough memory");
    ok = ok && load(&puzzles, options->puzzles_path, &message);
    if (ok) {
        fprintf(out, said("%d puzzle%s; help tells the commands.\n"), puzzles.nb, puzzles.nb == 1 ? "" : "s");
        if (puzzles.left_out_nb)
            fprintf(out, said("%d could not be read, or ask for nothing.\n"), puzzles.left_out_nb);
        ask_all(&puzzles);
        if (puzzles.asked_nb)
            fprintf(out, said("\n%d of %d solved at the first try.\n"), puzzles.first_nb, puzzles.asked_nb);
    } else {
        fprintf(err, "twofold-" GAME_NAME " play: %s\n", message.text);
    }
    for (int i = 0; i < puzzles.nb; i++)
        record_free(&puzzles.puzzle[i].record);
    free(puzzles.puzzle);
    session_free(&puzzles.session);
    return ok ? 0 : 1;
}
