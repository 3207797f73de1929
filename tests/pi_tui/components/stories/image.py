"""Pictures where there are none: with a name, without one, with one that does not fit, and of what is none."""

from __future__ import annotations

from functools import partial

from pi_tui.components.image import Image, ImageOptions, ImageTheme
from pi_tui.image_header import ImageSize
from pi_tui.theme import Theme


def _look(theme: Theme) -> ImageTheme:
    return ImageTheme(partial(theme.fg, "muted"))


def _image(theme: Theme, name: str | None) -> Image:
    return Image(b"", "image/png", _look(theme), ImageOptions(filename=name), ImageSize(640, 480))


STORIES = {
    "named": lambda theme: _image(theme, "notes/plan.png"),
    "no-name": lambda theme: _image(theme, None),
    # What cannot be read as a picture has the size that is meant for those.
    "damaged": lambda theme: Image(
        b"no picture", "image/png", _look(theme), ImageOptions(filename="broken.png")
    ),
    "long-and-wide": lambda theme: _image(
        theme, "写真/a picture of the house 👍🏽 from behind.png"
    ),
}
