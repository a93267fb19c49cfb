// SPDX-License-Identifier: GPL-3.0-or-later
// See json_game.h.
#include "web/json_game.h"

#include "analysis/analysis.h"
#include "games/words.h"
#include "session/options.h"
#include "session/phrases.h"
#include "web/json_record.h"

enum { SHOWN = 64 };

static int shown_len(Span text) { return text.len < SHOWN ? (int)text.len : SHOWN; }

// ---- the game of a request ----------------------------------------------------------------------
// The rules that chess960 asks for, in games that know it.
static bool read_rules(Request *request, Rules *rules)
{
    bool chess960 = false;
    Message message = {0};
    if (!request_field(request, "chess960"))
        return true;
    if (!request_bool(request, "chess960", &chess960))
        return false;
    OptionResult set =
        option_set_rule(rules, span_of("UCI_Chess960"), span_of(chess960 ? "true" : "false"), &message);
    return set == OPTION_DONE || (set == OPTION_UNKNOWN && !chess960) ||
           request_fail(request, "bad_value", "chess960: this game has no such rule");
}

static bool read_start(Request *request, Game *game)
{
    Span text = span_of("startpos");
    Rules rules = request->lines->rules;
    Message message = {0};
    if (!read_rules(request, &rules) || !request_string(request, "start", &text))
        return false;
    SetResult set = game_set(game, text, &rules, &message);
    if (set == SET_REJECTED)
        return request_fail(request, "illegal", "start: %s", message.text);
    if (set == SET_REPAIRED)
        request_note(request, message.text);
    return true;
}

static bool play_moves(Request *request, const JsonValue *moves, Game *game)
{
    int number = 1;
    if (moves && moves->type != JSON_ARRAY)
        return request_fail(request, "bad_value", "moves: expected an array of moves, not %s",
                            json_type_name(moves->type));
    for (const JsonValue *word = json_first(&request->json, moves); word;
         word = json_next(&request->json, word), number++) {
        if (word->type != JSON_STRING)
            return request_fail(request, "bad_value", "moves: expected a string as move %d, not %s", number,
                                json_type_name(word->type));
        Move move = move_parse(&game->pos, word->text);
        if (words_is_pass(word->text) && !pos_in_check(&game->pos))
            move = MOVE_NULL;
        if (move == MOVE_NONE)
            return request_fail(request, "illegal", "moves: '%.*s', move %d, is not legal there",
                                shown_len(word->text), word->text.ptr, number);
        if (!game_play(game, move))
            return request_fail(request, "failed", "no memory for the game");
    }
    return true;
}

bool game_take_fields(Request *request)
{
    const JsonValue *moves = request_field(request, "moves");
    JsonLines *lines = request->lines;
    Game game = {0};
    if (!moves && !request_field(request, "start") && !request_field(request, "chess960"))
        return true;
    if (!read_start(request, &game) || !play_moves(request, moves, &game)) {
        game_free(&game);
        return false;
    }
    game_free(&lines->game);
    lines->game = game;
    return true;
}

// ---- names of moves -----------------------------------------------------------------------------
Move last_move(const Game *game) { return game->move_nb ? game->move[game->move_nb - 1] : MOVE_NONE; }

LineStyle line_style(const Request *request, bool is_human, Move last)
{
    return (LineStyle){.is_human = is_human,
                       .is_japanese = is_human && request->in == LANGUAGE_JAPANESE,
                       .is_json = true,
                       .last = last};
}

void put_move_names(const Request *request, JsonWriter *json, const char *name, const char *human_name,
                    const Position *pos, Move last, Move move)
{
    char text[MOVE_TEXT_MAX], human[MOVE_WORDS_MAX];
    if (move == MOVE_NONE) {
        json_put_null(json, name);
        json_put_null(json, human_name);
        return;
    }
    move_print(pos, move, text);
    move_print_words(pos, last, move, request->in, human);
    json_put_text(json, name, text);
    json_put_text(json, human_name, human);
}

// ---- state --------------------------------------------------------------------------------------
static void put_board(JsonWriter *json, const Position *pos)
{
    int width = 1;
    char name[4], piece[4];
    while (width * width < SQUARE_NB)
        width++;
    json_open_object(json, "board");
    json_put_int(json, "files", width);
    json_put_int(json, "ranks", SQUARE_NB / width);
    json_open_object(json, "squares");
    for (int row = 0; row < SQUARE_NB / width; row++)
        for (int column = 0; column < width; column++) {
            int sq = PROTOCOL_WORDS.square_at(row, column);
            PROTOCOL_WORDS.square_print(sq, name);
            PROTOCOL_WORDS.piece_print(pos, sq, piece);
            if (piece[0])
                json_put_text(json, name, piece);
        }
    json_close_object(json);
    if (PROTOCOL_WORDS.hand_count) {
        json_open_array(json, "hands");
        for (int side = 0; side < SIDE_NB; side++) {
            json_open_object(json, NULL);
            for (int i = 0, nb; (nb = PROTOCOL_WORDS.hand_count(pos, side, i, piece)) >= 0; i++)
                if (nb > 0)
                    json_put_int(json, piece, nb);
            json_close_object(json);
        }
        json_close_array(json);
    }
    json_close_object(json);
}

static const char *result_word(GameResult result)
{
    return result == RESULT_FIRST_WINS ? "1-0" : result == RESULT_SECOND_WINS ? "0-1" : "1/2-1/2";
}

static void put_outcome(JsonWriter *json, const Game *game)
{
    Verdict verdict = game_verdict(game);
    if (verdict.outcome == OUTCOME_NONE) {
        json_put_null(json, "outcome");
        return;
    }
    GameResult result = result_of_outcome(verdict.outcome, pos_side(&game->pos));
    int winner = result_winner(result);
    char text[2 * PHRASE_MAX];
    if (winner < 0)
        snprintf(text, sizeof text, "Draw: %s.", phrase_reason(verdict));
    else
        snprintf(text, sizeof text, "%s wins: %s.", phrase_side(winner), phrase_reason(verdict));
    json_open_object(json, "outcome");
    json_put_text(json, "result", result_word(result));
    if (winner < 0)
        json_put_null(json, "winner");
    else
        json_put_int(json, "winner", winner);
    json_put_text(json, "reason", record_reason_key(verdict.reason));
    json_put_text(json, "text", text);
    json_close_object(json);
}

// The moves of the game in both spellings. A pass has no name among people.
static void put_moves(const Request *request, JsonWriter *json, const Game *game)
{
    Position pos = game->start;
    char text[MOVE_WORDS_MAX];
    json_open_array(json, "moves");
    for (int i = 0; i < game->move_nb; i++) {
        move_print(&pos, game->move[i], text);
        json_put_text(json, NULL, text);
        pos = pos_after(&pos, game->move[i]);
    }
    json_close_array(json);
    json_put_text(json, "last", game->move_nb ? text : NULL);
    pos = game->start;
    json_open_array(json, "text");
    for (int i = 0; i < game->move_nb; i++) {
        if (game->move[i] == MOVE_NULL)
            move_print(&pos, game->move[i], text);
        else
            move_print_words(&pos, i ? game->move[i - 1] : MOVE_NONE, game->move[i], request->in, text);
        json_put_text(json, NULL, text);
        pos = pos_after(&pos, game->move[i]);
    }
    json_close_array(json);
}

static void put_legal(JsonWriter *json, const Position *pos)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    char text[MOVE_TEXT_MAX];
    json_open_array(json, "legal");
    for (const Move *move = list; move < end; move++) {
        move_print(pos, *move, text);
        json_put_text(json, NULL, text);
    }
    json_close_array(json);
}

void run_state(Request *request)
{
    const Game *game = request_game(request);
    const Position *pos = &game->pos;
    char start[TEXT_MAX], now[TEXT_MAX];
    Reply reply;
    JsonWriter *json = &reply.json;
    pos_print(&game->start, start);
    pos_print(pos, now);
    reply_begin(&reply, request, NULL);
    json_put_text(json, "start", start);
    json_put_text(json, "fen", now);
    json_put_int(json, "side", pos_side(pos));
    json_put_int(json, "ply", game->move_nb);
    json_put_bool(json, "check", pos_in_check(pos));
    put_moves(request, json, game);
    put_legal(json, pos);
    put_outcome(json, game);
    if (pos_can_declare(pos)) {
        char text[PHRASE_MAX];
        snprintf(text, sizeof text, "%s may declare a win.", phrase_side(pos_side(pos)));
        json_put_text(json, "may_claim", text);
    } else {
        json_put_null(json, "may_claim");
    }
    put_opening(json, "opening", game);
    put_castles(json, pos);
    put_board(json, pos);
    request_send_answer(request, &reply);
}

// ---- moves --------------------------------------------------------------------------------------
// A move in all its parts. Both protocols write a square with two characters, a drop as P*5e, and what a
// piece becomes behind the squares.
static void put_move(const Request *request, JsonWriter *json, const Game *game, Move move)
{
    const Position *pos = &game->pos;
    char text[MOVE_TEXT_MAX];
    move_print(pos, move, text);
    const bool is_drop = text[1] == '*';
    json_open_object(json, NULL);
    put_move_names(request, json, "move", "text", pos, last_move(game), move);
    if (is_drop)
        json_put_null(json, "from");
    else
        json_put_string(json, "from", (Span){text, 2});
    json_put_string(json, "to", (Span){text + 2, 2});
    json_put_text(json, "promotion", text[4] ? text + 4 : NULL);
    if (is_drop)
        json_put_string(json, "drop", (Span){text, 1});
    else
        json_put_null(json, "drop");
    json_put_bool(json, "capture", move_captured(pos, move) != 0);
    json_put_bool(json, "check", move_gives_check(pos, move));
    json_close_object(json);
}

static bool starts_at(const Position *pos, Move move, Span square)
{
    char text[MOVE_TEXT_MAX];
    move_print(pos, move, text);
    return memcmp(text, square.ptr, 2) == 0; // also P*, the pieces in hand
}

// Can a move begin there? On a square, or with a piece in hand, as in P*.
static bool is_origin(const Position *pos, Span text)
{
    char name[4];
    for (int sq = 0; text.len == 2 && sq < SQUARE_NB; sq++) {
        PROTOCOL_WORDS.square_print(sq, name);
        if (span_is(text, name))
            return true;
    }
    for (int i = 0; PROTOCOL_WORDS.hand_count && PROTOCOL_WORDS.hand_count(pos, 0, i, name) >= 0; i++)
        if (text.len == 2 && text.ptr[0] == name[0] && text.ptr[1] == '*')
            return true;
    return false;
}

void run_legal(Request *request)
{
    const Game *game = request_game(request);
    const Position *pos = &game->pos;
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    Span square = {0};
    Reply reply;
    if (!request_string(request, "square", &square))
        return;
    if (square.ptr && !is_origin(pos, square)) {
        request_fail(request, "bad_value", "square: expected two characters, as a move begins");
        return;
    }
    reply_begin(&reply, request, NULL);
    json_open_array(&reply.json, "moves");
    for (const Move *move = list; move < end; move++)
        if (!square.ptr || starts_at(pos, *move, square))
            put_move(request, &reply.json, game, *move);
    json_close_array(&reply.json);
    request_send_answer(request, &reply);
}

void run_parse(Request *request)
{
    const Game *game = request_game(request);
    Span typed = {0};
    Message message = {0};
    Reply reply;
    if (!request_string(request, "text", &typed))
        return;
    if (!typed.ptr) {
        request_fail(request, "bad_request", "text: a move is missing");
        return;
    }
    if (memchr(typed.ptr, '\0', typed.len)) {
        request_fail(request, "bad_value", "text: there is a zero byte in it");
        return;
    }
    Move move = move_parse_typed(game, typed, &message);
    if (move == MOVE_NONE) {
        request_fail(request, "illegal", "%s", message.text);
        return;
    }
    reply_begin(&reply, request, NULL);
    put_move_names(request, &reply.json, "move", "text", &game->pos, last_move(game), move);
    request_send_answer(request, &reply);
}

// ---- positions by hand --------------------------------------------------------------------------
void run_setup(Request *request)
{
    Span text = {0};
    Reply reply;
    if (!request_string(request, "fen", &text))
        return;
    if (!text.ptr) {
        request_fail(request, "bad_request", "fen: the text of a position is missing");
        return;
    }
    const SetupVerdict verdict = setup_judge(text, &request->lines->rules);
    reply_begin(&reply, request, NULL);
    json_put_bool(&reply.json, "legal", verdict.is_legal);
    if (verdict.is_legal) {
        json_put_text(&reply.json, "fen", verdict.text);
        json_put_text(&reply.json, "note", verdict.note.text[0] ? verdict.note.text : NULL);
    } else {
        json_put_text(&reply.json, "reason", verdict.note.text);
    }
    request_send_answer(request, &reply);
}
