"""Colour text by meaning: a `Theme` gives each token its colour, and knows what the terminal can show.

The escape sequences of all tokens are made once, when the theme is; drawing only puts them around text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pi_tui.appearance import Appearance
from pi_tui.colors import (
    Color,
    ColorMode,
    background_ansi,
    foreground_ansi,
    mix_colors,
    rgb_color,
    wrap_attributes,
)
from pi_tui.frozen import frozen
from pi_tui.theme_tokens import THEME_TOKENS, TOKEN_BY_ATTRIBUTE, TokenSlot

if TYPE_CHECKING:
    from pi_tui.component import Style

_FAINT_SHARE = 0.4

# What a terminal probably shows by default when it has not said: text and background.
_LIKELY_DEFAULTS: dict[Appearance, dict[TokenSlot, Color]] = {
    "dark": {"fg": rgb_color(0xE5, 0xE5, 0xE7), "bg": rgb_color(0, 0, 0)},
    "light": {"fg": rgb_color(0, 0, 0), "bg": rgb_color(255, 255, 255)},
}

_THINKING_TOKENS = {
    "off": "thinkingOff",
    "minimal": "thinkingMinimal",
    "low": "thinkingLow",
    "medium": "thinkingMedium",
    "high": "thinkingHigh",
    "xhigh": "thinkingXhigh",
    "max": "thinkingMax",
}


class ThemeColors:
    """The concrete colour of every token, by name (`["userMessageBg"]`) or attribute (`.user_message_bg`).

    A token that leaves the choice to the terminal has the terminal's colour here, or a likely one.
    """

    def __init__(self, colors: Mapping[str, Color]) -> None:
        self._colors = dict(colors)

    def __getitem__(self, token: str) -> Color:
        try:
            return self._colors[token]
        except KeyError:
            raise ValueError(f'unknown theme token "{token}"') from None

    def __getattr__(self, attribute: str) -> Color:
        token = TOKEN_BY_ATTRIBUTE.get(attribute)
        if token is None:
            raise AttributeError(f'a theme has no color "{attribute}"')
        return self[token]

    def __iter__(self) -> Iterator[str]:
        return iter(self._colors)

    def __len__(self) -> int:
        return len(self._colors)


class _Codes(NamedTuple):
    """The sequences of one token: its colour alone, and all that opens and closes it."""

    color: str
    opening: str
    closing: str


@frozen
class _Look:
    """All of a theme, so that a handle switches in one assignment."""

    name: str
    appearance: Appearance
    color_mode: ColorMode
    source_path: Path | None
    export: Mapping[str, Color]
    colors: ThemeColors
    faint: frozenset[str]
    foregrounds: Mapping[str, _Codes]
    backgrounds: Mapping[str, _Codes]


class Theme:
    """Colours and attributes for text, by token. Immutable; `pi_tui.theme_file` reads one from a file.

    `tokens` gives the colour of each token, `None` for the terminal's own; optional tokens may be missing.
    Tokens in `faint` are dimmed. The default colours are those the terminal reported, if it did.
    """

    _look: _Look

    def __init__(
        self,
        name: str,
        appearance: Appearance,
        tokens: Mapping[str, Color | None],
        color_mode: ColorMode,
        *,
        source_path: Path | None = None,
        export: Mapping[str, Color] | None = None,
        faint: frozenset[str] = frozenset(),
        default_foreground: Color | None = None,
        default_background: Color | None = None,
    ) -> None:
        complete = complete_tokens(tokens)
        defaults = dict(_LIKELY_DEFAULTS[appearance])
        if default_foreground is not None:
            defaults["fg"] = default_foreground
        if default_background is not None:
            defaults["bg"] = default_background
        self._look = _Look(
            name=name,
            appearance=appearance,
            color_mode=color_mode,
            source_path=source_path,
            export=dict(export or {}),
            colors=_concrete_colors(complete, defaults, faint),
            faint=faint,
            foregrounds={
                token: _foreground_codes(color, color_mode, is_faint=token in faint)
                for token, color in complete.items()
                if THEME_TOKENS[token].slot == "fg"
            },
            backgrounds={
                token: _background_codes(color, color_mode)
                for token, color in complete.items()
                if THEME_TOKENS[token].slot == "bg"
            },
        )

    @property
    def name(self) -> str:
        """What the user selects it by."""
        return self._look.name

    @property
    def appearance(self) -> Appearance:
        """Whether it is made for a dark or a light terminal."""
        return self._look.appearance

    @property
    def color_mode(self) -> ColorMode:
        """Which kind of escape sequences it writes."""
        return self._look.color_mode

    @property
    def source_path(self) -> Path | None:
        """The file it was read from."""
        return self._look.source_path

    @property
    def colors(self) -> ThemeColors:
        """The concrete colours, for mixing, or for using a background as a foreground."""
        return self._look.colors

    @property
    def export(self) -> Mapping[str, Color]:
        """The colours its file gives for HTML export: some of `pageBg`, `cardBg`, `infoBg`."""
        return self._look.export

    def fg(self, token: str, text: str) -> str:
        """Colour `text`. A colour inside the text ends this one: use `style` once instead of nesting."""
        codes = _find(self._look.foregrounds, token, "fg")
        return f"{codes.opening}{text}{codes.closing}" if text else ""

    def bg(self, token: str, text: str) -> str:
        """Colour what is behind `text`."""
        codes = _find(self._look.backgrounds, token, "bg")
        return f"{codes.opening}{text}{codes.closing}" if text else ""

    def style(
        self,
        text: str,
        *,
        fg: str | Color | None = None,
        bg: str | Color | None = None,
        bold: bool = False,
        dim: bool = False,
        italic: bool = False,
        underline: bool = False,
        inverse: bool = False,
        strikethrough: bool = False,
    ) -> str:
        """Apply colours (tokens of the right slot, or any `Color`) and attributes at once."""
        look = self._look
        opening, closing = "", ""
        if fg is not None:
            opening, closing = self._open_foreground(fg), "\x1b[39m"
        if bg is not None:
            opening, closing = opening + self._open_background(bg), "\x1b[49m" + closing
        if look.color_mode == "mono":
            opening, closing = "", ""
        return wrap_attributes(
            text,
            opening,
            closing,
            bold=bold,
            dim=dim or (isinstance(fg, str) and fg in look.faint),
            italic=italic,
            underline=underline,
            inverse=inverse,
            strikethrough=strikethrough,
        )

    def bold(self, text: str) -> str:
        """Make `text` bold."""
        return wrap_attributes(text, "", "", bold=True)

    def italic(self, text: str) -> str:
        """Make `text` italic."""
        return wrap_attributes(text, "", "", italic=True)

    def underline(self, text: str) -> str:
        """Underline `text`."""
        return wrap_attributes(text, "", "", underline=True)

    def inverse(self, text: str) -> str:
        """Swap the colours of `text` and what is behind it."""
        return wrap_attributes(text, "", "", inverse=True)

    def strikethrough(self, text: str) -> str:
        """Strike `text` out."""
        return wrap_attributes(text, "", "", strikethrough=True)

    def get_fg_ansi(self, token: str) -> str:
        """Return the sequence that starts the foreground `token`."""
        return _find(self._look.foregrounds, token, "fg").opening

    def get_bg_ansi(self, token: str) -> str:
        """Return the sequence that starts the background `token`."""
        return _find(self._look.backgrounds, token, "bg").opening

    def get_thinking_border_color(self, level: str) -> Style:
        """Return the style of the editor's border at a thinking level; unknown ones look like `off`."""
        return partial(self.fg, _THINKING_TOKENS.get(level, "thinkingOff"))

    def get_bash_mode_border_color(self) -> Style:
        """Return the style of the editor's border while a shell command is typed."""
        return partial(self.fg, "bashMode")

    def _open_foreground(self, color: str | Color) -> str:
        if isinstance(color, str):
            return _find(self._look.foregrounds, color, "fg").color
        return foreground_ansi(color, self._look.color_mode)

    def _open_background(self, color: str | Color) -> str:
        if isinstance(color, str):
            return _find(self._look.backgrounds, color, "bg").color
        return background_ansi(color, self._look.color_mode)


class ThemeHandle(Theme):
    """A theme that can become another one: whoever holds it, or styles made from it, follows the switch."""

    def __init__(self, theme: Theme) -> None:
        self.set(theme)

    def is_same(self, theme: Theme) -> bool:
        """Tell whether this is `theme` already."""
        return self._look is theme._look

    def set(self, theme: Theme) -> None:
        """Become `theme`. Whoever calls this drops the rendered output of the old one."""
        self._look = theme._look


class _Current:
    handle: ThemeHandle | None = None


_current = _Current()


def get_current_theme() -> ThemeHandle:
    """Return the theme of the process; until one is set, that is text in the terminal's own colours."""
    if _current.handle is None:
        tokens: dict[str, Color | None] = dict.fromkeys(THEME_TOKENS)
        _current.handle = ThemeHandle(Theme("default", "dark", tokens, "mono"))
    return _current.handle


def set_current_theme(theme: ThemeHandle) -> None:
    """Make `theme` the one of the process."""
    _current.handle = theme


@frozen
class SelectListTheme:
    """How a list of choices looks; `selected_text` styles the whole selected row."""

    selected_text: Style
    text: Style
    description: Style
    scroll_info: Style
    no_match: Style


@frozen
class SettingsListTheme:
    """How a list of settings looks. `label` and `value` are told whether their row is selected.

    `cursor` stands in front of the selected row: a text of two cells, or a function that returns it.
    """

    label: Callable[[str, bool], str]
    value: Callable[[str, bool], str]
    description: Style
    cursor: str | Callable[[], str]
    hint: Style

    def cursor_text(self) -> str:
        """Return the cursor as it looks now."""
        return self.cursor if isinstance(self.cursor, str) else self.cursor()


@frozen
class EditorTheme:
    """How the prompt editor looks, its menu of suggestions included."""

    border_color: Style
    select_list: SelectListTheme


def get_select_list_theme(theme: Theme | None = None) -> SelectListTheme:
    """Return the looks of a list in a theme, else in the current one; a `ThemeHandle` may switch."""
    theme = theme or get_current_theme()
    muted = partial(theme.fg, "muted")
    return SelectListTheme(
        selected_text=partial(theme.fg, "accent"),
        text=partial(theme.fg, "text"),
        description=muted,
        scroll_info=muted,
        no_match=muted,
    )


def get_settings_list_theme(theme: Theme | None = None) -> SettingsListTheme:
    """Return the looks of a list of settings in a theme, else in the current one; a `ThemeHandle` may switch."""
    theme = theme or get_current_theme()

    def label(text: str, is_selected: bool) -> str:
        return theme.fg("accent" if is_selected else "text", text)

    def value(text: str, is_selected: bool) -> str:
        return theme.fg("accent" if is_selected else "muted", text)

    dim = partial(theme.fg, "dim")
    return SettingsListTheme(label, value, dim, partial(theme.fg, "accent", "→ "), dim)


def get_editor_theme(theme: Theme | None = None) -> EditorTheme:
    """Return the looks of the editor in a theme, else in the current one; a `ThemeHandle` may switch."""
    theme = theme or get_current_theme()
    return EditorTheme(
        border_color=partial(theme.fg, "borderMuted"),
        select_list=get_select_list_theme(theme),
    )


def complete_tokens(tokens: Mapping[str, Color | None]) -> dict[str, Color | None]:
    """Return a colour for every token: missing optional ones copy the token that stands in for them."""
    unknown = sorted(set(tokens) - set(THEME_TOKENS))
    if unknown:
        raise ValueError(f'unknown theme token "{unknown[0]}"')
    complete = dict(tokens)
    for token in THEME_TOKENS.values():
        if token.name in complete:
            continue
        if token.fallback is None:
            raise ValueError(f'missing theme token "{token.name}"')
        complete[token.name] = tokens[token.fallback]
    return complete


def _find(table: Mapping[str, _Codes], token: str, slot: TokenSlot) -> _Codes:
    codes = table.get(token)
    if codes is not None:
        return codes
    if token not in THEME_TOKENS:
        raise ValueError(f'unknown theme token "{token}"')
    wanted, actual = ("foreground", "background") if slot == "fg" else ("background", "foreground")
    raise ValueError(
        f'theme token "{token}" is a {actual}, not a {wanted}: pass theme.colors["{token}"] to style()'
    )


def _foreground_codes(color: Color | None, mode: ColorMode, *, is_faint: bool) -> _Codes:
    if mode == "mono":
        return _Codes("", "\x1b[2m", "\x1b[22m") if is_faint else _Codes("", "", "")
    opening = "\x1b[39m" if color is None else foreground_ansi(color, mode)
    if is_faint:
        return _Codes(opening, opening + "\x1b[2m", "\x1b[22;39m")
    return _Codes(opening, opening, "\x1b[39m")


def _background_codes(color: Color | None, mode: ColorMode) -> _Codes:
    if mode == "mono":
        return _Codes("", "", "")
    opening = "\x1b[49m" if color is None else background_ansi(color, mode)
    return _Codes(opening, opening, "\x1b[49m")


def _concrete_colors(
    tokens: Mapping[str, Color | None],
    defaults: Mapping[TokenSlot, Color],
    faint: frozenset[str],
) -> ThemeColors:
    colors = {}
    for token, color in tokens.items():
        concrete = color if color is not None else defaults[THEME_TOKENS[token].slot]
        if token in faint:
            concrete = mix_colors(concrete, defaults["bg"], _FAINT_SHARE)
        colors[token] = concrete
    return ThemeColors(colors)
