"""The scripts for the shells. Each asks `pi completion suggest` and shows what it prints, a line a word.

A line is a word, a tab and what is told of it; `:files` and `:folders` let the shell complete those itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_BASH: Final = r"""# Tab completion of pi for bash. To load it: eval "$(pi completion bash)"
_pi_complete() {
    local rest=${COMP_LINE:0:COMP_POINT} gap word full part prefix quote='' value pi i
    local -a words=()
    # bash also cuts words at = : and @. They are put together again, as far as the cursor.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        gap=${rest%%[![:space:]]*}
        rest=${rest#"$gap"}
        word=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || word=$rest
        rest=${rest#"$word"}
        if [[ $i -gt 0 && -z $gap && -n $word ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words[${#words[@]}]=$word
        fi
    done
    part=$word
    full=${words[${#words[@]} - 1]}
    if [[ $full == [\"\']* ]]; then
        quote=1 full=${full#?} part=${part#?}
    fi
    # What stands before the last cut stays, and may not be repeated; an @ belongs to what follows it.
    prefix=${full%"$part"}
    prefix=${prefix%@}
    [[ $part == *[!=:]* ]] || prefix=$full
    words[${#words[@]} - 1]=$full
    pi=${COMP_WORDS[0]/#\~/$HOME}
    type -P "$pi" >/dev/null || pi=pi
    compopt +o default 2>/dev/null
    COMPREPLY=()
    while IFS= read -r value; do
        value=${value%%$'\t'*}
        case $value in
            :files) compopt -o default 2>/dev/null; continue ;;
            :folders) compopt -o dirnames 2>/dev/null; continue ;;
            */ | *=) compopt -o nospace 2>/dev/null ;;
        esac
        if [[ -z $quote && $value == *[[:space:]\'\"\\\$\&\;\(\)\<\>\|\*\?\[\`\#\!]* ]]; then
            value=$(printf %q "$value")
        fi
        [[ $value == "$full"* ]] && COMPREPLY[${#COMPREPLY[@]}]=${value#"$prefix"}
    done < <("$pi" completion suggest -- "${words[@]:1}" 2>/dev/null)
}
complete -o default -F _pi_complete pi
"""

_ZSH: Final = r"""#compdef pi
# Tab completion of pi for zsh. To load it: eval "$(pi completion zsh)"
_pi() {
    local pi=${~words[1]} line value
    local -a closed open
    (( $+commands[$pi] )) || [[ -x $pi ]] || pi=pi
    for line in "${(@f)$($pi completion suggest -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        value=${line%%$'\t'*}
        case $value in
            '') continue ;;
            :files) compset -P '--*='; _files; return ;;
            :folders) compset -P '--*='; _files -/; return ;;
            */ | *=) open+=("${value//:/\\:}:${line#*$'\t'}") ;;
            *) closed+=("${value//:/\\:}:${line#*$'\t'}") ;;
        esac
    done
    _describe -t words word closed
    _describe -t words word open -S ''
}
if [[ $funcstack[1] == _pi ]]; then
    _pi "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef _pi pi
fi
"""

_FISH: Final = r"""# Tab completion of pi for fish. To load it: pi completion fish | source
function __pi_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l pi (string replace -r '^~' -- $HOME $words[1])
    type -q $pi; or set pi pi
    set -l found ($pi completion suggest -- $words[2..-1] "$current" 2>/dev/null)
    set -l option (string match -r -- '^--[^=]+=' "$current")
    set -l path (string sub -s (math (string length -- "$option") + 1) -- "$current")
    switch "$found[1]"
        case ':files*'
            __fish_complete_path $path | string replace -r '^' -- "$option"
        case ':folders*'
            __fish_complete_directories $path | string replace -r '^' -- "$option"
        case '*'
            string join -- \n $found
    end
end
complete -c pi -f -a '(__pi_complete)'
"""

SCRIPTS: Final[Mapping[str, str]] = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}

# By shell: the file to change, and the line to add.
HOW_TO_INSTALL: Final[Mapping[str, tuple[str, str]]] = {
    "bash": ("~/.bashrc", 'eval "$(pi completion bash)"'),
    "zsh": ("~/.zshrc", 'eval "$(pi completion zsh)"'),
    "fish": ("~/.config/fish/config.fish", "pi completion fish | source"),
}
