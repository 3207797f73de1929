"""Putting text into the clipboard of the terminal, wherever that runs (OSC 52).

A terminal does not say whether it took the text, and drops what is too long for it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

# The least of what common terminals take, in bytes of base64.
_LIMIT_BYTES = 100_000
# GNU screen passes strings on in pieces of less than 768 bytes.
_SCREEN_PIECE = 640


def clipboard_sequence(text: str, environ: Mapping[str, str]) -> str | None:
    """Return what makes the terminal copy `text`; `None` if it is too long.

    tmux takes it for itself, or passes it on in a wrapper, as it is set up: it gets both. GNU screen only passes
    it on.
    """
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    if len(encoded) > _LIMIT_BYTES:
        return None
    sequence = f"\x1b]52;c;{encoded}\x07"
    if environ.get("TMUX"):
        return sequence + _for_tmux(sequence)
    if environ.get("STY"):
        return _for_screen(sequence)
    return sequence


def _for_tmux(sequence: str) -> str:
    doubled = sequence.replace("\x1b", "\x1b\x1b")
    return f"\x1bPtmux;{doubled}\x1b\\"


def _for_screen(sequence: str) -> str:
    starts = range(0, len(sequence), _SCREEN_PIECE)
    return "".join(f"\x1bP{sequence[start : start + _SCREEN_PIECE]}\x1b\\" for start in starts)
