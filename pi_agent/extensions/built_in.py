"""Extensions that ship with pi: `builtin:<name>` is the folder of that name, with its `__init__.py`.

They are loaded like anybody's, after all others, unless they are switched off.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.paths import bundled

PREFIX: Final = "builtin:"
_ENTRY: Final = "__init__.py"


def built_in_extensions(folder: Path | None = None) -> dict[str, Path]:
    """Return the files of all of them by source, in the order of their names."""
    folders = sorted((folder or bundled("extensions")).glob(f"*/{_ENTRY}"))
    return {f"{PREFIX}{entry.parent.name}": entry for entry in folders}


def extension_file(source: str, built_in: Mapping[str, Path]) -> Path:
    """Return the file that `source` stands for. Raises `PiError` if no extension of that name ships with pi."""
    if not source.startswith(PREFIX):
        return Path(source)
    if source not in built_in:
        raise PiError(
            f"Unknown built-in extension: {source}", f"There are: {', '.join(built_in) or 'none'}."
        )
    return built_in[source]


def left_on(
    built_in: Mapping[str, Path], switches: Sequence[str], named: Collection[Path]
) -> list[Path]:
    """Return the files that are loaded unasked: without those that `switches` (`-builtin:tour`) leaves out.

    What is `named` on the command line is asked for, and not among them.
    """
    return [
        file
        for source, file in built_in.items()
        if f"-{source}" not in switches and file not in named
    ]


def unknown_switches(built_in: Mapping[str, Path], switches: Sequence[str]) -> list[str]:
    """Return what is wrong with `switches`, a line for each that leaves nothing out."""
    known = ", ".join(f'"-{source}"' for source in built_in)
    return [
        f'extensions: "{switch}" leaves out nothing. It may be: {known}.'
        for switch in switches
        if switch.removeprefix("-") not in built_in or not switch.startswith("-")
    ]
