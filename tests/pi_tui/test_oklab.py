"""Conversions between sRGB, OKLCH and OKHSL, against published values and laws they must obey."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.oklab import okhsl_to_srgb, oklch_to_srgb, srgb_to_okhsl, srgb_to_oklab, srgb_to_oklch

CHANNEL = st.integers(0, 255).map(lambda value: value / 255)
UNIT = st.floats(0, 1)
HUE = st.floats(0, 360, exclude_max=True)


def hue_distance(first: float, second: float) -> float:
    """Degrees between two hues, the short way."""
    return abs((first - second + 180) % 360 - 180)


@pytest.mark.parametrize(
    ("rgb", "oklch"),
    [
        # The values of CSS Color 4's own examples.
        ((1, 0, 0), (0.62796, 0.25768, 29.2339)),
        ((0, 1, 0), (0.86644, 0.29483, 142.4953)),
        ((0, 0, 1), (0.45201, 0.31321, 264.0520)),
        ((1, 1, 0), (0.96798, 0.21101, 109.7692)),
        ((0, 1, 1), (0.90540, 0.15455, 194.7689)),
        ((1, 0, 1), (0.70167, 0.32249, 328.3634)),
    ],
)
def test_the_corners_of_srgb_have_their_published_oklch_values(
    rgb: tuple[float, float, float], oklch: tuple[float, float, float]
) -> None:
    assert srgb_to_oklch(*rgb) == pytest.approx(oklch, abs=2e-4)


@given(CHANNEL, CHANNEL, CHANNEL)
@settings(max_examples=200)
def test_oklch_gives_every_srgb_colour_back(red: float, green: float, blue: float) -> None:
    assert oklch_to_srgb(*srgb_to_oklch(red, green, blue)) == pytest.approx(
        (red, green, blue), abs=1e-4
    )


@given(CHANNEL, CHANNEL, CHANNEL)
@settings(max_examples=200)
def test_okhsl_gives_every_srgb_colour_back(red: float, green: float, blue: float) -> None:
    back = okhsl_to_srgb(*srgb_to_okhsl(red, green, blue))
    assert back == pytest.approx((red, green, blue), abs=1.5 / 255)


@given(st.floats(0.02, 1), st.floats(0, 0.5), HUE)
@settings(max_examples=200)
def test_a_colour_outside_the_gamut_keeps_its_lightness_and_hue(
    lightness: float, chroma: float, hue: float
) -> None:
    rgb = oklch_to_srgb(lightness, chroma, hue)
    assert all(0 <= channel <= 1 for channel in rgb)
    shown_lightness, shown_chroma, shown_hue = srgb_to_oklch(*rgb)
    assert shown_lightness == pytest.approx(lightness, abs=2e-3)
    assert shown_chroma <= chroma + 1e-3
    if shown_chroma > 0.02:
        assert hue_distance(shown_hue, hue) < 1


@given(HUE, UNIT, UNIT)
@settings(max_examples=200)
def test_every_okhsl_value_is_a_colour_of_the_screen_with_that_hue(
    hue: float, saturation: float, lightness: float
) -> None:
    rgb = okhsl_to_srgb(hue, saturation, lightness)
    assert all(0 <= channel <= 1 for channel in rgb)
    _, shown_chroma, shown_hue = srgb_to_oklch(*rgb)
    if shown_chroma > 0.02:
        assert hue_distance(shown_hue, hue) < 1


@given(HUE, UNIT)
@settings(max_examples=50)
def test_without_saturation_only_grays_are_left(hue: float, lightness: float) -> None:
    red, green, blue = okhsl_to_srgb(hue, 0, lightness)
    assert red == pytest.approx(green, abs=1e-3)
    assert green == pytest.approx(blue, abs=1e-3)


def test_black_and_white_are_the_ends_of_lightness() -> None:
    assert srgb_to_oklab(0, 0, 0) == pytest.approx((0, 0, 0), abs=1e-6)
    assert srgb_to_oklab(1, 1, 1) == pytest.approx((1, 0, 0), abs=1e-6)
    assert okhsl_to_srgb(120, 1, 0) == (0, 0, 0)
    assert okhsl_to_srgb(120, 1, 1) == (1, 1, 1)
