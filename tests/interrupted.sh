#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Analysis that is interrupted, by a signal it can see and by one it can't, gives in the end the report of a run that was
# left alone. The last line is `interrupted: P passed, F failed, 0 skipped`.
cd "$(dirname "$0")/.." || exit 1
suite=interrupted
. tests/expect.sh
cp tests/data/chess/pgn/kasparov-deep-blue-1997.pgn "$work/games.pgn"
chmod u+w "$work/games.pgn"
command="${PROGRAMS:-.}/twofold-chess analyse $work/games.pgn --nodes 1500 -j1 --json"
# Waits until the progress file has so many lines, or the program has ended.
wait_for() {
    while kill -0 "$2" 2>/dev/null && [ "$(cat "$work/games.pgn.twofold-progress" 2>/dev/null | wc -l)" -lt "$1" ]; do sleep 0.05; done
}
$command "$work/whole.json" >/dev/null 2>&1
expect "a run left alone" "$?" 0
$command "$work/parts.json" >/dev/null 2>"$work/errors" &
program=$!
wait_for 20 "$program"
kill -TERM "$program"
wait "$program"
expect "the exit code after SIGTERM" "$?" 143
expect "what it says" "$(grep -c 'run the same command again' "$work/errors")" 1
expect "no report yet" "$(ls "$work" | grep -c parts.json)" 0
$command "$work/parts.json" >/dev/null 2>"$work/errors" &
program=$!
wait_for 60 "$program"
kill -KILL "$program" 2>/dev/null
wait "$program" 2>/dev/null
$command "$work/parts.json" >/dev/null 2>"$work/errors"
expect "the run that finishes" "$?" 0
expect "it went on" "$(grep -c '^going on: ' "$work/errors")" 1
cmp -s "$work/whole.json" "$work/parts.json"
expect "the report is the same" "$?" 0
expect "the progress file is gone" "$(ls "$work" | grep -c progress)" 0
# The same at any moment of the writing: a folder of pages, annotated games and JSON, of more games than are in memory at a time.
awk 'BEGIN { for (i = 0; i < 300; i++) print "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n" }' >"$work/many.pgn"
write() {
    "${PROGRAMS:-.}/twofold-chess" analyse "$work/many.pgn" --nodes 20 -q -j1 --json "$work/$1.json" -o "$work/$1.pgn" --html "$work/$1/" >/dev/null 2>&1
}
write all
for signal in TERM KILL INT KILL TERM; do
    "${PROGRAMS:-.}/twofold-chess" analyse "$work/many.pgn" --nodes 20 -q -j1 --json "$work/cut.json" -o "$work/cut.pgn" --html "$work/cut/" >/dev/null 2>&1 &
    program=$!
    sleep "0.$((program % 10))"
    kill -"$signal" "$program" 2>/dev/null
    wait "$program" 2>/dev/null
done
write cut
expect "the run that finishes the writing" "$?" 0
cmp -s "$work/all.json" "$work/cut.json" && cmp -s "$work/all.pgn" "$work/cut.pgn" && diff -r "$work/all" "$work/cut" >/dev/null
expect "all that was written is the same" "$?" 0
expect "nothing is left behind" "$(ls -A "$work" "$work/cut" | grep -c 'progress\|-tmp')" 0
echo "interrupted: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
