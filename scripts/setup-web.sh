#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what `make web` and the tests in browsers need, on Debian and what is like it. Everything is optional: without
# it those tests are skipped by name. Wants root for apt-get.
#   scripts/setup-web.sh            all of it
#   scripts/setup-web.sh build      what `make web` needs
#   scripts/setup-web.sh test       what the tests need
#   WEB_TOOLS=build/node            the folder for the packages of node; the tests look there, in build/node and in NODE_PATH
cd "$(dirname "$0")/.." || exit 1
what=${1:-all}
case $what in all | build | test) ;; *) echo "usage: $0 [all|build|test]" >&2 && exit 2 ;; esac

# ---- packages of the system -------------------------------------------------------------------------------------------
packages=
[ "$what" = test ] || packages="$packages emscripten node-acorn"
[ "$what" = build ] || packages="$packages chromium firefox-esr webkit2gtk-driver xvfb fonts-noto-cjk"
command -v node >/dev/null 2>&1 || packages="$packages nodejs"
[ "$what" = build ] || command -v npm >/dev/null 2>&1 || packages="$packages npm"
export DEBIAN_FRONTEND=noninteractive
apt-get update || exit 1
# One after the other: a system that lacks one of them can still have the rest.
for package in $packages; do
    apt-get install -y --no-install-recommends "$package" || echo "setup-web: $package is not to be had here" >&2
done

# ---- packages of node, for the tests alone ------------------------------------------------------------------------------
# A driver for browsers, and rules of both games that know nothing of ours.
if [ "$what" != build ]; then
    tools=${WEB_TOOLS:-build/node}
    mkdir -p "$tools" && npm install --prefix "$tools" --no-audit --no-fund playwright-core@1 chess.js@1 tsshogi@2 chessops@0.14 @badrap/result@0.2 || exit 1
fi

# ---- does the compiler work? --------------------------------------------------------------------------------------------
if [ "$what" != test ]; then
    mkdir -p build
    echo 'int main(void) { return 0; }' >build/trial.c
    NODE_PATH=/usr/share/nodejs emcc -O2 -o build/trial.js build/trial.c && echo "setup-web: emcc works"
fi
