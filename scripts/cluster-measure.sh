#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What two ranks bring, by the clock: for a quiet machine with two cores of its own (docs/cluster.md tells the results).
#   scripts/cluster-measure.sh [--games N] [--tc CLOCK] [--positions N] [--depth N] [--seconds N] [--mpi] [--out FOLDER]
# Two ranks of one thread against one of one thread, and the same of two threads (--games 200 each at --tc 2+0.02, one game at a
# time); time to --depth 20 over --positions 30 of one rank, two ranks and two threads in turn; and what the exchange costs: nodes
# of two ranks against those of two programs side by side that know nothing of each other, --seconds 3 for each position.
# --mpi starts the ranks by mpirun (a build with MPI=1) in place of --ranks. About 50 minutes in all. Interrupted, the same command goes on.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

usage() { sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2; }
games=200 tc=2+0.02 positions=30 depth=20 seconds=3 mpi= out=build/cluster-measure
while [ $# -gt 0 ]; do
    case $1 in
    --games | --tc | --positions | --depth | --seconds | --out)
        [ -n "${2:-}" ] || usage
        declare "${1#--}=$2"
        shift 2
        ;;
    --mpi) mpi=1; shift ;;
    *) usage ;;
    esac
done
program=${PROGRAMS:-$PWD}/twofold-chess
alone="$program"
ranks="$program --ranks 2"
if [ -n "$mpi" ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    ranks="mpirun --oversubscribe --bind-to none -n 2 $program"
fi
mkdir -p "$out"
# What was asked for must be what is gone on with.
asked="$tc $positions $depth $seconds ${mpi:-pipes} $("$program" bench 1 | tail -1 | sed 's/ nodes.*//')"
[ -f "$out/asked" ] || echo "$asked" >"$out/asked"
[ "$(cat "$out/asked")" = "$asked" ] || { echo "cluster-measure: $out is of another run: $(cat "$out/asked")" >&2; exit 1; }

# ---- games ------------------------------------------------------------------------------------------------------------
# versus NAME COMMAND THREADS: against one rank of one thread.
versus() {
    "$alone" match --tc "$tc" --games "$games" --seed 23 --option Hash=32 --games-file "$out/$1.games" --resume --log "$out/$1.log" \
        --engine "$2" --name "$1" --option "Threads=$3" --engine "$alone" --name one >"$out/$1.report"
    sed "s/^/$1: /" "$out/$1.report"
}

# ---- one position -----------------------------------------------------------------------------------------------------
# ask THREADS WORDS FEN COMMAND...: what it says to `go WORDS`, with nothing known before.
ask() {
    local threads=$1 words=$2 fen=$3 line
    shift 3
    coproc ENGINE { exec "$@" 2>/dev/null; }
    local from=${ENGINE[0]} to=${ENGINE[1]} pid=$ENGINE_PID
    printf 'setoption name Hash value 64\nsetoption name Threads value %s\nisready\nposition fen %s\n' "$threads" "$fen" >&"$to"
    while read -r line <&"$from" && [ "$line" != readyok ]; do :; done
    printf 'go %s\n' "$words" >&"$to"
    while read -r line <&"$from"; do
        case $line in
        bestmove*) break ;;
        *currmove*) ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
    printf 'quit\n' >&"$to"
    wait "$pid"
}
# number WORD: the one that follows it in the last line that has it.
number() { grep -oE "$1 [0-9]+" | tail -1 | grep -oE '[0-9]+'; }
# Nodes of all ranks, where there are several; else of the last line.
nodes() { tee "$out/said" | grep -oE '[0-9]+ nodes,' | grep -oE '[0-9]+' || number nodes <"$out/said"; }
has() { grep -q "^$1 " "$out/times" 2>/dev/null; }

# to_depth NUMBER FEN NAME THREADS COMMAND...: a line "depth-NUMBER-NAME milliseconds nodes".
to_depth() {
    local key="depth-$1-$3" fen=$2 threads=$4
    shift 4
    has "$key" && return
    local said
    said=$(ask "$threads" "depth $depth" "$fen" "$@")
    echo "$key $(number time <<<"$said") $(nodes <<<"$said")" >>"$out/times"
}
# overhead NUMBER FEN: a line "nodes-NUMBER of-two-programs of-two-ranks".
overhead() {
    local key="nodes-$1" words="movetime $((seconds * 1000))" first second both
    has "$key" && return
    (ask 1 "$words" "$2" "$alone" >"$out/first") &
    ask 1 "$words" "$2" "$alone" >"$out/second"
    wait $!
    first=$(number nodes <"$out/first") second=$(number nodes <"$out/second")
    # shellcheck disable=SC2086
    both=$(ask 1 "$words" "$2" $ranks | nodes)
    echo "$key $((first + second)) $both" >>"$out/times"
}

[ -s "$out/positions" ] || "$alone" "genfens $positions seed 7" | sed -n 's/^info string genfens //p' >"$out/positions"
[ "$(wc -l <"$out/positions")" -eq "$positions" ] || { echo "cluster-measure: no positions in $out/positions" >&2; exit 1; }
at=0
while read -r fen; do
    at=$((at + 1))
    # shellcheck disable=SC2086
    {
        to_depth $at "$fen" one 1 $alone
        to_depth $at "$fen" ranks 1 $ranks
        to_depth $at "$fen" threads 2 $alone
    }
    overhead $at "$fen"
    echo "cluster-measure: position $at of $positions" >&2
done <"$out/positions"
awk -v depth="$depth" '
    /^depth/ { split($1, key, "-"); ms[key[3]] += $2; nodes[key[3]] += $3; log_ms[key[3]] += log($2 > 0 ? $2 : 1); n[key[3]]++ }
    /^nodes/ { apart += $2; joined += $3 }
    END {
        for (i = split("one ranks threads", name, " "); i > 0; i--) {
            w = name[i]
            printf "to depth %d, %s: %d positions, %.1f s, %.2f M nodes; geometric mean %.3f of the time of one rank\n", depth, w, n[w], ms[w] / 1000, nodes[w] / 1e6, exp((log_ms[w] - log_ms["one"]) / n[w])
        }
        printf "nodes of two ranks: %.2f M, of two programs apart: %.2f M, a share of %.4f\n", joined / 1e6, apart / 1e6, joined / apart
    }' "$out/times" | tee "$out/summary"
versus ranks "$ranks" 1
versus threads "$alone" 2
