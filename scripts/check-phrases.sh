#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that scripts/phrases.sh bites: the sources pass as they are, and each phrase below that the table lacks, each row
# that nothing says and each print without `said` is named, while what is joined, chosen or said is found in the table.
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
[ -z "$(scripts/phrases.sh)" ] || { echo "phrases: the sources themselves do not pass" && failed=1; }

# expect TITLE FILE COMPLAINT: with what comes on standard input as FILE, one complaint that has these words; none for ''.
expect() {
    rm -rf "$work/tree" && mkdir -p "$work/tree/src/base" "$work/tree/src/console" "$work/tree/src/web" "$work/tree/src/games/chess"
    printf '    // ---- base: words of the system ----\n    {"No such file", "x"},\n    // ---- a ----\n    {"one word", "x"}, {"two words", "x"},\n    {"of shogi", "x"}, {"of chess", "x"},\n' >"$work/tree/src/base/language_table.c"
    { cat && echo 'said("one word"); said("two words"); said("of " GAME_NAME);'; } >"$work/tree/$2"
    scripts/phrases.sh "$work/tree" >"$work/said"
    if [ -z "$3" ] && [ -s "$work/said" ]; then
        echo "phrases: $1: a complaint:" && cat "$work/said" && : >"$work/failed"
    elif [ -n "$3" ] && { [ "$(wc -l <"$work/said")" != 1 ] || ! grep -qF "$3" "$work/said"; }; then
        echo "phrases: $1: not one complaint with '$3':" && cat "$work/said" && : >"$work/failed"
    fi
}
expect "nothing more" src/console/x.c '' </dev/null
echo 'message_set(m, "another word");' | expect "a phrase that the table lacks" src/console/x.c 'no "another word"'
echo 'message_set(f(a, b), x ? "one word" : (y ? "another word" : "two words"), 3);' | expect "one of several" src/console/x.c 'no "another word"'
printf 'message_set(m, "one "\n    "word");\n' | expect "a phrase in two parts" src/console/x.c ''
echo 'message_set(m, "%s%s", "another word", name);' | expect "a word that is filled in" src/console/x.c ''
echo 'message_set(m, "another word");' | expect "what chess alone says" src/games/chess/x.c ''
echo 'message_set(m, "another word");' | expect "what programs are told" src/web/json_x.c ''
echo 'blame(s, FAULT_HANG, "another word");' | expect "what a program did wrong" src/console/x.c 'no "another word"'
echo '// message_set(m, "another word");' | expect "a comment" src/console/x.c ''
printf '%s\n' 'fprintf(out, "a word\n");' | expect "a print without said" src/console/demo.c 'printed without said: "a word'
printf '%s\n' 'fprintf(out, "%s: %d\n", a, b);' | expect "a print without words" src/console/demo.c ''
# A row that nothing says.
mkdir -p "$work/rest/src/base" && printf '    {"one word", "x"}, {"two words", "x"},\n' >"$work/rest/src/base/language_table.c"
echo 'said("one word");' >"$work/rest/src/base/x.c"
[ "$(scripts/phrases.sh "$work/rest")" = 'src/base/language_table.c:1: nothing says "two words"' ] || { echo "phrases: a row that nothing says is not told" && failed=1; }
[ ! -e "$work/failed" ] || failed=1 # what fails behind a pipe is in another process
exit $failed
