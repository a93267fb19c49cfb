#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that scripts/rows.sh bites: a small tree of two rows passes, and each thing that is done to it below is named by
# what rows.sh then says. Needs a C compiler and make; some seconds.
# The last line is `rows.sh: P passed, F failed, 0 skipped`.
cd "$(dirname "$0")/.." || exit 1
rows=$(pwd)/scripts/rows.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)) && echo "FAILED: rows.sh: $*"; }

# ---- the tree ----------------------------------------------------------------------------------------------------------------
mkdir -p "$work/tree/src" "$work/tree/tests" "$work/tree/docs" "$work/tree/scripts"
cat >"$work/tree/Makefile" <<'E'
NAME := $(notdir $(firstword $(CC)))
build/%-native-tune-$(NAME)/sum.o: src/sum.c
	@mkdir -p $(@D)
	$(CC) -c -o $@ $<
build/chess-native-tune-$(NAME)/tests-chess: tests/test_sum.c build/chess-native-tune-$(NAME)/sum.o
	$(CC) -o $@ $^
build/shogi-native-tune-$(NAME)/tests-shogi: tests/test_sum.c build/shogi-native-tune-$(NAME)/sum.o
	$(CC) -o $@ $^
E
cat >"$work/tree/src/sum.c" <<'E'
int sum(int a, int b);
int product(int a, int b);
int sum(int a, int b) { return a + b; }
int product(int a, int b) { return a * b; }
int spare;
E
cat >"$work/tree/tests/test_sum.c" <<'E'
#include <stdio.h>
#include <stdlib.h>
int sum(int a, int b);
int product(int a, int b);
int main(void)
{
    FILE *f = fopen(getenv("TEST_CASES"), "w");
    fprintf(f, "%s row 1: sums are right\n", sum(2, 3) == 5 ? "passed" : "failed");
    fprintf(f, "%s rows 1 and 2: small ones too, and %d\n", sum(1, 1) == 2 && product(1, 1) == 1 ? "passed" : "failed", 7);
    fprintf(f, "%s row 2: products are right\n", product(2, 3) == 6 ? "passed" : "failed");
    fprintf(f, "skipped row 2: what needs a machine that is not here\n");
    fclose(f);
    puts("suites: done");
    return 0;
}
E
cat >"$work/tree/docs/features.md" <<'E'
| row | asked for | where | shown by | figure |
|---|---|---|---|---|
| 1 | sums | [`sum`](../src/sum.c) | `test_sum` "row 1: sums are right", `test_sum` "rows 1 and 2: small ones too ..." | |
| 2 | products | [`product`](../src/sum.c) | `test_sum` "row 2: products are right" | |
E
cat >"$work/tree/scripts/rows-off.sh" <<'E'
off 1 both src/sum.c 's/a + b/a - b/'
off 2 both src/sum.c 's/a \* b/a/'
E
export ROWS_TREE="$work/now" ROWS_NB=2 ROWS_WORK="$work/copy" ROWS_OPEN=

# fresh: the tree as it was. The copy is kept from one run to the next but for its sources.
fresh() {
    rm -rf "$work/now" "$work/copy"
    cp -rp "$work/tree" "$work/now"
}
# edit FILE SED: changes the tree.
edit() {
    sed "$2" "$work/tree/$1" >"$work/now/$1"
    ! cmp -s "$work/tree/$1" "$work/now/$1" || fail "the edit of $1 by '$2' changes nothing"
}
# says TITLE WORDS [ROW...]: rows.sh fails, in one line that has these words.
says() {
    title=$1 words=$2
    shift 2
    if "$rows" "$@" >"$work/said" 2>&1; then
        fail "$title: passes, and must not"
    elif [ "$(grep '^FAILED: ' "$work/said" | grep -cF "$words")" != 1 ]; then
        fail "$title: does not say '$words' once: $(grep -m 1 '^FAILED' "$work/said")"
    else
        pass
    fi
}

# ---- what it must see ----------------------------------------------------------------------------------------------------------
fresh
if "$rows" >"$work/said" 2>&1 && grep -q '^rows: 6 passed, 0 failed' "$work/said"; then pass; else fail "the tree as it is: $(tail -2 "$work/said")"; fi
fresh && edit docs/features.md 's/products are right/products are wrong/'
says "a test that does not exist" 'row 2: in chess there ran and passed no test_sum "row 2: products are wrong"; in shogi'
fresh && edit docs/features.md 's/products are right/what needs a machine that is not here/'
says "a test that was skipped" 'row 2: in chess there ran and passed no test_sum "row 2: what needs a machine'
fresh && edit docs/features.md 's/row 2: products are right/row 1: sums are right/'
says "a test of another row" 'row 2: the name of its test does not say the row: row 1: sums'
fresh && edit docs/features.md 's/`test_sum` "row 2/`test_product` "row 2/'
says "a suite that does not exist" 'row 2: there is no suite test_product'
fresh && edit docs/features.md 's/`test_sum` "row 2: products are right"//'
says "a row without a test" 'row 2: names no test'
fresh && edit docs/features.md 's/\[`product`/[`quotient`/'
says "a function that does not exist" 'row 2: src/sum.c has no quotient'
fresh && edit docs/features.md '/^| 2 /d'
says "a row that is missing" 'row 2: has not one line in docs/features.md'
fresh && edit tests/test_sum.c 's/sum(2, 3) == 5/sum(2, 3) == 6/'
says "a test that fails as it is" 'row 1: in chess there ran and passed no test_sum "row 1: sums are right"; in shogi'
fresh && edit src/sum.c 's/return a + b;/return a +;/'
says "sources that do not build" 'the copy of chess does not build'
fresh && edit scripts/rows-off.sh 's/a \\\* b/a \\* c/'
says "a change whose line is gone" "row 2: the change 's/a \\* c/a/' finds no line in src/sum.c"
fresh && edit scripts/rows-off.sh "2s/.*/off 2 both src\/sum.c 's\/a \\\\* b\/a * b\/'/"
says "a change that changes nothing" "row 2: the change 's/a \\* b/a * b/' finds no line in src/sum.c"
fresh && edit scripts/rows-off.sh "2s/.*/off 2 both src\/sum.c 's\/return\/return -\/'/"
says "a change of two lines" "row 2: the change 's/return/return -/' is not of one line in src/sum.c"
fresh && edit scripts/rows-off.sh "2s/.*/off 2 both src\/sum.c 's\/a \\\\* b\/a *\'/"
says "a change that is none" "row 2: 's/a \\* b/a *' is no change"
fresh && edit scripts/rows-off.sh "2s/src.sum.c/src\/product.c/"
says "a change of a file that is gone" 'row 2: there is no src/product.c to change'
fresh && edit scripts/rows-off.sh "2s/.*/off 2 chess src\/sum.c 's\/a \\\\* b\/a *\/'/"
says "a change that does not compile" "row 2: with 's/a \\* b/a */' in src/sum.c chess does not build: "
fresh && edit scripts/rows-off.sh "2s/.*/off 2 chess src\/sum.c 's\/int spare\/int other\/'/"
says "a change that no test feels" "row 2: with 's/int spare/int other/' in src/sum.c no test of the row fails in chess"
fresh && edit scripts/rows-off.sh '2d'
says "a row that nothing switches off" 'row 2: nothing switches it off'
fresh && edit scripts/rows-off.sh 's/off 2 both/off 2 chess/'
says "a game in which nothing does" 'row 2: no change makes test_sum "row 2: products are right" fail in shogi'
fresh && edit docs/features.md 's/"row 2: products are right"/"row 2: products are right", `test_sum` "rows 1 and 2: small ones too ..."/'
says "a test that no change makes fail" 'row 2: no change makes test_sum "rows 1 and 2: small ones too ..." fail in chess'
fresh
ROWS_OPEN=2
says "an open row that has a case" 'row 2: has a case now'
fresh && edit docs/features.md 's/`test_sum` "row 2: products are right"//' && edit scripts/rows-off.sh '2d'
if "$rows" >"$work/said" 2>&1 && grep -q '^skipped: row 2: has no case' "$work/said" && grep -q 'passed, 0 failed, 1 skipped' "$work/said"; then pass; else fail "an open row: $(tail -2 "$work/said")"; fi
ROWS_OPEN=
fresh
says "a row that there is not" "there is no row '7'" 7
says "a word for a row" "there is no row 'seven'" seven
fresh && "$rows" 1 >/dev/null 2>&1 && cp "$work/copy/chess.cases" "$work/chess.cases" && cp "$work/copy/shogi.cases" "$work/shogi.cases"
if "$rows" names "$work/chess.cases" "$work/shogi.cases" >"$work/said" 2>&1 && grep -q '^rows: 2 passed, 0 failed' "$work/said"; then pass; else fail "names: $(tail -2 "$work/said")"; fi
says "names without a game that ran" 'row 1: in shogi there ran and passed no test_sum' names "$work/chess.cases"
says "names of a file that is not there" "cannot be read" names "$work/none.cases"

echo "rows.sh: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
