// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis as one HTML page that needs nothing else: no script, no font, no image from elsewhere. The
// graph is drawn without text, so that it may stretch to any width; its labels are HTML. Colours follow the
// reader's light or dark setting, and every mark is told by its sign and in words, never by colour alone.
#include "analysis/analysis.h"
#include "analysis/comments.h"
#include "analysis/remarks.h"
#include "analysis/tasks.h"
#include "games/notation.h"
#include "session/phrases.h"

enum {
    GRAPH_WIDTH = 1000,
    GRAPH_HEIGHT = 1000,
    GRAPH_MARGIN = 50,
    GRAPH_SIDE = 30, // half the width of a dot on a narrow screen
    BOARD_SIZE = 360,
    LINE_SHOWN = 8,
    MISSED_MAX = 24,
    TICKS = 8
};

// clang-format off
static const char STYLE[] =
    ":root{color-scheme:light dark;--paper:#f7f5f1;--card:#fff;--ink:#23211e;--soft:#615c54;--rule:#dfd9ce;"
      "--accent:#0a6a72;--light:#f3ead8;--dark:#57524b;--blunder:#b3261e;--mistake:#a84a00;--dubious:#7a5d00;"
      "--good:#1b6e3a}"
    "@media(prefers-color-scheme:dark){:root{--paper:#161513;--card:#211f1c;--ink:#ece8e1;--soft:#aaa399;"
      "--rule:#3a3631;--accent:#5cc6cf;--light:#d9cfba;--dark:#3a3733;--blunder:#ff8a80;--mistake:#ffb066;"
      "--dubious:#e6c75a;--good:#7fd39a}}"
    "*{box-sizing:border-box}"
    "html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}"
    "body{margin:0;background:var(--paper);color:var(--ink);"
      "font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans CJK JP',sans-serif}"
    "main,header,footer{max-width:68rem;margin:0 auto;padding:0 1rem}"
    "header{padding-top:2rem}"
    "footer{padding:1rem 1rem 3rem;color:var(--soft);font-size:.875rem}"
    "h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem;text-wrap:balance}"
    "h2{font-size:1.375rem;line-height:1.25;margin:0 0 .25rem}"
    "h3{font-size:1.0625rem;margin:2rem 0 .75rem}"
    "p{margin:.5rem 0}"
    "h1,h2,h4,p,.title,.name,.mv,.remarks{overflow-wrap:anywhere}"
    ".keep{white-space:nowrap}"
    ".soft{color:var(--soft)}"
    "a{color:var(--accent)}"
    "a:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}"
    "section{padding:2rem 0;border-top:1px solid var(--rule);margin-top:2rem}"
    ".num{font-variant-numeric:tabular-nums}"
    ".hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}"
    ".players{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1rem;margin:1rem 0}"
    ".card{background:var(--card);border:1px solid var(--rule);border-radius:.75rem;padding:1rem}"
    ".name{display:flex;gap:.5rem;align-items:center;font-weight:600}"
    ".stone{flex:none;width:.9rem;height:.9rem;border-radius:50%;border:1.5px solid var(--soft);"
      "background:var(--light)}"
    ".stone.dark{background:var(--dark)}"
    ".big{font-size:2rem;font-weight:700;line-height:1.2}"
    ".bar{height:.5rem;border-radius:.25rem;background:var(--rule);overflow:hidden;margin:.25rem 0 .75rem}"
    ".bar div{height:100%;background:var(--accent)}"
    ".tally{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:0;padding:0;font-size:.9375rem}"
    ".b{color:var(--blunder)}"
    ".m{color:var(--mistake)}"
    ".d{color:var(--dubious)}"
    ".g{color:var(--good)}"
    ".b,.m,.d,.g{font-weight:700}"
    "figure{margin:1.5rem 0}"
    "figcaption{color:var(--soft);font-size:.875rem;margin-top:.25rem}"
    ".graph{position:relative;height:13rem;border:1px solid var(--rule);border-radius:.5rem;overflow:hidden}"
    ".graph svg{display:block;width:100%;height:100%}"
    ".above{fill:var(--dark)}"
    ".below{fill:var(--light)}"
    ".curve{fill:none;stroke:#0a7f88;stroke-width:2.5;stroke-linejoin:round}"
    ".mid{stroke:#8f887c;stroke-width:1;stroke-dasharray:4 4}"
    ".dot{stroke-linecap:round;stroke-width:11}"
    ".ring{stroke-linecap:round;stroke-width:15;stroke:#fff}"
    ".dot.pb{stroke:#c62f27}"
    ".dot.pm{stroke:#d2691e}"
    ".hit{fill:transparent}"
    ".hit:hover{fill:#0a7f8833}"
    ".scale{position:absolute;left:.5rem;font-size:.8125rem;pointer-events:none;padding:0 .375rem;"
      "border-radius:.25rem;background:#fffc;color:#23211e}"
    ".top{top:.375rem}"
    ".bottom{bottom:.375rem}"
    ".ticks{position:relative;height:1.25rem;font-size:.8125rem;color:var(--soft)}"
    ".ticks span{position:absolute;transform:translateX(-50%)}"
    ".ticks span:first-child{transform:none}"
    ".moves{columns:15rem auto;column-gap:1.5rem;margin:0;padding:0;list-style:none}"
    ".moves li{display:grid;grid-template-columns:2.75rem 1fr 1fr;gap:.25rem;padding:.125rem 0;break-inside:avoid;"
      "border-bottom:1px solid var(--rule)}"
    ".moves .n{color:var(--soft)}"
    ".mv{padding:0 .25rem;border-radius:.25rem}"
    ".mv:target{outline:2px solid var(--accent)}"
    ".mv small{display:block;color:var(--soft);font-size:.8125rem}"
    ".turns{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr));gap:1rem}"
    ".turns article{display:flex;flex-direction:column;gap:.5rem}"
    ".turns h4{margin:0;font-size:1.0625rem}"
    ".turns p{margin:0}"
    ".board svg{display:block;width:100%;height:auto}"
    "details{margin-top:1.5rem}"
    "summary{cursor:pointer;font-weight:600;padding:.25rem 0}"
    ".remarks{padding-left:1.25rem}"
    ".remarks li{margin:.375rem 0}"
    ".wide{overflow-x:auto}"
    "table{border-collapse:collapse;width:100%;font-size:.9375rem}"
    "caption{text-align:left;color:var(--soft);padding:.25rem 0}"
    "th,td{text-align:left;padding:.375rem .75rem .375rem 0;border-bottom:1px solid var(--rule);vertical-align:top}"
    "td.r,th.r{text-align:right;white-space:nowrap}"
    "th:first-child,td:first-child{width:1%}"
    ".error{border-left:4px solid var(--mistake);padding:.25rem .75rem;background:var(--card)}"
    "@media(max-width:30rem){h1{font-size:1.5rem}.graph{height:10rem}.hide{display:none}}"
    "@media print{body{background:#fff}section,article{break-inside:avoid}}";
// clang-format on

// ---- small things -------------------------------------------------------------------------------
static void add(Text *out, const char *text) { text_add_html(out, span_of(text)); }

static const char *mark_class(Mark mark)
{
    return mark == MARK_BLUNDER ? "b" : mark == MARK_MISTAKE ? "m" : mark == MARK_DUBIOUS ? "d" : "g";
}

// The stone that stands for a side: the side that is called White is the light one, whichever moves first.
static bool is_light(int side) { return strcmp(phrase_side(side), "White") == 0; }

static void add_mark(Text *out, Mark mark)
{
    if (mark != MARK_NONE)
        text_add(out,
                 "<span class=\"%s\"><span aria-hidden=\"true\">%s</span><span class=\"hidden\"> "
                 "(%s)</span></span>",
                 mark_class(mark), mark_text(mark), mark_word(mark));
}

static void add_line(Text *out, const Position *pos, const PositionResult *result)
{
    Text line = {0};
    line_print_from(pos, result->line, min_int(result->line_nb, LINE_SHOWN), LINE_NUMBERED, &line);
    text_add_html(out, text_span(&line));
    text_free(&line);
}

static void add_board(Text *out, const Position *pos, Move last)
{
    BoardStyle style = {.colour = true, .unicode = true, .last = last};
    text_add(out, "<div class=\"board\">");
    board_draw_svg(pos, style, BOARD_SIZE, out);
    text_add(out, "</div>\n");
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

// ---- the graph ----------------------------------------------------------------------------------
// The higher side 0's expected score, the higher on the graph. The margin keeps dots at the edge whole.
static int graph_y(int expected)
{
    return GRAPH_MARGIN + (1000 - expected) * (GRAPH_HEIGHT - 2 * GRAPH_MARGIN) / 1000;
}

// The same from left to right; the curve is continued to both edges.
static double graph_x(double ply, int ply_nb)
{
    return GRAPH_SIDE + (GRAPH_WIDTH - 2 * GRAPH_SIDE) * ply / ply_nb;
}

// The curve from ply 0 (before the first move) on.
static void add_curve(Text *out, const AnalysedGame *game)
{
    int nb = game->record.move_nb;
    for (int i = 0; i <= nb; i++) {
        int expected = i == 0 ? game->verdict[0].before : game->verdict[i - 1].after;
        if (i == 0)
            text_add(out, "M0 %d", graph_y(expected));
        text_add(out, " L%.1f %d", graph_x(i, nb), graph_y(expected));
        if (i == nb)
            text_add(out, " H%d", GRAPH_WIDTH);
    }
}

static void add_dots(Text *out, const AnalysedGame *game)
{
    for (int i = 0; i < game->turning_nb; i++) {
        int ply = game->turning[i];
        const MoveVerdict *verdict = &game->verdict[ply];
        double x = graph_x(ply + 1, game->record.move_nb);
        for (int ring = 1; ring >= 0; ring--)
            text_add(out, "<path class=\"%s%s\" d=\"M%.1f %d h.01\" vector-effect=\"non-scaling-stroke\"/>",
                     ring ? "ring" : "dot p", ring ? "" : mark_class(verdict->mark), x,
                     graph_y(verdict->after));
    }
}

static void add_hits(Text *out, const Analysis *analysis, const AnalysedGame *game)
{
    Position pos = game->record.start;
    double step = graph_x(1, game->record.move_nb) - graph_x(0, game->record.move_nb);
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        char number[24], move[64], score[PHRASE_MAX];
        Move played = game->record.move[ply].move;
        move_number_print(&pos, number, sizeof number);
        move_print_human(&pos, played, move);
        pos = pos_after(&pos, played);
        phrase_score(analysis_result(analysis, game, ply + 1)->score, &pos, score);
        text_add(out,
                 "<a href=\"#g%dp%d\" tabindex=\"-1\"><rect class=\"hit\" x=\"%.1f\" y=\"0\" width=\"%.1f\" "
                 "height=\"%d\"><title>",
                 game->number, ply + 1, graph_x(ply + 0.5, game->record.move_nb), step, GRAPH_HEIGHT);
        text_add(out, "%s", number);
        add(out, move);
        text_add(out, "%s  %s</title></rect></a>", mark_text(game->verdict[ply].mark), score);
    }
}

static void add_ticks(Text *out, const AnalysedGame *game)
{
    int nb = game->record.move_nb, first = pos_game_ply(&game->record.start);
    int moves = max_int(nb / 2, 1), step = 1;
    static const int STEPS[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
    for (int i = 0; i < 9 && moves / step > TICKS; i++)
        step = STEPS[i];
    text_add(out, "<div class=\"ticks\" aria-hidden=\"true\">");
    for (int ply = 0; ply < nb; ply++) {
        int number = (first + ply) / 2 + 1;
        if ((first + ply) % 2 == 0 && (ply == 0 || number % step == 0) && (double)ply / nb < 0.97)
            text_add(out, "<span style=\"left:%.2f%%\">%d</span>", 100.0 * graph_x(ply + 1, nb) / GRAPH_WIDTH,
                     number);
    }
    text_add(out, "</div>");
}

static void add_graph(Text *out, const Analysis *analysis, const AnalysedGame *game)
{
    int n = game->number;
    if (game->record.move_nb < 2)
        return;
    text_add(
        out,
        "<figure><div class=\"graph\"><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-labelledby=\"t%d d%d\">"
        "<title id=\"t%d\">Evaluation after each move</title><desc id=\"d%d\">High when %s is better, low "
        "when %s "
        "is better. %d turning "
        "points.</desc>",
        GRAPH_WIDTH, GRAPH_HEIGHT, n, n, n, n, phrase_side(0), phrase_side(1), game->turning_nb);
    // The first side's share lies below the curve.
    text_add(out, "<rect class=\"%s\" width=\"%d\" height=\"%d\"/><path class=\"%s\" d=\"",
             is_light(0) ? "above" : "below", GRAPH_WIDTH, GRAPH_HEIGHT, is_light(0) ? "below" : "above");
    add_curve(out, game);
    text_add(out,
             " V%d H0 Z\"/><path class=\"mid\" d=\"M0 %d H%d\" vector-effect=\"non-scaling-stroke\"/><path "
             "class=\"curve\" "
             "vector-effect=\"non-scaling-stroke\" d=\"",
             GRAPH_HEIGHT, GRAPH_HEIGHT / 2, GRAPH_WIDTH);
    add_curve(out, game);
    text_add(out, "\"/>");
    add_dots(out, game);
    add_hits(out, analysis, game);
    text_add(
        out,
        "</svg><span class=\"scale top\">%s wins</span><span class=\"scale bottom\">%s wins</span></div>",
        phrase_side(0), phrase_side(1));
    add_ticks(out, game);
    text_add(out, "<figcaption>What the sides may expect after each move%s.</figcaption></figure>\n",
             game->turning_nb ? "; dots are the turning points" : "");
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

static void add_player(Text *out, const AnalysedGame *game, int side)
{
    const PlayerSummary *player = &game->player[side];
    const char *name = record_tag(&game->record, phrase_side(side));
    static const Mark MARKS[] = {MARK_BLUNDER, MARK_MISTAKE, MARK_DUBIOUS, MARK_GOOD};
    static const char *const NAMES[][2] = {{"blunder", "blunders"},
                                           {"mistake", "mistakes"},
                                           {"dubious", "dubious"},
                                           {"only move", "only moves"}};
    text_add(out, "<div class=\"card\"><div class=\"name\"><span class=\"stone%s\"></span><span>",
             is_light(side) ? "" : " dark");
    add(out, name ? name : phrase_side(side));
    text_add(out, "</span></div><div><span class=\"big num\">");
    add_accuracy(out, player);
    text_add(out, "</span> <span class=\"soft\">accuracy, %s</span></div>", phrase_side(side));
    text_add(out, "<div class=\"bar\"><div style=\"width:%.1f%%\"></div></div><ul class=\"tally\">",
             player->accuracy);
    for (int i = 0; i < 4; i++) {
        int nb = player->mark_nb[MARKS[i]];
        text_add(out, "<li><span class=\"%s\" aria-hidden=\"true\">%s</span> %d %s</li>",
                 mark_class(MARKS[i]), mark_text(MARKS[i]), nb, NAMES[i][nb != 1]);
    }
    text_add(out, "</ul></div>\n");
}

// ---- moves --------------------------------------------------------------------------------------
static void add_move_cell(Text *out, const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                          const Position *after, int ply)
{
    char move[64], score[PHRASE_MAX];
    Text remark = {0};
    move_print_human(pos, game->record.move[ply].move, move);
    phrase_score(analysis_result(analysis, game, ply + 1)->score, after, score);
    analysis_remark(analysis, game, pos, ply, &remark);
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
    text_add(out, "<h3>Moves</h3><ol class=\"moves\">\n");
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        bool opens = pos_side(&pos) == 0 || ply == 0;
        Position after = pos_after(&pos, game->record.move[ply].move);
        if (opens)
            text_add(out, "<li><span class=\"n num\">%d.</span>%s", pos_move_number(&pos),
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
    char number[24], move[64], before_score[PHRASE_MAX], after_score[PHRASE_MAX];
    Text remark = {0};
    move_number_print(pos, number, sizeof number);
    move_print_human(pos, game->record.move[ply].move, move);
    phrase_score(now->score, pos, before_score);
    phrase_score(next->score, &after, after_score);
    analysis_remark(analysis, game, pos, ply, &remark);
    text_add(out, "<article class=\"card\"><h4><a href=\"#g%dp%d\">%s", game->number, ply + 1, number);
    add(out, move);
    text_add(out, "</a>");
    add_mark(out, verdict->mark);
    text_add(out, "</h4>\n");
    add_board(out, pos, ply ? game->record.move[ply - 1].move : MOVE_NONE);
    text_add(
        out,
        "<p class=\"soft\">%s to move. <span class=\"num\">%s</span> before, <span class=\"num\">%s</span> "
        "after.</p><p>",
        phrase_side(pos_side(pos)), before_score, after_score);
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
        text_add(out, "<h3>Turning points</h3><div class=\"turns\">\n");
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        Text words = {0};
        comment_strip(game->record.move[ply].comment, left_out, &words);
        if (turning < game->turning_nb && game->turning[turning] == ply) {
            add_turning_point(out, analysis, game, &pos, ply);
            turning++;
        }
        if (game->verdict[ply].mark != MARK_NONE || words.len) {
            char number[24], move[64];
            Text remark = {0};
            move_number_print(&pos, number, sizeof number);
            move_print_human(&pos, game->record.move[ply].move, move);
            analysis_remark(analysis, game, &pos, ply, &remark);
            text_add(&list, "<li><a href=\"#g%dp%d\">%s", game->number, ply + 1, number);
            add(&list, move);
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
    if (remark_nb)
        text_add(out, "<details><summary>All remarks (%d)</summary><ul class=\"remarks\">\n", remark_nb);
    text_add_bytes(out, list.ptr ? list.ptr : "", list.len);
    if (remark_nb)
        text_add(out, "</ul></details>\n");
    text_free(&list);
}

// ---- games and positions ------------------------------------------------------------------------
static void add_game(Text *out, const Analysis *analysis, const AnalysedGame *game)
{
    static const char *const TAGS[] = {"Event", "Site", "Round", "Date"};
    text_add(out, "<section id=\"g%d\" aria-labelledby=\"h%d\"><h2 id=\"h%d\">", game->number, game->number,
             game->number);
    add_title(out, game);
    text_add(out, "</h2><p class=\"soft\">Game %d", game->number);
    for (int i = 0; i < 4; i++) {
        Span value = known_part(&game->record, TAGS[i]);
        if (value.len)
            text_add(out, strcmp(TAGS[i], "Round") == 0 ? ", round " : ", ");
        text_add_html(out, value);
    }
    text_add(out, "</p>\n");
    Text opening = {0};
    analysis_opening(game, &opening);
    if (opening.len) {
        text_add(out, "<p>");
        text_add_html(out, text_span(&opening));
        text_add(out, "</p>\n");
    }
    text_free(&opening);
    if (game->record.error.text[0]) {
        text_add(out, "<p class=\"error\">The game could not be read to its end: ");
        add(out, game->record.error.text);
        text_add(out, ".</p>\n");
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
        text_add(out, "</div>\n");
        add_graph(out, analysis, game);
        add_comments(out, analysis, game);
        add_moves(out, analysis, game);
    }
    text_add(out, "</section>\n");
}

static void add_position_row(Text *out, const Analysis *analysis, const AnalysedGame *game)
{
    const char *id = record_tag(&game->record, "id");
    text_add(out, "<tr><td class=\"r num\">%d</td><td>", game->number);
    add(out, id ? id : "");
    if (game->is_skipped) {
        text_add(out, "</td><td colspan=\"4\" class=\"soft title\">Left out: ");
        add(out, game->record.error.text);
        text_add(out, "</td></tr>\n");
        return;
    }
    const PositionResult *result = analysis_result(analysis, game, 0);
    char score[PHRASE_MAX];
    phrase_score(result->score, &game->record.start, score);
    text_add(out, "</td><td>");
    if (game->has_task)
        text_add(out, "<span class=\"%s\">%s</span>", game->is_solved ? "g" : "b",
                 game->is_solved ? "solved" : "missed");
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
    add_board(out, &game->record.start, MOVE_NONE);
    text_add(out, "<p class=\"soft\">%s to move.</p><p>Found ", phrase_side(pos_side(&game->record.start)));
    add_line(out, &game->record.start, analysis_result(analysis, game, 0));
    text_add(out, ". The task: ");
    text_add_html(out, text_span(&task));
    text_add(out, ".</p></article>\n");
    text_free(&task);
}

static void add_positions(Text *out, const Analysis *analysis)
{
    int position_nb = 0, task_nb = 0, solved_nb = 0, shown = 0;
    for (int i = 0; i < analysis->game_nb; i++) {
        const AnalysedGame *game = &analysis->game[i];
        position_nb += game->is_position;
        task_nb += game->has_task;
        solved_nb += game->has_task && game->is_solved;
    }
    if (position_nb == 0)
        return;
    text_add(out, "<section aria-labelledby=\"hp\"><h2 id=\"hp\">Positions</h2>");
    if (task_nb)
        text_add(out, "<p><span class=\"big num\">%d of %d</span> solved (%.1f%%)</p>", solved_nb, task_nb,
                 100.0 * solved_nb / task_nb);
    text_add(
        out,
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Positions\"><table><thead><tr><th "
        "class=\"r\" scope=\"col\">No.</th>"
        "<th scope=\"col\">Name</th><th scope=\"col\">Result</th><th class=\"r\" scope=\"col\">Score</th><th "
        "class=\"r hide\" "
        "scope=\"col\">Depth</th><th scope=\"col\">Best line</th></tr></thead><tbody>\n");
    for (int i = 0; i < analysis->game_nb; i++)
        if (analysis->game[i].is_position)
            add_position_row(out, analysis, &analysis->game[i]);
    text_add(out, "</tbody></table></div>\n");
    if (solved_nb < task_nb) {
        text_add(out, "<h3>Missed</h3>");
        if (task_nb - solved_nb > MISSED_MAX)
            text_add(out, "<p class=\"soft\">The first %d of %d.</p>", MISSED_MAX, task_nb - solved_nb);
        text_add(out, "<div class=\"turns\">\n");
    }
    for (int i = 0; i < analysis->game_nb && shown < MISSED_MAX; i++) {
        if (!analysis->game[i].has_task || analysis->game[i].is_solved)
            continue;
        add_missed(out, analysis, &analysis->game[i]);
        shown++;
    }
    if (solved_nb < task_nb)
        text_add(out, "</div>\n");
    text_add(out, "</section>\n");
}

// ---- the page -----------------------------------------------------------------------------------
static void add_contents(Text *out, const Analysis *analysis)
{
    text_add(out,
             "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Games\"><table><thead><tr><th "
             "class=\"r\" scope=\"col\">No.</th>"
             "<th scope=\"col\">Game</th><th class=\"r\" scope=\"col\">%s</th><th class=\"r\" "
             "scope=\"col\">%s</th></tr></thead><tbody>\n",
             phrase_side(0), phrase_side(1));
    for (int i = 0; i < analysis->game_nb; i++) {
        const AnalysedGame *game = &analysis->game[i];
        if (game->is_position)
            continue;
        text_add(out, "<tr><td class=\"r num\">%d</td><td class=\"title\"><a href=\"#g%d\">", game->number,
                 game->number);
        add_title(out, game);
        text_add(out, "</a></td>");
        for (int side = 0; side < SIDE_NB; side++) {
            text_add(out, "<td class=\"r num\">");
            add_accuracy(out, &game->player[side]);
            text_add(out, "</td>");
        }
        text_add(out, "</tr>\n");
    }
    text_add(out, "</tbody></table></div>\n");
}

void report_html(const Analysis *analysis, const char *title, Text *out)
{
    int game_nb = 0, position_nb = 0, left_out_nb = 0;
    for (int i = 0; i < analysis->game_nb; i++) {
        game_nb += !analysis->game[i].is_position;
        position_nb += analysis->game[i].is_position;
        left_out_nb += analysis->game[i].is_skipped;
    }
    const char *heading = title ? title : game_nb ? "Game analysis" : "Position analysis";
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                  "content=\"width=device-width, "
                  "initial-scale=1\"><meta name=\"generator\" content=\"Twofold " GAME_NAME "\"><title>");
    add(out, heading);
    text_add(out, "</title><style>%s</style></head><body>\n<header><h1>", STYLE);
    add(out, heading);
    text_add(out, "</h1><p class=\"soft\">By Twofold " GAME_NAME ": ");
    if (game_nb)
        text_add(out, "%d game%s%s", game_nb, game_nb == 1 ? "" : "s", position_nb ? ", " : "");
    if (position_nb)
        text_add(out, "%d position%s", position_nb, position_nb == 1 ? "" : "s");
    if (left_out_nb)
        text_add(out, "; %d could not be read", left_out_nb);
    text_add(out, ".</p></header>\n<main>\n");
    if (game_nb > 1)
        add_contents(out, analysis);
    for (int i = 0; i < analysis->game_nb && analysis_goes_on(analysis, i); i++)
        if (!analysis->game[i].is_position)
            add_game(out, analysis, &analysis->game[i]);
    add_positions(out, analysis);
    text_add(out,
             "</main>\n<footer><p>Scores are in pawns, M3 is mate in three, win is a win by another rule; "
             "plus is good "
             "for %s. A move is judged by "
             "the share of a win it gives "
             "away: a twentieth earns ?!, a tenth ?, a fifth ??. An exclamation mark is for a good move that "
             "no other "
             "could replace. Accuracy is 100%% "
             "when nothing was given away; a move that costs 15%% of a win counts "
             "half.</p></footer>\n</body></html>\n",
             phrase_side(0));
}
