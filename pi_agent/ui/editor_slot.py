"""The place of the prompt editor: the built-in one, and over it those of extensions; the newest has the draft."""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.extensions.guard import ExtensionGuard
from pi_agent.extensions.owner import Owner
from pi_agent.extensions.ui import EditorFactory
from pi_agent.ui.contributions import Contributions
from pi_agent.ui.custom_editor import CustomEditor
from pi_agent.ui.guarded import Fallback, Guarded
from pi_tui.app import TUI
from pi_tui.component import Component, Renderable
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.frozen import frozen
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme, get_editor_theme
from pi_tui.width import truncate_to_width

_PLACE = "component:editor"
_FAILURES = 3


class EditorSlot(Component):
    """Which editor there is. `on_change` is called when it is another one, which has the draft by then."""

    def __init__(self, tui: TUI, theme: Theme) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self._tui = tui
        self._theme = theme
        self._editors = Contributions[_Placed](self._show, _Placed.dispose)
        self._built_in = CustomEditor(tui, get_editor_theme(theme), get_keybindings())
        self._built_in.suggestion_style = lambda text: theme.fg("dim", text)
        self._built_in.shell_border_color = theme.get_bash_mode_border_color()
        self._current = self._built_in
        self._thinking_level: str | None = None

    @property
    def current(self) -> CustomEditor:
        """The editor that has the draft."""
        return self._current

    @property
    def component(self) -> Renderable:
        """The same as it is drawn and given keys: behind its boundary, if it is an extension's."""
        placed = self._editors.top()
        return self._built_in if placed is None else placed.piece

    def set(self, owner: Owner, factory: EditorFactory | None) -> None:
        """Put the editor of an extension on top, or take its own away. If the factory fails, nothing changes."""
        if factory is None:
            self._editors.clear(owner)
            return
        guard = owner.guard(_PLACE)
        made = guard.call(
            lambda: _as_editor(factory(self._tui, get_editor_theme(self._theme), get_keybindings()))
        ).value
        if made is None or guard.call(lambda: made.take_over(self._current)).error is not None:
            return
        self._current = made
        piece = _GuardedEditor(made, guard, self._fallback(owner))
        piece.on_quarantine = lambda error: self._editors.clear(owner)
        self._editors.set(owner, _Placed(factory, made, piece))

    def factory(self) -> EditorFactory | None:
        """Return what made the editor; `None` for the built-in one."""
        placed = self._editors.top()
        return None if placed is None else placed.factory

    def show_thinking_level(self, level: str) -> None:
        """Tell how long the model thinks by the colour of the borders."""
        if level != self._thinking_level:
            self._thinking_level = level
            self._current.border_color = self._theme.get_thinking_border_color(level)

    def render(self, width: int) -> list[str]:
        """Return the rows of the editor."""
        return self.component.render(width)

    def invalidate(self) -> None:
        """Drop all caches."""
        self._built_in.invalidate()
        for placed in self._editors.values():
            placed.piece.invalidate()

    def _show(self) -> None:
        placed = self._editors.top()
        editor = self._built_in if placed is None else placed.editor
        if editor is not self._current:  # it is back; one that was made just now has the draft
            CustomEditor.take_over(editor, self._current)
            self._current = editor
        self.on_change()
        self._tui.request_render()

    def _fallback(self, owner: Owner) -> Fallback:
        def rows(width: int, problem: str | None) -> list[str]:
            row = f"[{owner.name}] editor failed: {problem or 'too often'}"
            return [self._theme.fg("error", truncate_to_width(row, width))]

        return rows


@frozen(eq=False)
class _Placed:
    """An editor, what made it, and the boundary around it."""

    factory: EditorFactory
    editor: CustomEditor
    piece: Guarded

    def dispose(self) -> None:
        """Tell the editor that it is gone."""
        self.piece.dispose()


class _GuardedEditor(Guarded):
    """An editor of an extension. A key that it fails at is still the program's; failing again and again it goes."""

    def __init__(self, editor: CustomEditor, guard: ExtensionGuard, fallback: Fallback) -> None:
        super().__init__(editor, guard, fallback)
        self._editor = editor
        self._own_guard = guard
        self._failures = 0

    def handle_key(self, event: KeyEvent) -> bool | None:
        """Give it a key."""
        attempt = self._own_guard.call(lambda: self._editor.handle_key(event))
        if attempt.error is None:
            self._failures = 0
            return attempt.value
        self._editor.take_action(event)
        self._count(attempt.error)
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        """Give it a paste; one that it fails at is not lost."""
        attempt = self._own_guard.call(lambda: self._editor.handle_paste(event))
        if attempt.error is not None:
            CustomEditor.handle_paste(self._editor, event)
            self._count(attempt.error)

    def _count(self, error: BaseException) -> None:
        self._failures += 1
        if self._failures == _FAILURES:
            self.on_quarantine(error)


def _as_editor(made: object) -> CustomEditor:
    """Return what a factory made; raises `TypeError` if the program's keys would not work in it."""
    if not isinstance(made, CustomEditor):
        raise TypeError(
            f"set_editor_component: the factory returned {type(made).__name__}; "
            "editors extend pi_agent.CustomEditor"
        )
    return made
