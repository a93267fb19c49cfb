// SPDX-License-Identifier: GPL-3.0-or-later
// The contract: every function a game provides, with what it promises. Included at the end of each game's
// game.h, after the game has defined
//   constants  SQUARE_NB PIECE_NB FROM_NB MAX_MOVES SUBKEY_NB PACKED_BYTES BOOK_NOTE_BYTES MOVE_TEXT_MAX
//   TEXT_MAX GEN_IS_LEGAL PARAM_COLUMN
//              FEATURE_NB FEATURE_ACTIVE_MAX DELTA_MAX FEATURE_CHANGED_MAX PERSPECTIVE_NB
//              PERSPECTIVE_BUCKET_NB BUCKET_NB TRAIL_ENTRY_MAX_BYTES GAME_NET_HIDDEN HAS_DECLARATION
//              GAME_NAME GAME_START SIDE_NAMES MOVE_LIMIT_WORDS (macros)
//   structures Rules Position Undo Delta KeyEntry
// A game may define any of these as static inline before including this file: a declaration after an inline
// definition is harmless. Readers take const pointers; nothing here prints, allocates (but for trails, books
// and tables) or keeps state.
#ifndef TWOFOLD_PROMISES_H
#define TWOFOLD_PROMISES_H

// ---- the past -----------------------------------------------------------------------------------
// The positions before the current one, oldest first. Owned by a game or a worker; zero-initialised is empty.
typedef struct KeyHistory {
    KeyEntry *entry;
    int count, capacity;
} KeyHistory;

// Makes room for `extra` more entries; false when there is no memory, the key history being unchanged.
bool keys_reserve(KeyHistory *keys, int extra);
bool keys_copy(KeyHistory *to, const KeyHistory *from, int extra);
void keys_free(KeyHistory *keys);
// Remembers the position about to be left by a move or a null move; the room must have been reserved. Pop
// forgets it.
void keys_push(KeyHistory *keys, const Position *pos);
static inline void keys_pop(KeyHistory *keys)
{
    assert(keys->count > 0);
    keys->count--;
}

// ---- set up -------------------------------------------------------------------------------------
// Fills the game's tables. Idempotent and thread-safe; must have been called before anything else here.
void game_init(void);
Rules rules_default(void);
// Sets the position from its text (FEN, SFEN; trailing fields may be missing). On SET_REJECTED nothing
// changes.
SetResult pos_set(Position *pos, Span text, const Rules *rules, Message *message);
// A start position drawn by lot, as text, of a kind the game knows by name ("chess960", "dfrc"); sets the
// rules that go with it. False when the game has no such kind.
bool start_random(const char *kind, Rng *rng, Rules *rules, char *out);
// The full text of the position, at most TEXT_MAX bytes with the NUL.
void pos_print(const Position *pos, char *out);
// A legal move from its protocol text, in any spelling users send; MOVE_NONE if it is none.
Move move_parse(const Position *pos, Span text);
// Protocol text, at most MOVE_TEXT_MAX bytes with the NUL. MOVE_NONE, MOVE_NULL and MOVE_WIN have texts too.
void move_print(const Position *pos, Move move, char *out);
// Exactly PACKED_BYTES bytes; false for a position that can't be held. Unpack answers false on bytes no pack
// has made.
bool pos_pack(const Position *pos, u8 *out);
bool pos_unpack(Position *pos, const u8 *in, const Rules *rules);

// ---- ask ----------------------------------------------------------------------------------------
int pos_side(const Position *pos);
u64 pos_key(const Position *pos);
// The key after the move, near enough for a prefetch (castling, en passant and promotion may be ignored).
u64 pos_key_after(const Position *pos, Move move);
// Part keys for correction and structure histories, index < SUBKEY_NB; 0 is the pawn structure, 1 and 2 the
// pieces of side 0 and 1.
u64 pos_subkey(const Position *pos, int index);
bool pos_in_check(const Position *pos);
// Half-moves since the start of the game, as the text's move number tells it.
int pos_game_ply(const Position *pos);
// Material balance in centipawns, and a tiny term (space and mobility) that keeps a player without other
// knowledge from shuffling; side to move's view.
int pos_material(const Position *pos);
int pos_activity(const Position *pos);
// The score faded as the position nears a move-count draw, or where the side ahead has too little to win
// with. Keeps order, and never turns the sign.
int pos_damp(const Position *pos, int score);
// 0 (endgame) .. 256 (opening): how much is left to fight with; for the win/draw/loss model.
int pos_phase(const Position *pos);

int move_to(Move move);
// Where it comes from, or which kind is dropped: index < FROM_NB, for butterfly histories.
int move_from_index(Move move);
// The piece that moves (as it stands before the move), index < PIECE_NB, side included; for piece-to
// histories.
int move_piece(const Position *pos, Move move);
// The kind of piece taken, 0 when none; index < PIECE_NB; for capture histories.
int move_captured(const Position *pos, Move move);
// Agrees exactly with gen_noisy: a capture or a promotion worth looking at in quiescence.
bool move_is_noisy(const Position *pos, Move move);
bool move_is_promotion(Move move);
// What it wins outright in centipawns: exchange value of the captured piece (with hand, where there are
// hands) plus promotion gain.
int move_gain(const Position *pos, Move move);
// The exchange value of what the move risks: the piece that moves.
int move_risk(const Position *pos, Move move);
// A static opinion about a quiet move, in about -100..100, for ordering before histories know better.
int move_order_bonus(const Position *pos, Move move);
// A far advanced passed pawn's step, or whatever in this game is near promotion: for extensions.
bool move_is_advance(const Position *pos, Move move);
// A quiet move that attacks a more valuable or a hanging piece.
bool move_makes_threat(const Position *pos, Move move);
bool move_gives_check(const Position *pos, Move move);
// For all 65 536 values: pseudo-legal and legal together are membership of gen_all. move_is_legal may be
// asked only of pseudo-legal moves.
bool move_is_pseudo_legal(const Position *pos, Move move);
bool move_is_legal(const Position *pos, Move move);
// Static exchange: does the move, with best play on its target square, win at least `threshold` centipawns?
bool see_ge(const Position *pos, Move move, int threshold);
// Every invariant of the structure, recomputed. For asserts and tests.
bool pos_is_ok(const Position *pos);
// Colours (and sides) exchanged: the same position seen from the other side. For tests.
void pos_flip(const Position *pos, Position *out);
// Left and right exchanged; false where the rules or the position (castling rights) do not allow it.
bool pos_mirror(const Position *pos, Position *out);

// ---- judge --------------------------------------------------------------------------------------
// The rules inside a search, `ply` plies below its root: repetitions, move-count rules (mate goes first),
// dead positions.
Outcome pos_outcome(const Position *pos, const KeyHistory *keys, int ply);
// True when the side to move has a move that repeats a position of the search (or one that will count): it
// can have a draw.
bool pos_can_repeat(const Position *pos, const KeyHistory *keys, int ply);
// What it means to have no legal move: LOSS or DRAW.
Outcome pos_no_move_outcome(const Position *pos);
// The side to move wins at once: by declaration (*how = MOVE_WIN) or by a mate in one that can be seen
// statically. Not asked in check.
bool pos_instant_win(const Position *pos, Move *how);
// The side to move wins at once by declaration alone: the cheap half of the above, also right in check
// (false).
bool pos_can_declare(const Position *pos);
// Null move: is passing a fair guess here (no zugzwang to fear)? Not asked in check.
bool pos_null_ok(const Position *pos);
// May a table score cut here, or is the move-count rule too near?
bool pos_tt_trust(const Position *pos);
// Has the side something to win with, were the other to play as badly as it can? When not, a flag that falls
// costs the other only a draw.
bool pos_can_win(const Position *pos, int side);
// The exact rule with the whole game, for adjudication.
Verdict game_outcome(const Position *pos, const KeyHistory *keys);

// ---- do -----------------------------------------------------------------------------------------
// Each writes moves at `list` (room for MAX_MOVES) and returns the end. Out of check: noisy and quiet are
// disjoint and together all moves worth playing; checks are the quiet moves that check. In check only
// evasions are used. gen_all is every legal move. If GEN_IS_LEGAL the others are legal too; else
// pseudo-legal.
Move *gen_noisy(const Position *pos, Move *list);
Move *gen_quiet(const Position *pos, Move *list);
Move *gen_checks(const Position *pos, Move *list);
Move *gen_evasions(const Position *pos, Move *list);
Move *gen_all(const Position *pos, Move *list);
// gen_all without writing: how many legal moves there are. For bulk perft.
int gen_count(const Position *pos);
// The number of leaves of the move tree, in games/perft.c for every game; `bulk` counts the last ply with
// gen_count.
u64 perft(Position *pos, int depth, bool bulk);
// Makes a legal move: fills *undo with what it destroys and *delta (may be NULL) with what changes for the
// network.
void pos_make(Position *pos, Move move, Undo *undo, Delta *delta);
void pos_unmake(Position *pos, Move move, const Undo *undo);
void pos_make_null(Position *pos, Undo *undo);
void pos_unmake_null(Position *pos, const Undo *undo);

// ---- network ------------------------------------------------------------------------------------
// Features are numbered 0..FEATURE_NB-1 within a view; a view (< PERSPECTIVE_NB) is how one side looks at the
// board: king bucket and mirror. Weights of bucket b start at row b * FEATURE_NB.
int features_perspective(const Position *pos, int side);
int features_perspective_bucket(int view);
// Writes the active features of one side's view, at most FEATURE_ACTIVE_MAX, in any order; returns how many.
int features_active(const Position *pos, int side, int view, u16 *out);
// Translates a Delta for one side's view: at most FEATURE_CHANGED_MAX each way.
void features_changed(const Delta *delta, int side, int view, u16 *added, int *added_nb, u16 *removed,
                      int *removed_nb);
// The output bucket, < BUCKET_NB.
int features_bucket(const Position *pos);
// The features (of one side's view) that the piece on a square gives, for explaining: how many, 0 for an
// empty square or a king.
int features_of_square(const Position *pos, int side, int view, int sq, u16 *out);
// What a feature stands for, for tables and pictures: a plane ("own pawn") with its number, and the square as
// the board is drawn with the own side below: column from the left, row from the top, both -1 for what is not
// on the board.
typedef struct FeatureMeaning {
    const char *plane_name;
    int plane, column, row;
} FeatureMeaning;
FeatureMeaning features_meaning(int feature);

// ---- outside knowledge (a game without it answers none) -----------------------------------------
typedef struct Tablebase Tablebase;
// Opens a folder list (":" between) of endgame tables; NULL with a message when there is none to be had.
// Damaged files are left out and named in the message.
Tablebase *tb_open(const char *path, Message *message);
void tb_close(Tablebase *tables);
// Most men of any table; 0 when tables is NULL.
int tb_men(const Tablebase *tables);
int pos_men(const Position *pos);
// Thread-safe. TB_NONE when not covered (castling rights, too many men, a damaged file). Counted from a
// fresh move-count clock.
TbResult tb_probe(const Tablebase *tables, const Position *pos);
// Inside a search: is the clock as fresh as the tables assume? A win they promise may be none when it has
// been running.
bool tb_hold_here(const Position *pos);
// Ranks root moves: higher is better, equal ranks equally good; false when not covered. *result is the
// position's value. With `count_limit` the move-count rule is respected.
bool tb_rank_root(const Tablebase *tables, const Position *pos, const KeyHistory *keys, bool count_limit,
                  const Move *moves, int move_nb, int *ranks, TbResult *result);

typedef struct Book Book;
Book *book_open(const char *path, Message *message);
void book_close(Book *book);
typedef struct BookMove {
    Move move, reply; // the reply it expects, when it says so: else MOVE_NONE
    u32 weight;
    i32 score; // centipawns for the side to move, when has_score
    bool has_score;
    i32 depth;
} BookMove;
enum { BOOK_MOVES_MAX = 64 };
// All legal book moves of the position, best weight first; how many.
int book_probe(const Book *book, const Position *pos, BookMove out[BOOK_MOVES_MAX]);

// ---- mate search --------------------------------------------------------------------------------
// A solver that proves or disproves a mate by checks alone, apart from the ordinary search. A game whose
// ordinary search serves for that answers MATE_UNSUPPORTED, and nothing else of the result is filled.
typedef enum MateAnswer {
    MATE_UNKNOWN, // the limits came first
    MATE_FOUND,   // the side to move mates, whatever the defence
    MATE_NONE,    // there is no mate by checks: every try was refuted
    MATE_UNSUPPORTED,
} MateAnswer;
typedef struct MateLimits {
    u64 nodes;                   // 0: no limit
    i64 until_us;                // as os_now_us tells it; 0: no limit
    bool (*stop)(void *context); // asked now and then; NULL: never stopped
    void *context;
    int memory_mb;   // for the solver's table; 0: a modest default
    bool any_length; // the first mate found will do; else it is made as short as the limits allow
    bool strict; // the limits bind to the end; else a mate that was found gets a little more, for its line
} MateLimits;
enum { MATE_LINE_MAX = 1024 };
typedef struct MateResult {
    MateAnswer answer;
    bool is_shortest; // no shorter mate exists, every legal defence counted
    int line_nb; // MATE_FOUND: the moves to the mate, the defender holding out as long as it can; fewer when
                 // the limits came first
    Move line[MATE_LINE_MAX];
    u64 nodes;
} MateResult;
// The game before pos (key history, may be NULL) matters where a repetition would spoil the mate.
MateAnswer mate_solve(const Position *pos, const KeyHistory *keys, const MateLimits *limits,
                      MateResult *result);

// ---- people -------------------------------------------------------------------------------------
typedef struct BoardStyle {
    bool colour, unicode, flip;
    int columns; // of the screen, for text; 0: as many as it takes
    Move last;
} BoardStyle;
void board_draw(const Position *pos, BoardStyle style, Text *out);
// The same board as an SVG element, `size` pixels wide.
void board_draw_svg(const Position *pos, BoardStyle style, int size, Text *out);
// The usual human notation (SAN; western shogi notation) and back; parsing takes either notation and the
// protocol's.
void move_print_human(const Position *pos, Move move, char *out);
// A legal move, or MOVE_NONE; a pass is none.
Move move_parse_human(const Position *pos, Span text);

// A game as people keep it. Owned by the caller; zero-initialised is empty. games/record.c holds what all
// games share: record_free, record_tag, record_add_tag, record_set_tag and record_add_move.
typedef struct RecordMove {
    Move move;
    char *comment; // NULL when there is none; freed with the record
    u8 mark;       // 0, or how the move is judged: 1 "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!" (the first
                   // annotation glyphs of PGN)
    i32 time_ms;   // spent on it; 0 when the file does not say
} RecordMove;
typedef struct RecordTag {
    char *name, *value;
} RecordTag;
typedef struct Record {
    RecordTag *tag;
    int tag_nb;
    Position start;
    char *comment; // before the first move; NULL when there is none
    RecordMove *move;
    int move_nb;
    Verdict verdict; // as the file tells it, from side 0's view; reason NONE when it does not say
    char result[24]; // the file's own word
    Message error;   // an illegal or unreadable move: which, where; the moves before it are kept. Empty when
                     // all is well
} Record;
void record_free(Record *record);
const char *record_tag(const Record *record, const char *name);
// Sets the tag, adding it where it is missing; record_add_tag adds without looking. False when there is no
// memory.
bool record_set_tag(Record *record, const char *name, const char *value);
bool record_add_tag(Record *record, const char *name, const char *value);
bool record_add_move(Record *record, Move move, const char *comment);
// Reads the next game off the front of *rest, in any format of the game; false at the end. A game with an
// error is a game. What the record held before is freed.
bool record_read(Span *rest, const Rules *rules, Record *record);
// Writes the game in the game's usual format (format NULL), or in the named one, behind the games that are in
// the text already; false if there is no such format.
bool record_write(const Record *record, const char *format, Text *out);

// Writes a book in the game's format from the moves of records: a builder fed with one game at a time.
typedef struct BookMaker BookMaker;
BookMaker *book_maker_new(void);
void book_maker_add(BookMaker *maker, const Record *record, int max_ply);
// Writes and frees it. min_games: moves played less often are left out.
bool book_maker_finish(BookMaker *maker, const char *path, int min_games, Message *message);

#endif
