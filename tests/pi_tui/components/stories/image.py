"""Pictures where there are none: with a name, without one, with one that does not fit."""

from __future__ import annotations

from functools import partial

from pi_tui.components.image import Image, ImageOptions, ImageTheme
from pi_tui.image_header import ImageSize
from pi_tui.theme import Theme


def _image(theme: Theme, name: str | None) -> Image:
    look = ImageTheme(partial(theme.fg, "muted"))
    return Image(b"", "image/png", look, ImageOptions(filename=name), ImageSize(640, 480))


STORIES = {
    "named": lambda theme: _image(theme, "notes/plan.png"),
    "no-name": lambda theme: _image(theme, None),
    "long-and-wide": lambda theme: _image(
        theme, "写真/a picture of the house 👍🏽 from behind.png"
    ),
}
