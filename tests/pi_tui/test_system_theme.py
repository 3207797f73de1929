"""The system theme: the colours of measured terminals, and what holds on every terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.colors import Color, color_to_hex, color_to_rgb, contrast_ratio, parse_color, rgb_color
from pi_tui.system_theme import SystemColors, system_tokens, theme_from_colors
from pi_tui.system_theme_table import FAMILIES, RULES
from pi_tui.theme_tokens import THEME_TOKENS

BLACK, WHITE = parse_color("#000000"), parse_color("#ffffff")
XTERM = [
    parse_color(f"#{value}")
    for value in [
        "000000",
        "cd0000",
        "00cd00",
        "cdcd00",
        "0000ee",
        "cd00cd",
        "00cdcd",
        "e5e5e5",
        "7f7f7f",
        "ff0000",
        "00ff00",
        "ffff00",
        "5c5cff",
        "ff00ff",
        "00ffff",
        "ffffff",
    ]
]
TOKENS = ["accent", "error", "muted", "dim", "text", "selectedBg", "toolErrorBg", "thinkingMax"]
MEASURED = (
    (SystemColors(), 1.0, "5 1 - - - - - 1"),
    (SystemColors(BLACK), 1.0, "a291d5 ec7276 969fa4 778187 dadcdd 1d2e37 402222 fe3a53"),
    (SystemColors(WHITE), 1.0, "8268c4 dc2c44 737d83 929ba0 494f52 edf1f3 f4efee fe898b"),
    (
        SystemColors(BLACK, WHITE, XTERM),
        1.0,
        "e45ce2 f07161 9d9d9d 7f7f7f - 1a2a4e 41211d fa4737",
    ),
    (
        SystemColors(BLACK, WHITE, XTERM),
        0.0,
        "9d9d9d 9d9d9d 9d9d9d 7f7f7f - 2c2c2c 2c2c2c 919191",
    ),
)
COLORS = st.builds(
    lambda red, green, blue: rgb_color(red, green, blue),
    *[st.integers(0, 255)] * 3,
)


@pytest.mark.parametrize(("colors", "saturation", "wanted"), MEASURED)
def test_measured_terminals(colors: SystemColors, saturation: float, wanted: str) -> None:
    tokens, _, _ = system_tokens(colors, saturation)
    for token, value in zip(TOKENS, wanted.split(), strict=True):
        color = tokens[token]
        if value == "-":
            assert color is None, token
        elif len(value) == 1:
            assert color is not None
            assert color.values == (int(value),)
        else:
            assert color is not None
            found, expected = color_to_rgb(color), color_to_rgb(parse_color(f"#{value}"))
            pairs = zip(found, expected, strict=True)
            assert all(abs(a - b) <= 1 for a, b in pairs), (token, color_to_hex(color))


def test_every_token_has_one_family_and_a_rule() -> None:
    of_families = [token for family in FAMILIES for token in family.tokens.split()]
    assert sorted(of_families) == sorted(THEME_TOKENS)
    assert {token for rule in RULES for token in rule.tokens.split()} == set(THEME_TOKENS)


def test_a_terminal_that_says_nothing_gets_faint_grays_and_no_panels() -> None:
    tokens, faint, appearance = system_tokens(SystemColors())
    assert len(faint) == 19
    assert appearance == "dark"
    panels = {name for name, token in THEME_TOKENS.items() if token.slot == "bg"}
    assert {name for name in panels if tokens[name] is not None} == {"searchMatchBg"}
    assert set(system_tokens(SystemColors(), 0.0)[0].values()) == {None}


def test_what_the_environment_says_tells_dark_from_light() -> None:
    assert theme_from_colors(SystemColors(), "truecolor", colorfgbg="0;15").appearance == "light"
    assert (
        theme_from_colors(SystemColors(WHITE), "truecolor", colorfgbg="15;0").appearance == "light"
    )


@given(COLORS, st.none() | COLORS, st.none() | st.lists(COLORS, min_size=16, max_size=16))
def test_text_can_be_read_on_every_terminal(
    background: Color, foreground: Color | None, palette: list[Color] | None
) -> None:
    colors = SystemColors(background, foreground, palette)
    tokens, faint, appearance = system_tokens(colors)
    end = WHITE if appearance == "dark" else BLACK
    assert set(tokens) == set(THEME_TOKENS)
    assert not faint
    surfaces = {"": background, **{name: color for name, color in tokens.items() if color}}
    for panel in (name for name, token in THEME_TOKENS.items() if token.slot == "bg"):
        on_panel = contrast_ratio(end, surfaces[panel])
        assert on_panel >= min(4.49, contrast_ratio(end, background) - 0.01)
    for token, on in (
        ("text", ("", "selectedBg")),
        ("userMessageText", ("userMessageBg",)),
        ("toolTitle", ("toolPendingBg", "toolSuccessBg", "toolErrorBg")),
    ):
        color = tokens[token] or foreground
        assert color is not None
        for surface in on:
            most = contrast_ratio(end, surfaces[surface])
            assert contrast_ratio(color, surfaces[surface]) >= min(4.49, most - 0.1)


@given(COLORS, st.lists(COLORS, min_size=16, max_size=16))
def test_without_saturation_all_is_gray(background: Color, palette: list[Color]) -> None:
    tokens, _, _ = system_tokens(SystemColors(background, None, palette), 0.0)
    for token, color in tokens.items():
        if color is not None and THEME_TOKENS[token].slot == "fg":
            channels = color_to_rgb(color)
            assert max(channels) - min(channels) < 1.5
