#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that scripts/repeats.sh bites: the sources pass as they are, six lines of one of them in another place are named, and
# what may be alike is not.
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
[ -z "$(scripts/repeats.sh)" ] || { echo "repeats: the sources themselves do not pass" && failed=1; }

# expect TITLE N FILE FILE: with standard input as both files (the second indented), N complaints.
expect() {
    for dir in src/games/chess src/games/shogi src/base tests include examples scripts; do mkdir -p "$work/tree/$dir"; done
    cat >"$work/tree/$3"
    sed 's/^/    /' "$work/tree/$3" >"$work/tree/$4"
    scripts/repeats.sh "$work/tree" >"$work/said"
    if [ "$(wc -l <"$work/said")" != "$2" ] || { [ "$2" != 0 ] && ! grep -q "^$4:" "$work/said"; }; then
        echo "repeats: $1: not $2 complaints of $4:" && cat "$work/said" && failed=1
    fi
    rm -rf "$work/tree"
}
six='int a = b();\nif (a)\n{\n    // why\n    c(a);\n}\n\nd(a);\ne(a);\nf(a);\n'
# shellcheck disable=SC2059
{
    printf "$six" | expect "six lines in another file" 1 src/base/a.c src/base/b.c
    printf "$six" | expect "six lines in a test" 1 src/base/a.c tests/test_a.c
    printf "$six" | sed '1d' | expect "five lines" 0 src/base/a.c src/base/b.c
    printf "$six" | expect "twins of the contract" 0 src/games/chess/fen.c src/games/shogi/fen.c
    printf "$six" | expect "two files of one game" 1 src/games/chess/fen.c src/games/chess/gen.c
    printf "$six$six" | sed 's/^e/g/' | expect "twelve lines" 3 src/base/a.c src/base/b.c
    { echo '// clang-format off' && printf "$six" && echo '// clang-format on'; } | expect "tables" 0 src/base/a.c src/base/b.c
}
[ "$failed" = 0 ] && echo "repeats: hold"
exit "$failed"
