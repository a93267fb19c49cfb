// SPDX-License-Identifier: GPL-3.0-or-later
// Files of packed games: writing a game as one block, finding the blocks of a file again, and the replay that
// turns a game back into positions. A block is looked for at every byte, so damage costs only what it
// touches.
#include "train/packed.h"

#include "search/search.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "blocks are read as they lie in memory");

enum { GAMES_VERSION = 1, BLOCK_MARK = 0x47324654 }; // "TF2G"
static const char GAMES_MAGIC[8] = {'T', 'W', 'O', 'F', 'G', 'A', 'M', '\n'};

typedef struct FileHeader {
    char magic[8];
    u32 version;
    char game[20];
    u32 packed_bytes, reserved;
    u64 seed, settings;
    char player[PLAYER_NAME_MAX];
} FileHeader;
_Static_assert(sizeof(FileHeader) == 64, "a header without holes");

typedef struct BlockHeader {
    u32 mark;
    u16 move_nb;
    u8 result, ending;
    u64 number;
    u64 checksum;
} BlockHeader;
_Static_assert(sizeof(BlockHeader) == 24, "a header without holes");

// Of what the game is, not of its number: the same game has the same checksum wherever it lies.
static u64 block_checksum(const BlockHeader *header, const u8 *body, size_t size)
{
    u64 sum = hash_mix(header->mark ^ (u64)header->move_nb << 32 ^ (u64)header->result << 48 ^
                       (u64)header->ending << 56);
    for (size_t i = 0; i < size; i += 8) {
        u64 word = 0;
        memcpy(&word, body + i, size - i < 8 ? size - i : 8);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15ULL;
        sum ^= sum >> 32;
    }
    return hash_mix(sum);
}

static size_t body_bytes(int move_nb) { return PACKED_BYTES + 4 * (size_t)move_nb; }

// ---- writing ------------------------------------------------------------------------------------

bool packed_write_header(FILE *stream, RunId run)
{
    FileHeader header = {.version = GAMES_VERSION,
                         .game = GAME_NAME,
                         .packed_bytes = PACKED_BYTES,
                         .seed = run.seed,
                         .settings = run.settings};
    memcpy(header.magic, GAMES_MAGIC, sizeof GAMES_MAGIC);
    memcpy(header.player, run.player, sizeof header.player);
    return fwrite(&header, sizeof header, 1, stream) == 1 && fflush(stream) == 0;
}

enum { BLOCK_MAX = sizeof(BlockHeader) + PACKED_BYTES + 4 * GAME_MOVES_MAX };

// The bytes of a block. The number is guarded by mixing it into the stored checksum.
static size_t make_block(BlockHeader header, const u8 *body, u8 bytes[BLOCK_MAX])
{
    size_t size = body_bytes(header.move_nb);
    header.mark = BLOCK_MARK;
    header.checksum = block_checksum(&header, body, size) ^ hash_mix(header.number);
    memcpy(bytes, &header, sizeof header);
    memcpy(bytes + sizeof header, body, size);
    return sizeof header + size;
}

void packed_add(Text *out, const GameDraft *draft, u64 number, GameResult result, EndKind end)
{
    assert(draft->move_nb <= GAME_MOVES_MAX);
    u8 body[PACKED_BYTES + 4 * GAME_MOVES_MAX], bytes[BLOCK_MAX];
    memcpy(body, draft->start, PACKED_BYTES);
    for (int i = 0; i < draft->move_nb; i++) {
        memcpy(body + PACKED_BYTES + 4 * i, &draft->move[i], 2);
        memcpy(body + PACKED_BYTES + 4 * i + 2, &draft->score[i], 2);
    }
    BlockHeader header = {.move_nb = (u16)draft->move_nb,
                          .result = (u8)result_points(result, 0),
                          .ending = (u8)(end > END_LENGTH ? END_RULES : end),
                          .number = number};
    text_add_bytes(out, (const char *)bytes, make_block(header, body, bytes));
}

bool packed_copy(FILE *stream, const PackedGame *game, u64 number)
{
    u8 bytes[BLOCK_MAX];
    BlockHeader header = {.move_nb = (u16)game->move_nb,
                          .result = (u8)result_points(game->result, 0),
                          .ending = (u8)game->end,
                          .number = number};
    return fwrite(bytes, make_block(header, game->start, bytes), 1, stream) == 1;
}

// ---- reading ------------------------------------------------------------------------------------

bool packed_open(GameReader *reader, const u8 *data, size_t size, RunId *run, Message *message)
{
    FileHeader header;
    if (size < sizeof header || memcmp(data, GAMES_MAGIC, sizeof GAMES_MAGIC) != 0)
        return message_set(message, "this is not a file of packed games");
    memcpy(&header, data, sizeof header);
    if (header.version != GAMES_VERSION)
        return message_set(message, "the file has version %u, this program reads version %d", header.version,
                           GAMES_VERSION);
    static const char NAME[sizeof header.game] = GAME_NAME;
    if (memcmp(header.game, NAME, sizeof NAME) != 0 || header.packed_bytes != PACKED_BYTES)
        return message_set(message, "the file holds games of '%.20s', not of " GAME_NAME, header.game);
    *reader = (GameReader){.data = data, .size = size, .at = sizeof header, .good_end = sizeof header};
    if (run) {
        *run = (RunId){.seed = header.seed, .settings = header.settings};
        memcpy(run->player, header.player, sizeof run->player);
    }
    return true;
}

// A whole, undamaged block at reader->at? Fills *game and *bytes.
static bool block_at(const GameReader *reader, size_t at, PackedGame *game, size_t *bytes)
{
    BlockHeader header;
    if (reader->size - at < sizeof header)
        return false;
    memcpy(&header, reader->data + at, sizeof header);
    if (header.mark != BLOCK_MARK || header.move_nb > GAME_MOVES_MAX || header.result >= POINTS_NB ||
        header.ending >= PACKED_END_NB)
        return false;
    size_t size = body_bytes(header.move_nb);
    if (reader->size - at - sizeof header < size)
        return false;
    const u8 *body = reader->data + at + sizeof header;
    u64 checksum = block_checksum(&header, body, size);
    if ((checksum ^ hash_mix(header.number)) != header.checksum)
        return false;
    *game = (PackedGame){.number = header.number,
                         .checksum = checksum,
                         .result = result_of_points(header.result),
                         .end = (EndKind)header.ending,
                         .move_nb = header.move_nb,
                         .start = body,
                         .moves = body + PACKED_BYTES};
    *bytes = sizeof header + size;
    return true;
}

bool packed_next(GameReader *reader, PackedGame *game)
{
    size_t from = reader->at, bytes = 0;
    while (reader->at < reader->size && !block_at(reader, reader->at, game, &bytes))
        reader->at++;
    reader->damaged_bytes += reader->at - from;
    reader->damaged_places += reader->at > from;
    if (bytes == 0)
        return false;
    reader->block_at = reader->at;
    reader->at += bytes;
    reader->good_end = reader->at;
    return true;
}

// ---- replay -------------------------------------------------------------------------------------

bool replay_start(Replay *replay, const PackedGame *game)
{
    Rules rules = rules_default();
    replay->game = *game;
    replay->index = 0;
    return pos_unpack(&replay->pos, game->start, &rules);
}

bool replay_move_is_legal(const Replay *replay)
{
    Move move = packed_move(&replay->game, replay->index);
    return move_is_pseudo_legal(&replay->pos, move) && move_is_legal(&replay->pos, move);
}

void replay_step(Replay *replay)
{
    Undo undo;
    pos_make(&replay->pos, packed_move(&replay->game, replay->index++), &undo, NULL);
}

bool replay_check(const PackedGame *game)
{
    Replay replay;
    if (!replay_start(&replay, game))
        return false;
    for (; replay.index < game->move_nb; replay_step(&replay))
        if (!replay_move_is_legal(&replay))
            return false;
    return true;
}

SampleFilter sample_filter_default(void)
{
    return (SampleFilter){
        .max_score = 10000, .min_ply = 0, .skips = SKIP_CHECK | SKIP_NOISY | SKIP_SCORE | SKIP_PLY};
}

unsigned replay_skip(const Replay *replay, const SampleFilter *filter)
{
    int score = packed_score(&replay->game, replay->index);
    unsigned skip = 0;
    if (replay->index < filter->min_ply)
        skip |= SKIP_PLY;
    if (score > filter->max_score || score < -filter->max_score || score_is_mate(score))
        skip |= SKIP_SCORE;
    if (pos_in_check(&replay->pos))
        skip |= SKIP_CHECK;
    if (move_is_noisy(&replay->pos, packed_move(&replay->game, replay->index)))
        skip |= SKIP_NOISY;
    return skip & filter->skips;
}
