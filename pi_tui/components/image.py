"""`Image`: a picture where the terminal can show it, and one line of text about it elsewhere."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Final

from pi_tui.ansi import hyperlink, replace_control_characters
from pi_tui.capabilities import get_capabilities
from pi_tui.cell_size import get_cell_size
from pi_tui.component import Component, Style, identity
from pi_tui.frozen import frozen
from pi_tui.image_fit import CellBox, fit_image, square_rows
from pi_tui.image_header import ImageSize, image_size
from pi_tui.image_support import image_protocol
from pi_tui.image_transcoder import png_of
from pi_tui.iterm_images import iterm_image
from pi_tui.kitty_images import kitty_image, new_image_id
from pi_tui.known_terminals import ImageProtocol
from pi_tui.sixel_images import sixel_image
from pi_tui.width import truncate_to_width

_UNKNOWN_SIZE: Final = ImageSize(800, 600)
_MARGIN: Final = 2


@frozen
class ImageTheme:
    """How the line of text looks that stands for a picture."""

    fallback_color: Style = identity


@frozen
class ImageOptions:
    """How large a picture may be, in cells, and what it is called.

    Without `max_height_cells` it may be as high as it may be wide. One that is not `is_drawn` is only told of. A
    picture with the `image_id` of another one takes its place in the terminal, so that pictures with the same id,
    shown one after another, are a film.
    """

    max_width_cells: int = 60
    max_height_cells: int | None = None
    filename: str | None = None
    image_id: int | None = None
    is_drawn: bool = True


# What the rows are made from besides the picture itself.
_Made = tuple[int, ImageProtocol | None, tuple[int, int], bool]


class Image(Component):
    """A PNG, JPEG, GIF or WebP file, given as its bytes or as base64; `dimensions` if its header does not tell.

    It is enlarged, too, to be as large as it may. Where the terminal shows no pictures, or not this one, a line tells
    of it.
    """

    def __init__(
        self,
        data: str | bytes,
        mime_type: str,
        theme: ImageTheme,
        options: ImageOptions | None = None,
        dimensions: ImageSize | None = None,
    ) -> None:
        self._data = _bytes_of(data)
        self._mime_type = mime_type
        self._theme = theme
        self._options = options or ImageOptions()
        self._size = dimensions or image_size(self._data) or _UNKNOWN_SIZE
        self._id = new_image_id() if self._options.image_id is None else self._options.image_id
        self._made: tuple[_Made, list[str]] | None = None

    def get_image_id(self) -> int:
        """Return the id by which the terminal knows the picture."""
        return self._id

    def invalidate(self) -> None:
        """Drop the rows already made."""
        self._made = None

    def render(self, width: int) -> list[str]:
        """Return the rows of the picture, the first or the last of which draws it; or the line about it."""
        capabilities = get_capabilities()
        key = (width, image_protocol(), get_cell_size(), capabilities.hyperlinks)
        if self._made is None or self._made[0] != key:
            self._made = (key, self._drawn(width, key[1]) or [self._fallback(width, key[3])])
        return self._made[1]

    def _drawn(self, width: int, protocol: ImageProtocol | None) -> list[str]:
        """Return the rows of the picture, none if it cannot be shown."""
        if protocol is None or not self._data or not self._options.is_drawn:
            return []
        cells = self._cells(width, is_stretched=protocol == "kitty")
        blank = [""] * (cells.rows - 1)
        if protocol == "kitty":
            png = png_of(self._data, self._mime_type)
            return (
                [kitty_image(_base64(png), self._id, cells.columns, cells.rows), *blank]
                if png
                else []
            )
        picture = self._iterm(cells) if protocol == "iterm2" else self._sixels(cells)
        up = f"\x1b[{cells.rows - 1}A" if blank else ""
        return [*blank, up + picture] if picture else []

    def _cells(self, width: int, *, is_stretched: bool) -> CellBox:
        cell, options = get_cell_size(), self._options
        columns = max(1, min(width - _MARGIN, options.max_width_cells))
        rows = options.max_height_cells
        box = CellBox(columns, square_rows(columns, cell) if rows is None else max(1, rows))
        return fit_image(self._size, box, cell, is_stretched=is_stretched)

    def _iterm(self, cells: CellBox) -> str:
        return iterm_image(_base64(self._data), len(self._data), cells.columns)

    def _sixels(self, cells: CellBox) -> str | None:
        """Return the picture drawn as large as its cells, in its own proportions."""
        (cell_width, cell_height), size = get_cell_size(), self._size
        most_wide, most_high = cells.columns * cell_width, cells.rows * cell_height
        width = max(1, min(most_wide, most_high * size.width // max(1, size.height)))
        height = max(1, min(most_high, most_wide * size.height // max(1, size.width)))
        return sixel_image(self._data, width, height)

    def _fallback(self, width: int, hyperlinks: bool) -> str:
        name = self._options.filename
        kind = replace_control_characters(self._mime_type)
        size = f"{self._size.width}x{self._size.height}"
        parts = ["Image:", *([_shown_name(name)] if name else []), f"[{kind}]", size]
        text = self._theme.fallback_color(truncate_to_width(f"[{' '.join(parts)}]", width))
        if name and hyperlinks and Path(name).is_absolute() and "\0" not in name:
            return hyperlink(text, Path(name).as_uri())
        return text


def _bytes_of(data: str | bytes) -> bytes:
    """Return the picture file; nothing for what is no base64. No foreign characters reach the terminal this way."""
    if isinstance(data, bytes):
        return data
    try:
        return base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _shown_name(name: str) -> str:
    """Return a file name that is safe to show, with the home folder as `~`."""
    home = str(Path.home())
    if name == home or name.startswith(f"{home}/"):
        name = "~" + name[len(home) :]
    return replace_control_characters(name)
