"""A terminal in memory that shows kitty pictures: what was sent, and what of it is where.

It reads the protocol by itself, from the bytes that a terminal gets, and refuses what a terminal would refuse:
a picture that is no whole PNG, a placement of a picture that it does not have, data in pieces that are too large.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from pi_tui.emulator import GridTerminal
from pi_tui.emulator_records import ControlString

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Placement:
    """A picture on the screen: the cell of its first corner, counted from the first row ever, and its crop."""

    image_id: int
    row: int
    column: int
    columns: int
    rows: int
    crop: tuple[int, int, int, int]


class ImageGrid(GridTerminal):
    """Keeps the pictures that it was sent, and where they are."""

    def __init__(self, columns: int, rows: int, answers: tuple[str, ...] = ()) -> None:
        super().__init__(columns, rows, answers=answers)
        self.pictures: dict[int, tuple[int, int]] = {}
        self.placements: dict[tuple[int, int], Placement] = {}
        self.sent: list[tuple[int, int]] = []  # id and bytes of everything that was ever sent
        self._pieces: list[str] = []
        self._keys: dict[str, str] = {}

    def note_string(self, string: ControlString, end: str) -> None:
        super().note_string(string, end)
        if string.kind != "apc" or not string.body.startswith("G"):
            return
        header, _, payload = string.body[1:].partition(";")
        keys = dict(pair.split("=") for pair in header.split(","))
        assert len(payload) <= 4096, "a piece of data is too large"
        if self._pieces:
            assert keys.keys() == {"m"}, "a picture was not sent to its end"
        else:
            self._keys = keys
        self._pieces.append(payload)
        if keys.get("m") == "1":
            assert len(payload) % 4 == 0
            return
        data, self._pieces = "".join(self._pieces), []
        self._do(self._keys, data, len(self.scrollback) + string.y, string.x)

    def visible(self) -> list[Placement]:
        """Return what shows of the pictures, from top to bottom."""
        first = len(self.scrollback)
        shown = [
            placement
            for placement in self.placements.values()
            if placement.row < first + self.rows and placement.row + placement.rows > first
        ]
        return sorted(shown, key=lambda placement: (placement.row, placement.column))

    def rows_of_pictures(self) -> dict[int, tuple[int, float]]:
        """Return, for each row of the screen, which picture shows there and the pixel row in the middle of the cell."""
        first = len(self.scrollback)
        shown = {}
        for placement in self.visible():
            _, y, _, height = placement.crop
            for row in range(placement.rows):
                screen_row = placement.row + row - first
                if 0 <= screen_row < self.rows:
                    middle = y + (row + 0.5) * height / placement.rows
                    shown[screen_row] = (placement.image_id, middle)
        return shown

    def uploads(self) -> list[int]:
        """Return the ids of what was sent, in order."""
        return [image_id for image_id, _ in self.sent]

    def _do(self, keys: dict[str, str], data: str, row: int, column: int) -> None:
        action, image_id = keys["a"], int(keys["i"])
        assert keys["q"] == "2", "the terminal would answer, and the answer be read as keys"
        assert 1 <= image_id <= 2**32 - 2
        if action in ("t", "T"):
            assert keys["f"] == "100"
            self._delete(image_id)
            self.pictures[image_id] = _png_size(base64.b64decode(data, validate=True))
            self.sent.append((image_id, len(data)))
        if action in ("p", "T"):
            assert keys["C"] == "1", "the cursor would move"
            self._place(keys, image_id, row, column)
        if action == "d":
            assert keys["d"] in ("i", "I")
            if "p" in keys:
                self.placements.pop((image_id, int(keys["p"])), None)
            else:
                self._delete(image_id)
            if keys["d"] == "I":
                self.pictures.pop(image_id, None)

    def _place(self, keys: dict[str, str], image_id: int, row: int, column: int) -> None:
        assert image_id in self.pictures, "a picture is placed that was not sent"
        width, height = self.pictures[image_id]
        x, y = int(keys.get("x", 0)), int(keys.get("y", 0))
        crop = (x, y, int(keys.get("w", width - x)), int(keys.get("h", height - y)))
        assert crop[0] + crop[2] <= width and crop[1] + crop[3] <= height, (
            "a part beyond the picture"
        )
        assert min(crop[2:]) >= 1
        columns, rows = int(keys["c"]), int(keys["r"])
        assert columns >= 1 and rows >= 1 and column + columns <= self.columns
        key = (image_id, int(keys.get("p", 0)))
        self.placements[key] = Placement(image_id, row, column, columns, rows, crop)

    def _delete(self, image_id: int) -> None:
        self.placements = {
            key: placement for key, placement in self.placements.items() if key[0] != image_id
        }


def make_png(width: int, height: int, shade: int = 0) -> bytes:
    """Return a grey picture."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes([shade]) * width) * height)
    return _SIGNATURE + b"".join(
        _chunk(kind, data) for kind, data in ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png_size(data: bytes) -> tuple[int, int]:
    """Return the size of a PNG, all of which is looked at."""
    assert data.startswith(_SIGNATURE)
    chunks = dict(_chunks(data))
    width, height, depth, color = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert len(zlib.decompress(chunks[b"IDAT"])) == height * (
        1 + width * {0: 1, 2: 3}[color] * depth // 8
    )
    assert b"IEND" in chunks
    return width, height


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = len(_SIGNATURE)
    while position < len(data):
        (length,) = struct.unpack(">I", data[position : position + 4])
        kind, body = data[position + 4 : position + 8], data[position + 8 : position + 8 + length]
        (checksum,) = struct.unpack(">I", data[position + 8 + length : position + 12 + length])
        assert checksum == zlib.crc32(kind + body)
        yield kind, body
        position += 12 + length
