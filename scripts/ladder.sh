#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The ladder: plays the current build against public programs from Debian's packages and adds the results to docs/strength.md.
#   scripts/ladder.sh chess|shogi [--games N] [--fast] [--only NAME] [--concurrency N] [-- options for match]
# --games N    games against each opponent (default 100)     --fast         short clocks, for a first look
# --only NAME  this opponent alone                           --concurrency  games at once (default: the cores)
# Missing packages are installed when we may (root); else they are named and left out. Interrupted, it goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

die() { echo "ladder: $*" >&2; exit 1; }

game=${1:-}
shift || true
case $game in chess | shogi) ;; *) sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
games=100 fast= only= concurrency=$(nproc)
while [ $# -gt 0 ]; do
    case $1 in
    --games) games=${2:?--games needs a number}; shift 2 ;;
    --only) only=${2:?--only needs a name}; shift 2 ;;
    --concurrency) concurrency=${2:?--concurrency needs a number}; shift 2 ;;
    --fast) fast=1; shift ;;
    --) shift; break ;;
    *) echo "ladder: unknown option '$1'" >&2; exit 2 ;;
    esac
done

# A rung: opponent, package, command, our limit, its limit. Strong ones come a second time with a tenth of our time.
if [ $game = chess ]; then
    quick="--tc ${fast:+1+0.01}" clock=$quick odds="--tc ${fast:+0.1+0.001}"
    [ -n "$fast" ] || quick="--tc 4+0.04" clock="--tc 8+0.08" odds="--tc 0.8+0.008"
    rungs="gnuchess|gnuchess|gnuchess --uci|$quick|$quick
glaurung|glaurung|glaurung|$quick|$quick
toga2|toga2|toga2|$quick|$quick
fairy-stockfish|fairy-stockfish|fairy-stockfish|$quick|$quick
ethereal-chess|ethereal-chess|ethereal-chess|$clock|$odds
ethereal-chess|ethereal-chess|ethereal-chess|$clock|$clock
stockfish|stockfish|stockfish|$clock|$odds
stockfish|stockfish|stockfish|$clock|$clock"
else
    # gpsusi counts in whole seconds: it gets byoyomi of a second and more only.
    clock="--byoyomi ${fast:+100ms}" slow="--byoyomi ${fast:+1s}" odds="--byoyomi ${fast:+10ms}"
    [ -n "$fast" ] || clock="--byoyomi 500ms" slow="--byoyomi 1500ms" odds="--byoyomi 50ms"
    rungs="fairy-stockfish|fairy-stockfish|fairy-stockfish|$clock|$odds
fairy-stockfish|fairy-stockfish|fairy-stockfish|$clock|$clock
gpsusi|gpsshogi|gpsusi|$slow|$slow"
fi

[ -z "$only" ] || grep -q "^$only|" <<< "$rungs" || die "no opponent is called '$only'"
PATH=$PATH:/usr/games
present() { command -v "$1" > /dev/null; }

# ---- the packages -----------------------------------------------------------------------------------------------------
missing=()
while IFS='|' read -r name package command _; do
    [ -z "$only" ] || [ "$only" = "$name" ] || continue
    present "${command%% *}" || case " ${missing[*]-} " in *" $package "*) ;; *) missing+=("$package") ;; esac
done <<< "$rungs"
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ] && present apt-get; then
        apt-get update -qq || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
            echo "ladder: not all of these could be installed: ${missing[*]}" >&2
    else
        echo "ladder: missing; as root: apt-get install ${missing[*]}" >&2
    fi
fi

# ---- the table --------------------------------------------------------------------------------------------------------
table=docs/strength.md
marker="<!-- end of the $game ladder -->"
[ -f $table ] || printf '# Strength\n\nGames of Twofold against public programs, by `scripts/ladder.sh chess` and `scripts/ladder.sh shogi`.\n' > $table
grep -qF "$marker" $table || {
    printf '\n## The %s ladder\n\nElo is the difference to the opponent with its 95 %% error; faults are the opponent'\''s (each lost it a game).\n\n' $game
    printf '| date | commit | opponent | ours | theirs | games | result | score | Elo | faults |\n|---|---|---|---|---|---|---|---|---|---|\n%s\n' "$marker"
} >> $table

# Puts the rows of a file before the marker.
add_rows() {
    awk -v marker="$marker" -v rows="$1" '$0 == marker { while ((getline row < rows) > 0) print row } { print }' $table > $table.new
    mv $table.new $table
}

# ---- the games --------------------------------------------------------------------------------------------------------
make -s "twofold-$game"
# The table this very script writes does not make the program another one.
commit=$(git describe --always 2> /dev/null || echo unknown)
[ "$commit" = unknown ] || git diff --quiet HEAD -- . ":!$table" || commit+=-dirty
work=build/ladder
mkdir -p $work
while IFS='|' read -r -u 9 name package command ours theirs; do
    [ -z "$only" ] || [ "$only" = "$name" ] || continue
    present "${command%% *}" || { echo "ladder: $name is not installed: left out" >&2; continue; }
    base="$work/$game-$commit-$name-$(echo "$ours-$theirs-$games" | tr -cs 'a-z0-9.+\n' '-')"
    [ -f "$base.done" ] && { echo "ladder: $name ($theirs) was played already: $base.done"; continue; }
    rm -f "$base.rows"
    code=0
    "./twofold-$game" match --games "$games" --concurrency "$concurrency" --games-file "$base.games" --resume \
        --log "$base.log" --record "$base.record" --table "$base.rows" --label "$commit" "$@" \
        --engine "./twofold-$game" --name "twofold-$game" $ours --engine "$command" --name "$name" $theirs || code=$?
    [ $code -gt 128 ] && { echo "ladder: interrupted; run it again to go on" >&2; exit $code; }
    [ $code = 0 ] || { echo "ladder: the match against $name failed" >&2; continue; }
    add_rows "$base.rows"
    mv "$base.rows" "$base.done"
done 9<<< "$rungs"
