#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which folder may see which: prints every include and every use of the games' contract that the two tables below do
# not allow, one a line, and answers 1 if there is one. scripts/check-layers.sh shows that it bites.
#   scripts/layers.sh [ROOT]     of the sources in ROOT/src (default: this repository)
[ $# -gt 0 ] || cd "$(dirname "$0")/.." || exit 1
cd "${1:-.}" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# FOLDER: the folders whose public headers its files may include. The public header of a folder has its name; in base
# and session all are public, and what is public elsewhere stands in PUBLIC below. main.c sees all.
cat >"$work/layers" <<'END'
base:
games: base
nnue: base games
search: base games nnue
session: base games nnue search
protocol: base games nnue search session
console: base games nnue search session
arena: base games nnue search session
page: base
analysis: base games nnue search session page
train: base games nnue search session arena
library: base games nnue search session analysis
web: base games nnue search session protocol analysis page
cluster: base games search session
END
PUBLIC='search/peers.h page/assets.h'

# HEADER of the contract: the folders it is for (*: all). Nobody else includes it or names a function of it. The first
# four are parts of game.h and are never included by themselves.
cat >"$work/audiences" <<'END'
types.h: *
rules.h: *
heuristics.h: search analysis protocol train
features.h: nnue train protocol web
game_state.h: search session protocol console analysis arena train web library cluster
knowledge.h: search session protocol console
notation.h: session protocol console analysis arena web library
record.h: console analysis arena web library
words.h: session protocol console arena web library
END

# ---- includes -----------------------------------------------------------------------------------
# Every include in quotes, as FILE HEADER.
grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' -r src --include='*.c' --include='*.h' |
    sed 's/^\([^:]*\):[0-9]*:.*"\(.*\)".*/\1 \2/' >"$work/includes"
awk -v public=" $PUBLIC " '
function folder(path) { sub(/^src\//, "", path); if (path !~ /\//) return "main"; sub(/\/.*/, "", path); return path }
function base(path) { sub(/.*\//, "", path); return path }
function wrong(why) { print file " includes " header ": " why }
FILENAME ~ /layers$/ { name = $1; sub(/:$/, "", name); known[name] = 1; for (i = 2; i <= NF; i++) sees[name, $i] = 1; next }
FILENAME ~ /audiences$/ { name = $1; sub(/:$/, "", name); contract[name] = 1; for (i = 2; i <= NF; i++) audience[name, $i] = 1; next }
{
    file = $1; header = $2; from = folder(file)
    if (from != "main" && !(from in known)) { print file ": its folder is not in the table of layers"; next }
    if (header == "game.h") { if (from == "base" || from == "page") wrong("it knows no game"); next }
    if (header ~ /^\.\.\//) { if (header !~ /include\/twofold\.h$/) wrong("no paths upwards"); next }
    if (header ~ /^games\//) {
        if (from == "games") next
        if (!(base(header) in contract)) wrong("private to the games")
        else if (header ~ /\/(types|rules|heuristics|features)\.h$/) wrong("it is part of game.h")
        else if (from != "main" && !((base(header), from) in audience)) wrong("not for this folder")
        next
    }
    if (header ~ /\//) {
        to = header; sub(/\/.*/, "", to)
        if (!(to in known)) { wrong("an unknown folder"); next }
        if (to == from) next
        if (from != "main" && !((from, to) in sees)) wrong("layers point the other way")
        else if (to != "base" && to != "session" && base(header) != to ".h" && index(public, " " header " ") == 0) wrong("only the public header of a folder")
        next
    }
    # A header beside the file.
    path = file; sub(/[^\/]*$/, "", path)
    if ((getline line < (path header)) < 0) wrong("not beside it")
    close(path header)
}' "$work/layers" "$work/audiences" "$work/includes" >"$work/bad"

# ---- names --------------------------------------------------------------------------------------
# A header comes through others too: so the functions it declares are looked for by name.
while read -r header rest; do
    header=${header%:}
    [ "$rest" != '*' ] && [ -f "src/games/$header" ] || continue
    sed -n 's/^\(static inline \)\{0,1\}[A-Za-z][A-Za-z0-9_ *]*[ *]\([a-z][a-z0-9_]*\)(.*/\2/p' "src/games/$header" |
        sed "s/\$/ $header/"
done <"$work/audiences" >"$work/names"
[ -s "$work/names" ] || echo "no function of the contract was found" >>"$work/bad"
find src -name '*.[ch]' ! -path 'src/games/*' ! -name main.c | sort >"$work/files"
# shellcheck disable=SC2046
awk '
FILENAME ~ /audiences$/ { name = $1; sub(/:$/, "", name); for (i = 2; i <= NF; i++) audience[name, $i] = 1; next }
FILENAME ~ /names$/ { header[$1] = $2; next }
FNR == 1 { from = FILENAME; sub(/^src\//, "", from); sub(/\/.*/, "", from) }
{
    sub(/\/\/.*/, "")
    for (rest = $0; match(rest, /[A-Za-z_][A-Za-z0-9_]*\(/); rest = substr(rest, RSTART + RLENGTH)) {
        word = substr(rest, RSTART, RLENGTH - 1)
        if (word in header && !((header[word], from) in audience))
            print FILENAME ":" FNR " uses " word ": " header[word] " is not for this folder"
    }
}' "$work/audiences" "$work/names" $(cat "$work/files") >>"$work/bad"
cat "$work/bad"
[ ! -s "$work/bad" ]
