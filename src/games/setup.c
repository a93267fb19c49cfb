// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on a position that somebody has set up. The rules are those of pos_set; here their messages
// become sentences, without the names of the fields of a text that nobody has typed.
#include <ctype.h>

#include "games/notation.h"

// "FEN board: White has 2 kings" becomes "White has 2 kings."
static void make_sentence(const char *text, Message *out)
{
    static const char *const PREFIXES[] = {"FEN board: ", "FEN: ", "SFEN board: ", "SFEN: ", "FEN ", "SFEN "};
    for (size_t i = 0; i < sizeof PREFIXES / sizeof PREFIXES[0]; i++)
        if (strncmp(text, PREFIXES[i], strlen(PREFIXES[i])) == 0) {
            text += strlen(PREFIXES[i]);
            break;
        }
    message_set(out, "%s.", text);
    out->text[0] = (char)toupper((unsigned char)out->text[0]);
}

// Problems for mate may lack a king.
static bool lacks_king(const char *text, int side)
{
    const char *end = strchr(text, ' ');
    return !memchr(text, side == 0 ? 'K' : 'k', end ? (size_t)(end - text) : strlen(text));
}

// What is odd about a position that is allowed.
static void remark(const Position *pos, const char *text, Message *out)
{
    const KeyHistory keys = {0};
    int side = pos_side(pos);
    if (lacks_king(text, 0) || lacks_king(text, 1))
        message_set(out, "%s has no king: such positions are for problems.",
                    side_words(pos, !lacks_king(text, 0)));
    else if (gen_count(pos) == 0 && pos_in_check(pos))
        message_set(out, "%s is mated: the game is over here.", side_words(pos, side));
    else if (gen_count(pos) == 0)
        message_set(out, "%s has no legal move: the game is over here.", side_words(pos, side));
    else if (game_outcome(pos, &keys).outcome != OUTCOME_NONE)
        message_set(out, "By the rules the game is over here.");
}

SetupVerdict setup_judge(Span text, const Rules *rules)
{
    SetupVerdict verdict = {0};
    Position pos;
    Message message = {""};
    SetResult result = pos_set(&pos, text, rules, &message);
    verdict.is_legal = result != SET_REJECTED;
    if (verdict.is_legal)
        pos_print(&pos, verdict.text);
    if (result != SET_OK)
        make_sentence(message.text, &verdict.note);
    else
        remark(&pos, verdict.text, &verdict.note);
    return verdict;
}
