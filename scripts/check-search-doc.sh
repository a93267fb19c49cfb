#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that scripts/search-doc.sh bites: page and sources pass as they are, and each change made below to a copy of them is
# named by what it says.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

scripts/search-doc.sh || { echo "search-doc: the page itself does not pass" && failed=1; }

# broken TITLE FILE SED WORDS: after the edit of FILE the check must fail, with WORDS in what it says.
broken() {
    rm -rf "$work/src" "$work/docs"
    cp -r src docs "$work"
    sed -i "$3" "$work/$2"
    if cmp -s "$2" "$work/$2"; then
        echo "search-doc: $1: the edit changes nothing" && failed=1
    elif scripts/search-doc.sh "$work" >"$work/said"; then
        echo "search-doc: $1: passes, and must not" && failed=1
    elif ! grep -qF "$4" "$work/said"; then
        echo "search-doc: $1: does not say '$4':" && head -3 "$work/said" && failed=1
    fi
}

params=src/search/params.h
broken "a value of the first game" $params 's/X(NullBase, 4, 4/X(NullBase, 5, 4/' 'NullBase is not 4'
broken "a value of the second game" $params 's/X(RazorBase, 220, 309/X(RazorBase, 220, 310/' 'RazorBase is not 220 / 309'
broken "a switch" $params 's/X(UseIid, 0, 0/X(UseIid, 1, 1/' 'UseIid is not 0'
broken "a new parameter" $params 's/X(NullDepth, 3, 3, 1, 8) /X(NullDepth, 3, 3, 1, 8) X(NullNew, 1, 1, 0, 1) /; s/X(NullEvalMax, 3, 3, 0, 8) /X(NullNew, 1, 1, 0, 8) /' 'the value of NullNew is missing'
broken "a parameter that the page forgets" docs/search.md 's/`VoteBase` = 14/none/' 'the value of VoteBase is missing'
broken "a default of an option" src/search/engine.c 's/q_max_depth = 8/q_max_depth = 9/' 'QSearchMaxDepth is not 8'
broken "a constant" src/search/skill.c 's/WON_SCORE = 2000/WON_SCORE = 2100/' 'WON_SCORE is not 2000'
broken "a row of a table" src/search/skill.c 's/{1000, 350, 160, 300/{1000, 350, 160, 310/' 'has the row 1000,350,160,300'
broken "a row of the page" docs/search.md 's/^| 1500 | 700 |/| 1500 | 701 |/' 'has the row 1500,701'
broken "how levels see" src/search/skill.c 's/move_seed % 100) \/ 100/move_seed % 50) \/ 100/' 'has: (lround'
broken "a formula" src/search/alphabeta.c 's|depth / P(w, NullDepthDivisor)|depth * P(w, NullDepthDivisor)|' 'has: NullBase + depth / NullDepthDivisor'
broken "a condition" src/search/alphabeta.c 's/depth <= P(w, RazorDepth)/depth < P(w, RazorDepth)/' 'has: UseRazoring and depth <= RazorDepth'
broken "a formula of the page" docs/search.md 's/^r += cut_node ? LmrCutNode : 0/r -= cut_node ? LmrCutNode : 0/' 'has: r -= cut_node'
broken "a function that was renamed" src/search/alphabeta.c 's/null_move_holds/null_holds/' 'defines no function null_move_holds'
broken "a function in another file" docs/search.md 's|\[`tt_store`\](../src/search/tt.c)|[`tt_store`](../src/search/eval.c)|' 'src/search/eval.c defines no function tt_store'
broken "a parameter that moved elsewhere" src/search/alphabeta.c 's/P(w, RaisedDepthMin)/2/' 'RaisedDepthMin is not used'
broken "a parameter that a function took on" src/search/alphabeta.c 's/P(w, RazorDepth)/P(w, VoteBase)/' 'uses VoteBase, and no section'
broken "a figure of worth" docs/measurements/worth.md 's/| NullMove | on | -11 +- 43/| NullMove | on | -12 +- 43/' 'the worth of NullMove is'
broken "a new row of worth" docs/measurements/worth.md 's/^| Killers |/| Kilns | on | +1 +- 1 | +1 +- 1 | +1 +- 1 | +1 +- 1 |\n| Killers |/' 'the worth of Kilns is missing'
broken "a step that is left out" docs/search.md 's/^### Step 9\. .*/### Somewhere/' 'step 9 is missing'
broken "a new step" src/search/alphabeta.c 's|^    // 19\.|    // 20.|' 'tells 19 steps, the source 20'
broken "a danger that is not told" docs/search.md '/^### Step 9/,/^### Step 10/s/^\*\*What can go wrong\.\*\*/It is safe./' '"Step 9. Reverse futility" has no **What can go wrong.**'
broken "a technique without a link" docs/search.md '/^### Step 8/,/^### Step 9/s/^\*\*Source\.\*\*/See/' '"Step 8. Razoring" has no **Source.**'
broken "text behind a fence" docs/search.md '0,/^```$/s/^```$/``` and so on/' 'a fence stands on a line of its own'
[ "$failed" = 0 ] && echo "search-doc: holds"
exit "$failed"
