"""`pi completion`: scripts that complete the words of a command line in bash, zsh and fish.

A script asks `pi completion suggest` what may stand in place of the last word, so that it knows every option of
the pi that is installed, and need not be made anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pi_agent.cli.completion.scripts import HOW_TO_INSTALL, SCRIPTS
from pi_agent.cli.completion.suggest import suggest
from pi_agent.cli.streams import write_out


def run(words: Sequence[str], environ: Mapping[str, str]) -> int:
    """Print a script, the suggestions for a command line, or how to install the script for the user's shell."""
    verb, *rest = words or ("",)
    if verb == "suggest":
        typed = rest[1:] if rest[:1] == ["--"] else rest
        return write_out("".join(f"{each.line()}\n" for each in suggest(typed, environ)))
    if verb in SCRIPTS:
        return write_out(SCRIPTS[verb])
    return write_out(f"{_how_to_install(Path(environ.get('SHELL', '')).name)}\n")


def _how_to_install(shell: str) -> str:
    if shell in HOW_TO_INSTALL:
        file, line = HOW_TO_INSTALL[shell]
        return (
            f"Your shell is {shell}. Add this line to {file}, and open a new terminal:\n\n  {line}"
        )
    rows = [f"  {name}: {file}\n    {line}" for name, (file, line) in HOW_TO_INSTALL.items()]
    unknown = f"pi knows no completion for {shell}. " if shell else ""
    return "\n".join([f"{unknown}Add a line to the file of your shell:", "", *rows])
