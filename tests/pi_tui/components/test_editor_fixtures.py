"""The editor against measured sessions: keys in, text, rows, cursor and reports out."""

from __future__ import annotations

import pytest

from pi_tui.width import visible_width
from tests.fixtures.load import Case, decided, load_fixture
from tests.pi_tui.components.editor_session import Session


def _editor_cases(stem: str) -> list[Case]:
    return [
        case
        for case in load_fixture(stem)
        if case.input.get("component", "editor") == "editor"  # the others are other parts' cases
    ]


def _play(case: Case) -> Session:
    given = case.input
    session = Session(given["width"], given.get("rows", 24), given.get("padding_x", 0))
    session.editor.disable_submit = given.get("disable_submit", False)
    for text in given.get("history", []):
        session.editor.add_to_history(text)
    if "text" in given:
        session.editor.set_text(given["text"])
    session.editor.render(session.width)
    for step, pieces in zip(given["keys"], given["raw"], strict=True):
        session.do(step, pieces)
    return session


def _answer(session: Session, case: Case) -> dict[str, object]:
    line, col = session.editor.get_cursor()
    row, column = session.cursor_cell()
    answer: dict[str, object] = {
        "text": session.editor.get_text(),
        "cursor": {"line": line, "col": col},
        "lines": session.lines(),
        "cursor_cell": {"row": row, "col": column},
        "submitted": session.submitted,
        "changes": len(session.changes),
    }
    if "expanded_text" in case.expected:
        answer["expanded_text"] = session.editor.get_expanded_text()
    return answer


def _differences(case: Case, answer: dict[str, object]) -> dict[str, tuple[object, object]]:
    return {
        name: (answer[name], wanted)
        for name, wanted in case.expected.items()
        if answer[name] != wanted
    }


def _failures(stem: str) -> list[str]:
    overruled = decided(stem)
    cases = _editor_cases(stem)
    assert set(overruled) <= {case.id for case in cases}
    failures = []
    for case in cases:
        session = _play(case)
        too_wide = [line for line in session.lines() if visible_width(line) > session.width]
        if too_wide:
            failures.append(f"{case.id} {case.name}: too wide: {too_wide}")
        if case.expected is None or case.contested:
            continue
        differences = _differences(case, _answer(session, case))
        wanted = {"changes"} if case.id in overruled else set[str]()
        if set(differences) != wanted:
            failures.append(f"{case.id} {case.name}: {differences}")
    return failures


@pytest.mark.parametrize("stem", ["editor", "undo_kill_ring"])
def test_the_editor_answers_as_measured(stem: str) -> None:
    assert not _failures(stem)
