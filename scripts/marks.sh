#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the marks of a report hold? Analyses a file of chess games, lets another engine (stockfish) judge the same moves, deep
# and with the same thresholds, and prints how many marks hold and how many of its blunders and mistakes were marked.
#   scripts/marks.sh FILE.pgn [OPTIONS OF ANALYSE...]
#     ENGINE=stockfish   NODES=3000000 for each position   PROGRAM=./twofold-chess
#     SCREEN=300000      first every position at so few; in full only where a move loses 2 % there or we gave a mark.
#                        0: every position in full
#     CACHE=build/marks  what the engine said is kept here, so that a run that was broken off goes on
#     SCALE=wdl|people   its scores as shares of a win: its own chances of win and draw, or 1 / (1 + exp(-cp / 272))
# Thresholds: 5 % of a win lost is dubious, 10 % a mistake, 20 % a blunder. A mark holds when the engine's loss reaches the
# mark's own threshold; the mark for an only move when its second move is 8 % worse.
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || { sed -n '3,13s/^# \{0,1\}//p' "$0"; exit 2; }
file=$1
shift
engine=${ENGINE:-stockfish}
nodes=${NODES:-3000000}
screen=${SCREEN:-300000}
cache=${CACHE:-build/marks}
scale=${SCALE:-wdl}
program=${PROGRAM:-./twofold-chess}
command -v "$engine" >/dev/null 2>&1 || { [ -x "/usr/games/$engine" ] && engine=/usr/games/$engine; }
command -v "$engine" >/dev/null 2>&1 || { echo "skipped: marks: $engine is not here"; exit 0; }
mkdir -p "$cache" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

"$program" analyse "$file" -q --json "$work/report.json" --state "$work/state" "$@" || exit 1
# game, ply, the move for people, the mark (- for none), our loss in permille, the position and the one behind the move
# (that of the next move, so that each is asked for once).
sed -n 's/^{"type":"move","game":\([0-9]*\),"ply":\([0-9]*\),.*"move":"\([^"]*\)","human":"\([^"]*\)","position":"\([^"]*\)".*"loss":\([0-9.]*\).*"mark":"\([^"]*\)".*/\1	\2	\4	\7	\6	\5	\5 moves \3/p' \
    "$work/report.json" | awk -F '\t' -v OFS='\t' '
        { if ($4 == "") $4 = "-"; $5 = int($5 * 1000 + 0.5) }
        NR > 1 { print before, $1 == game ? $6 : after }
        { game = $1; after = $7; before = $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $6 }
        END { if (NR) print before, after }' >"$work/moves"

# ask NODES LINES <positions: what the engine says of each that is not in the cache, kept there as
# position, score in centipawns, permille of a win that the side to move may expect, the same of the second line.
ask() {
    kept="$cache/$(basename "$engine")-$1-$2.tsv"
    touch "$kept"
    awk -F '\t' 'FILENAME == ARGV[1] { have[$1] = 1; next } !($1 in have) && !seen[$1]++' "$kept" - >"$work/wanted"
    [ -s "$work/wanted" ] || return 0
    {
        printf 'setoption name UCI_ShowWDL value true\nsetoption name Hash value 64\nsetoption name MultiPV value %d\n' "$2"
        # A new game waits for the search before it.
        while read -r position; do printf 'ucinewgame\nposition fen %s\ngo nodes %d\n' "$position" "$1"; done <"$work/wanted"
        printf 'ucinewgame\nquit\n'
    } | "$engine" | awk -v OFS='\t' -v wanted="$work/wanted" '
        /^info / && / score / && !/bound/ {
            line = 1; cp = ""; expected = ""
            for (i = 1; i <= NF; i++) {
                if ($i == "multipv") line = $(i + 1)
                if ($i == "cp") cp = $(i + 1)
                if ($i == "mate") { cp = $(i + 1) > 0 ? 30000 : -30000; expected = cp > 0 ? 1000 : 0 }
                if ($i == "wdl") expected = $(i + 1) + $(i + 2) / 2
            }
            score[line] = cp; chance[line] = expected
        }
        /^bestmove/ {
            getline position <wanted
            over = $2 == "(none)"
            print position, 1 in score ? score[1] : 0, 1 in chance ? chance[1] : 500, 2 in chance ? chance[2] : "-", 2 in score ? score[2] : "-"
            fflush(); delete score; delete chance
        }' >>"$kept"
}
# losses NODES: of each move of the list by the engine, as game, ply, loss in permille.
losses() {
    awk -F '\t' -v OFS='\t' -v scale="$scale" '
        function share(cp, wdl) { return scale == "wdl" ? wdl : 1000 / (1 + exp(-(cp > 1000 ? 1000 : cp < -1000 ? -1000 : cp) / 271.6)) }
        FILENAME == ARGV[1] { said[$1] = share($2, $3); next }
        $6 in said && $7 in said { loss = said[$6] - (1000 - said[$7]); print $1, $2, loss < 0 ? 0 : loss }' \
        "$cache/$(basename "$engine")-$1-1.tsv" "$work/moves"
}
cp "$work/moves" "$work/deep"
if [ "$screen" -gt 0 ]; then
    awk -F '\t' '{ print $6; print $7 }' "$work/moves" | ask "$screen" 1
    for scale in people wdl; do losses "$screen"; done | awk -F '\t' '$3 >= 20' >"$work/near"
    scale=${SCALE:-wdl}
    awk -F '\t' 'FILENAME == ARGV[1] { near[$1, $2] = 1; next } ($1, $2) in near || ($4 != "-" && $4 != "!")' "$work/near" "$work/moves" >"$work/deep"
fi
awk -F '\t' '{ print $6; print $7 }' "$work/deep" | ask "$nodes" 1
awk -F '\t' '$4 == "!" { print $6 }' "$work/moves" | ask "$nodes" 2
losses "$nodes" >"$work/losses"
touch "$cache/$(basename "$engine")-$nodes-2.tsv"
awk -F '\t' -v file="$file" '
    FILENAME ~ /losses$/ { loss[$1, $2] = $3; next }
    FILENAME ~ /tsv$/ { if ($4 != "-") margin[$1] = $3 - $4; next }
    {
        lost = ($1, $2) in loss ? loss[$1, $2] : 0
        need = $4 == "??" ? 200 : $4 == "?" ? 100 : 50
        holds = $4 == "!" ? margin[$6] >= 80 : lost >= need
        kind = lost >= 200 ? "blunder" : lost >= 100 ? "mistake" : lost >= 50 ? "dubious" : "-"
        if ($4 != "-") { marks++; hold += holds; if (!holds) printf "  game %d ply %d %s%s: we %d, it %d\n", $1, $2, $3, $4, $5, $4 == "!" ? margin[$6] : lost }
        if (kind == "blunder" || kind == "mistake") {
            called[kind]++; marked[kind] += $4 != "-" && $4 != "!"
            if ($4 == "-" || $4 == "!") printf "  game %d ply %d %s: a %s (%d) without a mark (we %d)\n", $1, $2, $3, kind, lost, $5
        }
    }
    END {
        printf "%s: %d of %d marks hold", file, hold, marks
        if (marks) printf " (%.0f %%)", 100 * hold / marks
        printf "; marked are %d of %d blunders and %d of %d mistakes\n", marked["blunder"], called["blunder"], marked["mistake"], called["mistake"]
    }' "$work/losses" "$cache/$(basename "$engine")-$nodes-2.tsv" "$work/moves"
