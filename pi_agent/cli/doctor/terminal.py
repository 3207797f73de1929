"""The terminal: what it says of itself, and what pi makes of the environment."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from pi_agent.cli.doctor.finding import Finding, Surroundings
from pi_agent.ui.clipboard import HELPERS
from pi_tui.capabilities import detect_capabilities
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.input_buffer import is_remote_session
from pi_tui.inquiry import MOUSE_MODE, SYNC_MODE, TerminalAnswers, TerminalInquiry

LEAST_SIZE: Final = (20, 10)

# How long a terminal may take to answer, beside this computer and at the end of a line.
_LOCAL_SECONDS: Final = 1.0
_REMOTE_SECONDS: Final = 3.0

_SIXEL: Final = 4
_COLORS: Final = {
    "truecolor": "all",
    "256color": "256",
    "16color": "16",
    "mono": "none",
}
_ASK_THERE: Final = "Run `pi doctor` in a terminal, and type nothing ahead."


def ask_terminal(
    environ: Mapping[str, str],
) -> tuple[TerminalAnswers | None, tuple[int, int] | None]:
    """Return what the terminal answers, and its size; nothing where there is none to ask."""
    descriptor = _open_terminal()
    if descriptor is None:
        return None, None
    seconds = _REMOTE_SECONDS if is_remote_session(environ) else _LOCAL_SECONDS
    try:
        size = os.get_terminal_size(descriptor)
        with TerminalInquiry(descriptor, environ) as inquiry:
            answers = inquiry.answers(seconds) if inquiry.ask() else None
        return answers, (size.columns, size.lines)
    finally:
        os.close(descriptor)


def check_terminal(
    here: Surroundings, answers: TerminalAnswers | None, size: tuple[int, int] | None
) -> list[Finding]:
    """Return what there is to say of the terminal; without `answers` it was not asked."""
    findings = [_terminal(here, answers, size), _colors(here, answers)]
    if answers is not None and answers.is_complete:
        findings += [check(here, answers) for check in _OF_ANSWERS]
    findings += [_links(here), _clipboard(here), *_text(here, answers)]
    return findings


def _terminal(
    here: Surroundings, answers: TerminalAnswers | None, size: tuple[int, int] | None
) -> Finding:
    term = here.environ.get("TERM", "")
    details: dict[str, object] = {
        "TERM": term,
        "TERM_PROGRAM": here.environ.get("TERM_PROGRAM", ""),
        "size": list(size) if size is not None else None,
    }
    if answers is None:
        return Finding("terminal", "was not asked", "note", _ASK_THERE, details)
    details |= {"name": answers.name, "answers": answers.is_complete}
    text = " ".join(filter(None, [answers.name or f"TERM={term}", _size_text(size)]))
    if term == "dumb":
        advice = "Set TERM to what the terminal is; `pi -p` works in any."
        return Finding("terminal", f"{text} cannot show a screen", "broken", advice, details)
    if size is not None and (size[0] < LEAST_SIZE[0] or size[1] < LEAST_SIZE[1]):
        advice = f"Make the window larger, at least {LEAST_SIZE[0]}x{LEAST_SIZE[1]}."
        return Finding("terminal", f"{text} is too small", "warning", advice, details)
    if not answers.is_complete:
        advice = "pi works there, with the plainest keys. Was the line too slow? Try again."
        return Finding("terminal", f"{text} does not answer", "warning", advice, details)
    return Finding("terminal", text, details=details)


def _size_text(size: tuple[int, int] | None) -> str:
    return f"{size[0]}x{size[1]}" if size is not None else ""


def _colors(here: Surroundings, answers: TerminalAnswers | None) -> Finding:
    mode = get_terminal_color_mode(here.environ)
    background = answers.background if answers is not None else None
    text = _COLORS[mode]
    details: dict[str, object] = {
        "mode": mode,
        "COLORTERM": here.environ.get("COLORTERM", ""),
        "background": list(background) if background is not None else None,
        "trueColor": answers.has_true_color if answers is not None else None,
    }
    if background is not None:
        text += ", on #{:02x}{:02x}{:02x}".format(*background)
    if mode in ("truecolor", "mono"):
        return Finding("colors", text, details=details)
    if answers is not None and answers.has_true_color:
        advice = "Set COLORTERM=truecolor."
        return Finding("colors", f"{text}, but the terminal shows all", "note", advice, details)
    advice = "Set COLORTERM=truecolor if the terminal shows all colors."
    return Finding("colors", text, "note", advice, details)


def _keyboard(here: Surroundings, answers: TerminalAnswers) -> Finding:
    details = {"kitty": answers.has_kitty_keyboard}
    if answers.has_kitty_keyboard:
        return Finding("keyboard", "every key is told apart (kitty protocol)", details=details)
    advice = "Where Shift+Enter sends, use Ctrl+J for a new line."
    return Finding("keyboard", "no kitty protocol: some keys are alike", "note", advice, details)


def _mouse(here: Surroundings, answers: TerminalAnswers) -> Finding:
    details = {"modes": {str(mode): value for mode, value in answers.modes.items()}}
    if not answers.modes:
        return Finding("mouse", "the terminal does not tell", details=details)
    if answers.can(MOUSE_MODE):
        return Finding("mouse", "wheel, clicks and drags", details=details)
    advice = "Page Up and Page Down scroll; /settings can turn the mouse off."
    return Finding("mouse", "not reported by this terminal", "note", advice, details)


def _drawing(here: Surroundings, answers: TerminalAnswers) -> Finding:
    has_sync = answers.can(SYNC_MODE)
    pictures = []
    if answers.has_kitty_graphics:
        pictures.append("kitty")
    if _SIXEL in answers.attributes:
        pictures.append("sixel")
    text = "whole frames at once" if has_sync else "frames may be seen half drawn"
    text += f"; pictures: {', '.join(pictures) or 'none that it tells of'}"
    return Finding("drawing", text, details={"synchronized": has_sync, "pictures": pictures})


_OF_ANSWERS: Final[tuple[Callable[[Surroundings, TerminalAnswers], Finding], ...]] = (
    _keyboard,
    _mouse,
    _drawing,
)


def _links(here: Surroundings) -> Finding:
    shown = detect_capabilities(here.environ).hyperlinks
    text = "can be clicked" if shown else "are written out (PI_HYPERLINKS=1 makes them clickable)"
    return Finding("links", text, details={"hyperlinks": shown})


def _clipboard(here: Surroundings) -> Finding:
    fitting = [each.command[0] for each in HELPERS if each.fits(here.environ, sys.platform)]
    path = here.environ.get("PATH")
    programs = [name for name in fitting if shutil.which(name, path=path)]
    asked = here.environ.get("PI_CLIPBOARD_OSC52", "").strip()
    ways = [] if asked == "1" else list(programs)
    ways += [] if asked == "0" else ["the terminal (OSC 52)"]
    details = {"ways": ways}
    if not ways:
        advice = "Install wl-copy, xclip or xsel, or unset PI_CLIPBOARD_OSC52."
        return Finding("clipboard", "nothing takes a copied text", "warning", advice, details)
    if fitting and not programs and asked != "1":
        advice = f"Install {' or '.join(fitting)} if copied texts do not arrive."
        return Finding("clipboard", f"only {ways[0]}", "note", advice, details)
    return Finding("clipboard", ", else ".join(ways), details=details)


def _text(here: Surroundings, answers: TerminalAnswers | None) -> Iterator[Finding]:
    name, value = _locale(here)
    cells = answers.sample_cells if answers is not None else None
    details = {"locale": value, "sampleCells": cells}
    encoding = value.partition(".")[2].lower().replace("-", "").partition("@")[0]
    if cells is not None and cells >= 3:
        advice = "Switch the terminal to UTF-8: it shows other characters than pi writes."
        yield Finding("text", "the terminal does not take UTF-8", "broken", advice, details)
    elif cells == 2:
        advice = "Have the terminal draw characters of ambiguous width narrow (one cell)."
        yield Finding("text", "lines take two cells: borders break", "warning", advice, details)
    elif encoding == "utf8":
        told = "UTF-8" if cells is None else "UTF-8, and characters are as wide as pi thinks"
        yield Finding("text", f"{told} ({name}={value})", details=details)
    elif encoding:
        advice = "Set LANG to a UTF-8 locale, such as C.UTF-8."
        yield Finding("text", f"{name}={value} is not UTF-8", "warning", advice, details)
    else:
        advice = "Set LANG=C.UTF-8 so that the programs pi runs write UTF-8 as it does."
        told = f"{name}={value}" if value else "no locale is set"
        yield Finding("text", told, "note", advice, details)


def _locale(here: Surroundings) -> tuple[str, str]:
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        if value := here.environ.get(name):
            return name, value
    return "LANG", ""


def _open_terminal() -> int | None:
    """Open the terminal, unless it is busy with another program: one in front of this one, or behind a pipe.

    Nor can one be opened that belongs to somebody else, as after `su`.
    """
    try:
        if not os.isatty(0) or os.tcgetpgrp(0) != os.getpgrp():
            return None
        is_free = os.isatty(1) or stat.S_ISREG(os.fstat(1).st_mode)
        return os.open(os.ttyname(0), os.O_RDWR | os.O_NOCTTY) if is_free else None
    except OSError:
        return None
