"""Everything one conversation needs, built once: models, session, extensions, tools, prompt.

What is wrong is noted in `Services.problems` and left out: a broken `models.json`, an extension, a model that
cannot be found. The mode decides whether to go on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pi_agent.base.clock import SystemClock
from pi_agent.base.errors import PiError
from pi_agent.base.paths import bundled
from pi_agent.base.process import ProcessGroups
from pi_agent.extensions.context import Mode
from pi_agent.extensions.guard import ExtensionError
from pi_agent.extensions.loader import LoadError, load_extensions
from pi_agent.extensions.runner import ExtensionRunner
from pi_agent.extensions.ui import ExtensionUI
from pi_agent.host.conversation import Conversation, ConversationSetup
from pi_agent.host.models import StartModel, choose_start_model
from pi_agent.host.options import RunOptions
from pi_agent.host.stats import SessionTotals, Totals
from pi_agent.host.tools import select_tools
from pi_agent.llm.messages import UserMessage, text_of
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.registry import ModelRegistry
from pi_agent.loop.tool import ToolDefinition
from pi_agent.resources.context_files import (
    APPEND_SYSTEM_NAME,
    SYSTEM_NAME,
    ContextFiles,
    load_context_files,
    load_user_prompt,
    text_or_file,
)
from pi_agent.resources.models_file import load_models_file
from pi_agent.resources.system_prompt import build_sections
from pi_agent.session.entries import MessageEntry
from pi_agent.session.listing import find_session
from pi_agent.session.store import SessionManager
from pi_agent.tools.bash import bash_tool
from pi_agent.tools.read import read_tool
from pi_tui.abort import AbortSignal

_GENERATION = 1
_SESSION_OVER = "This session has ended: its `pi` and `ctx` cannot be used any more."


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong. A `warning` can be done without; the others end modes in which nobody watches.

    `choice` is something the command line asks for and cannot have, `extension` one that does not load.
    """

    kind: Literal["choice", "extension", "warning"]
    text: str


@dataclass(kw_only=True)
class Services:
    """A conversation and what it is made of. `stop` ends all of it."""

    options: RunOptions
    conversation: Conversation
    registry: ModelRegistry
    runner: ExtensionRunner
    context_files: ContextFiles
    extension_names: list[str]
    groups: ProcessGroups
    problems: list[Problem] = field(default_factory=list)
    _totals: SessionTotals = field(default_factory=SessionTotals)
    _stopped: bool = False

    async def start_extensions(self) -> None:
        """Tell the extensions that the session has started; dialogs work from here on."""
        await self.runner.start("startup")

    def totals(self) -> Totals:
        """Return the tokens of the session so far."""
        return self._totals.of(self.conversation.session.get_entries())

    def stored_prompts(self, limit: int = 100) -> list[str]:
        """Return what the user said on the active branch, oldest first, at most the last `limit`."""
        entries = self.conversation.session.build_context_entries()
        newest: list[str] = []
        for entry in reversed(entries):
            if len(newest) == limit:
                break
            message = entry.message if isinstance(entry, MessageEntry) else None
            if isinstance(message, UserMessage):
                newest.append(text_of(message.content))
        return newest[::-1]

    def report_stray_errors(self, loop: asyncio.AbstractEventLoop) -> None:
        """Report what escapes from tasks and callbacks of extensions; for the mode that owns the loop."""

        def handle(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
            error = context.get("exception")
            if not isinstance(error, Exception) or not self.runner.report_stray(error):
                loop.default_exception_handler(context)

        loop.set_exception_handler(handle)

    async def stop(self) -> list[str]:
        """End the run, tell the extensions, kill what tools left running. Returns what did not finish."""
        if self._stopped:
            return []
        self._stopped = True
        await self.conversation.abort()
        late = await self.runner.shutdown("quit")
        self.runner.invalidate(_SESSION_OVER)
        await self.runner.aclose()
        await self.conversation.dispose()
        self.groups.kill_all()
        await self.registry.aclose()
        return [f"{one.extension}: {one.event} did not finish in time" for one in late]


class _Source:
    """What extension contexts read; knows the conversation once it exists."""

    def __init__(self, mode: Mode, cwd: Path, on_shutdown: Callable[[], None]) -> None:
        self.mode: Mode = mode
        self.has_ui = mode in ("tui", "rpc")
        self.cwd = str(cwd)
        self.conversation: Conversation | None = None
        self._on_shutdown = on_shutdown

    @property
    def model(self) -> Model | None:
        return self.conversation.model if self.conversation is not None else None

    @property
    def thinking_level(self) -> ThinkingLevel:
        return self.conversation.thinking_level if self.conversation is not None else "off"

    @property
    def signal(self) -> AbortSignal | None:
        return self.conversation.signal if self.conversation is not None else None

    def is_idle(self) -> bool:
        return self.conversation is None or not self.conversation.is_streaming

    def abort(self) -> None:
        if self.conversation is not None:
            self.conversation.request_abort()

    def shutdown(self) -> None:
        self._on_shutdown()


@dataclass(frozen=True, kw_only=True)
class Surface:
    """What a mode brings: how extensions reach a person, and who hears of problems."""

    mode: Mode
    ui: ExtensionUI
    report: Callable[[str], None]
    report_extension: Callable[[ExtensionError], None]
    on_shutdown: Callable[[], None] = lambda: None


async def build_services(options: RunOptions, surface: Surface) -> Services:
    """Build a conversation; whatever is wrong is in its `problems`."""
    problems: list[Problem] = []
    registry = _registry(options, problems)
    session = _session(options, problems)
    groups = ProcessGroups()
    source = _Source(surface.mode, options.cwd, surface.on_shutdown)
    loaded = await load_extensions(
        [Path(path) for path in options.extensions], cwd=options.cwd, generation=_GENERATION
    )
    problems += [Problem("extension", _load_problem(error)) for error in loaded.errors]
    runner = ExtensionRunner(
        loaded.extensions, source, surface.ui, surface.report_extension, time.monotonic
    )
    problems += [Problem("warning", text) for text in runner.warnings()]
    context_files = _context_files(options)
    problems += [Problem("warning", text) for text in context_files.warnings]
    start = await _start_model(options, registry, session, problems)
    tools = _tool_source(
        options, _built_in_tools(options, groups, source, session), runner, problems
    )
    conversation = Conversation(
        ConversationSetup(
            session=session,
            registry=registry,
            model=start.model,
            thinking_level=start.thinking_level,
            tools=tools,
            sections_of=_sections_of(options, context_files, problems),
            run_command=_command_runner(runner),
            is_command=lambda text: runner.match_command(text) is not None,
            before_tool_call=runner.emit_tool_call,
            report=surface.report,
            clock=SystemClock(),
        )
    )
    source.conversation = conversation
    return Services(
        options=options,
        conversation=conversation,
        registry=registry,
        runner=runner,
        context_files=context_files,
        extension_names=[extension.name for extension in loaded.extensions],
        groups=groups,
        problems=problems,
    )


def _registry(options: RunOptions, problems: list[Problem]) -> ModelRegistry:
    models_file = load_models_file(options.paths.agent_dir / "models.json")
    registry = ModelRegistry(options.environ, models_file)
    problems += [Problem("warning", text) for text in registry.notices]
    if options.api_key is not None:
        named = options.provider or (options.model or "").partition("/")[0]
        owner = registry.provider(named)
        if owner is not None:
            registry.use_api_key(owner.id, options.api_key)
        else:
            hint = "Add --provider NAME, or --model PROVIDER/ID."
            problems.append(Problem("choice", f"--api-key needs to know the provider.\n{hint}"))
    return registry


def _session(options: RunOptions, problems: list[Problem]) -> SessionManager:
    try:
        session = _wanted_session(options)
    except PiError as error:
        problems.append(Problem("choice", error.with_hint()))
        session = SessionManager.create(options.cwd, folder=options.paths.sessions_of(options.cwd))
    problems += [Problem("warning", text) for text in session.notices]
    return session


def _wanted_session(options: RunOptions) -> SessionManager:
    folder = options.paths.sessions_of(options.cwd)
    if options.no_session:
        return SessionManager.in_memory(options.cwd)
    if options.session is not None:
        path = find_session(options.session, cwd=options.cwd, paths=options.paths)
        return SessionManager.open(path, cwd=options.cwd)
    if options.continue_recent:
        return SessionManager.continue_recent(options.cwd, folder=folder)
    return SessionManager.create(options.cwd, folder=folder)


def _context_files(options: RunOptions) -> ContextFiles:
    if options.no_context_files:
        return ContextFiles()
    return load_context_files(options.cwd, agent_dir=options.paths.agent_dir)


async def _start_model(
    options: RunOptions,
    registry: ModelRegistry,
    session: SessionManager,
    problems: list[Problem],
) -> StartModel:
    reference = options.model
    while True:
        try:
            start = await choose_start_model(
                registry,
                session,
                reference=reference,
                provider=options.provider,
                thinking=options.thinking,
            )
            break
        except PiError as error:
            problems.append(Problem("choice", error.with_hint()))
            reference = None  # which cannot fail: go on with what there is
    problems += [Problem("warning", text) for text in start.warnings]
    known = {problem.text for problem in problems}
    problems += [Problem("warning", text) for text in registry.notices if text not in known]
    return start


def _built_in_tools(
    options: RunOptions, groups: ProcessGroups, source: _Source, session: SessionManager
) -> list[ToolDefinition]:
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

    return [
        read_tool(options.cwd, current_model=lambda: source.model),
        bash_tool(
            options.cwd,
            groups=groups,
            session_environment=environment,
            inherited_environment=lambda: {
                **options.environ,
                "AI_AGENT": "pi",
                "PI_CODING_AGENT": "true",
            },
        ),
    ]


def _tool_source(
    options: RunOptions,
    built_in: Sequence[ToolDefinition],
    runner: ExtensionRunner,
    problems: list[Problem],
) -> Callable[[], list[ToolDefinition]]:
    """Return what gives the active tools as they are now: those on the command line, or the default ones.

    A tool of an extension takes the place of a built-in one of its name.
    """
    chosen = options.tools

    def active() -> list[ToolDefinition]:
        tools = {tool.name: tool for tool in built_in}
        tools.update((tool.name, tool) for tool in runner.tools())
        return select_tools(
            list(tools.values()),
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


def _sections_of(
    options: RunOptions, context_files: ContextFiles, problems: list[Problem]
) -> Callable[[Sequence[ToolDefinition]], Mapping[str, str]]:
    custom_text, appended = _prompt_texts(options, problems)

    def sections(tools: Sequence[ToolDefinition]) -> Mapping[str, str]:
        return build_sections(
            tools=tools,
            cwd=options.cwd,
            docs_dir=bundled("docs"),
            examples_dir=bundled("examples"),
            context_files=context_files.files,
            custom_prompt=custom_text,
            appended=appended,
        )

    return sections


def _prompt_texts(options: RunOptions, problems: list[Problem]) -> tuple[str | None, Sequence[str]]:
    """Return the system prompt and what goes after it, as far as the user has any of his own."""
    given, appended = options.system_prompt, options.append_system_prompt
    try:
        custom = _text_or_file(given, options) if given is not None else None
        more = [_text_or_file(part, options) for part in appended]
    except PiError as error:
        problems.append(Problem("choice", error.message))
        return None, ()
    if given is None:
        custom = _user_prompt(options, SYSTEM_NAME, problems)
    if not appended:
        stored = _user_prompt(options, APPEND_SYSTEM_NAME, problems)
        more = [stored] if stored is not None else []
    return custom, more


def _text_or_file(value: str, options: RunOptions) -> str:
    try:
        return text_or_file(value, cwd=options.cwd)
    except OSError as error:
        raise PiError(f"Could not read {value}: {error.strerror}") from error


def _user_prompt(options: RunOptions, name: str, problems: list[Problem]) -> str | None:
    folder = options.paths.agent_dir
    try:
        return load_user_prompt(folder, name)
    except OSError as error:
        text = f"Could not read {folder / name}: {error.strerror}"
        problems.append(Problem("warning", text))
        return None


def _command_runner(runner: ExtensionRunner) -> Callable[[str], Awaitable[bool]]:
    async def run(text: str) -> bool:
        match = runner.match_command(text)
        return match is not None and await runner.run_command(*match)

    return run


def _load_problem(error: LoadError) -> str:
    return f"{error.message}\n{error.hint}" if error.hint else error.message
