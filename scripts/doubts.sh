#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The search's open questions, by games: for each switch below, in this order and in both games, the switch the other way against
# the search as it is, by the sequential test of 0 against 6 Elo. Prints the lines of docs/measurements/lab.md.
#   scripts/doubts.sh [--block N] [--games N] [--nodes N] [--seconds N] [--chess-openings FILE] [--state DIR] [--only SWITCH]
# --block N    games of each switch before any has more (default 100)      --games N     of each at most (default 4000)
# --nodes N    a move (default 20000)              --seconds N     plays no longer than this (0: only tells what was played)
# --state DIR  remembers the games (default build/doubts); interrupted, it goes on where it was. Another search begins anew.
# --only SWITCH    that one alone; chess without a file of openings and shogi begin with eight random plies.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

# The name of the switch, and what its other way is.
switches="UseHindsightReversed|hindsight the other way round
UseHindsight|hindsight off
UseExcludedReward|no reward for the move before in searches with a move left out
UseRaisedStore|the whole depth stored after a raised alpha
UseThreatHistory|butterfly histories told apart by attacked squares
UseEvalHistory|histories from evaluations
UseQBlend|blend in quiescence
UseQEvasionCap|fewer quiet evasions in quiescence
UseResearchFeedback|what a search at full depth says of a reduced move
UseContinuationKinds|continuation histories told apart by evasions and captures
UseNullCutNode|a longer pass in cut nodes
UseLmrScaled|reductions scaled where the position does not improve
UseBadNoisyBySee|bad captures by what they lose
UseCheckExtension|check extension
UseIid|internal iterative deepening
UsePrior|the static prior"

die() { echo "doubts: $*" >&2; exit 1; }

block=100 games=4000 nodes=20000 seconds=864000 openings= state=build/doubts only=
while [ $# -gt 0 ]; do
    case $1 in
    --block) block=${2:?--block needs a number}; shift 2 ;;
    --games) games=${2:?--games needs a number}; shift 2 ;;
    --nodes) nodes=${2:?--nodes needs a number}; shift 2 ;;
    --seconds) seconds=${2:?--seconds needs a number}; shift 2 ;;
    --chess-openings) openings=${2:?--chess-openings needs a file}; shift 2 ;;
    --state) state=${2:?--state needs a folder}; shift 2 ;;
    --only) only=${2:?--only needs a switch}; shift 2 ;;
    --help | -h) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "doubts: unknown option '$1'" >&2; exit 2 ;;
    esac
done
for number in "$block" "$games" "$nodes"; do
    case $number in '' | *[!0-9]* | ??????????* | 0*) die "'$number' is no number above 0" ;; esac
done
case $seconds in '' | *[!0-9]* | ??????????*) die "'$seconds' is no number" ;; esac
[ -z "$openings" ] || [ -r "$openings" ] || die "cannot read $openings"
if [ -n "$only" ]; then
    switches=$(grep "^$only|" <<<"$switches") || die "there is no switch $only here"
fi

cc=${CC:-gcc}
flavour=native-tune-$(basename "${cc%% *}")
mkdir -p "$state"
declare -A program signature
for game in chess shogi; do
    make -s TUNE=1 CC="$cc" "build/$game-$flavour/twofold-$game" || die "the program for $game does not build"
    program[$game]=build/$game-$flavour/twofold-$game
    signature[$game]=$("${program[$game]}" bench | tail -n 1 | cut -d ' ' -f 1)
done

# play GAME SWITCH N: up to N games of it, those of before among them; its table is in $state/GAME-SIGNATURE-SWITCH.md.
play() {
    local left=$((seconds - SECONDS)) file=$state/$1-${signature[$1]}-$2 code=0
    [ "$left" -gt 0 ] || return 0
    timeout --foreground -s INT "$left" "${program[$1]}" ablate --quiet --params "$2" --games "$3" --nodes "$nodes" --hash 16 --sprt 0 6 0.05 0.05 \
        --state "$file.state" ${openings:+$([ "$1" = chess ] && echo --openings "$openings")} >"$file.new" || code=$?
    # 124: the time was over, and the games played are there all the same.
    [ "$code" = 0 ] || [ "$code" = 124 ] || [ "$code" -gt 128 ] || die "ablate failed"
    mv "$file.new" "$file.md"
    [ "$code" -le 128 ] || exit "$code"
}

# tell GAME SWITCH WORDS: its line, from the view of the change.
tell() {
    local file=$state/$1-${signature[$1]}-$2.md
    [ -s "$file" ] || { echo "| $1: $3 ($2) | 0 | not played yet: undecided, stays as it is |" && return 0; }
    awk -F ' *[|] *' -v what="$1: $3 ($2)" '/^[|] Use/ {
        verdict = $8; llr = verdict; sub(/,.*/, "", verdict); sub(/.*, /, "", llr)
        printf "| %s | %d | %+.0f +- %.0f: %s (%s) |\n", what, $4, 0 - $5, $6, verdict, llr }' "$file"
}

for ((target = block; target - block < games; target += block)); do
    while IFS='|' read -r switch words; do
        for game in chess shogi; do
            play "$game" "$switch" $((target < games ? target : games)) </dev/null
        done
    done <<<"$switches"
    [ $((seconds - SECONDS)) -gt 0 ] || break
done
while IFS='|' read -r switch words; do
    for game in chess shogi; do tell "$game" "$switch" "$words"; done
done <<<"$switches"
