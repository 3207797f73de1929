"""Tell dark from light: for a terminal by what it reports, for a theme by its colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pi_tui.colors import Color, color_to_oklch, contrast_ratio, rgb_color
from pi_tui.theme_tokens import THEME_TOKENS, TokenSlot

Appearance = Literal["dark", "light"]

_BLACK = rgb_color(0, 0, 0)
_WHITE = rgb_color(255, 255, 255)

# WCAG's minimum for body text, and the smallest difference that says which of two colours is the text.
_READABLE_CONTRAST = 4.5
_CLEAR_DIFFERENCE = 0.05

_DARK_BACKGROUNDS = frozenset((*range(7), 8))


def appearance_from_colors(background: Color, foreground: Color | None = None) -> Appearance:
    """Return what a terminal with this background, and text of this colour, looks like."""
    white, black = contrast_ratio(_WHITE, background), contrast_ratio(_BLACK, background)
    if foreground is not None:
        difference = color_to_oklch(foreground)[0] - color_to_oklch(background)[0]
        if difference > _CLEAR_DIFFERENCE and white >= _READABLE_CONTRAST:
            return "dark"
        if difference < -_CLEAR_DIFFERENCE and black >= _READABLE_CONTRAST:
            return "light"
    return "dark" if white >= black else "light"


def appearance_from_colorfgbg(value: str) -> Appearance | None:
    """Read the environment variable `COLORFGBG`; `None` when it does not say."""
    last = value.rsplit(";", 1)[-1]
    if not re.fullmatch("[0-9]{1,2}", last) or int(last) > 15:
        return None
    return "dark" if int(last) in _DARK_BACKGROUNDS else "light"


def terminal_appearance(
    *,
    background: Color | None = None,
    foreground: Color | None = None,
    reported: Appearance | None = None,
    colorfgbg: str = "",
) -> Appearance:
    """Return the appearance of a terminal from the best of what is known about it.

    `reported` is the last light or dark report the terminal sent by itself.
    """
    if background is not None:
        return appearance_from_colors(background, foreground)
    return reported or appearance_from_colorfgbg(colorfgbg) or "dark"


def appearance_from_tokens(tokens: Mapping[str, Color | None]) -> Appearance | None:
    """Return what a theme with these colours was made for; `None` when it only uses the terminal's own."""
    background = _average_lightness(tokens, "bg")
    foreground = _average_lightness(tokens, "fg")
    if background is None and foreground is None:
        return None
    if foreground is None:
        return "dark" if background is not None and background < 0.5 else "light"
    if background is None:
        return "dark" if foreground > 0.5 else "light"
    return "dark" if background < foreground else "light"


def _average_lightness(tokens: Mapping[str, Color | None], slot: TokenSlot) -> float | None:
    found = [
        color_to_oklch(color)[0]
        for name, color in tokens.items()
        if color is not None and THEME_TOKENS[name].slot == slot and not _is_terminal_choice(color)
    ]
    return sum(found) / len(found) if found else None


def _is_terminal_choice(color: Color) -> bool:
    return color.kind == "indexed" and color.values[0] < 16
