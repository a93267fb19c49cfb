// SPDX-License-Identifier: GPL-3.0-or-later
// The graph of a game, drawn without text, so that it may stretch to any width; its labels are HTML. It has
// two curves: what the sides may expect, and the scores, as readers of shogi know it. One of them is hidden
// by the style; the script changes which.
#include "analysis/report_graph.h"

#include "analysis/remarks.h"
#include "analysis/report_html.h"
#include "session/phrases.h"

enum {
    GRAPH_WIDTH = 1000,
    GRAPH_HEIGHT = 1000,
    GRAPH_MARGIN = 50,
    GRAPH_SIDE = 30,  // half the width of a dot on a narrow screen
    SCORE_MAX = 3000, // the edge of the curve of scores
    TICKS = 8
};

typedef struct GameGraph {
    const Analysis *analysis;
    const AnalysedGame *game;
    bool of_scores;
} GameGraph;

// The higher side 0's expected score in permille, or its score, the higher on the graph. The margin keeps
// dots at the edge whole. Ply 0 is before the first move.
static int graph_y(const GameGraph *graph, const Position *pos, int ply)
{
    const AnalysedGame *game = graph->game;
    const int judged = max_int(ply, game->first_ply);
    int share = judged > game->first_ply ? game->verdict[judged - 1].after : game->verdict[judged].before;
    if (graph->of_scores) {
        const bool is_first = pos_side(&game->record.start) == judged % 2;
        const int shown =
            score_shown(analysis_result(graph->analysis, game, judged)->score, pos) * (is_first ? 1 : -1);
        share = 500 + clamp_int(shown, -SCORE_MAX, SCORE_MAX) * 500 / SCORE_MAX;
    }
    return GRAPH_MARGIN + (1000 - share) * (GRAPH_HEIGHT - 2 * GRAPH_MARGIN) / 1000;
}

// The same from left to right; the curve is continued to both edges.
static double graph_x(double ply, int ply_nb)
{
    return GRAPH_SIDE + (GRAPH_WIDTH - 2 * GRAPH_SIDE) * ply / ply_nb;
}

static void add_curve(const GameGraph *graph, Text *out)
{
    const Record *record = &graph->game->record;
    const int nb = record->move_nb;
    Position pos = record->start;
    for (int i = 0; i <= nb; i++) {
        const int y = graph_y(graph, &pos, i);
        if (i < nb)
            pos = pos_after(&pos, record->move[i].move);
        if (i == 0)
            text_add(out, "M0 %d", y);
        text_add(out, " L%.1f %d", graph_x(i, nb), y);
        if (i == nb)
            text_add(out, " H%d", GRAPH_WIDTH);
    }
}

static void add_dots(const GameGraph *graph, Text *out)
{
    const AnalysedGame *game = graph->game;
    for (int i = 0; i < game->turning_nb; i++) {
        const int ply = game->turning[i];
        const Position pos = record_line_position(&game->record, RECORD_MAIN, ply + 1);
        double x = graph_x(ply + 1, game->record.move_nb);
        for (int ring = 1; ring >= 0; ring--)
            text_add(out, "<path class=\"%s%s\" d=\"M%.1f %d h.01\" vector-effect=\"non-scaling-stroke\"/>",
                     ring ? "ring" : "dot p", ring ? "" : html_mark_class(game->verdict[ply].mark), x,
                     graph_y(graph, &pos, ply + 1));
    }
}

// The first side's share lies below the curve.
static void add_curves(const GameGraph *graph, Text *out)
{
    text_add(out, "<g class=\"%s\"><path class=\"%s\" d=\"", graph->of_scores ? "byscore" : "bychance",
             html_is_light(0) ? "below" : "above");
    add_curve(graph, out);
    text_add(out,
             " V%d H0 Z\"/><path class=\"mid\" d=\"M0 %d H%d\" vector-effect=\"non-scaling-stroke\"/><path "
             "class=\"curve\" vector-effect=\"non-scaling-stroke\" d=\"",
             GRAPH_HEIGHT, GRAPH_HEIGHT / 2, GRAPH_WIDTH);
    add_curve(graph, out);
    text_add(out, "\"/>");
    add_dots(graph, out);
    text_add(out, "</g>");
}

static void add_hits(const GameGraph *graph, Text *out)
{
    const AnalysedGame *game = graph->game;
    Position pos = game->record.start;
    double step = graph_x(1, game->record.move_nb) - graph_x(0, game->record.move_nb);
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        char score[PHRASE_MAX] = "";
        const Position after = pos_after(&pos, game->record.move[ply].move);
        if (game->verdict[ply].is_judged)
            phrase_score_words(analysis_result(graph->analysis, game, ply + 1)->score, &after, score);
        text_add(out,
                 "<a href=\"#g%dp%d\" tabindex=\"-1\"><rect class=\"hit\" x=\"%.1f\" y=\"0\" width=\"%.1f\" "
                 "height=\"%d\"><title>",
                 game->number, ply + 1, graph_x(ply + 0.5, game->record.move_nb), step, GRAPH_HEIGHT);
        html_move(game, &pos, ply, out);
        text_add(out, "%s  %s</title></rect></a>", mark_text(game->verdict[ply].mark), score);
        pos = after;
    }
}

// The numbers of some moves, each of which stands for one or two half-moves.
static void add_ticks(const AnalysedGame *game, Text *out)
{
    const int nb = game->record.move_nb, first = pos_game_ply(&game->record.start),
              plies = moves_are_half_moves() ? 1 : 2, moves = max_int(nb / plies, 1);
    static const int STEPS[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
    int step = 1;
    for (int i = 0; i < 9 && moves / step > TICKS; i++)
        step = STEPS[i];
    text_add(out, "<div class=\"ticks\" aria-hidden=\"true\">");
    for (int ply = 0; ply < nb; ply++) {
        int number = (first + ply) / plies + 1;
        if ((first + ply) % plies == 0 && (ply == 0 || number % step == 0) && (double)ply / nb < 0.97)
            text_add(out, "<span style=\"left:%.2f%%\">%d</span>", 100.0 * graph_x(ply + 1, nb) / GRAPH_WIDTH,
                     number);
    }
    text_add(out, "</div>");
}

static void add_labels(const char *class_name, const char *first, const char *second, Text *out)
{
    text_add(out, "<span class=\"scale top %s\">", class_name);
    text_add_html(out, span_of(first));
    text_add(out, "</span><span class=\"scale bottom %s\">", class_name);
    text_add_html(out, span_of(second));
    text_add(out, "</span>");
}

void report_graph(const Analysis *analysis, const AnalysedGame *game, Text *out)
{
    const GameGraph chance = {analysis, game, false}, score = {analysis, game, true};
    const char *first = side_words(&game->record.start, 0), *second = side_words(&game->record.start, 1);
    const int n = game->number;
    if (game->record.move_nb < 2 || game->first_ply >= game->record.move_nb)
        return;
    text_add(out,
             "<figure><div class=\"graph %s\"><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
             "role=\"img\" aria-labelledby=\"t%d d%d\"><title id=\"t%d\">%s</title><desc id=\"d%d\">",
             language() == LANGUAGE_JAPANESE ? "showscore" : "showchance", GRAPH_WIDTH, GRAPH_HEIGHT, n, n, n,
             said("Evaluation after each move"), n);
    text_add(out, said("High when %s is better, low when %s is better. %d turning points."), first, second,
             game->turning_nb);
    text_add(out, "</desc><rect class=\"%s\" width=\"%d\" height=\"%d\"/>",
             html_is_light(0) ? "above" : "below", GRAPH_WIDTH, GRAPH_HEIGHT);
    add_curves(&chance, out);
    add_curves(&score, out);
    add_hits(&chance, out);
    text_add(out, "</svg>");
    char top[PHRASE_MAX], bottom[PHRASE_MAX];
    snprintf(top, sizeof top, said("%s wins"), first);
    snprintf(bottom, sizeof bottom, said("%s wins"), second);
    add_labels("bychance", top, bottom, out);
    snprintf(top, sizeof top, said("%s +%d"), first,
             language() == LANGUAGE_JAPANESE ? SCORE_MAX : SCORE_MAX / 100);
    snprintf(bottom, sizeof bottom, said("%s +%d"), second,
             language() == LANGUAGE_JAPANESE ? SCORE_MAX : SCORE_MAX / 100);
    add_labels("byscore", top, bottom, out);
    text_add(out, "</div>");
    add_ticks(game, out);
    text_add(out,
             "<figcaption><span class=\"bychance\">%s</span><span "
             "class=\"byscore\">%s</span>%s%s</figcaption></figure>\n",
             said("What the sides may expect after each move"), said("The score after each move"),
             game->turning_nb ? said("; dots are the turning points") : "", said("."));
}
