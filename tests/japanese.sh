#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Japanese notation and records held against programs that share nothing with this one: tsshogi (npm, installed by
# scripts/setup-web.sh) for moves and records, iconv for the table of characters. What is missing is skipped by name.
# The last line is `japanese: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
flavour=${ARCH:-native}-$(basename "${CC:-gcc}")
skipped=0
if ! command -v node >/dev/null; then
    echo "skipped: japanese: no node"
    echo "japanese: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
for tool in moves; do
    make -s "build/shogi-$flavour/tool_$tool" || { echo "FAILED: japanese: tool_$tool is not built" && echo "japanese: 0 passed, 1 failed, $skipped skipped" && exit 1; }
done
exec node tests/web/japanese.mjs "build/shogi-$flavour"
