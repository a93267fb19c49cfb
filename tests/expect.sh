# SPDX-License-Identifier: GPL-3.0-or-later
# What scripts of tests share: counts of passed and failed, a folder for scratch files that is gone at the end. Sourced by
# them in the project's folder, after they have set `suite` to their name.
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
expect() { # TITLE ACTUAL EXPECTED
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $suite: $1: '$2', expected '$3'"
    fi
}
# run_suites COMMAND...: C suites in a program for another system, whose sums are added to ours.
run_suites() {
    TEST_LIGHT=1 timeout 3600 "$@" >"$work/suites" 2>&1
    expect "suites: exit code" "$?" 0
    add_sums "$work/suites" '^suites of'
}
# add_sums FILE LINE: what failed is shown, and the sums in the line that matches are added to ours. No such line is a failure.
add_sums() {
    grep -a '^FAILED' "$1" | head -20
    line=$(grep -a "$2" "$1" | tail -1)
    expect "the sums ($(tail -1 "$1"))" "${line:+there}" there
    # shellcheck disable=SC2046
    set -- $(echo "$line" | sed 's/.*: //; s/[^0-9 ]//g')
    passed=$((passed + ${1:-0})) failed=$((failed + ${2:-0}))
}
