#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unpacks each archive of dist/ in an empty folder and runs what is in it; installs, uses and removes a Debian package when one is
# given (as root): scripts/dist-check.sh [DIST] [PACKAGE.deb]. What can't be run here is skipped by name. The last line is
# `dist: P passed, F failed, S skipped`.
dist=$(realpath "${1:-dist}") package=${2:+$(realpath "$2")}
cd "$(dirname "$0")/.." || exit 1
suite=dist
. tests/expect.sh
skipped=0
skip() { skipped=$((skipped + 1)) && echo "skipped: dist: $*"; }
version=$(sed -n 's/^#define TWOFOLD_VERSION "\(.*\)"/\1/p' src/base/base.h)
expect "debian/changelog has the version" "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" "$version"
if [ -f "$dist/SHA256SUMS" ]; then
    (cd "$dist" && sha256sum -c --quiet SHA256SUMS) >"$work/sums" 2>&1
    expect "the sums" "$? $(cat "$work/sums")" "0 "
fi
# run NAME RUNNER...: the programs in the unpacked folder, in a folder that holds nothing else.
run() {
    name=$1 suffix=$2
    shift 2
    folder=$work/$name/twofold-$version-$name
    for game in chess shogi; do
        program=$folder/twofold-$game$suffix
        expect "$name $game: version" "$(cd "$folder" && "$@" "$program" --version 2>/dev/null | grep -c "^Twofold $version $game")" 1
        nodes=$(cd "$folder" && "$@" "$program" bench 3 2>/dev/null | sed -n 's/^\([0-9]*\) nodes.*/\1/p')
        expect "$name $game: bench" "$([ "${nodes:-0}" -gt 0 ] && echo "$nodes")" "$(cat "$work/nodes-$game" 2>/dev/null || echo "$nodes")"
        [ -f "$work/nodes-$game" ] || echo "$nodes" >"$work/nodes-$game"
    done
    for file in README.md LICENSE docs/twofold.6 docs/usage.md; do expect "$name: $file" "$([ -s "$folder/$file" ] && echo yes)" yes; done
}
unpack() { # NAME ENDING: true when it is there
    archive=$dist/twofold-$version-$1.$2
    [ -f "$archive" ] || { skip "$1: no $archive" && return 1; }
    mkdir -p "$work/$1"
    case $2 in zip) (cd "$work/$1" && unzip -q "$archive") ;; *) tar -C "$work/$1" -xzf "$archive" ;; esac
}
unpack linux-x86-64 tar.gz && run linux-x86-64 '' env
if unpack linux-arm64 tar.gz; then
    qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
    if [ -n "$qemu" ]; then run linux-arm64 '' "$qemu"; else skip "linux-arm64: qemu-aarch64 is not here"; fi
fi
if unpack windows-x86-64 zip; then
    WINEPREFIX=${WINEPREFIX:-$PWD/build/wine} WINEDEBUG=-all
    export WINEPREFIX WINEDEBUG
    if command -v wine >/dev/null 2>&1; then run windows-x86-64 .exe wine; else skip "windows-x86-64: wine is not here"; fi
fi
if unpack source tar.gz; then
    make -s -C "$work/source/twofold-$version-source" DEBUG=1 GAME=chess twofold-chess >"$work/make.log" 2>&1
    expect "the sources build" "$?" 0
    expect "and run" "$("$work/source/twofold-$version-source/twofold-chess" bench 3 | sed -n 's/^\([0-9]*\) nodes.*/\1/p')" "$(cat "$work/nodes-chess" 2>/dev/null)"
fi
if [ -n "$package" ] && [ "$(id -u)" = 0 ]; then
    before=$(find /usr /etc /var/games -xdev 2>/dev/null | sort | sha256sum)
    dpkg -i "$package" >"$work/dpkg" 2>&1
    expect "the package installs" "$?" 0
    expect "and is used" "$(/usr/games/twofold-chess --version | grep -c "^Twofold $version")" 1
    name=$(dpkg-deb -f "$package" Package)
    dpkg --purge "$name" >>"$work/dpkg" 2>&1
    expect "and removed" "$?" 0
    expect "without a trace" "$(find /usr /etc /var/games -xdev 2>/dev/null | sort | sha256sum)" "$before"
elif [ -n "$package" ]; then
    skip "the package: only root can install it"
fi
echo "dist: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
