#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The program as people in Japan meet it. Every command and every mistake is tried with --lang ja, and what it says may have
# no word in Latin letters outside the list below, nor may the table of phrases. Then moves and records are held against
# tsshogi (npm, installed by scripts/setup-web.sh), which shares nothing with this program; that is skipped by name where it
# is missing. The last line is `japanese: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
flavour=${ARCH:-native}-$(basename "${CC:-gcc}")
passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C NO_COLOR=1
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)) && echo "FAILED: japanese: $*"; }

# ---- words -------------------------------------------------------------------------------------------------------------
# Names of formats, programs, variables and units; what is typed as it stands: commands, options' values, endings of files.
words="Twofold USI SFEN KIF KI CSA JKF JSON HTML UTF Shift JIS ASCII MB NUL Ctrl ShogiHome ShogiGUI HIRATE OTHER LC ALL
MESSAGES LANG NO COLOR TUNE GB kN ms s m k M N S cp
en ja twofold shogi chess play serve analyse book match tune ablate datagen data train json demo bench perft help make show
undo redo resume moments thinking y n hint eval level new save load resign swap flip board moves game quit declare win go sente gote random both none true
false kif ki csa usi fen bm am dm header xdg open b w i o q progress http tabs hash threads puzzles state time lang output
html handicap Hash BookFile C YANEURAOU DB v f h Home End MPI merge I EUC JP SPSA Markdown GFLOP CPU random sequential normalised logistic
ELO ALPHA BETA H inf info check shuffle text wdl genfens setoption name value seed quit new old match X R stop bestmove src search params dfrc id do hello docs md UCI Chess None sav loa"
# foreign TITLE FILE: the lines of the file, without the words above, options (--hash), what stands for a value in the help
# (MB, NAME=VALUE), moves and squares, and paths of this test, have no Latin letters left.
foreign() {
    sed -E -e "s#$work[^ ：、。「」（）]*##g" -e 's#\./twofold-[a-z]+##g' -e 's/--[a-z0-9-]+(=[^ ]*)?//g' -e 's/(^|[ （])-[a-z]([^a-z]|$)/\1\2/g' \
        -e 's#http://[^ ]*##g' -e 's/[1-9][a-i][1-9][a-i]\+?//g' -e 's/[PLNSGBRK]\*[1-9][a-i]//g' -e 's/chess960(:[0-9%d]+)?//g' \
        -e 's#[1-9a-zA-Z+]+(/[1-9a-zA-Z+]+){8} [bw] [-0-9a-zA-Z]+##g' -e 's/([0-9])e[-+]?[0-9]+/\1/g' -e 's/%[-+ 0-9.*#]*(ll|z|h)?[a-z]//g' -e 's/\\n//g' -e 's/プロセス [0-9]+（[^）]*）//' "$2" |
        grep -aoE '[A-Za-z]+' | sort -u >"$work/found"
    for word in $words; do echo "$word"; done | sort -u >"$work/known"
    left=$(comm -23 "$work/found" "$work/known" | tr '\n' ' ')
    if [ -z "$left" ]; then pass; else fail "$1: in Latin letters: $left"; fi
}

# The table itself: the right column, without what the left one has to stand for a value.
sed -nE 's/^    \{"([^"\\]|\\.)*", *"(([^"\\]|\\.)*)"\}.*/\2/p' src/base/language_table.c >"$work/table"
foreign "the table of phrases" "$work/table"

# ---- every command and every mistake -------------------------------------------------------------------------------------
# says TITLE INPUT ARGUMENTS...: runs the program; what it says on either stream is Japanese. The help's own names of values
# (MB, ELO0 ELO1) stand in its left column.
without_values() {
    sed -E -e 's/^(  (-[a-z],)? *--[a-z0-9-]+) [A-Z][A-Z+=]*/\1/' -e 's/ COMMAND \.\.\./ /' "$work/out" >"$work/said"
}
says() {
    title=$1 input=$2
    shift 2
    printf "$input" | "./twofold-shogi" "$@" --lang ja >"$work/out" 2>&1
    code=$?
    if [ ! -s "$work/out" ]; then
        fail "$title: nothing is said"
        return
    fi
    if [ "$code" -gt 4 ]; then fail "$title: ends with $code"; fi
    without_values
    foreign "$title" "$work/said"
}
printf '手合割：平手\n先手：甲\n後手：乙\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 ９四歩(93)\n   5 投了\n' >"$work/game.kifu"
printf '手合割：二枚落ち\n下手：甲\n上手：乙\n   1 ６二銀(71)\n   2 ９九玉(59)\n   3 投了\n' >"$work/broken.kifu"
printf '手合割：平手\n天気：晴\n   1 ７六歩(77)\n*\203\145\203\n' >"$work/mixed.kifu"
printf '4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*5b; id "1";\n4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*4b;\nsfen 9/9 b - 1\n4k4/9/4P4/9/9/9/9/9/4K4 b G 1 dm 1;\n4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm 9a9b;\n' >"$work/tasks.sfen"
printf 'k8/9/9/9/9/9/9/1R7/8K b - 1 moves 8h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a\n' >"$work/perpetual.usi"
printf '\000\001\002' >"$work/binary.kif" && : >"$work/empty.kif" && echo 'Guten Tag' | tr 'A-Za-z' '0-9' >"$work/other.kif"
for command in '' play analyse book 'book make' 'book show' demo serve merge match tune ablate datagen data train json; do
    # shellcheck disable=SC2086
    says "help of '$command'" '' $command --help
    [ -n "$command" ] || continue
    # shellcheck disable=SC2086
    for mistake in --9 --99=1 '-9 1' '1 2 3 4'; do says "$command $mistake" '' $command $mistake </dev/null; done
done
for mistake in '--side 9' '--level 9' '--elo 9' '--clock 0' '--clock 1+2+3' '--byoyomi 0' '--handicap 9' '--start 9' '--sfen 9' '--nodes' '--nodes 0' \
    '--time 5..' '--hash 0' '--option 9' '--option 9=9' '--option Hash=9999999999' '--threads 0' "--puzzles $work/game.kifu" "--puzzles $work/none"; do
    # shellcheck disable=SC2086
    says "play $mistake" 'quit\n' play $mistake
done
# Squares and ranks in messages are said as on the board.
for sfen in 'P8/4k4/9/9/9/9/9/9/4K4 b - 1=９一' '4k4/9/9/4R4/9/9/9/9/4K4 b - 1=５一' '4k4/9/h8/9/9/9/9/9/4K4 b - 1=三段' '4k4/9/9/9/9/9/9/9/4K3 b - 1=九段'; do
    says "play: a position that cannot be: ${sfen#*=}" 'quit\n' play --sfen "${sfen%=*}"
    if grep -q "${sfen#*=}" "$work/out"; then pass; else fail "play --sfen ${sfen%=*}: not told of ${sfen#*=}"; fi
done
# What a player types, right and wrong; from even, from a handicap, in check, and where the win can be declared.
n='--nodes 200 --lang ja'
all='説明\n形勢\nヒント\n強さ\n強さ 9\n強さ 中級\n反転\n盤\n合法手\n棋譜\n待った\n待った 9\n待った 一\n先後交代\n新規 9\n新規 二枚落ち\n新規\n宣言\n９九\n'
says "play: every command" "$all" play $n
says "play: a game" "▲７六歩\n待った\n７六歩\n棋譜\n保存\n保存 $work/a.kif\n保存 $work/a.kif\n上書き $work/a.kif\n保存 $work/none/a.kif\n読込\n読込 $work/none\n読込 $work/a.kif\n投了\n７六歩\n待った\n終了\n" play $n
says "play: a handicap, clocks and byoyomi" '投了\n' play $n --handicap 六枚落ち --clock 1m --byoyomi 5 --side gote
says "play: near a command and near a move" 'sav\nsave9\nloa\n' play $n
says "play: in check" '９九\n合法手\n' play $n --sfen '4k4/9/9/9/4r4/9/9/9/4K4 b P 1'
says "play: two at one board" '７六歩\n３四歩\n２二角成\n棋譜\n' play --side both
says "play: a declaration" '盤\n宣言\n' play $n --sfen '+R+B+P+PK1+P2/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b RB4G4S4P 1'
says "play: mate" '５二金打\n棋譜\n' play $n --sfen '4k4/9/4P4/9/9/9/9/9/4K4 b G 1'
says "play: no king" 'quit\n' play $n --sfen '9/9/9/9/9/9/9/9/9 b - 1'
for file in game.kifu broken.kifu mixed.kifu tasks.sfen perpetual.usi; do says "analyse $file" '' analyse --nodes 300 -j 1 --state "$work/state" "$work/$file"; done
says "analyse: three lines" '' analyse --nodes 300 -j 1 --multipv 3 --state "$work/state" "$work/game.kifu"
for mistake in '' "$work/none" "$work/binary.kif" "$work/empty.kif" "$work/other.kif" "$work" "$work/game.kifu -f 9" "$work/game.kifu --encoding 9" "$work/game.kifu -o $work/game.kifu" \
    "$work/game.kifu -o $work/none/1.kif" "$work/game.kifu --player 9" "$work/game.kifu --nodes 0" "$work/game.kifu --state $work/tasks.sfen"; do
    # shellcheck disable=SC2086
    says "analyse $mistake" '' analyse -j 1 $mistake
done
# The report as a page: what stands between its tags, what its labels say, and the data of its script.
page() {
    title=$1
    shift
    ./twofold-shogi analyse -q -j 1 --nodes 300 --state "$work/state" --lang ja "$@" --html "$work/page.html" >/dev/null 2>&1 || fail "$title: no page"
    sed -E -e '/^<script>/,/^<\/script>/d; /<script>/,/<\/script>/d' -e 's/<style>.*//; /^[.@:#}*a-z-]/d; /^ *--/d' "$work/page.html" >"$work/body"
    sed -E 's/<[^>]*>/ /g; s/&[a-z]+;/ /g; /"game":/d; /^ *\{/d' "$work/body" >"$work/said"
    foreign "$title: the words" "$work/said"
    grep -aoE '(aria-label|title|alt)="[^"]*"' "$work/body" | sed -E 's/^[a-z-]+=//' >"$work/said"
    foreign "$title: the labels" "$work/said"
    grep -aoE '"(t|r|s)":("[^"]*"|\[[^]]*\])' "$work/page.html" | sed -E 's/^"."//' >"$work/said"
    foreign "$title: the data" "$work/said"
    if grep -aq '"First position":"最初へ"' "$work/page.html" || [ "$title" = "a page of positions" ]; then pass; else fail "$title: the script has no words"; fi
}
page "a page of a game" "$work/game.kifu"
page "a page of a handicap that breaks off" "$work/broken.kifu"
page "a page of positions" "$work/tasks.sfen"
printf '先手：甲\n*😀\n   1 ７六歩(77)\n' >"$work/sign.kif"
says "a sign that Shift_JIS has not" '' analyse -j 1 --nodes 100 --state "$work/state" "$work/sign.kif" -o "$work/signs.kif"
if ./twofold-shogi analyse -q -j 1 --nodes 300 --state "$work/state" "$work/game.kifu" --puzzles "$work/puzzles.txt" 2>"$work/out" && [ -s "$work/puzzles.txt" ]; then
    says "play: puzzles" '説明\n９九\n合法手\n正解\n終了\n' play --puzzles "$work/puzzles.txt"
fi
says "book make" '' book make -o "$work/book.db" -g 1 "$work/game.kifu" "$work/broken.kifu"
says "book show" '' book show "$work/book.db"
says "book show: behind the book" '' book show "$work/book.db" -m 9g9f
for mistake in "make -o $work/b.db" "make $work/game.kifu" "make -o $work/game.kifu $work/game.kifu" "make -o $work/b.db $work/none" 'show' "show $work/none" "show $work/game.kifu" "show $work/book.db -p 9" "show $work/book.db -m 9"; do
    # shellcheck disable=SC2086
    says "book $mistake" '' book $mistake
done
says "demo" '' demo 0.1
for format in json kifu usi; do
    for part in 1 2; do ./twofold-shogi analyse -q -j 1 --nodes 50 --state "$work/state" "$work/game.kifu" --json - >"$work/part$part.json" -o "$work/part$part.$format" 2>/dev/null; done
    says "merge of $format" '' merge "$work/merged.$format" "$work/part1.$format" "$work/part2.$format"
    says "merge of $format: what is there" '' merge "$work/merged.$format" "$work/part1.$format" "$work/part2.$format"
done
for mistake in "$work/new $work/part1.json $work/part1.kifu" "$work/new $work/none" "$work/part1.json $work/part1.json" "$work/new $work/binary.kif"; do
    # shellcheck disable=SC2086
    says "merge $mistake" '' merge $mistake
done
# The language may stand in front of the command too, and in front of none.
for said in 'demo --help' '--help' '99' 'demo --99' 'play --99 1' 'match --99' 'genfens --help' 'genfens' 'genfens 0' 'genfens 1 9' 'genfens 1 seed 9..9' 'genfens 1 book 9' "genfens 1 book $work/binary.kif" 'setoption genfens'; do
    # shellcheck disable=SC2086
    ./twofold-shogi --lang ja $said </dev/null >"$work/out" 2>&1
    if [ -s "$work/out" ]; then pass; else fail "--lang ja $said: nothing is said"; fi
    without_values
    foreign "--lang ja $said" "$work/said"
done
# What makers of engines use: matches, self-play, its files, learning, and tuning, which a usual build refuses.
engines="--engine ./twofold-shogi --name 1 --engine ./twofold-shogi --name 2"
short="match --nodes 100 --games 2 --progress 0.01"
says "match" '' $short $engines --games-file "$work/games" --log "$work/log"
says "match: going on" '' $short $engines --games-file "$work/games" --resume
says "match: the report alone" '' $short $engines --games-file "$work/games" --report-only
says "match: each against each, a sequential test" '' $short --depth 1 --round-robin $engines --engine ./twofold-shogi --name 3
says "match: clocks, a sequential test" '' match --tc 1+0.01 --byoyomi 100ms --max-plies 4 --games 2 --sprt 0 5 0.05 0.05 $engines
says "match: random openings" '' $short --random-plies 4 $engines
says "match: openings, one of them broken" '' $short --openings "$work/tasks.sfen" $engines
says "match: a program that ends at once" '' match --nodes 100 --games 8 --engine true --engine ./twofold-shogi
says "match: a program that is none" '' $short --engine "$work/none" --engine ./twofold-shogi
for mistake in '' "--nodes 100" "$engines" "--name 1" "--tc 1/2/3" "--byoyomi 9..9" "--st 9..9" "--order 9" "--rule 9" "--rule 9=1" "--chess960" "--sprt 1 0 0.1 0.1" "--sprt 0 1 0.9 0.9" \
    "--sprt-model 9" "--shard 3/2" "--nodes 0" "--option =1" "$engines --nodes 1 --resume" "$engines --nodes 1 --report-only" "$engines --nodes 1 --sprt 0 5 0.1 0.1 --shard 1/2" \
    "$engines --nodes 1 --games-file $work/games" "$engines --nodes 1 --openings $work/none" "$engines --nodes 1 --openings $work/binary.kif" "$engines --nodes 1 --record $work/none/1" \
    "$engines --nodes 1 --record $work/1 --format 9" "$engines --nodes 1 --json $work/1 --html $work/1" "$engines --nodes 1 --merge $work/none"; do
    # shellcheck disable=SC2086
    says "match $mistake" '' match $mistake
done
for command in tune ablate; do
    for mistake in '' '--nodes 0' '--threads 0' "--openings $work/none"; do
        # shellcheck disable=SC2086
        says "$command $mistake" '' $command $mistake
    done
done
datagen="datagen --nodes 50 --net none --report 1 --out $work/games.tfg"
# shellcheck disable=SC2086
says "datagen" '' $datagen --games 3
# shellcheck disable=SC2086
says "datagen: going on" '' $datagen --games 4
for mistake in '' "--out $work/x" "--out $work/x --positions 9 --shard 1/2" "--out $work/x --games 1 --player 123456789" "--out $work/x --games 1 --net $work/none" "--out $work/none/x --games 1 --net none" \
    "--out $work/games.tfg --games 9 --seed 2 --net none" "--out $work/game.kifu --games 9 --net none" "--out $work/x --games 1 --shard 9"; do
    # shellcheck disable=SC2086
    says "datagen $mistake" '' datagen $mistake
done
for tool in info check wdl "merge --out $work/merged.tfg" "shuffle --out $work/shuffled.tfg"; do
    # shellcheck disable=SC2086
    says "data $tool" '' data $tool "$work/games.tfg"
done
{ cat "$work/games.tfg" && echo 12345; } >"$work/damaged.tfg"
says "data check: damage" '' data check "$work/damaged.tfg"
for mistake in '' 'info' "info $work/none" "info $work/game.kifu" "merge $work/games.tfg" "text $work/empty.kif"; do
    # shellcheck disable=SC2086
    says "data $mistake" '' data $mistake
done
for more in '' "--threads 20 --validate-on $work/games.tfg" "--checkpoint $work/state.train --stop-after 1 --validation 0.5" "--checkpoint $work/state.train --validation 0.5" "--checkpoint $work/state.train --seed 2"; do
    # shellcheck disable=SC2086
    says "train $more" '' train --data "$work/games.tfg" --out "$work/net" --name 1 --epochs 2 --batch 64 --buffer 64 $more
done
for mistake in '' "--data $work/none --out $work/x" "--data $work/games.tfg --out $work/games.tfg" "--data $work/games.tfg --out $work/x --from $work/x" "--data $work/games.tfg --out $work/x --from $work/game.kifu" \
    "--data $work/games.tfg --out $work/x --min-ply 9999" "--data $work/game.kifu --out $work/x"; do
    # shellcheck disable=SC2086
    says "train $mistake" '' train $mistake
done
says "serve: a wrong port" '' serve --port 99999
says "serve: a wrong option" '' serve --option 9=9
# The language is that of --lang, else of the first of the variables that is set.
expect() {
    if env LC_ALL="$2" LC_MESSAGES="$3" LANG="$4" ./twofold-shogi demo --help | grep -q "$5"; then pass; else fail "$1"; fi
}
expect "LC_ALL decides" ja_JP.UTF-8 C C '使い方'
expect "LC_MESSAGES is next" '' ja_JP.UTF-8 C '使い方'
expect "LANG is last" '' '' ja_JP.UTF-8 '使い方'
expect "English else" '' '' de_DE.UTF-8 'Usage'
expect "any encoding of Japanese" ja_JP.eucJP '' '' '使い方'
for language in C POSIX C.UTF-8; do expect "$language is English" $language ja_JP.UTF-8 ja_JP.UTF-8 'Usage'; done
# What programs read is the same in every language.
same() {
    title=$1
    shift
    for language in en ja; do env LC_ALL=$language "$@" >"$work/$language" 2>/dev/null; done
    if [ -s "$work/en" ] && cmp -s "$work/en" "$work/ja"; then pass; else fail "$title changes with the language"; fi
}
# (Sorted: when isready is answered, other answers may stand before it or behind.)
same "USI" sh -c '{ printf "usi\nisready\nposition startpos\nd\neval\nfoo\nbench x\nposition 9\nquit\n" | ./twofold-shogi; ./twofold-shogi go nodes 100; ./twofold-shogi bench x; } | sed "s/ time [0-9]*//; s/ nps [0-9]*//" | sort'
same "JSON" sh -c 'printf "%s\n" "{\"id\":1,\"do\":\"hello\"}" "{\"id\":2,\"do\":\"nothing\"}" "{" "{\"id\":3,\"do\":\"parse\",\"text\":\"9z\"}" | ./twofold-shogi json'
same "genfens" ./twofold-shogi genfens 2 seed 3
same "a game of match" sh -c './twofold-shogi match --depth 2 --games 2 --quiet --event 1 --format usi --record "$0.usi" --table "$0.table" --engine ./twofold-shogi --name A --engine ./twofold-shogi --name B >"$0.said" && cat "$0.usi" "$0.table" && rm "$0.usi" "$0.table"' "$work/record"
same "the file of datagen" sh -c './twofold-shogi datagen --out "$0" --games 2 --nodes 50 >"$0.said" && cat "$0" && rm "$0"' "$work/packed"
same "the text of data" ./twofold-shogi data text "$work/games.tfg"
same "the network of train" sh -c './twofold-shogi train --data "$1" --out "$0" --epochs 1 --batch 64 >"$0.said" && cat "$0"' "$work/learned" "$work/games.tfg"
for format in kif ki2 csa usi json; do
    case $format in json) output=--json ;; *) output="-f $format -o" ;; esac
    # shellcheck disable=SC2086
    same "the file of $format" ./twofold-shogi analyse -q -j 1 --nodes 300 --state "$work/state" "$work/game.kifu" $output -
done
echo "japanese words: $passed passed, $failed failed"

# ---- moves and records, read by another program ----------------------------------------------------------------------------
if ! command -v node >/dev/null; then
    echo "skipped: japanese: no node" && skipped=1
else
    for tool in moves records; do
        make -s "build/shogi-$flavour/tool_$tool" || fail "tool_$tool is not built"
    done
    node tests/web/japanese.mjs "build/shogi-$flavour" >"$work/out"
    code=$?
    grep -av '^records: ' "$work/out"
    read -r node_passed node_failed node_skipped <<END
$(sed -nE 's/^records: ([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped/\1 \2 \3/p' "$work/out")
END
    if [ -n "$node_failed" ]; then
        passed=$((passed + node_passed)) failed=$((failed + node_failed)) skipped=$((skipped + node_skipped))
    else
        fail "the comparison ends with $code and no summary"
    fi
fi
echo "japanese: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
