#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `serve` of both programs from outside (tests/serve_driver.c), wrong command lines, and that the page in the programs is
# the one in the sources. The last line is `serve: P passed, F failed, 0 skipped`.
#   PROGRAMS=.   the folder of the programs      CC   as for make      SERVE_NONSENSE=2000   requests of nonsense
cd "$(dirname "$0")/.." || exit 1
suite=serve
. tests/expect.sh
programs=${PROGRAMS:-.}
${CC:-gcc} -std=gnu17 -O1 -Isrc -Itests -o "$work/driver" tests/serve_driver.c tests/http_client.c tests/serve_nonsense.c src/base/*.c -pthread -lm ||
    failed=1
for game in chess shogi; do
    mkdir "$work/$game"
    "$work/driver" "$programs/twofold-$game" "$work/$game" >"$work/log" 2>&1
    grep -v ' passed, ' "$work/log"
    line=$(grep ' passed, ' "$work/log" | tail -1)
    expect "the driver of $game has ended" "${line:+yes}" yes
    count=${line##*: }
    passed=$((passed + ${count%% *}))
    count=${count#*, }
    failed=$((failed + ${count%% *}))
    "$programs/twofold-$game" serve --port 70000 >/dev/null 2>&1
    expect "a port that is none" $? 2
    "$programs/twofold-$game" serve --tabs 8 --hash 100 >"$work/log" 2>&1
    expect "less hash than the tabs need" "$? $(grep -c 'more --hash or fewer --tabs' "$work/log")" "1 1"
    "$programs/twofold-$game" serve --tabs 8 --option Hash=200 >"$work/log" 2>&1
    expect "more hash for each than for all" "$? $(grep -c '8 tabs need 1600 MB' "$work/log")" "1 1"
    "$programs/twofold-$game" serve --option Hsh=20 >"$work/log" 2>&1
    expect "an option that there is not" "$? $(grep -c "no option 'Hsh'" "$work/log")" "2 1"
    "$programs/twofold-$game" serve --option EvalFile=/none.nnue >"$work/log" 2>&1
    expect "a file that there is not" "$? $(grep -c '/none.nnue' "$work/log")" "2 1"
    "$programs/twofold-$game" serve --help >"$work/help" 2>&1
    expect "the help" "$? $(grep -cE -- '--(port|open|tabs|hash|threads|option)' "$work/help")" "0 6"
done

# The same files give the same C, whatever their order; a kind of file without a type is refused.
printf 'a\n' >"$work/b.js" && printf '\000\377"\\' >"$work/a.css"
scripts/embed.sh "$work/a.css" "$work/b.js" >"$work/one.c" && scripts/embed.sh "$work/b.js" "$work/a.css" >"$work/two.c"
cmp -s "$work/one.c" "$work/two.c"
expect "embedding does not depend on the order" $? 0
expect "bytes of any value" "$(grep -c '^static const u8 file_0\[\] = {0,255,34,92,$' "$work/one.c")" 1
scripts/embed.sh "$work/help" >/dev/null 2>&1
expect "a file without a type" $? 1
echo "serve: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
