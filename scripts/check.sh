#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The habits that a script can hold: `make check`. With the argument `quick` only what needs no build.
# Layers point one way: base <- games/<game> <- nnue <- search <- session <- {protocol, console, analysis, arena} <- main.c;  arena <- train.
# The tables of who may see what stand in scripts/layers.sh.
# The last line is `check: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
quick=
[ "$1" = quick ] && quick=1
passed=0 failed=0 skipped=0
games=$(for header in src/games/*/game.h; do basename "$(dirname "$header")"; done)
warnings='-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)) && echo "FAILED: $*"; }
# verdict TITLE: the lines in $work/bad are what is wrong.
verdict() {
    if [ -s "$work/bad" ]; then
        head -20 "$work/bad"
        fail "$1"
    else
        pass
    fi
}

# ---- layers -----------------------------------------------------------------------------------------------------------
scripts/layers.sh >"$work/bad"
verdict "layers point one way, and each header of the games is for its audience"

scripts/headers.sh >"$work/bad"
verdict "private headers declare their own file's functions"
scripts/sizes.sh >"$work/bad"
verdict "functions fit a screen, files a sitting"
scripts/search-doc.sh >"$work/bad"
verdict "docs/search.md says what the search does"
scripts/elo-curve.sh --check 2>"$work/bad"
verdict "the picture of Elo over positions is that of its tables"
scripts/phrases.sh >"$work/bad"
verdict "the table of phrases has all that people are told, and no more"
scripts/repeats.sh >"$work/bad"
verdict "no six lines stand twice"

grep -nE '^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif)[^/]*(CHESS|SHOGI|chess|shogi|GAME_NAME|PARAM_COLUMN)' -r src --include='*.c' --include='*.h' |
    grep -v '^src/games/' >"$work/bad"
verdict "no #if on a game outside games/"
grep -niE 'chess|shogi' -r src/search src/nnue >"$work/bad"
verdict "search and network name no game"
find src tests -name '*.c' -o -name '*.h' | while read -r file; do
    head -3 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$file"
done >"$work/bad"
verdict "an SPDX line in each source"
grep -nE '(^|[^a-z_])(atoi|atol|strtok|setjmp|longjmp)[[:space:]]*\(' -r src --include='*.c' --include='*.h' >"$work/bad"
verdict "no atoi, strtok, setjmp"
grep -nE '(^|[^a-z_])(exit|abort)[[:space:]]*\(' -r src --include='*.c' | grep -v ':[[:space:]]*//' >"$work/bad"
verdict "only main ends the program"
# One name, one type; the games' own types are the contract's twins.
grep -rnoE '^\} [A-Z][A-Za-z0-9]+;' src --include='*.c' --include='*.h' |
    awk -F: '{ name = $3; gsub(/[} ;]/, "", name); twin = $1 ~ /^src\/games\/[a-z]+\//
        if (name in where && !(twin && was_twin[name])) print name ": " where[name] " and " $1
        where[name] = $1; was_twin[name] = twin }' >"$work/bad"
verdict "no two types of one name"
: >"$work/bad"
# Data and transcripts; what the sources of tests may have is a matter of sizes.sh.
kilobytes=$(find tests/data tests/protocol -type f -exec cat {} + | wc -c | awk '{ print int($1 / 1024) }')
[ "$kilobytes" -lt 1024 ] || echo "$kilobytes KB of test data" >"$work/bad"
verdict "test data stays under 1 MB"

# ---- format -----------------------------------------------------------------------------------------------------------
# Another version of clang-format formats otherwise: then this is skipped by name.
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    find src tests include examples -name '*.c' -o -name '*.h' | xargs clang-format --dry-run 2>&1 | grep 'warning:' >"$work/bad"
    verdict "sources are formatted (make format)"
else
    echo "skipped: sources are formatted: clang-format 14 is not here"
    skipped=$((skipped + 1))
fi

# ---- headers compile alone --------------------------------------------------------------------------------------------
cc=${CC:-gcc}
for game in $games; do
    : >"$work/bad"
    for header in $(find src -name '*.h' | sort); do
        case $header in
        src/games/"$game"/*) ;;
        src/games/*/* | src/games/rules.h | src/games/heuristics.h | src/games/features.h) continue ;; # parts of game.h
        esac
        case $header in
        src/*/*/*) name=$(basename "$header") ;;
        *) name=${header#src/} ;;
        esac
        printf '#include "%s"\n' "$name" >"$work/alone.c"
        # shellcheck disable=SC2086
        "$cc" -std=gnu17 $warnings -Wno-unused-function -Werror -fsyntax-only -DTWOFOLD_GAME="$game" -Isrc -Isrc/games/"$game" "$work/alone.c" 2>"$work/errors" ||
            { echo "$header" && head -3 "$work/errors"; } >>"$work/bad"
    done
    verdict "headers compile alone ($game)"
done

# ---- builds without a warning -------------------------------------------------------------------------------------------
if [ -z "$quick" ]; then
    for compiler in gcc clang; do
        if ! command -v "$compiler" >/dev/null 2>&1; then
            echo "skipped: $compiler is not here"
            skipped=$((skipped + 1))
            continue
        fi
        for debug in '' 1; do
            targets=
            for game in $games; do
                dir=build/$game-native${debug:+-debug}-werror-$compiler
                targets="$targets $dir/twofold-$game $dir/tests-$game"
            done
            # shellcheck disable=SC2086
            if make -j"${JOBS:-2}" CC=$compiler WERROR=1 DEBUG=$debug $targets >"$work/make.log" 2>&1; then
                pass
            else
                grep -E 'error' "$work/make.log" | head -20
                fail "$compiler${debug:+ with asserts} builds without a warning"
            fi
        done
    done
    if scripts/check-contract.sh $games >"$work/contract.log" 2>&1; then pass; else
        tail -5 "$work/contract.log"
        fail "the contract bites"
    fi
    for what in layers sizes phrases repeats search-doc rows; do
        if "scripts/check-$what.sh" >"$work/$what.log" 2>&1; then pass; else
            tail -5 "$work/$what.log"
            fail "the check of $what bites"
        fi
    done
    scripts/check-32bit.sh >"$work/narrow.log" 2>&1
    case $? in
    0) pass ;;
    3) echo "skipped: sources for 32 bits: $(tail -1 "$work/narrow.log")" && skipped=$((skipped + 1)) ;;
    *) head -20 "$work/narrow.log" && fail "sources for 32 bits" ;;
    esac
fi
echo "check: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
