// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that show things to a person at the prompt: the board, the evaluation, the legal moves, help and
// version.
#include "protocol/show.h"

#include "games/notation.h"

static void list_moves(const Position *pos, const Move *list, const Move *end, Text *out)
{
    for (const Move *move = list; move < end; move++) {
        char text[MOVE_TEXT_MAX];
        move_print(pos, *move, text);
        text_add(out, " %s", text);
    }
}

void command_show(Protocol *protocol, Job *job, Span arguments)
{
    (void)job, (void)arguments;
    const Game *game = &protocol->session.game;
    static const char *const SIDES[SIDE_NB] = SIDE_NAMES;
    char text[TEXT_MAX];
    Text out = {0};
    Move last = game->move_nb ? game->move[game->move_nb - 1] : MOVE_NONE;
    board_draw(&game->pos, (BoardStyle){.last = last}, &out);
    pos_print(&game->pos, text);
    text_add(&out, "\n%s: %s\nKey: %016llX\n%s to move%s\n", PROTOCOL_WORDS.position_title, text,
             (unsigned long long)pos_key(&game->pos), SIDES[pos_side(&game->pos)],
             pos_in_check(&game->pos) ? ", in check" : "");
    text_add(&out, "Checkers:");
    for (int sq = 0; sq < SQUARE_NB; sq++)
        if (PROTOCOL_WORDS.is_checker(&game->pos, sq)) {
            char name[4];
            PROTOCOL_WORDS.square_print(sq, name);
            text_add(&out, " %s", name);
        }
    text_add(&out, "\n");
    say_text(&protocol->out, &out);
    text_free(&out);
}

void command_moves(Protocol *protocol, Job *job, Span arguments)
{
    (void)job, (void)arguments;
    const Position *pos = &protocol->session.game.pos;
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    Text out = {0};
    text_add(&out, "%d legal moves:", (int)(end - list));
    list_moves(pos, list, end, &out);
    text_add(&out, "\n");
    say_text(&protocol->out, &out);
    text_free(&out);
}

void command_flip(Protocol *protocol, Job *job, Span arguments)
{
    (void)job, (void)arguments;
    Position flipped;
    char text[TEXT_MAX];
    Message message = {0};
    pos_flip(&protocol->session.game.pos, &flipped);
    pos_print(&flipped, text);
    if (game_set(&protocol->session.game, span_of(text), &protocol->session.rules, &message) == SET_REJECTED)
        refuse(&protocol->out, "flip: %s", message.text);
}

// ---- eval ---------------------------------------------------------------------------------------
// The piece on the square, and what it is worth to the network in pawns, for the side that has the first
// move.
static void add_cell(const Net *net, const Position *pos, int whole, int sq, Text *pieces, Text *values)
{
    char piece[4], value[16] = "";
    PROTOCOL_WORDS.piece_print(pos, sq, piece);
    u16 features[FEATURE_ACTIVE_MAX];
    int side = pos_side(pos);
    if (piece[0] && features_of_square(pos, side, features_perspective(pos, side), sq, features) > 0) {
        int worth = whole - nnue_evaluate_without(net, pos, sq);
        snprintf(value, sizeof value, "%+.2f", (side ? -worth : worth) / 100.0);
    }
    text_add(pieces, "| %3s   ", piece);
    text_add(values, "|%6s ", value);
}

static void eval_board(const Net *net, const Position *pos, Text *out)
{
    int width = 1, whole = nnue_evaluate_scalar(net, pos);
    while (width * width < SQUARE_NB)
        width++;
    for (int row = 0; row <= width; row++) {
        for (int column = 0; column < width; column++)
            text_add(out, "+-------");
        text_add(out, "+\n");
        if (row == width)
            break;
        Text values = {0};
        for (int column = 0; column < width; column++)
            add_cell(net, pos, whole, PROTOCOL_WORDS.square_at(row, column), out, &values);
        text_add(out, "|\n%s|\n", values.ptr ? values.ptr : "");
        text_free(&values);
    }
}

void command_eval(Protocol *protocol, Job *job, Span arguments)
{
    (void)job, (void)arguments;
    static const char *const SIDES[SIDE_NB] = SIDE_NAMES;
    const Position *pos = &protocol->session.game.pos;
    const Net *net = engine_net(protocol->session.engine);
    Text out = {0};
    if (net) {
        eval_board(net, pos, &out);
        text_add(&out,
                 "What each piece is worth to the network, in pawns for %s.\nNetwork %s, output bucket %d of "
                 "%d.\n",
                 SIDES[0], net->name, features_bucket(pos), BUCKET_NB);
    } else {
        text_add(&out,
                 "No network: material and activity alone.\nMaterial %+.2f, activity %+.2f for the side to "
                 "move.\n",
                 pos_material(pos) / 100.0, pos_activity(pos) / 100.0);
    }
    if (pos_in_check(pos))
        text_add(&out, "The side to move is in check: a search would look further before it judged.\n");
    int score = engine_evaluate(protocol->session.engine, pos);
    Wdl wdl = score_wdl(score, pos);
    int shown = score_shown(score, pos);
    text_add(&out,
             "Evaluation: %+.2f for %s, %+.2f for the side to move (win %.1f%%, draw %.1f%%, loss %.1f%%).\n",
             (pos_side(pos) ? -shown : shown) / 100.0, SIDES[0], shown / 100.0, wdl.win / 10.0,
             wdl.draw / 10.0, wdl.loss / 10.0);
    say_text(&protocol->out, &out);
    text_free(&out);
}

#ifndef TWOFOLD_ARCH
#define TWOFOLD_ARCH "another processor" // a build without the Makefile's names
#endif

// ---- help and version ---------------------------------------------------------------------------
void command_help(Protocol *protocol, Job *job, Span arguments)
{
    (void)job, (void)arguments;
    int count;
    const Command *commands = command_table(&count);
    Text out = {0};
    text_add(&out, "Twofold " TWOFOLD_VERSION " plays " GAME_NAME " and speaks %s. Commands:\n",
             PROTOCOL_WORDS.protocol);
    for (int i = 0; i < count; i++) {
        char left[80];
        if (!command_name(i) || !commands[i].help)
            continue;
        snprintf(left, sizeof left, "%s %s", command_name(i), commands[i].usage);
        text_add(&out, strlen(left) < 38 ? "  %-38s" : "  %s\n                                        ",
                 left);
        text_add(&out, "%s\n", commands[i].help);
    }
    text_add(&out,
             "Any of them can also be given on the command line: twofold-" GAME_NAME " bench\n"
             "For people there are twofold-" GAME_NAME " play, twofold-" GAME_NAME
             " serve (a board in the browser) and twofold-" GAME_NAME " analyse (of games in a file).\n");
    say_text(&protocol->out, &out);
    text_free(&out);
}

void command_version(Protocol *protocol, Job *job, Span arguments)
{
    (void)job, (void)arguments;
    const Net *net = net_embedded();
#ifdef __clang__
    const char *compiler = "clang";
#else
    const char *compiler = "gcc";
#endif
    say(&protocol->out,
        "Twofold " TWOFOLD_VERSION " " GAME_NAME ", compiled by %s %s for " TWOFOLD_ARCH
        ", network code %s, built-in network %s",
        compiler, __VERSION__, nnue_backend(),
        net                       ? net->name
        : net_embedded_error()[0] ? net_embedded_error()
                                  : "none");
}
