// SPDX-License-Identifier: GPL-3.0-or-later
// Searching with an evaluation of the caller's, and what it may ask of a position: the handle of a position
// is the position itself under another name. See library.h.
#include <ctype.h>

#include "games/words.h"
#include "library/library.h"

int library_shown(const HANDLE *engine, int score, const Position *pos)
{
    return engine->evaluate ? clamp_int(score, -TWOFOLD_SCORE_MAX, TWOFOLD_SCORE_MAX)
                            : score_shown(score, pos);
}

static int ask_caller(void *context, const Position *pos)
{
    const HANDLE *engine = context;
    return engine->evaluate(engine->evaluate_context, (const twofold_position *)pos);
}

int API(set_evaluate)(HANDLE *engine, twofold_evaluate ask, void *context)
{
    int status = library_take(engine);
    if (status != TWOFOLD_OK)
        return status;
    engine->evaluate = ask;
    engine->evaluate_context = context;
    engine_set_evaluate(engine->session.engine, ask ? ask_caller : NULL, engine);
    return library_give(engine, TWOFOLD_OK);
}

int API(man)(const twofold_position *position, int square)
{
    char text[4] = "";
    if (!position || square < 0 || square >= SQUARE_NB)
        return 0;
    PROTOCOL_WORDS.piece_print((const Position *)position, square, text);
    return text[0] == '+' ? TWOFOLD_PROMOTED + text[1] : text[0];
}

int API(hand)(const twofold_position *position, int side, int man)
{
    if (!position || side < 0 || side >= SIDE_NB || !PROTOCOL_WORDS.hand_count)
        return 0;
    for (int i = 0, nb;; i++) {
        char text[4] = "";
        if ((nb = PROTOCOL_WORDS.hand_count((const Position *)position, side, i, text)) < 0)
            return 0;
        if (text[0] == man || tolower((unsigned char)text[0]) == man)
            return nb;
    }
}

int API(side_to_move)(const twofold_position *position)
{
    return position ? pos_side((const Position *)position) : 0;
}
