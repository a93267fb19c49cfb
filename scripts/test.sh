#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds and runs every test: `make test`. Needs a C compiler, make and a POSIX shell; what is missing beyond that (clang
# for fuzzing) is skipped by name and counted. The last line is `N passed, N failed`, with `, N skipped` if any.
#   JOBS=2        compilers at once           FUZZ_SECONDS=5   for each fuzz target
#   QUICK=1       no debug build, no fuzzing  CC, ARCH         as for make
# The whole output of what ran is in build/test.log.
cd "$(dirname "$0")/.." || exit 1
. scripts/testing.sh
fuzz_seconds=${FUZZ_SECONDS:-5}

# ---- build ------------------------------------------------------------------------------------------------------------
flavour=$arch-$name
release=
debug=
for game in $games; do
    release="$release build/$game-$flavour/tests-$game"
    debug="$debug build/$game-$arch-debug-tune-$name/tests-$game build/$game-$arch-debug-tune-$name/twofold-$game"
done
build "the programs and their tests" CC="$cc" all $release
build_driver

# ---- what can be seen without running -----------------------------------------------------------------------------------
once "layers and headers" scripts/check.sh quick

# ---- suites ---------------------------------------------------------------------------------------------------------------
each suites "build/GAME-$flavour/tests-GAME"
if [ -z "$QUICK" ]; then
    build "with asserts, every parameter an option" CC="$cc" DEBUG=1 TUNE=1 $debug
    # tests/golden.sh runs tune and ablate with these.
    export CHESS_TUNE="build/chess-$arch-debug-tune-$name/twofold-chess" SHOGI_TUNE="build/shogi-$arch-debug-tune-$name/twofold-shogi"
    each "suites with asserts" env TEST_LIGHT=1 TEST_CASES=build/cases-GAME.txt "build/GAME-$arch-debug-tune-$name/tests-GAME"
    # shellcheck disable=SC2046
    once "rows of docs/features.md" scripts/rows.sh names $(printf 'build/cases-%s.txt ' $games)
fi

# ---- the programs from outside ----------------------------------------------------------------------------------------------
each transcripts build/protocol_driver ./twofold-GAME 'tests/protocol/GAME/*.txt'
for game in $games; do
    first=$("./twofold-$game" bench 5 | tail -1)
    second=$("./twofold-$game" bench 5 | tail -1)
    case $first in
    *nodes*nps) if [ "${first%% nodes*}" = "${second%% nodes*}" ]; then pass; else fail "bench of $game: '$first', then '$second'"; fi ;;
    *) fail "bench of $game ends with '$first'" ;;
    esac
done
for script in tests/*.sh; do
    [ -x "$script" ] || continue
    once "$(basename "$script" .sh)" "$script"
done

# ---- fuzzing ------------------------------------------------------------------------------------------------------------------
fuzz_flags=fuzzer-no-link,address,undefined
can_fuzz() {
    printf '#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *d, size_t n);\nint LLVMFuzzerTestOneInput(const unsigned char *d, size_t n) { return (int)(n && !d); }\n' >build/trial.c
    clang -fsanitize=fuzzer,address -o build/trial build/trial.c >/dev/null 2>&1 && ./build/trial -runs=1 >/dev/null 2>&1
}
# fuzz_game GAME SOURCE...: its targets, one after the other.
fuzz_game() {
    game=$1 good=0 bad=0
    shift
    for source in "$@"; do
        target=$(basename "$source" .c)
        dir=build/$game-$arch-debug-san-fuzzer-no-link-address-undefined-clang
        corpus=build/corpus-$game-$target
        mkdir -p "$corpus"
        for seeds in "tests/data/fuzz/$target" "tests/data/fuzz/$game/$target"; do
            [ -d "$seeds" ] && cp "$seeds"/* "$corpus"/
        done
        if "$dir/$target" -max_total_time="$fuzz_seconds" -timeout=20 -artifact_prefix="build/$game-$target-" "$corpus" >"build/fuzz-$game.log" 2>&1; then
            good=$((good + 1))
            echo "fuzz $game $target: $(grep -o 'Done [0-9]* runs' "build/fuzz-$game.log" | tail -1)"
        else
            bad=$((bad + 1))
            echo "FAILED: fuzz $game $target: $(grep -E 'ERROR|error:' "build/fuzz-$game.log" | head -1) (the input is in build/$game-$target-*)"
        fi
    done
    echo "fuzz of $game: $good passed, $bad failed, 0 skipped"
}
targets_of() { ls tests/fuzz_*.c tests/"$1"/fuzz_*.c 2>/dev/null; }
if [ -n "$QUICK" ]; then
    :
elif can_fuzz; then
    targets=
    for game in $games; do
        for source in $(targets_of "$game"); do
            targets="$targets build/$game-$arch-debug-san-fuzzer-no-link-address-undefined-clang/$(basename "$source" .c)"
        done
    done
    build "fuzz targets" CC=clang DEBUG=1 SAN=$fuzz_flags $targets
    for game in $games; do start "fuzz-$game" fuzz_game "$game" $(targets_of "$game"); done
    wait
    for game in $games; do tally "fuzz-$game" "fuzzing of $game"; done
else
    for game in $games; do
        for source in $(targets_of "$game"); do
            skip "fuzz $game $(basename "$source" .c): clang with -fsanitize=fuzzer is not here"
        done
    done
fi
finish
