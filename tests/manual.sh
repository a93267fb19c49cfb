#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual page names what there is: every subcommand, every option of the subcommands for people, every option and
# command of the protocols; docs/usage.md tells what the protocol's options do. The page is free of warnings. The last
# line is `manual: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)) && echo "FAILED: manual: $*"; }
# names FILE WORD: does the text hold the word, with nothing before or behind it that belongs to another?
names() {
    if grep -qE "(^|[^A-Za-z0-9-])$2([^A-Za-z0-9-]|\$)" "$1"; then pass; else fail "$3 says nothing of '$2'"; fi
}
# As text: fonts off, and the minus signs of options plain again.
sed -e 's/\\f[A-Z]//g' -e 's/\\-/-/g' -e 's/"//g' -e 's/, */ /g' docs/twofold.6 >"$work/page"
sed -e 's/[`|]/ /g' docs/usage.md >"$work/usage"
# all_named TITLE LEAST WORD...: the page names every word, of which there are at least so many.
all_named() {
    title=$1 least=$2
    shift 2
    if [ $# -ge "$least" ]; then pass; else fail "$title: only $# names"; fi
    for word in "$@"; do names "$work/page" "$word" 'the manual page'; done
}
for game in chess shogi; do
    program=./twofold-$game
    # shellcheck disable=SC2046
    all_named "commands of $game" 8 $($program --help | sed -n "s/^  twofold-$game \([a-z]*\) .*/\1/p")
    for command in play serve analyse 'book make' 'book show' json; do
        # shellcheck disable=SC2046
        all_named "options of $command" 2 $($program $command --help | sed -n 's/^  \(-., \|    \)\(--[a-z0-9-]*\).*/\2/p')
    done
    hello=$([ $game = chess ] && echo uci || echo usi)
    printf '%s\nquit\n' $hello | $program | sed -n 's/^option name \(.*\) type .*/\1/p' >"$work/options"
    if [ "$(wc -l <"$work/options")" -ge 20 ]; then pass; else fail "$program tells few options"; fi
    while read -r word; do
        names "$work/page" "$word" 'the manual page'
        case $word in
        QSearch*) names docs/measurements/quiescence.md "$word" docs/measurements/quiescence.md ;;
        UCI_EngineAbout) ;;
        *) names "$work/usage" "$word" docs/usage.md ;;
        esac
    done <"$work/options"
done
if command -v groff >/dev/null; then
    groff -ww -man -Tutf8 docs/twofold.6 2>"$work/warnings" >/dev/null
    if [ -s "$work/warnings" ]; then fail "the page warns: $(head -1 "$work/warnings")"; else pass; fi
else
    skipped=1
fi
echo "manual: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
