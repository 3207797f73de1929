"""Text, boxes and stacks against measured pictures: as documents of a width, and on screens of a size."""

from __future__ import annotations

from pi_tui.width import visible_width
from tests.fixtures.load import Case, decided, load_fixture
from tests.pi_tui import look
from tests.pi_tui.components.hands import plain
from tests.pi_tui.components.tree import build, draw, lay_out


def cases(stem: str) -> list[Case]:
    """Return the cases of a file but for those with a scroll bar, which scroll views do not have."""
    return [case for case in load_fixture(stem) if "scrollbar" not in str(case.input)]


def test_documents_look_as_measured() -> None:
    overruled = decided("text")
    wrong = {}
    for case in cases("text"):
        width = case.input["width"]
        rows = build(case.input["component"]).render(width)
        assert all(visible_width(row) <= width for row in rows), case.name
        answer = [look.spans(row) for row in rows]
        expected = [look.without_end_blanks(row) for row in case.expected["spans"]]
        if not case.contested and (answer == expected) is (case.id in overruled):
            wrong[f"{case.id} {case.name}"] = (answer, expected)
    assert not wrong


def test_screens_are_divided_as_measured() -> None:
    overruled = decided("layout")
    wrong = {}
    for case in cases("layout"):
        columns, rows = case.input["columns"], case.input["rows"]
        component = build(case.input["component"])
        boxes = [
            {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
            for box in lay_out(component, columns, rows).children
        ]
        answer = {
            "screen": draw(component, columns, rows),
            "boxes": boxes,
            "document": [row.rstrip() for row in plain(component.render(columns))],
        }
        expected = dict(case.expected)
        in_sight = [box for box in expected["boxes"] if box["width"] and box["height"]]
        expected["boxes"] = [b for b in in_sight if b["x"] < columns and b["y"] < rows]
        if not case.contested and (answer == expected) is (case.id in overruled):
            wrong[f"{case.id} {case.name}"] = (answer, expected)
    assert not wrong
