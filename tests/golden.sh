#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What fixed commands print is what tests/data/golden holds (scripts/golden.sh says how to write it anew). The last line
# is `golden: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
exec scripts/golden.sh --short compare tests/data/golden
