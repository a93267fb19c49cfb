#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One position over ranks, through the protocol as a graphical program speaks it: every way to begin and end a search, options
# that can't be set, ranks that die, and what an idle rank costs. Through pipes everywhere, and under mpirun where OpenMPI is. The last line is `cluster_search: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
suite=cluster_search
. tests/expect.sh
skipped=0
program=${PROGRAMS:-.}/twofold-chess
shogi=${PROGRAMS:-.}/twofold-shogi

# talk COMMAND...: the lines of standard input go to it; `-WORD` in the place of a line waits until an answer that begins with WORD
# has come that was not there before, `+SECONDS` sleeps. What it says is in $work/said.
talk() {
    : >"$work/said"
    waited=
    while read -r line; do
        case $line in
        -*)
            word=${line#-} tries=1200
            # One more of them than the last time.
            want=$(($(printf '%s\n' $waited | grep -cx "$word") + 1))
            while [ "$(grep -c "^$word" "$work/said")" -lt "$want" ] && [ $tries -gt 0 ]; do
                tries=$((tries - 1))
                sleep 0.1
            done
            waited="$waited $word"
            ;;
        +*) sleep "${line#+}" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done | timeout 150 "$@" >"$work/said" 2>"$work/errors"
    code=$?
}
said() { grep -c -- "$1" "$work/said"; }

# left_of PID...: how many of them are still there, after ten seconds if any is.
left_of() {
    tries=100
    while :; do
        left=0
        for pid in "$@"; do kill -0 "$pid" 2>/dev/null && left=$((left + 1)); done
        [ $left -eq 0 ] || [ $tries -eq 0 ] && break
        tries=$((tries - 1))
        sleep 0.1
    done
    echo $left
}

# every_way TITLE COMMAND...: what a graphical program does to an engine.
every_way() {
    title=$1
    shift
    talk "$@" <<'END'
uci
-uciok
setoption name Hash value 8
setoption name MultiPV value 1
isready
-readyok
ucinewgame
position startpos moves e2e4 e7e5
go depth 9
-bestmove
go nodes 20000
-bestmove
go movetime 200
-bestmove
go wtime 2000 btime 2000 winc 10 binc 10
-bestmove
go infinite
+0.3
isready
-readyok
stop
-bestmove
go ponder wtime 2000 btime 2000
+0.3
ponderhit
-bestmove
go ponder wtime 2000 btime 2000
+0.2
stop
-bestmove
go depth 6 searchmoves a2a3 h2h3
-bestmove
setoption name MultiPV value 3
go depth 8
-bestmove
setoption name MultiPV value 1
position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
go depth 5
-bestmove
position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1
go nodes 20000
-bestmove
go infinite
quit
END
    expect "$title: the code" "$code $(cat "$work/errors")" "0 "
    expect "$title: an answer for each go" "$(said '^bestmove')" 12
    expect "$title: readyok also while it searches" "$(said '^readyok')" 2
    expect "$title: only the moves asked for" "$(grep '^bestmove' "$work/said" | sed -n 8p | grep -cE ' (a2a3|h2h3)')" 1
    expect "$title: three lines of the last depth" "$(grep 'depth 8 .*multipv' "$work/said" | grep -oE 'multipv [123]' | sort -u | wc -l)" 3
    expect "$title: no move in a position that is over" "$(grep '^bestmove' "$work/said" | sed -n 10p)" 'bestmove (none)'
    expect "$title: a mate is found" "$(grep '^bestmove' "$work/said" | sed -n 11p | cut -c1-13)" 'bestmove a1a8'
    expect "$title: the last line before an answer tells the exchange" \
        "$(grep -B1 '^bestmove' "$work/said" | grep -cE '^info string [0-9]+ ranks: [0-9]+ nodes, entries sent [0-9]+ taken [0-9]+ used [0-9]+$')" 11
}
every_way "two ranks" "$program" --ranks 2
every_way "four ranks" "$program" --ranks 4
talk "$shogi" --ranks 2 <<'END'
usi
-usiok
isready
-readyok
position startpos moves 7g7f
go btime 0 wtime 0 byoyomi 300
-bestmove
go ponder btime 0 wtime 0 byoyomi 300
+0.2
ponderhit
-bestmove
quit
END
expect "shogi: the code and two answers" "$code $(said '^bestmove [1-9]')" "0 2"

# ---- what goes wrong ------------------------------------------------------------------------------------------------
talk "$program" --ranks 3 <<'END'
setoption name EvalFile value /no/such/file
setoption name Hash value nonsense
isready
-readyok
go nodes 3000
-bestmove
quit
END
expect "options that can't be set: as on one machine" "$code $(said '^info string setoption') $(said '^bestmove') $(said 'rank [12]:')" "0 2 1 0"
if command -v pgrep >/dev/null && [ -r /proc/self/stat ]; then
    mkfifo "$work/pipe"
    "$program" --ranks 3 <"$work/pipe" >"$work/said" 2>"$work/errors" &
    first=$!
    exec 3>"$work/pipe"
    until_said() { tries=600; while [ "$(grep -c "$1" "$work/said")" -lt "$2" ] && [ $tries -gt 0 ]; do tries=$((tries - 1)); sleep 0.1; done; }
    printf 'isready\n' >&3
    until_said '^readyok' 1
    # ticks PID: of processor time so far.
    ticks() { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'; }
    ranks=$(pgrep -P $first -f -- "--rank [12]/3")
    before=0 after=0
    for rank in $ranks; do before=$((before + $(ticks "$rank"))); done
    sleep 5
    for rank in $ranks; do after=$((after + $(ticks "$rank"))); done
    # Two ranks for five seconds: one per cent of a core is ten ticks of a hundredth of a second.
    idle=$((after - before))
    expect "idle ranks use less than one per cent of a core" "$([ $idle -lt $((10 * $(getconf CLK_TCK) / 100)) ] && echo yes || echo "$idle ticks")" yes
    printf 'go infinite\n' >&3
    until_said '^info depth 5 ' 1
    kill -KILL "$(printf '%s\n' $ranks | head -1)"
    until_said 'is gone' 1
    printf 'stop\n' >&3
    until_said '^bestmove' 1
    printf 'isready\nsetoption name Hash value 4\nucinewgame\nisready\ngo nodes 5000\n' >&3
    until_said '^bestmove' 2
    printf 'quit\n' >&3
    exec 3>&-
    wait $first
    expect "a rank killed in a search: it goes on, and says so once" \
        "$? $(said '^bestmove') $(said '^readyok') $(grep 'is gone' "$work/said")" \
        "0 2 3 info string rank 1: is gone; the search goes on without it"
    # Over pipes all messages go through rank 0: it waits for nobody who does not read them.
    "$program" --ranks 3 <"$work/pipe" >"$work/said" 2>"$work/errors" &
    first=$!
    exec 3>"$work/pipe"
    printf 'isready\ngo infinite\n' >&3
    until_said '^info depth 5 ' 1
    ranks=$(pgrep -P $first -f -- "--rank [12]/3")
    kill -STOP "$(printf '%s\n' $ranks | head -1)"
    until_said '^info depth.* nodes [0-9]\{7\}' 1
    printf 'stop\n' >&3
    until_said '^bestmove' 1
    printf 'setoption name MultiPV value 2\nposition startpos moves e2e4\ngo nodes 5000\n' >&3
    until_said '^bestmove' 2
    printf 'quit\n' >&3
    exec 3>&-
    wait $first
    expect "a rank that stands still holds nobody up: the code, the answers, who is left" "$? $(said '^bestmove') $(left_of $ranks)" "0 2 0"
    # Whoever starts it may end without a word.
    "$program" --ranks 3 <"$work/pipe" >"$work/said" 2>"$work/errors" &
    first=$!
    exec 3>"$work/pipe"
    printf 'go infinite\n' >&3
    until_said '^info depth 5 ' 1
    ranks=$(pgrep -P $first -f -- "--rank [12]/3")
    kill -KILL $first
    wait $first 2>/dev/null
    expect "rank 0 killed: nobody stays behind" "$(left_of $ranks)" 0
    exec 3>&-
else
    skipped=$((skipped + 1))
    echo "skipped: cluster_search: ranks that idle or die: needs pgrep and Linux's /proc"
fi
if command -v mpirun >/dev/null && command -v mpicc >/dev/null; then
    make -s GAME=chess MPI=1 build/chess-native-mpi-gcc/twofold-chess CC=gcc >"$work/make.log" 2>&1
    expect "make MPI=1" "$?" 0
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    every_way "under mpirun" mpirun --oversubscribe --bind-to none -n 2 build/chess-native-mpi-gcc/twofold-chess
    # What rank 2 does is done to it in the middle of a search: the answers come all the same, and quit ends everything.
    befalls() { # SIGNAL WORD-FOR-MPIRUN...
        signal=$1
        shift
        mpirun --oversubscribe --bind-to none "$@" -n 3 build/chess-native-mpi-gcc/twofold-chess <"$work/pipe" >"$work/said" 2>"$work/errors" &
        first=$!
        exec 3>"$work/pipe"
        printf 'isready\ngo infinite\n' >&3
        until_said '^info depth 8 ' 1
        ranks=$(pgrep -P $first twofold-chess)
        kill -"$signal" "$(printf '%s\n' $ranks | tail -1)"
        sleep 1
        printf 'stop\n' >&3
        until_said '^bestmove' 1
        printf 'setoption name MultiPV value 2\ngo nodes 5000\n' >&3
        until_said '^bestmove' 2
        printf 'quit\n' >&3
        exec 3>&-
        wait $first
        expect "a rank of MPI gets $signal in a search: the answers, who is left" "$(said '^bestmove') $(left_of $ranks)" "2 0"
    }
    if [ -p "$work/pipe" ]; then
        befalls STOP
        befalls KILL --enable-recovery
    fi
else
    skipped=$((skipped + 1))
    echo "skipped: cluster_search: under mpirun: needs mpirun and mpicc (openmpi-bin, libopenmpi-dev)"
fi
echo "cluster_search: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
