"""The pictures that a full screen has given to the terminal: each is sent once, and placed wherever it shows.

Of those that do not show some are kept, the last ones to be seen; the others are sent again when they come back.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

from pi_tui.frame_images import ImageSpot
from pi_tui.image_block import ImageBlock
from pi_tui.kitty_images import delete_image, delete_placement, place_image

# What of the pictures out of sight is kept.
_MOST_KEPT: Final = 16
_MOST_SENT_BYTES: Final = 32 * 1024 * 1024
_MOST_DECODED_BYTES: Final = 64 * 1024 * 1024

# Of a picture that is to be seen more than once at a time each place has a number.
_Place = tuple[int, int]


class ImageDrawing(NamedTuple):
    """What is to be written before the rows of a frame, and what after them."""

    before: str
    after: str


class ScreenImages:
    """Knows what the terminal has and shows."""

    def __init__(self) -> None:
        self._sent: OrderedDict[int, ImageBlock] = OrderedDict()  # last seen last
        self._placed: dict[_Place, ImageSpot] = {}
        self._rows: Sequence[bytes] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        """The pictures that the terminal has."""
        return tuple(self._sent)

    def draw(self, spots: Sequence[ImageSpot], rows: Sequence[bytes]) -> ImageDrawing:
        """Return what brings the terminal from the last pictures to these, around writing `rows`."""
        wanted = _numbered(spots)
        stale = [image_id for image_id in self._sent if self._is_outdated(image_id, wanted)]
        for image_id in stale:
            self._forget(image_id)
        touched = {
            place
            for place, spot in self._placed.items()
            if self._is_touched(place, spot, wanted, rows)
        }
        before = [
            *map(delete_image, stale),
            *(delete_placement(*place) for place in sorted(touched)),
        ]
        self._placed = {place: s for place, s in self._placed.items() if place not in touched}
        after = [
            self._shown(place, spot) for place, spot in wanted.items() if place not in self._placed
        ]
        self._placed, self._rows = wanted, rows
        for image_id, _ in wanted:
            self._sent.move_to_end(image_id)
        return ImageDrawing("".join(before), "".join([*after, *self._dropped()]))

    def rows_are_lost(self) -> None:
        """Place everything anew with the next frame: all rows are written then."""
        self._rows = ()

    def delete_all(self) -> str:
        """Return what takes all pictures out of the terminal."""
        return "".join(map(delete_image, self._sent))

    def _is_outdated(self, image_id: int, wanted: dict[_Place, ImageSpot]) -> bool:
        """Tell whether a picture is another one now."""
        spot = wanted.get((image_id, 1))
        return spot is not None and not _is_same_data(spot.block, self._sent[image_id])

    def _is_touched(
        self, place: _Place, spot: ImageSpot, wanted: dict[_Place, ImageSpot], rows: Sequence[bytes]
    ) -> bool:
        """Tell whether a picture has to go, for good or because something is written where it is."""
        if wanted.get(place) != spot:
            return True
        part = slice(spot.cells.top, spot.cells.bottom)
        return self._rows[part] != rows[part]

    def _shown(self, place: _Place, spot: ImageSpot) -> str:
        image_id, number = place
        upload = "" if image_id in self._sent else spot.block.upload
        self._sent[image_id] = spot.block
        cells = spot.cells
        columns, rows = cells.right - cells.left, cells.bottom - cells.top
        move = f"\x1b[{cells.top + 1};{cells.left + 1}H"
        return upload + move + place_image(image_id, number, columns, rows, spot.crop)

    def _dropped(self) -> list[str]:
        """Forget pictures out of sight that are too much, the longest unseen ones first."""
        in_sight = {image_id for image_id, _ in self._placed}
        hidden = [image_id for image_id in self._sent if image_id not in in_sight]
        sent = decoded = 0
        dropped = []
        for kept, image_id in enumerate(reversed(hidden), 1):
            block = self._sent[image_id]
            sent += len(block.sequence)
            decoded += 4 * block.pixels.width * block.pixels.height
            if kept > _MOST_KEPT or sent > _MOST_SENT_BYTES or decoded > _MOST_DECODED_BYTES:
                self._forget(image_id)
                dropped.append(delete_image(image_id))
        return dropped

    def _forget(self, image_id: int) -> None:
        del self._sent[image_id]
        self._placed = {place: s for place, s in self._placed.items() if place[0] != image_id}


def _numbered(spots: Sequence[ImageSpot]) -> dict[_Place, ImageSpot]:
    """Return the pictures by their id and by which of several places of the same picture it is."""
    counts: Counter[int] = Counter()
    numbered = {}
    for spot in spots:
        image_id = spot.block.image_id or 0
        counts[image_id] += 1
        numbered[image_id, counts[image_id]] = spot
    return numbered


def _is_same_data(one: ImageBlock, other: ImageBlock) -> bool:
    """Tell whether two sequences send the same picture; it may be shown at other sizes."""
    if one.sequence is other.sequence:
        return True
    return one.keys == other.keys and one.upload == other.upload
