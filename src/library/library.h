// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the library share: the handle behind a twofold_chess or a twofold_shogi, and how a call
// begins, fails and ends. Invariant: while `busy` is set, only arm and stop touch the handle, and of it
// nothing but the control.
#ifndef TWOFOLD_LIBRARY_H
#define TWOFOLD_LIBRARY_H

#include <stdatomic.h>

#include "../../include/twofold.h"
#include "games/record.h"
#include "session/options.h"

// The build says which game the names are for: API(new) is twofold_chess_new.
#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b) JOIN_AGAIN(a, b)
#define HANDLE JOIN(twofold_, TWOFOLD_GAME)
#define API(name) JOIN(HANDLE, _##name)

enum { WORD_SHOWN = 40 };

struct HANDLE {
    Session session;
    Record sheet; // tags, comments and variations of the game; its moves are the first of the session's game
    Text text;    // what was handed out last
    Message error;
    atomic_bool busy;
    SearchControl control;
    Mutex gate; // of the two below: a stop belongs to the search that runs, or to the one that was armed for
    bool is_searching, is_armed;
    twofold_evaluate evaluate; // the caller's; NULL: the network
    void *evaluate_context;
};

// ---- calls (twofold.c) --------------------------------------------------------------------------
// Takes the engine for a call, and gives it back with the status; every function but error, arm and stop
// begins and ends with these.
int library_take(HANDLE *engine);
int library_give(HANDLE *engine, int status);
// Keeps the sentence for `error` and returns the status.
int library_fail(HANDLE *engine, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Hands out the engine's text; a failure when there was no memory for it.
int library_hand_out(HANDLE *engine, const char **text);

// ---- structs of other versions (twofold.c) ------------------------------------------------------
// A program may be older or newer than the library: its struct `from` says its own size first. Copies it into
// `to` of `known` bytes, with zeros for what an older program does not have. False with a sentence when the
// size is none, or when a newer program has set what this library does not know.
bool library_read_struct(HANDLE *engine, const char *name, const void *from, void *to, size_t known,
                         size_t least);
// Is there room for a struct that the library fills? False with a sentence.
bool library_check_struct(HANDLE *engine, const char *name, const void *to, size_t known, size_t least);
// Fills the caller's struct from ours, as far as it goes, and with zeros beyond; it keeps its size.
void library_fill_struct(void *to, const void *from, size_t known);

// ---- searches and analyses (think.c) ------------------------------------------------------------
// One begins: a stop that came before it counts only when it was armed for. And it has ended.
void library_open_gate(HANDLE *engine, const Limits *limits);
void library_close_gate(HANDLE *engine);
// The limits of a search or an analysis as the search has them; a status.
int library_limits(HANDLE *engine, const twofold_limits *from, Limits *to);

// ---- an evaluation of the caller's (evaluation.c) -----------------------------------------------
// A score in centipawns as people are shown them; those of a caller's evaluation as they are.
int library_shown(const HANDLE *engine, int score, const Position *pos);

// ---- records (records.c) ------------------------------------------------------------------------
// Another game begins: tags, comments and variations are forgotten.
void library_forget_sheet(HANDLE *engine);
// The game so far with its tags, comments and variations, in an empty record; false without memory.
bool library_record(const HANDLE *engine, Record *record);

#endif
