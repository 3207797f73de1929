"""The themes that come with pi, and theme files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.resources.themes import BUNDLED_THEMES, load_bundled_theme, load_theme_file
from pi_tui.colors import color_to_hex, contrast_ratio
from pi_tui.theme_tokens import THEME_TOKENS

FOLDER = Path(__file__).parents[3] / "pi_agent" / "themes"

# Which text is written on which panel.
ON_PANELS = [
    ("userMessageText", "userMessageBg"),
    ("text", "selectedBg"),
    ("accent", "selectedBg"),
    ("toolTitle", "toolPendingBg"),
    ("toolTitle", "toolSuccessBg"),
    ("toolTitle", "toolErrorBg"),
    ("toolOutput", "toolSuccessBg"),
    ("customMessageText", "customMessageBg"),
]


def write(folder: Path, text: str | bytes) -> Path:
    """Put a theme file into a folder."""
    path = folder / "mine.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def bundled(name: str) -> dict[str, dict[str, str]]:
    """The file of a bundled theme as it is."""
    data: dict[str, dict[str, str]] = json.loads((FOLDER / f"{name}.json").read_text())
    return data


@pytest.mark.parametrize("name", BUNDLED_THEMES)
def test_a_bundled_theme_says_everything_itself(name: str) -> None:
    theme = load_bundled_theme(name, color_mode="truecolor")
    assert (theme.name, theme.appearance) == (name, name)
    assert list(bundled(name)["colors"]) == list(THEME_TOKENS)
    assert set(theme.export) == {"pageBg", "cardBg", "infoBg"}


def test_bundled_colours_are_those_measured_for_their_values() -> None:
    colors = load_bundled_theme("dark", color_mode="truecolor").colors
    assert color_to_hex(colors.text) == color_to_hex(colors.tool_title) == "#dee0e1"
    assert color_to_hex(colors.error) == color_to_hex(colors.tool_diff_removed) == "#ea7f81"


@pytest.mark.parametrize("name", BUNDLED_THEMES)
def test_text_can_be_read_on_the_panels_it_is_written_on(name: str) -> None:
    colors = load_bundled_theme(name, color_mode="truecolor").colors
    hard = {
        (text, panel): round(contrast_ratio(colors[text], colors[panel]), 2)
        for text, panel in ON_PANELS
        if contrast_ratio(colors[text], colors[panel]) < 3
    }
    assert hard == {}


@pytest.mark.parametrize("name", BUNDLED_THEMES)
def test_panels_differ_from_each_other_and_from_the_terminal(name: str) -> None:
    colors = load_bundled_theme(name, color_mode="truecolor").colors
    tools = [color_to_hex(colors[f"tool{state}Bg"]) for state in ("Pending", "Success", "Error")]
    assert len(set(tools)) == 3
    assert not {"#000000", "#ffffff"} & set(tools)


def test_an_unknown_bundled_theme_is_told_with_the_ones_there_are() -> None:
    with pytest.raises(PiError) as caught:
        load_bundled_theme("solarized", color_mode="truecolor")
    assert "solarized" in caught.value.message
    assert caught.value.hint is not None
    assert "dark" in caught.value.hint


def test_a_theme_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    data = (FOLDER / "dark.json").read_bytes()
    path = write(tmp_path, b"\xef\xbb\xbf" + data)
    theme = load_theme_file(path, color_mode="truecolor")
    assert theme.source_path == path
    assert theme.fg("accent", "x") == load_bundled_theme("dark", color_mode="truecolor").fg(
        "accent", "x"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "one JSON object"),
        ('{"name": "x", "colors": {}}', "  accent\n"),
        ('{"name": "x", "colors": {"accent": NaN}}', "colors.accent: "),
    ],
)
def test_a_broken_file_is_named_with_what_is_wrong(
    tmp_path: Path, text: str | bytes, told: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(PiError) as caught:
        load_theme_file(path, color_mode="truecolor")
    assert str(path) in caught.value.message
    assert told in caught.value.message
    assert caught.value.hint


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PiError) as caught:
        load_theme_file(tmp_path / "none.json", color_mode="truecolor")
    assert str(tmp_path / "none.json") in caught.value.message


def test_reading_a_theme_needs_neither_pydantic_nor_urwid() -> None:
    code = (
        "import sys\n"
        "from pi_agent.resources.themes import load_bundled_theme\n"
        "load_bundled_theme('dark', color_mode='truecolor')\n"
        "print(sorted({'urwid', 'pydantic', 'asyncio', 'wcwidth'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
