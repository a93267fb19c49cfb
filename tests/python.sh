#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bindings/python: its tests and its example, with python3 where that is found, on the libraries as `make lib` leaves them.
# The last line is `python: P passed, F failed, S skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED: python: $*"
}
if ! python3 -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
    echo "skipped: bindings/python: python3 (3.8 or newer) is not here"
    echo "python: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
mkdir -p build
if make -s -j"${JOBS:-2}" CC="${CC:-gcc}" lib >build/python-lib.log 2>&1; then pass; else fail "make lib: $(tail -3 build/python-lib.log)"; fi
export PYTHONDONTWRITEBYTECODE=1 CC="${CC:-gcc}"
python3 bindings/python/test_twofold.py >build/python.log 2>&1
ran=$(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' build/python.log)
bad=$(sed -n 's/^FAILED (\(.*\))/\1/p' build/python.log | tr ', ' '\n\n' | sed -n 's/^\(failures\|errors\)=//p' | awk '{ n += $1 } END { print n + 0 }')
if [ -z "$ran" ] || [ "$ran" -lt 14 ]; then
    fail "the tests: $(tail -3 build/python.log)"
else
    passed=$((passed + ran - bad)) failed=$((failed + bad))
    grep -E '^(FAIL|ERROR):' build/python.log | sed 's/^/FAILED: python: /'
fi
if python3 bindings/python/example.py >build/python-example.log 2>&1 && grep -q 'Nf6' build/python-example.log &&
    grep -q '手合割' build/python-example.log && grep -q '^bad move: ' build/python-example.log; then
    pass
else
    fail "the example: $(tail -2 build/python-example.log)"
fi
echo "python: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
