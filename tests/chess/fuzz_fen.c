// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes as a FEN, in both modes, and as a move in what they set up. What is accepted must be
// sound and survive printing, reading, packing and every move; what is refused must leave the position alone.
#include "fuzz.h"
#include "games/notation.h"

static void check_position(const Position *pos, Span text)
{
    char fen[TEXT_MAX], again[TEXT_MAX];
    u8 bytes[PACKED_BYTES];
    Position other;
    require(pos_is_ok(pos));
    pos_print(pos, fen);
    require(pos_set(&other, span_of(fen), &pos->rules, NULL) == SET_OK);
    pos_print(&other, again);
    require(strcmp(fen, again) == 0 && other.key == pos->key);
    require(pos_pack(pos, bytes) && pos_unpack(&other, bytes, &pos->rules) && other.key == pos->key);
    move_parse(pos, text);
    move_parse_human(pos, text);
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    for (Move *m = list; m < end; m++) {
        char move[MOVE_TEXT_MAX];
        Undo undo;
        move_print_human(pos, *m, move);
        require(move_parse_human(pos, span_of(move)) == *m);
        other = *pos;
        pos_make(&other, *m, &undo, NULL);
        require(pos_is_ok(&other));
    }
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    Span text = {(const char *)data, size};
    for (int mode = 0; mode < 2; mode++) {
        Rules rules = {.chess960 = mode};
        Position pos, before;
        Message message = {""};
        require(pos_set(&pos, span_of(GAME_START), &rules, NULL) == SET_OK);
        before = pos;
        SetResult result = pos_set(&pos, text, &rules, &message);
        require((result == SET_OK) == (message.text[0] == '\0'));
        if (result == SET_REJECTED)
            require(memcmp(&pos, &before, sizeof pos) == 0);
        check_position(&pos, text);
    }
    return 0;
}
