// SPDX-License-Identifier: GPL-3.0-or-later
// Holds a game to the contract when the program is built: its constants and structures are asserted, and
// every promised function stands in a table, by name, so that one that is missing is an error of the linker.
// A function of the wrong type is an error where the game defines it. The table is never read.
#include "game.h"
#include "games/knowledge.h"
#include "games/notation.h"
#include "games/record.h"

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
_Static_assert(KEY_ENTRY_MAX_BYTES <= 16, "KEY_ENTRY_MAX_BYTES: at most 16 bytes a ply");
_Static_assert(sizeof(KeyEntry) <= KEY_ENTRY_MAX_BYTES, "a KeyEntry is at most KEY_ENTRY_MAX_BYTES");
_Static_assert(sizeof(Delta) <= 64, "a Delta fits a cache line");
_Static_assert(sizeof(Rules) <= 16, "Rules are held by value in every Position");

// ---- functions ------------------------------------------------------------------------------------
// A function of another type than its header says is an error where it is defined; one that is missing is an
// error of the linker, which this table makes look for every one of them.
#define PROMISED(name) (void (*)(void)) name
static void (*const CONTRACT[])(void) __attribute__((used)) = {
    // rules.h
    PROMISED(keys_reserve),
    PROMISED(keys_copy),
    PROMISED(keys_free),
    PROMISED(keys_push),
    PROMISED(game_init),
    PROMISED(rules_default),
    PROMISED(pos_set),
    PROMISED(pos_print),
    PROMISED(move_parse),
    PROMISED(move_print),
    PROMISED(pos_pack),
    PROMISED(pos_unpack),
    PROMISED(pos_side),
    PROMISED(pos_key),
    PROMISED(pos_subkey),
    PROMISED(pos_in_check),
    PROMISED(pos_game_ply),
    PROMISED(pos_men),
    PROMISED(move_to),
    PROMISED(move_from_index),
    PROMISED(move_piece),
    PROMISED(move_captured),
    PROMISED(move_is_noisy),
    PROMISED(move_is_promotion),
    PROMISED(move_gives_check),
    PROMISED(move_is_pseudo_legal),
    PROMISED(move_is_legal),
    PROMISED(pos_is_ok),
    PROMISED(pos_flip),
    PROMISED(pos_mirror),
    PROMISED(pos_outcome),
    PROMISED(pos_can_repeat),
    PROMISED(pos_no_move_outcome),
    PROMISED(pos_instant_win),
    PROMISED(pos_can_declare),
    PROMISED(pos_can_win),
    PROMISED(game_outcome),
    PROMISED(gen_noisy),
    PROMISED(gen_quiet),
    PROMISED(gen_checks),
    PROMISED(gen_evasions),
    PROMISED(gen_all),
    PROMISED(gen_count),
    PROMISED(perft),
    PROMISED(pos_make),
    PROMISED(pos_unmake),
    PROMISED(pos_make_null),
    PROMISED(pos_unmake_null),
    // heuristics.h
    PROMISED(pos_material),
    PROMISED(pos_activity),
    PROMISED(pos_damp),
    PROMISED(pos_phase),
    PROMISED(move_gain),
    PROMISED(move_risk),
    PROMISED(move_stake),
    PROMISED(move_order_bonus),
    PROMISED(move_is_advance),
    PROMISED(move_makes_threat),
    PROMISED(move_obscurity),
    PROMISED(move_manner),
    PROMISED(see_ge),
    PROMISED(pos_null_ok),
    PROMISED(pos_tt_trust),
    // features.h
    PROMISED(features_perspective),
    PROMISED(features_perspective_bucket),
    PROMISED(features_active),
    PROMISED(features_changed),
    PROMISED(features_bucket),
    PROMISED(features_of_square),
    PROMISED(features_meaning),
    // knowledge.h
    PROMISED(tb_open),
    PROMISED(tb_close),
    PROMISED(tb_men),
    PROMISED(tb_lost),
    PROMISED(tb_check_files),
    PROMISED(tb_tell_lost),
    PROMISED(tb_probe),
    PROMISED(tb_hold_here),
    PROMISED(tb_rank_root),
    PROMISED(book_open),
    PROMISED(book_close),
    PROMISED(book_probe),
    PROMISED(mate_solve),
    // notation.h
    PROMISED(board_draw),
    PROMISED(side_words),
    PROMISED(side_words_in),
    PROMISED(side_named),
    PROMISED(board_draw_svg),
    PROMISED(move_print_human),
    PROMISED(move_print_words),
    PROMISED(move_parse_reply),
    PROMISED(move_parse_human),
    PROMISED(start_random),
    PROMISED(start_name_at),
    PROMISED(start_by_name),
    PROMISED(opening_name),
    PROMISED(castle_name),
    // record.h
    PROMISED(record_free),
    PROMISED(record_tag),
    PROMISED(record_set_tag),
    PROMISED(record_add_tag),
    PROMISED(record_add_move),
    PROMISED(record_read),
    PROMISED(record_write),
    PROMISED(record_format_at),
    PROMISED(record_language),
    PROMISED(record_encode),
    PROMISED(record_add_search),
    PROMISED(book_maker_new),
    PROMISED(book_maker_add),
    PROMISED(book_maker_finish),
};
