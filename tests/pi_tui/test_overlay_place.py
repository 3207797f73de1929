"""Where overlays lie: the measured places, the rules' own examples, and what holds for any wish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.component import Component
from pi_tui.components.text import Text
from pi_tui.overlay import OverlayAnchor, OverlayBounds, OverlayOptions
from tests.fixtures.load import Case, load_fixture
from tests.pi_tui.overlay_screens import Lines, Page, started
from tests.pi_tui.test_width import differing

pytestmark = pytest.mark.anyio


def options_of(fields: Mapping[str, Any]) -> OverlayOptions:
    """Return measured options; `min_terminal_width` stands for a callback."""
    fields = dict(fields)
    least = fields.pop("min_terminal_width", None)
    visible = None if least is None else lambda columns, rows: columns >= least
    return OverlayOptions(**fields, visible=visible)


async def place(
    columns: int, rows: int, height: int, options: OverlayOptions
) -> OverlayBounds | None:
    """Show an overlay of `height` rows and return where it lies."""
    async with started(Page(), columns, rows) as (tui, pilot):
        handle = tui.show_overlay(Lines(*["x"] * height), options)
        pilot.tui.render_now()
        return handle.get_bounds()


def as_mapping(bounds: OverlayBounds | None) -> dict[str, int] | None:
    if bounds is None:
        return None
    return {name: getattr(bounds, name) for name in ("row", "col", "width", "height")}


async def test_overlays_lie_where_it_was_measured() -> None:
    async def same(case: Case) -> bool:
        given = case.input
        options = options_of(given["options"])
        bounds = await place(given["columns"], given["rows"], given["content_height"], options)
        return bool(as_mapping(bounds) == case.expected)

    answers = {case.id: await same(case) for case in load_fixture("overlay_bounds")}
    assert differing("overlay_bounds", answers) == set()


def component_of(base: Mapping[str, Any]) -> Component:
    if base["type"] == "text":
        return Text(base["text"], base["padding_x"], base["padding_y"])
    if base["type"] == "box":  # with one text, it looks like that text on the box's background
        (child,) = base["children"]
        return Text(child["text"], 1, 1, lambda row: f"\x1b[48;5;{base['bg']}m{row}\x1b[49m")
    if base["type"] == "numbered":
        return Page(*(f"{base['prefix']}{number + 1}" for number in range(base["count"])))
    return Page(*base["lines"])


async def test_screens_with_overlays_look_as_measured() -> None:
    async def same(case: Case) -> bool:
        given = case.input
        page = component_of(given["base"])
        async with started(page, given["columns"], given["rows"], strict=False) as (tui, pilot):
            handles = [
                tui.show_overlay(component_of(shown["component"]), options_of(shown["options"]))
                for shown in given["overlays"]
            ]
            tui.render_now()
            bounds = [as_mapping(handle.get_bounds()) for handle in handles]
            return bool({"screen": pilot.lines(), "bounds": bounds} == case.expected)

    answers = {case.id: await same(case) for case in load_fixture("overlay_screen")}
    assert differing("overlay_screen", answers) == set()


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
