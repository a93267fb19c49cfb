#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Holds docs/search.md to the source: what the page says of values, formulas, functions, steps and worth must be so. The head
# of the page says how each is written. Prints a line for each that is not; silent when all is well.
#   scripts/search-doc.sh [FOLDER]      another tree than this one
cd "$(dirname "$0")/.." || exit 1
cd "${1:-.}" || exit 1
page=docs/search.md
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# In the house's format a function begins at the margin, and its closing brace stands there alone.
# FILE, NAME, BODY without comments, one line each; a body of one line too.
awk '
function flush() { if (name != "") print file "\t" name "\t" body; name = ""; body = "" }
FNR == 1 { file = FILENAME; name = "" }
{ line = $0; sub(/\/\/.*/, "", line) }
/^[A-Za-z_]/ { head = line }
/^[A-Za-z_].*\) *\{.*\}$/ { name = head; body = line; sub(/^[^{]*/, "", body); sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); flush(); next }
/^[ \t]/ && head != "" && name == "" && head !~ /[;{}]$/ { head = head line }
/^\{$/ { name = head; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); next }
/^\}/ { flush(); head = ""; next }
name != "" { body = body " " line }' src/search/*.c src/search/*.h src/games/*/*.c >"$work/functions"

# NAME, value in the first game, value in the second.
awk '/^ *X\(/ { line = $0; gsub(/[X(),\\]/, " ", line); split(line, f, " "); print f[1], f[2], f[3] }' src/search/params.h >"$work/params"
# Options of quiescence: the name of the option, then its default by the field it sets.
awk -v params="$work/params" '
BEGIN { while ((getline line < params) > 0) { split(line, f, " "); first[f[1]] = f[2]; second[f[1]] = f[3] } }
FILENAME ~ /engine.c$/ && /^ *\.q_/ { line = $0; gsub(/[.,=]/, " ", line); split(line, f, " "); value[f[1]] = f[2] }
FILENAME ~ /options.c$/ && /"QSearch/ {
    name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
    field = $0; sub(/.*, q_/, "q_", field); sub(/\).*/, "", field)
    v = field in value ? value[field] : 0
    if (v == "true") v = 1
    if (v == "false") v = 0
    p = v; sub(/^PARAM_/, "", p)
    if (p in first) print name, first[p], second[p]; else print name, v, v
}' src/search/engine.c src/session/options.c >"$work/options"
# Constants in capitals, as NAME=VALUE.
grep -rhoE '[A-Z][A-Z0-9_]+ = -?[0-9]+' src/search src/games | tr -d ' ' | sort -u >"$work/constants"
grep -hoE '^ *// [0-9]+\.' src/search/alphabeta.c | tr -dc '0-9\n' | sort -n | tail -1 >"$work/steps"
sed -n '/<!-- worth -->/,/<!-- end of worth -->/p' docs/measurements/worth.md | grep '^| [A-Z]' >"$work/worth"

awk -v work="$work" -v page="$page" '
# Both sides of a formula in the same words.
function normal(s,   inner) {
    gsub(/[ \t]/, "", s)
    gsub(/\((int|u64|i64|i16|u8|u32)\)/, "", s)
    while (match(s, /P(ARAM)?\([a-z_>-]*,[A-Za-z0-9]+\)/)) {
        inner = substr(s, RSTART, RLENGTH); sub(/^[^,]*,/, "", inner); sub(/\)$/, "", inner)
        s = substr(s, 1, RSTART - 1) inner substr(s, RSTART + RLENGTH)
    }
    gsub(/\((w|worker),/, "(", s)
    gsub(/stack->eval/, "static_eval", s)
    gsub(/tt(->|\.)/, "entry.", s)
    gsub(/stack\[-1\]\./, "parent.", s)
    gsub(/stack\[1\]\./, "child.", s)
    gsub(/(node|stack|info|picker|worker|w|plan|signs|options|o|q|clocks|engine|control|rm|h)->/, "", s)
    gsub(/(node|info|signs|plan|q)\./, "", s)
    gsub(/min_(int|i64)/, "min", s); gsub(/max_(int|i64)/, "max", s); gsub(/clamp_(int|i64)/, "clamp", s)
    gsub(/SCORE_/, "", s)
    gsub(/&&/, "and", s); gsub(/\|\|/, "or", s)
    gsub(/!=/, "\001", s); gsub(/!/, "not", s); gsub(/\001/, "!=", s)
    return s
}
function complain(what) { print page ":" FNR ": " what }
function value_is(name, text,   v, n) {
    n = split(text, v, " / ")
    if (name in first) return n == 1 ? v[1] == first[name] && v[1] == second[name] : v[1] == first[name] && v[2] == second[name]
    return ((name "=" v[1]) in constant) && n == 1
}
# Is the name a word of the text?
function has_word(text, name,   at, before, after) {
    while ((at = index(text, name)) > 0) {
        before = at > 1 ? substr(text, at - 1, 1) : " "; after = substr(text, at + length(name), 1)
        if (at > 6 && substr(text, at - 6, 6) == "PARAM_") before = " "
        if (before !~ /[A-Za-z0-9_]/ && after !~ /[A-Za-z0-9_]/) return 1
        text = substr(text, at + length(name))
    }
    return 0
}
function read_all(   line, f, n) {
    while ((getline line < (work "/params")) > 0) { split(line, f, " "); first[f[1]] = f[2]; second[f[1]] = f[3]; is_param[f[1]] = 1 }
    while ((getline line < (work "/options")) > 0) { split(line, f, " "); first[f[1]] = f[2]; second[f[1]] = f[3]; is_option[f[1]] = 1 }
    while ((getline line < (work "/constants")) > 0) constant[line] = 1
    while ((getline line < (work "/steps")) > 0) steps = line
    while ((getline line < (work "/functions")) > 0) { split(line, f, "\t"); body[f[1] " " f[2]] = body[f[1] " " f[2]] f[3] }
    while ((getline line < (work "/worth")) > 0) {
        n = split(line, f, /[ \t]*\|[ \t]*/)
        worth[f[2]] = "chess " f[4] ", " f[6] "; shogi " f[5] ", " f[7]
    }
}
# Does the file have these numbers, in braces and in this order?
function has_row(file, row,   line) {
    if (!(file in whole)) {
        whole[file] = ""
        while ((getline line < file) > 0) { gsub(/[ \t]/, "", line); whole[file] = whole[file] line }
        close(file)
    }
    return index(whole[file], "{" row "}")
}
# What a section promised: its formulas stand in its functions, its parameters are used there; a technique is told whole.
function close_section(   i, k, found, names, n) {
    if (section_line && (is_step || label_nb || formula_nb))
        for (n in LABELS) if (!(n in label)) print page ":" section_line ": \"" section "\" has no **" n ".**"
    label_nb = is_step = 0
    split("", label)
    for (i = 1; i <= formula_nb; i++) {
        found = 0
        for (k = 1; k <= link_nb; k++) if (index(normal(body[link[k]]), normal(formula[i]))) found = 1
        if (!found) print page ":" formula_line[i] ": no function of \"" section "\" has: " formula[i]
    }
    for (i = 1; i <= row_nb; i++) {
        found = 0
        for (k = 1; k <= link_nb; k++) { split(link[k], names, " "); if (has_row(names[1], row_of[i])) found = 1 }
        if (!found) print page ":" row_line[i] ": no file of \"" section "\" has the row " row_of[i]
    }
    for (n in named) {
        found = 0
        for (k = 1; k <= link_nb; k++) if (has_word(body[link[k]], n)) { found = 1; told[link[k] " " n] = 1 }
        if (!found && link_nb) print page ":" named[n] ": " n " is not used by a function of \"" section "\""
    }
    for (k = 1; k <= link_nb; k++) linked[link[k]] = 1
    formula_nb = link_nb = row_nb = 0
    split("", named)
}
BEGIN { read_all(); LABELS["What can go wrong"]; LABELS["Worth"]; LABELS["Source"] }
/^```./ && !/^```formula$/ { complain("a fence stands on a line of its own: " $0) }
/^```formula/ { in_formula = 1; next }
/^```/ { in_code = in_formula ? 0 : !in_code; in_formula = 0; next }
in_formula { formula[++formula_nb] = $0; formula_line[formula_nb] = FNR; next }
in_code { next }
/^\|[-0-9 |]*[0-9][-0-9 |]*\|$/ {
    text = $0
    gsub(/ /, "", text); gsub(/^\||\|$/, "", text); gsub(/\|/, ",", text)
    row_of[++row_nb] = text; row_line[row_nb] = FNR
    next
}
/^##/ {
    close_section()
    section = $0; sub(/^#+ /, "", section); section_line = FNR; is_step = /^###/
    if (section ~ /^Step /) {
        n = section; gsub(/[^0-9]/, "", n)
        if (n != ++step) complain("step " step " is missing before \"" section "\"")
    }
}
/^\*\*[A-Z][a-z ]+\.\*\*/ { text = substr($0, 3); sub(/\.\*\*.*/, "", text); if (text in LABELS) label_nb += !label[text]++ }
{
    # Links to functions.
    rest = $0
    while (match(rest, /\[`[a-z_0-9]+`\]\(\.\.\/[^)]*\)/)) {
        text = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
        name = text; sub(/^\[`/, "", name); sub(/`.*/, "", name)
        file = text; sub(/.*\(\.\.\//, "", file); sub(/\)$/, "", file)
        if (!((file " " name) in body)) complain(file " defines no function " name)
        link[++link_nb] = file " " name
    }
    # Values, and names without one.
    rest = $0
    while (match(rest, /`[A-Za-z][A-Za-z0-9_]*`( = -?[0-9]+( \/ -?[0-9]+)?)?/)) {
        text = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
        name = text; sub(/^`/, "", name); sub(/`.*/, "", name)
        value = text
        if (sub(/.*` = /, "", value)) {
            if (name == "Name") continue
            if (!value_is(name, value)) complain(name " is not " value ((name in first) ? " but " first[name] " / " second[name] : ""))
            has_value[name] = 1
        }
        if (name in is_param && !(name in named)) named[name] = FNR
    }
    # Worth: every row that is quoted must be the one of the table.
    rest = $0
    while (match(rest, /[A-Z][A-Za-z]+: chess [^;]*; shogi [^.]*\./)) {
        text = substr(rest, RSTART, RLENGTH - 1); rest = substr(rest, RSTART + RLENGTH)
        name = text; sub(/:.*/, "", name); sub(/^[^ ]* /, "", text)
        if (worth[name] != text) complain("the worth of " name " is: " worth[name])
        has_worth[name] = 1
    }
}
END {
    close_section()
    for (n in is_param) if (!(n in has_value)) print page ": the value of " n " is missing"
    for (n in is_option) if (!(n in has_value)) print page ": the value of the option " n " is missing"
    for (n in worth) if (!(n in has_worth)) print page ": the worth of " n " is missing"
    for (f in linked) for (n in is_param)
        if (has_word(body[f], n) && !((f " " n) in told)) print page ": " f " uses " n ", and no section that links to it names it"
    if (step != steps) print page ": it tells " step " steps, the source " steps
}' "$page" >"$work/said"
sort "$work/said"
[ ! -s "$work/said" ]
