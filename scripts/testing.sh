# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts that run tests share (scripts/test.sh, scripts/test-san.sh): builds, runs side by side, the sums. Sourced
# by them in the project's folder. Each run's output goes to build/run-NAME.log; what failed or was skipped is shown.
#   JOBS=2   compilers at once           CC, ARCH   as for make
# What make was given besides is forgotten: the flavours to build are chosen by the scripts.
unset MAKEFLAGS DEBUG SAN TUNE WERROR PGO GAME
# The tests expect English, which the programs speak unless the system asks for Japanese.
case ${LC_ALL:-${LC_MESSAGES:-$LANG}} in ja*) export LC_ALL=C.UTF-8 ;; esac
arch=${ARCH:-native}
jobs=${JOBS:-2}
cc=${CC:-gcc}
name=$(basename "${cc%% *}")
games=$(for header in src/games/*/game.h; do basename "$(dirname "$header")"; done)
passed=0 failed=0 skipped=0
mkdir -p build
# Games that tests play are not kept among the user's own.
XDG_DATA_HOME=$PWD/build/data
export XDG_DATA_HOME
log=build/test.log
: >"$log"

say() { printf '%s\n' "$*"; }
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)) && say "FAILED: $*"; }
skip() { skipped=$((skipped + 1)) && say "skipped: $*"; }
finish() {
    if [ "$skipped" -gt 0 ]; then
        say "$passed passed, $failed failed, $skipped skipped"
    else
        say "$passed passed, $failed failed"
    fi
    [ "$failed" -eq 0 ]
    exit $?
}

# build TITLE MAKE-ARGUMENTS...: stops the run when it fails, since nothing after it would mean anything.
build() {
    title=$1
    shift
    since=$(date +%s)
    if ! make -j"$jobs" "$@" >build/make.log 2>&1; then
        grep -E '(error|Error|undefined reference)[ :]' build/make.log | head -20
        fail "the build of $title (build/make.log has all of it)"
        finish
    fi
    grep 'warning:' build/make.log | head -5 # told, but no failure: other compilers know other warnings
    say "built $title ($(($(date +%s) - since)) s)"
}

# start SLOT COMMAND...: runs it in the background; tally reads what it said when it has ended.
start() {
    slot=$1
    shift
    {
        since=$(date +%s)
        "$@" >"build/run-$slot.log" 2>&1
        echo "$? $(($(date +%s) - since))" >"build/run-$slot.code"
    } &
}

# tally SLOT TITLE: its last line `...: P passed, F failed, S skipped` is added up. No such line is a failure.
tally() {
    output=build/run-$1.log
    read -r code seconds <"build/run-$1.code"
    cat "$output" >>"$log"
    grep -aE '^(FAILED|skipped)|runtime error|ERROR: |WARNING: ' "$output" | head -40
    line=$(grep -aE ': [0-9]+ passed, [0-9]+ failed' "$output" | tail -1)
    if [ -z "$line" ]; then
        tail -5 "$output"
        fail "$2 ended with code $code and no summary"
        return
    fi
    what=$2
    # shellcheck disable=SC2046
    set -- $(printf '%s\n' "$line" | sed 's/.*: //; s/[^0-9 ]//g')
    passed=$((passed + ${1:-0})) failed=$((failed + ${2:-0})) skipped=$((skipped + ${3:-0}))
    if [ "$code" -ne 0 ] && [ "${2:-0}" -eq 0 ]; then
        fail "$what ended with code $code"
    fi
    say "$what: ${1:-0} passed, ${2:-0} failed ($seconds s)"
}

# once TITLE COMMAND...: runs it and adds it up.
once() {
    title=$1
    shift
    start once "$@"
    wait
    tally once "$title"
}

# each TITLE COMMAND...: the command once for every game, all at the same time, GAME in it standing for the game.
each() {
    title=$1
    shift
    for game in $games; do
        # shellcheck disable=SC2046
        start "$game" $(printf '%s ' "$@" | sed "s/GAME/$game/g")
    done
    wait
    for game in $games; do tally "$game" "$title of $game"; done
}

# The program that plays transcripts against the programs.
build_driver() {
    $cc -std=gnu17 -O1 -Isrc -o build/protocol_driver tests/protocol_driver.c src/base/*.c -pthread -lm ||
        fail "the protocol driver does not build"
}
