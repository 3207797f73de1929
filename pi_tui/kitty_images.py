"""Pictures by the kitty graphics protocol: sent as PNG once, then placed, cropped and deleted by their id.

See https://sw.kovidgoyal.net/kitty/graphics-protocol/. Every command has `q=2`: the terminal answers nothing, for
an answer would come as input.
"""

from __future__ import annotations

import random
from typing import Final

from pi_tui.frozen import frozen

_CHUNK: Final = 4096
_END: Final = "\x1b\\"
_MOST_ID: Final = 2**32 - 2


@frozen
class Crop:
    """The part of a picture to show, in its own pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def keys(self) -> str:
        """How a command names the part."""
        return f",x={self.x},y={self.y},w={self.width},h={self.height}"


def new_image_id() -> int:
    """Return an id that no other picture in the terminal is likely to have."""
    return random.randint(1, _MOST_ID)


def kitty_image(png: str, image_id: int, columns: int, rows: int) -> str:
    """Return what sends a PNG (base64) and shows it below and right of the cursor, which stays where it is."""
    return _sent(f"a=T,f=100,q=2,C=1,c={columns},r={rows},i={image_id}", png)


def place_image(image_id: int, placement: int, columns: int, rows: int, crop: Crop | None) -> str:
    """Return what shows a picture, or a part of it, that was sent before."""
    part = crop.keys if crop is not None else ""
    keys = f"a=p,q=2,C=1,i={image_id},p={placement},c={columns},r={rows}{part}"
    return f"\x1b_G{keys}{_END}"


def delete_placement(image_id: int, placement: int) -> str:
    """Return what takes a picture off the screen; it can be placed again."""
    return f"\x1b_Ga=d,d=i,q=2,i={image_id},p={placement}{_END}"


def delete_image(image_id: int) -> str:
    """Return what takes a picture off the screen wherever it is, and out of the terminal's memory."""
    return f"\x1b_Ga=d,d=I,q=2,i={image_id}{_END}"


def _sent(keys: str, data: str) -> str:
    """Return a command with its data in pieces of the size that the protocol allows."""
    if len(data) <= _CHUNK:
        return f"\x1b_G{keys};{data}{_END}"
    pieces = [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]
    between = "".join(f"\x1b_Gm=1;{piece}{_END}" for piece in pieces[1:-1])
    return f"\x1b_G{keys},m=1;{pieces[0]}{_END}{between}\x1b_Gm=0;{pieces[-1]}{_END}"
