#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes what people download: `make dist`. In dist/: archives for Linux (x86-64 and ARM 64), Windows (x86-64) and of the sources, and
# SHA256SUMS. The programs are optimised by one profile a game, from a bench of one thread, used for every variant and system.
# The same sources and compilers give the same bytes: dates are those of the last commit (or SOURCE_DATE_EPOCH), owners and
# order are fixed. What can't be built here is skipped by name.
#   DIST=dist          the folder to write      ONLY="source linux-x86-64"  some of them      JOBS=2
#   PROFILE=0          without the profile (quick, for tests of this script)
#   DIST_FLAGS=...     more words for every make (tests: DEBUG=1)
cd "$(dirname "$0")/.." || exit 1
set -e
unset MAKEFLAGS DEBUG SAN TUNE WERROR PGO GAME ARCH CC
LC_ALL=C TZ=UTC
export LC_ALL TZ
umask 022
dist=${DIST:-dist} jobs=${JOBS:-2} only=${ONLY:-source linux-x86-64 linux-arm64 windows-x86-64}
games=$(for header in src/games/*/game.h; do basename "$(dirname "$header")"; done)
version=$(sed -n 's/^#define TWOFOLD_VERSION "\(.*\)"/\1/p' src/base/base.h)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
windows_cc=x86_64-w64-mingw32-gcc-posix arm_cc=aarch64-linux-gnu-gcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$dist"

say() { printf '%s\n' "$*"; }
wanted() { case " $only " in *" $1 "*) true ;; *) false ;; esac; }
has() { command -v "$1" >/dev/null 2>&1; }
# build ARGUMENTS...: quietly; on failure all of it is shown.
build() {
    # shellcheck disable=SC2086
    make -s -j"$jobs" $flags $DIST_FLAGS "$@" >"$work/make.log" 2>&1 || { cat "$work/make.log" && say "FAILED: make $*" && exit 1; }
}

# ---- profile ----------------------------------------------------------------------------------------------------------
# Of the rules, the network and the search alone: what waits and reads clocks is never counted the same twice. Nor are values, some
# of which are addresses, and those differ from run to run.
flags=
counted='CFLAGS=-fno-profile-values'
profiles() {
    arch=x86-64-avx2
    for game in $games; do
        dir=build/$game-$arch-pgo-gcc
        rm -rf "$dir" "build/profiles/$game"
        make -s -j"$jobs" CC=gcc ARCH=$arch GAME="$game" PGO=gen "$counted" "$dir/twofold-$game" >"$work/make.log" 2>&1 || { cat "$work/make.log" && exit 1; }
        "$dir/twofold-$game" bench 9 1 >/dev/null
        for folder in games nnue search; do
            (cd "$dir" && find $folder -name '*.gcda') | while read -r file; do
                mkdir -p "build/profiles/$game/$(dirname "$file")"
                cp "$dir/$file" "build/profiles/$game/$file"
            done
        done
        rm -rf "$dir"
    done
    flags="PGO=use PROFILES=build/profiles $counted"
    rm -rf build/*-pgo-gcc build/*-pgo-$windows_cc build/*-pgo-$arm_cc # of an older profile
}
if [ "${PROFILE:-1}" = 1 ] && [ "$only" != source ]; then
    if [ "$(uname -m)" = x86_64 ] && grep -q ' avx2 ' /proc/cpuinfo; then
        profiles && say "profile: done"
    else
        say "skipped: the profile: this processor does not run what is counted (x86-64-avx2)"
    fi
fi

# ---- archives ---------------------------------------------------------------------------------------------------------
# fill FOLDER: what every archive holds beside the programs.
fill() {
    mkdir -p "$1/examples"
    cp README.md LICENSE CHANGELOG.md "$1"
    cp -R docs "$1"
    cp examples/*-bot.yml "$1/examples"
}
# completions FOLDER: from programs that run here.
completions() {
    for game in $games; do
        [ -x "$work/native/twofold-$game" ] || continue
        mkdir -p "$1/completion"
        scripts/completion.sh bash "$work/native/twofold-$game" >"$1/completion/twofold-$game.bash"
        scripts/completion.sh zsh "$work/native/twofold-$game" >"$1/completion/_twofold-$game"
    done
}
# settle FOLDER: modes and dates as they are for everybody.
settle() { chmod -R u=rwX,go=rX "$1" && find "$1" -exec touch -h -d "@$epoch" {} +; }
pack_tar() { # NAME: of the folder in $work
    settle "$work/$1"
    tar -C "$work" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --format=ustar -cf - "$1" | gzip -9n >"$dist/$1.tar.gz"
    say "made $dist/$1.tar.gz"
}
pack_zip() {
    settle "$work/$1"
    rm -f "$work/$1.zip"
    (cd "$work" && find "$1" | sort | zip -qX9 "$1.zip" -@)
    mv "$work/$1.zip" "$dist/$1.zip"
    say "made $dist/$1.zip"
}
# place FOLDER SUFFIX PATH...: the programs of a build.
place() {
    target=$1 suffix=$2 kind=$3
    mkdir -p "$target"
    for game in $games; do cp "build/$game-$kind/twofold-$game$suffix" "$target/"; done
}

pgo=${flags:+-pgo}
case $DIST_FLAGS in *DEBUG=1*) pgo=-debug$pgo ;; esac
if wanted source; then
    name=twofold-$version-source
    mkdir -p "$work/$name"
    { git ls-files -z 2>/dev/null || find . -path ./build -prune -o -path "./$dist" -prune -o -path ./debian/tmp -prune -o \
        ! -name 'twofold-chess' ! -name 'twofold-shogi' ! -name '*.o' -type f -print0; } | tar --null -T - -cf - | tar -C "$work/$name" -xf -
    pack_tar "$name"
fi
if wanted linux-x86-64; then
    name=twofold-$version-linux-x86-64
    build CC=gcc LDFLAGS='-static -s' $(for game in $games; do echo "build/$game-universal$pgo-gcc/twofold-$game"; done)
    place "$work/$name" '' "universal$pgo-gcc"
    mkdir -p "$work/native" && cp "$work/$name"/twofold-* "$work/native"
    fill "$work/$name" && completions "$work/$name"
    pack_tar "$name"
fi
if wanted linux-arm64 && has $arm_cc; then
    name=twofold-$version-linux-arm64
    build ARCH=armv8 CC=$arm_cc LDFLAGS='-static -s' $(for game in $games; do echo "build/$game-armv8$pgo-$arm_cc/twofold-$game"; done)
    place "$work/$name" '' "armv8$pgo-$arm_cc"
    fill "$work/$name" && completions "$work/$name"
    pack_tar "$name"
elif wanted linux-arm64; then
    say "skipped: linux-arm64: $arm_cc is not here"
fi
if wanted windows-x86-64 && has $windows_cc && has zip; then
    name=twofold-$version-windows-x86-64
    build CC=$windows_cc LDFLAGS=-s $(for game in $games; do echo "build/$game-universal$pgo-$windows_cc/twofold-$game.exe"; done)
    place "$work/$name" .exe "universal$pgo-$windows_cc"
    fill "$work/$name"
    pack_zip "$name"
elif wanted windows-x86-64; then
    say "skipped: windows-x86-64: $windows_cc or zip is not here"
fi
(cd "$dist" && sha256sum "twofold-$version"-* >SHA256SUMS)
say "made $dist/SHA256SUMS"
