// SPDX-License-Identifier: GPL-3.0-or-later
// Names of openings: every row of the table is found by its moves, and by its position when the moves come in
// another order.
#include "games/opening_table.h"
#include "games/record.h"
#include "helpers.h"

enum { NAME_BYTES = 256, LINE_BYTES = 512 };

// A row taken apart without the code that is tested.
typedef struct Expected {
    char moves[LINE_BYTES]; // all of them
    char code[8], name[NAME_BYTES], name_ja[NAME_BYTES];
    int move_nb;
} Expected;

// Keeps so many words of the text.
static void keep_words(char *text, int nb)
{
    while (*text && nb > 0) {
        text += strcspn(text, " ");
        nb--;
        text += nb > 0 && *text == ' ';
    }
    *text = '\0';
}

static void take_row(Span line, Expected *row)
{
    Span moves = take_field(&line, '|'), code = take_field(&line, '|');
    const char *bar = memchr(line.ptr, '|', line.len);
    Span name = {line.ptr, bar ? (size_t)(bar - line.ptr) : line.len}; // with its blanks
    i64 kept = -1, shared = -1;
    CHECK(span_int(span_word(&moves), 0, 99, &kept) && span_int(span_word(&name), 0, 200, &shared));
    CHECK(kept <= row->move_nb && shared <= (i64)strlen(row->name));
    keep_words(row->moves, (int)kept);
    row->move_nb = (int)kept;
    for (Span word; (word = span_word(&moves)).len; row->move_nb++) {
        size_t len = strlen(row->moves);
        snprintf(row->moves + len, LINE_BYTES - len, "%s%.*s", len ? " " : "", (int)word.len, word.ptr);
    }
    snprintf(row->name + shared, NAME_BYTES - (size_t)shared, "%.*s", (int)name.len - 1, name.ptr + 1);
    if (code.len)
        span_copy(code, row->code, sizeof row->code);
    row->name_ja[0] = '\0';
    if (bar)
        span_copy((Span){bar + 1, (size_t)(line.ptr + line.len - bar - 1)}, row->name_ja,
                  sizeof row->name_ja);
}

// Plays moves in the notation of the table.
static void play_human(Game *game, const char *moves)
{
    Span rest = span_of(moves);
    for (Span word; (word = span_word(&rest)).len;) {
        Move move = move_parse_human(&game->pos, word);
        CHECK_THAT(move != MOVE_NONE, "'%.*s' is not legal in '%s'", (int)word.len, word.ptr, moves);
        if (move != MOVE_NONE)
            game_play(game, move);
    }
}

static void check_row(const Expected *row)
{
    Game game = game_from(GAME_START, NULL);
    Record record = {0};
    Opening opening = {0}, again = {0};
    play_human(&game, row->moves);
    CHECK_THAT(opening_name(&game, &opening), "'%s' has no name", row->moves);
    CHECK_TEXT(opening.name, row->name);
    CHECK_TEXT(opening.name_ja, row->name_ja);
    CHECK_TEXT(opening.code, row->code);
    CHECK_INT(opening.ply, row->move_nb);
    CHECK_INT(game.move_nb, row->move_nb);
    CHECK(record_of_game(&record, &game) && record_opening(&record, &again));
    CHECK_TEXT(again.name, row->name);
    // A position alone has its name too.
    Game placed = game_from(text_of(&game.pos), NULL);
    CHECK(opening_name(&placed, &again));
    CHECK_TEXT(again.name, row->name);
    game_free(&placed);
    record_free(&record);
    game_free(&game);
}

static void test_rows(void)
{
    CASE("every row of the table has its own name, by its moves and by its position");
    Span rest = span_of(OPENING_TABLE.rows), line;
    Expected row = {0};
    int nb = 0;
    for (; span_line(&rest, &line); nb++) {
        take_row(line, &row);
        if (!test_is_light() || nb % 16 == 0)
            check_row(&row);
    }
    CHECK_THAT(nb >= (strcmp(GAME_NAME, "chess") == 0 ? 3000 : 16), "only %d rows", nb);
}

static void test_none(void)
{
    CASE("a game without a move, and one that leaves the table at once, have no name");
    Opening opening = {.name = "old"};
    Game game = game_from(GAME_START, NULL);
    CHECK(!opening_name(&game, &opening));
    CHECK_TEXT(opening.name, "");
    Rng rng = {5};
    for (int i = 0; i < 80; i++) {
        Move move = random_move(&game.pos, &rng);
        if (move == MOVE_NONE || !game_play(&game, move))
            break;
    }
    Opening before = {0}, after = {0};
    bool has_name = opening_name(&game, &before);
    game_undo(&game, game.move_nb - before.ply);
    CHECK(opening_name(&game, &after) == has_name);
    CHECK_TEXT(after.name, before.name);
    CHECK_INT(after.ply, before.ply);
    game_free(&game);

    CASE("positions that are nowhere in the table have none");
    Position pos;
    for (int i = 0; i < 2000; i++) {
        if (!random_position(&rng, 60, &pos))
            continue;
        Opening none = {0};
        CHECK_THAT(!opening_of_moves(&pos, NULL, sizeof(Move), 0, &none), "%s is called %s", text_of(&pos),
                   none.name);
    }
}

static void *ask_name(void *argument)
{
    Opening *opening = argument;
    Position pos = position_of(GAME_START);
    opening_of_moves(&pos, NULL, sizeof(Move), 0, opening);
    return NULL;
}

void test_opening_names(void)
{
    CASE("several threads ask at once");
    Thread thread[4];
    Opening opening[4] = {0};
    for (int i = 0; i < 4; i++)
        CHECK(os_thread_start(&thread[i], ask_name, &opening[i]));
    for (int i = 0; i < 4; i++)
        os_thread_join(thread[i]);
    test_rows();
    test_none();
}
