#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes what a shell needs to complete a program's command line: scripts/completion.sh bash|zsh PROGRAM. All of it is read
# from the program itself, whose --help comes from the tables that its command lines are read by: subcommands, their options,
# which of them take a value, and what they are for.
LC_ALL=C
export LC_ALL
shell=$1 program=$2
case $shell in bash | zsh) ;; *) program= ;; esac
[ -x "$program" ] || { echo "usage: scripts/completion.sh bash|zsh PROGRAM" >&2; exit 2; }
name=$(basename "$program" .exe)
words=$(echo "$name" | tr -c 'a-z\n' _)

commands() { "$program" --help | sed -n "s/^  $name \([a-z][a-z]*\)  *\([^ ].*\)/\1 \2/p"; }
# options COMMAND: NAME<tab>VALUE<tab>TEXT for each, VALUE empty for a switch. The text begins two spaces behind the rest.
options() {
    "$program" "$1" --help </dev/null | awk '
        /^  (-[a-zA-Z],|   ) --[a-z]/ {
            line = substr($0, 7); gap = match(line, /  +[^ ]/)
            left = gap ? substr(line, 1, gap - 1) : line
            text = gap ? substr(line, gap) : ""; sub(/^ +/, "", text)
            space = index(left, " ")
            printf "%s\t%s\t%s\n", space ? substr(left, 1, space - 1) : left, space ? substr(left, space + 1) : "", text
        }'
}
prompt_words() { "$program" help | sed -n 's/^  \([a-z][a-z0-9]*\) .*/\1/p' | sort -u; }
# actions COMMAND: the words that may follow it, as its help lists them (book make, data info).
actions() {
    "$program" "$1" --help </dev/null | sed -n "s/^Usage: $name $1 \([a-z][a-z]*\).*/\1/p; s/^       $name $1 \([a-z][a-z]*\).*/\1/p; s/^  \([a-z][a-z]*\) [-F].*FILE.*/\1/p" | sort -u
}

bash_file() {
    echo "# SPDX-License-Identifier: GPL-3.0-or-later"
    echo "# Completion of $name for bash, written from its own tables."
    echo "_$words() {"
    echo '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}'
    echo '    local all= values= actions='
    echo '    if [ "$COMP_CWORD" -eq 1 ]; then'
    echo "        COMPREPLY=(\$(compgen -W '$({ commands | cut -d' ' -f1; prompt_words; echo --help; echo --version; } | sort -u | tr '\n' ' ')' -- \"\$word\"))"
    echo '        return'
    echo '    fi'
    echo '    case $command in'
    commands | while read -r command _; do
        [ "$command" = analyse ] && pattern='analyse | analyze' || pattern=$command
        echo "    $pattern)"
        echo "        all='$(options "$command" | cut -f1 | tr '\n' ' ')'"
        echo "        actions='$(actions "$command" | tr '\n' ' ')'"
        echo "        values='$(options "$command" | awk -F'\t' '$2 { print $1 }' | tr '\n' ' ')'"
        echo '        ;;'
    done
    echo '    esac'
    echo '    case " $values" in'
    echo '    *" $before "*) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;'
    echo '    *" "*)'
    echo '        case $word in'
    echo '        -*) COMPREPLY=($(compgen -W "$all" -- "$word")) ;;'
    echo '        *) mapfile -t COMPREPLY < <([ "$COMP_CWORD" -gt 2 ] || compgen -W "$actions" -- "$word"; compgen -f -- "$word") ;;'
    echo '        esac'
    echo '        ;;'
    echo '    esac'
    echo '}'
    echo "complete -o filenames -F _$words $name"
}

# quote: text within single quotes of zsh, where brackets and colons mean something.
quote() { sed -e "s/'/’/g" -e 's/[]:[]/\\&/g'; }
zsh_file() {
    echo "#compdef $name"
    echo "# SPDX-License-Identifier: GPL-3.0-or-later"
    echo "# Completion of $name for zsh, written from its own tables."
    echo "_$words() {"
    echo '    local -a commands'
    echo '    commands=('
    commands | while read -r command text; do printf "        '%s:%s'\n" "$command" "$(echo "$text" | quote)"; done
    prompt_words | while read -r word; do printf "        '%s:a command of the prompt'\n" "$word"; done
    echo '    )'
    echo '    if ((CURRENT == 2)); then'
    echo "        _describe command commands && return"
    echo '    fi'
    echo '    local command=$words[2]'
    echo '    shift words && ((CURRENT--))'
    echo '    case $command in'
    commands | while read -r command _; do
        [ "$command" = analyse ] && pattern='analyse|analyze' || pattern=$command
        echo "    $pattern)"
        echo '        _arguments -S \'
        options "$command" | while IFS="$(printf '\t')" read -r option value text; do
            printf "            '*%s[%s]%s' \\\\\n" "$option" "$(echo "$text" | quote)" "${value:+:$(echo "$value" | quote):_files}"
        done
        found=$(actions "$command" | tr '\n' ' ')
        [ -z "$found" ] || echo "            '1:action:($found)' \\"
        echo "            '*:file:_files'"
        echo '        ;;'
    done
    echo '    esac'
    echo '}'
    echo "_$words \"\$@\""
}
"${shell}_file"
