// SPDX-License-Identifier: GPL-3.0-or-later
// Files of packed random games; see packed_helpers.h for what each function promises.
#include "packed_helpers.h"

#include <stdlib.h>

void draft_random(GameDraft *draft, u64 seed, int plies)
{
    Rng rng = {seed};
    Position pos = position_of(GAME_START);
    CHECK(pos_pack(&pos, draft->start));
    for (draft->move_nb = 0; draft->move_nb < plies; draft->move_nb++) {
        Move move = random_move(&pos, &rng);
        if (move == MOVE_NONE)
            return;
        draft->move[draft->move_nb] = move;
        draft->score[draft->move_nb] =
            (i16)clamp_int(pos_material(&pos) + (int)rng_below(&rng, 41) - 20, -3000, 3000);
        play_move(&pos, move);
    }
}

void write_game(FILE *stream, const GameDraft *draft, u64 number, GameResult result, EndKind end)
{
    Text block = {0};
    packed_add(&block, draft, number, result, end);
    CHECK(fwrite(block.ptr, block.len, 1, stream) == 1);
    text_free(&block);
}

void write_random_games(const char *path, int games, int plies, u64 seed)
{
    GameDraft *draft = calloc(1, sizeof *draft);
    FILE *stream = fopen(path, "wb");
    CHECK(stream && packed_write_header(stream, (RunId){.seed = 1, .settings = 2}));
    for (int g = 0; stream && g < games; g++) {
        draft_random(draft, seed + (u64)g, plies);
        write_game(stream, draft, (u64)g, result_of_points(g % 3), (EndKind)(g % PACKED_END_NB));
    }
    if (stream)
        fclose(stream);
    free(draft);
}

Bytes read_bytes(const char *path)
{
    Text text = read_whole(path);
    return (Bytes){(u8 *)text.ptr, text.len};
}
