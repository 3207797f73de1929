"""`pi --session` with the id of a session of another directory: a question on the plain terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pi_agent.base.errors import PiError
from pi_agent.host.options import RunOptions
from pi_agent.session.listing import ElsewhereError, find_session
from pi_agent.ui.plain import plain_line

_QUESTION = "Fork it into the current directory? [y/N] "


def settle_elsewhere(
    options: RunOptions,
    *,
    say: Callable[[str], None] = print,
    ask: Callable[[str], str] = input,
) -> RunOptions | None:
    """Return what to run with: a copy of a session that belongs elsewhere, if that is wanted; `None` if not."""
    if options.session is None:
        return options
    try:
        find_session(options.session, cwd=options.cwd, paths=options.paths)
    except ElsewhereError as elsewhere:
        say(f"This session belongs to another directory: {plain_line(elsewhere.cwd)}")
        if not _agrees(ask, say):
            return None
        return replace(options, session=None, fork=str(elsewhere.path))
    except PiError:
        pass  # the program tells what is wrong, and begins another one
    return options


def _agrees(ask: Callable[[str], str], say: Callable[[str], None]) -> bool:
    try:
        return ask(_QUESTION).strip().casefold() in ("y", "yes")
    except EOFError:
        say("")  # the question has no line end yet
        return False
