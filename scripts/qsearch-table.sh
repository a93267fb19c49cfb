#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What each quiescence option is worth: a Markdown table of tactics found, nodes, time and self-play, all options as they are
# against one of them changed. Goes to standard output; interrupted, it goes on where it was (build/qsearch-table/).
#   scripts/qsearch-table.sh [chess|shogi] [--every N] [--nodes N] [--games N] [--game-nodes N] [--seconds N]
#   scripts/qsearch-table.sh [chess|shogi] [--every N] --depth N      the nodes of searches of so many plies, and no games
# chess, shogi    the game (default shogi)               --every N        every so manieth tactical position (default 1)
# --nodes N       for each of them (default 1000000)     --seconds N      starts no further game after so long; the table has those played
# --games N       of the defaults against each row (default 200; 0: none)     --game-nodes N   for each move (default 3000)
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

die() { echo "qsearch-table: $*" >&2; exit 1; }

game=shogi every=1 nodes=1000000 games=200 game_nodes=3000 seconds=864000 depth=
while [ $# -gt 0 ]; do
    case $1 in
    chess | shogi) game=$1; shift ;;
    --every) every=${2:?--every needs a number}; shift 2 ;;
    --nodes) nodes=${2:?--nodes needs a number}; shift 2 ;;
    --games) games=${2:?--games needs a number}; shift 2 ;;
    --game-nodes) game_nodes=${2:?--game-nodes needs a number}; shift 2 ;;
    --depth) depth=${2:?--depth needs a number}; shift 2 ;;
    --seconds) seconds=${2:?--seconds needs a number}; shift 2 ;;
    *) echo "qsearch-table: unknown option '$1'" >&2; exit 2 ;;
    esac
done
for number in "$every" "$nodes" "${depth:-1}" "$games" "$game_nodes" "$seconds"; do
    case $number in '' | *[!0-9]* | ??????????*) die "'$number' is no number" ;; esac
done
for number in "$every" "$nodes" "${depth:-1}"; do
    [ "$number" -gt 0 ] || die "0 is too few"
done
program=${TWOFOLD:-$PWD/twofold-$game}
[ -x "$program" ] || die "no program at $program: run make"
limit="nodes $nodes" conditions=$nodes-$every-$game_nodes-$games
[ -z "$depth" ] || { limit="depth $depth" games=0 conditions=depth-$depth-$every; }
state=build/qsearch-table/$game-$(md5sum < "$program" | cut -c1-12)-$conditions
mkdir -p "$state"
end=$((SECONDS + seconds))
protocol=usi new=usinewgame text=sfen checks=0
[ "$game" = shogi ] || { protocol=uci new=ucinewgame text=fen checks=1; }

# Each option with the setting that takes away what it does. QSearchThreats and QSearchOwnOrder, in chess also
# QSearchCheckPlies, are off by default: their rows turn them on.
rows="defaults
QSearchMaxDepth=64
QSearchMaxDepth=0
QSearchDelta=false
QSearchDeltaMargin=2000
QSearchFutility=false
QSearchFutilityMargin=2000
QSearchExtensions=false
QSearchMaxExt=0
QSearchTT=false
QSearchCheckPlies=$checks
QSearchThreats=true
QSearchHighValue=2000
QSearchSEE=-500
QSearchOwnOrder=true"

# is_right MOVE WANTED...: the move is one of them, or not the one with ! before it.
is_right() {
    local move=$1 word
    shift
    for word in "$@"; do
        case $word in
        "!$move") return 1 ;;
        !*) return 0 ;;
        "$move") return 0 ;;
        esac
    done
    return 1
}

# Searches the tactical positions, each in a new game; one line: found, positions, nodes until the move found stayed, milliseconds,
# nodes of the last lines told.
tactics() {
    local found=0 total=0 settled=0 ms=0 visited=0 line best want fen rest last since told number=0
    coproc ENGINE { exec "$program"; }
    local out=${ENGINE[0]} in=${ENGINE[1]} pid=$ENGINE_PID
    echo $protocol >&"$in"
    [ "$1" = defaults ] || echo "setoption name ${1%%=*} value ${1#*=}" >&"$in"
    while IFS='|' read -r want fen rest; do
        case $want in '' | '#'*) continue ;; esac
        number=$((number + 1))
        [ $((number % every)) = $((1 % every)) ] || continue
        printf '%s\nposition %s%s\ngo %s\n' "$new" "$text" "$fen" "$limit" >&"$in"
        last= since=$nodes best= told=0
        while read -r line <&"$out"; do
            if [[ $line =~ ^info.*\ nodes\ ([0-9]+).*\ time\ ([0-9]+)\ pv\ ([^ ]+) ]]; then
                [ "${BASH_REMATCH[3]}" = "$last" ] || since=${BASH_REMATCH[1]}
                last=${BASH_REMATCH[3]} told=${BASH_REMATCH[1]} line_ms=${BASH_REMATCH[2]}
            elif [[ $line =~ ^bestmove\ ([^ ]+) ]]; then
                best=${BASH_REMATCH[1]}
                break
            fi
        done
        [ -n "$best" ] || die "the program ended at$fen"
        total=$((total + 1)) ms=$((ms + line_ms)) visited=$((visited + told))
        # shellcheck disable=SC2086
        if is_right "$best" $want; then found=$((found + 1)) settled=$((settled + since)); else settled=$((settled + nodes)); fi
    done < "tests/data/$game/tactics.txt"
    echo quit >&"$in"
    wait "$pid"
    echo "$found $total $settled $ms $visited"
}

# Elo of the row's setting against the defaults, with its error; and how many games that is when they are not all.
selfplay() {
    local file=$state/$1.games left=$((end - SECONDS)) played
    if [ ! -e "$state/$1.all" ] && [ "$left" -gt 0 ]; then
        timeout --foreground -s INT "$left" "$program" match --nodes "$game_nodes" --games "$games" --concurrency 1 --random-plies 8 --seed 5 --quiet \
            --engine "'$program'" --name changed --option "$1" --engine "'$program'" --name defaults \
            --games-file "$file" $([ -s "$file" ] && echo --resume) > "$state/$1.match" && touch "$state/$1.all"
    fi
    [ -s "$state/$1.match" ] || return 0
    sed -n 's/^ *Elo  *\(.*[^ ]\)  *normalised.*/\1/p' "$state/$1.match" | tail -n 1 | tr -d '\n'
    played=$(sed -n 's/^ *games  *\([0-9]*\):.*/\1/p' "$state/$1.match" | tail -n 1)
    [ -e "$state/$1.all" ] || echo -n " (${played:-few} games)"
}

if [ -n "$depth" ]; then
    echo "| setting | nodes to depth $depth of $game |"
    echo "|---|---:|"
else
    echo "| setting | tactics found | nodes until found | time | games against the defaults |"
    echo "|---|---|---:|---:|---:|"
fi
for row in $rows; do
    [ -s "$state/$row.tactics" ] || { tactics "$row" > "$state/$row.tactics.new"; mv "$state/$row.tactics.new" "$state/$row.tactics"; }
    read -r found total settled ms visited < "$state/$row.tactics"
    [ -z "$depth" ] || { echo "| $row | $visited |" && continue; }
    score=
    [ "$row" = defaults ] || [ "$games" = 0 ] || score=$(selfplay "$row")
    echo "| $row | $found of $total | $settled | $((ms / 1000)).$((ms / 100 % 10)) s | $score |"
done
