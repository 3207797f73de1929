"""Telling the terminal what a program is doing, so that it can show that beside the tab (OSC 7501).

A terminal that knows of this answers when asked; no other hears of it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Literal

from pi_tui.ansi import replace_control_characters

ProgramState = Literal["idle", "working", "blocked", "done", "error", "clear"]
BlockedKind = Literal["permission", "question", "auth"]

_QUERY = "\x1b]7501;?\x1b\\"
_CLEAR = "\x1b]7501;state=clear\x1b\\"
_APP = re.compile(r"[A-Za-z0-9_.+-]{1,32}")
_MESSAGE_BYTES = 2048


def program_status_sequence(
    state: ProgramState,
    app: str | None = None,
    kind: BlockedKind | None = None,
    message: str | None = None,
) -> str:
    """Return what tells the terminal. `kind` counts with `blocked` only; a name that has other characters is left out.

    Control characters of the message become blanks, and what is too long of it is left out.
    """
    fields = [f"state={state}"]
    if app is not None and _APP.fullmatch(app):
        fields.append(f"app={app}")
    if kind is not None and state == "blocked":
        fields.append(f"kind={kind}")
    if encoded := _encoded(message or ""):
        fields.append(f"msg={encoded}")
    return f"\x1b]7501;{':'.join(fields)}\x1b\\"


class ProgramStatus:
    """What is to be told, and whether the terminal wants to know.

    It does if it answers before it tells its attributes, which every terminal does. `PI_PROGRAM_STATUS=1` tells it
    unasked, `0` never.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._forced = {"1": True, "0": False}.get(environ.get("PI_PROGRAM_STATUS", "").strip())
        self._is_wanted = self._forced is True
        self._is_asked = False
        self._told = ""

    def change(self, sequence: str) -> str:
        """Have something to tell; returns what to write now."""
        is_new, self._told = sequence != self._told, sequence
        return sequence if is_new and self._is_wanted else ""

    def enter(self) -> str:
        """Return what asks the terminal at the start, and what it is to know if it has answered before."""
        if self._forced is not None:
            return self._told if self._forced else ""
        self._is_asked = True
        return _QUERY + (self._told if self._is_wanted else "")

    def leave(self) -> str:
        """Return what takes back what was told."""
        return _CLEAR if self._is_wanted and self._told else ""

    def confirm(self) -> str:
        """Take the answer; returns what to write now."""
        if not self._is_asked or self._is_wanted:
            return ""
        self._is_wanted = True
        return self._told

    def end_of_answers(self) -> None:
        """An answer that comes later is none: something in between has made it up."""
        self._is_asked = False


def _encoded(message: str) -> str:
    data = replace_control_characters(message).strip().encode("utf-8", "replace")
    cut = data[:_MESSAGE_BYTES].decode("utf-8", "ignore").encode()
    return base64.b64encode(cut).decode("ascii")
