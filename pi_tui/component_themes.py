"""How components look whose parts differ in colour: a bar and its figures, titles of tabs, keys and what they do."""

from __future__ import annotations

from functools import partial

from pi_tui.component import Style, identity
from pi_tui.frozen import frozen
from pi_tui.theme import Theme, get_current_theme


@frozen
class ProgressTheme:
    """How progress looks: its label, what is done and what is left of the bar, and the figures."""

    label: Style = identity
    bar: Style = identity
    track: Style = identity
    figures: Style = identity


@frozen
class TabsTheme:
    """How titles of tabs look. The selected one has brackets too, for those who see no colours."""

    title: Style = identity
    selected: Style = identity


@frozen
class DiffTheme:
    """How the lines of a diff look; `changed` is put around the words that differ within a line."""

    added: Style = identity
    removed: Style = identity
    context: Style = identity
    changed: Style = identity
    gutter: Style = identity


@frozen
class KeyHintsTheme:
    """How hints look: the key, and what it does."""

    key: Style = identity
    label: Style = identity


def get_progress_theme(theme: Theme | None = None) -> ProgressTheme:
    """Return the looks of progress in a theme, else in the current one; a `ThemeHandle` may switch."""
    theme = theme or get_current_theme()
    return ProgressTheme(
        label=partial(theme.fg, "text"),
        bar=partial(theme.fg, "accent"),
        track=partial(theme.fg, "borderMuted"),
        figures=partial(theme.fg, "muted"),
    )


def get_tabs_theme(theme: Theme | None = None) -> TabsTheme:
    """Return the looks of tabs in a theme, else in the current one; a `ThemeHandle` may switch."""
    theme = theme or get_current_theme()
    return TabsTheme(partial(theme.fg, "muted"), partial(theme.fg, "accent"))


def get_diff_theme(theme: Theme | None = None) -> DiffTheme:
    """Return the looks of a diff in a theme, else in the current one; a `ThemeHandle` may switch."""
    theme = theme or get_current_theme()
    return DiffTheme(
        added=partial(theme.fg, "toolDiffAdded"),
        removed=partial(theme.fg, "toolDiffRemoved"),
        context=partial(theme.fg, "toolDiffContext"),
        changed=theme.inverse,
        gutter=partial(theme.fg, "dim"),
    )


def get_key_hints_theme(theme: Theme | None = None) -> KeyHintsTheme:
    """Return the looks of hints in a theme, else in the current one; a `ThemeHandle` may switch."""
    theme = theme or get_current_theme()
    return KeyHintsTheme(partial(theme.fg, "muted"), partial(theme.fg, "dim"))
