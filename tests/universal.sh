#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The program for every x86-64 processor: each variant counts the same, each processor gets the best it runs (emulated ones
# where qemu is found), a wrong TWOFOLD_ARCH is told in a sentence, and the network is in it once. PROGRAM names one that is
# built already, to be started by RUN (wine) if that is given; otherwise one of chess is built without optimising. The last line
# is `universal: P passed, F failed, S skipped`.
# shellcheck disable=SC2086 # RUN is several words
cd "$(dirname "$0")/.." || exit 1
suite=universal
. tests/expect.sh
skipped=0
skip() { skipped=$((skipped + 1)) && echo "skipped: universal: $*"; }
finish() {
    echo "universal: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit $?
}
case $(uname -m)-${CC:-gcc} in
x86_64-*clang*) skip "the linker of clang leaves no object after link-time optimisation" && finish ;;
x86_64-*) ;;
*) skip "this is no x86-64" && finish ;;
esac
program=${PROGRAM:-build/chess-universal-debug-$(basename "${CC:-gcc}")/twofold-chess}
if [ -z "${PROGRAM:-}" ]; then
    env -u MAKEFLAGS make -s -j"${JOBS:-2}" CC="${CC:-gcc}" DEBUG=1 GAME=chess "$program" >"$work/make.log" 2>&1
    expect "it builds" "$? $(grep -E 'error|undefined' "$work/make.log" | head -3)" "0 "
fi
[ -x "$program" ] || finish
depth=${DEPTH:-3} run=${RUN:-}
variants='x86-64 x86-64-sse41 x86-64-avx2 x86-64-bmi2'

# of ARCH: the nodes of a small bench; and which variant it was.
of() { TWOFOLD_ARCH=$1 $run "$program" bench "$depth" 2>&1 | sed -n 's/^\([0-9]*\) nodes.*/\1/p'; }
which_runs() { "$@" $run "$program" compiler 2>&1 | sed -n 's/.* for \(x86-64[a-z0-9-]*\),.*/\1/p'; }
plain=$(of x86-64)
expect "bench counts" "$([ "${plain:-0}" -gt 0 ] && echo yes)" yes
for variant in $variants; do
    told=$(TWOFOLD_ARCH=$variant $run "$program" compiler 2>&1)
    case $told in
    *"does not run"*) skip "$variant: not for this processor" ;;
    *)
        expect "$variant runs when it is asked for" "$(which_runs env TWOFOLD_ARCH="$variant")" "$variant"
        expect "bench of $variant" "$(of "$variant")" "$plain"
        ;;
    esac
done
TWOFOLD_ARCH=sparc $run "$program" bench 1 >"$work/out" 2>"$work/err"
expect "an unknown variant: exit code, lines, output" "$? $(wc -l <"$work/err") $(wc -c <"$work/out")" "2 1 0"
expect "an unknown variant" "$(cat "$work/err")" "TWOFOLD_ARCH: there is no variant 'sparc'; there are x86-64, x86-64-sse41, x86-64-avx2, x86-64-bmi2"
expect "an empty name is none" "$(which_runs env TWOFOLD_ARCH=)" "$(which_runs env -u TWOFOLD_ARCH)"
# The beginning of the network's weights, somewhere in the middle of its file, stands in the program once.
game=$(basename "$program" .exe)
dd if="nets/${game#twofold-}.nnue" bs=1 skip=70000 count=24 2>/dev/null | od -An -tx1 -v | tr -d ' \n' >"$work/piece"
expect "the network is in it once" "$(od -An -tx1 -v "$program" | tr -d ' \n' | grep -o "$(cat "$work/piece")" | wc -l)" 1

# Processors that qemu knows: the first of Zen has a PEXT that takes longer than it saves.
qemu=$(command -v qemu-x86_64-static || command -v qemu-x86_64)
if [ -n "$run" ]; then
    skip "other processors: they are emulated for programs of this system"
elif [ -n "$qemu" ]; then
    expect "a processor from before SSE4" "$(which_runs "$qemu" -cpu qemu64)" x86-64
    expect "Nehalem" "$(which_runs "$qemu" -cpu Nehalem)" x86-64-sse41
    expect "Haswell" "$(which_runs "$qemu" -cpu Haswell)" x86-64-bmi2
    expect "Zen 1, whose PEXT is slow" "$(which_runs "$qemu" -cpu EPYC)" x86-64-avx2
    expect "Zen 1 runs the other when it must" "$(TWOFOLD_ARCH=x86-64-bmi2 which_runs "$qemu" -cpu EPYC)" x86-64-bmi2
    TWOFOLD_ARCH=x86-64-avx2 "$qemu" -cpu Nehalem "$program" bench 1 >"$work/out" 2>"$work/err"
    expect "a variant this processor lacks: exit code" "$?" 2
    expect "a variant this processor lacks" "$(cat "$work/err")" \
        "TWOFOLD_ARCH: this processor does not run 'x86-64-avx2'; the best it runs is 'x86-64-sse41'"
else
    skip "other processors: qemu-x86_64 (package qemu-user) is not here"
fi
finish
