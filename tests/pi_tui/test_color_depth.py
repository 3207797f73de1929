"""How many colours a terminal is taken to show."""

from __future__ import annotations

import pytest

from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.colors import ColorMode

PLAIN = {"TERM": "xterm-256color"}


def mode(environ: dict[str, str], *, true_color: bool | None = None) -> ColorMode:
    """Decide as on Linux."""
    return get_terminal_color_mode(environ, true_color=true_color, platform="linux")


def test_what_the_terminal_is_known_for_decides() -> None:
    assert mode(PLAIN) == "256color"
    assert mode(PLAIN | {"TERM_PROGRAM": "vscode"}) == "truecolor"
    assert mode(PLAIN | {"PI_TRUE_COLOR": "1"}) == "truecolor"
    assert mode({}) == "256color"


@pytest.mark.parametrize(
    "term", ["linux", "linux-basic", "ansi", "vt100", "vt220", "xterm-16color"]
)
def test_simple_terminals_get_16_colours(term: str) -> None:
    assert mode({"TERM": term}) == "16color"


@pytest.mark.parametrize(
    "environ",
    [
        {"TERM": "dumb"},
        {"TERM": "dumb", "COLORTERM": "truecolor"},
        {"NO_COLOR": "1", "TERM": "xterm-256color"},
        {"NO_COLOR": "1", "TERM": "linux"},
        {"NO_COLOR": "yes", "COLORTERM": "truecolor"},
        {"NO_COLOR": "1", "PI_TRUE_COLOR": "auto"},
        {"NO_COLOR": "1", "PI_TRUE_COLOR": "0"},
    ],
)
def test_no_colour_is_respected(environ: dict[str, str]) -> None:
    assert mode(environ) == "mono"


def test_an_empty_no_color_says_nothing() -> None:
    assert mode(PLAIN | {"NO_COLOR": ""}) == "256color"


def test_forced_true_colour_wins_over_no_color() -> None:
    assert mode({"NO_COLOR": "1", "PI_TRUE_COLOR": "1"}) == "truecolor"
    assert mode({"TERM": "dumb", "PI_TRUE_COLOR": "1"}) == "truecolor"


def test_true_colour_can_be_denied() -> None:
    assert mode({"COLORTERM": "truecolor", "PI_TRUE_COLOR": "0"}) == "256color"
    assert mode({"TERM": "linux", "COLORTERM": "truecolor", "PI_TRUE_COLOR": "0"}) == "16color"


@pytest.mark.parametrize("value", ["auto", "", "yes", "2"])
def test_any_other_word_leaves_it_to_the_terminal(value: str) -> None:
    assert mode(PLAIN | {"PI_TRUE_COLOR": value}) == "256color"
    assert mode({"COLORTERM": "truecolor", "PI_TRUE_COLOR": value}) == "truecolor"


def test_the_setting_wins_over_the_environment() -> None:
    assert mode({"PI_TRUE_COLOR": "0", "NO_COLOR": "1"}, true_color=True) == "truecolor"
    assert mode({"PI_TRUE_COLOR": "1"}, true_color=False) == "256color"
