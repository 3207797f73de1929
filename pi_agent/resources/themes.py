"""Read themes, and the setting that chooses one."""

from __future__ import annotations

import json
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_tui.appearance import Appearance
from pi_tui.colors import ColorMode
from pi_tui.system_theme import SYSTEM_THEME
from pi_tui.theme import Theme
from pi_tui.theme_file import ThemeError, theme_from_dict

BUNDLED_THEMES = ("dark", "light")
THEME_NAMES = (SYSTEM_THEME, *BUNDLED_THEMES)

_FOLDER = Path(__file__).parent.parent / "themes"
_HINT = "Correct the file, or choose another theme with --use-theme."


def theme_names(setting: str | None) -> tuple[str, str]:
    """Return the names that a choice has for light and dark terminals: `a/b`, or one for both."""
    parts = [part.strip() for part in (setting or "").split("/")]
    if len(parts) == 1 and parts[0]:
        return parts[0], parts[0]
    if len(parts) == 2 and all(parts):
        return parts[0], parts[1]
    return SYSTEM_THEME, SYSTEM_THEME


def bundled_theme_file(name: str) -> Path:
    """Return the file of a theme that comes with pi."""
    return _FOLDER / f"{name}.json"


def theme_name_in(path: Path) -> str:
    """Return the name of the theme in a file; one that cannot be read is called as its file is."""
    try:
        data: object = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return path.stem
    name = data.get("name") if isinstance(data, dict) else None
    return name if isinstance(name, str) and name else path.stem


def load_bundled_theme(name: str, *, color_mode: ColorMode) -> Theme:
    """Return a theme that comes with pi, by its name."""
    if name not in BUNDLED_THEMES:
        raise PiError(f'Theme "{name}" was not found.', f"There are: {', '.join(THEME_NAMES)}.")
    return load_theme_file(bundled_theme_file(name), color_mode=color_mode)


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
        raise PiError(f"Theme file {path} is not JSON: {error}.", _HINT) from error
    try:
        return theme_from_dict(
            data,
            color_mode=color_mode,
            source_path=path,
            terminal_appearance=terminal_appearance,
        )
    except ThemeError as error:
        raise PiError(str(error), _HINT) from error
