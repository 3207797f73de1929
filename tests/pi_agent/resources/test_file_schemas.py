"""The published JSON schemas of theme files and of `keybindings.json`: made here, and true.

`PI_ACCEPT_SNAPSHOTS=1 pytest tests/pi_agent/resources/test_file_schemas.py` writes them.
"""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.resources.keybindings_file import OLD_NAMES, default_keybindings, read_keybindings
from pi_tui.key_table import NAMED_KEYS, SYMBOLS
from pi_tui.keybindings import TUI_KEYBINDINGS
from pi_tui.keys import MODIFIERS
from pi_tui.snapshot import check_snapshot
from pi_tui.theme_file import ThemeError, theme_from_dict
from pi_tui.theme_tokens import THEME_TOKENS

FOLDER = Path(__file__).resolve().parents[3] / "pi_agent" / "docs" / "schemas"
HEAD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$comment": "Written by tests/pi_agent/resources/test_file_schemas.py.",
}
NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
ANGLE = rf"{NUMBER}([dD][eE][gG])?"
SHARE = rf"{NUMBER}%?"


def any_case(word: str) -> str:
    """Return a pattern for a word in any case: patterns of schemas have no flag for it."""
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in word)


def key_pattern() -> str:
    modifier = "|".join(any_case(name) for name in MODIFIERS)
    once = "|".join(rf"{any_case(m)}\+(?!(({modifier})\+)*{any_case(m)}\+)" for m in MODIFIERS)
    names = "|".join(any_case(name) for name in sorted(NAMED_KEYS, key=len, reverse=True))
    # Only what has to be: the patterns are for other languages, too.
    symbols = "".join(f"\\{c}" if c in r"\[]^-" else c for c in sorted(SYMBOLS))
    key = rf"({once})*({names}|[a-zA-Z0-9{symbols}])"
    return rf"^{key}( {key})*$"


def keybindings_schema() -> dict[str, object]:
    one = {"type": "string", "pattern": key_pattern()}
    actions = {
        action: {
            "$ref": "#/$defs/keys",
            "description": definition.description,
            "default": list(definition.default_keys),
        }
        for action, definition in default_keybindings().items()
    }
    old = {
        name: {"$ref": "#/$defs/keys", "description": f"Now {new}.", "deprecated": True}
        for name, new in OLD_NAMES.items()
    }
    return {
        **HEAD,
        "title": "Keys of pi's actions",
        "type": "object",
        "properties": {"$schema": {}, **actions, **old},
        "$defs": {"keys": {"anyOf": [one, {"type": "array", "items": one}]}},
    }


def theme_schema() -> dict[str, object]:
    hex_color = "#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"
    oklch = rf"{any_case('oklch')}\(\s*{SHARE}\s+{NUMBER}\s+{ANGLE}\s*\)"
    okhsl = rf"{any_case('okhsl')}\(\s*{ANGLE}\s+{SHARE}\s+{SHARE}\s*\)"
    name = rf"(?!#|{any_case('oklch')}\(|{any_case('okhsl')}\()[\s\S]+"
    text = {"type": "string", "pattern": rf"^({hex_color}|{oklch}|{okhsl}|{name})?$"}
    index = {"type": "integer", "minimum": 0, "maximum": 255}
    color = {"$ref": "#/$defs/color"}
    tokens: dict[str, object] = {
        token.name: {
            **color,
            "description": "Text" if token.slot == "fg" else "Background",
            **({"$comment": f"Without it: {token.fallback}."} if token.fallback else {}),
        }
        for token in THEME_TOKENS.values()
    }
    return {
        **HEAD,
        "title": "Theme of pi",
        "type": "object",
        "required": ["name", "colors"],
        "additionalProperties": False,
        "properties": {
            "$schema": {},
            "name": {"type": "string", "pattern": "^(?!system$)[^/]+$"},
            "appearance": {"enum": ["dark", "light"]},
            "vars": {"type": "object", "additionalProperties": color},
            "colors": {
                "type": "object",
                "required": [t.name for t in THEME_TOKENS.values() if t.is_required],
                "additionalProperties": False,
                "properties": tokens,
            },
            "export": {
                "type": "object",
                "additionalProperties": False,
                "properties": dict.fromkeys(("pageBg", "cardBg", "infoBg"), color),
            },
        },
        "$defs": {
            "color": {
                "description": "A color, the name of one of `vars`, or an empty text for the terminal's own.",
                "anyOf": [index, text],
            }
        },
    }


SCHEMAS = {"keybindings": keybindings_schema(), "theme": theme_schema()}


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schemas_are_those_of_the_code(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    check_snapshot(FOLDER / f"{name}.json", json.dumps(SCHEMAS[name], indent=2) + "\n")


def is_valid(name: str, data: object) -> bool:
    return jsonschema.Draft202012Validator(SCHEMAS[name]).is_valid(data)


PARTS = [
    "+",
    " ",
    "ctrl",
    "SHIFT",
    "alt",
    "super",
    "a",
    "Z",
    "9",
    "pageUp",
    "ESC",
    "f12",
    "f13",
    "?",
]
KEYS = st.lists(st.sampled_from([*PARTS, *SYMBOLS]), max_size=7).map("".join)
VALUES = KEYS | st.lists(KEYS | st.integers(), max_size=3) | st.none() | st.integers()
ACTIONS = st.sampled_from([*TUI_KEYBINDINGS, "app.exit", "unknown"])


@given(st.dictionaries(ACTIONS, VALUES, max_size=3))
def test_the_schema_of_keys_accepts_what_is_read_without_a_warning(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, object]
) -> None:
    path = tmp_path_factory.getbasetemp() / "schema-keys.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert is_valid("keybindings", data) is not bool(read_keybindings(path).warnings)


COLORS: st.SearchStrategy[object] = st.sampled_from(
    [
        "",
        "#0AF",
        "#00aaff",
        "#12",
        "#0000000",
        "oklch(62% 0.1 200)",
        "OKHSL(20deg 72% 67%)",
        0,
        255,
        256,
        -1,
        True,
        None,
        [],
        "primary",
        "oklch(1)",
        "okhsl(1% 2% 3%)",
        "oklch( .5 1e-1 -40DEG )",
    ]
)


@given(
    st.dictionaries(st.sampled_from(["accent", "text", "thinkingMax", "x"]), COLORS, max_size=3),
    st.sampled_from(["mine", "system", "a/b", "systems", "", 1]),
    st.sampled_from(["dark", "light", "gray"]),
    st.dictionaries(st.sampled_from(["pageBg", "other"]), COLORS, max_size=1),
    st.booleans(),
)
def test_the_schema_of_themes_accepts_what_can_be_used(
    changed: dict[str, object],
    name: object,
    appearance: str,
    export: dict[str, object],
    whole: bool,
) -> None:
    colors: dict[str, object] = {t.name: "#000" for t in THEME_TOKENS.values() if t.is_required}
    if not whole:
        del colors["border"]
    data = {
        "name": name,
        "appearance": appearance,
        "vars": {"primary": 5},
        "colors": colors | changed,
        "export": export,
    }
    try:
        theme_from_dict(data, color_mode="truecolor")
        is_used = True
    except ThemeError:
        is_used = False
    assert is_valid("theme", data) is is_used


@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_themes_that_come_with_pi_fit_the_schema(name: str) -> None:
    path = FOLDER.parent.parent / "themes" / f"{name}.json"
    assert is_valid("theme", json.loads(path.read_text(encoding="utf-8")))
