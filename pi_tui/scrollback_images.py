"""The pictures of regular mode: drawn where their rows are written, so that they scroll off with them.

A picture is drawn when its last row is there, for then all its rows are on the screen. One that is higher than the
screen is drawn with its first row: the rest comes to sight as rows follow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from pi_tui.frame_images import Cells, cells_of
from pi_tui.frozen import frozen
from pi_tui.image_block import ImageBlock
from pi_tui.kitty_images import delete_image
from pi_tui.layout import Layer
from pi_tui.scrollback_writer import Pictures

_SAVE_CURSOR, _RESTORE_CURSOR = "\x1b7", "\x1b8"


@frozen
class PlacedImage:
    """A picture and the first of its rows in the document."""

    first: int
    block: ImageBlock

    @property
    def last(self) -> int:
        """Its last row."""
        return self.first + self.block.rows - 1

    @property
    def key(self) -> tuple[int, int]:
        """Its place, at which there is no other one."""
        return self.first, self.block.column

    @property
    def cells(self) -> Cells:
        """Where it is, by rows of the document."""
        left = self.block.column
        return Cells(self.first, left, self.last + 1, left + self.block.columns)


class ScrollbackImages:
    """Knows which pictures the terminal shows, on the screen and above it."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[int, int], PlacedImage] = {}  # those that are on the screen
        self._ids: dict[int, None] = {}
        self._is_doubtful = False

    @property
    def ids(self) -> Collection[int]:
        """The pictures that can be deleted."""
        return self._ids.keys()

    def doubt(self) -> None:
        """Draw all pictures of the screen anew with the next frame: nobody knows whether they are there."""
        self._is_doubtful = True

    def delete_all(self) -> str:
        """Return what takes all pictures out of the terminal."""
        return "".join(map(delete_image, self._ids))

    def all_anew(self, wanted: Iterable[PlacedImage], start: int, rows: int) -> Pictures:
        """Return the pictures of a document that is written from its row `start` on, on a screen of `rows`."""
        before = self.delete_all()
        self._ids.clear()
        self._drawn = {image.key: image for image in wanted}
        self._note_ids()
        shown = self._drawn.values()
        return Pictures(before, frozenset(), _by_row(shown, start, rows))

    def advance(
        self, wanted: Sequence[PlacedImage], changed: Collection[int], top: int, rows: int
    ) -> Pictures:
        """Return what brings the screen, whose first row is `top`, to these pictures; `changed` rows are written."""
        now = {image.key: image for image in wanted}
        before = {key: image for key, image in self._drawn.items() if image.last >= top}
        stay = {
            key: image
            for key, image in before.items()
            if now.get(key) == image and not self._is_doubtful and not _meets(image, changed)
        }
        self._is_doubtful = False
        gone = [image for key, image in before.items() if key not in stay]
        deleted = {image.block.image_id for image in gone} - {None}
        drawn = [
            image
            for key, image in now.items()
            if key not in stay or image.block.image_id in deleted
        ]
        rewritten = {row - top for image in gone for row in _rows_of(image)}
        self._drawn = now
        self._note_ids()
        deletion = "".join(delete_image(image_id) for image_id in sorted(filter(None, deleted)))
        return Pictures(deletion, frozenset(rewritten), _by_row(drawn, top, rows))

    def _note_ids(self) -> None:
        for image in self._drawn.values():
            if image.block.image_id is not None:
                self._ids[image.block.image_id] = None


def uncovered(
    lines: Iterable[tuple[int, ImageBlock]], layers: Sequence[Layer], top: int
) -> list[PlacedImage]:
    """Return pictures, given with the row of the document that draws them, at their places.

    Those that a layer lies over are left out; the screen begins at the row `top`.
    """
    images = [PlacedImage(row - block.above, block) for row, block in lines]
    covers = [cells_of(layer).lower(top) for layer in layers]
    return [image for image in images if not any(map(image.cells.meets, covers))]


def _meets(image: PlacedImage, changed: Collection[int]) -> bool:
    return any(row in changed for row in _rows_of(image))


def _rows_of(image: PlacedImage) -> range:
    return range(image.first, image.last + 1)


def _by_row(images: Iterable[PlacedImage], top: int, rows: int) -> Mapping[int, str]:
    """Return what draws pictures, by the row, counted from `top`, after whose writing it is written."""
    drawn: dict[int, str] = {}
    for image in images:
        start = max(image.first, top)
        if image.last - start < rows:
            row, up = image.last, image.last - start
        elif image.block.protocol == "kitty" and start == image.first:
            row, up = start, 0
        else:
            continue
        drawn[row - top] = drawn.get(row - top, "") + _drawing(image.block, start - image.first, up)
    return drawn


def _drawing(block: ImageBlock, rows_above: int, up: int) -> str:
    """Return what draws a picture from its last row, `up` rows below its first; the cursor stays in its row."""
    place = (f"\x1b[{up}A" if up else "") + f"\x1b[{block.column + 1}G"
    if block.protocol == "kitty":
        sequence = block.cropped(rows_above) if rows_above else block.sequence
        return place + sequence + (f"\x1b[{up}B" if up else "")
    if rows_above:
        return ""
    return _SAVE_CURSOR + place + block.sequence + _RESTORE_CURSOR
