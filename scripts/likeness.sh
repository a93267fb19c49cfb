#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How like people does a level err, in chess? Lets it play itself from the usual start, lets a program that does not change
# judge every move, and prints the table beside that of people rated 900 to 1100 on a server (60 games, 2 252 positions).
#   scripts/likeness.sh [--level ELO] [--games N] [--find] [--keep FOLDER]
# --level ELO    the level that plays (default: the one whose mean loss was found equal to that of people)
# --games N      how many games (default 200)
# --find         looks for that level first, with a fifth of the games at each step
# --keep FOLDER  where the games and their analysis stay (default: build/likeness)
# Judged are moves after ply 8 in positions where either side may still expect 5 to 95 % of a win, by the program of commit
# 9b2641e (`analyse --nodes 30000 --json`), built once from the history. Answers 1 when a row is off by more than a quarter.
#   PROGRAM=./twofold-chess   JUDGE= another judge   JUDGE_NODES=30000
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

die() { echo "likeness: $*" >&2; exit "${2:-1}"; }

level=1450 games=200 find='' keep=build/likeness
number() { case $2 in '' | *[!0-9]*) echo "likeness: $1 needs a number" >&2; exit 2 ;; esac; }
while [ $# -gt 0 ]; do
    case $1 in
    --level) number "$1" "${2:-}"; level=$2; shift 2 ;;
    --games) number "$1" "${2:-}"; games=$2; shift 2 ;;
    --keep) keep=${2:?--keep needs a folder}; shift 2 ;;
    --find) find=1; shift ;;
    -h | --help) sed -n '3,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "likeness: unknown option '$1'" >&2; exit 2 ;;
    esac
done
program=${PROGRAM:-./twofold-chess} judge=${JUDGE:-$keep/judge/twofold-chess} nodes=${JUDGE_NODES:-30000}
[ -x "$program" ] || die "there is no $program: run make first"
mkdir -p "$keep"

if [ ! -x "$judge" ]; then
    git cat-file -e 9b2641e 2> /dev/null || { echo "skipped: likeness: commit 9b2641e, the judge, is not in this copy"; exit 0; }
    rm -rf "$keep/judge" && mkdir -p "$keep/judge"
    git archive 9b2641e | tar x -C "$keep/judge"
    make -s -C "$keep/judge" GAME=chess EVALFILE= > "$keep/judge.log" 2>&1 || die "the judge can't be built: see $keep/judge.log"
fi

# play ELO GAMES: FOLDER/ELO.json, the analysis of so many games of the level against itself.
play() {
    local elo=$1 nb=$2 base="$keep/$1-$2"
    echo startpos > "$keep/start"
    rm -f "$base".*
    local side="--engine $program --st 60 --option Hash=1 --option UCI_LimitStrength=true --option UCI_Elo=$elo"
    # shellcheck disable=SC2086
    "$program" match --games "$nb" --openings "$keep/start" --max-plies 300 --pgn "$base.pgn" --quiet \
        $side --name first $side --name second > "$base.report" 2>&1 || { cat "$base.report" >&2; die "the games failed"; }
    "$judge" analyse "$base.pgn" --nodes "$nodes" --json "$base.json" --state "$base.state" -q || die "the judge failed"
}

# figures JSON: one "name value" a line.
figures() {
    awk '
    function field(name,    at, rest) {
        at = index($0, "\"" name "\":"); rest = substr($0, at + length(name) + 3)
        sub(/[,}].*/, "", rest); gsub(/"/, "", rest); return rest
    }
    /^\{"type":"game"/ { games++; before = last = "" }
    /^\{"type":"move"/ {
        plies++; ply = field("ply") + 0; move = field("move"); expected = field("expected_before") + 0; loss = field("loss") + 0
        if (ply == 1) first[field("human")]++
        back = before != "" && substr(move, 1, 2) == substr(before, 3, 2) && substr(move, 3, 2) == substr(before, 1, 2)
        before = last; last = move
        if (ply <= 8 || expected < 0.05 || expected > 0.95) next
        nb++; sum += loss; backs += back; all[nb] = loss
        exact += loss < 0.01; slip += loss >= 0.05 && loss < 0.1; error += loss >= 0.1 && loss < 0.2; blunder += loss >= 0.2
    }
    END {
        if (!nb) exit 1
        printf "positions %d\nexact %.2f\nslip %.2f\nerror %.2f\nblunder %.2f\nback %.2f\nmean %.4f\nplies %.0f\n", nb, 100 * exact / nb,
            100 * slip / nb, 100 * error / nb, 100 * blunder / nb, 100 * backs / nb, sum / nb, plies / games
        for (m in first) printf "first %s %d\n", m, first[m]
        for (i = 1; i <= nb; i++) print "loss", all[i] | "sort -k2,2n > '"$keep"'/losses"
    }' "$1"
    awk '{ v[NR] = $2 } END { printf "median %.3f\nninety %.3f\n", v[int((NR + 1) / 2)], v[int(NR * 0.9) + 1] }' "$keep/losses"
}

people_mean=0.076
if [ -n "$find" ]; then
    low=600 high=2000
    while [ $((high - low)) -gt 50 ]; do
        level=$(((low + high) / 2))
        play "$level" $((games / 5))
        mean=$(figures "$keep/$level-$((games / 5)).json" | sed -n 's/^mean //p')
        echo "level $level loses $mean a move in $((games / 5)) games"
        if awk "BEGIN { exit !($mean > $people_mean) }"; then low=$level; else high=$level; fi
    done
fi

play "$level" "$games"
figures "$keep/$level-$games.json" > "$keep/figures"
awk -v level="$level" -v games="$games" -v people_mean="$people_mean" '
    $1 == "first" { first = first (first == "" ? "" : ", ") $2 " " $3; next }
    { is[$1] = $2 }
    function row(name, key, people, unit,    off) {
        off = is[key] < 0.75 * people || is[key] > 1.25 * people
        bad += off
        printf "| %s | %s%s | %s%s | %s |\n", name, people, unit, is[key], unit, off ? "off" : "within a quarter"
    }
    END {
        printf "Level %d, %d games against itself: %d positions.\n\n| | people, 900 to 1100 | level %d | |\n|---|---:|---:|---|\n", level, games, is["positions"], level
        row("moves that lose under 1 %", "exact", 44.9, " %")
        row("lose 5 to 10 %", "slip", 14.3, " %")
        row("lose 10 to 20 %", "error", 14.8, " %")
        row("lose 20 % and more", "blunder", 11.2, " %")
        row("take back the move before", "back", 2.1, " %")
        row("mean loss, parts of a win", "mean", people_mean, "")
        printf "| median, 90th percentile of the loss | 0.024, 0.215 | %s, %s | |\n", is["median"], is["ninety"]
        printf "| length of a game in plies | 65 | %s | |\n| first moves | d4 31, e4 28, c4 1 | %s | |\n", is["plies"], first
        exit bad > 0
    }' "$keep/figures"
