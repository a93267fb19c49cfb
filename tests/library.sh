#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library from outside: it builds, shows no name but its own, prints nothing and ends nothing, and both games work in
# one program, linked statically and dynamically. The last line is `library: P passed, F failed, 0 skipped`.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
check() { # TITLE WHAT-IS-WRONG
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: library: $1: $(printf '%s' "$2" | head -5)"
    fi
}
make -j"${JOBS:-2}" CC="${CC:-gcc}" lib library-test >build/library.log 2>&1 || echo "$?" >>build/library.log
check "the build" "$(grep -E 'warning:|error:|Error [0-9]' build/library.log)"
forbidden='^(exit|_exit|abort|printf|puts|putchar|fork|stdout|stderr)@'
for game in chess shogi; do
    check "names in libtwofold-$game.a" "$(nm -g --defined-only libtwofold-$game.a | awk 'NF == 3 { print $3 }' | grep -v "^twofold_${game}_")"
    check "names in libtwofold-$game.so" "$(nm -D --defined-only libtwofold-$game.so | awk '{ print $3 }' | grep -v "^twofold_${game}_")"
    check "calls of libtwofold-$game.so" "$(nm -D --undefined-only libtwofold-$game.so | awk '{ print $2 }' | grep -E "$forbidden")"
done
check "the programs of records" "$([ "$(grep -c '^library: ' build/library.log)" -eq 4 ] || tail -3 build/library.log)"
for line in $(sed -n 's/^library: \([0-9]*\) passed, \([0-9]*\) failed.*/\1:\2/p' build/library.log); do
    passed=$((passed + ${line%:*})) failed=$((failed + ${line#*:}))
done
grep '^FAILED' build/library.log

# ---- installed ------------------------------------------------------------------------------------------------------------
# Another program is built with what `make install` has left and nothing else, by pkg-config alone, and runs.
there=$PWD/build/installed
rm -rf "$there"
make -s CC="${CC:-gcc}" PREFIX="$there" install-lib >build/library-install.log 2>&1 || echo "make answered $?" >>build/library-install.log
check "make install-lib" "$(cat build/library-install.log)"
for game in chess shogi; do
    soname=$(readelf -d "$there/lib/libtwofold-$game.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
    check "the soname of libtwofold-$game" "$([ "$soname" = "libtwofold-$game.so.1" ] || echo "it is '$soname'")"
    check "$soname is there" "$([ -e "$there/lib/$soname" ] || echo "it is not")"
done
if command -v pkg-config >/dev/null 2>&1; then
    export PKG_CONFIG_PATH="$there/lib/pkgconfig"
    export LD_LIBRARY_PATH="$there/lib"
    printf '[White "Anna"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n[White "Bert"]\n\n1. e4 e5 2. Ke3 *\n' >build/two-games.pgn
    for link in '' --static; do
        # shellcheck disable=SC2046
        (cd "$there" && ${CC:-gcc} -Wall -Wextra ../../examples/records.c $(pkg-config --cflags --libs $link twofold-chess) -o records) >build/library-pc.log 2>&1
        check "a program by pkg-config $link" "$(cat build/library-pc.log)"
        check "it prints the mistake" "$("$there/records" build/two-games.pgn 20000 >build/library-run.log 2>&1 || echo "it answered $?"; grep -q 'Nf6??: better was 3... ' build/library-run.log || cat build/library-run.log)"
        check "it tells of the damaged game" "$(grep -q 'game 2: .*Ke3' build/library-run.log || cat build/library-run.log)"
    done
    check "the version by pkg-config" "$([ "$(pkg-config --modversion twofold-shogi)" = "$(sed -n 's/^#define TWOFOLD_VERSION "\(.*\)"/\1/p' src/base/base.h)" ] || pkg-config --modversion twofold-shogi 2>&1)"
    unset LD_LIBRARY_PATH PKG_CONFIG_PATH
else
    skipped=$((skipped + 1))
    echo "skipped: a program by pkg-config: pkg-config is not here"
fi
make -s PREFIX="$there" uninstall >/dev/null 2>&1
check "make uninstall" "$(find "$there" -type f ! -name records -o -type l)"
echo "library: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
