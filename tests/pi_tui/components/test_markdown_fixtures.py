"""Markdown draws what was measured elsewhere, where no rule of ours says something else."""

from __future__ import annotations

from typing import Any

import pytest

from pi_tui.components.markdown import Markdown, MarkdownOptions
from pi_tui.markdown_theme import MarkdownTextStyle
from tests.fixtures.load import Case, decided, load_fixture
from tests.pi_tui.look import read
from tests.pi_tui.markdown_looks import COLORS, color, slot_theme

SLOT_OF_COLOR = {f"fg={number}": slot for slot, number in COLORS.items()}


def markdown(given: dict[str, Any]) -> Markdown:
    wanted = given.get("default_style", {})
    style = MarkdownTextStyle(
        color=color("default") if wanted.get("color") else None,
        bg=(lambda text: f"\x1b[44m{text}\x1b[49m") if wanted.get("bg") else None,
        bold=wanted.get("bold", False),
        italic=wanted.get("italic", False),
    )
    options = MarkdownOptions(
        preserve_list_markers=given.get("preserve_ordered_list_markers", False),
        preserve_backslash_escapes=given.get("preserve_backslash_escapes", False),
        hyperlinks=given.get("hyperlinks", False),
    )
    return Markdown(
        given["source"],
        given.get("padding_x", 0),
        given.get("padding_y", 0),
        slot_theme(),
        style,
        options,
    )


def drawn_looks(row: str) -> list[tuple[str, frozenset[str]]]:
    """Return the characters of a row that are not blank, and the slots and attributes of each."""
    cells = []
    for text, look in read(row):
        words = {SLOT_OF_COLOR.get(word, word) for word in look.split() if word != "bg=4"}
        if text.strip():
            cells.append((text, frozenset(words)))
    return cells


def measured_looks(spans: list[tuple[str, str]]) -> list[tuple[str, frozenset[str]]]:
    cells = []
    for text, look in spans:
        words = {word for word in look.split() if not word.startswith("bg=")}
        cells += [(char, frozenset(words)) for char, _ in read(text) if char.strip()]
    return cells


def differs(case: Case) -> str:
    rows = markdown(case.input).render(case.input["width"])
    plain = ["".join(text for text, _ in read(row)).rstrip() for row in rows]
    if plain != [row.rstrip() for row in case.expected["plain"]]:
        return f"{plain}\n{case.expected['plain']}"
    looks = [drawn_looks(row) for row in rows]
    expected = [measured_looks(spans) for spans in case.expected["spans"]]
    return "" if looks == expected else f"{looks}\n{expected}"


@pytest.mark.parametrize("contested", [False, True])
def test_the_measured_rows(contested: bool) -> None:
    cases = [case for case in load_fixture("markdown") if case.contested is contested]
    wrong = {
        f"{case.id} {case.name}": problem
        for case in cases
        if case.id not in decided("markdown") and (problem := differs(case))
    }
    assert not wrong, "\n\n".join(f"{name}\n{problem}" for name, problem in wrong.items())


def test_what_was_decided_is_still_so() -> None:
    cases = {case.id: case for case in load_fixture("markdown")}
    same = [case_id for case_id in decided("markdown") if not differs(cases[case_id])]
    assert not same, f"decided against, but no longer different: {same}"
