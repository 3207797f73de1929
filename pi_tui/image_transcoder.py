"""Making PNG of other pictures for terminals that take nothing else, by a function that is registered."""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import ClassVar, Final

from pi_tui.image_header import image_type

_log = logging.getLogger("pi.tui")
_MOST_RESULTS: Final = 32

# Called with the picture file and its MIME type; returns a PNG file, or nothing. Must be quick: a frame waits for it.
ImageTranscoder = Callable[[bytes, str], bytes | None]


class _Here:
    transcoder: ImageTranscoder | None = None
    results: ClassVar[OrderedDict[bytes, bytes]] = OrderedDict()


def set_image_transcoder(transcoder: ImageTranscoder | None) -> None:
    """Let `transcoder` make PNG from now on; without one pictures of other kinds are told of in words."""
    _Here.transcoder = transcoder
    _Here.results.clear()


def png_of(data: bytes, mime_type: str) -> bytes | None:
    """Return a picture file as PNG, or `None`; what failed is tried again the next time."""
    if image_type(data) == "image/png":
        return data
    if _Here.transcoder is None:
        return None
    key = hashlib.blake2b(data).digest()
    known = _Here.results.get(key)
    if known is not None:
        _Here.results.move_to_end(key)
        return known
    made = _made(_Here.transcoder, data, mime_type)
    if made is not None:
        _Here.results[key] = made
        if len(_Here.results) > _MOST_RESULTS:
            _Here.results.popitem(last=False)
    return made


def _made(transcoder: ImageTranscoder, data: bytes, mime_type: str) -> bytes | None:
    try:
        made = transcoder(data, mime_type)
    except Exception:
        _log.exception("the image transcoder failed")
        return None
    return made if made is not None and image_type(made) == "image/png" else None
