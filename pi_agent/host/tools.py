"""Which tools are active."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from fnmatch import fnmatchcase

from pi_agent.base.errors import PiError
from pi_agent.base.process import ProcessGroups
from pi_agent.base.shell import ShellSettings
from pi_agent.host.generations import Generations
from pi_agent.host.options import RunOptions
from pi_agent.host.problems import Problem
from pi_agent.host.small_model import SMALL_MODEL_TOOLS, is_small, simplified
from pi_agent.host.source import ConversationSource
from pi_agent.loop.tool import ToolDefinition
from pi_agent.session.store import SessionManager
from pi_agent.tools.bash import bash_tool
from pi_agent.tools.edit import edit_tool
from pi_agent.tools.mutation_queue import MutationQueue
from pi_agent.tools.read import read_tool
from pi_agent.tools.write import write_tool


def built_in_tools(
    options: RunOptions,
    groups: ProcessGroups,
    source: ConversationSource,
    session: SessionManager,
) -> list[ToolDefinition]:
    """Return the tools that pi brings; commands find in their environment which session and model this is."""

    def environment() -> Mapping[str, str]:
        values = {"PI_SESSION_ID": session.get_session_id()}
        file = session.get_session_file()
        if file is not None:
            values["PI_SESSION_FILE"] = str(file)
        if source.model is not None:
            values["PI_PROVIDER"] = source.model.provider
            values["PI_MODEL"] = source.model.id
        values["PI_REASONING_LEVEL"] = source.thinking_level
        return values

    queue = MutationQueue()
    return [
        read_tool(options.cwd, current_model=lambda: source.model),
        bash_tool(
            options.cwd,
            groups=groups,
            session_environment=environment,
            inherited_environment=lambda: command_environment(options),
            settings=shell_settings(options),
        ),
        edit_tool(options.cwd, queue),
        write_tool(options.cwd, queue),
    ]


def command_environment(options: RunOptions) -> Mapping[str, str]:
    """Return the variables of every command, which may want to know what started it."""
    return {**options.environ, "AI_AGENT": "pi", "PI_CODING_AGENT": "true"}


def shell_settings(options: RunOptions) -> ShellSettings:
    """Return how the user wants commands to be run."""
    settings = options.settings
    return ShellSettings(
        path=settings.get_text("shellPath"), prefix=settings.get_text("shellCommandPrefix") or ""
    )


def tool_source(
    options: RunOptions,
    built_in: Sequence[ToolDefinition],
    extensions: Generations,
    problems: list[Problem],
) -> Callable[[], list[ToolDefinition]]:
    """Return what gives the active tools as they are now: those on the command line, or the default ones.

    A tool of an extension takes the place of a built-in one of its name.
    """
    chosen = options.tools
    names = {tool.name for tool in built_in}
    wanted = options.settings.get_list("defaultTools")

    def active() -> list[ToolDefinition]:
        tools = {tool.name: tool for tool in built_in}
        tools.update((tool.name, tool) for tool in extensions.runner.tools())
        available = list(tools.values())
        default = default_tools(available, names, wanted)
        if is_small(extensions.source.model):
            available = [simplified(tool) for tool in available]
            default &= SMALL_MODEL_TOOLS
        return select_tools(
            available,
            default=default,
            chosen=chosen,
            excluded=options.exclude_tools,
            none=options.no_tools,
        )

    try:
        active()
    except PiError as error:
        problems.append(Problem("choice", error.with_hint()))
        chosen = None
    return active


def default_tools(
    available: Sequence[ToolDefinition], built_in: Set[str], wanted: Sequence[str] | None
) -> set[str]:
    """Return the names of the tools that are on unless something else is asked for.

    `wanted` names the built-in ones, or only changes what is on (`+name`, `-name`), in order. Of a name that no
    tool has nothing comes: the tool may still be registered.
    """
    active = {tool.name for tool in available if tool.default_active}
    if wanted is None:
        return active
    if not wanted or any(name[:1] not in ("+", "-") for name in wanted):
        active -= built_in
    known = {tool.name for tool in available}
    for name in wanted:
        if name.startswith("-"):
            active.discard(name[1:])
        else:
            active |= known & {name.removeprefix("+")}
    return active


def select_tools(
    available: Sequence[ToolDefinition],
    *,
    default: Set[str],
    chosen: Sequence[str] | None = None,
    excluded: Sequence[str] = (),
    none: bool = False,
) -> list[ToolDefinition]:
    """Return the active tools, in the order of `available`.

    `chosen` is a list of names or patterns, or of changes (`+name`, `-name`) to `default`.
    `excluded` comes last. Raises `PiError` for a name that no tool has, and for a mix of both forms.
    """
    if none:
        return []
    active = set(default)
    if chosen is not None:
        active = _chosen(available, active, [part.strip() for part in chosen if part.strip()])
    names = [name for name in active if not any(fnmatchcase(name, part) for part in excluded)]
    return [tool for tool in available if tool.name in names]


def _chosen(
    available: Sequence[ToolDefinition], default: set[str], parts: Sequence[str]
) -> set[str]:
    changes = [part for part in parts if part[0] in "+-"]
    if changes and len(changes) != len(parts):
        raise PiError(
            "--tools mixes names with changes (+name, -name).",
            "Give either a list of names, or only changes to the default tools.",
        )
    active = set(default) if changes else set()
    for part in parts:
        pattern = part[1:] if changes else part
        matches = {tool.name for tool in available if fnmatchcase(tool.name, pattern)}
        if not matches:
            names = ", ".join(tool.name for tool in available)
            raise PiError(f'There is no tool "{pattern}".', f"There are: {names}.")
        active = active - matches if part.startswith("-") else active | matches
    return active
