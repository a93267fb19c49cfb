#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows each engine at work on one position: `make demo`. Arguments: the games, all by default.
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || set -- chess shogi
for game in "$@"; do
    "./twofold-$game" demo || exit 1
done
