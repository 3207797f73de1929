"""Whether Shift is held down on this machine's keyboard: Apple's Terminal sends the same for Enter and Shift+Enter."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from typing import Final

from pi_tui.input_buffer import is_remote_session

_FRAMEWORK: Final = "/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices"
# https://developer.apple.com/documentation/coregraphics/cgeventsource/flagsstate(_:)
_COMBINED_STATE: Final = 0
_SHIFT_FLAG: Final = 0x20000

_log = logging.getLogger("pi.tui")


def find_shift_key(
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    read_flags: Callable[[], Callable[[], int]] | None = None,
) -> Callable[[], bool] | None:
    """Return what tells whether Shift is down; `None` where it is not needed, or another machine's keyboard counts.

    `read_flags` gives what reads the state of the modifier keys, and may fail.
    """
    is_apple_terminal = platform == "darwin" and environ.get("TERM_PROGRAM") == "Apple_Terminal"
    if not is_apple_terminal or is_remote_session(environ):
        return None
    try:
        flags = (read_flags or _apple_flags)()
    except (OSError, AttributeError) as error:
        _log.debug("the state of the Shift key cannot be read: %s", error)
        return None
    return lambda: bool(flags() & _SHIFT_FLAG)


def _apple_flags() -> Callable[[], int]:
    import ctypes

    function = ctypes.CDLL(_FRAMEWORK).CGEventSourceFlagsState
    function.argtypes, function.restype = [ctypes.c_int32], ctypes.c_uint64
    return lambda: int(function(_COMBINED_STATE))
