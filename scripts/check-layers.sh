#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that scripts/layers.sh bites: the sources pass as they are, and each line added below to a copy of them is named.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

scripts/layers.sh . || { echo "layers: the sources themselves do not pass" && failed=1; }

# broken TITLE FILE LINE: with LINE at the end of FILE the check must fail, and name the file.
broken() {
    rm -rf "$work/src"
    cp -r src "$work/src"
    mkdir -p "$work/$(dirname "$2")"
    printf '%s\n' "$3" >>"$work/$2"
    if scripts/layers.sh "$work" >"$work/said"; then
        echo "layers: $1: passes, and must not" && failed=1
    elif ! grep -q "^$2" "$work/said" || [ "$(wc -l <"$work/said")" != 1 ]; then
        echo "layers: $1: not one complaint of $2:" && cat "$work/said" && failed=1
    fi
}

broken "base with a game" src/base/text.c '#include "game.h"'
broken "a game with the search" src/games/record.c '#include "search/search.h"'
broken "the network with the search" src/nnue/net.c '#include "search/search.h"'
broken "the search with the protocol" src/search/tt.c '#include "protocol/protocol.h"'
broken "one front end with another" src/protocol/bench.c '#include "train/train.h"'
broken "a private header" src/protocol/bench.c '#include "search/worker.h"'
broken "a header of the games that is private" src/protocol/bench.c '#include "games/book_maker.h"'
broken "a part of game.h by itself" src/search/tt.c '#include "games/rules.h"'
broken "records in the search" src/search/tt.c '#include "games/record.h"'
broken "books in the network" src/nnue/net.c '#include "games/knowledge.h"'
broken "a guess of the search in the network" src/nnue/net.c 'int x(void) { return pos_material(0); }'
broken "tables in the trainer" src/train/model.c 'int x(void) { return tb_men(0); }'
broken "a path upwards" src/search/tt.c '#include "../base/base.h"'
broken "a folder nobody knows" src/drawer/new.c '#include "base/base.h"'
broken "a coming folder out of order" src/session/session.c '#include "protocol/protocol.h"'
broken "the page with a game" src/page/assets.c '#include "game.h"'
[ "$failed" = 0 ] && echo "layers: hold"
exit "$failed"
