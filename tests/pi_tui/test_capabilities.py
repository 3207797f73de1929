"""What terminals are taken to show, row by row, and whose word counts."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pi_tui.capabilities import (
    CapabilityOverrides,
    TerminalCapabilities,
    detect_capabilities,
    get_capabilities,
    learn_device_attributes,
    reset_capabilities_cache,
    set_capabilities,
    set_capability_overrides,
)
from pi_tui.color_depth import get_terminal_color_mode
from pi_tui.known_terminals import ImageProtocol

KITTY = TerminalCapabilities("kitty", True, True)
ITERM = TerminalCapabilities("iterm2", True, True)
MODERN = TerminalCapabilities(None, True, True)
PLAIN = TerminalCapabilities()

# The environment, and what is shown in it. Variables of a terminal around a multiplexer do not count.
TERMINALS: list[tuple[Mapping[str, str], TerminalCapabilities]] = [
    ({}, PLAIN),
    ({"TERM": "xterm-256color"}, PLAIN),
    ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, TerminalCapabilities(true_color=True)),
    ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, TerminalCapabilities(true_color=True)),
    ({"TERM": "xterm-direct"}, TerminalCapabilities(true_color=True)),
    ({"TERM_PROGRAM": "Apple_Terminal"}, PLAIN),
    ({"TMUX": "/tmp/tmux-0/default,1,0", "KITTY_WINDOW_ID": "1"}, PLAIN),
    ({"TMUX": "/tmp/x", "TERM_PROGRAM": "ghostty"}, PLAIN),
    ({"TERM": "tmux-256color", "WT_SESSION": "x"}, PLAIN),
    ({"TERM": "tmux-256color", "COLORTERM": "truecolor"}, TerminalCapabilities(true_color=True)),
    ({"TERM": "screen-256color", "ITERM_SESSION_ID": "w0"}, PLAIN),
    ({"TERM": "screen", "COLORTERM": "24bit"}, TerminalCapabilities(true_color=True)),
    ({"TERM_PROGRAM": "herdr"}, TerminalCapabilities("kitty", False, True)),
    ({"TERM_PROGRAM": "herdr", "COLORTERM": "truecolor"}, KITTY),
    ({"TERM_PROGRAM": "rex"}, KITTY),
    ({"TERM_PROGRAM": "orca", "ORCA_IMAGE_PROTOCOL": "kitty"}, KITTY),
    ({"TERM_PROGRAM": "orca"}, PLAIN),
    ({"KITTY_WINDOW_ID": "1"}, KITTY),
    ({"KITTY_WINDOW_ID": ""}, PLAIN),
    ({"TERM_PROGRAM": "kitty"}, KITTY),
    ({"TERM_PROGRAM": "ghostty"}, KITTY),
    ({"TERM": "xterm-ghostty"}, KITTY),
    ({"GHOSTTY_RESOURCES_DIR": "/usr/share/ghostty"}, KITTY),
    ({"WEZTERM_PANE": "0"}, KITTY),
    ({"TERM_PROGRAM": "WezTerm"}, KITTY),
    ({"TERM_PROGRAM": "WarpTerminal"}, KITTY),
    ({"WARP_SESSION_ID": "x"}, KITTY),
    ({"WARP_TERMINAL_SESSION_UUID": "x"}, KITTY),
    ({"ITERM_SESSION_ID": "w0t0p0"}, ITERM),
    ({"TERM_PROGRAM": "iTerm.app"}, ITERM),
    ({"WT_SESSION": "x"}, MODERN),
    ({"TERM_PROGRAM": "Alacritty"}, MODERN),
    ({"TERM": "alacritty"}, MODERN),
    ({"TERM": "alacritty-direct"}, MODERN),
    ({"ALACRITTY_WINDOW_ID": "1"}, MODERN),
    ({"TERM_PROGRAM": "vscode"}, MODERN),
    ({"TERM_PROGRAM": "zed"}, MODERN),
    ({"TERMINAL_EMULATOR": "JetBrains-JediTerm"}, TerminalCapabilities(true_color=True)),
    # Of two signs the row above counts.
    ({"TERM_PROGRAM": "vscode", "KITTY_WINDOW_ID": "1"}, KITTY),
    ({"TERM_PROGRAM": "herdr", "ITERM_SESSION_ID": "w0"}, TerminalCapabilities("kitty", False, True)),
    # The user's word counts more, where it is one.
    ({"TERM_PROGRAM": "kitty", "PI_IMAGE_PROTOCOL": "ITerm2"}, ITERM),
    ({"TERM_PROGRAM": "kitty", "PI_IMAGE_PROTOCOL": "none"}, MODERN),
    ({"TERM_PROGRAM": "kitty", "PI_IMAGE_PROTOCOL": "0"}, MODERN),
    ({"TERM_PROGRAM": "kitty", "PI_IMAGE_PROTOCOL": "auto"}, KITTY),
    ({"TERM_PROGRAM": "kitty", "PI_IMAGE_PROTOCOL": "png"}, KITTY),
    ({"PI_IMAGE_PROTOCOL": "sixel"}, TerminalCapabilities("sixel")),
    ({"PI_IMAGE_PROTOCOL": "KITTY"}, TerminalCapabilities("kitty")),
    ({"PI_HYPERLINKS": "1"}, TerminalCapabilities(hyperlinks=True)),
    ({"TERM_PROGRAM": "vscode", "PI_HYPERLINKS": "0"}, TerminalCapabilities(true_color=True)),
    ({"TERM_PROGRAM": "vscode", "PI_HYPERLINKS": "AUTO"}, MODERN),
    ({"TERM_PROGRAM": "vscode", "PI_HYPERLINKS": "yes"}, MODERN),
    ({"PI_TRUE_COLOR": "1"}, TerminalCapabilities(true_color=True)),
    ({"TERM_PROGRAM": "vscode", "PI_TRUE_COLOR": "0"}, TerminalCapabilities(hyperlinks=True)),
    ({"TERM_PROGRAM": "vscode", "PI_TRUE_COLOR": "2"}, MODERN),
]  # fmt: skip


def nobody(environ: Mapping[str, str]) -> bool:
    """Be a tmux that does not know."""
    return False


@pytest.fixture(autouse=True)
def as_found() -> Iterator[None]:
    yield
    set_capability_overrides()


@pytest.mark.parametrize(("environ", "shown"), TERMINALS, ids=str)
def test_terminals(environ: Mapping[str, str], shown: TerminalCapabilities) -> None:
    assert detect_capabilities(environ, platform="linux", ask_tmux=nobody) == shown


def test_a_windows_console_shows_colours_only() -> None:
    assert detect_capabilities({}, platform="win32") == TerminalCapabilities(true_color=True)


def test_an_override_counts_more_than_the_environment() -> None:
    environ = {"PI_IMAGE_PROTOCOL": "kitty", "PI_TRUE_COLOR": "1", "PI_HYPERLINKS": "1"}
    overrides = CapabilityOverrides(images="none", true_color=False, hyperlinks=False)
    assert detect_capabilities(environ, overrides) == PLAIN
    assert detect_capabilities({}, CapabilityOverrides("sixel", True, True)) == (
        TerminalCapabilities("sixel", True, True)
    )


# tmux


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        ("echo 256,RGB,hyperlinks,title", True),
        ("echo 256,RGB,title", False),
        ("echo no-hyperlinks", False),
        ("echo hyperlinks; exit 1", False),
        ("exec sleep 20", False),
    ],
)
def test_tmux_says_whether_the_terminal_around_it_shows_links(
    script: str, shown: bool, tmp_path: Path
) -> None:
    program = tmp_path / "tmux"
    program.write_text(
        f'#!/bin/sh\n[ "$*" = "display-message -p #{{client_termfeatures}}" ] || exit 2\n{script}\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    environ = {"TMUX": "/tmp/x", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert detect_capabilities(environ).hyperlinks is shown


def test_tmux_is_not_asked_when_it_is_decided_or_not_there(tmp_path: Path) -> None:
    def ask(environ: Mapping[str, str]) -> bool:
        raise AssertionError("asked")

    for environ in ({"TMUX": "x", "PI_HYPERLINKS": "0"}, {"TERM": "screen"}, {}):
        assert not detect_capabilities(environ, ask_tmux=ask).hyperlinks
    decided = CapabilityOverrides(hyperlinks=True)
    assert detect_capabilities({"TMUX": "x"}, decided, ask_tmux=ask).hyperlinks
    assert not detect_capabilities({"TMUX": "x", "PATH": str(tmp_path)}).hyperlinks


# Those of this process


def test_what_was_found_out_is_kept_until_it_is_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMUX", "PI_HYPERLINKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-ghostty")
    reset_capabilities_cache()
    assert get_capabilities() == KITTY
    monkeypatch.setenv("TERM", "xterm")
    assert get_capabilities() is get_capabilities()
    assert get_capabilities() == KITTY
    reset_capabilities_cache()
    assert get_capabilities() != KITTY


def test_what_was_set_or_decided_holds() -> None:
    set_capabilities(ITERM)
    assert get_capabilities() is ITERM
    set_capability_overrides(images="sixel", true_color=True, hyperlinks=True)
    assert get_capabilities() == TerminalCapabilities("sixel", True, True)
    assert get_terminal_color_mode() == "truecolor"
    set_capability_overrides(true_color=False)
    assert get_terminal_color_mode({"COLORTERM": "truecolor"}) == "256color"


@pytest.mark.parametrize(
    ("attributes", "environ", "before", "after"),
    [
        ({62, 4, 22}, {}, None, "sixel"),
        ({62, 22}, {}, None, None),
        ({62, 4}, {}, "kitty", "kitty"),
        ({62, 4}, {"PI_IMAGE_PROTOCOL": "none"}, None, None),
    ],
)
def test_a_terminal_says_itself_that_it_shows_sixel(
    attributes: set[int],
    environ: dict[str, str],
    before: ImageProtocol | None,
    after: ImageProtocol | None,
) -> None:
    set_capabilities(TerminalCapabilities(before, True, True))
    is_new = learn_device_attributes(attributes, environ)
    assert get_capabilities() == TerminalCapabilities(after, True, True)
    assert is_new is (before != after)
