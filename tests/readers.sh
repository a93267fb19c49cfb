#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Annotated games held against readers that share nothing with this program: chessops for PGN, tsshogi for KIF (npm,
# installed by scripts/setup-web.sh). Each reads what analyse -o wrote: the same lines, comments and signs as we read, and
# all that the input had. What is missing is skipped by name. The last line is `readers: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
if ! command -v node >/dev/null; then
    echo "skipped: readers: no node"
    echo "readers: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
node tests/web/readers.mjs "${PROGRAMS:-.}" "$work"
