#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The test runner itself: a case that fails, one that checks nothing and a failure before the first case are counted, and
# so is a case that is skipped. The last line is `runner: P passed, F failed, 0 skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# says TITLE PATTERN: is there such a line?
says() {
    if grep -q -- "$2" "$work/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: runner: $1: $(tail -1 "$work/out")"
    fi
}
echo 'SUITE(test_sample)' >"$work/suites.h"
${CC:-gcc} -std=gnu17 -Isrc -Isrc/games/chess -Itests -I"$work" -o "$work/runner" tests/runner.c tests/runner_test.c \
    >"$work/out" 2>&1 && TEST_CASES="$work/cases" "$work/runner" >"$work/out" 2>&1
echo "code $?" >>"$work/out"
sed 's/^/list: /' "$work/cases" >>"$work/out"
says "the exit code" '^code 1$'
says "the counts" ': 1 passed, 4 failed, 1 skipped$'
says "a case without checks" '^FAILED: a case that checks nothing: .*the case checked nothing$'
says "a failure before the first case" '^FAILED: test_sample before its first case: '
says "numbers are told" 'is 2, expected 3$'
says "texts are told" "is 'two', expected 'three'$"
says "what is skipped is told" '^skipped: a case that is skipped: there is no reason$'
says "the list has what passed" '^list: passed a case that passes$'
says "the list has what failed" '^list: failed a case that checks nothing$'
says "the list has what was skipped" '^list: skipped a case that is skipped$'
echo "runner: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
