#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library from outside: it builds, shows no name but its own, prints nothing and ends nothing, and both games work in
# one program, linked statically and dynamically. The last line is `library: P passed, F failed, 0 skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0
check() { # TITLE WHAT-IS-WRONG
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: library: $1: $(printf '%s' "$2" | head -5)"
    fi
}
make -j"${JOBS:-2}" CC="${CC:-gcc}" lib library-test >build/library.log 2>&1 || echo "$?" >>build/library.log
check "the build" "$(grep -E 'warning:|error:|Error [0-9]' build/library.log)"
forbidden='^(exit|_exit|abort|printf|puts|putchar|fork|stdout|stderr)@'
for game in chess shogi; do
    check "names in libtwofold-$game.a" "$(nm -g --defined-only libtwofold-$game.a | awk 'NF == 3 { print $3 }' | grep -v "^twofold_${game}_")"
    check "names in libtwofold-$game.so" "$(nm -D --defined-only libtwofold-$game.so | awk '{ print $3 }' | grep -v "^twofold_${game}_")"
    check "calls of libtwofold-$game.so" "$(nm -D --undefined-only libtwofold-$game.so | awk '{ print $2 }' | grep -E "$forbidden")"
done
for line in $(sed -n 's/^library: \([0-9]*\) passed, \([0-9]*\) failed.*/\1:\2/p' build/library.log); do
    passed=$((passed + ${line%:*})) failed=$((failed + ${line#*:}))
done
check "the program that links both" "$([ "$(grep -c '^library: ' build/library.log)" -eq 2 ] || echo "it did not end twice")"
grep '^FAILED' build/library.log
echo "library: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
