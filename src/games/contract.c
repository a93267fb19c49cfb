// SPDX-License-Identifier: GPL-3.0-or-later
// Holds a game to the contract when the program is built. Every promised function stands in one table, by
// name and type: a wrong type is an error of this file, a missing function an error of the linker, and both
// name it. The constants and structures are asserted below. The table is never read.
#include "game.h"

#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wint-conversion"

// ---- constants ----------------------------------------------------------------------------------
// Every game numbers its squares, pieces and moves so that tables indexed by them stay small.
_Static_assert(SQUARE_NB > 0 && SQUARE_NB <= 128, "SQUARE_NB: move_to must fit seven bits");
_Static_assert(PIECE_NB > 0 && PIECE_NB <= 64, "PIECE_NB: histories are indexed by piece");
_Static_assert(FROM_NB >= SQUARE_NB && FROM_NB <= 128, "FROM_NB: every square is a from index");
_Static_assert(MAX_MOVES > 0 && MAX_MOVES <= 1024, "MAX_MOVES: move lists live on the stack");
_Static_assert(SUBKEY_NB >= 3, "SUBKEY_NB: pawn structure and the pieces of both sides at least");
_Static_assert(PACKED_BYTES > 0 && PACKED_BYTES <= 48,
               "PACKED_BYTES: a packed position has 48 bytes at most");
_Static_assert(MOVE_TEXT_MAX >= 8 && TEXT_MAX >= 32, "MOVE_TEXT_MAX, TEXT_MAX: room for the texts");
_Static_assert(GEN_IS_LEGAL == 0 || GEN_IS_LEGAL == 1, "GEN_IS_LEGAL is a yes or a no");
_Static_assert(PARAM_COLUMN == 0 || PARAM_COLUMN == 1, "PARAM_COLUMN: one of the two columns of defaults");
_Static_assert(FEATURE_NB > 0 && FEATURE_NB <= 65536, "FEATURE_NB: a feature is a u16");
_Static_assert(FEATURE_ACTIVE_MAX > 0 && FEATURE_ACTIVE_MAX <= 126,
               "FEATURE_ACTIVE_MAX: the trainer keeps 16-bit sums in range");
_Static_assert(DELTA_MAX > 0 && DELTA_MAX <= 4, "DELTA_MAX: a move changes few men");
_Static_assert(FEATURE_CHANGED_MAX >= DELTA_MAX && FEATURE_CHANGED_MAX <= 8,
               "FEATURE_CHANGED_MAX: and few features");
_Static_assert(PERSPECTIVE_BUCKET_NB > 0 && PERSPECTIVE_NB >= PERSPECTIVE_BUCKET_NB,
               "PERSPECTIVE_NB: each bucket has its views");
_Static_assert(BUCKET_NB > 0 && BUCKET_NB <= 16, "BUCKET_NB");
_Static_assert(GAME_NET_HIDDEN > 0 && GAME_NET_HIDDEN % 32 == 0, "GAME_NET_HIDDEN: whole vectors");
_Static_assert(sizeof GAME_NAME > 1, "GAME_NAME");
_Static_assert(sizeof GAME_START > 1 && sizeof GAME_START <= TEXT_MAX, "GAME_START is a position's text");
_Static_assert(HAS_DECLARATION == 0 || HAS_DECLARATION == 1,
               "HAS_DECLARATION: can a game be won by pos_can_declare?");
_Static_assert(sizeof MOVE_LIMIT_WORDS > 1, "MOVE_LIMIT_WORDS: REASON_MOVE_LIMIT for people");
_Static_assert(sizeof((const char *[])SIDE_NAMES) == SIDE_NB * sizeof(char *),
               "SIDE_NAMES: a name for each side");

// ---- structures ---------------------------------------------------------------------------------
_Static_assert(sizeof(Move) == 2, "a Move has 16 bits");
_Static_assert(sizeof(Position) < 1024, "a Position is copied by assignment: under 1 KB");
_Static_assert(sizeof(Undo) < 1024, "an Undo is one per ply of a search: under 1 KB");
_Static_assert(TRAIL_ENTRY_MAX_BYTES <= 16, "TRAIL_ENTRY_MAX_BYTES: at most 16 bytes a ply");
_Static_assert(sizeof(KeyEntry) <= TRAIL_ENTRY_MAX_BYTES, "a KeyEntry is at most TRAIL_ENTRY_MAX_BYTES");
_Static_assert(sizeof(Delta) <= 64, "a Delta fits a cache line");
_Static_assert(sizeof(Rules) <= 16, "Rules are held by value in every Position");

// ---- functions ----------------------------------------------------------------------------------
static const struct Contract {
    bool (*keys_reserve)(KeyHistory *keys, int extra);
    bool (*keys_copy)(KeyHistory *to, const KeyHistory *from, int extra);
    void (*keys_free)(KeyHistory *keys);
    void (*keys_push)(KeyHistory *keys, const Position *pos);
    void (*game_init)(void);
    Rules (*rules_default)(void);
    SetResult (*pos_set)(Position *pos, Span text, const Rules *rules, Message *message);
    bool (*start_random)(const char *kind, Rng *rng, Rules *rules, char *out);
    void (*pos_print)(const Position *pos, char *out);
    Move (*move_parse)(const Position *pos, Span text);
    void (*move_print)(const Position *pos, Move move, char *out);
    bool (*pos_pack)(const Position *pos, u8 *out);
    bool (*pos_unpack)(Position *pos, const u8 *in, const Rules *rules);
    int (*pos_side)(const Position *pos);
    u64 (*pos_key)(const Position *pos);
    u64 (*pos_key_after)(const Position *pos, Move move);
    u64 (*pos_subkey)(const Position *pos, int index);
    bool (*pos_in_check)(const Position *pos);
    int (*pos_game_ply)(const Position *pos);
    int (*pos_material)(const Position *pos);
    int (*pos_activity)(const Position *pos);
    int (*pos_damp)(const Position *pos, int score);
    int (*pos_phase)(const Position *pos);
    int (*move_to)(Move move);
    int (*move_from_index)(Move move);
    int (*move_piece)(const Position *pos, Move move);
    int (*move_captured)(const Position *pos, Move move);
    bool (*move_is_noisy)(const Position *pos, Move move);
    bool (*move_is_promotion)(Move move);
    int (*move_gain)(const Position *pos, Move move);
    int (*move_risk)(const Position *pos, Move move);
    int (*move_order_bonus)(const Position *pos, Move move);
    bool (*move_is_advance)(const Position *pos, Move move);
    bool (*move_makes_threat)(const Position *pos, Move move);
    bool (*move_gives_check)(const Position *pos, Move move);
    bool (*move_is_pseudo_legal)(const Position *pos, Move move);
    bool (*move_is_legal)(const Position *pos, Move move);
    bool (*see_ge)(const Position *pos, Move move, int threshold);
    bool (*pos_is_ok)(const Position *pos);
    void (*pos_flip)(const Position *pos, Position *out);
    bool (*pos_mirror)(const Position *pos, Position *out);
    Outcome (*pos_outcome)(const Position *pos, const KeyHistory *keys, int ply);
    bool (*pos_can_repeat)(const Position *pos, const KeyHistory *keys, int ply);
    Outcome (*pos_no_move_outcome)(const Position *pos);
    bool (*pos_instant_win)(const Position *pos, Move *how);
    bool (*pos_can_declare)(const Position *pos);
    bool (*pos_can_win)(const Position *pos, int side);
    bool (*pos_null_ok)(const Position *pos);
    bool (*pos_tt_trust)(const Position *pos);
    Verdict (*game_outcome)(const Position *pos, const KeyHistory *keys);
    Move *(*gen_noisy)(const Position *pos, Move *list);
    Move *(*gen_quiet)(const Position *pos, Move *list);
    Move *(*gen_checks)(const Position *pos, Move *list);
    Move *(*gen_evasions)(const Position *pos, Move *list);
    Move *(*gen_all)(const Position *pos, Move *list);
    int (*gen_count)(const Position *pos);
    u64 (*perft)(Position *pos, int depth, bool bulk);
    void (*pos_make)(Position *pos, Move move, Undo *undo, Delta *delta);
    void (*pos_unmake)(Position *pos, Move move, const Undo *undo);
    void (*pos_make_null)(Position *pos, Undo *undo);
    void (*pos_unmake_null)(Position *pos, const Undo *undo);
    int (*features_perspective)(const Position *pos, int side);
    int (*features_perspective_bucket)(int perspective);
    int (*features_active)(const Position *pos, int side, int perspective, u16 *out);
    void (*features_changed)(const Delta *delta, int side, int perspective, u16 *added, int *added_nb,
                             u16 *removed, int *removed_nb);
    int (*features_bucket)(const Position *pos);
    int (*features_of_square)(const Position *pos, int side, int perspective, int sq, u16 *out);
    FeatureMeaning (*features_meaning)(int feature);
    Tablebase *(*tb_open)(const char *path, Message *message);
    void (*tb_close)(Tablebase *tables);
    int (*tb_men)(const Tablebase *tables);
    int (*pos_men)(const Position *pos);
    TbResult (*tb_probe)(const Tablebase *tables, const Position *pos);
    bool (*tb_hold_here)(const Position *pos);
    bool (*tb_rank_root)(const Tablebase *tables, const Position *pos, const KeyHistory *keys,
                         bool count_limit, const Move *moves, int move_nb, int *ranks, TbResult *result);
    Book *(*book_open)(const char *path, Message *message);
    void (*book_close)(Book *book);
    int (*book_probe)(const Book *book, const Position *pos, BookMove out[BOOK_MOVES_MAX]);
    MateAnswer (*mate_solve)(const Position *pos, const KeyHistory *keys, const MateLimits *limits,
                             MateResult *result);
    void (*board_draw)(const Position *pos, BoardStyle style, Text *out);
    void (*board_draw_svg)(const Position *pos, BoardStyle style, int size, Text *out);
    void (*move_print_human)(const Position *pos, Move move, char *out);
    Move (*move_parse_human)(const Position *pos, Span text);
    void (*record_free)(Record *record);
    const char *(*record_tag)(const Record *record, const char *name);
    bool (*record_set_tag)(Record *record, const char *name, const char *value);
    bool (*record_add_tag)(Record *record, const char *name, const char *value);
    bool (*record_add_move)(Record *record, Move move, const char *comment);
    bool (*record_read)(Span *rest, const Rules *rules, Record *record);
    bool (*record_write)(const Record *record, const char *format, Text *out);
    BookMaker *(*book_maker_new)(void);
    void (*book_maker_add)(BookMaker *maker, const Record *record, int max_ply);
    bool (*book_maker_finish)(BookMaker *maker, const char *path, int min_games, Message *message);
} CONTRACT __attribute__((used)) = {
    .keys_reserve = keys_reserve,
    .keys_copy = keys_copy,
    .keys_free = keys_free,
    .keys_push = keys_push,
    .game_init = game_init,
    .rules_default = rules_default,
    .pos_set = pos_set,
    .start_random = start_random,
    .pos_print = pos_print,
    .move_parse = move_parse,
    .move_print = move_print,
    .pos_pack = pos_pack,
    .pos_unpack = pos_unpack,
    .pos_side = pos_side,
    .pos_key = pos_key,
    .pos_key_after = pos_key_after,
    .pos_subkey = pos_subkey,
    .pos_in_check = pos_in_check,
    .pos_game_ply = pos_game_ply,
    .pos_material = pos_material,
    .pos_activity = pos_activity,
    .pos_damp = pos_damp,
    .pos_phase = pos_phase,
    .move_to = move_to,
    .move_from_index = move_from_index,
    .move_piece = move_piece,
    .move_captured = move_captured,
    .move_is_noisy = move_is_noisy,
    .move_is_promotion = move_is_promotion,
    .move_gain = move_gain,
    .move_risk = move_risk,
    .move_order_bonus = move_order_bonus,
    .move_is_advance = move_is_advance,
    .move_makes_threat = move_makes_threat,
    .move_gives_check = move_gives_check,
    .move_is_pseudo_legal = move_is_pseudo_legal,
    .move_is_legal = move_is_legal,
    .see_ge = see_ge,
    .pos_is_ok = pos_is_ok,
    .pos_flip = pos_flip,
    .pos_mirror = pos_mirror,
    .pos_outcome = pos_outcome,
    .pos_can_repeat = pos_can_repeat,
    .pos_no_move_outcome = pos_no_move_outcome,
    .pos_instant_win = pos_instant_win,
    .pos_can_declare = pos_can_declare,
    .pos_can_win = pos_can_win,
    .pos_null_ok = pos_null_ok,
    .pos_tt_trust = pos_tt_trust,
    .game_outcome = game_outcome,
    .gen_noisy = gen_noisy,
    .gen_quiet = gen_quiet,
    .gen_checks = gen_checks,
    .gen_evasions = gen_evasions,
    .gen_all = gen_all,
    .gen_count = gen_count,
    .perft = perft,
    .pos_make = pos_make,
    .pos_unmake = pos_unmake,
    .pos_make_null = pos_make_null,
    .pos_unmake_null = pos_unmake_null,
    .features_perspective = features_perspective,
    .features_perspective_bucket = features_perspective_bucket,
    .features_active = features_active,
    .features_changed = features_changed,
    .features_bucket = features_bucket,
    .features_of_square = features_of_square,
    .features_meaning = features_meaning,
    .tb_open = tb_open,
    .tb_close = tb_close,
    .tb_men = tb_men,
    .pos_men = pos_men,
    .tb_probe = tb_probe,
    .tb_hold_here = tb_hold_here,
    .tb_rank_root = tb_rank_root,
    .book_open = book_open,
    .book_close = book_close,
    .book_probe = book_probe,
    .mate_solve = mate_solve,
    .board_draw = board_draw,
    .board_draw_svg = board_draw_svg,
    .move_print_human = move_print_human,
    .move_parse_human = move_parse_human,
    .record_free = record_free,
    .record_tag = record_tag,
    .record_set_tag = record_set_tag,
    .record_add_tag = record_add_tag,
    .record_add_move = record_add_move,
    .record_read = record_read,
    .record_write = record_write,
    .book_maker_new = book_maker_new,
    .book_maker_add = book_maker_add,
    .book_maker_finish = book_maker_finish,
};
