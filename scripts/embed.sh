#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the files of the page as C, for src/page/assets.c: scripts/embed.sh FILE... >build/page/files.c. The same files
# give the same C on every machine; a kind of file that no browser is told the type of is an error.
LC_ALL=C
export LC_ALL
# type FILE: what a browser is told of it.
type() {
    case $1 in
    *.html) echo 'text/html; charset=utf-8' ;;
    *.js) echo 'text/javascript; charset=utf-8' ;;
    *.css) echo 'text/css; charset=utf-8' ;;
    *.svg) echo 'image/svg+xml' ;;
    *.png) echo 'image/png' ;;
    *.json) echo 'application/json' ;;
    *.webmanifest) echo 'application/manifest+json' ;;
    *) echo "embed.sh: no type is known for $1" >&2 && return 1 ;;
    esac
}
files=$(for file in "$@"; do echo "$file"; done | sort -u)
echo '// SPDX-License-Identifier: GPL-3.0-or-later'
echo '// Written by scripts/embed.sh: the files of src/page.'
echo '#include "page/assets.h"'
echo
echo 'extern const PageFile PAGE_FILES[];'
number=0
for file in $files; do
    printf 'static const u8 file_%d[] = {' "$number"
    od -An -v -tu1 "$file" | sed 's/^ *//; s/  */,/g; s/$/,/' || exit 1
    echo '0};'
    number=$((number + 1))
done
echo 'const PageFile PAGE_FILES[] = {'
number=0
for file in $files; do
    type=$(type "$file") || exit 1
    printf '    {"%s", "%s", file_%d, sizeof file_%d - 1},\n' "$(basename "$file")" "$type" "$number" "$number"
    number=$((number + 1))
done
echo '    {NULL, NULL, NULL, 0},'
echo '};'
