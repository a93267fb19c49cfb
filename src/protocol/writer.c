// SPDX-License-Identifier: GPL-3.0-or-later
// See writer.h: what every encoding of an answer has in common.
#include "protocol/writer.h"

#include "games/words.h"

void writer_root_move(const Writer *writer, const Game *game, int depth, Move move, int number, Text *out)
{
    char text[MOVE_TEXT_MAX];
    move_print(&game->pos, move, text);
    writer->root_move(depth, text, number, out);
}

void writer_known(const Writer *writer, const Game *game, const KnownLine *line, Text *out)
{
    char text[MOVE_TEXT_MAX];
    if (line->move != MOVE_NONE)
        move_print(&game->pos, line->move, text);
    writer->known(line, line->move != MOVE_NONE ? text : NULL, out);
}

void writer_answer(const Writer *writer, const Game *game, const Answer *answer, Text *out)
{
    char move[MOVE_TEXT_MAX], ponder[MOVE_TEXT_MAX];
    if (answer->kind == ANSWER_MATE) {
        writer->mate(game, answer, out);
        return;
    }
    answer_print(game, answer, move);
    writer->best(move, answer_print_ponder(game, answer, ponder) ? ponder : NULL, out);
}

void writer_threat(const Writer *writer, const Game *game, Move move, int score, Text *out)
{
    char text[MOVE_TEXT_MAX];
    if (move == MOVE_NONE) {
        writer->threat(PROTOCOL_WORDS.no_move, NULL, 0, out);
        return;
    }
    move_print(&game->pos, move, text);
    writer->threat(text, &game->pos, score, out);
}
