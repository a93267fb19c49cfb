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
echo "interrupted: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
