"""`pi`, the object that `setup(pi)` gets: everything an extension can register."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Final, TypedDict, TypeVar, Unpack, overload

from pi_agent.base.params import Parameters
from pi_agent.base.wire import JsonObject
from pi_agent.extensions.handlers import ArgumentCompletions, CommandHandler, CommandT
from pi_agent.extensions.message_renderer import MessageRenderer
from pi_agent.extensions.registry import Callback, Command, Handler
from pi_agent.extensions.subscriptions import Subscriptions
from pi_agent.loop.tool import (
    ExecutionMode,
    Exposure,
    ToolAnnotations,
    ToolDefinition,
    tool_from_function,
)

_ToolT = TypeVar("_ToolT", bound=Callable[..., object])

_TOOL_FIELDS: Final = tuple(field.name for field in fields(ToolDefinition))


class ToolOptions(TypedDict, total=False):
    """What `@pi.tool` takes besides the function: fields of `ToolDefinition`."""

    name: str
    description: str
    label: str
    prompt_snippet: str | None
    prompt_guidelines: tuple[str, ...]
    prepare_arguments: Callable[[JsonObject], JsonObject] | None
    output_schema: object
    execution_mode: ExecutionMode | None
    exposure: Exposure
    annotations: ToolAnnotations | None
    default_active: bool | None


class ExtensionAPI(Subscriptions):
    """What an extension registers, and with which session it lives.

    Registering works in `setup` and later; what is registered later takes effect at once. When the session
    is replaced or reloaded, `setup` is called again with another `pi`, and this one raises
    `StaleContextError`.
    """

    def register_tool(self, tool: ToolDefinition | Mapping[str, object]) -> None:
        """Add a tool, or replace an earlier one of the same name. A mapping has the fields as keys."""
        definition = tool if isinstance(tool, ToolDefinition) else self._definition(tool)
        self._check_tool(definition)
        self._lifetime.call(lambda: self._extension.tools.update({definition.name: definition}))

    @overload
    def tool(self, function: _ToolT, /) -> _ToolT: ...
    @overload
    def tool(self, /, **options: Unpack[ToolOptions]) -> Callable[[_ToolT], _ToolT]: ...
    def tool(self, function: Handler | None = None, /, **options: Unpack[ToolOptions]) -> object:
        """Make a tool of the decorated function: signature and docstring tell the model how to use it.

        ```python
        @pi.tool
        async def roll(sides: Annotated[int, "How many sides"] = 6) -> str:
            \"\"\"Roll a die.\"\"\"
            return str(random.randint(1, sides))
        ```
        """

        def decorate(function: Handler) -> Handler:
            self.register_tool(tool_from_function(function, **options))
            return function

        return decorate if function is None else decorate(function)

    def register_command(
        self,
        name: str,
        handler: CommandHandler,
        *,
        description: str | None = None,
        get_argument_completions: ArgumentCompletions | None = None,
    ) -> None:
        """Add `/name`, or replace an earlier one. `handler(args, ctx)` gets the text after it.

        `get_argument_completions(typed)` offers what could follow, now or later: all that was typed after
        the name is replaced by the choice.
        """
        if not _is_word(name) or "/" in name:
            raise ValueError(f"A command needs a name of one word without slash, got {name!r}")
        callback = Callback.of(handler, 2, f"Command /{name}")
        complete = None
        if get_argument_completions is not None:
            what = f"get_argument_completions of /{name}"
            complete = Callback.of(get_argument_completions, 1, what)
        command = Command(name, callback, description, self._extension, complete)
        self._lifetime.call(lambda: self._extension.commands.update({name: command}))

    def command(
        self,
        name: str,
        *,
        description: str | None = None,
        get_argument_completions: ArgumentCompletions | None = None,
    ) -> Callable[[CommandT], CommandT]:
        """Make the decorated `handler(args, ctx)` the command `/name`."""

        def decorate(handler: CommandT) -> CommandT:
            self.register_command(
                name,
                handler,
                description=description,
                get_argument_completions=get_argument_completions,
            )
            return handler

        return decorate

    def register_message_renderer(self, custom_type: str, renderer: MessageRenderer) -> None:
        """Draw messages of a type with what `renderer(message, options, theme)` makes.

        It is called anew when the message is expanded or collapsed, when the theme changes, and in a resumed
        session, whose messages may be of an earlier version. `None` leaves the message to pi.
        """
        if not _is_text(custom_type):
            raise ValueError(
                f"A message renderer needs the type that it draws, got {custom_type!r}"
            )
        callback = Callback.of(renderer, 3, f'The renderer of "{custom_type}" messages')
        renderers = self._extension.message_renderers
        self._lifetime.call(lambda: renderers.update({custom_type: callback}))

    def _definition(self, tool: Mapping[str, object]) -> ToolDefinition:
        given: dict[str, object] = dict(tool)
        unknown = [key for key in given if key not in _TOOL_FIELDS]
        missing = [key for key in ("name", "description", "execute") if key not in given]
        if unknown or missing:
            problem = f"unknown field {unknown[0]}" if unknown else f"{missing[0]} is missing"
            raise TypeError(f"Tool {given.get('name', '')!r}: {problem}")
        return _define(**given)

    def _check_tool(self, tool: ToolDefinition) -> None:
        if not _is_text(tool.description):
            raise TypeError(f'Tool "{tool.name}" needs a description that tells the model its use')
        if not callable(tool.execute):
            raise TypeError(f'Tool "{tool.name}" needs a function as execute')
        try:
            Parameters(tool.parameters)
        except TypeError:
            raise TypeError(
                f'Tool "{tool.name}" registered by extension "{self._extension.path}"'
                " must define an object parameter schema."
            ) from None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value.split() == [value]


# Fields that come by name from a mapping are checked when the tool is registered.
_define: Callable[..., ToolDefinition] = ToolDefinition
