#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unpacks each archive of dist/ in an empty folder and runs what is in it; installs, uses and removes Debian's packages when they are
# given (as root): scripts/dist-check.sh [DIST [PACKAGE.deb...]]. What can't be run here is skipped by name. The last line is
# `dist: P passed, F failed, S skipped`.
#   ROOT=FOLDER   a Debian of its own for the packages, not this one, made by
#                 debootstrap --variant=minbase --include=sensible-utils,gcc,libc6-dev,pkg-config,python3 bookworm FOLDER
dist=$(realpath "${1:-dist}")
[ $# -eq 0 ] || shift
for package; do # whole paths instead of what was given
    shift
    set -- "$@" "$(realpath "$package")"
done
root=${ROOT:+$(realpath "$ROOT")}
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

# ---- packages ---------------------------------------------------------------------------------------------------------------
inside() { if [ -n "$root" ]; then chroot "$root" "$@"; else "$@"; fi; }
# What there is, but for the notes that dpkg and the linker keep of what they did.
everything() { find "$root/usr" "$root/etc" "$root/opt" "$root/srv" "$root/var/games" "$root/var/lib/dpkg/info" -xdev 2>/dev/null | sort; }
# packages PACKAGE...: installed together, used and removed.
packages() {
    names=$(for package; do dpkg-deb -f "$package" Package; done | tr '\n' ' ')
    there=$(inside mktemp -d)
    everything >"$work/before"
    for package; do cp "$package" "$root$there"; done
    inside sh -c "dpkg -i $there/*.deb" >"$work/dpkg" 2>&1
    expect "$names: installed ($(grep -i error "$work/dpkg" | head -1))" "$?" 0
    case " $names" in *' twofold '*)
        for game in chess shogi; do
            expect "the package: twofold-$game" "$(inside "/usr/games/twofold-$game" --version | grep -c "^Twofold $version $game")" 1
            nodes=$(inside "/usr/games/twofold-$game" bench 3 2>/dev/null | sed -n 's/^\([0-9]*\) nodes.*/\1/p')
            expect "the package: bench of $game" "$nodes" "$(cat "$work/nodes-$game" 2>/dev/null || echo "${nodes:-none}")"
            for file in "man/man6/twofold-$game.6.gz" "bash-completion/completions/twofold-$game" "zsh/vendor-completions/_twofold-$game"; do
                expect "the package: $file" "$([ -s "$root/usr/share/$file" ] || echo none)" ""
            done
        done
        ;;
    esac
    case " $names" in *' libtwofold-dev '*)
        cp examples/records.c "$root$there"
        printf '[White "Anna"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n' >"$root$there/game.pgn"
        # shellcheck disable=SC2016 # words of the shell inside
        inside sh -c 'cd "$1" && cc -Wall records.c $(pkg-config --cflags --libs twofold-chess) -o records && ./records game.pgn 20000' sh "$there" >"$work/c" 2>&1
        expect "a C program by pkg-config alone" "$? $(grep -o 'Nf6??: better' "$work/c" || tail -1 "$work/c")" "0 Nf6??: better"
        ;;
    esac
    case " $names" in *' libtwofold1 '*)
        cp bindings/python/twofold.py bindings/python/example.py "$root$there"
        inside env PYTHONDONTWRITEBYTECODE=1 PYTHONIOENCODING=utf-8 python3 "$there/example.py" >"$work/python" 2>&1
        expect "the example of Python" "$? $(tail -1 "$work/python" | cut -d: -f1)" "0 bad move"
        ;;
    esac
    # shellcheck disable=SC2086
    inside dpkg --purge $names >>"$work/dpkg" 2>&1
    expect "the packages are removed" "$?" 0
    rm -rf "$root$there"
    everything | diff "$work/before" - >"$work/traces"
    expect "without a trace" "$? $(head -3 "$work/traces")" "0 "
}
if [ $# -gt 0 ] && [ "$(id -u)" = 0 ]; then
    packages "$@"
elif [ $# -gt 0 ]; then
    skip "the packages: only root can install them"
fi
echo "dist: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
