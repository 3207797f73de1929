"""Text, boxes and stacks against measured pictures: as documents of a width, and on screens of a size."""

from __future__ import annotations

from pi_tui.components.scrollbar import Scrollbar
from pi_tui.width import visible_width
from tests.fixtures.load import decided, load_fixture
from tests.pi_tui import look
from tests.pi_tui.components.hands import plain
from tests.pi_tui.components.tree import build, draw, lay_out


def test_documents_look_as_measured() -> None:
    overruled = decided("text")
    wrong = {}
    for case in load_fixture("text"):
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
    for case in load_fixture("layout"):
        columns, rows = case.input["columns"], case.input["rows"]
        component = build(case.input["component"])
        boxes = [
            {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
            for box in lay_out(component, columns, rows).children
            if not isinstance(box.component, Scrollbar)
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
