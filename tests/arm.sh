#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The program for ARM 64, statically linked, under qemu: bench as elsewhere, the vectors, the protocol. SUITES names a tests-chess
# built for it, of which the suites of vectors and bits then run too. With ARM_LONG=1 (`make test-long`) the whole bench and all
# suites of both games. Skipped by name without the cross compiler or qemu. PROGRAM
# names a program that is built already. The last line is `arm: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
suite=arm
. tests/expect.sh
skipped=0
finish() {
    echo "arm: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit $?
}
compiler=aarch64-linux-gnu-gcc
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
if [ -z "$qemu" ] || ! command -v $compiler >/dev/null 2>&1; then
    skipped=1 && echo "skipped: arm: qemu-aarch64 or $compiler is not here (packages qemu-user-static, gcc-aarch64-linux-gnu)" && finish
fi
printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' >"$work/trial.c"
if ! $compiler -static -o "$work/trial" "$work/trial.c" 2>/dev/null; then
    skipped=1 && echo "skipped: arm: $compiler has no C library to build with (package libc6-dev-arm64-cross)" && finish
fi
dir=build/chess-armv8-debug-$compiler
program=${PROGRAM:-$dir/twofold-chess} suites=${SUITES:-no}
if [ -z "${PROGRAM:-}" ]; then
    env -u MAKEFLAGS make -s -j"${JOBS:-2}" CC=$compiler ARCH=armv8 DEBUG=1 GAME=chess LDFLAGS=-static "$program" >"$work/make.log" 2>&1
    expect "it builds" "$? $(grep -E 'error|undefined' "$work/make.log" | head -3)" "0 "
fi
[ -x "$program" ] || finish
nodes() { "$@" | sed -n 's/^\([0-9]*\) nodes.*/\1/p'; }
expect "bench counts as elsewhere" "$(nodes "$qemu" "$program" bench 3)" "$(nodes ./twofold-chess bench 3)"
expect "the vectors are those of ARM" "$("$qemu" "$program" compiler | grep -c 'for armv8, network code NEON')" 1
printf 'uci\nisready\nquit\n' | "$qemu" "$program" >"$work/out" 2>&1
expect "it talks" "$(grep -cE '^(uciok|readyok)$' "$work/out")" 2
if [ "$suites" != no ] && [ -x "$suites" ]; then
    list=${SUITE_LIST-test_nnue test_arithmetic test_bitboard test_tt test_json test_pack test_see test_perft}
    # shellcheck disable=SC2086
    run_suites "$qemu" "$suites" $list
fi
[ -n "${ARM_LONG:-}" ] || finish
for game in chess shogi; do
    dir=build/$game-armv8-$compiler
    env -u MAKEFLAGS make -s -j"${JOBS:-2}" CC=$compiler ARCH=armv8 GAME=$game LDFLAGS=-static "$dir/twofold-$game" "$dir/tests-$game" >"$work/make.log" 2>&1
    expect "$game builds" "$? $(grep -E 'error|undefined' "$work/make.log" | head -3)" "0 "
    expect "$game: bench counts as elsewhere" "$(nodes "$qemu" "$dir/twofold-$game" bench)" "$(nodes "./twofold-$game" bench)"
    run_suites "$qemu" "$dir/tests-$game"
done
finish
