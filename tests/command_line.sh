#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands given as arguments: what can't be done is said on standard error with exit code 2, and what can be done
# says nothing there. PROGRAMS names another folder with the programs. The last line is
# `command_line: P passed, F failed, 0 skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() { failed=$((failed + 1)) && echo "FAILED: command_line: $*"; }
# run CODE WORD COMMAND...: its exit code, and WORD in what it says on standard error ('' for nothing there). A command of the
# program that takes longer than the limit hangs.
limit=60
run() {
    code=$1 word=$2
    shift 2
    timeout "$limit" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    if [ "$got" -ne "$code" ]; then
        fail "$*: exit code $got, expected $code"
    elif [ -z "$word" ] && [ -s "$work/err" ]; then
        fail "$*: said '$(head -1 "$work/err")'"
    elif [ -n "$word" ] && ! grep -qF -- "$word" "$work/err"; then
        fail "$*: said '$(head -1 "$work/err")' and not '$word'"
    else
        passed=$((passed + 1))
    fi
}
# plain CODE COMMAND...: the same, and nothing that a terminal would obey reaches it.
plain() {
    code=$1
    shift
    run "$code" '' sh -c '"$@" 2>&1' sh "$@"
    if grep -q "$escape" "$work/out"; then fail "$*: an escape reaches the terminal"; else passed=$((passed + 1)); fi
}
escape=$(printf '\033')
# damaged_network GAME PROGRAM: a program whose network was damaged on the disk says so, and does not think with it.
damaged_network() {
    cp "$2" "$work/damaged"
    for at in $(LC_ALL=C grep -abo TWOFNET "$2" | cut -d: -f1); do
        name=$(dd if="$2" bs=1 skip=$((at + 12)) count=5 2>/dev/null | tr -d '\0')
        [ "$name" = "$1" ] && printf '\177\177' | dd of="$work/damaged" bs=1 seek=$((at + 4242)) conv=notrunc 2>/dev/null
    done
    if cmp -s "$2" "$work/damaged"; then
        fail "no network found in twofold-$1"
    elif ! "$work/damaged" version | grep -q 'built-in network.*damaged'; then
        fail "a damaged network is taken: $("$work/damaged" version | tail -1)"
    else
        passed=$((passed + 1))
    fi
}
for game in chess shogi; do
    program=${PROGRAMS:-.}/twofold-$game
    damaged_network "$game" "$program"
    run 0 '' $program --help
    run 0 '' $program --version
    run 0 '' $program help
    run 0 '' $program perft 2
    run 0 '' $program go depth 2
    run 0 '' $program bench 1
    run 2 "perft: expected a depth from 0 to 100, not 'x'" $program perft x
    run 2 "perft: expected a depth" $program perft
    run 2 "perft: expected a depth" $program perft 3 4
    run 2 "perft: expected a depth" $program perft -1
    run 2 "bench: expected" $program bench x
    run 2 "bench: expected" $program bench 1 x
    run 2 "bench: expected" $program bench 1 1 16 x
    run 2 "go: " $program go depth x
    run 2 "go: " $program go perft x
    run 2 "position: " $program position nonsense
    run 2 "setoption: " $program setoption name Nonsense value 1
    run 2 "setoption: " $program setoption
    run 2 "hash: expected" $program hash
    run 2 "hash: " $program hash load /no/such/file
    run 2 "json: 'maybe' is one word too many" $program json maybe
    run 0 '' $program json
    run 0 '' $program json --help
    run 2 "json: " $program json --nonsense
    run 2 "exclude: 'x'" $program exclude x
    run 2 "unknown command" $program nonsense
    run 2 "unknown command" $program nonsense go depth 1
    run 2 "unknown command" $program --nonsense
    for command in play analyse book; do
        run 0 '' $program $command --help
        run 2 "twofold-$game $command: " $program $command --nonsense
    done
    run 2 "analyse: " $program analyze
    run 1 "/no/such/file" $program analyse /no/such/file
    run 2 "book: " $program book
    run 2 "book: " $program book make
    run 1 "/no/such/file" $program book show /no/such/file
    for command in match tune ablate; do
        run 0 '' $program $command --help
        run 2 "$command: " $program $command --nonsense
    done
    run 2 "match: " $program match
    for command in datagen data train demo; do
        run 0 '' $program $command --help
        run 2 "--help" $program $command --nonsense
    done
    run 2 "data: expected one of" $program data
    run 2 "demo: " $program demo x
    run 1 '' sh -c "exec $program bench 1 >/dev/full"
    run 1 "cannot write to standard output" sh -c "exec $program --help >/dev/full"
    for command in play analyse book match tune ablate datagen data train demo; do
        run 0 '' $program $command -h
    done
    # A link that is written to stays a link, a pipe stays a pipe, and a neighbour's file is left alone.
    run 0 '' $program datagen --games 2 --nodes 20 --out "$work/$game.tfg"
    echo precious >"$work/link.tfg.tmp"
    cp "$work/$game.tfg" "$work/real.tfg"
    ln -sf real.tfg "$work/link.tfg"
    run 0 '' $program data merge --out "$work/link.tfg" "$work/$game.tfg" "$work/link.tfg"
    run 0 '' test -L "$work/link.tfg"
    run 0 '' grep -q precious "$work/link.tfg.tmp"
    run 0 '' sh -c "$program data info '$work/real.tfg' | grep -q '^4 games'"
    rogue=$work/$escape[31m$game.tfg
    plain 2 $program "rogue$escape[31m"
    plain 0 $program data merge --out "$rogue" "$work/$game.tfg"
    plain 0 $program data check "$rogue"
    plain 0 $program datagen --games 3 --nodes 20 --out "$rogue.2"
    plain 1 $program datagen --games 3 --nodes 21 --out "$rogue.2"
    plain 0 $program match --nodes 5 --games 2 --engine $program --name "a$escape[31m" --engine $program
    rm -f "$rogue" "$rogue.2"
    run 2 "is read" $program train --data "$work/$game.tfg" --out "$work/../${work##*/}/$game.tfg" --epochs 1
    cp "nets/$game.nnue" "$work/$game.nnue"
    run 2 "is what it starts from" $program train --data "$work/$game.tfg" --from "$work/$game.nnue" --out "$work/$game.nnue" --epochs 1
    run 1 "cannot write" $program data shuffle --out "$work/no/such.tfg" "$work/$game.tfg"
done
# Programs built elsewhere (PROGRAMS) are all that is asked for.
finish() {
    echo "command_line: $passed passed, $failed failed, 0 skipped"
    [ "$failed" -eq 0 ]
    exit $?
}
[ -z "${PROGRAMS:-}" ] || finish
# Building and scripts: into a path with a space, from elsewhere, and with mistakes.
make="env -u MAKEFLAGS make -s CC=${CC:-gcc} PREFIX=/usr"
# What install brings is built first: how long that takes, and what compilers run further below, is no matter of this test.
limit=1800
$make -j"${JOBS:-2}" all lib >"$work/built" 2>&1 || fail "make all lib: $(tail -1 "$work/built")"
run 0 '' $make DESTDIR="$work/a place" install
run 0 '' "$work/a place/usr/bin/twofold-chess" --version
run 0 '' test -e "$work/a place/usr/share/man/man6/twofold-shogi.6"
run 0 '' $make DESTDIR="$work/a place" uninstall
run 0 '' sh -c "[ -z \"\$(find '$work/a place' ! -type d)\" ]"
run 2 "ARCH=x86_64: " $make ARCH=x86_64
run 2 "usage: " scripts/pgo.sh
run 2 "no game 'go'" scripts/net.sh go
run 1 "no program at /no/such" scripts/bench-perft.sh /no/such
run 1 "no program at /no/such" scripts/bench-perft-shogi.sh /no/such
run 0 '' sh -c 'here=$PWD && cd / && "$here/scripts/check-contract.sh" chess'
finish
