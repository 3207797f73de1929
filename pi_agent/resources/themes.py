"""Read themes: the ones that come with pi, and theme files."""

from __future__ import annotations

import json
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_tui.appearance import Appearance
from pi_tui.colors import ColorMode
from pi_tui.theme import Theme
from pi_tui.theme_file import ThemeError, theme_from_dict

BUNDLED_THEMES = ("dark", "light")

_FOLDER = Path(__file__).parent.parent / "themes"
_HINT = "Correct the file, or choose another theme with --use-theme."


def theme_names(setting: str | None) -> tuple[str, str]:
    """Return the names that a choice has for light and dark terminals: `a/b`, or one for both."""
    if setting == "system":
        setting = None  # which is what nobody's choice means
    parts = [part.strip() for part in (setting or "").split("/")]
    if len(parts) == 1 and parts[0]:
        return parts[0], parts[0]
    if len(parts) == 2 and all(parts):
        return parts[0], parts[1]
    return "light", "dark"


def load_bundled_theme(name: str, *, color_mode: ColorMode) -> Theme:
    """Return a theme that comes with pi, by its name."""
    if name not in BUNDLED_THEMES:
        raise PiError(f'Theme "{name}" was not found.', f"There are: {', '.join(BUNDLED_THEMES)}.")
    return load_theme_file(_FOLDER / f"{name}.json", color_mode=color_mode)


def load_theme_file(
    path: Path, *, color_mode: ColorMode, terminal_appearance: Appearance = "dark"
) -> Theme:
    """Return the theme in a file; raises `PiError` that names the file and all that is wrong with it.

    `terminal_appearance` is that of a theme which neither says nor shows what it was made for.
    """
    try:
        data: object = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise PiError(f"Theme file {path} cannot be read: {error.strerror}.", _HINT) from error
    except (ValueError, RecursionError) as error:
        raise PiError(f"Theme file {path} is not JSON: {error}", _HINT) from error
    try:
        return theme_from_dict(
            data,
            color_mode=color_mode,
            source_path=path,
            terminal_appearance=terminal_appearance,
        )
    except ThemeError as error:
        raise PiError(str(error), _HINT) from error
