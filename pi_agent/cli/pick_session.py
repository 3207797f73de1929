"""`pi --resume`: a list of sessions on the plain terminal, before there is a screen."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from pi_agent.base.paths import SessionFolder
from pi_agent.session.catalog import SessionCatalog
from pi_agent.session.overview import SessionInfo, age_text
from pi_agent.session.search import search_sessions
from pi_agent.ui.plain import plain_line
from pi_tui.width import truncate_to_width

_MOST_SHOWN: Final = 20
_WIDTH_FOR_AGES: Final = 30
_WIDTH_FOR_COUNTS: Final = 60
_PROMPT: Final = "Number, words to search for, or Enter to leave: "


def pick_session(
    folder: SessionFolder,
    cwd: Path,
    *,
    say: Callable[[str], None] = print,
    ask: Callable[[str], str] = input,
    now: Callable[[], float] = time.time,
) -> Path | None:
    """Let the user choose a session of `cwd`; `None` if they choose none, or there is none."""
    catalog = SessionCatalog(folder, cwd)
    shown, count = catalog.newest(_MOST_SHOWN)
    if not shown:
        say("There are no sessions of this folder yet. `pi` begins one.")
        return None
    _list(shown, count, say, now())
    while answer := _answer(ask, say):
        if answer.isdecimal() and 0 < int(answer) <= len(shown):
            return shown[int(answer) - 1].path
        if answer.isdecimal():
            say(f"There is no number {answer}.")
            continue
        found = search_sessions(answer, catalog.all())
        if found.sessions:
            shown, count = found.sessions[:_MOST_SHOWN], len(found.sessions)
            _list(shown, count, say, now())
        else:
            say(found.error or "No session matches.")
    return None


def _answer(ask: Callable[[str], str], say: Callable[[str], None]) -> str:
    try:
        return ask(_PROMPT).strip()
    except EOFError:
        say("")  # the question has no line end yet
        return ""
    except KeyboardInterrupt:
        say("")
        raise


def _facts(info: SessionInfo, now: float, width: int) -> str:
    """Return what stands before a title: less of it where it would leave too little room for that."""
    messages = f"{info.message_count} messages" if info.message_count != 1 else "1 message"
    age = f"  {age_text(now - info.modified):>4}" if width >= _WIDTH_FOR_AGES else ""
    return age + (f"  {messages:>12}" if width >= _WIDTH_FOR_COUNTS else "")


def _list(shown: Sequence[SessionInfo], count: int, say: Callable[[str], None], now: float) -> None:
    width = shutil.get_terminal_size().columns
    for number, info in enumerate(shown, 1):
        row = f"{number:>3}{_facts(info, now, width)}  {plain_line(info.title)}"
        say(truncate_to_width(row, width, "…"))
    if count > len(shown):
        say(f"     and {count - len(shown)} more: search for them by their words")
