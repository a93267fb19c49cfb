#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Phrases that people are told and src/base/language_table.c lacks, and rows of that table that nothing says any more, a
# line for each; silent when all is well. A phrase is a string in the place of a function's words, by the list below, in
# what speaks to people: not in chess alone, whose own messages are in English, nor in what answers programs. The help of
# commands and options is held by tests/japanese.sh, which reads all of it. The argument is another folder to look at;
# What commands for people print with printf and the like without `said` is told too. scripts/check-phrases.sh shows that
# this bites.
cd "${1:-$(dirname "$0")/..}" || exit 1
places='said 1 said_in 2 message_set 2 play_say 2 cli_misused 2 cli_failed 2 builder_fail 3 serve_log 2 progress_part 3 put_word 2 blame 3'
table=src/base/language_table.c
strings=$(mktemp) || exit 1
trap 'rm -f "$strings"' EXIT

bare='printf 1 fprintf 2 text_add 2 fputs 1 puts 1'
# All strings of the sources, joined as the compiler does, a line for each: SPOKEN, BARE or OTHER, the file, the string as
# it stands there. One with the game's name in it stands for two.
find src -name '*.[ch]' | grep -v -e "$table" -e '_lines\.c$' -e '_table\.h$' -e shift_jis | sort | while read -r file; do
    awk -v file="$file" -v places="$places" -v bare="$bare" '
    BEGIN {
        speaks = file !~ /^src\/(games\/chess|library|protocol|web\/(json|wasm|http))/
        prints = file ~ /^src\/(main|merge|web\/serve|console\/(book|demo|play|play_game|play_main|puzzles)|analysis\/(analyse|evaluate|source|remarks|tasks|reports|report|report_text)|arena\/(match_report|match_table|selfplay)|train\/(data_command|datagen|train_command|train_report|trainer))\.c$/
        nb = split(places, rows, " ")
        for (i = 1; i < nb; i += 2) place[rows[i]] = rows[i + 1]
        nb = split(bare, rows, " ")
        for (i = 1; i < nb; i += 2) bare_place[rows[i]] = rows[i + 1]
        string = "\"([^\"\\\\\n]|\\\\.)*\""
        token_of = "[A-Za-z_][A-Za-z_0-9]*|" string "|\047([^\047\\\\\n]|\\\\.)+\047|[(),;]|[^A-Za-z_\"\047(),;[:space:]]"
    }
    !/^[[:space:]]*\/\// { text = text $0 "\n" } # a line of a comment is none of the program
    function flush(  copy) {
        if (joined != "") {
            copy = joined
            gsub(/@GAME@/, "shogi", joined)
            print kind "\t" file "\t" joined
            if (gsub(/@GAME@/, "chess", copy)) print kind "\t" file "\t" copy
        }
        joined = ""
    }
    END {
        while (match(text, token_of)) {
            token = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            if (token == "GAME_NAME") token = "\"@GAME@\""
            if (token ~ /^"/) {
                if (joined == "") {
                    is_at = depth && argument[depth] == place[name[depth]]
                    is_bare = depth && argument[depth] == bare_place[name[depth]]
                    kind = speaks && is_at ? "SPOKEN" : prints && is_bare ? "BARE" : "OTHER"
                }
                joined = joined substr(token, 2, length(token) - 2)
                continue
            }
            flush()
            if (token == "(") { # brackets alone change nothing: the words may be chosen by a condition
                depth++
                name[depth] = word == "" ? name[depth - 1] : word
                argument[depth] = word == "" ? argument[depth - 1] : 1
            } else if (token == ")") depth -= depth > 0
            else if (token == ",") argument[depth]++
            else if (token == ";") depth = 0
            word = token ~ /^[A-Za-z_]/ ? token : ""
        }
        flush()
    }' "$file"
done >"$strings"

awk -F '\t' -v table="$table" '
FNR == NR { # rows are {"english", "japanese"}, one or more in a line
    if (/^    \/\/ ----/) is_of_system = /words of the system/
    for (rest = $0; match(rest, /\{"([^"\\]|\\.)*", *"/); rest = substr(rest, RSTART + RLENGTH)) {
        key = substr(rest, RSTART + 2, RLENGTH - 3)
        sub(/", *"$/, "", key)
        sub(/", *$/, "", key)
        row[key] = is_of_system ? 0 : FNR
    }
    next
}
{ said[$3] = 1 }
$1 == "BARE" || ($1 == "SPOKEN" && !($3 in row)) {
    words = $3
    gsub(/%[-+ 0-9.*#]*(ll|z|h)?[a-z]|\\./, "", words)
    if ($1 == "BARE") gsub(/twofold-?(shogi|chess|progress)?( analyse| play)?|-of-/, "", words)
    if (words ~ /[A-Za-z][a-z]/ && !told[$3]++) print $2 ($1 == "BARE" ? ": printed without said: \"" : ": the table of phrases has no \"") $3 "\""
}
END { for (key in row) if (row[key] && !(key in said)) print table ":" row[key] ": nothing says \"" key "\"" }' "$table" "$strings" | sort
