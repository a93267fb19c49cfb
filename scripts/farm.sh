#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Self-play for both games in the background, at the lowest priority there is, until it is told to stop.
#   scripts/farm.sh start [COMMIT]   starts or continues; COMMIT becomes the player (first time: HEAD; later: as before)
#   scripts/farm.sh stop             ends it; nothing is lost but the games in play
#   scripts/farm.sh pause [PID]      until `resume`, or until the process PID has ended
#   scripts/farm.sh resume
#   scripts/farm.sh status           whether it runs, what it makes now and what it has
# It writes GAME-COMMIT-SEED.tfg into TWOFOLD_DATA (default: ../twofold-data), and keeps what it needs in its folder `farm`
# there: programs built from a commit, so that half-made sources never play; files.tsv, one line for each finished file
# (file, game, player, seed, games, positions, options); and the log. docs/training.md tells more.
# The supervisor, this script, does next to nothing and answers at once; its worker, datagen, has the lowest priority.
# Invariants: one supervisor at most, by a lock that its worker inherits, so that no file ever has two writers. What is
# to be done next stands in `work` before it is begun, so that after a kill at any moment `start` goes on with that file.
# A seed is taken once: it is larger than the last one, than those of all files here, and than the time.
#   FARM_CHESS, FARM_SHOGI   options of datagen      FARM_SHARES="3 2"   CPU time of chess and shogi
#   FARM_THREADS=1           cores to keep busy      FARM_POLL=1         seconds between two looks
here=$(cd "$(dirname "$0")/.." && pwd) || exit 1
export LC_ALL=C # what commands say is read here
data=${TWOFOLD_DATA:-$here/../twofold-data}
games='chess shogi'
chess_options=${FARM_CHESS:---positions 1000000 --nodes 300 --hard-nodes 3000}
shogi_options=${FARM_SHOGI:---positions 600000 --nodes 300 --hard-nodes 3000 --win-score 2500 --draw-score -1 --max-plies 320}
shares=${FARM_SHARES:-3 2}
threads=${FARM_THREADS:-1}
poll=${FARM_POLL:-1}

die() {
    echo "farm: $*" >&2
    exit 1
}
usage() {
    sed -n 's/^#   scripts/usage: scripts/p' "$0" >&2
    exit 2
}
# put FILE TEXT: the file has the old text or the new one, whatever happens.
put() { printf '%s\n' "$2" >"$1.new.$$" && mv "$1.new.$$" "$1"; }

# ---- processes --------------------------------------------------------------------------------------------------------
# look PID: $process_state, $process_ticks of CPU time and $process_start, which tells a process from a later one of its number.
look() {
    process_state='' process_ticks=0 process_start=''
    { read -r process_line <"/proc/$1/stat"; } 2>/dev/null || return 1
    # shellcheck disable=SC2086
    set -- ${process_line##*) } # after the name, which may have spaces
    process_state=$1 process_ticks=$((${12} + ${13})) process_start=${20}
}
# mark PID: how it is written down. is_alive FILE: the process in it still runs; $pid is its number.
mark() { look "$1" && echo "$1 $process_start"; }
is_alive() {
    pid='' start=''
    { read -r pid start <"$1"; } 2>/dev/null
    [ -n "$start" ] && look "$pid" && [ "$process_start" = "$start" ] && [ "$process_state" != Z ]
}
# timed_match: sets $pid to a match, tune or ablate with clocks that runs on this machine.
timed_match() {
    for cmdline in $(grep -lzxE -e '--(tc|st|byoyomi)(=.*)?' /proc/[0-9]*/cmdline 2>/dev/null); do
        pid=${cmdline#/proc/} && pid=${pid%/cmdline}
        tr '\0' '\n' <"$cmdline" 2>/dev/null | awk '
            $0 ~ /(^|\/)twofold-[^\/]*$/ { program = NR }
            NR == program + 1 && program && /^(match|tune|ablate)$/ { found = 1 }
            END { exit !found }' || continue
        look "$pid" && [ "$process_state" != T ] && [ "$process_state" != Z ] && return
    done
    false
}
# pause_reason: $reason why nothing should be played now, or nothing.
pause_reason() {
    reason=
    if [ -e paused ]; then
        read -r by _ <paused
        if [ "$by" = hand ]; then
            reason='by hand'
            return
        elif is_alive paused; then
            reason="for process $pid"
            return
        fi
        rm -f paused
    fi
    timed_match && reason="for the timed games of process $pid"
}

# ---- the players ------------------------------------------------------------------------------------------------------
has_player() {
    for game in $games; do [ -x "$farm/twofold-$game-$1" ] || return 1; done
}
# make_player COMMIT: sets $player, building its programs if they are not there. A name whose programs are there is taken as it is.
make_player() {
    player=$1
    has_player "$player" && return
    full=$(git -C "$here" rev-parse --verify --quiet "$1^{commit}") || die "no commit '$1' here, and no programs of that name in $farm"
    player=$(git -C "$here" rev-parse --short=7 "$full")
    has_player "$player" && return
    echo "building the programs of $player"
    tree=$farm/build.$$
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree" && git -C "$here" archive "$full" | tar -x -C "$tree" || die "commit $player cannot be unpacked in $tree"
    # By a profile of their own bench, since they are to play for hours; plainly where the compiler or the commit knows no profiles.
    env -u MAKEFLAGS nice -n 19 sh -c 'make -C "$1" release || make -C "$1" all' build "$tree" >"$farm/build.log" 2>&1 ||
        die "commit $player does not build: see $farm/build.log"
    for game in $games; do
        cp "$tree/twofold-$game" "$farm/$game.new.$$" && mv "$farm/$game.new.$$" "$farm/twofold-$game-$player" ||
            die "the programs of $player cannot be kept in $farm"
    done
    rm -rf "$tree"
}

# ---- what is to be done -----------------------------------------------------------------------------------------------
# CPU time in clock ticks: of each game in all, and since the shares were last changed.
read_cpu() {
    chess_total=0 shogi_total=0 chess_since=0 shogi_since=0 shares_then=
    [ -e cpu ] && read -r chess_total shogi_total chess_since shogi_since shares_then <cpu
    [ "$shares_then" = "$shares" ] || chess_since=0 shogi_since=0
}
add_cpu() { # GAME TICKS
    read_cpu
    eval "${1}_total=\$((${1}_total + $2)) ${1}_since=\$((${1}_since + $2))"
    put cpu "$chess_total $shogi_total $chess_since $shogi_since $shares"
}
next_seed() {
    seed=$(date +%s)
    {
        cat seed 2>/dev/null
        cut -f 4 files.tsv 2>/dev/null
        find "$data" -name '*.tfg' -exec sh -c 'for f; do od -An -t u8 -j 40 -N 8 "$f"; done' sh {} + 2>/dev/null
    } >seeds.$$
    seed=$(awk -v most="$seed" '$1 ~ /^[0-9]+$/ && length($1) < 16 && $1 + 0 > most { most = $1 + 0 } END { printf "%.0f", most + 1 }' seeds.$$)
    rm -f seeds.$$
    put seed "$seed"
}
# The file to be made: the one that was begun, or a new one of the game that has had less than its share.
take_work() {
    if [ -e work ]; then
        read -r game player seed options <work
    else
        read_cpu
        # shellcheck disable=SC2086
        set -- $shares
        if [ $((chess_since * $2)) -le $((shogi_since * $1)) ]; then game=chess; else game=shogi; fi
        player=$(cat player)
        eval "options=\$${game}_options"
        next_seed
        put work "$game $player $seed $options"
    fi
    file=$game-$player-$seed.tfg
    program=$farm/twofold-$game-$player
    # The head of the file names the player, if the program can write it there; the name of the file does anyway.
    head=
    "$program" datagen --help 2>/dev/null | grep -q -- ' --player ' && head="--player $player"
}
# note FILE GAME PLAYER SEED OPTIONS: a line for a file that is whole, unless it has one.
note() {
    cut -f 1 files.tsv 2>/dev/null | grep -qxF -e "$1" && return
    count=$(lowest "$farm/twofold-$2-$(cat player)" data info "$data/$1" 2>/dev/null |
        sed -n 's/^\([0-9]*\) games*, \([0-9]*\) positions.*/\1 \2/p')
    [ -n "$count" ] || return
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${count% *}" "${count#* }" "$5" >>files.tsv
}
# Files that came from elsewhere are counted too; not the one in the making.
note_others() {
    (cd "$data" && find . -maxdepth 1 -name '*.tfg') | sed 's|^\./||' | sort >names.new
    {
        cut -f 1 files.tsv 2>/dev/null
        [ ! -e work ] || awk '{ print $1 "-" $2 "-" $3 ".tfg" }' work
    } | sort | comm -23 names.new - | while read -r other; do
        kind=$(od -An -c -j 12 -N 5 "$data/$other" | tr -d ' ')
        case $kind in chess | shogi) note "$other" "$kind" - "$(od -An -t u8 -j 40 -N 8 "$data/$other" | tr -d ' ')" - ;; esac
    done
}

# ---- the supervisor ---------------------------------------------------------------------------------------------------
say() { echo "$(date '+%Y-%m-%d %H:%M:%S') $*"; }
end_worker() {
    kill -CONT "$worker" 2>/dev/null
    kill -TERM "$worker" 2>/dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        look "$worker" && [ "$process_state" != Z ] || break
        sleep 0.2
    done
    kill -KILL "$worker" 2>/dev/null
}
# lowest COMMAND...: becomes it, in a session of its own at the lowest priority. Where the scheduler groups processes by session
# (autogroup), nice counts within a session only: there the group has to be lowered too. The kernel takes one such
# change in a tenth of a second.
lowest() {
    # shellcheck disable=SC2016
    exec setsid nice -n 19 sh -c '
        for _ in 1 2 3 4 5; do
            [ ! -e /proc/self/autogroup ] || { echo 19 >/proc/self/autogroup; } 2>/dev/null && break
            sleep 0.2
        done
        exec "$@"' sh "$@"
}
# watch: while the worker plays: stops it and lets it go on, and counts its time.
watch() {
    ticks=0 spent=0 looks=0 stopped=
    while look "$worker" && [ "$process_state" != Z ]; do
        ticks=$process_ticks # as seen last: the shell itself takes away what is left of a child
        if [ "$stopping" ]; then
            end_worker
            break
        fi
        pause_reason
        if [ -n "$reason" ] && [ "$stopped" != "$reason" ]; then
            kill -STOP "$worker"
            put state "paused $reason"
        elif [ -z "$reason" ] && [ -n "$stopped" ]; then
            kill -CONT "$worker"
            put state running
        fi
        stopped=$reason
        looks=$((looks + 1))
        [ $((looks % 20)) -eq 0 ] && spend
        sleep "$poll"
    done
    [ $ticks -gt 0 ] || ticks=1 # never nothing: the other game's turn must come
    spend
}
spend() {
    add_cpu "$game" $((ticks - spent))
    spent=$ticks
}
# failed CODE: tries the same file again, later and later; a file that cannot be continued is put aside.
failed() {
    failures=$((failures + 1))
    say "$file: datagen ended with code $1: $(tail -n 1 datagen.log)"
    put state "waiting to try $file again: $(tail -n 1 datagen.log | cut -c1-120)"
    free=$(df -P -k "$data" | awk 'NR == 2 { print $4 }')
    if [ "$failures" -ge 4 ] && [ "${free:-0}" -gt 65536 ]; then
        say "$file is put aside"
        [ -e "$data/$file" ] && mv "$data/$file" "$data/$file.bad"
        rm -f work
        failures=0
    fi
    naps=$((failures * failures * 2))
    while [ $naps -gt 0 ] && [ -z "$stopping" ]; do
        naps=$((naps - 1))
        sleep "$poll"
    done
}
run() {
    farm=$data/farm
    cd "$farm" || exit 1
    exec 9>>lock
    # Another start may have the lock and not yet said so. A supervisor that was killed left its worker alone with the
    # lock: what that has written is kept.
    tries=50
    until flock -n 9; do
        is_alive supervisor && exit 0
        is_alive worker && kill -KILL "$pid"
        tries=$((tries - 1))
        [ $tries -gt 0 ] || exit 1
        sleep 0.1
    done
    stopping='' failures=0
    trap 'stopping=1' TERM INT HUP
    mark $$ >supervisor.new && mv supervisor.new supervisor
    rm -f worker
    # What a kill left half written, but nothing of a `start` at this moment.
    find . -maxdepth 1 \( -name '*.new.*' -o -name 'build.[0-9]*' -o -name 'seeds.*' \) -mmin +600 -exec rm -rf {} +
    say "started, player $(cat player)"
    note_others
    while [ -z "$stopping" ]; do
        take_work
        : >datagen.log
        pause_reason
        while [ -n "$reason" ] && [ -z "$stopping" ]; do
            put state "paused $reason"
            sleep "$poll"
            pause_reason
        done
        [ "$stopping" ] && break
        put state running
        # shellcheck disable=SC2086
        lowest "$program" datagen --out "$data/$file" --seed "$seed" --threads "$threads" $options $head >>datagen.log 2>&1 </dev/null &
        worker=$!
        mark $worker >worker.new && mv worker.new worker
        watch
        wait $worker
        code=$?
        [ "$stopping" ] && break
        if [ $code -eq 0 ]; then
            failures=0
            note "$file" "$game" "$player" "$seed" "$options"
            rm -f work
            say "$file is done"
            note_others
        else
            failed $code
        fi
    done
    say stopped
    rm -f state worker supervisor
}

# ---- the verbs --------------------------------------------------------------------------------------------------------
# wait_for COMMAND...: until it holds; false after ten seconds.
wait_for() {
    tries=100
    until "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.1
    done
}
is_running() { is_alive "$farm/supervisor"; }
is_stopped() { ! is_alive "$farm/supervisor" && ! is_alive "$farm/worker"; }
is_paused() { grep -q '^paused' "$farm/state" 2>/dev/null; }
is_unpaused() { ! is_paused || ! grep -q 'by hand\|for process' "$farm/state"; }

start() {
    for tool in setsid flock git; do command -v $tool >/dev/null || die "needs $tool"; done
    [ -r /proc/self/stat ] || die "needs Linux's /proc"
    mkdir -p "$farm" || die "cannot make $farm"
    wanted=$1
    [ -n "$wanted" ] || { [ -e "$farm/player" ] && wanted=$(cat "$farm/player"); }
    make_player "${wanted:-HEAD}"
    [ "$player" = "$(cat "$farm/player" 2>/dev/null)" ] || put "$farm/player" "$player"
    if is_running; then
        echo "farm: it runs already (process $pid), player $player from the next file on"
        return
    fi
    rm -f "$farm/paused"
    # A copy, so that a change of this script does not reach what runs.
    cp "$here/scripts/farm.sh" "$farm/farm.sh.new.$$" && mv "$farm/farm.sh.new.$$" "$farm/farm.sh" || die "cannot write to $farm"
    TWOFOLD_DATA=$data FARM_CHESS=$chess_options FARM_SHOGI=$shogi_options FARM_SHARES=$shares FARM_THREADS=$threads FARM_POLL=$poll \
        setsid sh "$farm/farm.sh" run >>"$farm/log" 2>&1 </dev/null &
    wait_for is_running || die "it did not start: see $farm/log"
    echo "farm: started (process $pid), player $player, files in $data"
}
stop() {
    if is_running; then
        kill -TERM "$pid"
        wait_for is_stopped
    fi
    for file in worker supervisor; do is_alive "$farm/$file" && kill -KILL "$pid"; done
    wait_for is_stopped || die "process $pid does not end"
    rm -f "$farm/supervisor" "$farm/worker" "$farm/state"
    echo "farm: stopped"
}
pause() {
    by=hand
    if [ -n "$1" ]; then by=$(mark "$1") || die "no process $1"; fi
    is_running || die "it does not run"
    put "$farm/paused" "$by"
    wait_for is_paused || die "it did not pause: see $farm/log"
    echo "farm: $(cat "$farm/state")"
}
resume() {
    is_running || die "it does not run"
    rm -f "$farm/paused"
    wait_for is_unpaused || die "it did not go on: see $farm/log"
    echo "farm: $(cat "$farm/state" 2>/dev/null || echo running)"
}
status() {
    if is_running; then
        echo "$(cat "$farm/state" 2>/dev/null || echo running), process $pid, player $(cat "$farm/player")"
    else
        echo "not running"
    fi
    if [ -e "$farm/work" ]; then
        read -r game player seed options <"$farm/work"
        now=$(tr '\r' '\n' <"$farm/datagen.log" 2>/dev/null | grep -o '[0-9]* games*, [0-9]* positions' | tail -n 1)
        echo "in the making: $game-$player-$seed.tfg, ${now:-nothing told yet} ($options)"
    fi
    total='0 0'
    [ -e "$farm/cpu" ] && total=$(cat "$farm/cpu")
    touch "$farm/files.tsv" 2>/dev/null || return
    awk -F '\t' -v total="$total" -v ticks="$(getconf CLK_TCK 2>/dev/null || echo 100)" '
        { files[$2]++; games[$2] += $5; positions[$2] += $6 }
        END {
            split(total, cpu, " ")
            name[1] = "chess"; name[2] = "shogi"
            for (i = 1; i <= 2; i++) {
                n = name[i]
                share = cpu[1] + cpu[2] > 0 ? 100 * cpu[i] / (cpu[1] + cpu[2]) : 0
                printf "%s: %d files, %d games, %.2f M positions; %.2f hours of CPU here (%.0f %%)\n", n, files[n], games[n], positions[n] / 1e6, cpu[i] / ticks / 3600, share
            }
        }' "$farm/files.tsv"
}

verb=$1
[ $# -gt 0 ] && shift
case $verb:$# in
run:0) run && exit 0 ;;
start:[01] | pause:[01]) ;;
stop:0 | resume:0 | status:0) ;;
*) usage ;;
esac
[ "$verb" = start ] && mkdir -p "$data"
data=$(cd "$data" 2>/dev/null && pwd) || die "no data folder${TWOFOLD_DATA:+ $TWOFOLD_DATA}: start makes it"
farm=$data/farm
[ "$verb" = start ] || [ -d "$farm" ] || die "it was never started in $data"
$verb "$@"
