#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a terminal sees, in a real one: the progress bar stays on its line however narrow the terminal is and wherever the
# report goes; the board has colours, unless they are not wanted. The last line is
# `terminal: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if ! command -v script >/dev/null || ! command -v stty >/dev/null; then
    echo "terminal: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
# on COLUMNS COMMAND: the file "seen" is what the command shows on a terminal of that width, a line for each time it is drawn.
on() {
    TERM=xterm script -qec "stty cols $1; $2" /dev/null 2>&1 </dev/null | tr '\r' '\n' >"$work/seen"
}
# shows and hides PATTERN WHAT: some line seen matches, or something is seen and nothing matches.
shows() {
    if grep -q -- "$1" "$work/seen"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: terminal: $2"; fi
}
hides() {
    if ! grep -q . "$work/seen" || grep -q -- "$1" "$work/seen"; then failed=$((failed + 1)) && echo "FAILED: terminal: $2"; else passed=$((passed + 1)); fi
}
escape=$(printf '\033')
colour="$escape\[[0-9;]*m" # the editor of lines draws with other sequences, which NO_COLOR leaves alone
XDG_DATA_HOME=$work/data
export XDG_DATA_HOME
# types COLUMNS COMMAND: the same with a keyboard: what comes on standard input is typed, a line of it each moment.
types() {
    while IFS= read -r keys; do
        sleep "${PAUSE:-0.4}"
        printf '%b' "$keys"
    done | TERM=xterm LC_ALL=C.UTF-8 script -qec "stty cols $1; $2; echo code \$?" /dev/null 2>&1 | tr '\r' '\n' >"$work/seen"
}
echo '1. e4 e5 2. Nf3 Nc6 *' >"$work/chess"
echo 'startpos moves 7g7f 3c3d 2g2f 8c8d' >"$work/shogi"
for game in ${GAMES:-chess shogi}; do
    program=${PROGRAMS:-.}/twofold-$game
    for columns in 20 40 80; do
        on $columns "$program analyse $work/$game --nodes 200 >/dev/null"
        shows '^\[##*\] [5-9]' "$game: no bar in $columns columns"
        hides "^.\{$columns\}" "$game: a bar that does not fit into $columns columns"
    done
    on 40 "$program analyse $work/$game --nodes 20000 -j1 >/dev/null"
    shows '^\[#*\.*\] [0-4] of 5, [0-9]*%  [0-9]* s  ' "$game: no time left in 40 columns"
    on 100 "$program datagen --games 3 --nodes 20 --out $work/$game.tfg"
    shows '^3 games, [0-9]* positions, ' "$game: no progress of datagen"
    hides "^.\{100\}" "$game: progress of datagen that does not fit into 100 columns"
    on 40 "echo moves | NO_COLOR=1 $program play --nodes 10 --ascii"
    if [ $game = chess ]; then
        shows '^a3  *b3  *c3  *d3$' "$game: the moves in rows that are no 40 columns wide"
    else
        shows '^    White: -$' "$game: no hand above the board in 40 columns"
        hides ' a    White: -' "$game: a hand beside the board in 40 columns"
    fi
    on 80 "$program play --nodes 10"
    shows "$colour" "$game: no colours"
    on 80 "NO_COLOR=1 $program play --nodes 10"
    hides "$colour" "$game: colours in spite of NO_COLOR"
    on 80 "TERM=dumb $program play --nodes 10"
    hides "$escape" "$game: colours on a dumb terminal"
    on 80 "$program demo 1"
    shows "$colour" "$game: no colours in the demonstration"
    on 80 "NO_COLOR=1 $program demo 1"
    hides "$colour" "$game: colours in the demonstration in spite of NO_COLOR"
    on 80 "TERM=dumb $program demo 1"
    hides "$escape" "$game: colours in the demonstration on a dumb terminal"
    rm -rf "$work/data"
    play="$program play --nodes 100 --no-colour"
    [ $game = chess ] && begin=Nf move=e2e4 || begin=7g7 move=7g7f
    # A word is completed, the line before comes back, Ctrl-C takes back what was typed, then asks; y leaves.
    printf '%s\n' "$begin\\t\\r" "xyzzy\\r" '\033[A' '\003' '\003' 'n' '\003' 'y' | types 60 "$play"
    shows '^Twofold plays 1\.\.\.' "$game: no answer to a completed move"
    shows "your move 2.*> $escape\[K\$\|> xyzzy" "$game: no line of before"
    shows 'Leave the game? (y/n) n' "$game: nothing asked at Ctrl-C"
    shows '^The game is kept: ' "$game: not told that the game is kept"
    shows '^code 130' "$game: another exit code after Ctrl-C"
    # It is offered again. The clock runs in the prompt, and out.
    printf '%s\n' 'resume\r' '\004' | types 60 "$play"
    shows '^Your last game, of 2 half-moves' "$game: no offer of the last game"
    shows '^Loaded 2 moves' "$game: the last game is not gone on with"
    printf '%s\n' "$move\\r" '' '' '' '' '' '' '' '' '' 'quit\r' | types 60 "$play --side both --clock 0.04"
    shows '^White 2\.[0-4], your move\|^Black 2\.[0-4], your move' "$game: no running clock in the prompt"
    shows '^White 0\.0, your move\|has run out of time' "$game: the clock does not run out by itself"
    # What is typed while the engine thinks is not lost, and what it thinks is on a line that is drawn over.
    printf '%s\n' "$move\\r" 'hel' '' '' '' '' 'p\r' 'quit\r' | types 40 "$program play --time 2000 --no-colour"
    shows '^Twofold thinks: ' "$game: nothing to see of its thinking"
    hides '^Twofold thinks: [0-9.]* s[^,]*$' "$game: thinking that is blank again after it was shown"
    hides '^Twofold thinks: .\{30\}' "$game: thinking that does not fit into 40 columns"
    shows '^  undo ' "$game: what was typed while it thought is lost"
    # The terminal is as before, also after an end by a signal.
    types 60 "$play & sleep 1; kill -TERM \$!; wait \$!; stty -a" </dev/null
    shows ' icanon .*\|^isig icanon' "$game: the terminal is left without lines"
done
echo "terminal: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
