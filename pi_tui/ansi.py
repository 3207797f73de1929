"""Escape sequences in text: find them, strip them, and know which style and link they leave open.

A sequence takes no cells. Anything that looks like the start of one but never ends counts its introducer
as a sequence and the rest as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from pi_tui.patterns import pattern

RESET = "\x1b[0m"

# CSI; OSC, DCS, PM and APC strings; character sets and other ESC + intermediate + final; ESC + byte.
SEQUENCE = pattern(
    r"\x1b(?:"
    r"\[[0-?]*+[ -/]*+[@-~]"
    r"|[\]P^_][^\x07\x1b]*+(?:\x07|\x1b\\)"
    r"|[()][\s\S]"
    r"|[ -/]++[0-~]"
    r"|[0-~]"
    r")"
)

_SGR = pattern(r"\x1b\[([0-9;:]*)m")
_LINK = pattern(r"\x1b\]8;([^;\x07\x1b]*);([^\x07\x1b]*)(\x07|\x1b\\)")
_CONTROL = pattern(r"[\x00-\x1f\x7f-\x9f]")
_CONTROLS = pattern(r"[\x00-\x1f\x7f-\x9f]+")

# What a row may be made of: text, styles, links, and the marks of the caret.
_DRAWABLE = pattern(
    r"(?:[^\x00-\x1f\x7f-\x9f]++|\t|\x1b\[[0-9;:]*+m"
    r"|\x1b\]8;[^\x00-\x1f\x7f-\x9f]*+(?:\x07|\x1b\\)|\x1b_pi:/?f?c\x07)*+"
)

# The rows of which it is known at a glance that they draw and do nothing else.
_STYLED_ASCII = pattern(r"(?:[ -~]++|\x1b\[[0-9;:]*+m)*+")

# What untrusted text may not bring to a terminal: any control but newline and tab, and lone surrogates.
_SUSPECT = pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# Bodies of strings stop at every introducer, or a text full of those would be read once for each.
_UNTRUSTED = pattern(
    r"(?P<break>\r\n?)"
    r"|\x1b\[(?P<sgr>[0-9;:]*)m"
    r"|(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x90\x98\x9b-\x9f\n\r]*+(?:\x07|\x1b\\|\x9c)?"
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])"
    r"(?:[^\x07\x1b\x90\x98\x9b-\x9f]*+(?:\x07|\x1b\\|\x9c)|[^\x07\x1b\x90\x98\x9b-\x9f\n\r]*+)"
    r"|\x1b[ -/]*+[0-~]?"
    r"|(?P<surrogate>[\ud800-\udfff])"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
_UNFINISHED = pattern(
    r"(?:(?:\x1b\[|\x9b)[0-?]*+[ -/]*+"
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x90\x98\x9b-\x9f\n\r]*+\x1b?"
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9b-\x9f]*+\x1b?"
    r"|\x1b[ -/]*+"
    r"|\r)\Z"
)
_UNFINISHED_LIMIT = 64 * 1024

_SWITCHED_ON = {
    "1": "bold",
    "2": "dim",
    "3": "italic",
    "4": "underline",
    "5": "blink",
    "6": "blink",
    "7": "inverse",
    "8": "hidden",
    "9": "strike",
    "53": "overline",
}
_SWITCHED_OFF = {
    "21": ("bold",),
    "22": ("bold", "dim"),
    "23": ("italic",),
    "24": ("underline",),
    "25": ("blink",),
    "27": ("inverse",),
    "28": ("hidden",),
    "29": ("strike",),
    "39": ("foreground",),
    "49": ("background",),
    "55": ("overline",),
    "59": ("underline color",),
}
# Of two codes for one attribute the later counts: "21" is a double underline to many terminals.
_OFF_CODE = {name: code for code, names in _SWITCHED_OFF.items() for name in names}
_COLORS = {"38": "foreground", "48": "background", "58": "underline color"}
_COLOR_ARGUMENTS = {"5": 1, "2": 3}

# One change of an SGR sequence: the attribute and its code, `None` for off; ("", None) switches all off.
_Change = tuple[str, str | None]


class AnsiState:
    """The style and the link that are active at a point of a text."""

    __slots__ = ("_codes", "_link", "_link_end")

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._link = ""
        self._link_end = ""

    def feed(self, sequence: str) -> bool:
        """Apply one sequence; `False` if it is neither SGR nor a link, so that it changed nothing."""
        if sequence[-1:] != "m" and not sequence.startswith("\x1b]8;"):
            return False
        changes, link, link_end = _effect(sequence)
        if changes is not None:
            self._apply(changes)
        elif link_end:
            self._link, self._link_end = link, link_end
        else:
            return False
        return True

    def feed_all(self, text: str) -> str:
        """Apply every sequence in `text` and return those that changed nothing, like cursor marks."""
        others = ""
        if "\x1b" in text:
            for match in SEQUENCE.finditer(text):
                if not self.feed(match[0]):
                    others += match[0]
        return others

    @property
    def link(self) -> str:
        """The target of the open link, or `""`."""
        match = _LINK.fullmatch(self._link)
        return match[2] if match is not None else ""

    @property
    def background(self) -> str:
        """The sequence that sets the active background, or `""`."""
        code = self._codes.get("background")
        return f"\x1b[{code}m" if code is not None else ""

    def open_codes(self) -> str:
        """Return what brings a plain terminal into this state."""
        style = f"\x1b[{';'.join(self._codes.values())}m" if self._codes else ""
        return style + self._link

    def close_codes(self) -> str:
        """Return what brings a terminal from this state back to plain."""
        return self.close_link_codes() + (RESET if self._codes else "")

    def close_link_codes(self) -> str:
        """Return what ends the open link, with the terminator it was opened with."""
        return f"\x1b]8;;{self._link_end}" if self._link else ""

    def line_end_codes(self) -> str:
        """Return what must not reach the blanks after a row: it ends lines through them and the link."""
        underline = "\x1b[24m" if "underline" in self._codes else ""
        strike = "\x1b[29m" if "strike" in self._codes else ""
        overline = "\x1b[55m" if "overline" in self._codes else ""
        return underline + strike + overline + self.close_link_codes()

    def copy(self) -> AnsiState:
        """Return an independent copy."""
        other = AnsiState()
        other._codes = self._codes.copy()
        other._link, other._link_end = self._link, self._link_end
        return other

    def __bool__(self) -> bool:
        """Whether a style or a link is open."""
        return bool(self._codes or self._link)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AnsiState):
            return NotImplemented
        return self._codes == other._codes and self._link == other._link

    def _apply(self, changes: tuple[_Change, ...]) -> None:
        for attribute, code in changes:
            if not attribute:
                self._codes.clear()
            elif code is None:
                self._codes.pop(attribute, None)
            else:
                self._codes[attribute] = code


def split_sequences(text: str) -> Iterator[tuple[bool, str]]:
    """Yield `(is_sequence, piece)`; the pieces joined give `text`, and no text piece is empty."""
    position = 0
    if "\x1b" in text:
        for match in SEQUENCE.finditer(text):
            if match.start() > position:
                yield False, text[position : match.start()]
            yield True, match[0]
            position = match.end()
    if position < len(text):
        yield False, text[position:]


def strip_terminal_sequences(text: str) -> str:
    """Remove every complete sequence and keep all other characters, controls too."""
    return SEQUENCE.sub("", text) if "\x1b" in text else text


def replace_control_characters(text: str) -> str:
    """Make each run of control characters one space: for titles and one-line messages."""
    return _CONTROLS.sub(" ", text)


def is_styled_ascii(row: str) -> bool:
    """Tell whether a row is nothing but styles and printable ASCII."""
    return _STYLED_ASCII.fullmatch(row) is not None


def strip_undrawable(row: str) -> str:
    """Leave out of a row what would move the cursor, erase, ring or reconfigure; styles and links stay."""
    if _DRAWABLE.fullmatch(row):
        return row
    return "".join(
        piece if _DRAWABLE.fullmatch(piece) else "" if is_sequence else _CONTROLS.sub("", piece)
        for is_sequence, piece in split_sequences(row)
    )


def sanitize_output(text: str) -> str:
    """Make untrusted text safe to draw: colours stay, every other control goes.

    Of SGR, only what this module understands is written anew, and never "hidden". A sequence that
    does not end goes as far as it came, a title or the like up to the end of its line. `\\r\\n` and a lone
    `\\r` become newlines, lone surrogates U+FFFD. Text that arrives in pieces goes through
    `split_unfinished` first.
    """
    if not _SUSPECT.search(text):
        return text
    return _UNTRUSTED.sub(_sanitized, text)


def split_unfinished(text: str) -> tuple[str, str]:
    """Split off a sequence, or `\\r\\n`, that the next piece of a stream may complete.

    The second part belongs in front of the next piece. A string sequence of more than 64 KB is not
    waited for.
    """
    match = _UNFINISHED.search(text, max(0, len(text) - _UNFINISHED_LIMIT))
    if match is None:
        return text, ""
    return text[: match.start()], match[0]


def hyperlink(text: str, url: str) -> str:
    """Make `text` a link; control characters in `url` are removed."""
    return f"\x1b]8;;{_CONTROL.sub('', url)}\x1b\\{text}\x1b]8;;\x1b\\"


def get_active_background(text: str) -> str:
    """Return the sequence of the background that is active at the end of `text`, or `""`."""
    state = AnsiState()
    state.feed_all(text)
    return state.background


def _sanitized(match: re.Match[str]) -> str:
    if match["sgr"] is not None:
        return _safe_sgr(match["sgr"])
    if match["break"] is not None:
        return "\n"
    return "\ufffd" if match["surrogate"] is not None else ""


@lru_cache(maxsize=512)
def _safe_sgr(parameters: str) -> str:
    codes: list[str] = []
    for attribute, code in _sgr_changes(parameters):
        safe = code or _OFF_CODE.get(attribute, "0")
        if safe != "8" and codes[-1:] != [safe]:
            codes.append(safe)
    return f"\x1b[{';'.join(codes)}m" if codes else ""


@lru_cache(maxsize=4096)
def _effect(sequence: str) -> tuple[tuple[_Change, ...] | None, str, str]:
    """Return the style's changes, or `None`, the link to open, and how its sequence ends."""
    style = _SGR.fullmatch(sequence)
    if style is not None:
        return _sgr_changes(style[1]), "", ""
    link = _LINK.fullmatch(sequence)
    if link is not None:
        return None, sequence if link[2] else "", link[3]
    return None, "", ""


def _sgr_changes(parameters: str) -> tuple[_Change, ...]:
    tokens = [token.lstrip("0") or "0" for token in parameters.split(";")]
    changes: list[_Change] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token in _COLORS:
            count = _COLOR_ARGUMENTS.get(tokens[position], 0) if position < len(tokens) else 0
            arguments = tokens[position : position + 1 + count]
            position += 1 + count
            # Without its arguments nobody can tell what the rest of the sequence means.
            if not count or len(arguments) != 1 + count or ":" in "".join(arguments):
                break
            changes.append((_COLORS[token], ";".join([token, *arguments])))
        else:
            changes.extend(_single_changes(token))
    return tuple(changes)


def _single_changes(token: str) -> list[_Change]:
    if token == "0":
        return [("", None)]
    if token in _SWITCHED_ON:
        return [(_SWITCHED_ON[token], token)]
    if token in _SWITCHED_OFF:
        return [(attribute, None) for attribute in _SWITCHED_OFF[token]]
    head, colon, rest = token.partition(":")
    if colon:
        if head in _COLORS:
            return [(_COLORS[head], token)]
        if head == "4":
            return [("underline", None if rest == "0" else token)]
        return []
    if len(token) in (2, 3) and token[:-1] in ("3", "9"):
        return [("foreground", token)] if token[-1] < "8" else []
    if len(token) in (2, 3) and token[:-1] in ("4", "10"):
        return [("background", token)] if token[-1] < "8" else []
    return []
