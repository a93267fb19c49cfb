#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that games/contract.c bites: a game with a function of the wrong type, with a constant out of range or without a
# promised function must fail to build, and the error must name what is wrong.
#   scripts/check-contract.sh [game ...]
set -eu
cd "$(dirname "$0")/.."
cc=${CC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# compile GAME_FOLDER: compiles the contract against it, messages to $work/errors
compile() { "$cc" -std=gnu17 -Isrc -I"$1" -c src/games/contract.c -o "$work/contract.o" 2>"$work/errors"; }

# broken TITLE GAME NAME SED: the game's header changed by SED must not compile, and the error must name NAME.
broken() {
    mkdir -p "$work/game"
    sed "$4" "src/games/$2/game.h" >"$work/game/game.h"
    if cmp -s "src/games/$2/game.h" "$work/game/game.h"; then
        echo "$2: $1: nothing to change in game.h" && failed=1
    elif compile "$work/game"; then
        echo "$2: $1: compiles, and must not" && failed=1
    elif ! grep -q "$3" "$work/errors"; then
        echo "$2: $1: the error does not name $3" && failed=1
    fi
}

for game in ${*:-$(ls -d src/games/*/game.h | cut -d/ -f3)}; do
    compile "src/games/$game" || { cat "$work/errors" && failed=1; }
    nm "$work/contract.o" | sed -n 's/^ *U //p' >"$work/asked"
    for name in gen_all gen_count pos_make see_ge features_active record_read tb_probe book_probe; do
        grep -qx "$name" "$work/asked" || { echo "$game: the linker would not miss $name" && failed=1; }
    done
    broken "a function of the wrong type" "$game" pos_side 's/int pos_side(const Position \*pos)/int pos_side(Position *pos)/'
    broken "a constant out of range" "$game" DELTA_MAX 's/\<DELTA_MAX = [0-9]*/DELTA_MAX = 99/'
    broken "a constant that is missing" "$game" FROM_NB 's/\<FROM_NB = [^,]*,//'
done
[ "$failed" = 0 ] && echo "contract: holds"
exit "$failed"
