#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Repeats every figure the project claims, one step after the other; hours in all. Each step leaves its output in
# build/long/STEP.log and a mark when it is done, so that an interrupted run goes on where it was; remove the folder to begin anew.
#   scripts/test-long.sh [STEP...]        all steps, or the named ones
# TWOFOLD_SUITES names a folder with larger sets (syzygy/); steps whose files are missing are skipped by name. Opponents come from Debian's packages; missing ones are skipped too.
set -u
cd "$(dirname "$0")/.."
export LC_ALL=C
export PATH="$PATH:/usr/games"
long=build/long suites=${TWOFOLD_SUITES:-}
mkdir -p "$long"
passed=0 failed=0 skipped=0
chosen=("$@")

skip() { echo "skipped: $1: $2"; skipped=$((skipped + 1)); }
known=' ' # the steps there are
wanted() {
    known+="$1 "
    [ ${#chosen[@]} -eq 0 ] && return 0
    local c
    for c in "${chosen[@]}"; do [ "$c" = "$1" ] && return 0; done
    return 1
}
# step NAME WHAT COMMAND...: runs it once, keeps its output, shows its last lines.
step() {
    local name=$1 what=$2
    shift 2
    wanted "$name" || return 0
    if [ -e "$long/$name.done" ]; then
        echo "== $name: $what (done before)"
        passed=$((passed + 1))
    else
        echo "== $name: $what"
        if "$@" >"$long/$name.log" 2>&1; then
            touch "$long/$name.done"
            passed=$((passed + 1))
        else
            echo "FAILED: $name (see $long/$name.log)"
            failed=$((failed + 1))
        fi
    fi
    tail -n 4 "$long/$name.log" | sed 's/^/   /'
}
need() { # need STEP FILE: true when the file of the larger sets is there
    [ -n "$suites" ] && [ -e "$suites/$2" ] && return 0
    wanted "$1" && skip "$1" "TWOFOLD_SUITES has no $2"
    return 1
}
has() { # has STEP PROGRAM
    command -v "$2" >/dev/null && return 0
    wanted "$1" && skip "$1" "no $2 on this machine"
    return 1
}

make -j"$(nproc)" all >/dev/null || exit 1
tests=build/chess-native-gcc/tests-chess
make -j"$(nproc)" $tests build/shogi-native-gcc/tests-shogi >/dev/null || exit 1

# Records of shogi, written and read again in every format; and by tsshogi, where node finds it.
step round_trips "1 000 games in KIF, KI2, CSA and USI" env TWOFOLD_ROUND_TRIPS=1000 build/shogi-native-gcc/tests-shogi test_shogi_round_trip
step japanese "1 000 games and their Japanese moves, read by tsshogi" env TWOFOLD_ROUND_TRIPS=1000 tests/japanese.sh

# One signature from every compiler and build.
signatures() {
    local game=$1 first='' flavour line
    for flavour in "CC=gcc" "CC=clang" "CC=gcc DEBUG=1" "CC=gcc ARCH=x86-64" "CC=gcc ARCH=x86-64-sse41"; do
        case $flavour in *clang*) command -v clang >/dev/null || continue ;; esac
        # shellcheck disable=SC2086
        make -j"$(nproc)" $flavour GAME=$game all >/dev/null || return 1
        line=$(./twofold-$game bench | tail -n 1)
        echo "$flavour: $line"
        [ -n "$first" ] || first=${line%% *}
        [ "$first" = "${line%% *}" ] || return 1
    done
    make -j"$(nproc)" GAME=$game all >/dev/null
}
step signature-chess "bench is the same from gcc, clang, debug, every ARCH" signatures chess
step signature-shogi "the same for shogi" signatures shogi
step rows "each row of docs/features.md switched off: its tests fail" scripts/rows.sh
# The engine in a browser: the folder for web hosts too, and its speed beside the program's.
wasm_speed() {
    WASM_LONG=1 tests/wasm.sh || return 1
    local game
    for game in chess shogi; do
        node tests/web/wasm_speed.mjs $game ./twofold-$game build/web/$game/engine.wasm || return 1
    done
}
has wasm emcc && has wasm node && step wasm "the engine in browsers, with and without threads, and its speed" wasm_speed

# The programs people download: each variant, each system, bench and suites of all of it where it can be run.
universal() {
    local game arch want got
    make -j"$(nproc)" universal >/dev/null || return 1
    for game in chess shogi; do
        want=
        for arch in x86-64 x86-64-sse41 x86-64-avx2 x86-64-bmi2; do
            got=$(TWOFOLD_ARCH=$arch ./twofold-$game bench 2>&1 | tail -n 1)
            echo "$game $arch: $got"
            case $got in *"does not run"*) continue ;; esac
            [ -n "$want" ] || want=${got%% *}
            [ "$want" = "${got%% *}" ] || return 1
        done
    done
    make -j"$(nproc)" all >/dev/null
}
[ "$(uname -m)" = x86_64 ] && step universal "every variant of the universal programs: the same bench" universal
has windows wine && has windows x86_64-w64-mingw32-gcc-posix &&
    step windows "under wine: all suites, transcripts and seeds of both games, 100 games at 1+0.01" env WINDOWS_LONG=1 tests/windows.sh
has arm aarch64-linux-gnu-gcc && step arm "the NEON code under qemu: the same bench, all suites, static and both games" env ARM_LONG=1 tests/arm.sh
# Two builds in two places, then what is in them; the package too, where it can be built and installed.
archives() {
    local first=$PWD/dist second
    second=$(mktemp -d) || return 1
    scripts/dist.sh && git clone -q . "$second/again" && "$second/again/scripts/dist.sh" && cmp "$first/SHA256SUMS" "$second/again/dist/SHA256SUMS" &&
        scripts/dist-check.sh "$first"
    local code=$?
    rm -rf "$second"
    return $code
}
step dist "make dist twice: the same bytes; every archive unpacked and run" archives

sanitized() { # sanitized SANITIZER SUITES...
    local san=$1 game
    shift
    for game in chess shogi; do
        local target=build/$game-native-debug-san-${san//,/-}-gcc/tests-$game
        make -j"$(nproc)" DEBUG=1 SAN="$san" "$target" >/dev/null && TEST_LIGHT=1 "$target" "$@" || return 1
    done
}
step sanitize-address "all suites under the address and undefined-behaviour sanitizers" sanitized address,undefined
step sanitize-thread "the search with threads under the thread sanitizer" sanitized thread test_search

# The server asked nothing but nonsense: the suites under both sanitizers, then the programs from outside.
nonsense() {
    local -x SERVE_NONSENSE=10000
    sanitized address,undefined test_serve_nonsense test_serve_tabs && sanitized thread test_serve_nonsense test_serve_tabs && tests/serve.sh
}
step serve-nonsense "10 000 requests of nonsense to serve: the right status, no crash, no leak, no race" nonsense
has valgrind valgrind && step valgrind "a short bench under valgrind" \
    sh -c 'make -j2 ARCH=x86-64 GAME=chess all >/dev/null && valgrind -q --error-exitcode=1 ./twofold-chess bench 4; r=$?; make -j2 GAME=chess all >/dev/null; exit $r'

has perft-chess stockfish && step perft-chess "perft against Stockfish, at least 1.3 times as fast" make bench-perft
has perft-shogi fairy-stockfish && step perft-shogi "shogi perft against Fairy-Stockfish, at least 8 times as fast" scripts/bench-perft-shogi.sh

# Suites that the field uses. A mate's line is as long as the mate says and ends in it: test_mates and test_shogi_search check
# every line that is told.
step mates "2000 mates at a million nodes: none wrong" \
    env TWOFOLD_MATES=tests/data/chess/mates2000.epd TWOFOLD_NODES=1000000 $tests test_mates
step krvk "1000 rook endings at a million nodes: none wrong, every mate in at most eight found" \
    env TWOFOLD_MATES=tests/data/chess/krvk1000.epd TWOFOLD_NEAR=8 TWOFOLD_NODES=1000000 $tests test_mates
step wac "Win At Chess, a second a position: at least 280 of 300" \
    env TWOFOLD_MOVETIME=1000 TWOFOLD_TACTICS_LEAST=280 $tests test_suites
step tactics-shogi "tactics of shogi, a second a position: at least 7 of 9" \
    env TWOFOLD_MOVETIME=1000 TWOFOLD_TACTICS_LEAST=7 build/shogi-native-gcc/tests-shogi test_suites
step tsume "mate problems of shogi at a million nodes: every mate found, none wrong" \
    env TWOFOLD_TSUME_NODES=1000000 build/shogi-native-gcc/tests-shogi test_shogi_search
overshoot() {
    local game
    for game in chess shogi; do TWOFOLD_OVERSHOOT=1 build/$game-native-gcc/tests-$game test_clock_reads || return 1; done
}
step overshoot "50 searches of 10 ms in each game: by how much they take longer (median under 5 ms)" overshoot

step self-play "1000 games at 1+0.01, two at once: no fault" \
    ./twofold-chess match --tc 1+0.01 --games 1000 --concurrency 2 --random-plies 8 --games-file "$long/self-play.games" --resume \
    --engine ./twofold-chess --name a --engine ./twofold-chess --name b
for opponent in toga2 glaurung "gnuchess --uci" fairy-stockfish; do
    name=${opponent%% *}
    has "match-$name" "$name" && step "match-$name" "200 games at 4+0.04 against $name" \
        ./twofold-chess match --tc 4+0.04 --games 200 --concurrency 2 --random-plies 8 --games-file "$long/match-$name.games" --resume \
        --engine ./twofold-chess --engine "$opponent"
done
has match-ethereal ethereal-chess && step match-ethereal "200 games at 8+0.08 against Ethereal" \
    ./twofold-chess match --tc 8+0.08 --games 200 --concurrency 2 --random-plies 8 --games-file "$long/match-ethereal.games" --resume \
    --engine ./twofold-chess --engine ethereal-chess
has match-fairy-usi fairy-stockfish && step match-fairy-usi "200 shogi games at byoyomi 0.5 s against Fairy-Stockfish" \
    ./twofold-shogi match --byoyomi 0.5 --games 200 --concurrency 2 --random-plies 8 --games-file "$long/match-fairy-usi.games" --resume \
    --engine ./twofold-shogi --engine fairy-stockfish
has match-gps gpsusi && step match-gps "60 shogi games at byoyomi 1.5 s against gpsusi" \
    ./twofold-shogi match --byoyomi 1.5 --games 60 --concurrency 1 --random-plies 8 --games-file "$long/match-gps.games" --resume \
    --engine ./twofold-shogi --engine gpsusi
need fathom syzygy && has fathom fathom && step fathom "100 000 positions against libfathom" \
    env TWOFOLD_SYZYGY="$suites/syzygy" scripts/compare-fathom.sh
step oracle "1000 random shogi games, every list of moves against an independent generator" scripts/shogi-oracle.sh

for name in "${chosen[@]}"; do
    case $known in *" $name "*) ;; *) echo "FAILED: there is no step '$name'" && failed=$((failed + 1)) ;; esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
