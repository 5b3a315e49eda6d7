"""`slice-func completion`: what makes a shell complete options, files and targets."""

from __future__ import annotations

from ..parser import Parser

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

SHELLS = {
    "bash": r"""
_slice_func() {
    local line=${COMP_LINE:0:COMP_POINT} value found
    local typed=${line##*[[:space:]]}
    COMPREPLY=()
    while IFS=$'\t' read -r value _; do
        case $value in
            :files | :dirs)
                compopt -o filenames 2>/dev/null
                while IFS= read -r found; do
                    COMPREPLY+=("$found")
                done < <(compgen "-${value:1:1}" -- "$typed") ;;
            */ | *::)
                compopt -o nospace 2>/dev/null
                COMPREPLY+=("$value") ;;
            *) COMPREPLY+=("$value") ;;
        esac
    done < <(slice-func completion line "$line" 2>/dev/null)
    if [[ $typed == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${typed%"${typed##*:}"}"}")  # only what follows a colon
    fi
}
complete -F _slice_func slice-func
""",
    "zsh": r"""
#compdef slice-func
_slice_func() {
    local line value
    local -a ends texts open open_texts
    for line in "${(@f)$(slice-func completion words "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        value=${line%%$'\t'*}
        case $value in
            '') ;;
            :files) _files ;;
            :dirs) _files -/ ;;
            */|*::) open+=("$value") open_texts+=("$value") ;;
            *) ends+=("$value") texts+=("$value  ${line#*$'\t'}") ;;
        esac
    done
    (( $#ends )) && compadd -U -l -d texts -a ends
    (( $#open )) && compadd -U -S '' -d open_texts -a open
    return 0
}
if [[ $funcstack[1] == _slice_func ]]; then
    _slice_func "$@"
else
    compdef _slice_func slice-func
fi
""",
    "fish": r"""
function __slice_func_words
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    for line in (slice-func completion words $before[2..] "$typed" 2>/dev/null)
        switch $line
            case ':files*'
                __fish_complete_path "$typed"
            case ':dirs*'
                __fish_complete_directories "$typed"
            case '*'
                echo $line
        end
    end
end
complete -c slice-func -f -a '(__slice_func_words)'
""",
}
"""Shell → its completion script."""


def parser() -> Parser:
    """Return the grammar of `slice-func completion`."""
    made = Parser(
        "slice-func completion",
        ("shell",),
        usage="slice-func completion SHELL",
        description="Print what makes a shell complete options, files and PATH::QUALNAME.\n\n"
        'bash: eval "$(slice-func completion bash)" in ~/.bashrc\n'
        'zsh:  eval "$(slice-func completion zsh)" in ~/.zshrc, after compinit\n'
        "fish: slice-func completion fish | source, in ~/.config/fish/config.fish",
    )
    shell = made.add_argument_group("which shell").add_argument
    shell("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")
    made.add_general()
    return made


def run(arguments: argparse.Namespace) -> int:
    """Print a shell's completion script."""
    from ...console.streams import write_stdout

    write_stdout(f"{SHELLS[arguments.shell].strip()}\n".encode())
    return 0
