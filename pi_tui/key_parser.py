"""From one whole piece of input to the key that sends it: legacy bytes, xterm's and kitty's reports."""

from __future__ import annotations

import re
from functools import lru_cache

from pi_tui.events import KeyEvent, KeyKind
from pi_tui.frozen import slotted
from pi_tui.key_table import (
    ALT_KEYS,
    ALT_KEYS_REPORTED,
    CODE_KEYS,
    CONTROL_KEYS,
    KEYPAD_CHARACTERS,
    LETTER_KEYS,
    PRIVATE_CODES,
    SEQUENCES,
    SHIFTED_SYMBOLS,
    TILDE_KEYS,
)
from pi_tui.keys import join_key
from pi_tui.width import iter_graphemes

_SHIFT, _ALT, _CTRL, _SUPER, _HYPER, _META = 1, 2, 4, 8, 16, 32
_KNOWN_BITS = _SHIFT | _ALT | _CTRL | _SUPER | _HYPER | _META
_MODIFIER_NAMES = {_SHIFT: "shift", _ALT: "alt", _CTRL: "ctrl", _SUPER: "super"}
_KINDS: dict[str, KeyKind] = {"": "press", "1": "press", "2": "repeat", "3": "release"}

_LETTER_REPORT = re.compile(r"\x1b\[1;(\d{1,3})(?::(\d?))?([A-Z])")
_TILDE_REPORT = re.compile(r"\x1b\[(\d{1,2});(\d{1,3})(?::(\d?))?~")
_TYPED_REPORT = re.compile(r"\x1b\[27;(\d{1,3});(\d{1,7})~")
_CODE_REPORT = re.compile(
    r"\x1b\[(?P<code>\d{1,7})(?::(?P<shifted>\d{0,7}))?(?::(?P<base>\d{1,7}))?"
    r"(?:;(?P<modifiers>\d{0,3})(?::(?P<kind>\d?))?)?(?:;(?P<text>(?:\d{1,7}(?::\d{1,7}){0,15}:?)?))?u"
)


@slotted
class _Protocol:
    kitty_active: bool = False


_protocol = _Protocol()


def is_kitty_protocol_active() -> bool:
    """Whether `parse_key` takes the terminal to report keys by the kitty protocol."""
    return _protocol.kitty_active


def set_kitty_protocol_active(active: bool) -> None:
    """Say whether the terminal reports keys by the kitty protocol; some legacy bytes differ then."""
    _protocol.kitty_active = active


def parse_key(
    data: bytes, *, kitty_active: bool | None = None, windows_terminal: bool = False
) -> KeyEvent | None:
    """Name the key that sends exactly `data`; `None` if that is no key, or more than one.

    `kitty_active` defaults to `is_kitty_protocol_active()`. `windows_terminal` is for a local
    Windows Terminal, which sends byte 8 for Ctrl+Backspace.
    """
    if kitty_active is None:
        kitty_active = _protocol.kitty_active
    if len(data) == 1 and data[0] in CONTROL_KEYS:
        return _control_key(data[0], kitty_active, windows_terminal)
    if not data.startswith(b"\x1b"):
        return _single_text_key(data)
    known = SEQUENCES.get(data)
    if known is not None:
        return KeyEvent(known, raw=data)
    return _alt_key(data, kitty_active) or _report_key(data)


@lru_cache(maxsize=1024)
def text_key(cluster: str) -> KeyEvent:
    """Return the press of the key that types `cluster`, one grapheme cluster."""
    if cluster == " ":
        key_id = "space"
    elif len(cluster) == 1 and "A" <= cluster <= "Z":
        key_id = f"shift+{cluster.lower()}"
    else:
        key_id = cluster
    return KeyEvent(key_id, cluster, raw=cluster.encode("utf-8", "replace"))


def _control_key(code: int, kitty_active: bool, windows_terminal: bool) -> KeyEvent:
    key_id, also = CONTROL_KEYS[code]
    if code == 0x0A and kitty_active:
        also = ("shift+enter",)
    if code == 0x08 and windows_terminal:
        key_id = "ctrl+backspace"
    return KeyEvent(key_id, also=also, raw=bytes((code,)))


def _single_text_key(data: bytes) -> KeyEvent | None:
    text = _decoded(data)
    if not text or not _character(ord(text[0])) or next(iter_graphemes(text)) != text:
        return None
    return text_key(text)


def _alt_key(data: bytes, kitty_active: bool) -> KeyEvent | None:
    """Return the key of ESC and one character."""
    character = _decoded(data[1:])
    if len(character) != 1:
        return None
    code = ord(character)
    if kitty_active:
        reported = ALT_KEYS_REPORTED.get(code)
        return KeyEvent(reported, raw=data) if reported else None
    if code in ALT_KEYS:
        key_id, also = ALT_KEYS[code]
        return KeyEvent(key_id, also=also, raw=data)
    if not _character(code):
        return None
    if "A" <= character <= "Z":
        return KeyEvent(f"shift+alt+{character.lower()}", raw=data)
    return KeyEvent(f"alt+{text_key(character).id}", raw=data)


def _report_key(data: bytes) -> KeyEvent | None:
    """Return the key of a sequence with parameters."""
    text = data.decode("latin-1")
    if match := _CODE_REPORT.fullmatch(text):
        return _code_report(match, data)
    if match := _TYPED_REPORT.fullmatch(text):
        return _character_key(int(match[2]), _bits(match[1]), "press", raw=data)
    if match := _LETTER_REPORT.fullmatch(text):
        return _named_report(LETTER_KEYS.get(match[3]), match[1], match[2], data)
    if match := _TILDE_REPORT.fullmatch(text):
        key = TILDE_KEYS.get(int(match[1]))
        event = _named_report(key, match[2], match[3], data)
        # Some terminals send this for Shift+Enter, which is the more useful of the two.
        if event is not None and event.id == "shift+f3":
            return KeyEvent("shift+enter", kind=event.kind, also=("shift+f3",), raw=data)
        return event
    return None


def _named_report(key: str | None, modifiers: str, kind: str | None, raw: bytes) -> KeyEvent | None:
    bits = _bits(modifiers)
    event_kind = _KINDS.get(kind or "")
    if key is None or event_kind is None or bits & (_HYPER | _META):
        return None
    return KeyEvent(_join(bits, key), kind=event_kind, raw=raw)


def _code_report(match: re.Match[str], raw: bytes) -> KeyEvent | None:
    kind = _KINDS.get(match["kind"] or "")
    if kind is None:
        return None
    return _character_key(
        int(match["code"]),
        _bits(match["modifiers"]),
        kind,
        raw=raw,
        shifted=_character(int(match["shifted"] or 0)),
        base=_character(int(match["base"] or 0)),
        typed="".join(_character(int(code)) for code in (match["text"] or "").split(":") if code),
    )


def _character_key(
    code: int,
    bits: int,
    kind: KeyKind,
    *,
    raw: bytes,
    shifted: str = "",
    base: str = "",
    typed: str = "",
) -> KeyEvent | None:
    """Return the key of a reported code: its id by what it types, its text by what it inserts."""
    if bits & (_HYPER | _META):
        return None
    inserts = kind != "release" and not bits & ~_SHIFT
    if code in CODE_KEYS:
        key = CODE_KEYS[code]
        text = " " if key == "space" and inserts else ""
        return KeyEvent(_join(bits, key), text, kind, raw=raw)
    character = KEYPAD_CHARACTERS.get(code) or _character(code)
    if not character:
        return None
    upper = character.upper()
    shifted = shifted or (upper if len(upper) == 1 else character)
    key_id, also = _character_id(character, bits, shifted, base)
    text = typed or (shifted if bits & _SHIFT else character)
    return KeyEvent(key_id, text if inserts else "", kind, also, raw=raw)


def _character_id(
    character: str, bits: int, shifted: str, base: str
) -> tuple[str, tuple[str, ...]]:
    """Return the id of a key that types a character, and the others it stands for.

    Letters keep Shift in their id. For other keys Shift is spent on typing what they type, so the
    id is that character without Shift, and the key below it counts as well.
    """
    if not _is_ascii_graphic(character) and _is_ascii_graphic(base):
        return _join(bits, base.lower()), ()
    if character.isascii() and character.isalpha():
        return _join(bits, character.lower()), ()
    if bits & _SHIFT and (shifted != character or character in SHIFTED_SYMBOLS):
        return _join(bits & ~_SHIFT, shifted), (_join(bits, character),)
    return _join(bits, character), ()


def _join(bits: int, key: str) -> str:
    return join_key([name for bit, name in _MODIFIER_NAMES.items() if bits & bit], key)


def _bits(modifiers: str | None) -> int:
    """Return the modifier bits that count: the locks are dropped."""
    return max(int(modifiers or 1) - 1, 0) & _KNOWN_BITS


def _character(code: int) -> str:
    """Return the character of a code, `""` for what nothing types."""
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return ""
    return "" if code in PRIVATE_CODES else chr(code)


def _is_ascii_graphic(character: str) -> bool:
    return len(character) == 1 and "!" <= character <= "~"


def _decoded(data: bytes) -> str:
    """Return the text of `data`, `""` if it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
