"""How many colours a terminal is taken to show."""

from __future__ import annotations

import pytest

from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.colors import ColorMode

PLAIN = {"TERM": "xterm-256color"}


def mode(environ: dict[str, str], *, true_color: bool | None = None) -> ColorMode:
    """Decide as on Linux."""
    return get_terminal_color_mode(environ, true_color=true_color, platform="linux")


@pytest.mark.parametrize(
    "environ",
    [
        {"COLORTERM": "truecolor"},
        {"COLORTERM": "24bit"},
        {"TERM": "xterm-direct"},
        {"TERM_PROGRAM": "rex"},
        {"TERM_PROGRAM": "orca", "ORCA_IMAGE_PROTOCOL": "kitty"},
        {"TERM_PROGRAM": "kitty"},
        {"KITTY_WINDOW_ID": "1"},
        {"TERM_PROGRAM": "ghostty"},
        {"TERM": "xterm-ghostty"},
        {"GHOSTTY_RESOURCES_DIR": "/usr/share/ghostty"},
        {"TERM_PROGRAM": "WezTerm"},
        {"WEZTERM_PANE": "0"},
        {"TERM_PROGRAM": "WarpTerminal"},
        {"WARP_SESSION_ID": "x"},
        {"WARP_TERMINAL_SESSION_UUID": "x"},
        {"TERM_PROGRAM": "iTerm.app"},
        {"ITERM_SESSION_ID": "w0t0p0"},
        {"WT_SESSION": "x"},
        {"TERM_PROGRAM": "Alacritty"},
        {"TERM": "alacritty-direct"},
        {"TERM": "alacritty"},
        {"ALACRITTY_WINDOW_ID": "1"},
        {"TERM_PROGRAM": "vscode"},
        {"TERM_PROGRAM": "zed"},
        {"TERMINAL_EMULATOR": "JetBrains-JediTerm"},
        {"PI_TRUE_COLOR": "1"},
    ],
)
def test_terminals_known_for_true_colour_get_it(environ: dict[str, str]) -> None:
    assert mode(PLAIN | environ) == "truecolor"


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"TERM": "xterm-256color"},
        {"TERM": "xterm-256color", "COLORTERM": "yes"},
        {"TERM_PROGRAM": "Apple_Terminal"},
        {"TERM_PROGRAM": "orca"},
        {"TERM_PROGRAM": "herdr"},
        {"KITTY_WINDOW_ID": ""},
    ],
)
def test_other_terminals_get_256_colours(environ: dict[str, str]) -> None:
    assert mode(environ) == "256color"


@pytest.mark.parametrize(
    "around", [{"KITTY_WINDOW_ID": "1"}, {"TERM_PROGRAM": "vscode"}, {"WT_SESSION": "x"}]
)
@pytest.mark.parametrize(
    "inside",
    [
        {"TMUX": "/tmp/tmux-0/default,1,0", "TERM": "xterm-256color"},
        {"TERM": "tmux-256color"},
        {"TERM": "screen-256color"},
        {"TERM": "screen"},
    ],
)
def test_inside_a_multiplexer_only_its_own_hint_counts(
    around: dict[str, str], inside: dict[str, str]
) -> None:
    assert mode(around | inside) == "256color"
    assert mode(around | inside | {"COLORTERM": "truecolor"}) == "truecolor"


def test_a_windows_console_has_true_colour() -> None:
    assert get_terminal_color_mode({}, platform="win32") == "truecolor"


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
