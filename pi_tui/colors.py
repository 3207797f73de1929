"""Parse, convert and mix colours, measure contrast, and write them as escape sequences.

A `Color` keeps the form it was given in: palette indices stay indices, so that the terminal's own palette
decides what 0 to 15 look like; everything else becomes a number the terminal can show.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import floor, isfinite
from typing import Literal

from pi_tui.frozen import frozen
from pi_tui.oklab import (
    ACHROMATIC,
    Triple,
    okhsl_to_srgb,
    oklch_to_srgb,
    srgb_to_linear,
    srgb_to_okhsl,
    srgb_to_oklch,
)
from pi_tui.palette import index_to_rgb, nearest_of_16, nearest_of_256
from pi_tui.patterns import pattern

ColorKind = Literal["indexed", "rgb", "oklch"]
ColorMode = Literal["truecolor", "256color", "16color", "mono"]
MixSpace = Literal["oklch", "srgb"]

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_HEX = pattern(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_FUNCTION = pattern(
    rf"(oklch|okhsl)\(\s*({_NUMBER}(?:%|deg)?)\s+({_NUMBER}%?)\s+({_NUMBER}(?:%|deg)?)\s*\)",
    re.IGNORECASE | re.ASCII,
)


@frozen
class Color:
    """An immutable colour; make one with `parse_color`, `rgb_color` and their like, which check the values.

    `values` are the palette index, or red, green and blue from 0 to 255 (fractions allowed), or OKLCH
    lightness, chroma and hue in degrees.
    """

    kind: ColorKind
    values: tuple[float, ...]


@frozen
class TextStyle:
    """What text looks like: colours (`None` leaves the terminal's) and attributes."""

    fg: Color | None = None
    bg: Color | None = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    inverse: bool = False
    strikethrough: bool = False


def indexed_color(index: int) -> Color:
    """Return the palette colour `index`, 0 to 255."""
    if not 0 <= index <= 255:
        raise ValueError(f"color index must be a whole number from 0 to 255, not {index}")
    return Color("indexed", (index,))


def rgb_color(red: float, green: float, blue: float) -> Color:
    """Return the sRGB colour with channels from 0 to 255."""
    for channel, value in (("red", red), ("green", green), ("blue", blue)):
        _check_range(channel, value, 255)
    return Color("rgb", (float(red), float(green), float(blue)))


def oklch_color(lightness: float, chroma: float, hue: float) -> Color:
    """Return the OKLCH colour: lightness from 0 to 1, chroma from 0, hue any number of degrees."""
    _check_range("oklch lightness", lightness, 1)
    if not isfinite(chroma) or chroma < 0:
        raise ValueError(f"oklch chroma must be 0 or more, not {chroma:g}")
    _check_hue("oklch", hue)
    return Color("oklch", (float(lightness), float(chroma), hue % 360))


def okhsl_color(hue: float, saturation: float, lightness: float) -> Color:
    """Return the sRGB colour nearest to an OKHSL one: hue any number of degrees, the others from 0 to 1."""
    _check_hue("okhsl", hue)
    _check_range("okhsl saturation", saturation, 1)
    _check_range("okhsl lightness", lightness, 1)
    return Color("rgb", _to_bytes(okhsl_to_srgb(hue % 360, saturation, lightness)))


def is_color_literal(value: str) -> bool:
    """Whether `value` is written like a colour (it may still be a wrong one) and not like a name."""
    return value.startswith("#") or value[:6].lower() in ("oklch(", "okhsl(")


@lru_cache(maxsize=512)
def _parse_text(value: str) -> Color:
    if _HEX.fullmatch(value):
        digits = value[1:] if len(value) == 7 else "".join(digit * 2 for digit in value[1:])
        red, green, blue = bytes.fromhex(digits)
        return rgb_color(red, green, blue)
    match = _FUNCTION.fullmatch(value)
    if match is None:
        raise ValueError(
            f'"{value}" is not a color: write "#rgb", "#rrggbb", "oklch(62% 0.1 200)", '
            '"okhsl(250 60% 55%)" or a whole number from 0 to 255'
        )
    name, first, second, third = match.groups()
    try:
        if name.lower() == "oklch":
            return oklch_color(_fraction(first), _plain(second), _degrees(third))
        return okhsl_color(_degrees(first), _fraction(second), _fraction(third))
    except ValueError as error:
        raise ValueError(f'"{value}" is not a color: {error}') from None


def parse_color(value: str | int) -> Color:
    """Return the colour of a hex, `oklch()` or `okhsl()` text or of a palette index.

    Raises `ValueError` that names the value, and the channel that is out of range.
    """
    if isinstance(value, str):
        return _parse_text(value)
    if isinstance(value, bool):
        raise ValueError(f"{value} is not a color")
    return indexed_color(value)


@lru_cache(maxsize=1024)
def color_to_rgb(color: Color) -> Triple:
    """Return red, green and blue from 0 to 255; whole numbers except for colours given in fractions."""
    if color.kind == "indexed":
        return index_to_rgb(int(color.values[0]))
    first, second, third = color.values
    if color.kind == "rgb":
        return first, second, third
    return _to_bytes(oklch_to_srgb(first, second, third))


def color_to_hex(color: Color) -> str:
    """Return `#rrggbb`."""
    red, green, blue = _whole_rgb(color)
    return f"#{red:02x}{green:02x}{blue:02x}"


@lru_cache(maxsize=1024)
def color_to_oklch(color: Color) -> Triple:
    """Return lightness, chroma and hue; the hue of a gray is 0."""
    if color.kind == "oklch":
        lightness, chroma, hue = color.values
        return lightness, chroma, hue
    return srgb_to_oklch(*_unit_rgb(color))


def color_to_okhsl(color: Color) -> Triple:
    """Return hue in degrees, saturation and lightness from 0 to 1; the hue of a gray is 0."""
    return srgb_to_okhsl(*_unit_rgb(color))


def contrast_ratio(first: Color, second: Color) -> float:
    """Return the contrast by WCAG 2, from 1 to 21; the order of the colours does not matter."""
    lower, upper = sorted((_luminance(first), _luminance(second)))
    return (upper + 0.05) / (lower + 0.05)


def mix_colors(first: Color, second: Color, amount: float, space: MixSpace = "oklch") -> Color:
    """Return the colour `amount` (0 to 1) of the way from `first` to `second`.

    In OKLCH the hue goes the short way round, and a gray takes the hue of the other colour.
    """
    _check_range("amount", amount, 1)
    if space == "srgb":
        start, end = color_to_rgb(first), color_to_rgb(second)
        red, green, blue = (a + (b - a) * amount for a, b in zip(start, end, strict=True))
        return Color("rgb", (red, green, blue))
    lightness, chroma, hue = color_to_oklch(first)
    other_lightness, other_chroma, other_hue = color_to_oklch(second)
    if chroma < ACHROMATIC:
        hue = other_hue
    elif other_chroma < ACHROMATIC:
        other_hue = hue
    turn = (other_hue - hue + 180) % 360 - 180
    return oklch_color(
        lightness + (other_lightness - lightness) * amount,
        chroma + (other_chroma - chroma) * amount,
        hue + turn * amount,
    )


@lru_cache(maxsize=1024)
def foreground_ansi(color: Color, mode: ColorMode) -> str:
    """Return the sequence that makes text `color`; empty in `mono`."""
    return _color_ansi(color, mode, 38)


@lru_cache(maxsize=1024)
def background_ansi(color: Color, mode: ColorMode) -> str:
    """Return the sequence that makes the background `color`; empty in `mono`."""
    return _color_ansi(color, mode, 48)


def style_text(text: str, style: TextStyle, mode: ColorMode) -> str:
    """Return `text` in `style`, closed again; nothing is written around an empty text."""
    opening, closing = "", ""
    if style.fg is not None and mode != "mono":
        opening, closing = foreground_ansi(style.fg, mode), "\x1b[39m"
    if style.bg is not None and mode != "mono":
        opening, closing = opening + background_ansi(style.bg, mode), "\x1b[49m" + closing
    return wrap_attributes(
        text,
        opening,
        closing,
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        inverse=style.inverse,
        strikethrough=style.strikethrough,
    )


def wrap_attributes(
    text: str,
    opening: str,
    closing: str,
    *,
    bold: bool = False,
    dim: bool = False,
    italic: bool = False,
    underline: bool = False,
    inverse: bool = False,
    strikethrough: bool = False,
) -> str:
    """Put attributes inside `opening` and `closing` around `text`; they close in reverse order."""
    if not text:
        return ""
    if bold or dim:
        opening += ("\x1b[1m" if bold else "") + ("\x1b[2m" if dim else "")
        closing = "\x1b[22m" + closing
    if italic:
        opening, closing = opening + "\x1b[3m", "\x1b[23m" + closing
    if underline:
        opening, closing = opening + "\x1b[4m", "\x1b[24m" + closing
    if inverse:
        opening, closing = opening + "\x1b[7m", "\x1b[27m" + closing
    if strikethrough:
        opening, closing = opening + "\x1b[9m", "\x1b[29m" + closing
    return f"{opening}{text}{closing}"


def _color_ansi(color: Color, mode: ColorMode, selector: int) -> str:
    if mode == "mono":
        return ""
    if mode == "16color":
        index = int(color.values[0]) if color.kind == "indexed" else 16
        if index > 15:
            index = nearest_of_16(*_whole_rgb(color))
        code = selector - 8 + index if index < 8 else selector + 52 + index - 8
        return f"\x1b[{code}m"
    if color.kind == "indexed":
        return f"\x1b[{selector};5;{color.values[0]:.0f}m"
    red, green, blue = _whole_rgb(color)
    if mode == "256color":
        return f"\x1b[{selector};5;{nearest_of_256(red, green, blue)}m"
    return f"\x1b[{selector};2;{red};{green};{blue}m"


def _luminance(color: Color) -> float:
    red, green, blue = (srgb_to_linear(channel) for channel in _unit_rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _unit_rgb(color: Color) -> Triple:
    red, green, blue = color_to_rgb(color)
    return red / 255, green / 255, blue / 255


def _whole_rgb(color: Color) -> tuple[int, int, int]:
    red, green, blue = color_to_rgb(color)
    return floor(red + 0.5), floor(green + 0.5), floor(blue + 0.5)


def _to_bytes(channels: Triple) -> Triple:
    red, green, blue = channels
    return (
        float(floor(red * 255 + 0.5)),
        float(floor(green * 255 + 0.5)),
        float(floor(blue * 255 + 0.5)),
    )


def _check_range(channel: str, value: float, most: int) -> None:
    if not 0 <= value <= most:
        raise ValueError(f"{channel} must be from 0 to {most}, not {value:g}")


def _check_hue(space: str, hue: float) -> None:
    if not isfinite(hue):
        raise ValueError(f"{space} hue must be a number of degrees, not {hue:g}")


def _fraction(number: str) -> float:
    if number.endswith("%"):
        return float(number[:-1]) / 100
    return _plain(number)


def _degrees(number: str) -> float:
    return _plain(number[:-3] if number[-3:].lower() == "deg" else number)


def _plain(number: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise ValueError(f"{number} has the wrong unit") from None
