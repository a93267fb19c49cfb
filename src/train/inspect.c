// SPDX-License-Identifier: GPL-3.0-or-later
// What a network has learned, as numbers and as pictures (SVG): the worth of each kind of piece, on average
// and on each square, and the losses by epoch as a curve.
#include "train/inspect.h"

#include <math.h>

#include "base/language.h"

// ---- what pieces are worth ----------------------------------------------------------------------

static void inspect_add(Inspection *look, int feature, double worth)
{
    FeatureMeaning meaning = features_meaning(feature);
    if (meaning.plane < 0 || meaning.plane >= LOOK_PLANES_MAX || meaning.column < 0)
        return;
    InspectionPlane *plane = &look->plane[meaning.plane];
    assert(meaning.column < LOOK_EDGE_MAX && meaning.row < LOOK_EDGE_MAX);
    plane->name = meaning.plane_name;
    plane->sum += worth;
    plane->nb++;
    plane->cell_sum[meaning.row][meaning.column] += worth;
    plane->cell_nb[meaning.row][meaning.column]++;
    look->plane_nb = max_int(look->plane_nb, meaning.plane + 1);
    look->columns = max_int(look->columns, meaning.column + 1);
    look->rows = max_int(look->rows, meaning.row + 1);
}

static void look_at(Inspection *look, const Net *net, const Position *pos)
{
    int side = pos_side(pos), perspective = features_perspective(pos, side),
        score = nnue_evaluate_scalar(net, pos);
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        u16 feature[FEATURE_ACTIVE_MAX];
        if (features_of_square(pos, side, perspective, sq, feature) > 0)
            inspect_add(look, feature[0], score - nnue_evaluate_without(net, pos, sq));
    }
}

void inspect_measure(Inspection *look, const Net *net, const Dataset *data, int positions)
{
    const GameList *list = data->valid.samples > 0 ? &data->valid : &data->train;
    *look = (Inspection){0};
    i64 stride = max_i64(1, list->samples / max_int(positions, 1)), seen = 0;
    for (i64 g = 0; g < list->nb; g++) {
        Replay replay;
        if (!replay_start(&replay, list->ref[g].game))
            continue;
        for (; replay.index < replay.game.move_nb; replay_step(&replay))
            if (replay_skip(&replay, &data->filter) == 0 && seen++ % stride == 0)
                look_at(look, net, &replay.pos);
    }
}

void inspect_print_values(const Inspection *look, Text *out)
{
    for (int p = 0; p < look->plane_nb; p++)
        if (look->plane[p].nb)
            text_add(out, "%s%s %+.0f", out->len ? ", " : "", said(look->plane[p].name),
                     look->plane[p].sum / (double)look->plane[p].nb);
}

// ---- pictures -----------------------------------------------------------------------------------

enum { CELL = 26, GAP = 24, BOARDS_PER_ROW = 4 };

// From blue (bad) over white to red (good).
static void add_colour(Text *out, double share)
{
    double s = share < -1 ? -1 : share > 1 ? 1 : share;
    int other = (int)(255 * (1 - fabs(s)));
    text_add(out, "#%02x%02x%02x", s < 0 ? other : 255, other, s < 0 ? 255 : other);
}

static void draw_plane(const Inspection *look, const InspectionPlane *plane, int x0, int y0, Text *out)
{
    double mean = plane->sum / (double)plane->nb, spread = 1;
    for (int r = 0; r < look->rows; r++)
        for (int c = 0; c < look->columns; c++)
            if (plane->cell_nb[r][c])
                spread = fmax(spread, fabs(plane->cell_sum[r][c] / (double)plane->cell_nb[r][c] - mean));
    text_add(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\">", x0, y0 - 6);
    text_add_html(out, span_of(plane->name));
    text_add(out, " %+.0f</text>\n", mean);
    for (int r = 0; r < look->rows; r++)
        for (int c = 0; c < look->columns; c++) {
            i64 nb = plane->cell_nb[r][c];
            double value = nb ? plane->cell_sum[r][c] / (double)nb : 0;
            text_add(out,
                     "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" stroke=\"#888\" "
                     "stroke-width=\"0.5\" fill=\"",
                     x0 + c * CELL, y0 + r * CELL, CELL, CELL);
            if (nb)
                add_colour(out, (value - mean) / spread);
            else
                text_add(out, "#ddd");
            text_add(out, "\"/>\n");
            if (nb)
                text_add(out, "<text x=\"%d\" y=\"%d\" font-size=\"9\" text-anchor=\"middle\">%.0f</text>\n",
                         x0 + c * CELL + CELL / 2, y0 + r * CELL + CELL / 2 + 3, value);
        }
}

static void open_svg(Text *out, int width, int height)
{
    text_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
             "font-family=\"sans-serif\">\n"
             "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
             width, height, width, height, width, height);
}

void inspect_draw(const Inspection *look, Text *out)
{
    int drawn = 0, total = 0, wide = look->columns * CELL + GAP, high = look->rows * CELL + GAP + 12;
    for (int p = 0; p < look->plane_nb; p++)
        total += look->plane[p].nb > 0;
    open_svg(out, GAP + BOARDS_PER_ROW * wide,
             2 * GAP + (total + BOARDS_PER_ROW - 1) / BOARDS_PER_ROW * high);
    text_add(out,
             "<text x=\"%d\" y=\"16\" font-size=\"13\">centipawns for the side to move, by square as it "
             "looks at the "
             "board; colour against the kind's mean</text>\n",
             GAP);
    for (int p = 0; p < look->plane_nb; p++)
        if (look->plane[p].nb) {
            draw_plane(look, &look->plane[p], GAP + drawn % BOARDS_PER_ROW * wide,
                       2 * GAP + drawn / BOARDS_PER_ROW * high, out);
            drawn++;
        }
    text_add(out, "</svg>\n");
}

enum { CURVE_WIDTH = 640, CURVE_HEIGHT = 360, CURVE_EDGE = 60 };

static void draw_curve(const LossPoint *points, int nb, bool valid, double lo, double hi, const char *colour,
                       Text *out)
{
    text_add(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (int i = 0; i < nb; i++) {
        double value = valid ? points[i].valid : points[i].train;
        double x = CURVE_EDGE + (CURVE_WIDTH - 2.0 * CURVE_EDGE) * (nb > 1 ? (double)i / (nb - 1) : 0);
        double y = CURVE_HEIGHT - CURVE_EDGE - (CURVE_HEIGHT - 2.0 * CURVE_EDGE) * (value - lo) / (hi - lo);
        text_add(out, "%.1f,%.1f ", x, y);
    }
    text_add(out, "\"/>\n");
}

void inspect_draw_losses(const LossPoint *points, int nb, Text *out)
{
    double lo = 1, hi = 0;
    bool has_valid = nb > 0 && points[0].valid >= 0;
    for (int i = 0; i < nb; i++) {
        lo = fmin(lo, has_valid ? fmin(points[i].train, points[i].valid) : points[i].train);
        hi = fmax(hi, has_valid ? fmax(points[i].train, points[i].valid) : points[i].train);
    }
    if (hi <= lo)
        hi = lo + 1e-6;
    open_svg(out, CURVE_WIDTH, CURVE_HEIGHT);
    text_add(out,
             "<text x=\"%d\" y=\"24\" font-size=\"14\">loss by epoch: <tspan "
             "fill=\"#06c\">training</tspan>%s</text>\n",
             CURVE_EDGE, has_valid ? ", <tspan fill=\"#c30\">validation</tspan>" : "");
    for (int i = 0; i <= 4; i++) {
        double y = CURVE_HEIGHT - CURVE_EDGE - (CURVE_HEIGHT - 2.0 * CURVE_EDGE) * i / 4;
        text_add(
            out,
            "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ccc\"/><text x=\"4\" y=\"%.1f\" "
            "font-size=\"10\">%.6f</text>\n",
            CURVE_EDGE, CURVE_WIDTH - CURVE_EDGE, y, y, y + 3, lo + (hi - lo) * i / 4);
    }
    text_add(out,
             "<text x=\"%d\" y=\"%d\" font-size=\"11\">1</text><text x=\"%d\" y=\"%d\" "
             "font-size=\"11\">%d</text>\n",
             CURVE_EDGE, CURVE_HEIGHT - CURVE_EDGE + 18, CURVE_WIDTH - CURVE_EDGE,
             CURVE_HEIGHT - CURVE_EDGE + 18, nb);
    draw_curve(points, nb, false, lo, hi, "#06c", out);
    if (has_valid)
        draw_curve(points, nb, true, lo, hi, "#c30", out);
    text_add(out, "</svg>\n");
}
