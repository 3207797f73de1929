"""Split what a program writes to a terminal into text, control characters and whole sequences.

Sequences are told apart as xterm does, not as the toolkit's width rules do: an unfinished one waits for more.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

StringKind = Literal["osc", "apc", "dcs", "pm", "sos"]

_TOKEN: Final = re.compile(
    r"(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f-\x9f])"
    r"|\x1b\[(?P<parameters>[ -?]*)(?P<final>[@-~])"
    r"|\x1b\](?P<command>[^\x07\x18\x1a\x1b]*)(?P<end>\x07|\x1b\\)"
    r"|\x1b(?P<introducer>[PX^_])(?P<body>[^\x18\x1a\x1b]*)\x1b\\"
    r"|\x1b(?P<escape>[ -/]+[0-~]|[0-OQ-WYZ\\`-~])"
)
# A sequence as far as it goes; what follows it decides whether it is unfinished or broken.
_BEGUN: Final = re.compile(r"\x1b(?:\[[ -?]*|\][^\x07\x18\x1a\x1b]*|[PX^_][^\x18\x1a\x1b]*|[ -/]*)")
_UNFINISHED: Final = re.compile(_BEGUN.pattern + r"(?:(?<!\x1b)\x1b)?\Z")
_STRINGS: Final[Mapping[str, StringKind]] = {"P": "dcs", "X": "sos", "^": "pm", "_": "apc"}


class Token(NamedTuple):
    """A piece of output.

    `body` is the text, the control character, the parameters of a CSI, the body of a string or what follows ESC;
    `end` is the final character of a CSI or the terminator of a string.
    """

    kind: Literal["text", "control", "csi", "escape"] | StringKind
    body: str
    end: str = ""


class OutputSplitter:
    """Holds the state between writes: characters and sequences may be cut anywhere."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._unfinished = ""

    def feed(self, data: bytes) -> Iterator[Token]:
        """Yield the pieces that `data` completes."""
        text = self._unfinished + self._decoder.decode(data)
        self._unfinished = ""
        position = 0
        while position < len(text):
            if match := _TOKEN.match(text, position):
                position = match.end()
                yield _token(match)
            elif _UNFINISHED.match(text, position):
                self._unfinished = text[position:]
                return
            else:
                begun = _BEGUN.match(text, position)
                end = begun.end() if begun else position
                if _acts_inside_a_sequence(text[end]):
                    yield Token("control", text[end])
                    text, position = text[position:end] + text[end + 1 :], 0
                else:
                    position = end + (text[end] in "\x18\x1a")


def _token(match: re.Match[str]) -> Token:
    match match.lastgroup:
        case "final":
            return Token("csi", match["parameters"], match["final"])
        case "end":
            return Token("osc", match["command"], match["end"])
        case "body":
            return Token(_STRINGS[match["introducer"]], match["body"], "\x1b\\")
        case "control":
            return Token("control", match["control"])
        case "escape":
            return Token("escape", match["escape"])
        case _:
            return Token("text", match["text"])


def _acts_inside_a_sequence(character: str) -> bool:
    """Tell whether a character is executed at once and the sequence around it goes on."""
    return character < " " and character not in "\x18\x1a\x1b"
