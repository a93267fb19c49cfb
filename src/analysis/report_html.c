// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis as one HTML page that needs nothing else: script and style are in it, nothing comes from
// elsewhere. All words, tables and the graph stand in the page as it is written; the script (report.js) adds
// the boards. The graph is drawn without text, so that it may stretch to any width; its labels are HTML.
// Every mark is told by its sign and in words, never by colour alone.
#include "analysis/report_html.h"

#include "analysis/comments.h"
#include "analysis/remarks.h"
#include "analysis/report_data.h"
#include "analysis/report_graph.h"
#include "analysis/tasks.h"
#include "games/notation.h"
#include "session/phrases.h"

enum { LINE_SHOWN = 8, MISSED_MAX = 24 };

// ---- small things -------------------------------------------------------------------------------
static void add(Text *out, const char *text) { text_add_html(out, span_of(text)); }

const char *html_mark_class(Mark mark)
{
    return mark == MARK_BLUNDER ? "b" : mark == MARK_MISTAKE ? "m" : mark == MARK_DUBIOUS ? "d" : "g";
}

// The stone that stands for a side: the side that is called White is the light one, whichever moves first.
bool html_is_light(int side) { return strcmp(phrase_side(side), "White") == 0; }

static void add_mark(Text *out, Mark mark)
{
    if (mark != MARK_NONE)
        text_add(out,
                 "<span class=\"%s\"><span aria-hidden=\"true\">%s</span><span class=\"hidden\"> "
                 "(%s)</span></span>",
                 html_mark_class(mark), mark_text(mark), said(mark_word(mark)));
}

// The move of a game with its number, in the language that is spoken.
void html_move(const AnalysedGame *game, const Position *pos, int ply, Text *out)
{
    char number[24], move[MOVE_WORDS_MAX];
    const Move last = ply ? game->record.move[ply - 1].move : MOVE_NONE;
    move_number_words(pos, number, sizeof number);
    move_print_words(pos, last, game->record.move[ply].move, language(), move);
    add(out, number);
    add(out, move);
}

static void add_line(Text *out, const Position *pos, const PositionResult *result)
{
    Text line = {0};
    line_print_from(pos, result->line, min_int(result->line_nb, LINE_SHOWN), line_style_of(language()),
                    &line);
    text_add_html(out, text_span(&line));
    text_free(&line);
}

// The title, with the result kept on one line.
static void add_title(Text *out, const AnalysedGame *game)
{
    Text title = {0};
    analysis_title(game, &title);
    Span names = text_span(&title), result = span_of(game->record.result_word);
    bool has_result = result.len && names.len > result.len && !title.failed &&
                      memcmp(names.ptr + names.len - result.len, result.ptr, result.len) == 0;
    names.len -= has_result ? result.len : 0;
    text_add_html(out, names);
    if (has_result) {
        text_add(out, "<span class=\"keep\">");
        text_add_html(out, result);
        text_add(out, "</span>");
    }
    text_free(&title);
}

// The known part of a tag: of a date the part before question marks, of a round its number without zeros in
// front; empty when nothing is known.
static Span known_part(const Record *record, const char *tag)
{
    const char *value = record_tag(record, tag);
    Span known = span_trim(span_of(value ? value : ""));
    if (known.len && (*known.ptr == '?' || span_is(known, "-")))
        known.len = 0;
    const char *unknown = strcmp(tag, "Date") == 0 ? memchr(known.ptr, '?', known.len) : NULL;
    if (unknown)
        known.len = (size_t)(unknown - known.ptr);
    while (unknown && known.len && strchr("./- ", known.ptr[known.len - 1]))
        known.len--;
    while (strcmp(tag, "Round") == 0 && known.len > 1 && *known.ptr == '0')
        known.ptr++, known.len--;
    return known;
}

// ---- players ------------------------------------------------------------------------------------
// Who has not moved has no accuracy.
static void add_accuracy(Text *out, const PlayerSummary *player)
{
    if (player->move_nb)
        text_add(out, "%.1f%%", player->accuracy);
    else
        text_add(out, "&ndash;");
}

// The rating that the file tells.
static void add_rating(Text *out, const AnalysedGame *game, int side)
{
    char tag[32];
    snprintf(tag, sizeof tag, "%sElo", phrase_side(side));
    Span rating = known_part(&game->record, tag);
    if (!rating.len)
        return;
    text_add(out, " <span class=\"soft num\">");
    text_add_html(out, rating);
    text_add(out, "</span>");
}

static void add_phases(Text *out, const AnalysedGame *game)
{
    text_add(out, "<div class=\"wide\"><table class=\"phases\"><thead><tr><th scope=\"col\">%s</th>",
             said("Phase"));
    for (int side = 0; side < SIDE_NB; side++)
        text_add(out, "<th class=\"r\" scope=\"col\">%s</th><th class=\"r\" scope=\"col\">%s</th>",
                 side_words(&game->record.start, side), said("lost"));
    text_add(out, "</tr></thead><tbody>\n");
    for (int i = 0; i < PHASE_NB; i++) {
        if (!game->player[0].phase[i].move_nb && !game->player[1].phase[i].move_nb)
            continue;
        text_add(out, "<tr><th scope=\"row\">%s</th>", said(phase_word((GamePhase)i)));
        for (int side = 0; side < SIDE_NB; side++) {
            const PhaseSummary *phase = &game->player[side].phase[i];
            if (phase->move_nb)
                text_add(out, "<td class=\"r num\">%.1f%%</td><td class=\"r num\">%.0f%s</td>",
                         phase->accuracy, phase->cp_loss, said(" cp"));
            else
                text_add(out, "<td class=\"r\">&ndash;</td><td class=\"r\">&ndash;</td>");
        }
        text_add(out, "</tr>\n");
    }
    text_add(out, "</tbody></table></div>\n");
}

static void add_player(Text *out, const AnalysedGame *game, int side)
{
    const PlayerSummary *player = &game->player[side];
    const char *name = record_tag(&game->record, phrase_side(side));
    static const Mark MARKS[] = {MARK_BLUNDER, MARK_MISTAKE, MARK_DUBIOUS, MARK_GOOD};
    static const char *const NAMES[][2] = {{"%d blunder", "%d blunders"},
                                           {"%d mistake", "%d mistakes"},
                                           {"%d dubious", "%d dubious"},
                                           {"%d only move", "%d only moves"}};
    text_add(out, "<div class=\"card\"><div class=\"name\"><span class=\"stone%s\"></span><span>",
             html_is_light(side) ? "" : " dark");
    add(out, name ? name : side_words(&game->record.start, side));
    add_rating(out, game, side);
    text_add(out, "</span></div><div><span class=\"big num\">");
    add_accuracy(out, player);
    text_add(out, "</span> <span class=\"soft\">");
    text_add(out, said("accuracy, %s"), side_words(&game->record.start, side));
    text_add(out, "</span></div>");
    if (player->move_nb) {
        text_add(out, "<div class=\"soft num\">");
        text_add(out, said("%.0f centipawns lost a move"), player->cp_loss);
        text_add(out, "</div>");
    }
    text_add(out, "<div class=\"bar\"><div style=\"width:%.1f%%\"></div></div><ul class=\"tally\">",
             player->accuracy);
    for (int i = 0; i < 4; i++) {
        int nb = player->mark_nb[MARKS[i]];
        text_add(out, "<li><span class=\"%s\" aria-hidden=\"true\">%s</span> ", html_mark_class(MARKS[i]),
                 mark_text(MARKS[i]));
        text_add(out, said(NAMES[i][nb != 1]), nb);
        text_add(out, "</li>");
    }
    text_add(out, "</ul></div>\n");
}

// ---- moves --------------------------------------------------------------------------------------
static void add_move_cell(Text *out, const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                          const Position *after, int ply)
{
    char move[MOVE_WORDS_MAX], score[PHRASE_MAX] = "";
    Text remark = {0};
    move_print_words(pos, ply ? game->record.move[ply - 1].move : MOVE_NONE, game->record.move[ply].move,
                     language(), move);
    if (game->verdict[ply].is_judged)
        phrase_score_words(analysis_result(analysis, game, ply + 1)->score, after, score);
    analysis_remark(analysis, game, pos, ply, REMARK_LINE, language(), &remark);
    text_add(out, "<span class=\"mv\" id=\"g%dp%d\"", game->number, ply + 1);
    if (remark.len) {
        text_add(out, " title=\"");
        text_add_html(out, text_span(&remark));
        text_add(out, "\"");
    }
    text_add(out, ">");
    add(out, move);
    add_mark(out, game->verdict[ply].mark);
    text_add(out, "<small class=\"num\">%s</small></span>", score);
    text_free(&remark);
}

static void add_moves(Text *out, const Analysis *analysis, const AnalysedGame *game)
{
    Position pos = game->record.start;
    text_add(out, "<h3 class=\"movehead\">%s</h3><ol class=\"moves\">\n", said("Moves"));
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        bool opens = pos_side(&pos) == 0 || ply == 0;
        Position after = pos_after(&pos, game->record.move[ply].move);
        if (opens)
            text_add(out, "<li><span class=\"n num\">%d%s</span>%s",
                     moves_are_half_moves() ? pos_game_ply(&pos) + 1 : pos_move_number(&pos),
                     moves_are_half_moves() ? "" : ".",
                     pos_side(&pos) ? "<span class=\"mv\">...</span>" : "");
        add_move_cell(out, analysis, game, &pos, &after, ply);
        if (pos_side(&pos) == 1 || ply == game->record.move_nb - 1)
            text_add(out, "</li>\n");
        pos = after;
    }
    text_add(out, "</ol>\n");
}

static void add_turning_point(Text *out, const Analysis *analysis, const AnalysedGame *game,
                              const Position *pos, int ply)
{
    const MoveVerdict *verdict = &game->verdict[ply];
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    Position after = pos_after(pos, game->record.move[ply].move);
    char before_score[PHRASE_MAX], after_score[PHRASE_MAX];
    Text remark = {0};
    phrase_score_words(now->score, pos, before_score);
    phrase_score_words(next->score, &after, after_score);
    analysis_remark(analysis, game, pos, ply, REMARK_LINE, language(), &remark);
    text_add(out, "<article class=\"card\"><h4><a href=\"#g%dp%d\">", game->number, ply + 1);
    html_move(game, pos, ply, out);
    text_add(out, "</a>");
    add_mark(out, verdict->mark);
    text_add(out, "</h4>\n");
    text_add(out, "<div class=\"mini\" data-ply=\"%d\"></div>\n", ply + 1);
    text_add(out, "<p class=\"soft\">");
    text_add(out, said("%s to move. %s before, %s after."), side_words(pos, pos_side(pos)), before_score,
             after_score);
    text_add(out, "</p><p>");
    text_add_html(out, text_span(&remark));
    text_add(out, "</p></article>\n");
    text_free(&remark);
}

// Turning points with their diagrams, then every remark and every comment of the file.
static void add_comments(Text *out, const Analysis *analysis, const AnalysedGame *game)
{
    Position pos = game->record.start;
    Text list = {0};
    const int left_out = COMMENT_COMMANDS | (game->has_old_remarks ? COMMENT_OLD_REMARKS : 0);
    int remark_nb = 0, turning = 0;
    if (game->turning_nb)
        text_add(out, "<h3>%s</h3><div class=\"turns\">\n", said("Turning points"));
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        Text words = {0};
        comment_strip(game->record.move[ply].comment, left_out, &words);
        if (turning < game->turning_nb && game->turning[turning] == ply) {
            add_turning_point(out, analysis, game, &pos, ply);
            turning++;
        }
        if (game->verdict[ply].mark != MARK_NONE || words.len) {
            Text remark = {0};
            analysis_remark(analysis, game, &pos, ply, REMARK_LINE, language(), &remark);
            text_add(&list, "<li><a href=\"#g%dp%d\">", game->number, ply + 1);
            html_move(game, &pos, ply, &list);
            text_add(&list, "</a>");
            add_mark(&list, game->verdict[ply].mark);
            text_add(&list, " ");
            text_add_html(&list, text_span(&remark));
            if (words.len) {
                text_add(&list, " <q>");
                text_add_html(&list, text_span(&words));
                text_add(&list, "</q>");
            }
            text_add(&list, "</li>\n");
            text_free(&remark);
            remark_nb++;
        }
        text_free(&words);
        pos = pos_after(&pos, game->record.move[ply].move);
    }
    if (game->turning_nb)
        text_add(out, "</div>\n");
    if (remark_nb) {
        text_add(out, "<details><summary>");
        text_add(out, said("All remarks (%d)"), remark_nb);
        text_add(out, "</summary><ul class=\"remarks\">\n");
    }
    text_add_bytes(out, list.ptr ? list.ptr : "", list.len);
    if (remark_nb)
        text_add(out, "</ul></details>\n");
    text_free(&list);
}

// ---- games and positions ------------------------------------------------------------------------
void html_game(const Analysis *analysis, const AnalysedGame *game, Text *out)
{
    static const char *const TAGS[] = {"Event", "Site", "Round", "Date"};
    text_add(out, "<section id=\"g%d\" aria-labelledby=\"h%d\"><h2 id=\"h%d\">", game->number, game->number,
             game->number);
    add_title(out, game);
    text_add(out, "</h2><p class=\"soft\">");
    text_add(out, said("Game %d"), game->number);
    for (int i = 0; i < 4; i++) {
        Span value = known_part(&game->record, TAGS[i]);
        if (value.len)
            text_add(out, "%s", strcmp(TAGS[i], "Round") == 0 ? said(", round ") : ", ");
        text_add_html(out, value);
    }
    text_add(out, "</p>\n");
    Text opening = {0}, castles = {0};
    analysis_opening(game, &opening);
    analysis_castles(game, &castles);
    for (int i = 0; i < 2; i++) {
        const Text *names = i ? &castles : &opening;
        if (!names->len)
            continue;
        text_add(out, "<p>%s", i ? said("Castles: ") : "");
        text_add_html(out, text_span(names));
        text_add(out, "</p>\n");
    }
    text_free(&opening);
    text_free(&castles);
    if (game->record.error.text[0]) {
        text_add(out, "<p class=\"error\">");
        text_add(out, "%s", said("The game could not be read to its end: "));
        add(out, game->record.error.text);
        text_add(out, "%s</p>\n", said("."));
    }
    Text words = {0};
    comment_strip(game->record.comment, COMMENT_COMMANDS | (game->has_old_remarks ? COMMENT_OLD_REMARKS : 0),
                  &words);
    if (words.len) {
        text_add(out, "<p><q>");
        text_add_html(out, text_span(&words));
        text_add(out, "</q></p>\n");
    }
    text_free(&words);
    if (!game->is_skipped && game->record.move_nb) {
        text_add(out, "<div class=\"players\">");
        for (int side = 0; side < SIDE_NB; side++)
            add_player(out, game, side);
        text_add(out, "</div>\n<div class=\"view\" hidden></div>\n");
        report_data(analysis, game, out);
        report_graph(analysis, game, out);
        text_add(out, "<div class=\"times\" hidden></div>\n");
        add_moves(out, analysis, game);
        add_comments(out, analysis, game);
        add_phases(out, game);
    }
    text_add(out, "</section>\n");
}

static void add_position_row(Text *out, const Analysis *analysis, const AnalysedGame *game)
{
    const char *id = record_tag(&game->record, "id");
    text_add(out, "<tr><td class=\"r num\">%d</td><td>", game->number);
    add(out, id ? id : "");
    if (game->is_skipped) {
        text_add(out, "</td><td colspan=\"4\" class=\"soft title\">%s", said("Left out: "));
        add(out, game->record.error.text);
        text_add(out, "</td></tr>\n");
        return;
    }
    const PositionResult *result = analysis_result(analysis, game, 0);
    char score[PHRASE_MAX];
    phrase_score_words(result->score, &game->record.start, score);
    text_add(out, "</td><td>");
    if (game->has_task)
        text_add(out, "<span class=\"%s\">%s</span>", game->is_solved ? "g" : "b",
                 said(game->is_solved ? "solved" : "missed"));
    add(out, game->task_error.text);
    text_add(out, "</td><td class=\"r num\">%s</td><td class=\"r num hide\">%d</td><td>", score,
             result->depth);
    add_line(out, &game->record.start, result);
    text_add(out, "</td></tr>\n");
}

static void add_missed(Text *out, const Analysis *analysis, const AnalysedGame *game)
{
    Text task = {0};
    task_print(game, &task);
    text_add(out, "<article class=\"card\"><h4>");
    add_title(out, game);
    text_add(out, "</h4>\n");
    board_draw_svg(&game->record.start, (BoardStyle){.colour = true, .unicode = true}, 360, out);
    text_add(out, "<p class=\"soft\">");
    text_add(out, said("%s to move."), side_words(&game->record.start, pos_side(&game->record.start)));
    text_add(out, "</p><p>%s", said("Found "));
    add_line(out, &game->record.start, analysis_result(analysis, game, 0));
    text_add(out, "%s", said(". The task: "));
    text_add_html(out, text_span(&task));
    text_add(out, "%s</p></article>\n", said("."));
    text_free(&task);
}

// ---- the page -----------------------------------------------------------------------------------
void html_begin(const char *heading, const char *assets, Text *out)
{
    text_add(out,
             "<!DOCTYPE html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
             "content=\"width=device-width, "
             "initial-scale=1\"><meta name=\"generator\" content=\"Twofold " GAME_NAME "\"><title>",
             language() == LANGUAGE_JAPANESE ? "ja" : "en");
    add(out, heading);
    text_add(out, "</title>");
    if (assets) {
        text_add(out, "<link rel=\"stylesheet\" href=\"%sreport.css\">", assets);
    } else {
        text_add(out, "<style>");
        report_style(out);
        text_add(out, "</style>");
    }
    text_add(out, "</head><body>\n<header><h1>");
    add(out, heading);
    text_add(out, "</h1>");
}

void html_end(const char *assets, bool has_games, Text *out)
{
    text_add(out, "</main>\n<footer><p>");
    text_add(
        out,
        said(
            "Scores are in pawns, M3 is mate in three, win is a win by another rule; "
            "plus is good for %s. A move is judged by the share of a win it gives away: a twentieth earns "
            "?!, a "
            "tenth ?, a fifth ??, when a second, deeper look agrees. An exclamation mark is for a good move "
            "that "
            "no other could replace. Moves of named openings get no mark. Accuracy is 100%% when nothing was "
            "given away. Keys: arrows, Home, End; up and down lead to the remarks; f turns the board."),
        side_words(NULL, 0));
    text_add(out, "</p></footer>\n");
    if (has_games)
        report_words(out);
    if (has_games && assets) {
        text_add(out, "<script src=\"%sreport.js\"></script>\n", assets);
    } else if (has_games) {
        text_add(out, "<script>");
        report_script(out);
        text_add(out, "</script>\n");
    }
    text_add(out, "</body></html>\n");
}

void html_row(const AnalysedGame *game, const char *address, Text *out)
{
    text_add(out, "<tr><td class=\"r num\">%d</td><td class=\"title\"><a href=\"%s\">", game->number,
             address);
    add_title(out, game);
    text_add(out, "</a></td>");
    for (int side = 0; side < SIDE_NB; side++) {
        text_add(out, "<td class=\"r num\">");
        add_accuracy(out, &game->player[side]);
        text_add(out, "</td>");
    }
    text_add(out, "</tr>\n");
}

void html_table(const Text *rows, Text *out)
{
    text_add(out,
             "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table><thead><tr><th "
             "class=\"r\" scope=\"col\">%s</th>"
             "<th scope=\"col\">%s</th><th class=\"r\" scope=\"col\">%s</th><th class=\"r\" "
             "scope=\"col\">%s</th></tr></thead><tbody>\n",
             said("Games"), said("No."), said("Game"), side_words(NULL, 0), side_words(NULL, 1));
    text_add_bytes(out, rows->ptr ? rows->ptr : "", rows->len);
    text_add(out, "</tbody></table></div>\n");
}

void html_add(HtmlPage *page, const Analysis *analysis)
{
    for (int i = 0; i < analysis->game_nb && analysis_goes_on(analysis, i); i++) {
        const AnalysedGame *game = &analysis->game[i];
        page->left_out_nb += game->is_skipped;
        page->position_nb += game->is_position;
        page->game_nb += !game->is_position;
        if (game->is_position) {
            add_position_row(&page->positions, analysis, game);
            page->task_nb += game->has_task;
            page->solved_nb += game->has_task && game->is_solved;
            if (game->has_task && !game->is_solved && page->task_nb - page->solved_nb <= MISSED_MAX)
                add_missed(&page->missed, analysis, game);
        } else {
            char address[32];
            snprintf(address, sizeof address, "#g%d", game->number);
            html_row(game, address, &page->contents);
            html_game(analysis, game, &page->games);
        }
    }
}

static void add_positions(const HtmlPage *page, Text *out)
{
    const int missed_nb = page->task_nb - page->solved_nb;
    text_add(out, "<section aria-labelledby=\"hp\"><h2 id=\"hp\">%s</h2>", said("Positions"));
    if (page->task_nb) {
        text_add(out, "<p><span class=\"big num\">");
        text_add(out, said("%d of %d"), page->solved_nb, page->task_nb);
        text_add(out, "</span> ");
        text_add(out, said("solved (%.1f%%)"), 100.0 * page->solved_nb / page->task_nb);
        text_add(out, "</p>");
    }
    text_add(out,
             "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table><thead><tr><th "
             "class=\"r\" scope=\"col\">%s</th>"
             "<th scope=\"col\">%s</th><th scope=\"col\">%s</th><th class=\"r\" scope=\"col\">%s</th><th "
             "class=\"r hide\" "
             "scope=\"col\">%s</th><th scope=\"col\">%s</th></tr></thead><tbody>\n",
             said("Positions"), said("No."), said("Name"), said("Result"), said("Score"), said("Depth"),
             said("Best line"));
    text_add_bytes(out, page->positions.ptr, page->positions.len);
    text_add(out, "</tbody></table></div>\n");
    if (missed_nb) {
        text_add(out, "<h3>%s</h3>", said("Missed"));
        if (missed_nb > MISSED_MAX) {
            text_add(out, "<p class=\"soft\">");
            text_add(out, said("The first %d of %d."), MISSED_MAX, missed_nb);
            text_add(out, "</p>");
        }
        text_add(out, "<div class=\"turns\">\n");
        text_add_bytes(out, page->missed.ptr, page->missed.len);
        text_add(out, "</div>\n");
    }
    text_add(out, "</section>\n");
}

void html_finish(HtmlPage *page, const char *title, Text *out)
{
    const char *heading = title ? title : said(page->game_nb ? "Game analysis" : "Position analysis");
    html_begin(heading, NULL, out);
    text_add(out, "<p class=\"soft\">%s", said("By Twofold " GAME_NAME ": "));
    if (page->game_nb)
        text_add(out, said("%d game%s"), page->game_nb, page->game_nb == 1 ? "" : "s");
    if (page->game_nb && page->position_nb)
        text_add(out, ", ");
    if (page->position_nb)
        text_add(out, said("%d position%s"), page->position_nb, page->position_nb == 1 ? "" : "s");
    if (page->left_out_nb)
        text_add(out, said("; %d could not be read"), page->left_out_nb);
    text_add(out, "%s</p></header>\n<main>\n", said("."));
    if (page->game_nb > 1)
        html_table(&page->contents, out);
    text_add_bytes(out, page->games.ptr ? page->games.ptr : "", page->games.len);
    if (page->position_nb)
        add_positions(page, out);
    html_end(NULL, page->game_nb > 0, out);
    out->failed |=
        page->games.failed || page->contents.failed || page->positions.failed || page->missed.failed;
    html_free(page);
}

void html_free(HtmlPage *page)
{
    text_free(&page->contents);
    text_free(&page->games);
    text_free(&page->positions);
    text_free(&page->missed);
    *page = (HtmlPage){0};
}

void report_html(const Analysis *analysis, const char *title, Text *out)
{
    HtmlPage page = {0};
    html_add(&page, analysis);
    html_finish(&page, title, out);
}
