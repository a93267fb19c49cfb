#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs of six lines that stand twice, a line for each: one of them should be a call of the other. Comments, preprocessor
# lines, lines of brackets alone and the width of white space do not count. The two games' versions of one file of the
# contract may be alike, and tables of data are no code. Silent when all is well. The argument is another folder to look at.
cd "${1:-$(dirname "$0")/..}" || exit 1
find src tests include examples scripts -name '*.[ch]' -o -name '*.js' -o -name '*.mjs' -o -name '*.sh' |
    grep -vE '^src/games/chess/polyglot_keys.h$|^src/games/shogi/shift_jis.c$|^src/base/language_table.c$' | sort | xargs awk '
function twins(one, other,    a, b) { # the same name under two games
    if (one !~ /^src\/games\/[a-z]+\// || other !~ /^src\/games\/[a-z]+\//) return 0
    a = one; b = other
    sub(/^src\/games\/[a-z]+\//, "", a); sub(/^src\/games\/[a-z]+\//, "", b)
    return one != other && a == b
}
FNR == 1 { nb = 0; told_to = 0; in_table = 0 }
/clang-format off/ { in_table = 1 }
/clang-format on/ { in_table = 0 }
{
    line = $0
    gsub(/[ \t]+/, " ", line); sub(/^ /, "", line); sub(/ $/, "", line)
    if (in_table || line == "" || line ~ /^(\/\/|#|\/\*|\*)/ || line ~ /^[][{}();,]+$/) next
    text[nb] = line; at[nb] = FNR; nb++
    if (nb < 6) next
    key = ""
    for (i = nb - 6; i < nb; i++) key = key "\n" text[i]
    if (!(key in where)) { where[key] = FILENAME; begins[key] = at[nb - 6] }
    else if (!twins(FILENAME, where[key]) && at[nb - 6] > told_to) {
        print FILENAME ":" at[nb - 6] ": the same six lines as " where[key] ":" begins[key]
        told_to = FNR
    }
}'
