"""A message of an extension: drawn by the renderer that it registered, else in a box with its type and its text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pi_agent.extensions.message_renderer import MessageRenderOptions, OwnedRenderer
from pi_agent.llm.messages import CustomMessage, text_of
from pi_agent.ui.guarded import Guarded, as_component, guard_component
from pi_agent.ui.messages.markdown import custom_markdown
from pi_agent.ui.messages.pictures import Pictures
from pi_agent.ui.messages.themed import ThemedText
from pi_agent.ui.messages.user import worth_showing
from pi_agent.ui.picture_look import PictureLook
from pi_agent.ui.plain import plain_line, plain_text
from pi_tui.component import Component, Renderable
from pi_tui.components.box import Box
from pi_tui.components.container import Container
from pi_tui.components.spacer import Spacer
from pi_tui.events import MouseEvent
from pi_tui.mouse_delivery import MouseAnswer
from pi_tui.theme import Theme

# Returns the renderer for messages of a type, as the extensions are now.
RendererOf = Callable[[str], OwnedRenderer | None]


class CustomMessageView(Component):
    """An empty row, then the message. Its renderer is asked anew whenever something that it was told has changed."""

    def __init__(
        self,
        message: CustomMessage,
        theme: Theme,
        renderer_of: RendererOf,
        *,
        expanded: bool = False,
        hyperlinks: bool = False,
        picture_look: Callable[[], PictureLook] = PictureLook,
    ) -> None:
        self._message = message
        self._pictures = Pictures(theme, picture_look)
        self._pictures.show(message.content)
        self._theme = theme
        self._renderer_of = renderer_of
        self._expanded = expanded
        self._hyperlinks = hyperlinks
        self._own: Guarded | None = None
        self._stop_listening: Callable[[], None] = lambda: None
        self._rows = Container()
        self._is_stale = True

    def set_expanded(self, expanded: bool) -> None:
        """Show everything, or a few rows."""
        self._expanded = expanded
        self.invalidate()

    def invalidate(self) -> None:
        """Draw it anew: in other colours, or with another renderer."""
        self._is_stale = True

    def render(self, width: int) -> list[str]:
        """Return the rows; none, not even the empty one, if its renderer draws nothing."""
        if self._is_stale:
            self._build()
        rows = self._rows.render(width)
        return rows if len(rows) > 1 else []

    def handle_mouse(self, event: MouseEvent) -> MouseAnswer:
        """Give the event to what was drawn."""
        return self._rows.handle_mouse(event)

    def dispose(self) -> None:
        """Tell what the extension made that it is gone."""
        self._stop_listening()
        if self._own is not None:
            self._own.dispose()
            self._own = None

    def _build(self) -> None:
        self._is_stale = False
        self.dispose()
        self._own = self._made()
        self._rows = Container()
        self._rows.add_child(Spacer())
        self._rows.add_child(self._own or self._box())
        if self._own is None:
            self._rows.add_child(self._pictures)

    def _made(self) -> Guarded | None:
        """Return what the extension's renderer makes; `None` if that is nothing, or fails."""
        found = self._renderer_of(self._message.custom_type)
        if found is None:
            return None
        guard = found.owner.guard(f'component:message "{self._message.custom_type}"')
        options = MessageRenderOptions(expanded=self._expanded)

        def make() -> Renderable | None:
            made = found.render(self._message, options, self._theme)
            return None if made is None else as_component(made)

        component = guard.call(make).value
        if component is None:
            return None
        box = self._box()
        # It is gone with its generation; the next one may have a renderer of its own.
        self._stop_listening = found.owner.ending.on_abort(self._forget)
        return guard_component(component, guard, lambda width, problem: box.render(width))

    def _forget(self) -> None:
        self.dispose()
        self.invalidate()

    def _box(self) -> Renderable:
        """Return the message as pi draws it."""
        theme, message = self._theme, self._message
        label = plain_line(f"[{message.custom_type}]")
        box = Box(1, 1, partial(theme.bg, "customMessageBg"))
        box.add_child(
            ThemedText(
                lambda: theme.style(label, fg="customMessageLabel", bold=True),
                padding_x=0,
                spaced=False,
            )
        )
        text = worth_showing(plain_text(text_of(message.content)))
        if text.strip():
            box.add_child(Spacer())
            box.add_child(custom_markdown(text, theme, hyperlinks=self._hyperlinks))
        return box
