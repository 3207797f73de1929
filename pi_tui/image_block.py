"""Pictures in rows: told apart from the text around them, with the cells that they take.

A kitty picture begins in its row and covers the rows below; others end in their row, with a move up before them.
"""

from __future__ import annotations

import base64
import binascii
import re
from functools import lru_cache
from typing import Final

from pi_tui.frozen import frozen
from pi_tui.image_header import ImageSize, image_size
from pi_tui.kitty_images import Crop
from pi_tui.known_terminals import ImageProtocol
from pi_tui.paint import IMAGE_START
from pi_tui.width import visible_width

_STRING_END: Final = re.compile(r"\x1b\\|\x07")
_MOVE_UP: Final = re.compile(r"\x1b\[([0-9]*)A\Z")
_RASTER: Final = re.compile(r'"[0-9]+;[0-9]+;([0-9]+);([0-9]+)')
_UNKNOWN_SIZE: Final = ImageSize(0, 0)
_ST: Final = "\x1b\\"
# What says where and how a picture is drawn, and not what it is.
_PLACE_KEYS: Final = frozenset("acrCpzxywhXYqm")
_HEADER_CHARACTERS: Final = 128


@frozen
class ImageBlock:
    """A picture in a row: the sequence that draws it, its column in the row, and the cells that it takes.

    `above` of its rows lie above the row. `image_id` is `None` where the protocol has none.
    """

    protocol: ImageProtocol
    sequence: str
    column: int
    columns: int
    rows: int
    above: int = 0
    image_id: int | None = None
    pixels: ImageSize = _UNKNOWN_SIZE
    keys: str = ""
    payload_at: int = 0

    @property
    def upload(self) -> str:
        """What sends a kitty picture without showing it."""
        return self._headed(f"a=t,q=2,i={self.image_id}{self.keys}")

    def cropped(self, rows_above: int) -> str:
        """Return what draws a kitty picture without its first rows."""
        left = self.rows - rows_above
        part = self.part(0, rows_above, self.columns, left)
        crop = part.keys if part is not None else ""
        place = f"a=T,q=2,C=1,c={self.columns},r={left}{crop}"
        return self._headed(f"{place},i={self.image_id}{self.keys}")

    def part(self, column: int, row: int, columns: int, rows: int) -> Crop | None:
        """Return the pixels that some of its cells show; `None` for all of them."""
        if (column, row, columns, rows) == (0, 0, self.columns, self.rows):
            return None
        x, width = _share(column, columns, self.columns, self.pixels.width)
        y, height = _share(row, rows, self.rows, self.pixels.height)
        return Crop(x, y, width, height)

    def _headed(self, keys: str) -> str:
        more = ",m=1" if ",m=1" in self.sequence[: self.payload_at] else ""
        return f"\x1b_G{keys}{more};{self.sequence[self.payload_at :]}"


@lru_cache(maxsize=16)
def split_images(line: str) -> tuple[str, tuple[ImageBlock, ...]]:
    """Return the text of a row, and the pictures in it.

    A picture that could not be taken away again, because it has no id or size, is left out.
    """
    text, blocks, position = "", [], 0
    while (start := IMAGE_START.search(line, position)) is not None:
        text += line[position : start.start()]
        is_kitty = start[0] == "\x1b_G"
        position = _end_of_kitty(line, start.end()) if is_kitty else _end(line, start.end())
        sequence = line[start.start() : position]
        up = None if is_kitty else _MOVE_UP.search(text)
        if up is not None:
            text = text[: up.start()]
        block = _block(sequence, visible_width(text), 0 if up is None else int(up[1] or 1))
        if block is not None:
            blocks.append(block)
    return text + line[position:], tuple(blocks)


def _block(sequence: str, column: int, above: int) -> ImageBlock | None:
    if sequence.startswith("\x1b_G"):
        return _kitty_block(sequence, column)
    if sequence.startswith("\x1bP"):
        raster = _RASTER.search(sequence[:_HEADER_CHARACTERS])
        size = ImageSize(int(raster[1]), int(raster[2])) if raster else ImageSize(0, 0)
        return ImageBlock("sixel", sequence, column, 1, above + 1, above, pixels=size)
    keys = _keys(sequence[: sequence.find(":")].removeprefix("\x1b]1337;File="), ";")
    return ImageBlock("iterm2", sequence, column, max(1, _number(keys, "width")), above + 1, above)


def _kitty_block(sequence: str, column: int) -> ImageBlock | None:
    """Return the picture that a command shows; `None` for one that does anything else."""
    header = sequence[3:].partition(";")[0].removesuffix(_ST)
    keys = _keys(header, ",")
    image_id, columns, rows = (_number(keys, key) for key in "icr")
    if keys.get("a") != "T" or min(image_id, columns, rows) < 1:
        return None
    rest = "".join(
        f",{key}={value}" for key, value in keys.items() if key != "i" and key not in _PLACE_KEYS
    )
    payload_at = len(header) + len("\x1b_G;")
    size = ImageSize(_number(keys, "s"), _number(keys, "v"))
    if keys.get("f") == "100":
        size = _png_size(sequence[payload_at : payload_at + _HEADER_CHARACTERS]) or size
    return ImageBlock("kitty", sequence, column, columns, rows, 0, image_id, size, rest, payload_at)


def _share(start: int, count: int, cells: int, pixels: int) -> tuple[int, int]:
    """Return where the pixels of some cells begin and how many they are, at least one.

    Parts that lie side by side have no pixel in common, and all of them between them, unless a cell has less than
    one.
    """
    first = (2 * start * pixels + cells) // (2 * cells)
    last = (2 * (start + count) * pixels + cells) // (2 * cells)
    return min(first, max(0, pixels - 1)), max(1, last - first)


def _end(line: str, position: int) -> int:
    end = _STRING_END.search(line, position)
    return len(line) if end is None else end.end()


def _end_of_kitty(line: str, position: int) -> int:
    """Return where a command ends, with all the pieces of its data."""
    while True:
        header = line[position : position + _HEADER_CHARACTERS].partition(";")[0]
        end = line.find(_ST, position)
        if end < 0:
            return len(line)
        position = end + len(_ST)
        if "m=1" not in header.split(",") or not line.startswith("\x1b_Gm=", position):
            return position
        position += len("\x1b_G")


def _keys(text: str, separator: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(separator) if part)
    return {key: value for key, _, value in pairs}


def _number(keys: dict[str, str], key: str) -> int:
    value = keys.get(key, "")
    return int(value) if value.isdecimal() and len(value) <= 10 else 0


def _png_size(start: str) -> ImageSize | None:
    try:
        return image_size(base64.b64decode(start[: len(start) // 4 * 4]))
    except (binascii.Error, ValueError):
        return None
