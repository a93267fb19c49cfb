#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fixed commands whose outputs must stay the same while the sources are rearranged. Times, speeds, dates, paths and the
# version are masked; node counts, moves, scores, games and networks are not. Everything runs at fixed nodes or depth,
# so the outputs are the same for every compiler and ARCH; training is too (its network is compared by checksum).
#   scripts/golden.sh [--short] record DIR               writes one file for each command and game into DIR
#   scripts/golden.sh [--short] compare DIR              runs them again and shows where they differ from DIR
#   scripts/golden.sh [--short] against CHESS SHOGI [CHESS-TUNE SHOGI-TUNE]
#                                                        the programs here against those of another build
# The programs: CHESS, SHOGI (default ./twofold-chess, ./twofold-shogi); CHESS_TUNE, SHOGI_TUNE for tune and ablate, of
# a build with TUNE=1 (default: the one of `make TUNE=1`, if it is up to date; else these two are skipped by name).
# --short is a tenth of the work and runs in `make test` against tests/data/golden. When outputs change for a reason (a
# new network, a changed report), `scripts/golden.sh --short record tests/data/golden` writes them anew: read the diff
# before committing it. The last line is `golden: P passed, F failed, S skipped`; exit code 1 on a difference.
here=$(cd "$(dirname "$0")/.." && pwd) || exit 1
export LC_ALL=C # what commands say is read here
usage() {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}
short=
[ "$1" = --short ] && short=1 && shift
verb=$1
[ $# -gt 0 ] && shift
case $verb:$# in
record:1 | compare:1 | against:2 | against:4) ;;
*) usage ;;
esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0
XDG_DATA_HOME=$work/data
export XDG_DATA_HOME

absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
# tune_program GAME: the default one, unless its sources have changed since.
tune_program() {
    program=build/$1-native-tune-gcc/twofold-$1
    (cd "$here" && env -u MAKEFLAGS make -q CC=gcc TUNE=1 "$program" >/dev/null 2>&1) && echo "$here/$program"
}
chess=$(absolute "${CHESS:-$here/twofold-chess}")
shogi=$(absolute "${SHOGI:-$here/twofold-shogi}")
chess_tune=${CHESS_TUNE:-$(tune_program chess)}
shogi_tune=${SHOGI_TUNE:-$(tune_program shogi)}
[ -n "$chess_tune" ] && chess_tune=$(absolute "$chess_tune")
[ -n "$shogi_tune" ] && shogi_tune=$(absolute "$shogi_tune")

# ---- masks ------------------------------------------------------------------------------------------------------------
# Of what a program prints: speeds, times, the day, where things are, the version.
mask() {
    sed -E -e '/^  the machine stood still/d' -e 's/[0-9]+ nps$/N nps/' -e 's/ nps [0-9]+/ nps N/' -e 's/ time [0-9]+/ time N/' \
        -e 's/"(nps|time|seconds|ms_per_move)":[0-9.e+-]+/"\1":N/g' \
        -e 's/"command":\[[^]]*\]/"command":[]/g' \
        -e 's/[0-9.]+ ms a move/N ms a move/' -e 's/^finished after .*/finished after N/' \
        -e 's/[0-9]+\.[0-9]+s/N.NNNs/g' -e 's/\( *[0-9]+:[0-9]+\/[0-9:]+\)/( N:NN\/NN:NN:NN)/' \
        -e 's/^\[Date ".*"\]/[Date "DAY"]/' -e 's/^開始日時：.*/開始日時：DAY/' \
        -e 's/^\| [0-9]{4}-[0-9]{2}-[0-9]{2} \|/| DAY |/' -e 's/Twofold [0-9][0-9A-Za-z.-]*/Twofold VERSION/g' -e "s|$work|WORK|g"
}
sum() { cksum | tr ' ' '-'; }
# The games of a .tfg file, without its head, in which a fingerprint tells the settings and the network.
games_of() { tail -c +65 "$1"; }
# The same in an order of their own: with several threads they are written as they end.
sorted_games() {
    games_of "$1" | od -An -v -tx1 | tr -d ' \n' | awk '{ gsub(/54463247/, "\n&"); print }' | LC_ALL=C sort
}

# ---- the commands -----------------------------------------------------------------------------------------------------
# Each is a function of the program; what it prints is compared. It runs in a fresh folder. $game names the game.
do_bench() {
    if [ "$short" ]; then "$1" bench 7; else "$1" bench; fi 2>&1 | mask
}

# datagen THREADS: $file is what it wrote.
datagen() {
    games=40
    [ "$short" ] && games=4
    file=games-$2.tfg
    "$1" datagen --out "$file" --games $games --seed 1 --threads "$2" --nodes 300 --hard-nodes 3000 >log 2>&1 || cat log
}
do_datagen() {
    datagen "$1" 1
    echo "one thread: $(games_of "$file" | sum)"
    sorted_games "$file" >one
    datagen "$1" 2
    echo "two threads, games sorted: $(sorted_games "$file" | sum)"
    sorted_games "$file" | cmp -s one - && echo "the same games"
    "$1" data info games-1.tfg 2>&1
    "$1" data text --limit 5 games-1.tfg 2>&1
    "$1" data merge --out merged.tfg games-1.tfg games-2.tfg >/dev/null 2>&1
    "$1" data shuffle --seed 3 --out shuffled.tfg games-1.tfg >/dev/null 2>&1
    echo "shuffled: $(sum <shuffled.tfg), merged: $(wc -c <merged.tfg) bytes"
}

do_train() {
    datagen "$1" 1
    "$1" train --data "$file" --out new.nnue --epochs 2 --batch 256 --threads 2 --seed 1 >log 2>&1 || cat log
    sed -nE 's/.*(loss [0-9.]+( +validation [0-9.]+)?).*/\1/p; /^integers against/p' log
    echo "network: $(sum <new.nnue)"
}

# The two files of a game: recorded games, and positions with tasks.
inputs_chess() {
    limit=81 games=6
    [ "$short" ] && limit=12 games=1
    awk -v games=$games '/^\[Event /{ n++ } n <= games' "$here/tests/data/chess/pgn/kasparov-deep-blue-1997.pgn" >games.pgn
    head -n $limit "$here/tests/data/chess/mates.epd" >tasks.epd
    recorded=games.pgn tasks=tasks.epd formats=pgn
}
inputs_shogi() {
    limit=99 games=2
    [ "$short" ] && limit=12 games=1
    awk -v games=$games '/^#KIF/{ n++ } n <= games' "$here/tests/data/shogi/games.kif" >games.kif
    grep '^[0-9]' "$here/tests/data/shogi/tsume.txt" | head -n $limit |
        awk -F ' [|] ' '{ print $2 " bm " $3 "; id \"mate in " $1 "\";" }' >tasks.sfen
    recorded=games.kif tasks=tasks.sfen formats='kif csa usi'
}
# kept FILE: as it is, or in the short form a large page as its checksum.
kept() {
    echo "== $1"
    [ -e "$1" ] || { echo "was not written" && return; }
    if [ "$short" ] && [ "$(wc -c <"$1")" -gt 24000 ]; then sum <"$1"; else mask <"$1"; fi
}
do_analyse() {
    "inputs_$game"
    nodes=4000
    [ "$short" ] && nodes=1000
    for input in $recorded $tasks; do
        echo "== $input"
        "$1" analyse $input --nodes $nodes -j 2 -o out.${input##*.} --json out.json --html out.html --title "A title" 2>errors | mask
        grep -v -e ' positions, ' -e '^writing ' errors
        for file in out.${input##*.} out.json out.html; do kept "$file"; done
        rm -f out.*
    done
    for format in $formats; do
        "$1" analyse $recorded --nodes 200 -j 1 -q -o "again.$format" --format "$format" 2>&1
        kept "again.$format"
    done
}

do_match() {
    games=20 nodes=1000
    [ "$short" ] && games=2
    "$1" match --nodes $nodes --games $games --seed 1 --random-plies 8 --engine "$1" --name A --engine "$1" --name B \
        --adjudicate-win 1500 4 --adjudicate-draw 10 6 60 --max-plies 300 \
        --record "record" --json result.json --table table.md --label golden >text 2>errors
    echo "exit code $?"
    for file in text result.json table.md record; do kept "$file"; done
}

do_play() {
    case $game in
    chess) moves='e2e4 g1f3' again=d2d4 extension=pgn ;;
    shogi) moves='7g7f 2g2f' again=1g1f extension=kifu ;;
    esac
    # shellcheck disable=SC2086
    { printf '%s\n' $moves nonsense hint eval undo $again moves game "save game.$extension" resign quit; } |
        "$1" play --nodes 2000 --side first --ascii --no-colour 2>&1 | mask
    kept game.$extension
}

do_book() {
    "inputs_$game"
    "$1" book make -o book.out --min-games 1 --max-ply 20 $recorded 2>&1
    echo "book: $(sum <book.out)"
    "$1" book show book.out 2>&1 | mask
}

# session PROGRAM: talks to it from standard input. What thinks is waited for, so that nothing depends on the pace.
session() {
    answers=0
    : >said
    while read -r line; do
        printf '%s\n' "$line"
        case $line in
        'go ponder'*) continue ;; # answered after the hit that follows
        go* | ponderhit | threat*) answers=$((answers + 1)) ;;
        *) continue ;;
        esac
        patience=1200
        while [ "$(grep -cE '^(bestmove|checkmate|threat|\{"type":"bestmove")' said)" -lt "$answers" ] && [ $patience -gt 0 ]; do
            patience=$((patience - 1))
            sleep 0.05
        done
    done | "$1" >said 2>&1
    mask <said
}
nodes() { if [ "$short" ]; then echo $(($1 / 10)); else echo "$1"; fi; }
do_session() {
    "talk_$game" >talk
    session "$1" <talk
}
talk_chess() {
    cat <<END
uci
isready
go nodes $(nodes 50000)
position startpos moves e2e4 e7e5 g1f3
go depth 8
setoption name MultiPV value 3
setoption name UCI_ShowWDL value true
go nodes $(nodes 30000)
setoption name MultiPV value 1
go nodes $(nodes 20000) searchmoves b8c6 d7d6
exclude b8c6
go nodes $(nodes 20000)
exclude clear
threat nodes $(nodes 20000)
go ponder nodes $(nodes 20000)
ponderhit
ucinewgame
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
d
eval
moves
perft 3
go nodes $(nodes 100000)
position fen 2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1
go mate 3
position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
go nodes 1000
setoption name UCI_Chess960 value true
position fen nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w DGdg - 0 1
go nodes $(nodes 20000)
setoption name UCI_Chess960 value false
setoption name UCI_LimitStrength value true
setoption name UCI_Elo value 1500
setoption name Seed value 7
position startpos moves d2d4
go nodes $(nodes 20000)
setoption name UCI_LimitStrength value false
position fen nonsense
setoption name Nonsense value 1
go depth x
nonsense
json on
position startpos moves d2d4
go nodes $(nodes 20000)
json off
quit
END
}
talk_shogi() {
    cat <<END
usi
isready
usinewgame
go nodes $(nodes 50000)
position startpos moves 7g7f 3c3d 2g2f
go depth 8
setoption name MultiPV value 3
setoption name USI_ShowWDL value true
go nodes $(nodes 30000)
setoption name MultiPV value 1
go nodes $(nodes 20000) searchmoves 8c8d 4c4d
exclude 8c8d
go nodes $(nodes 20000)
exclude clear
threat nodes $(nodes 20000)
go ponder nodes $(nodes 20000)
ponderhit
usinewgame
position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1
d
eval
moves
perft 2
go nodes $(nodes 100000)
position sfen 3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1
go mate 10000
go nodes $(nodes 10000)
setoption name USI_LimitStrength value true
setoption name USI_Elo value 1500
setoption name Seed value 7
position startpos moves 7g7f
go nodes $(nodes 20000)
setoption name USI_LimitStrength value false
position sfen nonsense
setoption name Nonsense value 1
go depth x
nonsense
json on
position startpos moves 7g7f
go nodes $(nodes 20000)
json off
quit
END
}

# With a program of a TUNE=1 build.
do_tune() {
    nodes=2000
    [ "$short" ] && nodes=200
    "$1" tune --iterations 4 --nodes $nodes --seed 1 --reach 0.2 --rate 0.02 --params 'Futility*,NullMargin*,ProbCutMargin' --out spsa --quiet 2>&1 | mask
    for file in spsa.state spsa.history; do kept $file; done
}
do_ablate() {
    games=4 nodes=1000
    [ "$short" ] && games=2 nodes=100
    "$1" ablate --params UseNullMove,UseRazoring --games $games --nodes $nodes --seed 1 --quiet 2>&1 | mask
}

# ---- recording and comparing ------------------------------------------------------------------------------------------
commands='bench datagen train analyse match play book session tune ablate'
# produce FOLDER: every command of both games, one file each.
produce() {
    mkdir -p "$1"
    for game in chess shogi; do
        for command in $commands; do
            eval "program=\$$game"
            case $command in tune | ablate) eval "program=\$${game}_tune" ;; esac
            if [ -z "$program" ]; then
                skipped=$((skipped + 1))
                echo "skipped: golden $game $command: no program of an up-to-date build with TUNE=1"
                continue
            elif [ ! -x "$program" ]; then
                echo "golden: no program at $program" >&2
                exit 2
            fi
            rm -rf "$work/run" && mkdir "$work/run"
            (cd "$work/run" && "do_$command" "$program") >"$1/$game-$command.txt"
        done
    done
}
# judge OLD NEW: the files of NEW beside those of OLD.
judge() {
    for file in "$2"/*.txt; do
        name=$(basename "$file" .txt)
        if [ ! -e "$1/$name.txt" ]; then
            failed=$((failed + 1))
            echo "FAILED: golden $name: nothing was recorded in $1"
        elif cmp -s "$1/$name.txt" "$file"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: golden $name: the output has changed"
            diff -U0 "$1/$name.txt" "$file" | sed -e 1,2d -e 's/^/    /' | cut -c1-300 | head -n 12
        fi
    done
}
case $verb in
record)
    produce "$1"
    echo "recorded in $1: $(ls "$1"/*.txt | wc -l) files"
    exit 0
    ;;
compare)
    [ -d "$1" ] || { echo "golden: no folder $1" >&2 && exit 2; }
    produce "$work/new"
    judge "$1" "$work/new"
    ;;
against)
    produce "$work/new"
    skipped=0
    chess=$(absolute "$1") shogi=$(absolute "$2") chess_tune=$3 shogi_tune=$4
    [ -n "$3" ] && chess_tune=$(absolute "$3") && shogi_tune=$(absolute "$4")
    produce "$work/old"
    # Without programs of both builds for tune and ablate there is nothing to compare.
    for command in tune ablate; do
        for game in chess shogi; do
            [ -e "$work/old/$game-$command.txt" ] || rm -f "$work/new/$game-$command.txt"
        done
    done
    judge "$work/old" "$work/new"
    ;;
esac
echo "golden: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
