"""What the terminal can show: pictures, all colours, links.

A setting counts more than a variable of the environment, and that more than what the terminal is known for. Pictures
as sixel are known only once the terminal has said so (`learn_device_attributes`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, Literal

from pi_tui.frozen import frozen
from pi_tui.known_terminals import ImageProtocol, has_true_color, known_terminal

ImageOverride = ImageProtocol | Literal["none"]
AskTmux = Callable[[Mapping[str, str]], bool]

_SIXEL_ATTRIBUTE: Final = 4
_TMUX_SECONDS: Final = 0.25
_SWITCHES: Final[Mapping[str, bool]] = {"1": True, "0": False}
_PROTOCOLS: Final[Mapping[str, ImageOverride]] = {
    "kitty": "kitty",
    "iterm2": "iterm2",
    "sixel": "sixel",
    "none": "none",
    "0": "none",
}


@frozen
class TerminalCapabilities:
    """What a terminal can show. `images` is the protocol to send pictures by; `None` if there is none."""

    images: ImageProtocol | None = None
    true_color: bool = False
    hyperlinks: bool = False


@frozen
class CapabilityOverrides:
    """What somebody has decided; `None` leaves it to what is found out."""

    images: ImageOverride | None = None
    true_color: bool | None = None
    hyperlinks: bool | None = None


_UNDECIDED: Final = CapabilityOverrides()


def ask_tmux_for_hyperlinks(environ: Mapping[str, str]) -> bool:
    """Ask tmux whether the terminal around it shows links; no answer in time is a no. Waits for the answer."""
    command = ["tmux", "display-message", "-p", "#{client_termfeatures}"]
    try:
        answer = subprocess.run(
            command,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_TMUX_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return b"hyperlinks" in answer.stdout.strip().split(b",")


def detect_capabilities(
    environ: Mapping[str, str],
    overrides: CapabilityOverrides = _UNDECIDED,
    *,
    platform: str = sys.platform,
    ask_tmux: AskTmux = ask_tmux_for_hyperlinks,
) -> TerminalCapabilities:
    """Return what the terminal of a program with this environment can show."""
    decided = _decided(overrides, environ)
    known = known_terminal(environ, platform)
    images = known.images if decided.images is None else decided.images
    true_color, hyperlinks = decided.true_color, decided.hyperlinks
    if true_color is None:
        true_color = has_true_color(environ, platform)
    if hyperlinks is None:
        hyperlinks = ask_tmux(environ) if known.hyperlinks == "ask tmux" else bool(known.hyperlinks)
    return TerminalCapabilities(None if images == "none" else images, true_color, hyperlinks)


class _Here:
    """What holds for this process."""

    overrides = CapabilityOverrides()
    capabilities: TerminalCapabilities | None = None


def get_capabilities() -> TerminalCapabilities:
    """Return what the terminal of this process can show, found out once."""
    if _Here.capabilities is None:
        _Here.capabilities = detect_capabilities(os.environ, _Here.overrides)
    return _Here.capabilities


def set_capabilities(capabilities: TerminalCapabilities) -> None:
    """Take this for what the terminal can show, until the cache is reset."""
    _Here.capabilities = capabilities


def reset_capabilities_cache() -> None:
    """Find out anew at the next question. What was decided stays."""
    _Here.capabilities = None


def set_capability_overrides(
    *,
    images: ImageOverride | None = None,
    true_color: bool | None = None,
    hyperlinks: bool | None = None,
) -> None:
    """Decide for this process, whatever the environment says; `None` leaves it to that."""
    _Here.overrides = CapabilityOverrides(images, true_color, hyperlinks)
    reset_capabilities_cache()


def learn_device_attributes(attributes: Iterable[int], environ: Mapping[str, str]) -> bool:
    """Take what a terminal answers about itself; tells whether it shows pictures that it was not known for."""
    capabilities = get_capabilities()
    is_open = _decided(_Here.overrides, environ).images is None
    if capabilities.images is not None or not is_open or _SIXEL_ATTRIBUTE not in attributes:
        return False
    set_capabilities(replace(capabilities, images="sixel"))
    return True


def forced_true_color(environ: Mapping[str, str]) -> bool | None:
    """Return what somebody has decided about colours; `None` if nobody has."""
    return _decided(_Here.overrides, environ).true_color


def _decided(overrides: CapabilityOverrides, environ: Mapping[str, str]) -> CapabilityOverrides:
    """Return what is decided: by an override, else by a variable."""
    said = _said_by(environ)
    return CapabilityOverrides(
        said.images if overrides.images is None else overrides.images,
        said.true_color if overrides.true_color is None else overrides.true_color,
        said.hyperlinks if overrides.hyperlinks is None else overrides.hyperlinks,
    )


def _said_by(environ: Mapping[str, str]) -> CapabilityOverrides:
    """Return what the user's variables decide; a value that means nothing is as good as none."""

    def value(name: str) -> str:
        return environ.get(name, "").strip().lower()

    return CapabilityOverrides(
        images=_PROTOCOLS.get(value("PI_IMAGE_PROTOCOL")),
        true_color=_SWITCHES.get(value("PI_TRUE_COLOR")),
        hyperlinks=_SWITCHES.get(value("PI_HYPERLINKS")),
    )
