#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that scripts/sizes.sh bites: the sources pass as they are, and each thing below that is a line too long is named,
# while one that is as long as may be is not.
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
[ -z "$(scripts/sizes.sh)" ] || { echo "sizes: the sources themselves do not pass" && failed=1; }

# lines N TEXT: the text on so many lines.
lines() { i=0 && while [ "$i" -lt "$1" ]; do printf '%s\n' "$2" && i=$((i + 1)); done; }
# expect TITLE FILE N: with what comes on standard input as FILE, N complaints.
expect() {
    rm -rf "$work/tree" && mkdir -p "$work/tree/src/search" "$work/tree/src/page" "$work/tree/tests" "$work/tree/include" "$work/tree/examples" "$work/tree/scripts"
    cat >"$work/tree/$2"
    scripts/sizes.sh "$work/tree" >"$work/said"
    if [ "$(wc -l <"$work/said")" != "$3" ] || { [ "$3" != 0 ] && ! grep -q "^$2" "$work/said"; }; then
        echo "sizes: $1: not $3 complaints of $2:" && cat "$work/said" && failed=1
    fi
}
# c_function LINES HEAD, js_function LINES HEAD: a function with so many lines in all.
c_function() { printf '%s\n{\n' "$2" && lines $(($1 - 3)) '    x();' && echo '}'; }
js_function() { printf '%s\n' "$2" && lines $(($1 - 2)) '    x();' && echo "}"; }

c_function 80 'static int f(void)' | expect "a function of 80 lines" src/search/x.c 0
c_function 81 'static int f(void)' | expect "a function of 81 lines" src/search/x.c 1
c_function 81 'static void f(void)' | expect "a function of 81 lines in a test" tests/test_x.c 1
{ echo 'static int f(int a,' && c_function 80 '             int b)'; } | expect "a head of two lines, 81 with it" src/search/x.c 1
c_function 150 'int search_node(Worker *w)' | expect "the node search of 150 lines" src/search/x.c 0
c_function 151 'int search_node(Worker *w)' | expect "the node search of 151 lines" src/search/x.c 1
js_function 80 'export async function f() {' | expect "a function of the page of 80 lines" src/page/x.js 0
js_function 81 'export async function f() {' | expect "a function of the page of 81 lines" src/page/x.js 1
{ echo 'const f = (x) => {' && lines 79 '    x();' && echo '};'; } | expect "a named one without the word" src/page/x.js 1
for file in src/search/x.c src/search/x.h tests/test_x.c src/page/x.js src/page/x.css src/page/x.html scripts/x.sh; do
    lines 700 'x;' | expect "a file of 700 lines" "$file" 0
    lines 701 'x;' | expect "a file of 701 lines" "$file" 1
done
[ "$failed" = 0 ] && echo "sizes: hold"
exit "$failed"
