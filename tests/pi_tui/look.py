"""What a row of styled text looks like, found out character by character and not with the code under test."""

from __future__ import annotations

import re

import wcwidth

NAMES = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 5: "blink", 7: "inverse", 9: "strike"}
OFF = {
    22: ("bold", "dim"),
    23: ("italic",),
    24: ("underline",),
    25: ("blink",),
    27: ("inverse",),
    29: ("strike",),
}
ORDER = [*NAMES.values(), "fg", "bg", "link"]

Cell = tuple[str, str]

# What stands for a mark of the caret.
MARK = "^"
# CSI, strings, and every other escape; of one that has no end, only what introduces it.
SEQUENCE = re.compile(
    r"\x1b(?:"
    r"\[(?P<control>[0-?]*[ -/]*)(?P<final>[@-~])"
    r"|(?P<kind>[]P^_])(?P<string>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|[()].|[ -/]+[0-~]|[0-~]|)",
    re.DOTALL,
)


class Pen:
    """The attributes a terminal would draw with."""

    def __init__(self) -> None:
        self.attributes: dict[str, str] = {}

    def look(self) -> str:
        """Return the attributes as words."""
        words = []
        for name in ORDER:
            if name in self.attributes:
                value = self.attributes[name]
                words.append(f"{name}={value}" if value else name)
        return " ".join(words)

    def csi(self, body: str, final: str) -> None:
        """Apply `CSI body final` if it is a style."""
        if final != "m" or any(character not in "0123456789;" for character in body):
            return
        numbers = [int(number or "0") for number in body.split(";")]
        while numbers:
            self._style(numbers)

    def osc(self, body: str) -> None:
        """Apply `OSC body` if it is a link."""
        parts = body.split(";", 2)
        if parts[0] == "8" and len(parts) == 3:
            self.attributes.pop("link", None)
            if parts[2]:
                self.attributes["link"] = parts[2]

    def _style(self, numbers: list[int]) -> None:
        number = numbers.pop(0)
        if number == 0:
            self.attributes = {k: v for k, v in self.attributes.items() if k == "link"}
        elif number in NAMES:
            self.attributes[NAMES[number]] = ""
        elif number in OFF or number == 21:
            for name in OFF.get(number, ("bold",)):
                self.attributes.pop(name, None)
        elif number in (38, 48):
            name = "fg" if number == 38 else "bg"
            kind = numbers.pop(0)
            rgb = [numbers.pop(0) for _ in range(3 if kind == 2 else 1)]
            self.attributes[name] = (
                str(rgb[0]) if kind == 5 else "#" + "".join(f"{c:02x}" for c in rgb)
            )
        elif number in (39, 49):
            self.attributes.pop("fg" if number == 39 else "bg", None)
        else:
            tens, ones = divmod(number, 10)
            name = "fg" if tens in (3, 9) else "bg"
            self.attributes[name] = str(ones + (8 if tens in (9, 10) else 0))


def read(text: str, pen: Pen | None = None) -> list[Cell]:
    """Return each grapheme of `text` with its look; marks for the caret come as `^`."""
    pen = pen or Pen()
    characters: list[Cell] = []
    position = 0
    for match in SEQUENCE.finditer(text):
        characters += [(character, pen.look()) for character in text[position : match.start()]]
        position = match.end()
        if match["control"] is not None:
            pen.csi(match["control"], match["final"])
        elif match["kind"] == "]":
            pen.osc(match["string"])
        elif match["kind"] == "_":
            characters.append((MARK, "mark"))
    characters += [(character, pen.look()) for character in text[position:]]
    return _clusters(characters)


def parts(text: str) -> list[list[str]]:
    """Return the text in parts of one look, marks for the caret left out."""
    result: list[list[str]] = []
    for grapheme, look in read(text):
        if look == "mark":
            continue
        if result and result[-1][1] == look:
            result[-1][0] += grapheme
        else:
            result.append([grapheme, look])
    return result


def spans(text: str) -> list[list[str]]:
    """Return the parts of `text` without blanks at the end that have no background."""
    return without_end_blanks(parts(text))


def without_end_blanks(parts: list[list[str]]) -> list[list[str]]:
    """Drop the blanks at the end that nobody can see."""
    parts = [part[:] for part in parts]
    while parts and "bg=" not in parts[-1][1]:
        parts[-1][0] = parts[-1][0].rstrip(" ")
        if parts[-1][0]:
            break
        parts.pop()
    return parts


def columns(text: str) -> list[Cell]:
    """Return one entry a cell: a wide grapheme stands in its first cell, the others are empty."""
    result: list[Cell] = []
    for grapheme, look in read(text):
        cells = 3 if grapheme == "\t" else wcwidth.width(grapheme, control_codes="ignore")
        result += [(grapheme, look)] + [("", look)] * (cells - 1) if cells else []
    return result


def end_look(text: str) -> str:
    """Return what a terminal would go on with after `text`."""
    pen = Pen()
    read(text, pen)
    return pen.look()


def _clusters(characters: list[Cell]) -> list[Cell]:
    plain = "".join(character for character, _ in characters)
    result: list[Cell] = []
    position = 0
    for grapheme in wcwidth.iter_graphemes(plain):
        result.append((grapheme, characters[position][1]))
        position += len(grapheme)
    return result
