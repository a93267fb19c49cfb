// SPDX-License-Identifier: GPL-3.0-or-later
// See report_folder.h. Memory holds one list of games and a total for each player, so it does not grow with
// the games; each file is written whole or not at all.
#include "analysis/report_folder.h"

#include <stdlib.h>

#include "analysis/remarks.h"
#include "analysis/report_data.h"
#include "base/checksum.h"
#include "session/phrases.h"

enum { LIST_ROWS = 500, FOLDER_GAMES = 1000, PLAYERS_SHOWN = 200, OPENINGS_SHOWN = 3 };

// ---- the folder ---------------------------------------------------------------------------------
bool folder_is_named(const char *path)
{
    Message message;
    const size_t len = strlen(path);
    if (len && path[len - 1] == '/')
        return true;
    return os_exists(path) && !os_has_file(path) && os_make_folder(path, &message);
}

static bool put_file(const HtmlFolder *folder, const char *name, const Text *text, Message *message)
{
    char path[sizeof folder->path + 64];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    if (text->failed)
        return message_set(message, "not enough memory to write '%s'", path);
    return os_write_file(path, text->ptr ? text->ptr : "", text->len, message);
}

bool folder_open(HtmlFolder *folder, const char *path, Message *message)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    const int len = dot ? (int)(dot - path) : (int)strlen(path);
    Text text = {0};
    *folder = (HtmlFolder){0};
    if (folder_is_named(path)) {
        snprintf(folder->path, sizeof folder->path, "%s", path);
        for (size_t end = strlen(folder->path); end > 1 && folder->path[end - 1] == '/'; end--)
            folder->path[end - 1] = '\0';
    } else {
        snprintf(folder->path, sizeof folder->path, "%.*s-games", len, path);
        snprintf(folder->prefix, sizeof folder->prefix, "%.*s-games/", len - (int)(name - path), name);
    }
    bool ok = os_make_folder(folder->path, message);
    report_script(&text);
    ok = ok && put_file(folder, "report.js", &text, message);
    text_clear(&text);
    report_style(&text);
    ok = ok && put_file(folder, "report.css", &text, message);
    text_free(&text);
    folder->is_open = ok;
    return ok;
}

static void free_player(PlayerTotal *player)
{
    for (int i = 0; i < player->opening_nb; i++)
        free(player->opening[i].name);
    free(player->name);
}

void folder_free(HtmlFolder *folder)
{
    for (int i = 0; i < folder->player_nb; i++)
        free_player(&folder->player[i]);
    free(folder->player);
    free(folder->slot);
    text_free(&folder->rows);
    *folder = (HtmlFolder){0};
}

// ---- totals -------------------------------------------------------------------------------------
static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static int slot_of(const HtmlFolder *folder, const char *name)
{
    u64 at = hash_mix(checksum_add(0, name, strlen(name))) & (u64)(folder->slot_nb - 1);
    while (folder->slot[at] && strcmp(folder->player[folder->slot[at] - 1].name, name) != 0)
        at = (at + 1) & (u64)(folder->slot_nb - 1);
    return (int)at;
}

static bool grow_players(HtmlFolder *folder)
{
    const int capacity = folder->player_capacity ? 2 * folder->player_capacity : 64;
    PlayerTotal *player = realloc(folder->player, (size_t)capacity * sizeof *player);
    folder->player = player ? player : folder->player;
    int *slot = calloc((size_t)capacity * 2, sizeof *slot);
    if (!player || !slot) {
        free(slot);
        return false;
    }
    free(folder->slot);
    folder->slot = slot;
    folder->slot_nb = 2 * capacity;
    folder->player_capacity = capacity;
    for (int i = 0; i < folder->player_nb; i++)
        folder->slot[slot_of(folder, folder->player[i].name)] = i + 1;
    return true;
}

// The player of that name; NULL when there are too many.
static PlayerTotal *player_of(HtmlFolder *folder, const char *name)
{
    if (folder->player_nb == folder->player_capacity &&
        (folder->player_nb >= PLAYERS_MAX || !grow_players(folder)))
        return NULL;
    int at = slot_of(folder, name);
    if (!folder->slot[at]) {
        char *copy = copy_text(name);
        if (!copy)
            return NULL;
        folder->player[folder->player_nb] = (PlayerTotal){.name = copy};
        folder->slot[at] = ++folder->player_nb;
    }
    return &folder->player[folder->slot[at] - 1];
}

static void add_opening(PlayerTotal *player, const char *name, int half_points)
{
    int i = 0;
    while (i < player->opening_nb && strcmp(player->opening[i].name, name) != 0)
        i++;
    if (i == player->opening_nb && i < OPENINGS_KEPT) {
        char *copy = copy_text(name);
        if (copy)
            player->opening[player->opening_nb++] = (OpeningTotal){.name = copy};
    }
    if (i < player->opening_nb) {
        player->opening[i].game_nb++;
        player->opening[i].half_points += half_points;
    }
}

static void add_totals(HtmlFolder *folder, const AnalysedGame *game)
{
    for (int side = 0; side < SIDE_NB; side++) {
        const PlayerSummary *summary = &game->player[side];
        const char *name = record_tag(&game->record, phrase_side(side));
        PlayerTotal *total = name && game->is_of[side] ? player_of(folder, name) : NULL;
        if (!total)
            continue;
        const int half_points = result_points(game->record.result, side);
        total->game_nb++;
        total->half_points += half_points;
        total->move_nb += summary->move_nb;
        total->accuracy += summary->accuracy * summary->move_nb;
        total->cp_loss += summary->cp_loss * summary->move_nb;
        for (int i = 0; i < MARK_NB; i++)
            total->mark_nb[i] += summary->mark_nb[i];
        for (int i = 0; i < PHASE_NB; i++) {
            const PhaseSummary *phase = &summary->phase[i];
            total->phase[i].move_nb += phase->move_nb;
            total->phase[i].accuracy += phase->accuracy * phase->move_nb;
            total->phase[i].cp_loss += phase->cp_loss * phase->move_nb;
            total->phase[i].loss += phase->loss;
        }
        if (game->opening.ply)
            add_opening(total, game->opening.name, half_points);
    }
}

// ---- games --------------------------------------------------------------------------------------
static bool end_list(HtmlFolder *folder, Message *message)
{
    Text text = {0};
    char name[48], heading[64];
    if (!folder->row_nb)
        return true;
    folder->list_nb++;
    snprintf(name, sizeof name, "list-%d.html", folder->list_nb);
    snprintf(heading, sizeof heading, said("Games, list %d"), folder->list_nb);
    html_begin(heading, "", &text);
    text_add(&text, "</header>\n<main>\n");
    html_table(&folder->rows, &text);
    html_end("", false, &text);
    bool ok = put_file(folder, name, &text, message);
    text_free(&text);
    text_clear(&folder->rows);
    folder->row_nb = 0;
    return ok;
}

static bool put_game(HtmlFolder *folder, const Analysis *analysis, const AnalysedGame *game, Message *message)
{
    char name[64], part[sizeof folder->path + 32];
    Text text = {0}, title = {0};
    const int folder_number = game->number / FOLDER_GAMES;
    snprintf(part, sizeof part, "%s/%03d", folder->path, folder_number);
    snprintf(name, sizeof name, "%03d/game-%d.html", folder_number, game->number);
    analysis_title(game, &title);
    html_begin(title.ptr ? title.ptr : said("Game"), "../", &text);
    text_add(&text, "<p class=\"soft\"><a href=\"../list-%d.html\">%s</a></p></header>\n<main>\n",
             folder->list_nb + 1, said("All games"));
    html_game(analysis, game, &text);
    html_end("../", true, &text);
    bool ok = os_make_folder(part, message) && put_file(folder, name, &text, message);
    html_row(game, name, &folder->rows);
    folder->row_nb++;
    folder->game_nb++;
    text_free(&text);
    text_free(&title);
    return ok && (folder->row_nb < LIST_ROWS || end_list(folder, message));
}

bool folder_add(HtmlFolder *folder, const Analysis *analysis, Message *message)
{
    for (int i = 0; i < analysis->game_nb && analysis_goes_on(analysis, i); i++) {
        const AnalysedGame *game = &analysis->game[i];
        folder->left_out_nb += game->is_skipped;
        if (game->is_skipped || game->is_position)
            continue;
        add_totals(folder, game);
        if (!put_game(folder, analysis, game, message))
            return false;
    }
    return true;
}

// ---- the index ----------------------------------------------------------------------------------
static int more_games(const void *a, const void *b)
{
    const PlayerTotal *first = a, *second = b;
    return first->game_nb != second->game_nb ? second->game_nb - first->game_nb
                                             : strcmp(first->name, second->name);
}

static int more_played(const void *a, const void *b)
{
    return ((const OpeningTotal *)b)->game_nb - ((const OpeningTotal *)a)->game_nb;
}

// In which phase the player gives away most.
static void put_weakness(const PlayerTotal *player, Text *out)
{
    int worst = 0;
    double sum = 0;
    for (int i = 0; i < PHASE_NB; i++) {
        sum += player->phase[i].loss;
        worst = player->phase[i].loss > player->phase[worst].loss ? i : worst;
    }
    if (sum > 0)
        text_add(out, said("%.1f points given away, most in the %s (%.0f%%)"), sum,
                 said(phase_word((GamePhase)worst)), 100 * player->phase[worst].loss / sum);
}

static void put_player(PlayerTotal *player, Text *out)
{
    const double moves = max_int(player->move_nb, 1);
    text_add(out, "<tr><td class=\"title\">");
    text_add_html(out, span_of(player->name));
    text_add(out,
             "</td><td class=\"r num\">%d</td><td class=\"r num\">%.1f</td><td class=\"r "
             "num\">%.1f%%</td><td class=\"r "
             "num\">%.0f</td><td class=\"r num\">%d</td><td class=\"r num\">%d</td>",
             player->game_nb, player->half_points / 2.0, player->accuracy / moves, player->cp_loss / moves,
             player->mark_nb[MARK_BLUNDER], player->mark_nb[MARK_MISTAKE]);
    for (int i = 0; i < PHASE_NB; i++)
        text_add(out,
                 player->phase[i].move_nb ? "<td class=\"r num\">%.1f%%</td>"
                                          : "<td class=\"r\">&ndash;</td>",
                 player->phase[i].accuracy / max_int(player->phase[i].move_nb, 1));
    text_add(out, "<td>");
    put_weakness(player, out);
    text_add(out, "</td><td>");
    qsort(player->opening, (size_t)player->opening_nb, sizeof player->opening[0], more_played);
    for (int i = 0; i < min_int(player->opening_nb, OPENINGS_SHOWN); i++) {
        text_add(out, "%s", i ? "; " : "");
        text_add_html(out, span_of(player->opening[i].name));
        text_add(out, " <span class=\"num\">%.1f/%d</span>", player->opening[i].half_points / 2.0,
                 player->opening[i].game_nb);
    }
    text_add(out, "</td></tr>\n");
}

static void put_players(HtmlFolder *folder, Text *out)
{
    static const char *const HEADS[] = {"Games", "Points",  "Accuracy",   "Centipawns", "??",
                                        "?",     "Opening", "Middlegame", "Endgame"};
    if (!folder->player_nb)
        return;
    qsort(folder->player, (size_t)folder->player_nb, sizeof folder->player[0], more_games);
    text_add(out, "<section><h2>%s</h2>", said("Players"));
    if (folder->player_nb > PLAYERS_SHOWN)
        text_add(out, said("The %d with the most games."), PLAYERS_SHOWN);
    text_add(out, "<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">%s</th>",
             said("Player"));
    for (size_t i = 0; i < sizeof HEADS / sizeof HEADS[0]; i++)
        text_add(out, "<th class=\"r\" scope=\"col\">%s</th>", said(HEADS[i]));
    text_add(out, "<th scope=\"col\">%s</th><th scope=\"col\">%s</th></tr></thead><tbody>\n",
             said("Where points are lost"), said("Openings, points of games"));
    for (int i = 0; i < min_int(folder->player_nb, PLAYERS_SHOWN); i++)
        put_player(&folder->player[i], out);
    text_add(out, "</tbody></table></div></section>\n");
}

bool folder_finish(HtmlFolder *folder, const char *title, Text *out, Message *message)
{
    if (!end_list(folder, message))
        return false;
    html_begin(title ? title : said("Game analysis"), folder->prefix, out);
    text_add(out, "<p class=\"soft\">%s", said("By Twofold " GAME_NAME ": "));
    text_add(out, said("%d game%s"), folder->game_nb, folder->game_nb == 1 ? "" : "s");
    if (folder->left_out_nb)
        text_add(out, said("; %d could not be read"), folder->left_out_nb);
    text_add(out, "%s</p></header>\n<main>\n", said("."));
    put_players(folder, out);
    text_add(out, "<section><h2>%s</h2><ul class=\"tally\">", said("Games"));
    for (int i = 0; i < folder->list_nb; i++)
        text_add(out, "<li><a href=\"%slist-%d.html\">%d &ndash; %d</a></li>", folder->prefix, i + 1,
                 i * LIST_ROWS + 1, min_int((i + 1) * LIST_ROWS, folder->game_nb));
    text_add(out, "</ul></section>\n");
    html_end(folder->prefix, false, out);
    if (folder->prefix[0])
        return true;
    return put_file(folder, "index.html", out, message);
}
