#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Training over threads and ranks: the same network to the bit however many there are, also when a run is continued with
# others; and what happens when a rank dies or has other games. The last line is `cluster_train: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
suite=cluster_train
. tests/expect.sh
skipped=0
program=${PROGRAMS:-.}/twofold-chess
"$program" datagen --out "$work/games.tfg" --games 24 --seed 5 --nodes 40 --hard-nodes 200 --threads 2 >/dev/null 2>&1
expect "games to learn from" "$?" 0
"$program" datagen --out "$work/others.tfg" --games 3 --seed 6 --nodes 40 --hard-nodes 200 >/dev/null 2>&1
words="train --epochs 2 --batch 128 --lr 0.01 --validation 0.2 --seed 3"
# learn NAME COMMAND...: what it says goes to NAME.out and NAME.err, its network to NAME.nnue.
learn() {
    name=$1
    shift
    # shellcheck disable=SC2086
    timeout 120 "$@" $words --data "$work/games.tfg" --out "$work/$name.nnue" >"$work/$name.out" 2>"$work/$name.err"
}
same() { # TITLE NAME: its network is the one of a run alone.
    cmp -s "$work/one.nnue" "$work/$2.nnue"
    expect "$1" "$?" 0
}
losses() { grep -o 'loss [0-9.]*  validation [0-9.]*' "$work/$1.out"; }

learn one "$program"
expect "alone" "$? $(wc -l <"$work/one.err")" "0 0"
words_alone=$words
for threads in 2 4 7; do
    words="$words_alone --threads $threads"
    learn threads "$program"
    same "$threads threads" threads
done
words=$words_alone
for ranks in 2 3 4 17; do
    learn ranks "$program" --ranks "$ranks"
    expect "$ranks ranks end well and in silence" "$? $(cat "$work/ranks.err")" "0 "
    same "$ranks ranks" ranks
    expect "the losses of $ranks ranks" "$(losses ranks)" "$(losses one)"
done
words="$words_alone --threads 2"
learn both "$program" --ranks 2
same "two threads on each of two ranks" both
expect "they are told" "$(grep -c ', 2 threads on each of 2 ranks$' "$work/both.out")" 1
words="$words_alone --epochs 4 --average 0"
learn four "$program"
for ranks in 2 1 4; do
    words="$words_alone --epochs 4 --average 0 --checkpoint $work/state --stop-after $((${stop:-1}))"
    stop=$((${stop:-1} + 1))
    [ $stop -gt 3 ] && words="$words_alone --epochs 4 --average 0 --checkpoint $work/state"
    learn parts "$program" --ranks $ranks
    expect "an epoch with $ranks ranks" "$?" 0
done
cmp -s "$work/four.nnue" "$work/parts.nnue"
expect "continued with other ranks it ends in the same network" "$?" 0

# ---- what goes wrong ------------------------------------------------------------------------------------------------
words=$words_alone
said=$("$program" --ranks 3 train --data "$work/none.tfg" --out "$work/x.nnue" 2>&1 >/dev/null)
expect "no data: the code and one message" "$? $(printf '%s\n' "$said" | wc -l)" "1 1"
said=$("$program" --ranks 3 train --data "$work/games.tfg" 2>&1 >/dev/null)
expect "a wrong call: the code and one message" "$? $(printf '%s\n' "$said" | grep -c 'are needed')" "2 1"
said=$("$program" --ranks 2 train --data "$work/games.tfg" --epochs 1 --out /no/such/folder/x.nnue 2>&1 >/dev/null)
expect "nowhere to write: the code and one message" "$? $(printf '%s\n' "$said" | wc -l)" "1 1"
# Ranks are started by the name that rank 0 was called by, here that of a script: rank 1 sees another folder.
case $program in /*) path=$program ;; *) path=$PWD/$program ;; esac
cat >"$work/elsewhere.sh" <<END
#!/bin/bash
case " \$* " in *" --rank 1/3 "*) cd "$work/elsewhere" ;; *) cd "$work" ;; esac
exec -a "$work/elsewhere.sh" "$path" "\$@"
END
if [ -x /bin/bash ]; then
    chmod +x "$work/elsewhere.sh" && mkdir "$work/elsewhere" && cp "$work/others.tfg" "$work/elsewhere/games.tfg"
    said=$(timeout 60 "$work/elsewhere.sh" --ranks 3 train --data games.tfg --out x.nnue 2>&1 >/dev/null)
    expect "a rank with other games" "$? $said" \
        "1 twofold-chess train: rank 1 has other games, other settings, or a processor that rounds otherwise"
    rm "$work/elsewhere/games.tfg"
    said=$(timeout 60 "$work/elsewhere.sh" --ranks 3 train --data games.tfg --out x.nnue 2>&1 >/dev/null)
    expect "a rank without games: one message" \
        "$(printf '%s\n' "$said" | wc -l) $(printf '%s\n' "$said" | grep -c "^twofold-chess train: rank 1: .*games.tfg")" "1 1"
else
    skipped=$((skipped + 1))
    echo "skipped: cluster_train: ranks that see other files: needs bash"
fi
rm -f "$work/x.nnue"
# kill_rank SIGNAL RANK: in the middle of a run with three ranks.
kill_rank() {
    rm -f "$work/long.out"
    "$program" --ranks 3 train --epochs 9999 --batch 128 --data "$work/games.tfg" --out "$work/x.nnue" >"$work/long.out" 2>"$work/long.err" &
    first=$!
    tries=600
    until grep -qs '^epoch  *2/' "$work/long.out" || [ $tries -eq 0 ]; do
        tries=$((tries - 1))
        sleep 0.1
    done
    victim=$first
    [ "$2" -gt 0 ] && victim=$(pgrep -P $first -f -- "--rank $2/3")
    kill -"$1" $victim
    wait $first
    code=$?
}
if command -v pgrep >/dev/null; then
    kill_rank KILL 1
    expect "a rank killed: the code and one message" "$code $(cat "$work/long.err")" "1 twofold-chess train: rank 1 is gone"
    expect "nothing was written" "$(ls "$work" | grep -c '^x.nnue')" 0
    kill_rank TERM 0
    expect "rank 0 interrupted: the code and one message" "$code $(grep -c '^twofold-chess train: interrupted in epoch' "$work/long.err") $(wc -l <"$work/long.err")" "143 1 1"
    sleep 0.5
    expect "nobody stays behind" "$(pgrep -f "$work/games.tfg" | wc -l)" 0
else
    skipped=$((skipped + 1))
    echo "skipped: cluster_train: a rank killed: needs pgrep"
fi
if command -v mpirun >/dev/null && command -v mpicc >/dev/null; then
    make -s GAME=chess MPI=1 build/chess-native-mpi-gcc/twofold-chess CC=gcc >"$work/make.log" 2>&1
    expect "make MPI=1" "$?" 0
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    words=$words_alone
    for ranks in 1 2 4; do
        learn mpi mpirun --oversubscribe --bind-to none -n $ranks build/chess-native-mpi-gcc/twofold-chess
        same "$ranks ranks of MPI" mpi
    done
else
    skipped=$((skipped + 1))
    echo "skipped: cluster_train: under mpirun: needs mpirun and mpicc (openmpi-bin, libopenmpi-dev)"
fi
echo "cluster_train: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
