#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole test run of both games under the sanitizers of gcc: `make test-san`. First address and undefined, then thread,
# which runs the suites at their small size. What a sanitizer reports, in whatever process, fails the step. Takes half an
# hour on two cores. The last line is `N passed, N failed`, with `, N skipped` if any.
#   SANITIZERS='address,undefined thread'   which        JOBS, CC, ARCH   as for scripts/test.sh
cd "$(dirname "$0")/.." || exit 1
sanitizers=${SANITIZERS:-address,undefined thread}
. scripts/testing.sh

# Is the sanitizer there, and does it run here?
works() {
    echo 'int main(void) { return 0; }' >build/trial.c
    $cc -fsanitize="$1" -o build/trial build/trial.c >/dev/null 2>&1 && ./build/trial
}
# reports TITLE: what the sanitizers have written since the last time; each process writes a file of its own.
reports() {
    for file in "$reports"/*; do
        [ -s "$file" ] || continue
        fail "$1: a report of the sanitizer: $(grep -aE 'ERROR|WARNING|runtime error|SUMMARY' "$file" | head -2 | tr '\n' ' ') (build/reports has it)"
        mkdir -p build/reports
        mv "$file" build/reports/
    done
}

rm -rf build/reports
build_driver
for san in $sanitizers; do
    if ! works "$san"; then
        skip "everything under $san: $cc has no such sanitizer that runs here"
        continue
    fi
    tag=$(echo "$san" | tr , -)
    flavour=$arch-san-$tag-$name
    programs=build/programs-$tag reports=$PWD/build/reports-$tag
    mkdir -p "$programs" "$reports"
    rm -f "$reports"/*
    options="log_path=$reports/report:allocator_may_return_null=1:print_stacktrace=1"
    targets=
    for game in $games; do targets="$targets build/$game-$flavour/twofold-$game build/$game-$flavour/tests-$game"; done
    # shellcheck disable=SC2086
    build "with $san" CC="$cc" SAN="$san" $targets
    for game in $games; do cp "build/$game-$flavour/twofold-$game" "$programs/"; done

    size=TEST_SLOW=1
    [ "$san" = thread ] && size=TEST_LIGHT=1
    export ASAN_OPTIONS="$options" UBSAN_OPTIONS="$options" TSAN_OPTIONS="$options"
    each "suites under $san" env $size "build/GAME-$flavour/tests-GAME"
    reports "suites under $san"
    each "transcripts under $san" env DRIVER_PATIENCE=10 build/protocol_driver "$programs/twofold-GAME" 'tests/protocol/GAME/*.txt'
    reports "transcripts under $san"
    for script in command_line interrupted terminal serve; do
        once "$script under $san" env $size PROGRAMS="$programs" "tests/$script.sh"
        reports "$script under $san"
    done
    once "library under $san" make -j"$jobs" CC="$cc" SAN="$san" library-test
    reports "library under $san"
    once "stress under $san" env SAN="$san" tests/stress.sh
    reports "stress under $san"
    unset ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS
done
finish
