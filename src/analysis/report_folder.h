// SPDX-License-Identifier: GPL-3.0-or-later
// The report on many games: a folder with a page for each, lists of them, and an index with totals for each
// player, written as the games come. Private to analysis/.
#ifndef TWOFOLD_REPORT_FOLDER_H
#define TWOFOLD_REPORT_FOLDER_H

#include "analysis/report_html.h"

enum { OPENINGS_KEPT = 8, PLAYERS_MAX = 20000 };

typedef struct OpeningTotal {
    char *name;
    int game_nb, half_points;
} OpeningTotal;

// What a player did in all games.
typedef struct PlayerTotal {
    char *name;
    int game_nb, half_points, move_nb, mark_nb[MARK_NB];
    double accuracy, cp_loss;     // sums over the moves
    PhaseSummary phase[PHASE_NB]; // the same, not yet divided
    OpeningTotal opening[OPENINGS_KEPT];
    int opening_nb;
} PlayerTotal;

// Zero-initialised is none.
typedef struct HtmlFolder {
    bool is_open;
    char path[4096];   // of the folder
    char prefix[1024]; // the folder as the index names it: "" or "name-games/"
    Text rows;         // of the list that is being filled
    int row_nb, list_nb, game_nb, left_out_nb;
    PlayerTotal *player;
    int player_nb, player_capacity;
    int *slot; // index + 1 by name
    int slot_nb;
} HtmlFolder;

// Does the path name a folder: one that is there, or with a slash at its end?
bool folder_is_named(const char *path);
// Makes the folder that the path names, or the one beside the page that it names, with what all pages share.
bool folder_open(HtmlFolder *folder, const char *path, Message *message);
bool folder_add(HtmlFolder *folder, const Analysis *analysis, Message *message);
// Writes the last list, and adds the index to `out`.
bool folder_finish(HtmlFolder *folder, const char *title, Text *out, Message *message);
void folder_free(HtmlFolder *folder);

#endif
