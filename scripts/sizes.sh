#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is longer than a reader likes, a line for each: functions over 80 lines (the node search and quiescence, told in
# numbered steps, may have 150), files over 700 lines: sources in C and JavaScript, scripts, styles and pages. Tables of data
# are no reading. Silent when all is well. The argument is another folder to look at; scripts/check-sizes.sh shows that this
# bites.
cd "${1:-$(dirname "$0")/..}" || exit 1
tables=' src/games/chess/polyglot_keys.h src/games/chess/openings_table.h src/games/shogi/shift_jis.c src/base/language_table.c '
find src tests include examples scripts -name '*.[ch]' -o -name '*.js' -o -name '*.mjs' -o -name '*.sh' -o -name '*.css' -o -name '*.html' |
    sort | while read -r file; do
    case $tables in *" $file "*) continue ;; esac
    # In the house's format a function begins at the margin. In C its braces stand there alone; in JavaScript the last does.
    awk -v file="$file" '
    BEGIN { is_c = file ~ /\.[ch]$/; is_js = file ~ /\.m?js$/ }
    is_c && /^[A-Za-z_]/ { head = FNR; text = $0 }
    is_c && /^\{$/ { body = 1; start = head; name = text; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
    is_js && /^(export |default |async )*(function|const [A-Za-z_0-9]+ = .*=> \{$)/ {
        body = 1; start = FNR; name = $0
        sub(/^(export |default |async )*(function\*? *|const )/, "", name); sub(/[^A-Za-z_0-9].*/, "", name)
    }
    /^\}[;]?$/ && body {
        body = 0
        most = is_c && (name == "search_node" || name == "quiescence") ? 150 : 80
        if (FNR - start + 1 > most) print file ":" start ": " name " has " FNR - start + 1 " lines, more than " most
    }
    END { if (FNR > 700) print file ": " FNR " lines, more than 700" }' "$file"
done
