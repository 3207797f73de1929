"""By which protocol pictures are drawn: what the terminal understands, where the screen has a use for it.

On a full screen pictures come and go, which only kitty's protocol can; in the terminal's own scrollback any does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pi_tui.capabilities import get_capabilities
from pi_tui.known_terminals import ImageProtocol

ALL_PROTOCOLS: Final[frozenset[ImageProtocol]] = frozenset(("kitty", "iterm2", "sixel"))


class _Here:
    """What the screen of this process can draw."""

    drawn = ALL_PROTOCOLS


def set_drawn_protocols(protocols: frozenset[ImageProtocol]) -> None:
    """Say which protocols the screen draws pictures by; `ALL_PROTOCOLS` where there is none."""
    _Here.drawn = protocols


@contextmanager
def without_images() -> Iterator[None]:
    """Let pictures be told of in words meanwhile."""
    before, _Here.drawn = _Here.drawn, frozenset[ImageProtocol]()
    try:
        yield
    finally:
        _Here.drawn = before


def image_protocol() -> ImageProtocol | None:
    """Return the protocol for pictures, or `None` where they are told of in words."""
    protocol = get_capabilities().images
    return protocol if protocol in _Here.drawn else None
