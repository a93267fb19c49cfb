#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The program for Windows under wine: the protocol with its line ends, every subcommand with a good and a bad call, names with any
# characters, a match against itself, an analysis that is interrupted, the server, a double click. Then transcripts, fuzz seeds and
# the C suites, but for those that the Makefile leaves out there. Skipped by name without wine or Debian's mingw. PROGRAM (an .exe of
# chess) and SUITES (tests-chess.exe, or `no`) name what is built already. With WINDOWS_LONG=1 (`make test-long`) every transcript
# and suite, of shogi too, 100 games, and each variant of the universal programs, optimised. The last line is
# `windows: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
suite=windows
. tests/expect.sh
skipped=0
skip() { skipped=$((skipped + 1)) && echo "skipped: windows: $*"; }
finish() {
    echo "windows: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit $?
}
compiler=x86_64-w64-mingw32-gcc-posix
for tool in wine $compiler; do
    command -v "$tool" >/dev/null 2>&1 || { skip "$tool is not here (packages wine64, gcc-mingw-w64-x86-64-posix)" && finish; }
done
flavour=x86-64-debug-tune-$compiler
dir=build/chess-$flavour
make="env -u MAKEFLAGS make -s -j${JOBS:-2} CC=$compiler ARCH=x86-64 DEBUG=1 TUNE=1"
program=${PROGRAM:-$dir/twofold-chess.exe} suites=${SUITES:-$dir/tests-chess.exe}
if [ -z "${PROGRAM:-}" ]; then
    $make "$program" "$suites" "$dir/seeds_uci.exe" "$dir/seeds_json_lines.exe" "$dir/seeds_http.exe" "$dir/variant.o" >"$work/make.log" 2>&1
    expect "it builds" "$? $(grep -E 'error|undefined' "$work/make.log" | head -3)" "0 "
    # Of sections with one name the linker keeps the first: a variant that has such would run on the data of another.
    expect "a variant for the universal program shares no section" "$(${compiler%-gcc*}-objdump -h "$dir/variant.o" | grep -c LINK_ONCE)" 0
fi
[ -f "$program" ] || finish
# A system of its own for wine, kept between runs: making it takes longer than all the tests.
WINEPREFIX=${WINEPREFIX:-$PWD/build/wine} WINEDEBUG=-all WINEDLLOVERRIDES='winedbg.exe=d;mscoree=d;mshtml=d'
export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES
run() { timeout 120 wine "$program" "$@"; }
# The first start makes the system and may take a minute: it is waited for, not timed.
expect "it starts" "$(printf 'isready\nquit\n' | timeout 300 wine "$program" 2>/dev/null | tr -d '\r')" readyok

# call CODE WORD ARGUMENTS...: its exit code, and WORD in what it says. No line ends in a carriage return.
call() {
    code=$1 word=$2
    shift 2
    run "$@" >"$work/out" 2>&1 </dev/null
    expect "$*: exit code ($(head -c 200 "$work/out"))" "$?" "$code"
    expect "$*: says '$word'" "$(grep -cF -- "$word" "$work/out" | sed 's/^[1-9].*/yes/')" yes
}

# ---- protocol ---------------------------------------------------------------------------------------------------------
mkfifo "$work/in"
run <"$work/in" >"$work/out" 2>&1 &
pid=$!
exec 3>"$work/in"
printf 'uci\r\nisready\r\nposition startpos moves e2e4\r\ngo nodes 500\r\nisready\r\n' >&3
while kill -0 $pid 2>/dev/null && ! grep -q '^bestmove' "$work/out"; do sleep 0.1; done
printf 'quit\r\n' >&3
exec 3>&-
wait $pid
expect "UCI with CRLF" "$(grep -cE '^(uciok|readyok|bestmove [a-h][1-8][a-h][1-8])' "$work/out")" 4
expect "no carriage return is sent" "$(grep -c "$(printf '\r')" "$work/out")" 0
expect "bench counts as elsewhere" "$(run bench 3 | sed -n 's/^\([0-9]*\) nodes.*/\1/p')" "$(./twofold-chess bench 3 | sed -n 's/^\([0-9]*\) nodes.*/\1/p')"

# Who closes the pipe knows that nothing more comes.
(run --help 2>"$work/err"; run help 2>>"$work/err"; echo done >>"$work/err") | head -1 >/dev/null
expect "nobody reads on" "$(cat "$work/err")" done

# ---- every subcommand: a good call and a bad one --------------------------------------------------------------------------
name='Grünfeld 七六歩.pgn'
cp tests/data/chess/pgn/kasparov-deep-blue-1997.pgn "$work/all.pgn" && chmod u+w "$work/all.pgn"
# The first game, with the line ends of the system.
awk '/^\[Event / && ++nb > 1 { exit } { printf "%s\r\n", $0 }' "$work/all.pgn" >"$work/$name"
call 0 'Kasparov' analyse "$work/$name" --nodes 100 -j1
call 1 'no such 七.pgn' analyse "$work/no such 七.pgn"
call 0 '' book make -g 1 -o "$work/book ä.bin" "$work/$name"
call 2 'book' book
call 0 '' book show "$work/book ä.bin"
printf 'e4\nquit\n' | run play --level beginner --no-colour --nodes 100 >"$work/out" 2>&1
expect "play: exit code" "$?" 0
call 2 '--nonsense' play --nonsense
call 0 '' datagen --games 2 --nodes 20 --out "$work/ö.tfg"
call 2 '--help' datagen --nonsense
call 0 '2 games' data info "$work/ö.tfg"
call 2 'expected one of' data
call 0 '4 games' data merge --out "$work/ö.tfg" "$work/ö.tfg" "$work/ö.tfg"
call 0 '' datagen --games 6 --nodes 20 --threads 2 --seed 5 --out "$work/two.tfg"
call 0 '' train --data "$work/ö.tfg" --out "$work/ö.nnue" --epochs 1 --threads 1
call 2 '--help' train --nonsense
expect "json answers" "$(printf '{"id":1,"do":"hello"}\r\n' | run json | head -c 8)" '{"id":1,'
call 2 'json' json --nonsense
call 0 '' tune --iterations 1 --nodes 50 --params 'NullMargin*' --out "$work/tüne" --quiet
expect "tune: its files" "$(cd "$work" && echo tüne.*)" "tüne.history tüne.state tüne.svg"
call 2 'tune' tune --nonsense
call 0 'UseRazoring' ablate --params UseRazoring --games 2 --nodes 50 --quiet
call 2 'ablate' ablate --nonsense
call 0 'White to move' demo 1
call 2 'demo' demo x
call 0 '' datagen --games 4 --nodes 20 --shard 1/2 --out "$work/半 1.tfg"
call 0 '' datagen --games 4 --nodes 20 --shard 2/2 --out "$work/半 2.tfg"
call 0 '' merge "$work/全.tfg" "$work/半 1.tfg" "$work/半 2.tfg"
call 0 '4 games' data info "$work/全.tfg"
call 1 'there already' merge "$work/全.tfg" "$work/半 1.tfg"
call 2 'merge' merge
call 0 'info string genfens' 'genfens 2 seed 7 book None' quit
call 2 'many' 'genfens many seed 7 book None' quit
call 0 'for x86-64,' compiler
call 2 'bench' bench x
call 0 '197281' perft 4
call 2 'perft' perft x
call 0 'bestmove' go nodes 100
call 2 'go' go depth x
call 2 'serve' serve --nonsense
call 2 'unknown command' nonsense
cp nets/chess.nnue "$work/网.nnue"
printf 'setoption name EvalFile value %s\nisready\nquit\n' "$work/网.nnue" | run >"$work/out" 2>&1
expect "a network by a name in any characters" "$(grep -c readyok "$work/out") $(grep -ciE 'cannot|error' "$work/out")" "1 0"

# Longer than what Windows takes by itself, in reading and in writing.
deep=$work/$(printf '長い 名前の folder/%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)
mkdir -p "$deep" && cp "$work/$name" "$deep"
call 0 'Kasparov' analyse "$deep$name" --nodes 50 -j1 --json "$deep報告.json"
expect "a report by a long name" "$(grep -c '"type":"summary"' "$deep報告.json")" 1

# ---- children, Ctrl-C, the server ---------------------------------------------------------------------------------------
exe=$(realpath "$program")
call 0 'faults: none' match --nodes 200 --games 2 --engine "$exe" --engine "$exe"
cp "$exe" "$work/two fold.exe"
there=Z:$(printf '%s' "$work/two fold.exe" | tr / '\\')
call 0 'two fold.exe (50 nodes)' match --nodes 50 --games 2 --engine "$there" --engine "\"$there\"" --quiet
call 2 'no processes that are ranks' --ranks 2 datagen --games 2 --nodes 20 --out "$work/ranks.tfg"
call 1 'no-such-engine' match --nodes 100 --games 2 --engine no-such-engine --engine "$exe"
# wait_for FILE LINES PID: until the file has so many lines or the program has ended.
wait_for() { while kill -0 "$3" 2>/dev/null && [ "$(cat "$1" 2>/dev/null | wc -l)" -lt "$2" ]; do sleep 0.1; done; }
run_long() { exec wine "$program" "$@"; }
# Whoever kills a match kills what it has started: that is in a job.
started() { for file in /proc/[0-9]*/cmdline; do head -zn1 "$file" 2>/dev/null | tr '\0' '\n'; done | grep -c "$(basename "$work").*two fold.exe\$"; }
wait_until() { for _ in $(seq 300); do [ "$(started)" = "$1" ] && break || sleep 0.2; done; }
(run_long match --tc 100+1 --games 2 --quiet --engine "$there" --engine "$there") >/dev/null 2>&1 &
pid=$!
wait_until 2
before=$(started)
kill -KILL $pid
wait_until 0
expect "the engines of a match that is killed, before and after" "$before $(started)" "2 0"
(run_long analyse "$work/all.pgn" --nodes 3000 -j1 --json "$work/parts.json") >/dev/null 2>"$work/err" &
pid=$!
wait_for "$work/all.pgn.twofold-progress" 10 $pid
kill -INT $pid
wait $pid
expect "Ctrl-C: exit code" "$?" 130
expect "Ctrl-C: it tells how to go on" "$(grep -c 'run the same command again' "$work/err")" 1
expect "Ctrl-C: what was found is kept" "$([ -s "$work/all.pgn.twofold-progress" ] && echo yes)" yes
(run_long serve --port 0) >"$work/serve" 2>&1 &
pid=$!
wait_for "$work/serve" 1 $pid
address=$(grep -o 'http://[^ ]*' "$work/serve" | head -1 | tr -d '\r')
if command -v curl >/dev/null 2>&1; then
    expect "serve: the page" "$(curl -s --max-time 30 "$address" | grep -c '<html')" 1
else
    expect "serve: an address" "$(echo "$address" | grep -c '^http://127.0.0.1:')" 1
fi
call 1 'cannot listen' serve --port "$(echo "$address" | sed 's|.*:\([0-9]*\)/.*|\1|')"
kill -INT $pid
wait $pid
expect "serve ends by Ctrl-C" "$?" 0

# At a console, which wine makes of a terminal: what is typed is read, in any characters, what is printed is whole, and no
# escape sequence is shown as text (this console does not know them).
if command -v script >/dev/null 2>&1; then
    mkfifo "$work/keys"
    TERM=xterm LC_ALL=C.UTF-8 script -qec "wine '$exe' play --level beginner --nodes 100 --no-keep; echo code \$?" /dev/null <"$work/keys" >"$work/screen" 2>&1 &
    pid=$!
    exec 3>"$work/keys"
    # screen: what it shows as text, a step of the cursor being a blank.
    screen() { sed "s/$(printf '\033')\[1C/ /g; s/$(printf '\033')\[[0-9;?]*[a-zA-Z]//g" "$work/screen"; }
    # types SEEN KEYS: when that can be seen, or nothing more will come.
    types() {
        for _ in $(seq 600); do
            screen | grep -qF -- "$1" && break
            kill -0 $pid 2>/dev/null && sleep 0.1 || break
        done
        printf '%s\r' "$2" >&3
    }
    types 'your move 1.' e4
    types 'your move 2.' '七六歩 é'
    types 'is no move here' quit
    exec 3>&-
    wait $pid
    expect "a game at a console" "$(screen | grep -c '^White, your move 2\.') $(screen | grep -o "^'七六歩 é' is no move")" "2 '七六歩 é' is no move"
    expect "its end, and escape sequences as text" "$(screen | grep -c 'code 0') $(screen | grep -cF '48;5;')" "1 0"
else
    skip "a game at a console: script is not here (package bsdutils)"
fi

# Started from a desktop, with a console of its own, it opens the page; the system's browser is a script here. What runs without a
# desktop ends first.
if command -v xvfb-run >/dev/null 2>&1 && command -v wineserver >/dev/null 2>&1; then
    mkdir "$work/desktop"
    printf '#!/bin/sh\necho "$@" >>"%s/opened"\n' "$work" >"$work/desktop/xdg-open"
    chmod +x "$work/desktop/xdg-open"
    timeout 120 wineserver -w
    # When the desktop is gone its console is closed, which ends the program.
    PATH="$work/desktop:$PATH" timeout 300 xvfb-run -a sh -c 'wine start /unix "$1" && until [ -s "$2" ]; do sleep 0.1; done' sh "$exe" "$work/opened" >/dev/null 2>&1
    timeout 120 wineserver -w
    expect "a double click opens the page" "$(tr -d '\r' <"$work/opened" 2>/dev/null | sed 's|[0-9]*/[0-9a-f]*/$|PORT/SECRET/|')" 'http://127.0.0.1:PORT/SECRET/'
else
    skip "a double click: xvfb-run is not here (package xvfb)"
fi

# ---- transcripts and seeds --------------------------------------------------------------------------------------------
# transcripts GAME PROGRAM FILE...
transcripts() {
    game=$1
    printf '#!/bin/sh\nexec wine "%s" "$@"\n' "$(realpath "$2")" >"$work/twofold-$game"
    chmod +x "$work/twofold-$game"
    shift 2
    [ -x build/protocol_driver ] || ${CC:-gcc} -std=gnu17 -O1 -Isrc -o build/protocol_driver tests/protocol_driver.c src/base/*.c -pthread -lm
    DRIVER_PATIENCE=8 timeout 900 build/protocol_driver "$work/twofold-$game" "$@" >"$work/transcripts" 2>&1
    expect "transcripts of $game: exit code" "$?" 0
    add_sums "$work/transcripts" '^transcripts of'
}
# seeds GAME FOLDER: every target that is built, on every file that was damaged once.
seeds() {
    for target in "$2"/seeds_*.exe; do
        [ -e "$target" ] || continue
        name=fuzz_$(basename "$target" .exe | cut -d_ -f2-)
        # shellcheck disable=SC2046
        timeout 300 wine "$target" $(find tests/data/fuzz/"$1"/"$name" tests/data/fuzz/"$name" -type f 2>/dev/null) >"$work/seeds" 2>&1
        expect "seeds of $name, $1: exit code" "$?" 0
        add_sums "$work/seeds" '^seeds: [1-9]'
    done
}
# What is quickest to run of them; the rest by WINDOWS_LONG. In deaf.txt the reader of a pipe goes, which a writer does not see here.
transcripts chess "$program" tests/protocol/chess/position.txt ${WINDOWS_LONG:+tests/protocol/chess/start.txt tests/protocol/chess/go.txt tests/protocol/chess/extras.txt}
seeds chess "$dir"

# ---- suites -----------------------------------------------------------------------------------------------------------
if [ "$suites" != no ] && [ -f "$suites" ]; then
    # What opens files, starts programs, waits and listens; the rest is the same everywhere and runs in `make test-long`.
    [ -z "${WINDOWS_LONG:-}" ] || SUITE_LIST=
    list=${SUITE_LIST-test_cli test_json test_http test_socket test_serve test_journal test_seat_process test_train test_nnue test_book_command test_options test_datagen test_protocol test_record_text}
    # shellcheck disable=SC2086
    run_suites wine "$suites" $list
fi
[ -n "${WINDOWS_LONG:-}" ] || finish

# ---- what takes longer ------------------------------------------------------------------------------------------------
call 0 'faults: none' match --tc 1+0.01 --games 100 --margin-ms 100 --quiet --engine "$exe" --engine "$exe"
shogi=build/shogi-$flavour
$make "$shogi/twofold-shogi.exe" "$shogi/tests-shogi.exe" "$shogi/seeds_uci.exe" "$shogi/seeds_json_lines.exe" >"$work/make.log" 2>&1
expect "shogi builds" "$? $(grep -E 'error|undefined' "$work/make.log" | head -3)" "0 "
transcripts shogi "$shogi/twofold-shogi.exe" tests/protocol/shogi/usi.txt
seeds shogi "$shogi"
run_suites wine "$shogi/tests-shogi.exe"
# universal GAME: each variant, as `make dist` packs it, counts as the program of this system does.
universal() {
    parts=build/$1-universal-$compiler/twofold-$1.exe
    env -u MAKEFLAGS make -s -j"${JOBS:-2}" CC=$compiler GAME="$1" "$parts" >"$work/make.log" 2>&1
    expect "the universal program of $1 builds" "$? $(grep -E 'error|undefined' "$work/make.log" | head -3)" "0 "
    # What stacks are unwound by: each function begins behind the one before. With a letter behind them they are no numbers to awk.
    expect "the universal program of $1: its function table is in order" "$(${compiler%-gcc*}-objdump -p "$parts" | awk '
        /^The Function Table/ { inside = 1 }
        inside && $1 ~ /^[0-9a-f]+:$/ && NF == 4 { nb++; bad += $2 "x" < end; end = $3 "x" }
        END { print (nb > 1000 ? "many" : nb + 0), bad + 0 }')" "many 0"
    RUN='timeout 120 wine' PROGRAM=$parts DEPTH=5 tests/universal.sh >"$work/universal" 2>&1
    add_sums "$work/universal" '^universal: '
    expect "the universal program of $1 counts as elsewhere" "$(timeout 120 wine "$parts" bench 5 | sed -n 's/^\([0-9]*\) nodes.*/\1/p')" \
        "$("./twofold-$1" bench 5 | sed -n 's/^\([0-9]*\) nodes.*/\1/p')"
}
universal chess
universal shogi
finish
