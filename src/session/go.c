// SPDX-License-Identifier: GPL-3.0-or-later
// See go.h. The words that differ between the protocols come from the game's table.
#include "session/go.h"

#include "games/words.h"

// ---- the words of go ----------------------------------------------------------------------------
typedef enum GoField {
    GO_NONE,
    GO_TIME_0,
    GO_TIME_1,
    GO_INC_0,
    GO_INC_1,
    GO_BYOYOMI,
    GO_MOVES_TO_GO,
    GO_DEPTH,
    GO_NODES,
    GO_MOVE_TIME,
    GO_MATE,
    GO_PERFT,
    GO_INFINITE,
    GO_PONDER,
    GO_SEARCH_MOVES,
} GoField;

static GoField go_field(Span word)
{
    const struct {
        const char *name;
        GoField field;
    } FIELDS[] = {
        {PROTOCOL_WORDS.time[0], GO_TIME_0},
        {PROTOCOL_WORDS.time[1], GO_TIME_1},
        {PROTOCOL_WORDS.inc[0], GO_INC_0},
        {PROTOCOL_WORDS.inc[1], GO_INC_1},
        {PROTOCOL_WORDS.byoyomi, GO_BYOYOMI},
        {"movestogo", GO_MOVES_TO_GO},
        {"depth", GO_DEPTH},
        {"nodes", GO_NODES},
        {"movetime", GO_MOVE_TIME},
        {"mate", GO_MATE},
        {"perft", GO_PERFT},
        {"infinite", GO_INFINITE},
        {"ponder", GO_PONDER},
        {"searchmoves", GO_SEARCH_MOVES},
        {PROTOCOL_WORDS.move_time_alias, GO_MOVE_TIME},
    };
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++)
        if (FIELDS[i].name && span_is(word, FIELDS[i].name))
            return FIELDS[i].field;
    return GO_NONE;
}

// Numbers beyond any use are cut to these.
enum { TIME_MAX_MS = 1000000000, PERFT_MAX = 100 };

void go_set_mate(GoRequest *request, i64 value)
{
    if (PROTOCOL_WORDS.mate_is_solver) {
        request->solve_mate = true;
        request->mate_ms = clamp_i64(value, 0, TIME_MAX_MS);
    } else {
        // A mate in n moves takes 2n - 1 plies; being mated in n, 2n.
        request->limits.mate = 2 * (int)max_i64(1, min_i64(value, MAX_PLY / 2));
        request->has_limit = true;
    }
}

static void set_field(GoRequest *request, GoField field, i64 value)
{
    Limits *limits = &request->limits;
    i64 ms = clamp_i64(value, -TIME_MAX_MS, TIME_MAX_MS);
    switch (field) {
    case GO_TIME_0:
    case GO_TIME_1:
        limits->clocks.time_ms[field - GO_TIME_0] = max_i64(ms, 0);
        limits->clocks.has_clock[field - GO_TIME_0] = true;
        break;
    case GO_INC_0:
    case GO_INC_1: limits->clocks.inc_ms[field - GO_INC_0] = max_i64(ms, 0); break;
    case GO_BYOYOMI:
        limits->clocks.byoyomi_ms = max_i64(ms, 0);
        request->has_clock = true;
        break;
    case GO_MOVES_TO_GO: limits->clocks.moves_to_go = (int)min_i64(max_i64(value, 0), 1000); break;
    case GO_DEPTH: limits->depth = (int)min_i64(max_i64(value, 1), MAX_PLY - 1); break;
    case GO_NODES: limits->nodes = (u64)max_i64(value, 1); break;
    case GO_MOVE_TIME: limits->move_time_ms = max_i64(ms, 1); break;
    case GO_MATE: go_set_mate(request, max_i64(value, 1)); return;
    case GO_PERFT:
        request->perft_depth = (int)min_i64(max_i64(value, 0), PERFT_MAX);
        request->is_perft = true;
        break;
    default: break;
    }
    request->has_limit |= field == GO_DEPTH || field == GO_NODES || field == GO_MOVE_TIME;
}

// The clock of the side to move, as far as it was told: one that came alone is taken for both.
static void finish_clocks(GoRequest *request)
{
    Limits *limits = &request->limits;
    bool any = request->has_clock;
    for (int side = 0; side < SIDE_NB; side++)
        any |= limits->clocks.has_clock[side] || limits->clocks.inc_ms[side] > 0;
    if (!any)
        return;
    for (int side = 0; side < SIDE_NB; side++) {
        if (!limits->clocks.has_clock[side])
            limits->clocks.time_ms[side] =
                limits->clocks.has_clock[!side] ? limits->clocks.time_ms[!side] : 0;
    }
    limits->clocks.has_clock[0] = limits->clocks.has_clock[1] = true;
    request->has_clock = request->has_limit = true;
}

void go_parse(Span arguments, GoRequest *request, Message *complaint)
{
    *request = (GoRequest){0};
    complaint->text[0] = '\0';
    Limits *limits = &request->limits;
    bool in_moves = false, malformed = false;
    for (Span word; (word = span_word(&arguments)).len;) {
        GoField field = go_field(word);
        int shown = word.len > 32 ? 32 : (int)word.len;
        if (field == GO_INFINITE || field == GO_PONDER || field == GO_SEARCH_MOVES) {
            limits->infinite |= field == GO_INFINITE;
            limits->ponder |= field == GO_PONDER;
            in_moves = field == GO_SEARCH_MOVES;
            continue;
        }
        if (field == GO_NONE && in_moves) {
            text_add(&request->move_words, "%.*s ", (int)word.len, word.ptr);
            continue;
        }
        if (field == GO_NONE) {
            message_set(complaint, "go: '%.*s' is not understood and is left out", shown, word.ptr);
            continue;
        }
        in_moves = false;
        Span rest = arguments, number = span_word(&rest);
        i64 value;
        if (field == GO_MATE && span_is(number, "infinite")) {
            request->solve_mate = PROTOCOL_WORDS.mate_is_solver;
            limits->infinite |= !PROTOCOL_WORDS.mate_is_solver;
            arguments = rest;
        } else if (field == GO_MATE && PROTOCOL_WORDS.mate_is_solver &&
                   (number.len == 0 || go_field(number) != GO_NONE)) {
            request->solve_mate = true; // a mate without a number has no limit
        } else if (span_int(number, INT64_MIN, INT64_MAX, &value)) {
            set_field(request, field, value);
            arguments = rest;
        } else {
            malformed = true;
            if (field == GO_MATE && PROTOCOL_WORDS.mate_is_solver) // the answer is owed in the solver's words
                go_set_mate(request, 1);
            message_set(complaint, "go: '%.*s' needs a number, not '%.*s'; it is left out", shown, word.ptr,
                        number.len > 32 ? 32 : (int)number.len, number.ptr ? number.ptr : "");
            if (number.len && go_field(number) == GO_NONE)
                arguments = rest;
        }
    }
    finish_clocks(request);
    // A limit was meant but can't be understood: better a quick answer (after a ponderhit, too) than none.
    if (malformed && !request->has_limit && !limits->infinite && !request->is_perft && !request->solve_mate) {
        limits->depth = 1;
        request->has_limit = true;
    }
}

void go_take_moves(const GoRequest *request, const Position *pos, Limits *limits, Message *complaint)
{
    Span rest = text_span(&request->move_words);
    complaint->text[0] = '\0';
    for (Span word; (word = span_word(&rest)).len;) {
        Move move = move_parse(pos, word);
        if (move == MOVE_NONE)
            message_set(complaint, "go: '%.*s' is not a legal move here and is left out",
                        word.len > 32 ? 32 : (int)word.len, word.ptr);
        else if (limits->only_nb < MAX_MOVES)
            limits->only[limits->only_nb++] = move;
    }
}

void go_free(GoRequest *request) { text_free(&request->move_words); }
