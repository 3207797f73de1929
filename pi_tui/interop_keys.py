"""Keys and pastes between urwid, which names them, and events.

urwid's names are words before a key (`ctrl p`, `meta page up`); the characters that keys type are their own names.
"""

from __future__ import annotations

from collections.abc import Sequence

from pi_tui.events import KeyEvent, MouseButton, MouseEvent, MouseType
from pi_tui.key_parser import text_key

_NAMES = {"esc": "escape", "page up": "pageUp", "page down": "pageDown", " ": "space", "5": "clear"}
_URWID_NAMES = {ours: theirs for theirs, ours in _NAMES.items()}
_MODIFIERS = {"ctrl": "ctrl", "meta": "alt", "shift": "shift"}
_KEYS_WITH_NAMES = frozenset(
    [
        "up",
        "down",
        "left",
        "right",
        "home",
        "end",
        "insert",
        "delete",
        "backspace",
        "enter",
        "tab",
        "esc",
    ]
) | {"page up", "page down", *(f"f{number}" for number in range(1, 25))}

_BUTTONS: dict[int, MouseButton] = {0: "none", 1: "left", 2: "middle", 3: "right"}
_BUTTON_NUMBERS = {name: number for number, name in _BUTTONS.items()}
_WHEEL = {4: -1, 5: 1}
_MOUSE_TYPES: dict[str, MouseType] = {
    "mouse press": "press",
    "mouse drag": "drag",
    "mouse release": "release",
}
_PASTE_START, _PASTE_END = "begin paste", "end paste"
_RAW_START, _RAW_END = "\x1b[200~", "\x1b[201~"


# A key by its name, or what the mouse did.
UrwidInput = str | tuple[str, int, int, int]


class PastedText(str):
    """A whole paste in a list of urwid's keys."""


def key_event(name: str) -> KeyEvent:
    """Return the event of a key by urwid's name."""
    words = name.split(" ") if name != " " else [name]
    modifiers: list[str] = []
    while len(words) > 1 and words[0] in _MODIFIERS:
        modifiers.append(_MODIFIERS[words.pop(0)])
    key = " ".join(words) or " "
    if not modifiers and key not in _KEYS_WITH_NAMES:
        return text_key(key)
    if len(key) == 1 and key.isascii() and key.isupper():
        modifiers, key = [*modifiers, "shift"], key.lower()
    ordered = [modifier for modifier in ("ctrl", "shift", "alt") if modifier in modifiers]
    return KeyEvent("+".join([*ordered, _NAMES.get(key, key) if len(key) > 1 else key]))


def urwid_key(event: KeyEvent) -> str:
    """Return urwid's name of a key."""
    *modifiers, key = event.id.split("+") if not event.id.endswith("+") else [event.id]
    if event.text and not {"ctrl", "alt"} & set(modifiers):
        return event.text
    if "ctrl" in modifiers and "shift" in modifiers and len(key) == 1:
        modifiers, key = [name for name in modifiers if name != "shift"], key.upper()
    words = [theirs for theirs, ours in _MODIFIERS.items() if ours in modifiers]
    return " ".join([*sorted(words, key=_order), _URWID_NAMES.get(key, key)])


def paste_input_filter(keys: list[UrwidInput], raw: list[int]) -> list[UrwidInput]:
    """Make one key of each bracketed paste, with its text as it came: the `input_filter` of a urwid loop."""
    data = bytes(raw).decode("utf-8", "replace")
    pastes = [part.partition(_RAW_END)[0] for part in data.split(_RAW_START)[1:]]
    kept: list[UrwidInput] = []
    is_pasting = False
    for key in keys:
        if key == _PASTE_START and pastes:
            is_pasting = True
            kept.append(PastedText(pastes.pop(0)))
        elif is_pasting:
            is_pasting = key != _PASTE_END
        else:
            kept.append(key)
    return kept


class PasteCollector:
    """Puts a paste together from urwid's keys, for a loop without the filter: what a key does not type is lost."""

    def __init__(self) -> None:
        self._parts: list[str] | None = None

    def take(self, name: str) -> tuple[bool, str | None]:
        """Return whether a key belongs to a paste, and the paste when it is complete."""
        if isinstance(name, PastedText):
            return True, str(name)
        if name == _PASTE_START:
            self._parts = []
            return True, None
        if self._parts is None:
            return False, None
        if name == _PASTE_END:
            text, self._parts = "".join(self._parts), None
            return True, text
        self._parts.append({"enter": "\n", "tab": "\t"}.get(name, name if len(name) == 1 else ""))
        return True, None


def mouse_event(
    name: str, button: int, column: int, row: int, size: Sequence[int]
) -> MouseEvent | None:
    """Return the event of what urwid says of the mouse; `None` if it means nothing here."""
    words = name.split(" ")
    modifiers = {word for word in words if word in _MODIFIERS}
    kind = _MOUSE_TYPES.get(" ".join(word for word in words if word not in _MODIFIERS))
    wheel = _WHEEL.get(button) if kind == "press" else None
    if kind is None or (wheel is None and button not in _BUTTONS):
        return None
    return MouseEvent(
        "wheel" if wheel else kind,
        "none" if wheel else _BUTTONS[button],
        column,
        row,
        column,
        row,
        size[0],
        size[1],
        shift="shift" in modifiers,
        alt="meta" in modifiers,
        ctrl="ctrl" in modifiers,
        wheel_delta=wheel,
    )


def urwid_mouse(event: MouseEvent) -> tuple[str, int] | None:
    """Return what urwid calls an event of the mouse, and its button; `None` for those it does not have."""
    held = [("shift", event.shift), ("meta", event.alt), ("ctrl", event.ctrl)]
    before = "".join(f"{name} " for name, is_held in held if is_held)
    if event.type == "wheel":
        return f"{before}mouse press", 4 if (event.wheel_delta or 0) < 0 else 5
    if event.type not in ("press", "drag", "release"):
        return None
    number = 0 if event.type == "release" else _BUTTON_NUMBERS[event.button]
    return f"{before}mouse {event.type}", number


def _order(word: str) -> int:
    """Return where urwid puts a modifier."""
    return ("shift", "meta", "ctrl").index(word)
