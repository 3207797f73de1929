"""Pictures, and what stands for them where the terminal shows none."""

from __future__ import annotations

import struct
import zlib
from functools import partial

from pi_tui import StackEntry, get_capabilities, get_cell_size
from pi_tui.components import Box, HStack, Image, ImageOptions, ImageTheme, Text
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    theme = stage.theme
    look = ImageTheme(partial(theme.fg, "muted"))
    png = _rainbow(240, 120)

    def image(columns: int, rows: int | None = None, name: str | None = None) -> Image:
        return Image(png, "image/png", look, ImageOptions(columns, rows, name))

    panel = Box(2, 1, partial(theme.bg, "toolSuccessBg"))
    panel.add_child(image(16))
    row = HStack([StackEntry(image(12), 28), StackEntry(image(24, 3), 28)], gap=2)
    return Piece(
        samples(
            theme,
            ("what this terminal does", Text(_terminal(), 0, 0)),
            ("Image(data, mime_type, theme)", image(32)),
            ("in a Box", panel),
            ("side by side, the second at most three rows high", row),
            ("one that is none", Image("?", "image/png", look, ImageOptions(filename="a.png"))),
        )
    )


def _terminal() -> str:
    protocol, (width, height) = get_capabilities().images, get_cell_size()
    if protocol is None:
        return (
            "It shows no pictures: a line tells of each. PI_IMAGE_PROTOCOL=kitty says that it does."
        )
    return f"It shows pictures ({protocol}). A cell has {width} x {height} pixels."


def _rainbow(width: int, height: int) -> bytes:
    """Return a PNG in which red grows to the right and blue downwards."""
    rows = b"".join(
        b"\0" + b"".join(bytes((255 * x // width, 96, 255 * y // height)) for x in range(width))
        for y in range(height)
    )
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)


PAGE = Page(
    "Image",
    "A picture in terminals that show them, on a full screen by kitty's protocol. Scroll: it is cut at the edges"
    " and is sent only once.",
    build,
    ("Image", "ImageOptions", "ImageTheme"),
)
