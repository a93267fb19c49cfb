#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds and runs every test: `make test`. Needs a C compiler, make and a POSIX shell; what is missing beyond that (clang
# for fuzzing) is skipped by name and counted. The last line is `N passed, N failed`, with `, N skipped` if any.
#   JOBS=2        compilers at once           FUZZ_SECONDS=5   for each fuzz target
#   QUICK=1       no debug build, no fuzzing
cd "$(dirname "$0")/.." || exit 1
jobs=${JOBS:-2}
fuzz_seconds=${FUZZ_SECONDS:-5}
cc=${CC:-gcc}
name=$(basename "${cc%% *}")
games=$(for header in src/games/*/game.h; do basename "$(dirname "$header")"; done)
passed=0 failed=0 skipped=0
mkdir -p build
log=build/test.log
: >"$log"

say() { printf '%s\n' "$*"; }
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)) && say "FAILED: $*"; }
skip() { skipped=$((skipped + 1)) && say "skipped: $*"; }
finish() {
    if [ "$skipped" -gt 0 ]; then
        say "$passed passed, $failed failed, $skipped skipped"
    else
        say "$passed passed, $failed failed"
    fi
    [ "$failed" -eq 0 ]
    exit $?
}

# build TITLE MAKE-ARGUMENTS...: stops the run when it fails, since nothing after it would mean anything.
build() {
    title=$1
    shift
    say "building $title"
    if ! make -j"$jobs" "$@" >build/make.log 2>&1; then
        grep -E 'error|undefined|Error' build/make.log | head -20
        fail "the build of $title (build/make.log has all of it)"
        finish
    fi
    if grep -q 'warning:' build/make.log; then
        grep 'warning:' build/make.log | head -5
        fail "warnings in the build of $title"
    fi
}

# run TITLE COMMAND...: its last line `...: P passed, F failed, S skipped` is added up. No such line is a failure.
run() {
    title=$1
    shift
    "$@" >build/run.log 2>&1
    code=$?
    cat build/run.log >>"$log"
    grep -E '^(FAILED|skipped)|runtime error|ERROR: ' build/run.log | head -40
    line=$(grep -E ': [0-9]+ passed, [0-9]+ failed' build/run.log | tail -1)
    if [ -z "$line" ]; then
        tail -5 build/run.log
        fail "$title ended with code $code and no summary"
        return
    fi
    set -- $(printf '%s\n' "$line" | sed 's/.*: //; s/[^0-9 ]//g')
    passed=$((passed + ${1:-0})) failed=$((failed + ${2:-0})) skipped=$((skipped + ${3:-0}))
    if [ "$code" -ne 0 ] && [ "${2:-0}" -eq 0 ]; then
        fail "$title ended with code $code"
    fi
    say "$title: ${1:-0} passed, ${2:-0} failed"
}

# ---- build ------------------------------------------------------------------------------------------------------------
flavour=native-$name
release=
debug=
for game in $games; do
    release="$release build/$game-$flavour/tests-$game"
    debug="$debug build/$game-native-debug-$name/tests-$game"
done
build "the programs and their tests" CC="$cc" all $release
$cc -std=gnu17 -O1 -Isrc -o build/protocol_driver tests/protocol_driver.c src/base/*.c -pthread -lm || fail "the protocol driver does not build"

# ---- what can be seen without running -----------------------------------------------------------------------------------
run "layers and headers" scripts/check.sh quick

# ---- suites ---------------------------------------------------------------------------------------------------------------
for game in $games; do
    run "suites of $game" "build/$game-$flavour/tests-$game"
done
if [ -z "$QUICK" ]; then
    build "with asserts" CC="$cc" DEBUG=1 $debug
    for game in $games; do
        run "suites of $game with asserts" env TEST_LIGHT=1 "build/$game-native-debug-$name/tests-$game"
    done
fi

# ---- the programs from outside ----------------------------------------------------------------------------------------------
for game in $games; do
    if ls tests/protocol/"$game"/*.txt >/dev/null 2>&1; then
        run "transcripts of $game" build/protocol_driver "./twofold-$game" tests/protocol/"$game"/*.txt
    fi
done
for game in $games; do
    first=$("./twofold-$game" bench 5 | tail -1)
    second=$("./twofold-$game" bench 5 | tail -1)
    case $first in
    *nodes*nps) if [ "${first%% nodes*}" = "${second%% nodes*}" ]; then pass; else fail "bench of $game: '$first', then '$second'"; fi ;;
    *) fail "bench of $game ends with '$first'" ;;
    esac
done
for script in tests/*.sh; do
    [ -x "$script" ] && run "$(basename "$script" .sh)" "$script"
done

# ---- fuzzing ------------------------------------------------------------------------------------------------------------------
fuzz_flags=fuzzer-no-link,address,undefined
can_fuzz() {
    printf '#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *d, size_t n);\nint LLVMFuzzerTestOneInput(const unsigned char *d, size_t n) { return (int)(n && !d); }\n' >build/trial.c
    clang -fsanitize=fuzzer,address -o build/trial build/trial.c >/dev/null 2>&1 && ./build/trial -runs=1 >/dev/null 2>&1
}
fuzz() { # GAME SOURCE
    target=$(basename "$2" .c)
    dir=build/$1-native-debug-san-fuzzer-no-link-address-undefined-clang
    corpus=build/corpus-$1-$target
    mkdir -p "$corpus"
    for seeds in "tests/data/fuzz/$target" "tests/data/fuzz/$1/$target"; do
        [ -d "$seeds" ] && cp "$seeds"/* "$corpus"/
    done
    if "$dir/$target" -max_total_time="$fuzz_seconds" -timeout=20 -artifact_prefix="build/$1-$target-" "$corpus" >build/fuzz.log 2>&1; then
        pass
        say "fuzz $1 $target: $(grep -o 'Done [0-9]* runs' build/fuzz.log | tail -1)"
    else
        tail -30 build/fuzz.log
        fail "fuzz $1 $target (the input is in build/$1-$target-*)"
    fi
}
for game in $games; do
    sources=$(ls tests/fuzz_*.c tests/"$game"/fuzz_*.c 2>/dev/null)
    [ -n "$QUICK" ] || [ -z "$sources" ] && continue
    if ! can_fuzz; then
        for source in $sources; do skip "fuzz $game $(basename "$source" .c): clang with -fsanitize=fuzzer is not here"; done
        continue
    fi
    targets=
    for source in $sources; do
        targets="$targets build/$game-native-debug-san-fuzzer-no-link-address-undefined-clang/$(basename "$source" .c)"
    done
    build "fuzz targets of $game" CC=clang DEBUG=1 SAN=$fuzz_flags $targets
    for source in $sources; do fuzz "$game" "$source"; done
done
finish
