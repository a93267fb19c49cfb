#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures the playing levels (UCI_Elo, USI_Elo): every level plays its neighbours, and theirs, and the anchors near it; one
# rating for each is fitted to all results.
#   scripts/levels.sh chess|shogi [--games N] [--from ELO] [--to ELO] [--adjust] [--write] [--calibrate] ...
# --games N       games of a step of 200 (default 400); half as many with the neighbour's neighbour and with each anchor
# --from, --to    the lowest and the highest level that play (default: all)
# --adjust        rewrites the game's row in src/search/skill.c so that each level has the strength it is named after
# --write         puts the table into docs/levels.md
# --calibrate     all of it, for a new network: adjusts with a quarter of the games, again with a half, then measures with all and writes
# --anchors LIST  those of the names below, "none" or "all" (default: the usual ones; slow ones only when named)
# --concurrency N games at once (default 1)     --seed N   of the openings (default 1)
# Interrupted, it goes on where it was: results are kept in build/levels for exactly this program.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

die() { echo "levels: $*" >&2; exit 1; }

called="scripts/levels.sh $*"
game=${1:-}
shift || true
case $game in chess | shogi) ;; *) sed -n '3,14s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
games=400 from=600 to=99999 adjust= write= calibrate= anchors=usual concurrency=1 seed=1
while [ $# -gt 0 ]; do
    case $1 in
    --games) games=${2:?--games needs a number}; shift 2 ;;
    --from) from=${2:?--from needs an Elo}; shift 2 ;;
    --to) to=${2:?--to needs an Elo}; shift 2 ;;
    --anchors) anchors=${2:?--anchors needs names}; shift 2 ;;
    --concurrency) concurrency=${2:?--concurrency needs a number}; shift 2 ;;
    --seed) seed=${2:?--seed needs a number}; shift 2 ;;
    --adjust) adjust=1; shift ;;
    --write) write=1; shift ;;
    --calibrate) calibrate=1; shift ;;
    *) echo "levels: unknown option '$1'" >&2; exit 2 ;;
    esac
done
PATH=$PATH:/usr/games

# ---- the players ------------------------------------------------------------------------------------------------------
# An anchor: name, rating, usual or slow, the options of `match` that make it, where the rating comes from.
# Stockfish chooses a weakened move when the search reaches a depth that follows from UCI_Elo, and whatever it does after
# that changes nothing: that depth is all it is given. Fixed ratings of the other programs are rounded.
if [ "$game" = chess ]; then
    limit=UCI_LimitStrength elo=UCI_Elo hash=Hash
    sf="--option Hash=16 --option UCI_LimitStrength=true --option"
    anchor_rows="stockfish-1350|1350|usual|--engine stockfish $sf UCI_Elo=1350 --depth 1|its UCI_Elo
stockfish-1500|1500|usual|--engine stockfish $sf UCI_Elo=1500 --depth 2|its UCI_Elo
stockfish-1700|1700|usual|--engine stockfish $sf UCI_Elo=1700 --depth 4|its UCI_Elo
stockfish-1900|1900|usual|--engine stockfish $sf UCI_Elo=1900 --depth 6|its UCI_Elo
stockfish-2100|2100|usual|--engine stockfish $sf UCI_Elo=2100 --depth 8|its UCI_Elo
stockfish-2300|2300|slow|--engine stockfish $sf UCI_Elo=2300 --depth 11|its UCI_Elo
stockfish-2500|2500|slow|--engine stockfish $sf UCI_Elo=2500 --depth 14|its UCI_Elo"
else
    limit=USI_LimitStrength elo=USI_Elo hash=USI_Hash
    gps="--engine gpsusi --option BookDepth=0 --byoyomi 60s --arg --num-cpus=1"
    anchor_rows="gpsusi|1850|usual|$gps --arg --node-count-hard-limit=30000|fixed: the zero of this scale"
fi

players_of() { # NAME -> the options of `match` for it
    case $1 in
    level-*) echo "--engine $program --nodes 100000000 --option $hash=4 --option $limit=true --option $elo=${1#level-}" ;;
    *) awk -F'|' -v name="$1" '$1 == name { print $4 }' <<< "$anchor_rows" ;;
    esac
}

# ---- games ------------------------------------------------------------------------------------------------------------
# Levels count nodes of their own: the limit of a match never binds, and with no clock in it the games may share a machine. A game is over for us where the level that is ahead
# would play on with all its care (level_sharpen): from about thirteen pawns on.
play() { # A B GAMES: adds "A B wins draws losses pairs..." to the results
    local base="$work/$1.$2.$3"
    if [ ! -f "$base.json" ]; then
        # shellcheck disable=SC2046
        "$program" match --games "$3" --concurrency "$concurrency" --seed "$seed" --random-plies 8 --adjudicate-win 1300 3 \
            --max-plies 400 --games-file "$base.games" --resume --json "$base.json" --log "$base.log" --quiet \
            $(players_of "$1") --name "$1" $(players_of "$2") --name "$2" > "$base.report" 2>&1 ||
            { rm -f "$base.json"; tail -3 "$base.report" >&2; die "$1 against $2 failed"; }
    fi
    sed -n 's/.*"first":"\([^"]*\)","opponent":"\([^"]*\)","games":[0-9]*,"wins":\([0-9]*\),"draws":\([0-9]*\),"losses":\([0-9]*\),"pairs":\[\([0-9,]*\)\].*/\1 \2 \3 \4 \5 \6/p' \
        "$base.json" | tr , ' ' | tee -a "$results" >&2
}

wanted_anchor() { # NAME CLASS
    case $anchors in
    none) return 1 ;;
    all) return 0 ;;
    usual) [ "$2" = usual ] ;;
    *) case ",$anchors," in *",$1,"*) return 0 ;; *) return 1 ;; esac ;;
    esac
}

measure() { # GAMES
    make -s "twofold-$game"
    work=build/levels/$game-$(sha256sum "twofold-$game" | cut -c1-12)-$seed
    mkdir -p "$work"
    program=$work/twofold-$game results=$work/results
    cp -f "twofold-$game" "$program"
    : > "$results"
    full=$(row | tr -dc '0-9,' | cut -d, -f1)
    local level level_nb=$1 top=$((to < full - 1 ? to : full - 1))
    for ((level = from; level + 200 <= top; level += 200)); do
        play "level-$((level + 200))" "level-$level" "$level_nb"
        [ $((level + 400)) -gt "$top" ] || play "level-$((level + 400))" "level-$level" $((level_nb / 2))
    done
    local name rating class nearest
    while IFS='|' read -r -u 9 name rating class _; do
        wanted_anchor "$name" "$class" || continue
        command -v "$(players_of "$name" | cut -d' ' -f2)" > /dev/null || { echo "levels: $name is not installed: left out" >&2; continue; }
        nearest=$(((rating - 600) / 200 * 200 + 600))
        for level in $nearest $((nearest + 200)); do
            [ "$level" -lt "$from" ] || [ "$level" -gt "$top" ] || play "$name" "level-$level" $((level_nb / 2))
        done
    done 9<<< "$anchor_rows"
}

# ---- ratings ----------------------------------------------------------------------------------------------------------
# The most likely ratings of all players, a draw being half a win. The scale is moved so that the anchors are right on average;
# without an anchor so that the levels are. Errors are twice the standard error, from the inverse of the information matrix.
# Prints: player rating error.
fit() {
    printf '%s\n' "$anchor_rows" | cut -d'|' -f1,2 | awk '
    FNR == NR { split($0, part, "|"); published[part[1]] = part[2]; next }
    function number(name) { if (!(name in id)) { id[name] = ++nb; who[nb] = name } return id[name] }
    { pairs++; a[pairs] = number($1); b[pairs] = number($2); n[pairs] = $3 + $4 + $5 + 1; won[pairs] = $3 + $4 / 2 + 0.5 }
    END {
        K = log(10) / 400
        for (i = 1; i <= nb; i++) rating[i] = substr(who[i], 1, 6) == "level-" ? substr(who[i], 7) : published[who[i]]
        for (round = 0; round < 3000; round++) {
            for (i = 1; i <= nb; i++) { slope[i] = 0; bend[i] = 1e-9 }
            for (p = 1; p <= pairs; p++) {
                e = 1 / (1 + exp(K * (rating[b[p]] - rating[a[p]])))
                d = won[p] - n[p] * e; h = n[p] * e * (1 - e) * K
                slope[a[p]] += d; slope[b[p]] -= d; bend[a[p]] += h; bend[b[p]] += h
            }
            for (i = 1; i <= nb; i++) rating[i] += 0.5 * slope[i] / bend[i]
        }
        for (i = 1; i <= nb; i++) anchor_nb += who[i] in published
        for (i = 1; i <= nb; i++) {
            isref[i] = anchor_nb ? who[i] in published : 1
            if (isref[i]) { refs++; shift += (who[i] in published ? published[who[i]] : substr(who[i], 7)) - rating[i] }
        }
        # The information matrix, with the mean of the reference players held; its inverse by elimination.
        for (i = 1; i <= nb; i++) for (j = 1; j <= nb; j++) { m[i, j] = isref[i] && isref[j] ? 1e4 : 0; v[i, j] = i == j }
        for (p = 1; p <= pairs; p++) {
            e = 1 / (1 + exp(K * (rating[b[p]] - rating[a[p]]))); h = n[p] * e * (1 - e) * K * K
            m[a[p], a[p]] += h; m[b[p], b[p]] += h; m[a[p], b[p]] -= h; m[b[p], a[p]] -= h
        }
        for (c = 1; c <= nb; c++) {
            d = m[c, c]
            for (j = 1; j <= nb; j++) { m[c, j] /= d; v[c, j] /= d }
            for (i = 1; i <= nb; i++) if (i != c) {
                f = m[i, c]
                if (f != 0) for (j = 1; j <= nb; j++) { m[i, j] -= f * m[c, j]; v[i, j] -= f * v[c, j] }
            }
        }
        for (i = 1; i <= nb; i++) printf "%s %.1f %.1f\n", who[i], rating[i] + shift / refs, 2 * sqrt(v[i, i] > 0 ? v[i, i] : 0)
    }' - "$results" | sort -t- -k1,1 -k2,2n
}

# ---- the program's table ----------------------------------------------------------------------------------------------
mark="column $([ "$game" = chess ] && echo 0 || echo 1)" # the search names no game
row() { grep " // $mark\$" src/search/skill.c; }

# Reads the ratings; writes the row anew. What Elo number E should play is found where the measured ratings cross E; above and
# below what was measured, strengths move as much as at the end of it.
adjust_row() {
    local new
    new=$(fit | sed -n 's/^level-//p' | awk -v row="$(row)" '
    { if (nb && $2 <= rating[nb]) next; level[++nb] = $1; rating[nb] = $2 }
    function at(elo,    i) {
        i = int((elo - 600) / 200); if (i < 0) i = 0; if (i > steps - 2) i = steps - 2
        return s[i] + (s[i + 1] - s[i]) * (elo - 600 - 200 * i) / 200
    }
    END {
        gsub(/[^0-9]+/, " ", row); sub(/^ /, "", row); split(row, number, " ")
        full = number[1]; steps = number[2]
        for (i = 0; i < steps; i++) s[i] = number[i + 3]
        if (nb < 2) exit 1
        for (i = 0; i < steps; i++) {
            elo = 600 + 200 * i
            for (k = 1; k < nb - 1 && rating[k + 1] < elo; k++);
            if (elo < rating[1]) was = level[1] + (elo - rating[1])
            else if (elo > rating[nb]) was = level[nb] + (elo - rating[nb])
            else was = level[k] + (level[k + 1] - level[k]) * (elo - rating[k]) / (rating[k + 1] - rating[k])
            x = int(at(was) + 0.5); if (x < 0) x = 0; if (i && x <= last) x = last + 1
            list = list (i ? ", " : "") x; last = x
        }
        printf "    {%d, %d, {%s}}, // ", full, steps, list
    }')$mark || die "too few levels were measured to adjust anything"
    awk -v mark="$mark" -v new="$new" '$0 ~ " // " mark "$" { print new; next } { print }' src/search/skill.c > src/search/skill.c.new
    mv src/search/skill.c.new src/search/skill.c
    row
}

# ---- the page ---------------------------------------------------------------------------------------------------------
# A step says what it scores: games, points of the stronger one, and Elo with its 95 % error from the pairs of games.
page() {
    printf '| player | rating | error | against | games | score | difference | error |\n|---|---:|---:|---|---:|---:|---:|---:|\n'
    fit | awk '
    FNR == NR { rating[$1] = $2; error[$1] = $3; order[++nb] = $1; next }
    function elo(x) { if (x < 0.001) x = 0.001; if (x > 0.999) x = 0.999; return 400 * log(x / (1 - x)) / log(10) }
    { first = $1; n = $3 + $4 + $5; s = ($3 + $4 / 2) / n
      pairs = 0; sum = 0
      for (i = 0; i < 5; i++) { pairs += $(6 + i); sum += $(6 + i) * (i / 4 - s) ^ 2 }
      e = 1.96 * sqrt(sum / pairs / pairs); spread = (elo(s + e) - elo(s - e)) / 2
      line[first] = line[first] sprintf("\n| | | | %s | %d | %.1f %% | %+.0f | %.0f |", $2, n, 100 * s, elo(s), spread) }
    END { for (i = 1; i <= nb; i++) {
        printf "| %s | %.0f | %.0f |", order[i], rating[order[i]], error[order[i]]
        rest = line[order[i]]
        if (rest == "") print " | | | | |"; else { sub(/^\n\| \| \| \|/, "", rest); print rest } } }' - "$results"
}

write_page() {
    local doc=docs/levels.md
    grep -qF "<!-- $game levels -->" $doc || die "$doc has no place for the table"
    { printf 'Measured on %s with `%s`, network `%s`, %s games a step.\n\n' \
        "$(date -u +%F)" "$called" "$(sha256sum "nets/$game.nnue" | cut -c1-12)" "$games"
        page; } > "$work/page"
    awk -v game="$game" -v page="$work/page" '
        $0 == "<!-- " game " levels -->" { print; while ((getline line < page) > 0) print line; skip = 1; next }
        $0 == "<!-- end of " game " levels -->" { skip = 0 }
        !skip { print }' $doc > $doc.new
    mv $doc.new $doc
}

if [ -n "$calibrate" ]; then
    for share in 4 2; do
        measure $((games / share))
        page
        adjust_row
    done
    adjust='' write=1
fi
measure "$games"
page
[ -z "$adjust" ] || adjust_row
[ -z "$write" ] || write_page
