"""What an extension says of its overlay, behind its boundary: the last answer that made sense counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pi_agent.extensions.guard import ExtensionGuard
from pi_tui.overlay import OverlayOptions, OverlayOptionsSource


def guarded_options(source: OverlayOptionsSource, guard: ExtensionGuard) -> OverlayOptionsSource:
    """Return options, or who is asked for them, that never fail; failures are reported to `guard`."""
    if isinstance(source, OverlayOptions):
        return _with_guarded_visible(source, guard)
    if not callable(source):
        raise TypeError(
            "custom: overlay_options should be OverlayOptions or a function that returns them, "
            f"got {type(source).__name__}"
        )
    last = OverlayOptions()

    def ask() -> OverlayOptions:
        nonlocal last
        attempt = guard.call(source)
        if isinstance(attempt.value, OverlayOptions):
            last = _with_guarded_visible(attempt.value, guard)
        elif attempt.error is None:
            kind = type(attempt.value).__name__
            guard.failed(TypeError(f"overlay_options returned {kind}, not OverlayOptions"))
        return last

    return ask


def _with_guarded_visible(options: OverlayOptions, guard: ExtensionGuard) -> OverlayOptions:
    visible = options.visible
    if visible is None:
        return options
    return replace(options, visible=_guarded_visible(visible, guard))


def _guarded_visible(
    visible: Callable[[int, int], bool], guard: ExtensionGuard
) -> Callable[[int, int], bool]:
    """Let an overlay show whose owner cannot say whether it does."""

    def ask(columns: int, rows: int) -> bool:
        attempt = guard.call(lambda: bool(visible(columns, rows)))
        return attempt.error is not None or bool(attempt.value)

    return ask
