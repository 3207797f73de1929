"""What the editor suggests: pi's own provider at the bottom, and those of extensions, each around the one before.

An extension that fails, takes too long or answers with something else is passed over: what it wraps answers.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

from pi_agent.extensions.guard import ExtensionGuard
from pi_agent.extensions.owner import Owner, OwnerEndings
from pi_agent.extensions.ui import AutocompleteFactory
from pi_agent.ui.argument_completion import PATIENCE_SECONDS, answer_of, is_item
from pi_tui.abort import AbortSignal
from pi_tui.autocomplete import (
    AutocompleteItem,
    AutocompleteProvider,
    CommandAutocompleteProvider,
    Completion,
    Suggestions,
    trigger_characters_of,
)

_PLACE = "autocomplete"


class Completions:
    """The providers of the editor; `provider` asks the newest one, which asks what it wraps.

    `patience` is how many seconds an extension may take for an answer.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self.built_in: AutocompleteProvider = CommandAutocompleteProvider()
        self._patience = patience
        self._layers: list[_Layer] = []
        self._endings = OwnerEndings(self._drop)
        self.provider: AutocompleteProvider = _Below(self)

    def add(self, owner: Owner, factory: AutocompleteFactory) -> None:
        """Put what `factory(current)` makes around all the others; if it fails, nothing changes."""
        guard = owner.guard(_PLACE)
        current = _Below(self)
        attempt = guard.call(lambda: _as_provider(factory(current)))
        if attempt.value is None:
            return
        layer = _Layer(owner, attempt.value, guard, current, self._patience)
        current.layer = layer
        self._layers.append(layer)
        self._endings.watch(owner)

    def below(self, layer: _Layer | None) -> AutocompleteProvider:
        """Return what lies under a layer; under `None` there is the newest one."""
        return [self.built_in, *self._layers[: self._place(layer)]][-1]

    def triggers_below(self, layer: _Layer | None) -> list[str]:
        """Return the trigger characters of all that lies under a layer."""
        below = [self.built_in, *self._layers[: self._place(layer)]]
        return sorted(frozenset().union(*map(trigger_characters_of, below)))

    def _place(self, layer: _Layer | None) -> int:
        return self._layers.index(layer) if layer in self._layers else len(self._layers)

    def _drop(self, owner: Owner) -> None:
        self._layers = [layer for layer in self._layers if layer.owner is not owner]


class _Below:
    """What lies under a layer, whichever that is at the time: what a provider of an extension wraps."""

    def __init__(self, stack: Completions) -> None:
        self.layer: _Layer | None = None
        self._stack = stack

    @property
    def trigger_characters(self) -> list[str]:
        """Those of all providers below."""
        return self._stack.triggers_below(self.layer)

    async def get_suggestions(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        *,
        signal: AbortSignal,
        force: bool = False,
    ) -> Suggestions | None:
        """Ask the provider below."""
        return await self._stack.below(self.layer).get_suggestions(
            lines, cursor_line, cursor_col, signal=signal, force=force
        )

    def apply_completion(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        item: AutocompleteItem,
        prefix: str,
    ) -> Completion:
        """Let the provider below apply a choice."""
        below = self._stack.below(self.layer)
        return below.apply_completion(lines, cursor_line, cursor_col, item, prefix)

    def should_trigger_file_completion(
        self, lines: list[str], cursor_line: int, cursor_col: int
    ) -> bool:
        """Let the provider below tell whether Tab completes a path."""
        return _triggers(self._stack.below(self.layer), lines, cursor_line, cursor_col)


class _Layer:
    """A provider of an extension behind its boundary."""

    def __init__(
        self,
        owner: Owner,
        provider: AutocompleteProvider,
        guard: ExtensionGuard,
        below: _Below,
        patience: float,
    ) -> None:
        self.owner = owner
        self._provider = provider
        self._guard = guard
        self._below = below
        self._patience = patience

    @property
    def trigger_characters(self) -> Sequence[str]:
        """Its own, as far as they are characters."""
        return self._guard.call(lambda: _checked_triggers(self._provider)).value or ()

    async def get_suggestions(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        *,
        signal: AbortSignal,
        force: bool = False,
    ) -> Suggestions | None:
        """Return its answer, else the one of the provider below."""

        async def ask() -> Suggestions | None:
            asked = self._provider.get_suggestions(
                list(lines), cursor_line, cursor_col, signal=signal, force=force
            )
            if not inspect.isawaitable(asked):
                raise TypeError(
                    f"get_suggestions has to be async; it returned {type(asked).__name__}"
                )
            answer = await answer_of(asked, "get_suggestions", self._patience)
            return _checked_answer(answer, lines[cursor_line][:cursor_col])

        attempt = await self._guard.run(ask())
        if attempt.error is None or signal.aborted:
            return attempt.value
        return await self._below.get_suggestions(
            lines, cursor_line, cursor_col, signal=signal, force=force
        )

    def apply_completion(
        self,
        lines: list[str],
        cursor_line: int,
        cursor_col: int,
        item: AutocompleteItem,
        prefix: str,
    ) -> Completion:
        """Return the text as it makes it, else as the provider below does."""
        place = (cursor_line, cursor_col, item, prefix)
        attempt = self._guard.call(
            lambda: _checked_completion(self._provider.apply_completion(list(lines), *place))
        )
        return attempt.value or self._below.apply_completion(lines, *place)

    def should_trigger_file_completion(
        self, lines: list[str], cursor_line: int, cursor_col: int
    ) -> bool:
        """Tell what it says, or else what the provider below does."""
        if getattr(self._provider, "should_trigger_file_completion", None) is not None:
            attempt = self._guard.call(
                lambda: _triggers(self._provider, list(lines), cursor_line, cursor_col)
            )
            if attempt.value is not None:
                return attempt.value
        return self._below.should_trigger_file_completion(lines, cursor_line, cursor_col)


def _as_provider(made: object) -> AutocompleteProvider:
    for name in ("get_suggestions", "apply_completion"):
        if not callable(getattr(made, name, None)):
            raise TypeError(f"the factory returned {type(made).__name__}, which has no {name}")
    provider: AutocompleteProvider = made  # type: ignore[assignment]  # it has both methods; what they return is checked
    return provider


def _checked_answer(answer: object, before: str) -> Suggestions | None:
    if answer is None:
        return None
    if not isinstance(answer, Suggestions):
        raise TypeError(
            f"get_suggestions returned {type(answer).__name__}, not Suggestions or None"
        )
    if not _ends_with(before, answer.prefix):
        raise ValueError(
            f"get_suggestions returned the prefix {answer.prefix!r}, which is not before the cursor"
        )
    for item in answer.items:
        if not is_item(item):
            raise TypeError(f"get_suggestions returned {item!r}, which is no AutocompleteItem")
    return answer


def _ends_with(before: str, prefix: object) -> bool:
    return isinstance(prefix, str) and before.endswith(prefix)


def _checked_completion(made: object) -> Completion:
    match made:
        case ([*lines], int(line), int(col)) if lines:
            texts = [text for text in lines if isinstance(text, str)]
            if len(texts) == len(lines):
                return Completion(texts, line, col)
    raise TypeError(f"apply_completion returned {type(made).__name__}, not lines, line and column")


def _checked_triggers(provider: AutocompleteProvider) -> Sequence[str]:
    characters: object = getattr(provider, "trigger_characters", ())
    if not isinstance(characters, Sequence) or not all(map(_is_text, characters)):
        raise TypeError(f"trigger_characters should be a list of texts, got {characters!r}")
    return characters


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _triggers(provider: AutocompleteProvider, lines: list[str], line: int, col: int) -> bool:
    asked: Callable[[list[str], int, int], bool] | None = getattr(
        provider, "should_trigger_file_completion", None
    )
    return asked is None or bool(asked(lines, line, col))
