"""What the terminal can show, as settings, environment and what is known of terminals say.

The screen is not held up for it: tmux, which has to be asked, is asked behind the first frame.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from pi_agent.host.options import RunOptions
from pi_agent.resources.settings import SettingsStore
from pi_tui.capabilities import (
    CapabilityOverrides,
    ImageOverride,
    TerminalCapabilities,
    detect_capabilities,
    get_capabilities,
    set_capabilities,
    set_capability_overrides,
)

_IMAGES: Final[dict[str, ImageOverride]] = {
    "kitty": "kitty",
    "iterm2": "iterm2",
    "sixel": "sixel",
    "none": "none",
}


def take_capabilities(options: RunOptions) -> TerminalCapabilities:
    """Find out what can be found out at once, and use it."""
    overrides = _overrides(options.settings)
    set_capability_overrides(
        images=overrides.images,
        true_color=overrides.true_color,
        hyperlinks=overrides.hyperlinks,
    )
    found = detect_capabilities(options.environ, overrides, ask_tmux=lambda environ: False)
    set_capabilities(found)
    return found


async def complete_capabilities(options: RunOptions) -> TerminalCapabilities:
    """Find out the rest."""
    found = await asyncio.to_thread(
        detect_capabilities, options.environ, _overrides(options.settings)
    )
    # Of pictures the terminal may have said more meanwhile.
    complete = replace(get_capabilities(), hyperlinks=found.hyperlinks)
    set_capabilities(complete)
    return complete


def _overrides(settings: SettingsStore) -> CapabilityOverrides:
    return CapabilityOverrides(
        images=_IMAGES.get(settings.get_choice("terminal.images")),
        true_color=_flag(settings, "terminal.trueColor"),
        hyperlinks=_flag(settings, "terminal.hyperlinks"),
    )


def _flag(settings: SettingsStore, key: str) -> bool | None:
    value = settings.get(key)
    return value if isinstance(value, bool) else None
