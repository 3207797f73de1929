"""What the emulated terminal notes down and answers besides drawing: titles, clipboard, pictures, queries.

Nothing here touches the grid. Answers are off unless asked for, since most tests want a terminal that is silent.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from pi_tui.emulator_stream import StringKind
from pi_tui.frozen import frozen

# What a terminal says when asked, by the name that turns it on. An empty value means that the reply follows from
# the terminal's state. Any other OSC that asks with `?` is turned on by `osc<number>` with a value.
DEFAULT_ANSWERS: Final[Mapping[str, str]] = {
    "cell_size": "18;9",
    "color_scheme": "1",
    "cursor": "",
    "da1": "?62;22",
    "da2": ">41;400;0",
    "decrqm": "",
    "kitty": "",
    "osc4": "",
    "osc10": "rgb:d0d0/d0d0/d0d0",
    "osc11": "rgb:1010/1010/1010",
}

_STATIC_QUERIES: Final[Mapping[str, tuple[str, str]]] = {
    "c": ("da1", "\x1b[{}c"),
    "0c": ("da1", "\x1b[{}c"),
    ">c": ("da2", "\x1b[{}c"),
    ">0c": ("da2", "\x1b[{}c"),
    "16t": ("cell_size", "\x1b[6;{}t"),
    "?996n": ("color_scheme", "\x1b[?997;{}n"),
}
_MODE_QUERY: Final = re.compile(r"\?([0-9]+)\$p")
_KNOWN_MODES: Final = frozenset(
    (1, 5, 6, 7, 12, 25, 47, 1000, 1002, 1003, 1004, 1006, 1047, 1048, 1049, 2004, 2026, 2031)
)
_START_MODES: Final = frozenset((7, 25))


@frozen
class ControlString:
    """A control string that draws nothing: its kind, its body, and the cursor at that moment."""

    kind: StringKind
    body: str
    x: int
    y: int


@frozen
class ImageCommand:
    """One picture command; the chunks of a kitty command are joined.

    `keys` are the command's own (`a`, `i`, `c`, `r` of kitty; `width`, `size` of iTerm2; none of sixel), `data`
    is the decoded payload, `x` and `y` are the cursor at its start.
    """

    protocol: Literal["kitty", "iterm2", "sixel"]
    keys: Mapping[str, str]
    data: bytes
    x: int
    y: int


class TerminalRecords:
    """The records of a terminal, as plain attributes.

    `strings` has every control string except OSC 8, whose links are on the cells. `modes` are the DEC private
    modes that are set. `frames` counts completed synchronized updates (`?2026h` to `?2026l`). `replies` is what the
    terminal sent back; whoever passes them on takes them out.
    """

    def __init__(self, answers: Iterable[str] | Mapping[str, str]) -> None:
        self.answers = _answers(answers)
        self.replies: list[bytes] = []
        self.title = ""
        self.clipboard: str | None = None
        self.bells = 0
        self.strings: list[ControlString] = []
        self.images: list[ImageCommand] = []
        self.modes = set(_START_MODES)
        self.modify_other_keys = 0
        self.bytes_written = 0
        self.frames = 0
        self._chunks: list[str] = []
        self._first_chunk: ControlString | None = None

    def reset_modes(self) -> None:
        """Go back to the modes a terminal starts with."""
        self.modes = set(_START_MODES)
        self.modify_other_keys = 0

    def note_mode(self, mode: int, on: bool) -> None:
        """Note that a DEC private mode was set or reset."""
        if mode == 2026 and not on and 2026 in self.modes:
            self.frames += 1
        if on:
            self.modes.add(mode)
        else:
            self.modes.discard(mode)

    def note_string(self, string: ControlString, end: str) -> None:
        """Take a control string and its terminator: record it, and what it sets, shows or asks for."""
        self.strings.append(string)
        if string.kind == "osc":
            self._note_osc(string, end)
        elif string.kind == "apc" and string.body.startswith("G"):
            self._note_kitty(string)
        elif string.kind == "dcs" and (sixel := re.match(r"[0-9;]*q", string.body)):
            data = string.body[sixel.end() :].encode()
            self.images.append(ImageCommand("sixel", {}, data, string.x, string.y))

    def answer_csi(self, sequence: str, cursor: tuple[int, int], kitty_flags: int) -> bool:
        """Tell whether a CSI sequence (without its introducer) is a query, and answer it if told to."""
        if query := _STATIC_QUERIES.get(sequence):
            name, reply = query
            self._reply(name, reply.format(self.answers.get(name)))
        elif sequence == "6n":
            self._reply("cursor", f"\x1b[{cursor[1] + 1};{cursor[0] + 1}R")
        elif sequence == "?u":
            self._reply("kitty", f"\x1b[?{kitty_flags}u")
        elif match := _MODE_QUERY.fullmatch(sequence):
            mode = integer(match[1])
            state = 0 if mode not in _KNOWN_MODES else 1 if mode in self.modes else 2
            self._reply("decrqm", f"\x1b[?{mode};{state}$y")
        else:
            return False
        return True

    def _reply(self, name: str, reply: str) -> None:
        if name in self.answers:
            self.replies.append(reply.encode())

    def _note_osc(self, string: ControlString, end: str) -> None:
        number, _, body = string.body.partition(";")
        if number in ("0", "2"):
            self.title = body
        elif number == "52" and not body.endswith("?"):
            self.clipboard = _decoded(body.partition(";")[2]).decode("utf-8", "replace")
        elif number == "1337" and body.startswith("File="):
            keys, _, data = body.removeprefix("File=").partition(":")
            image = ImageCommand("iterm2", _keys(keys, ";"), _decoded(data), string.x, string.y)
            self.images.append(image)
        elif number == "4":
            self._answer_palette(body, end)
        elif body == "?":
            name = f"osc{number}"
            self._reply(name, f"\x1b]{number};{self.answers.get(name)}{end}")

    def _answer_palette(self, body: str, end: str) -> None:
        """Answer each `index;?` pair: with the value of `osc4`, or else a grey that tells the index."""
        parts = body.split(";")
        for index, asked in zip(parts[::2], parts[1::2], strict=False):
            if asked == "?":
                grey = f"{integer(index) % 256:02x}" * 2
                color = self.answers.get("osc4") or f"rgb:{grey}/{grey}/{grey}"
                self._reply("osc4", f"\x1b]4;{index};{color}{end}")

    def _note_kitty(self, string: ControlString) -> None:
        """Record a kitty command once its last chunk (`m` is absent or 0) is there."""
        first = self._first_chunk = self._first_chunk or string
        keys, _, data = string.body[1:].partition(";")
        self._chunks.append(data)
        if _keys(keys, ",").get("m") == "1":
            return
        own = _keys(first.body[1:].partition(";")[0], ",")
        own.pop("m", None)
        data = "".join(self._chunks)
        self.images.append(ImageCommand("kitty", own, _decoded(data), first.x, first.y))
        self._first_chunk, self._chunks = None, []


def integer(text: str) -> int:
    """Return the value of a numeric parameter; 0 for anything else."""
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def _answers(answers: Iterable[str] | Mapping[str, str]) -> dict[str, str]:
    if isinstance(answers, Mapping):
        return dict(answers)
    unknown = sorted(set(answers) - DEFAULT_ANSWERS.keys())
    if unknown:
        raise ValueError(f"no default answer to {', '.join(unknown)}: pass a mapping with a value")
    return {name: DEFAULT_ANSWERS[name] for name in answers}


def _keys(text: str, separator: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(separator) if part)
    return {key: value for key, _, value in pairs}


def _decoded(data: str) -> bytes:
    """Return what base64 `data` stands for; empty for data that is not base64."""
    try:
        return base64.b64decode(data + "=" * (-len(data) % 4))
    except (binascii.Error, ValueError):
        return b""
