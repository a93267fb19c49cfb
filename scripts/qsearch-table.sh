#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What each quiescence option is worth: a Markdown table of tactics found, nodes, time and self-play, all options as they are
# against one of them changed. Goes to standard output; interrupted, it goes on where it was (build/qsearch-table/).
#   scripts/qsearch-table.sh [--nodes N] [--games N] [--game-nodes N]
# --nodes N       for each tactical position (default 1000000)
# --games N       of the defaults against each row (default 200; 0: none)     --game-nodes N   for each move (default 3000)
set -euo pipefail
cd "$(dirname "$0")/.."

die() { echo "qsearch-table: $*" >&2; exit 1; }

nodes=1000000 games=200 game_nodes=3000
while [ $# -gt 0 ]; do
    case $1 in
    --nodes) nodes=${2:?--nodes needs a number}; shift 2 ;;
    --games) games=${2:?--games needs a number}; shift 2 ;;
    --game-nodes) game_nodes=${2:?--game-nodes needs a number}; shift 2 ;;
    *) echo "qsearch-table: unknown option '$1'" >&2; exit 2 ;;
    esac
done
program=${TWOFOLD:-$PWD/twofold-shogi}
[ -x "$program" ] || die "no program at $program: run make"
state=build/qsearch-table/$(md5sum < "$program" | cut -c1-12)-$nodes-$game_nodes-$games
mkdir -p "$state"

# Each option with the setting that takes away what it does. QSearchThreats is off by default: its row turns it on.
rows="defaults
QSearchMaxDepth=64
QSearchDelta=false
QSearchDeltaMargin=2000
QSearchFutility=false
QSearchFutilityMargin=2000
QSearchExtensions=false
QSearchMaxExt=0
QSearchTT=false
QSearchCheckPlies=0
QSearchThreats=true
QSearchHighValue=2000
QSearchSEE=-500"

# Searches every tactical position in a new game; one line: found, positions, nodes until the move found stayed, milliseconds.
tactics() {
    local found=0 total=0 settled=0 ms=0 line best want sfen last since
    coproc ENGINE { exec "$program"; }
    local out=${ENGINE[0]} in=${ENGINE[1]} pid=$ENGINE_PID
    echo usi >&"$in"
    [ "$1" = defaults ] || echo "setoption name ${1%%=*} value ${1#*=}" >&"$in"
    while IFS='|' read -r want sfen; do
        want=${want// /}
        case $want in '' | '#'*) continue ;; esac
        printf 'usinewgame\nposition sfen%s\ngo nodes %s\n' "$sfen" "$nodes" >&"$in"
        last= since=$nodes best=
        while read -r line <&"$out"; do
            if [[ $line =~ ^info.*\ nodes\ ([0-9]+).*\ time\ ([0-9]+)\ pv\ ([^ ]+) ]]; then
                [ "${BASH_REMATCH[3]}" = "$last" ] || since=${BASH_REMATCH[1]}
                last=${BASH_REMATCH[3]} line_ms=${BASH_REMATCH[2]}
            elif [[ $line =~ ^bestmove\ ([^ ]+) ]]; then
                best=${BASH_REMATCH[1]}
                break
            fi
        done
        [ -n "$best" ] || die "the program ended at$sfen"
        total=$((total + 1)) ms=$((ms + line_ms))
        if [ "$best" = "$want" ]; then found=$((found + 1)) settled=$((settled + since)); else settled=$((settled + nodes)); fi
    done < tests/data/shogi/tactics.txt
    echo quit >&"$in"
    wait "$pid"
    echo "$found $total $settled $ms"
}

# Elo of the row's setting against the defaults, with its error.
selfplay() {
    local file=$state/$1.games json=$state/$1.json
    [ -s "$json" ] || "$program" match --nodes "$game_nodes" --games "$games" --concurrency 1 --random-plies 8 --seed 5 --quiet \
        --engine "'$program'" --name changed --option "$1" --engine "'$program'" --name defaults \
        --games-file "$file" $([ -s "$file" ] && echo --resume) --json "$json" > "$state/$1.match"
    sed -n 's/^ *Elo  *\(.*[^ ]\)  *normalised.*/\1/p' "$state/$1.match" | tail -n 1
}

echo "| setting | tactics found | nodes until found | time | games against the defaults |"
echo "|---|---|---|---|---|"
for row in $rows; do
    [ -s "$state/$row.tactics" ] || { tactics "$row" > "$state/$row.tactics.new"; mv "$state/$row.tactics.new" "$state/$row.tactics"; }
    read -r found total settled ms < "$state/$row.tactics"
    score=
    [ "$row" = defaults ] || [ "$games" = 0 ] || score=$(selfplay "$row")
    echo "| $row | $found of $total | $settled | $((ms / 1000)).$((ms / 100 % 10)) s | $score |"
done
