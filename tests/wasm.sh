#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The pages with the engine inside, of both games: their sizes, then the module under node and the pages in Chromium, beside
# the programs here. What is missing is skipped by name. With WASM_LONG=1 (`make test-long`) also the folder for web hosts,
# with and without threads. The last line is `wasm: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
skip() { skipped=$((skipped + 1)) && echo "skipped: $*"; }
finish() {
    echo "wasm: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit $?
}
# add COMMAND...: its output, and its last line added up.
add() {
    "$@" >build/wasm-part.log 2>&1
    code=$?
    cat build/wasm-part.log
    line=$(grep -E ': [0-9]+ passed, [0-9]+ failed' build/wasm-part.log | tail -1)
    # shellcheck disable=SC2046
    set -- $(printf '%s\n' "$line" | sed 's/.*: //; s/[^0-9 ]//g')
    passed=$((passed + ${1:-0})) failed=$((failed + ${2:-0})) skipped=$((skipped + ${3:-0}))
    if [ -z "$line" ] || { [ "$code" -ne 0 ] && [ "${2:-0}" -eq 0 ]; }; then
        failed=$((failed + 1)) && echo "FAILED: it ended with code $code"
    fi
}

for tool in "${EMCC:-emcc}" node; do
    command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
if [ -n "$missing" ]; then
    skip "the wasm build: not here:$missing"
    finish
fi
mkdir -p build
unset MAKEFLAGS
pages="build/web/twofold-chess.html build/web/twofold-shogi.html"
[ -z "$WASM_LONG" ] || pages=web
# shellcheck disable=SC2086
if ! make -j"${JOBS:-2}" $pages >build/web.log 2>&1; then
    grep -E 'error|Error|web:' build/web.log | head
    failed=1 && echo "FAILED: make web (build/web.log has all of it)"
    finish
fi

# size GAME BYTES NET: a page may have so many bytes with a network of NET bytes; a larger one may add what it adds as text.
size() {
    bytes=$(wc -c <"build/web/twofold-$1.html") net=$(wc -c <"nets/$1.nnue")
    most=$2
    [ "$net" -le "$3" ] || most=$((most + (net - $3) * 4 / 3))
    if [ "$bytes" -le "$most" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1)) && echo "FAILED: the page of $1 has $bytes bytes, more than $most"
    fi
}
size chess 800000 201216
size shogi 2400000 1185280

for game in chess shogi; do
    add node tests/web/wasm_node.mjs $game ./twofold-$game build/web/$game/engine.wasm
done
for game in chess shogi; do
    add node tests/web/wasm_browser.mjs $game ./twofold-$game
done
finish
