"""Reading, converting, mixing and writing colours."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.colors import (
    Color,
    MixSpace,
    TextStyle,
    background_ansi,
    color_to_hex,
    color_to_oklch,
    color_to_rgb,
    contrast_ratio,
    foreground_ansi,
    indexed_color,
    mix_colors,
    okhsl_color,
    oklch_color,
    parse_color,
    rgb_color,
    style_text,
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("oklch(62% 0.1 200)", "#1c989e"),
        ("oklch(0.7 0.12 220)", "#25afd2"),
        ("oklch(70% 0.4 30)", "#ff6551"),
        ("oklch(100% 0.3 150)", "#ffffff"),
        ("okhsl(250 60% 55%)", "#4e88c2"),
        ("okhsl(234 3% 89%)", "#dee0e1"),
        ("okhsl(20deg 72% 67%)", "#ea7f81"),
        ("okhsl(83 1 0.5)", "#986f00"),
        ("okhsl(-340 7.2e-1 +67%)", "#ea7f81"),
        ("#0AF", "#00aaff"),
    ],
)
def test_every_way_of_writing_a_colour_shows_its_colour(value: str, shown: str) -> None:
    assert color_to_hex(parse_color(value)) == shown


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("oklch(120% 0 0)", "oklch lightness"),
        ("oklch(50% -1 0)", "oklch chroma"),
        ("oklch(50% 0 1e999)", "oklch hue"),
        ("okhsl(0 120% 50%)", "okhsl saturation"),
        ("okhsl(0 50% 1.2)", "okhsl lightness"),
        ("oklch(50% 10% 0)", "unit"),
        ("okhsl(50% 10% 10%)", "unit"),
        ("#12", "is not a color"),
        ("red", "is not a color"),
        ("okhsl(١ 10% 10%)", "is not a color"),
    ],
)
def test_a_wrong_colour_is_refused_with_its_value_and_channel_named(value: str, named: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_color(value)
    assert value in str(caught.value)
    assert named in str(caught.value)


@pytest.mark.parametrize("value", [-1, 256, True, False])
def test_an_index_outside_the_palette_is_refused(value: int) -> None:
    with pytest.raises(ValueError):
        parse_color(value)


def test_values_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="green"):
        rgb_color(0, 256, 0)
    with pytest.raises(ValueError, match="blue"):
        rgb_color(0, 0, float("nan"))
    with pytest.raises(ValueError, match="lightness"):
        oklch_color(-0.1, 0, 0)
    with pytest.raises(ValueError, match="saturation"):
        okhsl_color(0, 2, 0.5)
    with pytest.raises(ValueError, match="amount"):
        mix_colors(rgb_color(0, 0, 0), rgb_color(1, 1, 1), 1.01)


def test_a_colour_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        rgb_color(1, 2, 3).kind = "oklch"  # type: ignore[misc]  # what the test is about


@pytest.mark.parametrize(
    ("value", "index"),
    [
        ("#00aaff", 39),
        ("#ffffff", 231),
        ("#000000", 16),
        ("#808080", 244),
        ("#7f7f7f", 244),
        ("#123456", 23),
        ("#e5e5e7", 254),
        ("#1e1e2e", 16),
        ("#ababad", 248),
    ],
)
def test_a_terminal_with_256_colours_gets_the_nearest_of_them(value: str, index: int) -> None:
    assert foreground_ansi(parse_color(value), "256color") == f"\x1b[38;5;{index}m"
    assert background_ansi(parse_color(value), "256color") == f"\x1b[48;5;{index}m"


@pytest.mark.parametrize(
    ("value", "foreground", "background"),
    [
        ("#000000", "30", "40"),
        ("#7a0508", "31", "41"),
        ("#c0c0c0", "37", "47"),
        ("#808080", "90", "100"),
        ("#ff1010", "91", "101"),
        ("#ffffff", "97", "107"),
        # Nearly gray, so it stays gray although a teal is about as near.
        ("#a0a4a6", "37", "47"),
        ("#101418", "30", "40"),
        (3, "33", "43"),
        (12, "94", "104"),
        (196, "91", "101"),
        (244, "90", "100"),
    ],
)
def test_a_terminal_with_16_colours_gets_the_codes_all_terminals_know(
    value: str | int, foreground: str, background: str
) -> None:
    color = parse_color(value)
    assert foreground_ansi(color, "16color") == f"\x1b[{foreground}m"
    assert background_ansi(color, "16color") == f"\x1b[{background}m"


@given(st.integers(0, 255), st.integers(-4, 4), st.integers(-4, 4))
@settings(max_examples=100)
def test_grays_never_take_on_a_hue_on_16_colours(level: int, green: int, blue: int) -> None:
    color = rgb_color(level, min(max(level + green, 0), 255), min(max(level + blue, 0), 255))
    assert foreground_ansi(color, "16color") in {f"\x1b[{code}m" for code in (30, 90, 37, 97)}


@given(st.integers(0, 255))
@settings(max_examples=100)
def test_an_index_stays_an_index_where_the_terminal_has_a_palette(index: int) -> None:
    color = indexed_color(index)
    assert foreground_ansi(color, "truecolor") == f"\x1b[38;5;{index}m"
    assert background_ansi(color, "256color") == f"\x1b[48;5;{index}m"


@given(st.integers(16, 255))
@settings(max_examples=100)
def test_the_palettes_own_colours_are_their_own_nearest(index: int) -> None:
    shown = parse_color(color_to_hex(indexed_color(index)))
    found = int(foreground_ansi(shown, "256color").removeprefix("\x1b[38;5;").removesuffix("m"))
    assert color_to_hex(indexed_color(found)) == color_to_hex(shown)


def test_without_colours_only_attributes_are_written() -> None:
    style = TextStyle(fg=rgb_color(255, 0, 0), bg=indexed_color(4), bold=True)
    assert style_text("hi", style, "mono") == "\x1b[1mhi\x1b[22m"
    assert foreground_ansi(rgb_color(255, 0, 0), "mono") == ""
    assert background_ansi(rgb_color(255, 0, 0), "mono") == ""


def test_styles_open_colours_first_and_close_in_reverse() -> None:
    style = TextStyle(
        fg=indexed_color(1),
        bg=indexed_color(2),
        bold=True,
        dim=True,
        italic=True,
        underline=True,
        inverse=True,
        strikethrough=True,
    )
    assert style_text("hi", style, "truecolor") == (
        "\x1b[38;5;1m\x1b[48;5;2m\x1b[1m\x1b[2m\x1b[3m\x1b[4m\x1b[7m\x1b[9mhi"
        "\x1b[29m\x1b[27m\x1b[24m\x1b[23m\x1b[22m\x1b[49m\x1b[39m"
    )


def test_mixing_goes_the_short_way_round_and_grays_take_the_others_hue() -> None:
    red, blue, white = parse_color("#f00"), parse_color("#00f"), parse_color("#fff")
    assert color_to_hex(mix_colors(red, blue, 0.5)) == "#b200b8"
    assert color_to_hex(mix_colors(red, blue, 0.5, "srgb")) == "#800080"
    assert color_to_hex(mix_colors(white, blue, 0.25)) == "#bcd2ff"
    assert color_to_oklch(mix_colors(white, blue, 0.25))[2] == pytest.approx(264.05, abs=0.1)


def test_contrast_is_that_of_wcag() -> None:
    white, black = parse_color("#fff"), parse_color("#000")
    assert contrast_ratio(white, black) == pytest.approx(21)
    assert contrast_ratio(black, white) == pytest.approx(21)
    assert contrast_ratio(white, white) == pytest.approx(1)
    assert contrast_ratio(parse_color("#777777"), white) == pytest.approx(4.478, abs=5e-4)


UNIT = st.floats(0, 1, allow_subnormal=False)
HUES = st.floats(-1e6, 1e6)


@st.composite
def written(draw: st.DrawFn, value: float, *, percent: bool = False, degrees: bool = False) -> str:
    """Return a number in one of the ways in which it can be written."""
    suffix = ""
    if percent and draw(st.booleans()):
        value, suffix = value * 100, "%"
    if degrees and draw(st.booleans()):
        suffix = draw(st.sampled_from(["deg", "DEG"]))
    shape = draw(st.sampled_from(["{:.12f}", "{:+.12f}", "{:.14e}", "{:+.14E}"]))
    return shape.format(value) + suffix


@st.composite
def written_colors(draw: st.DrawFn) -> tuple[str, Color]:
    """Return a colour as text, and the colour."""
    form = draw(st.sampled_from(["hex", "short hex", "oklch", "okhsl"]))
    if form.endswith("hex"):
        size = 1 if form == "short hex" else 2
        digits = draw(
            st.lists(
                st.text("0123456789abcdefABCDEF", min_size=size, max_size=size),
                min_size=3,
                max_size=3,
            )
        )
        red, green, blue = (int(digit * (3 - size), 16) for digit in digits)
        return "#" + "".join(digits), rgb_color(red, green, blue)
    blanks = st.sampled_from([" ", "  ", "\t "])
    hue, share, light = draw(HUES), draw(UNIT), draw(UNIT)
    if form == "oklch":
        parts = [
            draw(written(light, percent=True)),
            draw(written(share)),
            draw(written(hue, degrees=True)),
        ]
        color = oklch_color(light, share, hue)
    else:
        parts = [
            draw(written(hue, degrees=True)),
            draw(written(share, percent=True)),
            draw(written(light, percent=True)),
        ]
        color = okhsl_color(hue, share, light)
    name = "".join(draw(st.sampled_from([c, c.upper()])) for c in form)
    inside = (
        draw(st.sampled_from(["", " "]))
        + draw(blanks).join(parts)
        + draw(st.sampled_from(["", " "]))
    )
    return f"{name}({inside})", color


@given(written_colors())
def test_a_colour_is_the_same_however_it_is_written(case: tuple[str, Color]) -> None:
    text, color = case
    read = color_to_rgb(parse_color(text))
    assert all(abs(a - b) <= 1 for a, b in zip(read, color_to_rgb(color), strict=True))


COLOR_PIECES = st.sampled_from(
    [
        "#",
        "oklch(",
        "OKHSL(",
        ")",
        " ",
        "%",
        "deg",
        "1e9",
        "-",
        ".5",
        "0",
        "ff",
        "nan",
        "inf",
        ",",
        "/",
        "\0",
        "٣",
    ]
)


@given(st.lists(COLOR_PIECES, max_size=8).map("".join) | st.text(max_size=20))
def test_any_other_text_is_refused_by_name_and_never_shown_wrong(text: str) -> None:
    try:
        color = parse_color(text)
    except ValueError as error:
        assert text in str(error)
        return
    assert all(0 <= channel <= 255 for channel in color_to_rgb(color))
    assert re.fullmatch(r"#[0-9a-f]{6}", color_to_hex(color))


ANY_COLORS = st.one_of(
    st.integers(0, 255).map(indexed_color),
    st.builds(rgb_color, *[st.floats(0, 255)] * 3),
    st.builds(oklch_color, UNIT, st.floats(0, 2), HUES),
    st.builds(okhsl_color, HUES, UNIT, UNIT),
)


@given(ANY_COLORS, ANY_COLORS, UNIT)
def test_any_colours_can_be_mixed_converted_and_written(
    first: Color, second: Color, amount: float
) -> None:
    for space in get_args(MixSpace):
        mixed = mix_colors(first, second, amount, space)
        assert all(0 <= channel <= 255 for channel in color_to_rgb(mixed))
        for mode, shape in (
            ("truecolor", r"\x1b\[38;(2;\d+;\d+;\d+|5;\d+)m"),
            ("256color", r"\x1b\[38;5;\d+m"),
            ("16color", r"\x1b\[(3|9)[0-7]m"),
            ("mono", ""),
        ):
            assert re.fullmatch(shape, foreground_ansi(mixed, mode))
    near = zip(color_to_rgb(mix_colors(first, second, 0)), color_to_rgb(first), strict=True)
    assert all(abs(a - b) <= 1 for a, b in near)


@given(ANY_COLORS, ANY_COLORS)
def test_contrast_is_symmetric_and_within_its_bounds(first: Color, second: Color) -> None:
    ratio = contrast_ratio(first, second)
    assert 1 <= ratio <= 21.01
    assert ratio == contrast_ratio(second, first)
    assert contrast_ratio(first, first) == 1
