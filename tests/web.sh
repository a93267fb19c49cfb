#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page: its logic in node, then the page itself in Chromium (tests/web), on every back end that is there, and a few moves
# in Firefox and WebKit. What is missing (node, browsers, playwright-core; scripts/setup-web.sh installs them) is skipped by name. The last line is
# `web: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
if ! command -v node >/dev/null; then
    echo "skipped: web: no node"
    echo "web: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for test in tests/web/logic.mjs tests/web/serve.mjs tests/web/report.mjs tests/web/browser.mjs tests/web/smoke.mjs; do
    [ -f "$test" ] || continue
    node "$test" >"$work/$(basename "$test")" 2>&1
    echo "$?" >"$work/code"
    cat "$work/$(basename "$test")"
    grep -q '^[a-z]*: [0-9]* passed' "$work/$(basename "$test")" || echo "FAILED: web: $test ended with $(cat "$work/code")"
done
cat "$work"/*.mjs | awk '/^[a-z]+: [0-9]+ passed, [0-9]+ failed/ { p += $2; f += $4; s += $6; n++ } END { print "web: " p + 0 " passed, " f + (n ? 0 : 1) " failed, " s + 0 " skipped"; exit f > 0 || !n }'
