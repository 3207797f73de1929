"""Pictures as sixels. The toolkit reads no pixels itself: what makes sixels of a picture file is registered."""

from __future__ import annotations

import logging
from collections.abc import Callable

_log = logging.getLogger("pi.tui")

# Called with the picture file and the width and height in pixels to draw it at; returns a DCS string, or nothing.
SixelEncoder = Callable[[bytes, int, int], str | None]


class _Here:
    encoder: SixelEncoder | None = None


def set_sixel_encoder(encoder: SixelEncoder | None) -> None:
    """Let `encoder` make sixels from now on; without one pictures are told of in words."""
    _Here.encoder = encoder


def sixel_image(data: bytes, width: int, height: int) -> str | None:
    """Return what draws a picture file at the cursor, or `None` where that is not possible."""
    if _Here.encoder is None:
        return None
    try:
        sixels = _Here.encoder(data, width, height)
    except Exception:
        _log.exception("the sixel encoder failed")
        return None
    return sixels if sixels is not None and sixels.startswith("\x1bP") else None
