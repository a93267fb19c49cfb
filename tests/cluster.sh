#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Several processes and machines as one run: ranks joined by pipes, ranks of MPI, two hosts that are network namespaces of
# their own, and shares that `merge` joins give the bytes of a run alone; and nothing that was finished is lost when a rank is
# killed, the network is cut or the disk is full. What needs MPI, or the right to make namespaces and mounts, is skipped by
# name where that is missing. The last line is `cluster: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
suite=cluster
. tests/expect.sh
skipped=0
skip() { skipped=$((skipped + 1)) && echo "skipped: cluster: $*"; }
root=$PWD
plain=$root/${PROGRAMS:-.}/twofold-chess
cp tests/data/chess/pgn/kasparov-deep-blue-1997.pgn "$work/games.pgn" && chmod u+w "$work/games.pgn"
cd "$work" || exit 1
unset OMPI_COMM_WORLD_SIZE PMIX_RANK PMI_RANK TWOFOLD_MPI
games=80
play="datagen --games $games --nodes 200"
judge='analyse games.pgn --nodes 300 -q'
# same TITLE FILE FILE
same() {
    cmp -s "$2" "$3"
    expect "$1" "$?" 0
}
# wait_for BYTES FILE PID: until the file has so many bytes, or the process has ended.
wait_for() {
    while kill -0 "$3" 2>/dev/null && [ "$(cat "$2" 2>/dev/null | wc -c)" -lt "$1" ]; do sleep 0.05; done
}
# children PID: the processes it has started.
children() { ps -o pid= --ppid "$1" | tr -d ' '; }

# ---- alone ------------------------------------------------------------------------------------------------------------
$plain $play --out whole.tfg >/dev/null
$plain datagen --positions 2000 --nodes 200 --out positions.tfg >/dev/null
$plain $judge --json whole.json -o whole.pgn 2>/dev/null
expect 'a run alone' "$?" 0
learn='train --data whole.tfg --epochs 2 --batch 256 --lr 0.01 --seed 3'
$plain $learn --out whole.nnue >/dev/null 2>&1
expect 'training alone' "$?" 0
# So much of a run is there when something happens to it: enough to be kept, and little enough that every rank has still work to do.
early=$(($(wc -c <whole.tfg) / 8))

# ---- shares -----------------------------------------------------------------------------------------------------------
for share in 1 2 3; do
    $plain $play --shard $share/3 --out "share$share.tfg" >/dev/null
    $plain $judge --shard $share/3 --json "share$share.json" -o "share$share.pgn" --state "share$share.state" 2>/dev/null
    cp whole.json "whole$share"
done
$plain merge merged.tfg share3.tfg share1.tfg share2.tfg >/dev/null
$plain merge merged.json share?.json >/dev/null
$plain merge merged.pgn share?.pgn >/dev/null
$plain merge merged.state share?.state >/dev/null
same 'games of shares' whole.tfg merged.tfg
same 'JSON of shares' whole.json merged.json
same 'annotated games of shares' whole.pgn merged.pgn
$plain $judge --html whole.html 2>/dev/null
$plain $judge --state merged.state --html merged.html --json again.json 2>errors
same 'a page from the progress of shares' whole.html merged.html
same 'JSON from the progress of shares' whole.json again.json
$plain analyse games.pgn --nodes 300 --shard 40/100 -o none.pgn --json none.json >/dev/null 2>&1
expect 'a share without a game' "$?" 0
expect 'its report' "$(grep -c '"games":0' none.json)" 1
refused() {
    title=$1 code=$2
    shift 2
    "$plain" "$@" >/dev/null 2>errors
    expect "$title: code" "$?" "$code"
    expect "$title: told" "$(grep -c "^twofold-chess" errors)" 1
}
refused 'share 4 of 3' 2 datagen --out x.tfg --games 3 --shard 4/3
refused 'share 0' 2 analyse games.pgn --shard 0/3
refused 'no share' 2 match --shard 3 --engine a --engine b --nodes 1
refused 'a share of positions' 2 datagen --out x.tfg --positions 9 --shard 1/3
refused 'a share with SPRT' 2 match --shard 1/2 --sprt 0 5 0.05 0.05 --engine a --engine b --nodes 1
refused 'nothing to merge' 2 merge x.tfg
refused 'a part that is the whole' 2 merge share1.tfg share1.tfg share2.tfg
refused 'a file that is there' 1 merge whole.tfg share1.tfg
refused 'parts of two kinds' 1 merge x.tfg share1.tfg share1.json
refused 'a part that is not there' 1 merge x.tfg share1.tfg nothing.tfg
refused 'a page is no part' 1 merge x.html whole.html
head -5 share1.json >torn.json
refused 'half a report' 1 merge x.json torn.json share2.json
$plain datagen --games 3 --nodes 100 --out other.tfg >/dev/null
refused 'games of another run' 1 merge x.tfg share1.tfg other.tfg
refused 'progress and a match' 1 merge x.state share1.state whole.pgn
expect 'nothing is left of what was refused' "$(ls | grep -c '^x\.')" 0
tournament="match --nodes 300 --engine $plain --name first --engine $plain --name second --games 8 --random-plies 6 --seed 3 --quiet"
points() { sed 1d "$1" | cut -f2-5 | sort -n -k2; }
$plain $tournament --games-file whole.games >/dev/null
for share in 1 2; do $plain $tournament --shard $share/2 --games-file "share$share.games" >/dev/null; done
$plain merge merged.games share1.games share2.games >/dev/null
points whole.games >whole.points
points merged.games >merged.points
expect 'games of the match' "$(wc -l <whole.points)" 8
same 'a match of shares' whole.points merged.points
$plain $tournament --games-file merged.games --resume --report-only >report
expect 'its report' "$(grep -c 'the files have 8 games' report)" 1

# ---- ranks joined by pipes --------------------------------------------------------------------------------------------
for ranks in 2 4; do
    $plain --ranks $ranks $play --out "ranks$ranks.tfg" >/dev/null
    expect "$ranks ranks" "$?" 0
    same "games of $ranks ranks" whole.tfg "ranks$ranks.tfg"
    $plain --ranks $ranks datagen --positions 2000 --nodes 200 --out "positions$ranks.tfg" >/dev/null
    same "positions of $ranks ranks" positions.tfg "positions$ranks.tfg"
    $plain --ranks $ranks $judge -j1 --json ranks.json -o ranks.pgn 2>/dev/null
    same "JSON of $ranks ranks" whole.json ranks.json
    same "annotated games of $ranks ranks" whole.pgn ranks.pgn
done
$plain --ranks 3 $tournament --games-file ranks.games >/dev/null
points ranks.games >ranks.points
same 'a match of 3 ranks' whole.points ranks.points
shogi=${plain%chess}shogi
$shogi datagen --games 10 --nodes 100 --out shogi.tfg >/dev/null
$shogi --ranks 2 datagen --games 10 --nodes 100 --out shogi2.tfg >/dev/null
same 'games of shogi' shogi.tfg shogi2.tfg
if [ -n "$CHESS_TUNE" ]; then
    tuner=$(cd "$root" && realpath "$CHESS_TUNE")
    $tuner --ranks 2 tune --params 'Lmr*' --iterations 6 --nodes 100 --out tuned --quiet >report 2>errors
    expect 'tune with 2 ranks' "$?$(grep -c '^iterations 6$' tuned.state)$(grep -c '^6 of 6 pairs' report)" 011
    for ranks in 1 2; do $tuner --ranks $ranks ablate --params 'UseAspiration,UseInstantWin' --games 4 --nodes 100 --quiet --table "ablated$ranks" >/dev/null 2>errors; done
    expect 'ablate tells something' "$(grep -c '^|' ablated1 | sed 's/^[1-9][0-9]*$/some/')" some
    same 'ablate with 2 ranks' ablated1 ablated2
else
    skip 'tune and ablate: CHESS_TUNE names no build with TUNE=1'
fi
for words in '--ranks 3 datagen --nonsense' '--ranks 0 bench' '--ranks' '--rank 2/2 bench'; do
    $plain $words </dev/null >/dev/null 2>errors
    expect "'$words' is refused" "$?" 2
    expect "'$words' is told once" "$(grep -c '^twofold-chess' errors)" 1
done
# begin FILE: a run of 3 ranks in the background, whose first games are there when it returns.
begin() {
    $plain --ranks 3 $play --out "$1" >/dev/null 2>errors &
    run=$!
    wait_for $early "$1" $run
}
begin lost.tfg
kill -KILL "$(children $run | tail -1)"
wait $run
expect 'a rank was killed: code' "$?" 1
expect 'a rank was killed: one message' "$(grep -c 'rank [12] was lost' errors)$(wc -l <errors)" 11
kept=$(wc -c <lost.tfg)
expect 'a rank was killed: no finished game is lost' "$((kept >= early))" 1
$plain --ranks 3 $play --out lost.tfg >/dev/null
same 'a rank was killed: the same command goes on' whole.tfg lost.tfg
begin killed.tfg
left=$(children $run)
kill -KILL $run
wait $run 2>/dev/null
sleep 0.5
# shellcheck disable=SC2086
expect 'rank 0 was killed: nobody is left' "$(ps -o stat= -p "$(echo $left | tr ' ' ',')" | grep -vc Z)" 0
$plain --ranks 2 $play --out killed.tfg >/dev/null
same 'rank 0 was killed: the same command goes on' whole.tfg killed.tfg
begin ended.tfg
kill -TERM $run
wait $run
expect 'ended by SIGTERM' "$?" 143
$plain $play --out ended.tfg >/dev/null
same 'ended by SIGTERM: goes on alone' whole.tfg ended.tfg
begin slow.tfg
slow=$(children $run | head -1)
kill -STOP "$slow"
tries=1200
while [ "$(($(wc -c <slow.tfg) * 10))" -lt "$(($(wc -c <whole.tfg) * 7))" ] && [ $tries -gt 0 ]; do tries=$((tries - 1)) && sleep 0.1; done
expect 'a rank that stands still is no brake' "$((tries > 0))" 1
kill -CONT "$slow"
wait $run
same 'a rank that stood still' whole.tfg slow.tfg
if [ -w /dev/full ]; then
    $plain --ranks 3 $play --out /dev/full >/dev/null 2>errors
    expect 'a full disk: code' "$?" 1
    expect 'a full disk: one message' "$(wc -l <errors)" 1
fi
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
    $plain --ranks 3 $play --out disk/full.tfg >/dev/null 2>errors
    expect 'a full disk of its own: code' "$?" 1
    expect 'a full disk of its own: one message' "$(grep -c 'cannot write' errors)$(wc -l <errors)" 11
    cp disk/full.tfg full.tfg
    umount disk
    $plain --ranks 3 $play --out full.tfg >/dev/null
    same 'with room the same command goes on' whole.tfg full.tfg
else
    skip 'a full disk of its own: mount -t tmpfs is not allowed'
fi

# ---- ranks of MPI -----------------------------------------------------------------------------------------------------
finish() {
    echo "cluster: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit
}
for tool in mpirun mpicc; do
    if ! command -v $tool >/dev/null; then
        skip "ranks of MPI: $tool is not here (the package $([ $tool = mpirun ] && echo openmpi-bin || echo libopenmpi-dev))"
        finish
    fi
done
make -C "$root" -s GAME=chess MPI=1 build/chess-native-mpi-gcc/twofold-chess CC=gcc >make.log 2>&1
expect 'make MPI=1' "$?" 0
mpi=$root/build/chess-native-mpi-gcc/twofold-chess
expect 'bench is the same' "$($mpi bench 5 | sed -n 's/ nodes.*//p' | tail -1)" "$($plain bench 5 | sed -n 's/ nodes.*//p' | tail -1)"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
start="mpirun --oversubscribe --bind-to none"
for ranks in 1 2 4; do
    $start -n $ranks "$mpi" $play --out "mpi$ranks.tfg" >/dev/null 2>errors
    expect "$ranks ranks of MPI" "$?" 0
    same "games of $ranks ranks of MPI" whole.tfg "mpi$ranks.tfg"
    $start -n $ranks "$mpi" $judge -j1 --json ranks.json -o ranks.pgn 2>errors
    same "JSON of $ranks ranks of MPI" whole.json ranks.json
    same "annotated games of $ranks ranks of MPI" whole.pgn ranks.pgn
done
$start -n 2 "$mpi" ${tournament} --games-file mpi.games >/dev/null 2>errors
points mpi.games >mpi.points
same 'a match of 2 ranks of MPI' whole.points mpi.points
$start -n 3 "$mpi" datagen --nonsense >/dev/null 2>errors
expect 'a wrong call: code' "$?" 2
expect 'a wrong call is told once' "$(grep -c '^twofold-chess' errors)" 1
$start -n 1 "$mpi" $play --out minds.tfg --seed 2 : -n 1 "$mpi" $play --out minds.tfg --seed 3 >/dev/null 2>errors
expect 'ranks of two minds: code' "$?" 1
expect 'ranks of two minds: one message' "$(grep -c '^twofold-chess.*rank 1 has another' errors)" 1
# A rank that dies takes the run with it: mpirun sees to that, and to the message.
$start -n 3 "$mpi" $play --out mpi-lost.tfg >/dev/null 2>errors &
run=$!
wait_for $early mpi-lost.tfg $run
kill -KILL "$(children $run | tail -1)"
wait $run
expect 'a rank of MPI was killed: it is noticed' "$(($? != 0))" 1
kept=$(wc -c <mpi-lost.tfg)
expect 'a rank of MPI was killed: no finished game is lost' "$((kept >= early))" 1
$start -n 2 "$mpi" $play --out mpi-lost.tfg >/dev/null 2>errors
same 'a rank of MPI was killed: the same command goes on' whole.tfg mpi-lost.tfg

# ---- two hosts --------------------------------------------------------------------------------------------------------
one=twofold-1-$$ two=twofold-2-$$ cable=tf$$
if ! ip netns add $one 2>/dev/null; then
    skip 'two hosts in network namespaces: `ip netns` is not here, or not allowed'
    finish
fi
ip netns add $two
trap 'ip netns del $one; ip netns del $two; rm -rf "$work"' EXIT
ip link add ${cable}a netns $one type veth peer name ${cable}b netns $two
ip -n $one addr add 10.77.1.1/24 dev ${cable}a
ip -n $two addr add 10.77.1.2/24 dev ${cable}b
for end in "$one lo" "$two lo" "$one ${cable}a" "$two ${cable}b"; do ip -n ${end% *} link set ${end#* } up; done
# What mpirun starts its helper on the other host with: HOST COMMAND...
cat >agent <<END
#!/bin/sh
shift
exec ip netns exec $two unshare --uts sh -c 'hostname two; exec sh -c "\$*"' sh "\$@"
END
chmod +x agent
on_two_hosts() {
    ip netns exec $one unshare --uts sh -c 'hostname one; exec "$@"' sh mpirun --mca plm_rsh_agent "$work/agent" --mca btl self,tcp \
        --mca btl_tcp_if_include 10.77.1.0/24 --mca oob_tcp_if_include 10.77.1.0/24 --bind-to none -H 10.77.1.1:1,10.77.1.2:1 "$@"
}
on_two_hosts hostname >hosts 2>errors
expect 'two hosts' "$(sort hosts | tr '\n' ' ')" 'one two '
on_two_hosts "$mpi" $play --out hosts.tfg >/dev/null 2>errors
same 'games of two hosts' whole.tfg hosts.tfg
on_two_hosts "$mpi" $judge -j1 --json hosts.json -o hosts.pgn 2>errors
same 'JSON of two hosts' whole.json hosts.json
same 'annotated games of two hosts' whole.pgn hosts.pgn
on_two_hosts "$mpi" $learn --out hosts.nnue >/dev/null 2>errors
same 'training of two hosts' whole.nnue hosts.nnue
# begin_on_hosts FILE: a run of both hosts in the background, whose first games are there when it returns.
begin_on_hosts() {
    on_two_hosts "$mpi" $play --out "$1" >/dev/null 2>errors &
    run=$!
    wait_for $early "$1" $run
}
# The process of the second host, which is the only one there that writes no file: by its name space.
on_second() { for pid in $(ip netns pids $two); do [ "$(cat /proc/$pid/comm)" = twofold-chess ] && echo "$pid"; done; }
begin_on_hosts lost-host.tfg
kill -KILL $(on_second)
wait $run
expect 'a rank of the other host was killed: it is noticed' "$(($? != 0))" 1
expect 'a rank of the other host was killed: it is told' "$(grep -c 'exited on signal 9' errors)" 1
expect 'a rank of the other host was killed: no finished game is lost' "$(($(wc -c <lost-host.tfg) >= early))" 1
on_two_hosts "$mpi" $play --out lost-host.tfg >/dev/null 2>errors
same 'a rank of the other host was killed: the same command goes on' whole.tfg lost-host.tfg
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
    on_two_hosts "$mpi" $play --out "$work/disk/full.tfg" >/dev/null 2>errors
    expect 'a full disk of the first host: code' "$?" 1
    expect 'a full disk of the first host: one message' "$(grep -c '^twofold-chess.*cannot write' errors)$(grep -c ^twofold-chess errors)" 11
    cp disk/full.tfg full-host.tfg
    umount disk
    on_two_hosts "$mpi" $play --out full-host.tfg >/dev/null 2>errors
    same 'a full disk of the first host: with room the same command goes on' whole.tfg full-host.tfg
else
    skip 'a full disk of the first host: mount -t tmpfs is not allowed'
fi
begin_on_hosts cut.tfg
ip -n $two link set ${cable}b down
sleep 10
ip -n $two link set ${cable}b up
wait $run
expect 'the network was cut for ten seconds: code' "$?" 0
same 'the network was cut for ten seconds' whole.tfg cut.tfg
# One position over both hosts: the network is cut while they search, and every answer comes all the same.
mkfifo lines
on_two_hosts "$mpi" <lines >said 2>errors &
run=$!
exec 3>lines
# until_said PATTERN TIMES: or a minute and a half have passed.
until_said() { tries=900; while [ "$(grep -c "$1" said)" -lt "$2" ] && [ $tries -gt 0 ]; do tries=$((tries - 1)) && sleep 0.1; done; }
printf 'isready\ngo infinite\n' >&3
until_said '^info depth 10 ' 1
ip -n $two link set ${cable}b down
printf 'stop\ngo movetime 2000\n' >&3
until_said '^bestmove' 2
expect 'a search whose network is cut answers' "$(grep -c '^bestmove' said)" 2
sleep 8
ip -n $two link set ${cable}b up
printf 'isready\ngo nodes 100000\n' >&3
until_said '^bestmove' 3
printf 'quit\n' >&3
exec 3>&-
wait $run
expect 'a search whose network is cut: both hosts are there again' \
    "$? $(grep -c '^readyok' said) $(grep -c '^info string 2 ranks: ' said) $(grep -c 'string rank' said)" '0 2 3 0'
expect 'a search over two hosts: nobody stays behind' "$(on_second)" ''
finish
