#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random sessions on several threads: every go has exactly one answer and nothing hangs (tests/stress_protocol.c), and the
# same for the library (tests/stress_library.c). The last line is `stress: P passed, F failed, 0 skipped`.
#   STRESS=1        how many times the short form    STRESS_SEED   another first seed
#   SAN=thread      with a sanitizer                 CC, ARCH      as for make
cd "$(dirname "$0")/.." || exit 1
times=${STRESS:-1}
cc=${CC:-gcc}
flavour=${ARCH:-native}${SAN:+-san-$(echo "$SAN" | tr , -)}-$(basename "${cc%% *}")
out=build/stress-$flavour
mkdir -p "$out"
chess=build/chess-$flavour shogi=build/shogi-$flavour
log=$out/log
flags="-std=gnu17 -O1 -g ${SAN:+-fsanitize=$SAN -fno-sanitize-recover=all}"
make -j"${JOBS:-2}" CC="$cc" SAN="$SAN" $chess/twofold-chess $shogi/twofold-shogi $chess-lib/libtwofold-chess.a \
    $shogi-lib/libtwofold-shogi.a >"$log" 2>&1 &&
    $cc -std=gnu17 -O1 -Isrc -o "$out/protocol" tests/stress_protocol.c src/base/*.c -pthread -lm >>"$log" 2>&1 &&
    $cc $flags -Iinclude -o "$out/library" tests/stress_library.c $chess-lib/libtwofold-chess.a \
        $shogi-lib/libtwofold-shogi.a -lm -pthread >>"$log" 2>&1 || {
    tail -5 "$log"
    echo "stress: 0 passed, 1 failed, 0 skipped"
    exit 1
}
[ -n "$SAN" ] && export STRESS_PATIENCE_MS=120000
{
    "$out/protocol" $chess/twofold-chess $((2 * times)) "${STRESS_SEED:-1}"
    "$out/protocol" $shogi/twofold-shogi $((2 * times)) "${STRESS_SEED:-1}"
    "$out/library" $((50 * times)) "${STRESS_SEED:-1}"
} >"$log" 2>&1
passed=0 failed=0
for line in $(sed -n 's/^stress of .*: \([0-9]*\) passed, \([0-9]*\) failed.*/\1:\2/p' "$log"); do
    passed=$((passed + ${line%:*})) failed=$((failed + ${line#*:}))
done
[ "$(grep -c '^stress of ' "$log")" -eq 3 ] || failed=$((failed + 1))
if grep -qE 'WARNING: ThreadSanitizer|ERROR: |runtime error' "$log"; then failed=$((failed + 1)); fi
[ "$failed" -eq 0 ] || tail -80 "$log" | sed 's/^stress of/(&/'
echo "stress: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
