"""The findings as rows for a person, and as JSON for a report."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from typing import Final

from pi_agent._version import __version__
from pi_agent.cli.doctor.finding import Finding, Level, counted, worst
from pi_agent.ui.plain import plain_line
from pi_tui.frozen import frozen
from pi_tui.width import visible_width
from pi_tui.wrap import wrap_rows

# Below this width a finding's name has no column of its own.
_COLUMN_WIDTH: Final = 60
_NAME_WIDTH: Final = 13
# What is left of a row for text may not be less, or there is no indentation.
_LEAST_TEXT: Final = 10

_STATUS: Final[Mapping[Level, str]] = {
    "ok": "ok",
    "note": "ok",
    "warning": "warnings",
    "broken": "broken",
}


@frozen
class Marks:
    """What stands in front of a finding, and of its advice."""

    levels: Mapping[Level, str]
    advice: str

    def colored(self) -> Marks:
        """Return the marks in the usual colours."""
        colors: Mapping[Level, int] = {"ok": 32, "note": 36, "warning": 33, "broken": 31}
        marks = {
            level: f"\x1b[{colors[level]}m{mark}\x1b[0m" for level, mark in self.levels.items()
        }
        return Marks(marks, self.advice)


SIGNS: Final = Marks({"ok": "✓", "note": "·", "warning": "!", "broken": "✗"}, "→ ")
ASCII_SIGNS: Final = Marks({"ok": "+", "note": "-", "warning": "!", "broken": "x"}, "> ")


def report_rows(findings: Sequence[Finding], width: int, marks: Marks = SIGNS) -> list[str]:
    """Return the rows of the report, none wider than `width`."""
    width = max(width, 1)
    rows = [row for finding in findings for row in _rows_of(finding, width, marks)]
    return rows + wrap_rows(_summary(findings), width)


def report_json(findings: Sequence[Finding]) -> str:
    """Return the report as one JSON object. Its keys stay as they are; others may be added."""
    report = {
        "pi": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "status": _STATUS[worst(findings)],
        "findings": [
            {
                "key": each.key,
                "level": each.level,
                "text": each.text,
                "advice": each.advice,
                "details": dict(each.details),
            }
            for each in findings
        ],
    }
    return json.dumps(report, indent=2)


def _rows_of(finding: Finding, width: int, marks: Marks) -> list[str]:
    mark = marks.levels[finding.level]
    text = plain_line(finding.text)
    if width < _COLUMN_WIDTH:
        rows = _hanging(f"{mark} ", f"{finding.key}: {text}", width)
    else:
        rows = _hanging(f"{mark} {finding.key.ljust(_NAME_WIDTH)}", text, width)
    if finding.advice:
        indent = 2 if width < _COLUMN_WIDTH else 2 + _NAME_WIDTH
        rows += _hanging(" " * indent + marks.advice, plain_line(finding.advice), width)
    return rows


def _hanging(first: str, text: str, width: int) -> list[str]:
    """Return `text` behind `first`, and further rows below its beginning."""
    indent = visible_width(first)
    if width - indent < _LEAST_TEXT:
        return wrap_rows(first + text, width)
    begin, *rest = wrap_rows(text, width - indent)
    return [first + begin, *(" " * indent + row for row in rest)]


def _summary(findings: Sequence[Finding]) -> str:
    broken = sum(each.level == "broken" for each in findings)
    warnings = sum(each.level == "warning" for each in findings)
    if not broken and not warnings:
        return "Nothing is wrong."
    parts = [counted(broken, "thing is", "things are") + " broken"] if broken else []
    parts += [counted(warnings, "warning")] if warnings else []
    return ", ".join(parts) + "."
