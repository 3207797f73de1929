"""Make a theme from the JSON of a theme file.

A value is a colour (see `parse_color`), the name of a variable, or an empty text for the terminal's own colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pi_tui.appearance import Appearance, appearance_from_tokens
from pi_tui.colors import Color, ColorMode, is_color_literal, parse_color
from pi_tui.theme import Theme, complete_tokens
from pi_tui.theme_tokens import THEME_TOKENS

_KEYS = ("$schema", "name", "appearance", "vars", "colors", "export")
_EXPORT_KEYS = ("pageBg", "cardBg", "infoBg")
_RESERVED_NAME = "system"
_BAD_VALUE = "must be a text or a whole number from 0 to 255"


class ThemeError(ValueError):
    """A theme that cannot be used, with everything that is wrong with it."""

    def __init__(
        self, source_path: Path | None, problems: list[str], missing: list[str] | None = None
    ) -> None:
        self.source_path = source_path
        self.missing = missing or []
        self.problems = problems
        lines = [
            f"Theme file {source_path} is not valid:" if source_path else "Theme is not valid:"
        ]
        if self.missing:
            lines += ["Missing required tokens:", *(f"  {token}" for token in self.missing)]
        super().__init__("\n".join([*lines, *problems]))


def theme_from_dict(
    data: object,
    *,
    color_mode: ColorMode,
    source_path: Path | None = None,
    terminal_appearance: Appearance = "dark",
) -> Theme:
    """Make a theme from the decoded JSON of a theme file; raises `ThemeError` with all that is wrong.

    `terminal_appearance` is that of a theme which neither says nor shows what it was made for.
    """
    if not isinstance(data, Mapping):
        raise ThemeError(source_path, ["a theme file holds one JSON object"])
    variables = _section(data, "vars")
    colors, color_problems = _resolve_all("colors", _section(data, "colors"), variables)
    export, export_problems = _resolve_all("export", _section(data, "export"), variables)
    problems = [*_shape_problems(data), *color_problems, *export_problems]
    missing = sorted(
        token.name
        for token in THEME_TOKENS.values()
        if token.is_required and token.name not in _section(data, "colors")
    )
    if problems or missing:
        raise ThemeError(source_path, problems, missing)
    complete = complete_tokens(colors)
    declared: Appearance | None = data.get("appearance")
    return Theme(
        str(data["name"]),
        declared or appearance_from_tokens(complete) or terminal_appearance,
        complete,
        color_mode,
        source_path=source_path,
        export={key: color for key, color in export.items() if color is not None},
    )


def _section(data: Mapping[str, object], key: str) -> Mapping[str, object]:
    section = data.get(key)
    return section if isinstance(section, Mapping) else {}


def _shape_problems(data: Mapping[str, object]) -> Iterator[str]:
    yield from (f"{key}: unknown key" for key in data if key not in _KEYS)
    yield from _name_problems(data.get("name"))
    if data.get("appearance", "dark") not in ("dark", "light"):
        yield 'appearance: must be "dark" or "light"'
    for key in ("vars", "colors", "export"):
        if (key in data or key == "colors") and not isinstance(data.get(key), Mapping):
            yield f"{key}: must be an object"
    for name, value in _section(data, "vars").items():
        if not _is_color_value(value):
            yield f"vars.{name}: {_BAD_VALUE}"
    yield from (
        f"colors.{token}: unknown token"
        for token in _section(data, "colors")
        if token not in THEME_TOKENS
    )
    yield from (
        f"export.{key}: unknown key" for key in _section(data, "export") if key not in _EXPORT_KEYS
    )


def _name_problems(name: object) -> Iterator[str]:
    if not isinstance(name, str) or not name:
        yield "name: must be a text"
    elif "/" in name:
        yield 'name: must not contain "/"'
    elif name == _RESERVED_NAME:
        yield f'name: "{_RESERVED_NAME}" is the name of a built-in theme'


def _is_color_value(value: object) -> bool:
    return isinstance(value, str) or (type(value) is int and 0 <= value <= 255)


def _resolve_all(
    section: str, values: Mapping[str, object], variables: Mapping[str, object]
) -> tuple[dict[str, Color | None], list[str]]:
    """Return the colours of a section, and a line for each value that has none."""
    colors: dict[str, Color | None] = {}
    problems = []
    for key, value in values.items():
        try:
            colors[key] = _resolve(value, variables)
        except ValueError as error:
            problems.append(f"{section}.{key}: {error}")
    return colors, problems


def _resolve(value: object, variables: Mapping[str, object]) -> Color | None:
    """Return the colour of a value, through any number of variables; `None` is the terminal's own."""
    seen = set()
    while isinstance(value, str) and value and not is_color_literal(value):
        if value in seen:
            raise ValueError(f"Circular variable reference detected: {value}")
        if value not in variables:
            raise ValueError(f"Variable reference not found: {value}")
        seen.add(value)
        value = variables[value]
    if value == "":
        return None
    if not isinstance(value, str | int) or not _is_color_value(value):
        raise ValueError(_BAD_VALUE)
    return parse_color(value)
