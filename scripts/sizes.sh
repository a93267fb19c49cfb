#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is longer than a reader likes, a line for each: functions over 80 lines (the node search and quiescence, told in
# numbered steps, may have 150), files over 700 lines. Tables of data are no reading. Silent when all is well.
cd "$(dirname "$0")/.." || exit 1
tables=' src/games/chess/polyglot_keys.h src/games/shogi/shift_jis.c '
find src tests include examples -name '*.[ch]' | sort | while read -r file; do
    case $tables in *" $file "*) continue ;; esac
    # In the house's format a function begins at the margin, and its braces stand there alone.
    awk -v file="$file" '
    /^[A-Za-z_]/ { head = FNR; text = $0 }
    /^\{$/ { body = 1; start = head; name = text; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
    /^\}$/ && body {
        body = 0
        most = name == "search_node" || name == "quiescence" ? 150 : 80
        if (FNR - start + 1 > most) print file ":" start ": " name " has " FNR - start + 1 " lines, more than " most
    }
    END { if (FNR > 700) print file ": " FNR " lines, more than 700" }' "$file"
done
