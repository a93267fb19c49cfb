// SPDX-License-Identifier: GPL-3.0-or-later
// A session: the engine, the game so far, the options and what they brought along (a book, endgame tables, a
// network). The protocol, the library, the game in the terminal and the analysis are front ends of this: they
// turn their words into calls, and what a session tells through its events into words. Invariant: every
// session_go makes exactly one answer event, its last. One thread at a time uses a session; others may only
// touch the SearchControl of the request that runs.
#ifndef TWOFOLD_SESSION_H
#define TWOFOLD_SESSION_H

#include "games/game_state.h"
#include "games/knowledge.h"
#include "search/peers.h"
#include "search/search.h"
#include "session/go.h"

// ---- what a session tells -----------------------------------------------------------------------
// What is known without a search: a book move, or a root without moves.
typedef struct KnownLine {
    int depth;
    int centipawns; // as people are shown them
    bool is_mated;  // then there is no number
    Move move;      // MOVE_NONE: there is none
} KnownLine;

typedef enum AnswerKind {
    ANSWER_MOVE,
    ANSWER_NO_MOVE, // there is no legal move
    ANSWER_RESIGN,  // it stands worse than the options bear
    ANSWER_WIN,     // the win can be declared
    ANSWER_MATE,    // of the mate solver: `mate` and the moves to it
} AnswerKind;

typedef struct Answer {
    AnswerKind kind;
    Move move, ponder; // of ANSWER_MOVE; ponder is MOVE_NONE when the game ends or no reply is expected
    bool is_book;
    SearchResult result; // what the search found; of a book move and without a move, as if it had found that
    MateAnswer mate;
    const Move *mate_line; // valid during the call
    int mate_line_nb;
} Answer;

// The answer in the protocol's words: a move, or what stands for none, for giving up, for a declaration.
void answer_print(const Game *game, const Answer *answer, char out[MOVE_TEXT_MAX]);
// The reply to think about; false when there is none.
bool answer_print_ponder(const Game *game, const Answer *answer, char out[MOVE_TEXT_MAX]);
// What the mate solver says: "mate", "nomate", "timeout", "notimplemented".
const char *answer_mate_word(MateAnswer mate);

// Called from the thread that uses the session; any may be NULL. `game` is what was searched.
typedef struct SessionEvents {
    void *context;
    // A line of thought. Bounds come only in long searches. The last one before the answer to a search begins
    // with the move that is answered.
    void (*line)(void *context, const Game *game, const SearchLine *line);
    // The root move searched now, in long searches and not too often.
    void (*root_move)(void *context, const Game *game, int depth, Move move, int number);
    void (*known)(void *context, const Game *game, const KnownLine *line);
    void (*answer)(void *context, const Game *game, const Answer *answer);
    void (*note)(void *context, const char *text); // one sentence on something else
} SessionEvents;

// ---- the session --------------------------------------------------------------------------------
// Options that are not the search's.
typedef struct Settings {
    int hash_mb, threads;
    Text eval_file, book_file, tb_path; // as they were set
    bool show_wdl, analyse, limit_strength, own_book;
    int elo;
    int book_depth, book_variety;
    i64 seed;                // of a level's games; 0: by time
    int draw_value[SIDE_NB]; // centipawns as shown, for the side that is to move at the root
    int resign_score;        // centipawns below zero at which it gives up
    int pv_interval_ms;      // least time between two lines
    int depth_limit;         // 0: none
    i64 nodes_limit;
} Settings;

typedef struct Session {
    Engine *engine;
    Game game;
    Rules rules;
    Settings settings;
    SessionEvents events; // its owner's
    const Peers *peers;   // other ranks, which are told the same (session_set_peers); NULL: none
    Book *book;
    Tablebase *tablebase;
    Net *net;          // loaded from a file; NULL: the built-in one, or none, is in use
    Rng rng;           // chooses among book moves, and what is different from game to game
    u64 game_seed;     // of a level's tastes in this game
    Text excluded;     // words of moves to leave out of every search
    Counters counters; // of the last search
    u64 node_cap;      // for tests that feed random commands: no search goes further; 0: none
} Session;

// A session at the start of a game, with all options at their defaults; false when there is no memory. To be
// freed in either case.
bool session_init(Session *session);
void session_free(Session *session);

typedef enum PositionStatus {
    POSITION_SET,
    POSITION_REPAIRED, // the same, and the message says what was dropped
    POSITION_REFUSED,
    POSITION_BAD_MOVE,
    POSITION_NO_MEMORY, // for so many moves
} PositionStatus;
// The position of a text (or startpos) and the moves played from it. Unless it is set nothing has changed,
// and the message says why.
PositionStatus session_set_position(Session *session, Span text, Span moves, Message *message);
// The ranks that search with it: they are told its options from now on, and what they have to say comes as
// notes. They must outlive the session.
void session_set_peers(Session *session, const Peers *peers);
// Takes what memory is still to be taken, here and at the other ranks; false with a message when it can't be
// had here.
bool session_prepare(Session *session, Message *message);
// Forgets what earlier searches learned.
void session_new_game(Session *session);
// How strong it plays; 0: full strength.
void session_set_level(Session *session, int elo);
int session_level(const Session *session);
// What makes the games of a level repeat; 0: nothing does.
void session_set_seed(Session *session, i64 seed);
// Another engine for the same options, network and tables, which stay the session's; NULL with a message when
// there is no memory.
Engine *session_new_engine(const Session *session, int hash_mb, Message *message);

// What the options make of the limits of a search: the most depth and nodes, the worth of a draw.
void session_limits(const Session *session, const Position *pos, Limits *limits);
// Answers a request about the game: from the book, by the mate solver or by a search. The control was made
// from the request's limits; the moves of `searchmoves` are in its limits already. False when it could not
// think: then a note has said why, and the answer is any legal move.
bool session_go(Session *session, const GoRequest *request, SearchControl *control);
// The search alone, of any game and at full strength, with its lines as events and no answer; false with a
// note when it could not run.
bool session_search(Session *session, const Game *game, SearchControl *control, SearchResult *result);

// Tells one sentence.
void session_note(const Session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
