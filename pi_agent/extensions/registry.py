"""Who registered what. Each extension keeps its own; what several want is decided here, by load order."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Final

from pi_agent.extensions.lifetime import Lifetime
from pi_agent.extensions.modules import PrivateModules
from pi_agent.loop.tool import ToolDefinition
from pi_tui.frozen import frozen, slotted

_POSITIONAL: Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)

Handler = Callable[..., object]
Unsubscribe = Callable[[], None]


@frozen(eq=False)
class Callback:
    """A function of an extension, called with as many of the arguments offered as it takes."""

    function: Handler
    takes: int

    @classmethod
    def of(cls, function: object, offered: int, what: str) -> Callback:
        """Raise `TypeError` for what cannot be called with `offered` arguments; `what` names it."""
        if not callable(function):
            raise TypeError(f"{what} needs a function, got {type(function).__name__}")
        return cls(function, _takes(function, offered, what))

    def __call__(self, *arguments: object) -> object:
        return self.function(*arguments[: self.takes])


@frozen
class Command:
    """A `/command` of an extension; `complete(typed)` offers what its argument may be."""

    name: str
    handler: Callback
    description: str | None
    extension: Extension
    complete: Callback | None = None


@slotted(eq=False)
class Extension:
    """A loaded extension and everything it registered."""

    path: Path
    modules: PrivateModules
    lifetime: Lifetime
    handlers: dict[str, list[Callback]] = field(default_factory=dict)
    tools: dict[str, ToolDefinition] = field(default_factory=dict)
    commands: dict[str, Command] = field(default_factory=dict)
    message_renderers: dict[str, Callback] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What people call it: the file's name, or the folder's for a package."""
        return extension_name(self.path)

    @property
    def package(self) -> str:
        """Where its modules live."""
        return self.modules.package

    def clear(self) -> None:
        """Forget everything it registered."""
        self.handlers.clear()
        self.tools.clear()
        self.commands.clear()
        self.message_renderers.clear()


class Registry:
    """What all extensions of a generation registered, in load order."""

    def __init__(self, extensions: Sequence[Extension]) -> None:
        self.extensions = tuple(extensions)

    def handlers(self, event: str) -> list[tuple[Extension, Callback]]:
        """Return a copy of the handlers of an event: changes count from the next dispatch on."""
        return [
            (extension, handler)
            for extension in self.extensions
            for handler in extension.handlers.get(event, ())
        ]

    def tools(self) -> list[tuple[Extension, ToolDefinition]]:
        """Return the tools; of several with one name the first."""
        first: dict[str, tuple[Extension, ToolDefinition]] = {}
        for extension in self.extensions:
            for name, tool in extension.tools.items():
                first.setdefault(name, (extension, tool))
        return list(first.values())

    def message_renderer(self, custom_type: str) -> tuple[Extension, Callback] | None:
        """Return what draws messages of a type; of several the first."""
        for extension in self.extensions:
            renderer = extension.message_renderers.get(custom_type)
            if renderer is not None:
                return extension, renderer
        return None

    def warnings(self) -> list[tuple[Extension, str]]:
        """Return what an extension registered in vain, and why."""
        winners = {tool.name: extension for extension, tool in self.tools()}
        return [
            (extension, f'Tool "{name}" conflicts with {winners[name].path}')
            for extension in self.extensions
            for name in extension.tools
            if winners[name] is not extension
        ]

    def commands(self) -> Mapping[str, Command]:
        """Return the commands by the name they are called with: `review:1`, `review:2` if several share one."""
        commands = [each for one in self.extensions for each in one.commands.values()]
        counts = Counter(command.name for command in commands)
        taken = {name for name, count in counts.items() if count == 1}
        named: dict[str, Command] = {}
        for command in commands:
            name = command.name
            if counts[name] > 1:
                name = _numbered(name, taken)
                taken.add(name)
            named[name] = command
        return named


def extension_name(path: Path) -> str:
    """Return what people call the extension of an entry file."""
    return path.parent.name if path.stem in ("__init__", "index") else path.stem


def _numbered(name: str, taken: set[str]) -> str:
    number = 1
    while f"{name}:{number}" in taken:
        number += 1
    return f"{name}:{number}"


def _takes(function: Handler, offered: int, what: str) -> int:
    """Return how many of `offered` positional arguments `function` takes."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:  # some functions written in C have no signature to look at
        return offered
    positional = [each for each in parameters if each.kind in _POSITIONAL]
    required = [each.name for each in positional if each.default is each.empty]
    named = [each.name for each in parameters if _is_required_by_name(each)]
    if len(required) > offered:
        raise TypeError(f"{what} is called with {offered} arguments, the function requires more")
    if named:
        raise TypeError(f"{what} is called without {named[0]}, which the function requires")
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return offered
    return min(offered, len(positional))


def _is_required_by_name(parameter: inspect.Parameter) -> bool:
    return parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty
