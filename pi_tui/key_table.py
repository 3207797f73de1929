"""What terminals send for which key: control bytes, escape sequences and the codes of key reports.

Ids are spelled as everywhere else: modifiers in the order ctrl, shift, alt, super, then the key.
"""

from __future__ import annotations

SYMBOLS = frozenset("`-=[]\\;',./!@#$%^&*()_+|~{}:<>?")

# Lower-case spelling -> the spelling in ids.
NAMED_KEYS = {
    name.lower(): name
    for name in (
        *("escape", "enter", "tab", "space", "backspace", "delete", "insert", "clear"),
        *("home", "end", "pageUp", "pageDown", "up", "down", "left", "right"),
        *(f"f{number}" for number in range(1, 13)),
    )
} | {"esc": "escape", "return": "enter"}

# What Shift makes of another key on the most common layout. Terminals that report the typed
# character without the key below it leave no other way to know that Shift was part of typing it.
SHIFTED_SYMBOLS = frozenset('~!@#$%^&*()_+{}|:"<>?')

# One byte -> id and the other ids it stands for.
CONTROL_KEYS: dict[int, tuple[str, tuple[str, ...]]] = {
    **{code: (f"ctrl+{chr(code + 0x60)}", ()) for code in range(0x01, 0x1B)},
    0x00: ("ctrl+space", ()),
    0x08: ("backspace", ("ctrl+h",)),
    0x09: ("tab", ("ctrl+i",)),
    0x0A: ("ctrl+j", ("enter",)),
    0x0D: ("enter", ("ctrl+m",)),
    0x1B: ("escape", ("ctrl+[",)),
    0x1C: ("ctrl+\\", ()),
    0x1D: ("ctrl+]", ()),
    0x1E: ("ctrl+^", ()),
    0x1F: ("ctrl+-", ("ctrl+_",)),
    0x7F: ("backspace", ()),
}

# The byte after ESC -> id and the other ids; printable characters not listed are Alt with that key.
ALT_KEYS: dict[int, tuple[str, tuple[str, ...]]] = {
    **{code: (f"ctrl+alt+{chr(code + 0x60)}", ()) for code in range(0x01, 0x1B)},
    0x08: ("alt+backspace", ("ctrl+alt+h",)),
    0x0D: ("alt+enter", ("ctrl+alt+m",)),
    0x1B: ("ctrl+alt+[", ()),
    0x1C: ("ctrl+alt+\\", ()),
    0x1D: ("ctrl+alt+]", ()),
    0x1F: ("ctrl+alt+-", ()),
    0x7F: ("alt+backspace", ()),
    ord("b"): ("alt+left", ("alt+b",)),
    ord("f"): ("alt+right", ("alt+f",)),
    ord("p"): ("alt+up", ("alt+p",)),
    ord("n"): ("alt+down", ("alt+n",)),
    ord("B"): ("alt+left", ("shift+alt+b",)),
    ord("F"): ("alt+right", ("shift+alt+f",)),
}

# The same while the terminal reports keys unambiguously: all other pairs mean nothing then.
ALT_KEYS_REPORTED: dict[int, str] = {
    0x08: "alt+backspace",
    0x0D: "shift+enter",
    0x1B: "ctrl+alt+[",
    0x7F: "alt+backspace",
    ord("b"): "alt+left",
    ord("f"): "alt+right",
    ord("p"): "alt+up",
    ord("n"): "alt+down",
}

# `CSI 1 ; modifiers LETTER`. R is not among them: that is a cursor position.
LETTER_KEYS = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "E": "clear",
    "F": "end",
    "H": "home",
    "P": "f1",
    "Q": "f2",
    "S": "f4",
}

# `CSI NUMBER ~` and `CSI NUMBER ; modifiers ~`.
TILDE_KEYS = {
    1: "home",
    2: "insert",
    3: "delete",
    4: "end",
    5: "pageUp",
    6: "pageDown",
    7: "home",
    8: "end",
    11: "f1",
    12: "f2",
    13: "f3",
    14: "f4",
    15: "f5",
    17: "f6",
    18: "f7",
    19: "f8",
    20: "f9",
    21: "f10",
    23: "f11",
    24: "f12",
}

_RXVT_TILDE_KEYS = {number: TILDE_KEYS[number] for number in (2, 3, 5, 6, 7, 8)}

# Whole sequences without parameters for modifiers.
SEQUENCES: dict[bytes, str] = {
    **{f"\x1b[{letter}".encode(): key for letter, key in LETTER_KEYS.items()},
    **{f"\x1bO{letter}".encode(): key for letter, key in LETTER_KEYS.items()},
    **{f"\x1b[{number}~".encode(): key for number, key in TILDE_KEYS.items()},
    **{f"\x1b[{number}$".encode(): f"shift+{key}" for number, key in _RXVT_TILDE_KEYS.items()},
    **{f"\x1b[{number}^".encode(): f"ctrl+{key}" for number, key in _RXVT_TILDE_KEYS.items()},
    **{f"\x1b[{c.lower()}".encode(): f"shift+{LETTER_KEYS[c]}" for c in "ABCDE"},
    **{f"\x1bO{c.lower()}".encode(): f"ctrl+{LETTER_KEYS[c]}" for c in "ABCDE"},
    **{f"\x1b[[{c}".encode(): f"f{index}" for index, c in enumerate("ABCDE", 1)},
    b"\x1b[[5~": "pageUp",
    b"\x1b[[6~": "pageDown",
    b"\x1bOR": "f3",
    b"\x1bOM": "enter",
    b"\x1b[Z": "shift+tab",
}

# Codes in key reports that are not the character they look like.
CODE_KEYS: dict[int, str] = {
    9: "tab",
    13: "enter",
    27: "escape",
    32: "space",
    127: "backspace",
    57414: "enter",
    57417: "left",
    57418: "right",
    57419: "up",
    57420: "down",
    57421: "pageUp",
    57422: "pageDown",
    57423: "home",
    57424: "end",
    57425: "insert",
    57426: "delete",
}

# Codes of the keypad that type a character.
KEYPAD_CHARACTERS: dict[int, str] = {
    **{57399 + index: character for index, character in enumerate("0123456789./*-+")},
    57415: "=",
    57416: ",",
}

# Everything else in this range is a key without an id: F13 and up, media keys, modifiers alone.
PRIVATE_CODES = range(57344, 63744)
