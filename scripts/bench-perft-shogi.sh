#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Bulk perft of shogi positions against Fairy-Stockfish in the same run: leaves per second of both and their ratio. The
# programs run in turns; processor time counts, less what an empty run takes, and the best of the runs.
# (Fairy-Stockfish counts drop-pawn mates on the last ply as moves, so only our own count is checked.)
#   scripts/bench-perft-shogi.sh [program] [runs]
set -eu
ours=${1:-$(dirname "$0")/../twofold-shogi}
[ -x "$ours" ] || { echo "no program at $ours: run make" >&2; exit 1; }
runs=${2:-3}
peer=$(PATH="$PATH:/usr/games" command -v fairy-stockfish || true)
output=$(mktemp)
trap 'rm -f "$output"' EXIT
TIMEFORMAT=%U

# Milliseconds of processor time with these commands on its input; the output goes to $output.
run_ms() {
    local program=$1 seconds
    shift
    seconds=$({ time printf '%s\n' "$@" quit | "$program" >"$output" 2>&1; } 2>&1)
    echo $((10#${seconds/./}))
}

smaller() { if [ -z "$1" ] || [ "$2" -lt "$1" ]; then echo "$2"; else echo "$1"; fi; }
best() { # program, position, depth, first command: the net time of the best run
    local busy='' idle='' i
    for ((i = 0; i < runs; i++)); do
        idle=$(smaller "$idle" "$(run_ms "$1" "$4" "$2")")
        busy=$(smaller "$busy" "$(run_ms "$1" "$4" "$2" "go perft $3")")
    done
    echo $((busy > idle ? busy - idle : 1))
}

compare() {
    local title=$1 position=$2 depth=$3 leaves=$4 our_ms peer_ms ratio
    our_ms=$(best "$ours" "$position" "$depth" "")
    run_ms "$ours" "$position" "go perft $depth" >/dev/null
    grep -q "^Nodes searched: *$leaves\$" "$output" || { echo "$title: $ours does not count $leaves" >&2; exit 1; }
    if [ -z "$peer" ]; then
        echo "$title depth $depth: $((leaves / our_ms)) thousand a second; ratio skipped: no fairy-stockfish here"
        return
    fi
    peer_ms=$(best "$peer" "$position" "$depth" "setoption name UCI_Variant value shogi")
    ratio=$((peer_ms * 100 / our_ms))
    printf '%s depth %s: %s thousand leaves a second, fairy-stockfish %s, ratio %d.%02d\n' \
        "$title" "$depth" $((leaves / our_ms)) $((leaves / peer_ms)) $((ratio / 100)) $((ratio % 100))
}

compare start 'position startpos' 5 19861490
compare bench1 'position sfen lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9' 4 1307221
compare bench3 'position sfen 6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1' 3 8420492
compare drops 'position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1' 3 4809015
compare endgame 'position sfen l2g5/2s3g2/3k1p2p/P2pp2P1/1pP4s1/p1+B6/NP1P+nPS1P/K1G4+p1/L6NL b RBGNLPrs3p 1' 3 9663371
