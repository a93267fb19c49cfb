#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What each technique of the search is worth, in both games, at fixed nodes and at fixed time: plays the games and puts the table
# into docs/measurements/worth.md.
#   scripts/worth.sh [--games N] [--nodes N] [--time MS] [--only chess-nodes|shogi-nodes|chess-time|shogi-time] [--seconds N]
# --games N    for each switch (default 400)        --nodes N, --time MS   a move (default 1000 nodes, 4 ms)
# --only PART  plays that part alone                --seconds N            and no longer than this
# The table is made of what was played so far; interrupted, it goes on where it was (build/worth). Openings are eight random plies.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

die() { echo "worth: $*" >&2; exit 1; }

games=400 nodes=1000 ms=4 only= seconds=864000
while [ $# -gt 0 ]; do
    case $1 in
    --games) games=${2:?--games needs a number}; shift 2 ;;
    --nodes) nodes=${2:?--nodes needs a number}; shift 2 ;;
    --time) ms=${2:?--time needs milliseconds}; shift 2 ;;
    --only) only=${2:?--only needs a part}; shift 2 ;;
    --seconds) seconds=${2:?--seconds needs a number}; shift 2 ;;
    --help | -h) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "worth: unknown option '$1'" >&2; exit 2 ;;
    esac
done
parts="chess-nodes shogi-nodes chess-time shogi-time"
case " $parts " in *" ${only:-chess-nodes} "*) ;; *) die "there is no part '$only'" ;; esac

mkdir -p build/worth
for part in ${only:-$parts}; do
    game=${part%-*}
    # The program that stands here is given back: this one is for measuring alone.
    [ ! -e "twofold-$game" ] || cp -p "twofold-$game" build/worth/kept
    make -s TUNE=1 "twofold-$game"
    mv "twofold-$game" "build/worth/twofold-$game"
    [ ! -e build/worth/kept ] || mv build/worth/kept "twofold-$game"
    limit="--nodes $nodes"
    [ "${part#*-}" = nodes ] || limit="--nodes 0 --st ${ms}ms"
    # shellcheck disable=SC2086
    timeout --foreground -s INT "$seconds" "build/worth/twofold-$game" ablate $limit --games "$games" --state "build/worth/$part.state" \
        >"build/worth/$part.md" || [ -s "build/worth/$part.md" ] || die "ablate failed"
done

# One row a technique, sorted by what it is worth in chess at fixed nodes; a column for each part that was played.
table=$(for part in $parts; do
    [ ! -s "build/worth/$part.md" ] || awk -v part="$part" -F ' *[|] *' '/^[|] Use/ { print part, $2, $3, $4, $5, $6 }' "build/worth/$part.md"
done | awk -v parts="$parts" '
    { no_end = $5 ~ /inf|nan/
      cell[$1, $2] = no_end ? "lost every game" : $6 ~ /inf|nan/ ? "no game differed" : sprintf("%+.0f +- %.0f", $5, $6); worth[$1, $2] = no_end ? 9999 : $5
      total[$1] = $4; if (!seen[$2]++) name[++nb] = $2; on[$2] = $3 }
    function key(n) { return worth["chess-nodes", n] == "" ? worth["shogi-nodes", n] + 0 : worth["chess-nodes", n] + 0 }
    END {
        columns = split(parts, part, " ")
        for (i = 2; i <= nb; i++)
            for (j = i; j > 1 && key(name[j]) > key(name[j - 1]); j--) { t = name[j]; name[j] = name[j - 1]; name[j - 1] = t }
        line = "| technique | default |"; rule = "|---|---|"
        for (c = 1; c <= columns; c++) if (part[c] in total) { sub("-", ", fixed ", part[c]); line = line " " part[c] " |"; rule = rule "---:|" }
        print line; print rule
        split(parts, part, " ")
        for (i = 1; i <= nb; i++) {
            line = "| " substr(name[i], 4) " | " on[name[i]] " |"
            for (c = 1; c <= columns; c++) if (part[c] in total) line = line " " cell[part[c], name[i]] " |"
            print line
        }
        line = "| games each | |"
        for (c = 1; c <= columns; c++) if (part[c] in total) line = line " " total[part[c]] " |"
        print line
    }')
awk -v table="$table" '
    /<!-- worth -->/ { print; print table; skip = 1; next }
    /<!-- end of worth -->/ { skip = 0 }
    !skip' docs/measurements/worth.md >build/worth/page.md
mv build/worth/page.md docs/measurements/worth.md
echo "worth: docs/measurements/worth.md has the table"
