// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: files of packed games. A file is a header and one block per game; a block carries its
// own checksum, so that a kill loses at most the game in play, and damage costs the games it touches and no
// others.
// - header, 64 bytes: magic, version, game, bytes of a packed position, seed, settings and player of the run;
// - block, 24 bytes: mark, moves, result, ending, number, checksum; then the packed start position; then four
//   bytes a move: the move and the score of the search that chose it, from the view of the side that made it.
// Everything is little-endian. Readers trust nothing: a replay checks that each move is legal.
#ifndef TWOFOLD_TRAIN_PACKED_H
#define TWOFOLD_TRAIN_PACKED_H

#include "arena/arena.h"
#include "game.h"

enum { GAME_MOVES_MAX = 4096 };

// The ends of games that a file can tell, by their values.
enum { PACKED_END_NB = END_LENGTH + 1 };
_Static_assert(END_RULES == 0 && END_WIN_SCORE == 1 && END_DRAW_SCORE == 2 && END_LENGTH == 3,
               "these values stand in files");

// A game as it lies in a file; points into the file's bytes.
typedef struct PackedGame {
    u64 number;        // which game of its run
    u64 checksum;      // of its contents: equal games have equal ones
    GameResult result; // in the file: the half points of side 0
    EndKind end;
    int move_nb;
    const u8 *start;
    const u8 *moves;
} PackedGame;

enum { PLAYER_NAME_MAX = 8 };

// A run of datagen: a file is continued only by the same seed and settings.
typedef struct RunId {
    u64 seed, settings;
    char player[PLAYER_NAME_MAX]; // which sources play, for people to read; zeros after its end, or none
} RunId;

// ---- writing ------------------------------------------------------------------------------------
// A game being made. Zero-initialised, then game_begin.
typedef struct GameDraft {
    u8 start[PACKED_BYTES];
    Move move[GAME_MOVES_MAX];
    i16 score[GAME_MOVES_MAX];
    int move_nb;
} GameDraft;

// Writes the header of a new file.
bool packed_write_header(FILE *stream, RunId run);
// Adds one game as the bytes of its block. An end that files do not know counts as one by the rules.
void packed_add(Text *out, const GameDraft *draft, u64 number, GameResult result, EndKind end);
// Appends a game read elsewhere, with a number of its own.
bool packed_copy(FILE *stream, const PackedGame *game, u64 number);

// ---- reading ------------------------------------------------------------------------------------
typedef struct GameReader {
    const u8 *data;
    size_t size, at;
    size_t good_end;   // after the last whole block
    size_t block_at;   // where that began
    u64 damaged_bytes; // skipped so far
    int damaged_places;
} GameReader;

// Opens the bytes of a file; false with a reason when it holds no games of this game.
bool packed_open(GameReader *reader, const u8 *data, size_t size, RunId *run, Message *message);
// The next whole block; bytes that are none are skipped and counted. False at the end.
bool packed_next(GameReader *reader, PackedGame *game);

static inline Move packed_move(const PackedGame *game, int index)
{
    return (Move)(game->moves[4 * index] | game->moves[4 * index + 1] << 8);
}
static inline int packed_score(const PackedGame *game, int index)
{
    return (i16)(game->moves[4 * index + 2] | game->moves[4 * index + 3] << 8);
}

// ---- replay -------------------------------------------------------------------------------------
// Walks a game's positions: pos is where move `index` was chosen.
typedef struct Replay {
    PackedGame game;
    Position pos;
    int index;
} Replay;

// Sets up the start position; false when no pack can have made it.
bool replay_start(Replay *replay, const PackedGame *game);
// Plays the current move and steps on. The unchecked form is for games that were replayed with checks before.
bool replay_move_is_legal(const Replay *replay);
void replay_step(Replay *replay);
// Every move legal to the end?
bool replay_check(const PackedGame *game);

// Why a position is left out of training.
enum {
    SKIP_CHECK = 1, // in check
    SKIP_NOISY = 2, // the move chosen is noisy
    SKIP_SCORE = 4, // a mate, or a score beyond the limit
    SKIP_PLY = 8,   // too early in the record
};
typedef struct SampleFilter {
    int max_score, min_ply;
    unsigned skips; // which of the reasons count
} SampleFilter;
SampleFilter sample_filter_default(void);
// The reasons (of those that count) against the replay's current position; 0: it is a sample.
unsigned replay_skip(const Replay *replay, const SampleFilter *filter);
// The result for the side to move, in half points.
static inline int replay_result(const Replay *replay)
{
    return result_points(replay->game.result, pos_side(&replay->pos));
}

#endif
