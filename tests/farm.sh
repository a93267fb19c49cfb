#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/farm.sh in a folder of its own, with tiny files: its verbs, mistakes, kills at bad moments, seeds that never
# repeat, and the pause for timed games. The last line is `farm: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0
for tool in setsid flock; do
    command -v $tool >/dev/null && [ -r /proc/self/stat ] && continue
    echo "skipped: farm: needs $tool and Linux's /proc"
    echo "farm: 0 passed, 0 failed, 1 skipped"
    exit 0
done
TWOFOLD_DATA=$(mktemp -d) || exit 1
export TWOFOLD_DATA FARM_POLL=0.1 FARM_SHARES='3 2' FARM_THREADS=1
farm=$TWOFOLD_DATA/farm
trap 'scripts/farm.sh stop >/dev/null 2>&1; rm -rf "$TWOFOLD_DATA"' EXIT
fail() { failed=$((failed + 1)) && echo "FAILED: farm: $*"; }
expect() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else fail "$1: '$2', expected '$3'"; fi; }
# run CODE WORD VERB...: its exit code, and WORD in what it says.
run() {
    code=$1 word=$2
    shift 2
    said=$(scripts/farm.sh "$@" 2>&1 </dev/null)
    got=$?
    case $said in *"$word"*) ;; *) got="$got and '$said'" ;; esac
    expect "farm.sh $*" "$got" "$code"
}
# until_it_holds TITLE COMMAND...: it holds before long. The machine may be busy, and what runs here has the lowest priority.
until_it_holds() {
    title=$1 tries=600
    shift
    until "$@" 2>/dev/null; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || break
        sleep 0.1
    done
    [ $tries -gt 0 ]
    expect "$title" $? 0
}
status_says() { scripts/farm.sh status | grep -q -- "$1"; }
first_of() { cut -d ' ' -f 1 "$farm/$1"; }
is_gone() { [ ! -e "/proc/$1/stat" ] || grep -q ') Z' "/proc/$1/stat"; }
is_suspended() { grep -q ') T' "/proc/$1/stat"; }
has_worker() { [ -s "$farm/worker" ] && ! is_gone "$(first_of worker)" && [ "$(workers)" = 1 ]; }
# A busy machine takes its time even for this.
kill_hard() {
    kill -9 "$@"
    for process in "$@"; do until_it_holds "an end" is_gone "$process"; done
}
# Workers that write into this folder.
workers() { grep -lz -e "^$TWOFOLD_DATA/.*\.tfg" /proc/[0-9]*/cmdline 2>/dev/null | wc -l; }
has_files() { [ "$(grep -c "^$1" "$farm/files.tsv")" -ge "$2" ]; }
seeds() { for f in "$TWOFOLD_DATA"/*.tfg; do od -An -t u8 -j 40 -N 8 "$f"; done; }

# ---- mistakes -----------------------------------------------------------------------------------------------------------
run 2 'usage: '
run 2 'usage: ' begin
run 2 'usage: ' start one two
run 2 'usage: ' stop now
run 1 'it was never started' status
run 1 'it was never started' pause
run 1 "no commit 'no-such-commit'" start no-such-commit
mkdir -p "$farm"
for game in chess shogi; do cp "twofold-$game" "$farm/twofold-$game-trial"; done
run 1 'it does not run' pause
run 1 'it does not run' resume
run 0 'stopped' stop

# ---- it plays both games, once ------------------------------------------------------------------------------------------
export FARM_CHESS='--positions 60 --nodes 20 --max-plies 60' FARM_SHOGI='--positions 60 --nodes 20 --max-plies 60'
scripts/farm.sh start trial >/dev/null & # two at the same time
other=$!
run 0 'player trial' start trial
wait $other
expect "the second of two starts" $? 0
run 0 'runs already' start
until_it_holds "a file of chess" has_files chess 2
until_it_holds "a file of shogi" has_files shogi 2
until_it_holds "status tells what there is" status_says '^chess: [1-9][0-9]* files, [1-9]'
expect "supervisors" "$(ps -eo pid=,sid=,args= | awk -v script="$farm/farm.sh" '$1 == $2 && index($0, script " run")' | wc -l)" 1
run 0 'stopped' stop
run 0 'not running' status
expect "workers left" "$(workers)" 0
head -n 1 "$farm/files.tsv" | grep -q '^chess-trial-[0-9]*\.tfg	chess	trial	[0-9]*	[0-9]*	[0-9]*	--positions 60'
expect "what a line of files.tsv tells" $? 0
./twofold-chess data info "$TWOFOLD_DATA/$(head -n 1 "$farm/files.tsv" | cut -f 1)" | grep -q '^players: trial$'
expect "the head of a file names its player" $? 0

# A start that meets another in its first moment, the lock taken and nothing written yet, ends as soon as that is known.
# shellcheck disable=SC2016
flock "$farm/lock" sh -c '
    sleep 0.5
    read -r line <"/proc/$$/stat" && set -- ${line##*) }
    echo "$$ ${20}" >"$0/supervisor"
    sleep 4' "$farm" &
holder=$!
sleep 0.2
began=$(date +%s%N)
sh "$farm/farm.sh" run >/dev/null 2>&1
expect "the later of two supervisors" $? 0
[ $(($(date +%s%N) - began)) -lt 3500000000 ]
expect "the later of two supervisors ends at once" $? 0
wait $holder
rm -f "$farm/supervisor"

# ---- pausing ------------------------------------------------------------------------------------------------------------
export FARM_CHESS='--positions 9000000 --nodes 20' FARM_SHOGI='--positions 9000000 --nodes 20'
rm -f "$farm/work" "$farm/seed"
./twofold-chess datagen --games 1 --nodes 20 --seed 4000000000 --out "$TWOFOLD_DATA/from-elsewhere.tfg" >/dev/null
run 0 'started' start
until_it_holds "a worker" has_worker
worker=$(first_of worker)
expect "the priority of the worker" "$(ps -o ni= -p "$worker" | tr -d ' ')" 19
[ ! -e /proc/self/autogroup ] || expect "the priority of its session" "$(sed 's/.*nice //' "/proc/$worker/autogroup")" 19
expect "a session of its own" "$(ps -o sid= -p "$worker" | tr -d ' ')" "$worker"
run 0 'paused by hand' pause
until_it_holds "a paused worker" is_suspended "$worker"
run 0 'paused by hand' status
run 0 'runs already' start
run 0 '' resume
until_it_holds "it goes on" status_says '^running'
sleep 30 &
sleeper=$!
run 0 "paused for process $sleeper" pause $sleeper
kill -9 $sleeper
wait $sleeper 2>/dev/null
until_it_holds "it goes on when that process was killed" status_says '^running'
run 1 'no process' pause 999999999
./twofold-chess match --st 100ms --games 2 --engine ./twofold-chess --engine ./twofold-chess >/dev/null 2>&1 &
match=$!
until_it_holds "timed games pause it" status_says '^paused for the timed games'
kill -9 $match
wait $match 2>/dev/null
until_it_holds "it goes on when the match was killed" status_says '^running'
./twofold-chess match --nodes 2000 --games 200 --engine ./twofold-chess --engine ./twofold-chess >/dev/null 2>&1 &
match=$!
sleep 0.5
status_says 'timed games of process '$match
expect "games without clocks pause it" $? 1
kill $match
wait $match 2>/dev/null

# ---- kills --------------------------------------------------------------------------------------------------------------
work=$(cat "$farm/work")
kill_hard "$(first_of worker)"
until_it_holds "a new worker" has_worker
expect "after a kill of the worker, the file" "$(cat "$farm/work")" "$work"
kill_hard "$(first_of supervisor)"
run 0 'not running' status
expect "the worker left alone" "$(workers)" 1
orphan=$(first_of worker)
run 0 'started' start
until_it_holds "the worker left alone ends" is_gone "$orphan"
until_it_holds "another takes its place" has_worker
expect "workers" "$(workers)" 1
expect "after a kill of the supervisor, the file" "$(cat "$farm/work")" "$work"
run 0 'paused' pause
kill_hard "$(first_of supervisor)" "$(first_of worker)"
run 0 'started' start
until_it_holds "after a kill of both it runs" has_worker
expect "after a kill of both, the file" "$(cat "$farm/work")" "$work"
kill_hard "$(first_of supervisor)"
worker=$(first_of worker)
run 0 'stopped' stop
until_it_holds "stop ends a worker left alone" is_gone "$worker"

# ---- other work beside timed games --------------------------------------------------------------------------------------
sh -c 'while :; do :; done' &
busy=$!
sleep 0.1
short='--games 2 --max-plies 4 --random-plies 2 --engine ./twofold-chess --engine ./twofold-chess'
# shellcheck disable=SC2086
{
    expect "match warns of other work" "$(./twofold-chess match --st 5ms $short | grep -c '^warning: other work keeps [0-9.]* of [0-9]* cores busy')" 1
    expect "not without clocks" "$(./twofold-chess match --nodes 50 $short | grep -c '^warning: other work')" 0
}
kill $busy
wait $busy 2>/dev/null

# ---- what cannot be played ----------------------------------------------------------------------------------------------
mv "$farm/work" "$farm/work-before"
FARM_CHESS=--nonsense FARM_SHOGI=--nonsense run 0 'started' start
until_it_holds "status tells why nothing is played" status_says '^waiting to try .* again: .*--'
run 0 'stopped' stop
rm -f "$TWOFOLD_DATA"/*.bad
mv "$farm/work-before" "$farm/work"

# ---- what is left -------------------------------------------------------------------------------------------------------
expect "seeds used twice" "$(seeds | sort | uniq -d)" ''
expect "a seed after one from elsewhere" "$(cut -d ' ' -f 3 "$farm/work")" 4000000001
for game in chess shogi; do
    "./twofold-$game" data check "$TWOFOLD_DATA/$game"-trial-*.tfg >"$farm/check" || cat "$farm/check"
    expect "whole files of $game" "$(grep -vc ': ok: ' "$farm/check")" 0
done
echo "farm: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
