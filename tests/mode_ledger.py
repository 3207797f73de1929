"""What a program has turned on in a terminal and not off again, kept by reading what it wrote and by nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ALTERNATE = 1049
_ON_AT_START = frozenset({7, 25})  # autowrap, cursor
_SEQUENCE = re.compile(
    rb"\x1b\[\?(?P<modes>[\d;]+)(?P<set>[hl])"
    rb"|\x1b\[>(?P<flags>\d+)u"
    rb"|\x1b\[<(?P<pops>\d*)u"
    rb"|\x1b\[>4;(?P<keys>\d)m"
    rb"|\x1b\[2(?P<title>[23]);0t"
    rb"|\x1b\[(?P<region>[\d;]*)r"
    rb"|\x1b\[(?P<style>[\d;:]*)m"
    rb"|\x1b\]9;4;(?P<progress>\d)\x07"
    rb"|\x1b\]7501;state=(?P<status>\w+)"
    rb"|\x1b\]8;[^;\x07\x1b]*;(?P<link>[^\x07\x1b]*)"
)


class ModeLedger:
    """The state that sequences leave a terminal in; `ever_on` are the modes that have been on."""

    def __init__(self, written: bytes = b"") -> None:
        self.ever_on: set[int] = set()
        self._modes = set(_ON_AT_START)
        self._keyboards: dict[bool, list[int]] = {False: [], True: []}  # a stack per screen
        self._other_keys = 0
        self._titles = 0
        self._rest: dict[str, bool] = {}
        for match in _SEQUENCE.finditer(written):
            for name, value in match.groupdict().items():
                if value is not None and name != "set":
                    self._note(name, value, match["set"] == b"h")

    @property
    def left_on(self) -> set[str]:
        """What is not as it was."""
        return set(self._differences())

    def _differences(self) -> Iterator[str]:
        yield from (f"?{mode}h" for mode in self._modes - _ON_AT_START)
        yield from (f"?{mode}l" for mode in _ON_AT_START - self._modes)
        yield from (f"keyboard of screen {on}" for on, stack in self._keyboards.items() if stack)
        yield from ["modifyOtherKeys"] if self._other_keys else []
        yield from [f"{self._titles} titles"] if self._titles else []
        yield from (name for name, is_on in self._rest.items() if is_on)

    def _note(self, name: str, value: bytes, is_set: bool) -> None:
        screen = _ALTERNATE in self._modes
        match name:
            case "modes":
                modes = {int(mode) for mode in value.split(b";")}
                self._modes = self._modes | modes if is_set else self._modes - modes
                self.ever_on |= modes if is_set else set()
            case "flags":
                self._keyboards[screen].append(int(value))
            case "pops":
                assert self._keyboards[screen], "keyboard flags of another program were taken away"
                self._keyboards[screen].pop()
            case "keys":
                self._other_keys = int(value)
            case "title":
                self._titles += 1 if value == b"2" else -1
            case "progress" | "style":
                self._rest[name] = value not in (b"0", b"")
            case "status":
                self._rest[name] = value != b"clear"
            case _:
                self._rest[name] = value != b""
