"""The colours of a theme as variables of the page."""

from __future__ import annotations

from collections.abc import Mapping

from pi_tui.colors import Color, color_to_hex, mix_colors, rgb_color
from pi_tui.theme import Theme

_BLACK, _WHITE = rgb_color(0, 0, 0), rgb_color(255, 255, 255)
# How far the page lies from the background of messages, and cards from the page, where a theme does not say.
_PAGE_SHARE = {"dark": 0.45, "light": 0.75}
_CARD_SHARE = {"dark": 0.3, "light": 0.55}


def color_variables(theme: Theme) -> str:
    """Return declarations for every token, `--accent: #c0a0f0`, and for the page behind them."""
    colors: dict[str, Color] = {
        **_page_colors(theme),
        **{name: theme.colors[name] for name in theme.colors},
    }
    return "".join(f"--{name}:{color_to_hex(color)};" for name, color in colors.items())


def _page_colors(theme: Theme) -> Mapping[str, Color]:
    message = theme.colors["userMessageBg"]
    far = _BLACK if theme.appearance == "dark" else _WHITE
    return {
        "pageBg": mix_colors(message, far, _PAGE_SHARE[theme.appearance]),
        "cardBg": mix_colors(message, far, _CARD_SHARE[theme.appearance]),
        "infoBg": theme.colors["customMessageBg"],
        **theme.export,
    }
