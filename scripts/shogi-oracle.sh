#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Random games in which every list of legal shogi moves is held against an independent generator, whose C source the
# environment variable SHOGI_ORACLE names. Arguments: games, plies, seed. Without the variable there is nothing to do.
set -e
cd "$(dirname "$0")/.."
if [ -z "$SHOGI_ORACLE" ]; then
    echo "skipped: shogi oracle games: SHOGI_ORACLE does not name a source file"
    exit 0
fi
source=$(realpath "$SHOGI_ORACLE")
dir=build/shogi-oracle
mkdir -p "$dir"
flags="-std=gnu17 -O2 -march=native -DNDEBUG -pthread"
"${CC:-gcc}" $flags -w -DORACLE_SOURCE="\"$source\"" -c -o "$dir/glue.o" tests/shogi/oracle_glue.c
"${CC:-gcc}" $flags -Isrc -Isrc/games/shogi -o "$dir/games" tests/shogi/oracle_games.c "$dir/glue.o" \
    src/games/*.c src/games/shogi/*.c src/base/*.c -lm
exec "$dir/games" "$@"
