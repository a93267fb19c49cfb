#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of the command line: every subcommand and every option of its help is offered, by bash and by zsh. What is not here
# is skipped by name. PROGRAMS names another folder with the programs. The last line is `completion: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
suite=completion
. tests/expect.sh
skipped=0
# press LINE...: what zsh makes of each line at a press of Tab, at a terminal of its own.
cat >"$work/press.zsh" <<'END'
folder=$1 && shift
zmodload zsh/zpty && zpty shell zsh -f -i || exit
zpty -w shell "fpath=(${(q)folder} \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell "keep() { print -rn -- \"\$BUFFER|\" >>${(q)folder}/pressed; zle kill-buffer }; zle -N keep; bindkey '^I' complete-word '^X' keep"
nb=0
for line; do
    zpty -w -n shell "$line"$'\t\C-x' && ((++nb))
    until [[ -e $folder/pressed && ${#${(s:|:)"$(<$folder/pressed)"}} -ge $nb ]]; do
        zpty -r -t shell out || sleep 0.02 # the shell waits for a reader of what it draws
    done
done
END
press() {
    rm -f "$work/pressed"
    timeout 120 zsh -f "$work/press.zsh" "$work" "$@" >"$work/errors" 2>&1
    cat "$work/pressed" "$work/errors"
}
for game in chess shogi; do
    program=${PROGRAMS:-.}/twofold-$game
    scripts/completion.sh bash "$program" >"$work/bash" 2>"$work/errors"
    expect "$game: written for bash" "$? $(head -1 "$work/errors")" "0 "
    scripts/completion.sh zsh "$program" >"$work/_twofold-$game" 2>"$work/errors"
    expect "$game: written for zsh" "$? $(head -1 "$work/errors")" "0 "
    # Whatever --help lists is in both.
    for command in $("$program" --help | sed -n "s/^  twofold-$game \([a-z][a-z]*\)  .*/\1/p"); do
        options=$("$program" "$command" --help | sed -n 's/^  .. *\(--[a-z0-9-]*\).*/\1/p; s/^  -[a-zA-Z], \(--[a-z0-9-]*\).*/\1/p' | sort -u)
        missing=
        for option in $options; do
            for file in bash "_twofold-$game"; do grep -qE -- "[' *]$option[] '[]" "$work/$file" || missing="$missing $file:$option"; done
        done
        expect "$game $command: options that are missing" "$missing" ""
    done
    if command -v bash >/dev/null 2>&1; then
        # offer WORDS...: what bash would offer for the last of them, with strokes between.
        offer() { bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _twofold_'"$game"'; IFS="|"; echo "${COMPREPLY[*]}"' _ "$work/bash" "$@" 2>&1; }
        expect "$game: bash: a subcommand" "$(offer twofold-$game ana)" analyse
        expect "$game: bash: an option" "$(offer twofold-$game match --concurr)" --concurrency
        expect "$game: bash: an action" "$(offer twofold-$game book ma)" make
        expect "$game: bash: a file" "$(offer twofold-$game analyse READ)" README.md
        expect "$game: bash: a value is a file" "$(offer twofold-$game analyse --json READ)" README.md
        touch "$work/a game.pgn" "$work/a 七番.pgn"
        expect "$game: bash: names with blanks" "$(offer twofold-$game analyse "$work/a" | tr '|' '\n' | sort | sed "s|$work/||" | tr '\n' '|')" "a game.pgn|a 七番.pgn|"
        expect "$game: bash: a value with a blank" "$(offer twofold-$game analyse --json "$work/a g")" "$work/a game.pgn"
    else
        skipped=$((skipped + 1)) && echo "skipped: completion: bash is not here"
    fi
    if command -v zsh >/dev/null 2>&1; then
        expect "$game: zsh reads it" "$(zsh -n "$work/_twofold-$game" 2>&1)" ""
        expect "$game: zsh completes" "$(press "twofold-$game analys" "twofold-$game match --concurr" "twofold-$game book ma" "twofold-$game analyse --json READ")" \
            "twofold-$game analyse |twofold-$game match --concurrency |twofold-$game book make |twofold-$game analyse --json README.md |"
    else
        skipped=$((skipped + 1)) && echo "skipped: completion: zsh is not here"
    fi
done
scripts/completion.sh fish ./twofold-chess >"$work/out" 2>&1
expect "another shell" "$? $(cat "$work/out")" "2 usage: scripts/completion.sh bash|zsh PROGRAM"
echo "completion: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
