"""Where overlays lie: the measured places, the rules' own examples, and what holds for any wish."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.overlay import OverlayAnchor, OverlayBounds, OverlayOptions
from tests.pi_tui.overlay_screens import Lines, Page, started

pytestmark = pytest.mark.anyio


async def place(
    columns: int, rows: int, height: int, options: OverlayOptions
) -> OverlayBounds | None:
    """Show an overlay of `height` rows and return where it lies."""
    async with started(Page(), columns, rows) as (tui, pilot):
        handle = tui.show_overlay(Lines(*["x"] * height), options)
        pilot.tui.render_now()
        return handle.get_bounds()


EXAMPLES: list[tuple[dict[str, Any], int, tuple[int, int, int, int]]] = [
    ({}, 10, (80, 7, 0, 10)),
    ({"width": "50%", "min_width": 60}, 5, (60, 9, 10, 5)),
    ({"width": 200}, 5, (80, 9, 0, 5)),
    ({"width": 0}, 5, (1, 9, 39, 5)),
    ({"margin": 2}, 5, (76, 9, 2, 5)),
    (
        {"anchor": "bottom-right", "width": 20, "margin": 2, "offset_x": 1, "offset_y": -1},
        5,
        (20, 16, 58, 5),
    ),
    ({"row": -3, "col": -3, "width": 20}, 5, (20, 0, 0, 5)),
    ({"row": 30, "col": 100, "width": 20}, 5, (20, 19, 60, 5)),
    ({"row": "25%", "col": "50%", "width": 20}, 4, (20, 5, 30, 4)),
    ({"row": "100%", "col": "100%", "width": 20, "margin": 2}, 4, (20, 18, 58, 4)),
    ({"max_height": "50%"}, 20, (80, 6, 0, 12)),
    ({"anchor": "right-center", "width": 11}, 3, (11, 10, 69, 3)),
    ({"width": "33.3%"}, 1, (26, 11, 27, 1)),
    ({"margin": {"left": 70}}, 1, (10, 11, 70, 1)),
    ({"margin": {"top": -5, "bottom": 20}}, 1, (80, 1, 0, 1)),
    ({"width": "50", "max_height": "x%", "row": "y", "col": ""}, 1, (80, 11, 0, 1)),
    ({}, 30, (80, 0, 0, 24)),
]


@pytest.mark.parametrize(("fields", "height", "wanted"), EXAMPLES, ids=str)
async def test_wishes_and_places(
    fields: dict[str, Any], height: int, wanted: tuple[int, int, int, int]
) -> None:
    bounds = await place(80, 24, height, OverlayOptions(**fields))
    assert bounds is not None
    assert (bounds.width, bounds.row, bounds.col, bounds.height) == wanted


async def test_on_a_larger_terminal_it_stays_80_columns_wide() -> None:
    assert await place(120, 40, 10, OverlayOptions()) == OverlayBounds(15, 20, 80, 10)


sizes = st.one_of(
    st.none(), st.integers(-5, 120), st.integers(0, 150).map(lambda n: f"{n}%"), st.just("x")
)


@settings(max_examples=60)
@given(
    st.builds(
        OverlayOptions,
        width=sizes,
        min_width=st.one_of(st.none(), st.integers(0, 60)),
        max_height=sizes,
        anchor=st.sampled_from(get_args(OverlayAnchor)),
        offset_x=st.integers(-40, 40),
        offset_y=st.integers(-20, 20),
        row=sizes,
        col=sizes,
        margin=st.one_of(
            st.integers(-2, 30),
            st.fixed_dictionaries({"left": st.integers(0, 60), "top": st.integers(0, 30)}),
        ),
    ),
    st.integers(1, 60),
    st.integers(1, 20),
    st.integers(0, 30),
)
async def test_no_wish_leads_off_the_screen(
    options: OverlayOptions, columns: int, rows: int, height: int
) -> None:
    """What it shows lies inside, and the rows around it are untouched."""
    page = Page(*["." * columns] * rows)
    async with started(page, columns, rows) as (tui, pilot):
        handle = tui.show_overlay(Lines(*["#" * columns] * height), options)
        tui.problems.strict = False  # the lines are as wide as the screen on purpose
        tui.render_now()
        bounds = handle.get_bounds()
        assert bounds is not None
        right, bottom = bounds.col + bounds.width, bounds.row + bounds.height
        for y in range(rows):
            for x in range(columns):
                inside = bounds.row <= y < bottom and bounds.col <= x < right
                assert pilot.terminal.grid.cell(x, y).text == ("#" if inside else ".")


async def test_an_unknown_option_is_refused() -> None:
    async with started(Page()) as (tui, _):
        with pytest.raises(TypeError, match="max_width"):
            tui.show_overlay(Lines("x"), max_width=3)  # type: ignore[call-arg]  # what is tested
        assert not tui.has_overlay()
