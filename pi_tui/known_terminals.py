"""What is known of terminals by the signs they set in the environment of a program.

The first terminal of the table counts whose signs are there. A multiplexer inherits the variables of the terminal
around it, so it comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final, Literal

from pi_tui.frozen import frozen

ImageProtocol = Literal["kitty", "iterm2", "sixel"]

# Variables with the patterns that their values, in lower case, have: all of them must.
_Sign = Mapping[str, str]

_SET: Final = "?*"


@frozen
class KnownTerminal:
    """What a terminal shows. `true_color` is `None` where only its own hint counts; tmux can be asked for links."""

    signs: tuple[_Sign, ...]
    images: ImageProtocol | None = None
    true_color: bool | None = None
    hyperlinks: bool | Literal["ask tmux"] = False


def _programs(*names: str) -> tuple[_Sign, ...]:
    return tuple({"TERM_PROGRAM": name} for name in names)


def _variables(*names: str) -> tuple[_Sign, ...]:
    return tuple({name: _SET} for name in names)


def _terms(*patterns: str) -> tuple[_Sign, ...]:
    return tuple({"TERM": pattern} for pattern in patterns)


_TERMINALS: Final = (
    KnownTerminal((*_variables("TMUX"), *_terms("tmux*")), hyperlinks="ask tmux"),
    KnownTerminal(_terms("screen*")),
    KnownTerminal(_programs("herdr"), images="kitty", hyperlinks=True),
    KnownTerminal(
        (
            *_programs("rex", "kitty", "ghostty", "wezterm", "warpterminal"),
            {"TERM_PROGRAM": "orca", "ORCA_IMAGE_PROTOCOL": "kitty"},
            *_variables("KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR", "WEZTERM_PANE"),
            *_variables("WARP_SESSION_ID", "WARP_TERMINAL_SESSION_UUID"),
            *_terms("*ghostty*"),
        ),
        images="kitty",
        true_color=True,
        hyperlinks=True,
    ),
    KnownTerminal(
        (*_programs("iterm.app"), *_variables("ITERM_SESSION_ID")),
        images="iterm2",
        true_color=True,
        hyperlinks=True,
    ),
    KnownTerminal(
        (
            *_programs("alacritty", "vscode", "zed"),
            *_variables("WT_SESSION", "ALACRITTY_WINDOW_ID"),
            *_terms("alacritty*"),
        ),
        true_color=True,
        hyperlinks=True,
    ),
    KnownTerminal(({"TERMINAL_EMULATOR": "jetbrains-jediterm"},), true_color=True),
)
_WINDOWS_CONSOLE: Final = KnownTerminal((), true_color=True)
_UNKNOWN: Final = KnownTerminal(())


def known_terminal(environ: Mapping[str, str], platform: str) -> KnownTerminal:
    """Return what is known of the terminal of a program with this environment."""
    for terminal in _TERMINALS:
        if any(_has(environ, sign) for sign in terminal.signs):
            return terminal
    return _WINDOWS_CONSOLE if platform == "win32" else _UNKNOWN


def has_true_color(environ: Mapping[str, str], platform: str) -> bool:
    """Tell whether the terminal shows all colours, as far as the environment says."""
    known = known_terminal(environ, platform).true_color
    return known if known is not None else _hints_at_true_color(environ)


def _hints_at_true_color(environ: Mapping[str, str]) -> bool:
    return environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or environ.get(
        "TERM", ""
    ).lower().endswith("-direct")


def _has(environ: Mapping[str, str], sign: _Sign) -> bool:
    return all(
        fnmatchcase(environ.get(name, "").lower(), pattern) for name, pattern in sign.items()
    )
