#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that the rows of docs/features.md are answered, and that their tests bite.
#   scripts/rows.sh names FILE...   every row names functions that exist, and cases that ran and passed: the files are those
#                                   that the runner writes for TEST_CASES, with GAME in their names. Part of `make test`.
#   scripts/rows.sh [ROW...]        the same, and then each row's technique is switched off by the changes of one line that
#                                   stand in scripts/rows-off.sh, made in a copy of the sources; cases of the row must then
#                                   fail, and each case the row names at least once. A step of `make test-long`.
# Fails too when a change finds no line, or more than one, does not compile, or when a row has none. The last line is
# `rows: P passed, F failed, S skipped`.
#   JOBS=2   compilers at once   CC   the compiler   ROWS_WORK   a folder to work in, which is kept
#   ROWS_TREE, ROWS_NB, ROWS_OPEN   another tree than this one, its number of rows and open ones (scripts/check-rows.sh)
cd "${ROWS_TREE:-$(dirname "$0")/..}" || exit 1
page=docs/features.md
rows_nb=${ROWS_NB:-48}
games='chess shogi'
# Rows whose cases are still to be written: told as skipped, and a failure once they name one.
open_rows=" ${ROWS_OPEN-} "
passed=0 failed=0 skipped=0
if [ -n "$ROWS_WORK" ]; then
    work=$ROWS_WORK
    mkdir -p "$work" || exit 1
else
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
fi
work=$(cd "$work" && pwd)

pass() { passed=$((passed + 1)); }
is_open() { case $open_rows in *" $1 "*) ;; *) return 1 ;; esac }
fail() { failed=$((failed + 1)) && echo "FAILED: $*"; }
finish() {
    echo "rows: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit $?
}

# ---- what the page says ---------------------------------------------------------------------------------------------------
# A row of the table: | number | asked for | where | shown by | figure |; in the third column [`function`](../file), in the
# fourth `suite` "case" with the name of the game behind it where only one has it. Tells NUMBER TAB KIND TAB WORDS.
read_page() {
    awk -F ' *\\| *' '/^\| [0-9]+ \|/ {
        rest = $4
        while (match(rest, /\[`[A-Za-z_0-9]+`\]\(\.\.\/[^)]*\)/)) {
            text = substr(rest, RSTART + 2, RLENGTH - 3); rest = substr(rest, RSTART + RLENGTH)
            name = text; sub(/`.*/, "", name); sub(/.*\(\.\.\//, "", text)
            print $2 "\twhere\t" text " " name
        }
        rest = $5
        while (match(rest, /`test_[a-z_0-9]+` "[^"]*"( \((chess|shogi)\))?/)) {
            text = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
            suite = text; sub(/^`/, "", suite); sub(/`.*/, "", suite)
            game = "both"; if (text ~ /\(chess\)$/) game = "chess"; if (text ~ /\(shogi\)$/) game = "shogi"
            sub(/^[^"]*"/, "", text); sub(/".*/, "", text)
            print $2 "\ttest\t" game " " suite " " text
        }
    }' "$page"
}

# tests_of ROW GAME: its lines `SUITE CASE`.
tests_of() { awk -F '\t' -v row="$1" -v game="$2" '$1 == row && $2 == "test" && ($3 ~ "^" game " " || $3 ~ /^both /) { sub(/^[a-z]* /, "", $3); print $3 }' "$work/page"; }

# ended FILE HOW CASE: did a case of this name end so? In the page `...` stands for what follows in the name.
ended() { awk -v want="$2 $3" 'BEGIN { open = sub(/ ?\.\.\.$/, "", want) } open ? index($0, want) == 1 : $0 == want { found = 1 } END { exit !found }' "$1"; }

# says_row CASE ROW: does the name of the case say that it is of the row?
says_row() {
    case $1 in
    "row $2: "*) return 0 ;;
    "rows "*) case " $(echo "${1%%:*}" | tr -c '0-9\n' ' ') " in *" $2 "*) return 0 ;; esac ;;
    esac
    return 1
}

# check_names FOLDER: FOLDER/GAME.cases has what ran in each game.
check_names() {
    row=0
    while [ "$row" -lt "$rows_nb" ]; do
        row=$((row + 1))
        bad=
        awk -F '\t' -v row="$row" '$1 == row' "$work/page" >"$work/row"
        [ "$(grep -c "^| $row |" "$page")" = 1 ] || bad="$bad; has not one line in $page"
        grep -q "	where	" "$work/row" || bad="$bad; names no function"
        if is_open "$row" && ! grep -q "	test	" "$work/row"; then
            skipped=$((skipped + 1)) && echo "skipped: row $row: has no case of its own yet"
            continue
        fi
        is_open "$row" && bad="$bad; has a case now: take it off open_rows in rows.sh"
        grep -q "	test	" "$work/row" || bad="$bad; names no test"
        grep "	where	" "$work/row" | cut -f 3 >"$work/where"
        while read -r file name; do
            grep -qE "^[A-Za-z_#].*[ *(]$name[(,]" "$file" 2>/dev/null || bad="$bad; $file has no $name"
        done <"$work/where"
        for g in $games; do
            tests_of "$row" "$g" >"$work/tests"
            while read -r suite case; do
                says_row "$case" "$row" || bad="$bad; the name of its test does not say the row: $case"
                [ -e "tests/$suite.c" ] || [ -e "tests/$g/$suite.c" ] || bad="$bad; there is no suite $suite"
                ended "$1/$g.cases" passed "$case" || bad="$bad; in $g there ran and passed no $suite \"$case\""
            done <"$work/tests"
        done
        if [ -z "$bad" ]; then pass; else fail "row $row: ${bad#; }"; fi
    done
}

read_page >"$work/page"
if [ "$1" = names ]; then
    shift
    for g in $games; do : >"$work/$g.cases"; done
    for file in "$@"; do
        [ -r "$file" ] || fail "$file cannot be read"
        for g in $games; do
            case $(basename "$file") in *"$g"*) [ -r "$file" ] && cat "$file" >>"$work/$g.cases" ;; esac
        done
    done
    check_names "$work"
    finish
fi

# ---- a copy that is changed -------------------------------------------------------------------------------------------------
# Parameters can be set in it (TUNE), and it is built for a quick build, not for a quick program.
export TEST_LIGHT=1
unset MAKEFLAGS MFLAGS
cc=${CC:-gcc}
flavour=native-tune-$(basename "${cc%% *}")
chosen=" $* "
for row in "$@"; do
    case $row in *[!0-9]* | '') fail "there is no row '$row'" && finish ;; esac
    [ "$row" -ge 1 ] && [ "$row" -le "$rows_nb" ] || { fail "there is no row '$row'" && finish; }
done
is_chosen() { case $chosen in '  ' | *" $1 "*) ;; *) return 1 ;; esac }
build() { make -C "$work/$1" -j"${JOBS:-2}" CC="$cc" TUNE=1 CFLAGS='-O1 -fno-lto' "build/$1-$flavour/tests-$1" >"$work/$1.make" 2>&1; }
# try GAME SUITES...: runs them in the copy; what ran is in GAME.now.
try() {
    game=$1
    shift
    : >"$work/$game.now"
    (cd "$work/$game" && TEST_CASES="$work/$game.now" timeout 300 "build/$game-$flavour/tests-$game" "$@") >"$work/$game.log" 2>&1
}

# take_back GAME FILE: the copy has the file as it is, and what was made of a change is made anew.
take_back() {
    cp "$2" "$work/$1/$2"
    rm -f "$work/$1.changed"
}

for g in $games; do
    mkdir -p "$work/$g"
    [ -e "$work/$g.changed" ] && take_back "$g" "$(cat "$work/$g.changed")" # a run that was broken off
    for part in Makefile include nets src tests examples scripts; do
        [ -e "$part" ] && cp -rpu "$part" "$work/$g/"
    done
    build "$g" || { tail -5 "$work/$g.make" && fail "the copy of $g does not build" && finish; }
    # shellcheck disable=SC2046
    try "$g" $(awk -F '\t' -v game="$g" '$2 == "test" { split($3, f, " "); if (f[1] == "both" || f[1] == game) print f[2] }' "$work/page" | sort -u) ||
        { grep '^FAILED' "$work/$g.log" | head -5 && fail "the tests of the rows do not pass in $g as it is"; }
    cp "$work/$g.now" "$work/$g.cases"
done
check_names "$work"
: >"$work/bitten"
done_rows=

# off ROW GAMES FILE SED: without the technique a case of the row must fail, in each of the games.
off() {
    row=$1 which=$2 file=$3 edit=$4
    is_chosen "$row" || return 0
    done_rows="$done_rows $row "
    if [ ! -e "$file" ]; then
        fail "row $row: there is no $file to change"
        return 0
    fi
    sed "$edit" "$file" >"$work/edited" 2>"$work/errors" || { fail "row $row: '$edit' is no change: $(cat "$work/errors")" && return 0; }
    if cmp -s "$file" "$work/edited"; then
        fail "row $row: the change '$edit' finds no line in $file"
        return 0
    elif [ "$(diff "$file" "$work/edited" | grep -c '^[<>]')" != 2 ]; then
        fail "row $row: the change '$edit' is not of one line in $file"
        return 0
    fi
    for g in $games; do
        [ "$which" = both ] || [ "$which" = "$g" ] || continue
        switch_off "$g"
    done
}

# switch_off GAME: makes the change of `off` in the copy of the game, runs the row's tests, and takes the change back.
switch_off() {
    g=$1 copy=$work/$1/$file
    # The object of the unchanged file is put back afterwards, so that it need not be compiled again.
    object=$work/$g/build/$g-$flavour/$(echo "${file#src/}" | sed 's/\.c$/.o/')
    [ "${file%.c}" != "$file" ] && cp "$object" "$work/object"
    echo "$file" >"$work/$g.changed"
    cp "$work/edited" "$copy"
    if ! build "$g"; then
        fail "row $row: with '$edit' in $file $g does not build: $(grep -m 1 -E 'error|Error' "$work/$g.make")"
    else
        tests_of "$row" "$g" >"$work/tests"
        # shellcheck disable=SC2046
        try "$g" $(cut -d ' ' -f 1 "$work/tests" | sort -u)
        bites=
        while read -r suite case; do
            ended "$work/$g.now" failed "$case" || continue
            bites="$bites; $case"
            echo "$row $g $case" >>"$work/bitten"
        done <"$work/tests"
        if [ -n "$bites" ]; then
            pass
            echo "row $row, $g: with '$edit' fails: ${bites#; }"
        else
            fail "row $row: with '$edit' in $file no test of the row fails in $g ($(tail -1 "$work/$g.log"))"
        fi
    fi
    take_back "$g" "$file"
    if [ "${file%.c}" != "$file" ]; then
        cp -p "$file" "$copy" && cp "$work/object" "$object"
    else
        build "$g" # what includes a header is made anew at once, before an object of it is kept
    fi
}

. scripts/rows-off.sh

row=0
while [ "$row" -lt "$rows_nb" ]; do
    row=$((row + 1))
    is_chosen "$row" && ! is_open "$row" || continue
    case $done_rows in *" $row "*) ;; *) fail "row $row: nothing switches it off" && continue ;; esac
    for g in $games; do
        tests_of "$row" "$g" >"$work/tests"
        while read -r suite case; do
            grep -qxF "$row $g $case" "$work/bitten" || fail "row $row: no change makes $suite \"$case\" fail in $g"
        done <"$work/tests"
    done
done
finish
