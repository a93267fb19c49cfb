#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Bulk perft of two positions against Stockfish in the same run: nodes per second of both and their ratio. Each program
# runs in turns, the fastest of its runs counts, and the time it takes to start (and load its network) is taken off.
#   scripts/bench-perft.sh [program] [runs]
set -eu
ours=${1:-$(dirname "$0")/../twofold-chess}
[ -x "$ours" ] || { echo "no program at $ours: run make" >&2; exit 1; }
runs=${2:-5}
peer=$(PATH="$PATH:/usr/games" command -v stockfish || true)

start='position startpos'
middle='position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'

# Milliseconds one run takes with these commands on its input; the output goes to $output.
output=$(mktemp)
trap 'rm -f "$output"' EXIT
run_ms() {
    program=$1
    shift
    before=$(date +%s%N)
    printf '%s\n' "$@" quit | "$program" >"$output" 2>&1
    after=$(date +%s%N)
    echo $(((after - before) / 1000000))
}

smaller() { if [ -z "$1" ] || [ "$2" -lt "$1" ]; then echo "$2"; else echo "$1"; fi; }

counted() { sed -n 's/^Nodes searched: *//p' "$output"; }

# Nodes per second in thousands: $1 nodes, $2 best time, $3 best time of an empty run.
speed() { echo $(($1 / ($2 > $3 ? $2 - $3 : 1))); }

compare() {
    title=$1 position=$2 depth=$3 nodes=$4
    our_ms='' our_idle='' peer_ms='' peer_idle=''
    i=0
    while [ "$i" -lt "$runs" ]; do
        our_ms=$(smaller "$our_ms" "$(run_ms "$ours" "$position" "go perft $depth")")
        [ "$(counted)" = "$nodes" ] || { echo "$title: $ours counts $(counted), not $nodes" >&2; exit 1; }
        our_idle=$(smaller "$our_idle" "$(run_ms "$ours" "$position")")
        if [ -n "$peer" ]; then
            peer_ms=$(smaller "$peer_ms" "$(run_ms "$peer" "$position" "go perft $depth")")
            peer_idle=$(smaller "$peer_idle" "$(run_ms "$peer" "$position")")
        fi
        i=$((i + 1))
    done
    our_speed=$(speed "$nodes" "$our_ms" "$our_idle")
    if [ -z "$peer" ]; then
        echo "$title depth $depth: $our_speed knps; ratio skipped: no stockfish here"
        return
    fi
    peer_speed=$(speed "$nodes" "$peer_ms" "$peer_idle")
    ratio=$((our_speed * 100 / peer_speed))
    printf '%s depth %s: %s knps, stockfish %s knps, ratio %d.%02d\n' \
        "$title" "$depth" "$our_speed" "$peer_speed" $((ratio / 100)) $((ratio % 100))
}

compare startpos "$start" 6 119060324
compare kiwipete "$middle" 5 193690690
