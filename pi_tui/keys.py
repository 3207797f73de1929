"""Key ids: their one spelling, whether an event is the key a binding asks for, how people read them.

An id is its modifiers in the order `ctrl`, `shift`, `alt`, `super`, then the key, joined by `+`. Two
spellings of one key are equal once normalised, so only normalised ids are ever compared.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from pi_tui.events import InputEvent, KeyEvent
from pi_tui.key_table import NAMED_KEYS, SYMBOLS

MODIFIERS = ("ctrl", "shift", "alt", "super")


def matches_key(event: InputEvent, key_id: str) -> bool:
    """Whether `event` is the key `key_id`, in any spelling. An invalid id is never equal."""
    if not isinstance(event, KeyEvent):
        return False
    wanted = normalize_key_id(key_id)
    return wanted is not None and (wanted == event.id or wanted in event.also)


@lru_cache(maxsize=4096)
def normalize_key_id(key_id: str) -> str | None:
    """Return the one spelling of `key_id` that events use; `None` if it names no key."""
    start = len(key_id) - 1 if key_id.endswith("+") else key_id.rfind("+") + 1
    key, rest = _canonical_key(key_id[start:]), key_id[:start]
    if not key or (rest and not rest.endswith("+")):
        return None
    modifiers = rest[:-1].lower().split("+") if rest else []
    if len(set(modifiers)) != len(modifiers) or not set(modifiers) <= set(MODIFIERS):
        return None
    return join_key(modifiers, key)


def normalize_key_sequence(text: str) -> tuple[str, ...] | None:
    """Return the normalised keys of `text`, key ids separated by one space; `None` if one is invalid."""
    keys = [normalize_key_id(part) for part in text.split(" ")]
    known = tuple(key for key in keys if key is not None)
    return known if len(known) == len(keys) else None


def join_key(modifiers: list[str] | tuple[str, ...], key: str) -> str:
    """Return the id of `key` with these modifiers, whatever their order."""
    return "".join(f"{name}+" for name in MODIFIERS if name in modifiers) + key


def format_key(key_id: str, *, capitalize: bool = True, mac: bool = False) -> str:
    """Spell a key id or sequence for people: `ctrl+shift+f` is `Ctrl+Shift+F`."""
    return " ".join(_format_single(key, capitalize, mac) for key in key_id.split(" "))


def _builder(*modifiers: str) -> Callable[[str], str]:
    def build(key: str) -> str:
        return join_key(modifiers, key)

    return build


class Key:
    """Key ids to complete in an editor: `Key.page_up`, `Key.ctrl_shift("p")`."""

    escape = esc = "escape"
    enter = return_ = "enter"
    tab = "tab"
    space = "space"
    backspace = "backspace"
    delete = "delete"
    insert = "insert"
    clear = "clear"
    home = "home"
    end = "end"
    page_up = "pageUp"
    page_down = "pageDown"
    up = "up"
    down = "down"
    left = "left"
    right = "right"
    f1 = "f1"
    f2 = "f2"
    f3 = "f3"
    f4 = "f4"
    f5 = "f5"
    f6 = "f6"
    f7 = "f7"
    f8 = "f8"
    f9 = "f9"
    f10 = "f10"
    f11 = "f11"
    f12 = "f12"

    backtick = "`"
    hyphen = "-"
    equals = "="
    leftbracket = "["
    rightbracket = "]"
    backslash = "\\"
    semicolon = ";"
    quote = "'"
    comma = ","
    period = "."
    slash = "/"
    exclamation = "!"
    at = "@"
    hash = "#"
    dollar = "$"
    percent = "%"
    caret = "^"
    ampersand = "&"
    asterisk = "*"
    leftparen = "("
    rightparen = ")"
    underscore = "_"
    plus = "+"
    pipe = "|"
    tilde = "~"
    leftbrace = "{"
    rightbrace = "}"
    colon = ":"
    lessthan = "<"
    greaterthan = ">"
    question = "?"

    ctrl = staticmethod(_builder("ctrl"))
    shift = staticmethod(_builder("shift"))
    alt = staticmethod(_builder("alt"))
    super = staticmethod(_builder("super"))
    ctrl_shift = shift_ctrl = staticmethod(_builder("ctrl", "shift"))
    ctrl_alt = alt_ctrl = staticmethod(_builder("ctrl", "alt"))
    shift_alt = alt_shift = staticmethod(_builder("shift", "alt"))
    ctrl_super = super_ctrl = staticmethod(_builder("ctrl", "super"))
    shift_super = super_shift = staticmethod(_builder("shift", "super"))
    alt_super = super_alt = staticmethod(_builder("alt", "super"))
    ctrl_shift_alt = staticmethod(_builder("ctrl", "shift", "alt"))
    ctrl_shift_super = staticmethod(_builder("ctrl", "shift", "super"))


def _canonical_key(key: str) -> str:
    """Return the key in the spelling of ids, `""` if there is none of that name."""
    lower = key.lower()
    if len(lower) == 1 and lower.isascii() and (lower.isalnum() or lower in SYMBOLS):
        return lower
    return NAMED_KEYS.get(lower, "")


def _format_single(key_id: str, capitalize: bool, mac: bool) -> str:
    start = len(key_id) - 1 if key_id.endswith("+") else key_id.rfind("+") + 1
    parts = [part for part in key_id[:start].split("+") if part] + [key_id[start:]]
    if mac:
        parts = ["option" if part.lower() == "alt" else part for part in parts]
    if capitalize:
        parts = [part[:1].upper() + part[1:] for part in parts]
    return "+".join(parts)
