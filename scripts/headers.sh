#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A private header declares the functions of its own file: every prototype of src/FOLDER/NAME.h is defined in NAME.c, or in
# NAME_*.c beside it. Not asked of a folder's public header (FOLDER.h), which gathers what others may use, nor of games/,
# whose headers are the contract. Prints each prototype that is defined elsewhere; silent when all is well.
cd "$(dirname "$0")/.." || exit 1
# names FILE...: the functions defined at the margin of the files.
defined() {
    awk '/^[A-Za-z_]/ { head = $0 } /^\{|^[A-Za-z_].*\) \{.*\}$/ { name = head; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); print name }' "$@"
}
for header in $(find src -mindepth 2 -name '*.h' ! -path 'src/games/*' | sort); do
    folder=$(dirname "$header") name=$(basename "$header" .h)
    [ "$name" = "$(basename "$folder")" ] && continue
    others=
    [ "$header" = src/base/os.h ] && others=$(ls src/base/process*.c) # child processes are the system's too
    # shellcheck disable=SC2086
    defined /dev/null $(ls "$folder/$name.c" "$folder/$name"_*.c 2>/dev/null) $others | sort -u >"${TMPDIR:-/tmp}/defined.$$"
    # Prototypes: from the margin to a semicolon, with a bracket, and neither inline, type nor macro.
    awk '
    /^#define/ { skip = /\\$/; next }
    skip { skip = /\\$/; next }
    /^(typedef|struct|enum|union|static|extern|_Static_assert|#|\/\/|\})/ { next }
    /^[A-Za-z_].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); print name }' "$header" |
        grep -vxFf "${TMPDIR:-/tmp}/defined.$$" | sed "s|.*|$header declares &, which ${folder#src/}/$name.c does not define|"
    rm -f "${TMPDIR:-/tmp}/defined.$$"
done
