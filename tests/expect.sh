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
