#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the programs twice: once to count while bench runs, once to use the counts. Called by `make pgo`:
#   scripts/pgo.sh COMPILER ARCH GAME...
set -e
cd "$(dirname "$0")/.."
[ $# -gt 2 ] || { echo "usage: scripts/pgo.sh COMPILER ARCH GAME... (or: make pgo)" >&2; exit 2; }
cc=$1 arch=$2
shift 2
name=$(basename "${cc%% *}")
for game; do
    dir=build/$game-$arch-pgo-$name
    rm -rf "$dir"
    echo "counting: $game"
    make -j2 CC="$cc" ARCH="$arch" GAME="$game" PGO=gen "$dir/twofold-$game" >/dev/null
    LLVM_PROFILE_FILE="$dir/raw" "$dir/twofold-$game" bench 9 | tail -n 1
    case $name in
    *clang*)
        profdata=$(command -v llvm-profdata || command -v llvm-profdata-14) || { echo "pgo: clang needs llvm-profdata" >&2; exit 1; }
        "$profdata" merge -o "$dir/profile" "$dir/raw"
        ;;
    esac
    find "$dir" -name '*.o' -delete
    rm -f "$dir/twofold-$game"
    echo "using the counts: $game"
    make -j2 CC="$cc" ARCH="$arch" GAME="$game" PGO=use PROFILE="$dir/profile" "$dir/twofold-$game" >/dev/null
    cp -f "$dir/twofold-$game" "twofold-$game"
    "./twofold-$game" bench 9 | tail -n 1
done
