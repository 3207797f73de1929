"""Which terminals get real links."""

from __future__ import annotations

import pytest

from pi_tui.hyperlink_support import shows_hyperlinks


@pytest.mark.parametrize(
    ("environ", "shown"),
    [
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, False),
        ({"TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}, True),
        ({"TERM": "screen-256color", "KITTY_WINDOW_ID": "1"}, False),
        ({"TMUX": "/tmp/tmux", "TERM_PROGRAM": "ghostty"}, False),
        ({"TERM_PROGRAM": "herdr"}, True),
        ({"TERMINAL_EMULATOR": "JetBrains-JediTerm"}, False),
        ({"TERM": "xterm", "PI_HYPERLINKS": "1"}, True),
        ({"TERM_PROGRAM": "kitty", "PI_HYPERLINKS": "0"}, False),
        ({"TERM_PROGRAM": "kitty", "PI_HYPERLINKS": "auto"}, True),
    ],
)
def test_links_where_the_terminal_is_known_to_show_them(
    environ: dict[str, str], shown: bool
) -> None:
    assert shows_hyperlinks(environ) is shown
