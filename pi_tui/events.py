"""What the user did, as components and input listeners see it.

All events are immutable. Coordinates count from 0.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from pi_tui.frozen import frozen

KeyKind = Literal["press", "repeat", "release"]
MouseType = Literal["press", "release", "move", "drag", "click", "wheel"]
MouseButton = Literal["left", "middle", "right", "none"]


@frozen
class KeyEvent:
    """One key: its id (`"ctrl+shift+p"`), the text that typing it inserts, and the ids it also stands for."""

    id: str
    text: str = ""
    kind: KeyKind = "press"
    also: tuple[str, ...] = ()
    raw: bytes = field(default=b"", compare=False)


@frozen
class PasteEvent:
    """A bracketed paste, whole, without its markers; undecodable bytes are U+FFFD."""

    text: str


@frozen
class MouseEvent:
    """A mouse report; `x` and `y` are relative to the receiver, `width` and `height` are its bounds."""

    type: MouseType
    button: MouseButton
    x: int
    y: int
    screen_x: int
    screen_y: int
    width: int = 0
    height: int = 0
    shift: bool = False
    alt: bool = False
    ctrl: bool = False
    wheel_delta: int | None = None
    click_count: int | None = None


@frozen
class MouseResult:
    """A component's answer to a mouse event; `capture` and `focus` imply `handled`."""

    handled: bool = False
    capture: bool = False
    focus: bool = False
    render: bool | None = None


@frozen
class ResizeEvent:
    """The terminal has a new size in cells. For input listeners only."""

    columns: int
    rows: int


@frozen
class FocusEvent:
    """The terminal window gained or lost the focus. For input listeners only."""

    gained: bool


InputEvent = KeyEvent | PasteEvent | MouseEvent | ResizeEvent | FocusEvent
