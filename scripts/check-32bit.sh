#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads every source as a compiler for a 32-bit machine does, warnings being errors: a shift that is too wide there, a type
# that is not there. Nothing is run. First it shows that this bites. Where gcc knows no such machine, or there are no headers
# for one, the exit code is 3.
cd "$(dirname "$0")/.." || exit 1
cc=${CC:-gcc}
games=$(for header in src/games/*/game.h; do basename "$(dirname "$header")"; done)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/gnu" && : >"$work/gnu/stubs-32.h"
# The alignment that an older gcc would choose is none of our business.
flags='-m32 -std=gnu17 -fsyntax-only -Wall -Wextra -Wno-psabi -Werror -Isrc'

# Headers of its own, or this machine's, which ask the compiler how wide a long is.
printf '#include <stdio.h>\n#include <pthread.h>\nint wide[sizeof(long) == 4 ? 1 : -1];\n' >"$work/trial.c"
# shellcheck disable=SC2086
if $cc $flags "$work/trial.c" 2>/dev/null; then
    :
elif flags="$flags -I$work -isystem /usr/include/$($cc -dumpmachine)" && $cc $flags "$work/trial.c" 2>/dev/null; then
    :
else
    echo "$cc has no headers for a 32-bit machine"
    exit 3
fi
printf '#include <stddef.h>\nsize_t f(void);\nsize_t f(void) { return (size_t)1 << 32; }\n' >"$work/wide.c"
# shellcheck disable=SC2086
$cc $flags "$work/wide.c" 2>/dev/null && echo "a shift by 32 bits passes, and must not" && exit 1

failed=0
for game in $games; do
    for file in $(find src -name '*.c' | sort); do
        case $file in
        src/games/"$game"/*) ;;
        src/games/*/*) continue ;;
        esac
        # shellcheck disable=SC2086
        $cc $flags -Isrc/games/"$game" -DTWOFOLD_GAME="$game" "$file" || failed=1
    done
done
[ "$failed" = 0 ] && echo "32 bits: read without a complaint"
exit "$failed"
