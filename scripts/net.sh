#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One generation of the network, from zero or from the generation before: self-play -> training -> a match -> accepted
# or not. `make net GAME=chess` again and again is the whole way from material to a network; nothing but the program
# and the generations before goes in. Killed at any moment, the same command goes on where it was.
#   INSTALL=1   an accepted network also goes to nets/, to be built in
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
GAME=${1:?usage: scripts/net.sh GAME}
[ -f "src/games/$GAME/game.h" ] || { echo "net: there is no game '$GAME'" >&2; exit 2; }

# ---- parameters: each can be set in the environment -------------------------------------------------------------------
DATA=${TWOFOLD_DATA:-../twofold-data}/$GAME   # one folder for each generation; about 5 bytes a position
POSITIONS=${POSITIONS:-5000000}               # to play
NODES=${NODES:-300}                           # a move
THREADS=${THREADS:-$(nproc)}
KEEP=${KEEP:-4}                               # train on the games of so many generations, this one included
# What paid in each game (docs/measurements/lab.md): shogi's network has six times as many weights and learns games by heart if nothing holds it.
EPOCHS=${EPOCHS:-$([ "$GAME" = shogi ] && echo 5 || echo 10)}
DECAY=${DECAY:-$([ "$GAME" = shogi ] && echo 0.5 || echo 0.01)}
LAMBDA=${LAMBDA:-$([ "$GAME" = shogi ] && echo 0.1 || echo 0.05)} # share of the game's result
# Shogi games are rarely drawn and seldom decided by a thousand points, and its sigmoid is wider.
PLAY=${PLAY:-$([ "$GAME" = shogi ] && echo "--win-score 2500 --draw-score -1 --max-plies 320" || true)}
SCALE=${SCALE:-$([ "$GAME" = shogi ] && echo 600 || echo 400)}
MATCH_LIMIT=${MATCH_LIMIT:---nodes 5000}
MATCH_GAMES=${MATCH_GAMES:-2000}              # at most; the test usually ends it long before
SPRT=${SPRT:-0 10 0.05 0.05}
INSTALL=${INSTALL:-0}

# ---- which generation -------------------------------------------------------------------------------------------------
mkdir -p "$DATA"
number=1
while [ -e "$DATA/generation-$number/verdict" ]; do number=$((number + 1)); done
here=$DATA/generation-$number
mkdir -p "$here"
# The best so far is the last accepted one; before there is any, material alone.
best=none
for ((g = 1; g < number; g++)); do
    [ "$(head -n 1 "$DATA/generation-$g/verdict")" = accepted ] && best=$DATA/generation-$g/net.nnue
done
# The program is kept with its generation, so that a change of the sources in between does not mix two programs.
if [ ! -e "$here/twofold-$GAME" ]; then
    make -s GAME="$GAME"
    cp "twofold-$GAME" "$here/program.tmp" && mv "$here/program.tmp" "$here/twofold-$GAME"
fi
program=$here/twofold-$GAME
echo "generation $number of $GAME in $here, playing with ${best}"

# ---- self-play --------------------------------------------------------------------------------------------------------
# The seed follows from the generation: everyone gets the same games.
read -ra play <<< "$PLAY"
"$program" datagen --out "$here/games.tfg" --positions "$POSITIONS" --nodes "$NODES" --hard-nodes $((NODES * 10)) \
    --seed "$number" --threads "$THREADS" --net "$best" \
    "${play[@]}"
stored=$("$program" data info "$here/games.tfg" | head -n 1)
"$program" data check "$here/games.tfg" > "$here/check.txt" || { cat "$here/check.txt"; exit 1; }

# ---- training ---------------------------------------------------------------------------------------------------------
if [ ! -e "$here/net.nnue" ]; then
    files=()
    for ((g = number > KEEP ? number - KEEP + 1 : 1; g <= number; g++)); do files+=("$DATA/generation-$g/games.tfg"); done
    "$program" train --data "${files[@]}" --out "$here/net.nnue" --checkpoint "$here/training" --name "$GAME generation $number" \
        --epochs "$EPOCHS" --decay "$DECAY" --wdl "$LAMBDA" --scale "$SCALE" --threads "$THREADS" --seed "$number" | tee -a "$here/training.txt"
fi

# ---- the match --------------------------------------------------------------------------------------------------------
read -ra limit <<< "$MATCH_LIMIT"
read -ra bounds <<< "$SPRT"
rm -f "$here/match.json"
status=0
"$program" match "${limit[@]}" --games "$MATCH_GAMES" --sprt "${bounds[@]}" --concurrency "$THREADS" --seed "$number" \
    --games-file "$here/match.txt" --resume --json "$here/match.json" \
    --engine "'$program'" --name new --option "EvalFile=$here/net.nnue" --engine "'$program'" --name old --option "EvalFile=$best" || status=$?
# The exit code also tells how a test ended; a match that was cut short is to be continued, not judged.
grep -q '"end":"finished"\|"verdict":"H[01]' "$here/match.json" || exit "$status"
elo=$(sed -n 's/.*"elo":\(-\{0,1\}[0-9.]*\).*/\1/p' "$here/match.json" | head -n 1)
elo_low=$(sed -n 's/.*"elo_low":\(-\{0,1\}[0-9.]*\).*/\1/p' "$here/match.json" | head -n 1)

# ---- the verdict: by the sequential test, or by a match that leaves no doubt ----------------------------------------------
verdict=refused
if grep -q '"verdict":"[^"]*H1' "$here/match.json" || awk "BEGIN { exit !(${elo_low:-0} > 0) }"; then verdict=accepted; fi
loss=$(sed -n 's/^epoch *[0-9]*\/[0-9]* *\(loss.*\) *rate.*/\1/p' "$here/training.txt" | tail -n 1)
printf '%s\n%s\n%s nodes a move, %s epochs, result share %s\n%s\n%s Elo against %s\n' "$verdict" "$stored" "$NODES" "$EPOCHS" "$LAMBDA" \
    "${loss:-}" "${elo:-?}" "$best" > "$here/verdict.tmp"
mv "$here/verdict.tmp" "$here/verdict"
cat "$here/verdict"
if [ "$verdict" = accepted ] && [ "$INSTALL" = 1 ]; then
    mkdir -p nets
    cp "$here/net.nnue" "nets/$GAME.nnue"
    echo "nets/$GAME.nnue is generation $number now"
fi
