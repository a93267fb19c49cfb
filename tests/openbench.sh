#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the testing framework OpenBench asks of an engine (docs/openbench): builds by EXE= and EVALFILE=, bench, a command line in each
# argument, genfens; and the example configurations for bots. The build is the one with asserts, which is there already. The last line is `openbench: P passed, F failed, 0 skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0
check() { # TITLE WHAT-IS-WRONG
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: openbench: $1: $(printf '%s' "$2" | head -5)"
    fi
}
same() { [ "$1" = "$2" ] || echo "got '$1', expected '$2'"; }
has() { case $1 in *"$2"*) ;; *) echo "no '$2' in '$1'" ;; esac }
dir=$PWD/build/openbench
rm -rf "$dir" && mkdir -p "$dir"
build() { make -s -j"${JOBS:-2}" CC="${CC:-gcc}" DEBUG=1 TUNE=1 "$@" 2>&1; }
nodes() { "$@" bench 4 quit 2>/dev/null | sed -n '$s/ nodes.*//p'; }

# ---- builds ---------------------------------------------------------------------------------------------------------------
check "make EXE=" "$(build EXE="$dir/plain")"
check "it speaks UCI" "$(has "$("$dir/plain" uci)" uciok)"
cp nets/chess.nnue "$dir/same.nnue"
head -c 1000 nets/chess.nnue >"$dir/short.nnue"
check "make EVALFILE= with a damaged network" "$(build EXE="$dir/short" EVALFILE="$dir/short.nnue")"
check "the network it names is in it" "$(has "$("$dir/short" version 2>&1)" "built-in network is not used")"
check "make EVALFILE= with another path" "$(build EXE="$dir/same" EVALFILE="$dir/same.nnue")"
check "another path, the same network: the same bench" "$(same "$(nodes "$dir/same")" "$(nodes "$dir/plain")")"
check "a network that is not there" "$(has "$(build EXE="$dir/none" EVALFILE="$dir/none.nnue")" "none.nnue: there is no such file")"
check "a folder as a network" "$(has "$(build EXE="$dir/none" EVALFILE="$dir")" "it is a folder")"
check "a game that is none" "$(has "$(build EXE="$dir/none" GAME=go)" "GAME=go: the games are")"
check "make GAME=shogi EXE=" "$(build GAME=shogi EXE="$dir/shogi")"
check "it speaks USI" "$(has "$("$dir/shogi" usi)" usiok)"
check "make without EVALFILE again" "$(build EXE="$dir/plain2")"
check "the same program as before" "$(cmp "$dir/plain" "$dir/plain2" 2>&1)"

# ---- bench and command lines ------------------------------------------------------------------------------------------------
name=$dir/plain
line=$("$name" bench 4 | tail -1)
check "bench ends with nodes and nps" "$(echo "$line" | grep -Eq '^[0-9]+ nodes [0-9]+ nps$' || echo "$line")"
check "bench quit" "$(same "$("$name" "bench 4" quit | sed -n '$s/ nodes.*//p')" "${line%% nodes*}")"
check "options before bench" "$(has "$("$name" "setoption name Hash value 4" "position startpos moves e2e4" d quit)" "4P3/8/PPPP1PPP")"
check "what follows quit is not run" "$(same "$("$name" isready quit uci)" readyok)"
"$name" isready "setoption name Nothing value 1" quit >"$dir/bad.log" 2>&1
check "a wrong option among the lines" "$(same "$?" 2; has "$(cat "$dir/bad.log")" Nothing)"
"$name" bench nonsense quit >"$dir/bad.log" 2>&1
check "a wrong word of bench" "$(same "$?" 2; has "$(cat "$dir/bad.log")" nonsense)"

# ---- genfens ------------------------------------------------------------------------------------------------------------------
fens() { "$name" "$1" "quit"; }
fens "genfens 12 seed 18446744073709551615 book None " >"$dir/first"
fens "genfens 12 seed 18446744073709551615 book None" >"$dir/again"
fens "genfens 12 seed 18446744073709551614 book None" >"$dir/other"
check "as many positions as asked for" "$(same "$(grep -cE '^info string genfens [^ ]+/[^ ]+ [wb] [^ ]+ [^ ]+ [0-9]+ [0-9]+$' "$dir/first")" 12; same "$(wc -l <"$dir/first")" 12)"
check "no position twice" "$(sort "$dir/first" | uniq -d)"
check "a seed gives the same each time" "$(cmp "$dir/first" "$dir/again" 2>&1)"
check "another seed gives others" "$(cmp -s "$dir/first" "$dir/other" && echo "the same")"
check "both sides are to move" "$(has "$(cat "$dir/first")" ' w '; has "$(cat "$dir/first")" ' b ')"
echo '8/8/4k3/3r4/8/3R4/3PK3/8 w - - 0 1' >"$dir/a book.epd"
check "from a book, with a blank in its name" "$(fens "genfens 4 seed 5 book $dir/a book.epd" | grep -v 'genfens [^QqNnBb]* [wb] - ' | head -1; same "$(fens "genfens 4 seed 5 book $dir/a book.epd" | wc -l)" 4)"
check "words behind the book" "$(same "$(fens "genfens 1 seed 5 book None extra words")" "$(fens "genfens 1 seed 5 book none")")"
check "a network before it" "$(same "$("$name" "setoption name EvalFile value nets/chess.nnue" "genfens 1 seed 5 book None" quit)" "$(fens "genfens 1 seed 5 book None")")"
check "in shogi" "$(same "$("$dir/shogi" "genfens 3 seed 5 book None" quit | grep -c '^info string genfens .* [bw] .* [0-9]*$')" 3)"
bad() { # TITLE CODE WORD ARGUMENT...
    title=$1 code=$2 word=$3
    shift 3
    "$name" "$@" >"$dir/bad.log" 2>&1
    check "$title" "$(same "$?" "$code"; has "$(cat "$dir/bad.log")" "$word")"
}
bad "a seed that is none" 2 "'18446744073709551616'" "genfens 1 seed 18446744073709551616 book None" quit
bad "a number that is none" 2 "'many'" "genfens many seed 1 book None" quit
bad "a book that is not there" 1 "/nonexistent" "genfens 1 seed 1 book /nonexistent" quit
bad "a network that is not there, before it" 2 "/nonexistent" "setoption name EvalFile value /nonexistent" "genfens 1 seed 1 book None" quit
bad "a word that is none" 2 "'sead'" "genfens 1 sead 1" quit
# ---- bots -----------------------------------------------------------------------------------------------------------------------
# Every option that the examples for bots set, or offer in a comment, is one that the program has.
options_of() { sed -n '/^  u[cs]i_options:/,/^$/p' "$1" | sed -n 's/^    #* *"\{0,1\}\([A-Za-z][A-Za-z0-9_ ]*\)"\{0,1\}: .*/\1/p'; }
for bot in lichess:plain:uci lishogi:shogi:usi; do
    rest=${bot#*:} file=examples/${bot%%:*}-bot.yml
    "$dir/${rest%%:*}" "${rest#*:}" >"$dir/options"
    check "$file names options" "$([ "$(options_of "$file" | wc -l)" -ge 6 ] || options_of "$file")"
    check "$file: they exist" "$(options_of "$file" | while read -r option; do grep -q "^option name $option type " "$dir/options" || echo "$option"; done)"
done
if command -v python3 >/dev/null 2>&1; then
    check "docs/openbench/Twofold.json" "$(python3 -c 'import json; json.load(open("docs/openbench/Twofold.json"))' 2>&1)"
fi
echo "openbench: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
