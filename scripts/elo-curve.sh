#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws docs/images/elo.svg: Elo over positions of self-play, from the tables of docs/measurements/training-log.md that begin
# with the name of a game and `positions, M`.
#   scripts/elo-curve.sh            writes the picture
#   scripts/elo-curve.sh --check    fails when it is not the picture of these tables
cd "$(dirname "$0")/.." || exit 1
picture=docs/images/elo.svg
draw() {
    awk -F ' *[|] *' '
    function x(millions) { return 60 + 520 * log(millions) / log(64) }
    function y(elo) { return 350 - 320 * elo / 800 }
    BEGIN {
        print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 400\" font-family=\"sans-serif\" font-size=\"12\">"
        print "<title>Elo over positions of self-play, chess and shogi</title>"
        print "<rect width=\"660\" height=\"400\" fill=\"white\"/>"
        for (elo = 0; elo <= 800; elo += 100)
            printf "<line x1=\"60\" x2=\"580\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"52\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", y(elo), y(elo), y(elo) + 4, elo
        for (m = 1; m <= 64; m *= 2)
            printf "<text x=\"%.1f\" y=\"368\" text-anchor=\"middle\">%d M</text>\n", x(m), m
        print "<text x=\"320\" y=\"390\" text-anchor=\"middle\">positions of self-play so far</text>"
        print "<text x=\"60\" y=\"18\">Elo over material and mobility, errors added up</text>"
        colour["chess"] = "#1f6feb"
        colour["shogi"] = "#cf222e"
    }
    function finish() {
        if (game != "")
            printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"%s\">%s</text>\n", colour[game], line, last_x - 8, last_y - 8, colour[game], game
        game = line = ""
    }
    $3 == "positions, M" { finish(); game = $2; next }
    game != "" && $2 ~ /^generation/ {
        last_x = x($3)
        last_y = y($4)
        line = line (line == "" ? "" : " ") sprintf("%.1f,%.1f", last_x, last_y)
        printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-opacity=\"0.35\"/>", last_x, last_x, y($4 - $5), y($4 + $5), colour[game]
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", last_x, last_y, colour[game]
        next
    }
    game != "" && $2 !~ /^-*$/ { finish() }
    END { finish(); print "</svg>" }' docs/measurements/training-log.md
}
case ${1:-} in
--check)
    draw | cmp -s - "$picture" && exit 0
    echo "$picture is not what scripts/elo-curve.sh draws" >&2
    exit 1
    ;;
'') draw >"$picture" ;;
*) echo "usage: $0 [--check]" >&2 && exit 2 ;;
esac
