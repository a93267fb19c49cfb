#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares our reader of Syzygy tables with libfathom (Debian: libfathom-dev) on random positions. The folder of tables
# is the first argument or TWOFOLD_SYZYGY.
#   scripts/compare-fathom.sh [folder [positions [seed]]]
set -eu
folder=${1:-${TWOFOLD_SYZYGY:-}}
[ -n "$folder" ] || { echo "skipped: comparison with libfathom: no folder of tables (TWOFOLD_SYZYGY)"; exit 0; }
program=$(mktemp)
trap 'rm -f "$program"' EXIT
if ! echo '#include <tbprobe.h>
int main(void) { return !tb_init("/"); }' | ${CC:-cc} -x c - -o "$program" -lfathom 2>/dev/null; then
    echo "skipped: comparison with libfathom: the library is not installed"
    exit 0
fi
(
    cd "$(dirname "$0")/.."
    ${CC:-cc} -std=gnu17 -O2 -fvisibility=hidden -Isrc -Isrc/games/chess -o "$program" tests/fathom_compare.c src/games/*.c \
        src/games/chess/*.c src/base/*.c -lfathom -lm -pthread
)
"$program" "$folder" "${2:-100000}" "${3:-1}"
