"""The colours of a theme as variables of the page, on the screen and on paper."""

from __future__ import annotations

from collections.abc import Mapping

from pi_tui.colors import Color, color_to_hex, contrast_ratio, mix_colors, rgb_color
from pi_tui.theme import Theme
from pi_tui.theme_tokens import THEME_TOKENS

_BLACK, _WHITE = rgb_color(0, 0, 0), rgb_color(255, 255, 255)
# How far the page lies from the background of messages, and cards from the page, where a theme does not say.
_PAGE_SHARE = {"dark": 0.45, "light": 0.75}
_CARD_SHARE = {"dark": 0.3, "light": 0.55}
# WCAG's minimum for text.
_READABLE_CONTRAST = 4.5
# How many shades of a colour are tried for paper, and how much of a background is white there.
_STEPS = 20
_PAPER_SHARE = 0.9


def color_rules(theme: Theme) -> str:
    """Return the rules that set a variable for every token, `--accent: #c0a0f0`, and for the page behind them."""
    colors = {name: theme.colors[name] for name in theme.colors} | _page_colors(theme)
    on_paper = {name: _on_paper(name, color, colors["pageBg"]) for name, color in colors.items()}
    return (
        f":root{{color-scheme:{theme.appearance};{_variables(colors)}}}\n"
        f"@media print{{:root{{color-scheme:light;{_variables(on_paper)}}}}}\n"
    )


def _variables(colors: Mapping[str, Color]) -> str:
    return "".join(f"--{name}:{color_to_hex(color)};" for name, color in colors.items())


def _page_colors(theme: Theme) -> dict[str, Color]:
    message = theme.colors["userMessageBg"]
    far = _BLACK if theme.appearance == "dark" else _WHITE
    return {
        "pageBg": mix_colors(message, far, _PAGE_SHARE[theme.appearance]),
        "cardBg": mix_colors(message, far, _CARD_SHARE[theme.appearance]),
        "infoBg": theme.colors["customMessageBg"],
        **theme.export,
    }


def _on_paper(name: str, color: Color, page: Color) -> Color:
    """Return what stands for a colour on white: as clear text, a background that nearly is paper."""
    token = THEME_TOKENS.get(name)
    if token is None or token.slot == "bg":
        return _WHITE if name == "pageBg" else mix_colors(color, _WHITE, _PAPER_SHARE)
    wanted = max(_READABLE_CONTRAST, contrast_ratio(color, page))
    shades = (mix_colors(color, _BLACK, step / _STEPS) for step in range(_STEPS + 1))
    return next((each for each in shades if contrast_ratio(each, _WHITE) >= wanted), _BLACK)
