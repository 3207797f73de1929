"""Everything one conversation needs, built once: models, session, extensions, tools, prompt.

What is wrong is noted in `Services.problems` and left out: a broken `models.json`, an extension, a model that
cannot be found. The mode decides whether to go on.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pi_agent.base.errors import PiError
from pi_agent.base.process import ProcessGroups
from pi_agent.extensions.built_in import (
    built_in_extensions,
    extension_file,
    left_on,
    unknown_switches,
)
from pi_agent.extensions.context import Mode
from pi_agent.extensions.events import SessionStartReason
from pi_agent.extensions.guard import ExtensionError, FailureReports
from pi_agent.extensions.merge import NOTIFY
from pi_agent.extensions.owner import Owner
from pi_agent.extensions.runner import ExtensionRunner
from pi_agent.extensions.ui import UIHost
from pi_agent.host.compaction_settings import branch_reserve, compaction_settings
from pi_agent.host.consent import CommandConsent
from pi_agent.host.conversation import Conversation
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.host.extension_hooks import ExtensionHooks
from pi_agent.host.generations import Generations
from pi_agent.host.models import StartModel, Wanted, choose_start_model
from pi_agent.host.options import RunOptions
from pi_agent.host.preferences import SettingsPreferences, queues_of
from pi_agent.host.problems import Problem
from pi_agent.host.registry import build_registry, reload_registry, store_added
from pi_agent.host.request_settings import (
    cache_warming,
    convert_messages,
    set_request_options,
)
from pi_agent.host.retry import policy_of
from pi_agent.host.source import ConversationSource
from pi_agent.host.start_session import start_session
from pi_agent.host.system_prompt import SystemPrompt
from pi_agent.host.tools import built_in_tools, tool_source
from pi_agent.host.user_bash import UserBash, command_of
from pi_agent.llm.messages import BashExecutionMessage, UserMessage, text_of
from pi_agent.llm.registry import ModelRegistry
from pi_agent.resources.context_files import ContextFiles, load_context_files
from pi_agent.resources.settings import SettingsStore
from pi_agent.session.entries import MessageEntry
from pi_agent.session.store import SessionManager
from pi_tui.abort import AbortController
from pi_tui.frozen import frozen, slotted

if TYPE_CHECKING:
    from pi_agent.host.navigate import Navigated

_log = logging.getLogger("pi.services")
_RELOADED = "The extensions were reloaded: what `setup` got this time is to be used instead."
# The roles of what the user typed.
_TYPED = ("user", "bashExecution")
_SESSION_OVER = "This session has ended: its `pi` and `ctx` cannot be used any more."


@frozen(kw_only=True)
class Surface:
    """What a mode brings: how extensions reach a person, and who hears of problems.

    `show_branch` is called when the conversation has moved in the tree, before the extensions hear of it; `opening`
    in another thread, before a session's file is read; `before_abort` before an extension ends a run.
    """

    mode: Mode
    ui: UIHost
    report: Callable[[str], None]
    report_extension: Callable[[ExtensionError], None]
    on_shutdown: Callable[[], None] = lambda: None
    show_branch: Callable[[Navigated], None] = lambda moved: None
    opening: Callable[[Path], None] = lambda path: None
    before_abort: Callable[[], None] = lambda: None


@slotted(kw_only=True)
class Services:
    """A conversation and what it is made of. `stop` ends all of it."""

    options: RunOptions
    surface: Surface
    registry: ModelRegistry
    source: ConversationSource
    extensions: Generations
    groups: ProcessGroups = field(default_factory=ProcessGroups)
    problems: list[Problem] = field(default_factory=list)
    context_files: ContextFiles = field(default_factory=ContextFiles)
    conversation: Conversation = field(init=False)
    user_bash: UserBash = field(init=False)
    preferences: SettingsPreferences = field(init=False)
    _consent: CommandConsent = field(init=False)
    _stopped: bool = False

    def __post_init__(self) -> None:
        self.user_bash = UserBash(self.options, self.groups)
        self.preferences = SettingsPreferences(self.settings, self.keep_provider)
        surface = self.surface
        own_ui = surface.ui.for_extension(_pi_itself())
        self.source.before_abort = surface.before_abort
        self.source.notify = own_ui.notify if self.source.has_ui else surface.report
        self._consent = CommandConsent(self.source, own_ui, self.settings, surface.report)

    @property
    def settings(self) -> SettingsStore:
        """The user's settings."""
        return self.options.settings

    @property
    def runner(self) -> ExtensionRunner:
        """The extensions of this generation, at work."""
        return self.extensions.runner

    def begin(self, session: SessionManager, start: StartModel, problems: list[Problem]) -> None:
        """Let there be a conversation of `session`, in the place of the one before."""
        extensions = self.extensions
        self.context_files = _context_files(self.options)
        problems += [Problem("warning", text) for text in self.context_files.warnings]
        built_in = built_in_tools(self.options, self.groups, self.source, session)
        source = self.source
        prompt = SystemPrompt(self.options, self.context_files, problems, lambda: source.model)
        hooks = ExtensionHooks(extensions, prompt, session)
        self.conversation = Conversation(
            ConversationSetup(
                session=session,
                registry=self.registry,
                model=start.model,
                thinking_level=start.thinking_level,
                scope=start.scope,
                preferences=self.preferences,
                tools=tool_source(self.options, built_in, extensions, problems),
                run_command=_command_runner(extensions),
                is_command=lambda text: extensions.runner.match_command(text) is not None,
                take_input=hooks.take_input,
                begin_run=hooks.begin_run,
                tell_extensions=hooks.tell,
                model_selected=hooks.model_selected,
                finish_turn=hooks.finish_turn,
                before_tree=hooks.before_tree,
                tree_changed=self._tell_tree,
                before_compact=hooks.before_compact,
                tell_compaction=hooks.tell_compaction,
                before_tool_call=self._consent.after(hooks.before_tool_call),
                after_tool_call=hooks.after_tool_call,
                queues=queues_of(self.settings),
                retry_policy=lambda: policy_of(self.settings),
                compaction_settings=partial(compaction_settings, self.settings),
                branch_reserve=partial(branch_reserve, self.settings),
                cache_warming=partial(cache_warming, self.settings),
                decide_warming=hooks.decide_warming,
                convert_to_llm=partial(convert_messages, self.settings),
                set_options=lambda options: set_request_options(
                    options, self.settings, self.options.environ
                ),
                report=self.surface.report,
                clock=self.options.clock,
            )
        )
        self.source.conversation = self.conversation

    async def start_extensions(
        self, reason: SessionStartReason = "startup", *, previous_session_file: str | None = None
    ) -> None:
        """Tell the extensions that the session has started; dialogs work from here on."""
        await self.runner.start(reason, previous_session_file=previous_session_file)

    async def _tell_tree(self, moved: Navigated) -> None:
        """Show the branch that the conversation goes on with now, and tell the extensions of it."""
        self.surface.show_branch(moved)
        if moved.event is not None:
            await self.runner.emit(moved.event, NOTIFY)

    async def reload(self) -> list[Problem]:
        """Load the extensions and the models again from their files; returns what is wrong with them.

        Raises `PiError` while a run goes on. One that does not load any more is gone.
        """
        async with self.conversation.paused():
            late = await self.extensions.end("reload", _RELOADED)
            problems = [Problem("warning", text) for text in late]
            problems += await self.extensions.load()
            await self.runner.start("reload")
        return problems + [Problem("warning", text) for text in self.reload_models()]

    def reload_models(self) -> list[str]:
        """Read `models.json` and `auth.json` again; returns what has become wrong with them."""
        return reload_registry(self.registry, self.options)

    async def keep_provider(self, provider_id: str) -> None:
        """Write a server that was found in this run into `models.json`. Raises `PiError`."""
        provider = self.registry.added(provider_id)
        if provider is not None:
            await asyncio.to_thread(store_added, self.options, provider)
            self.reload_models()

    def stored_prompts(self, limit: int = 100) -> list[str]:
        """Return what the user typed on the active branch, oldest first, at most the last `limit`."""
        entries = self.conversation.session.build_context_entries()
        newest: list[str] = []
        for entry in reversed(entries):
            if len(newest) == limit:
                break
            if not isinstance(entry, MessageEntry) or entry.role not in _TYPED:
                continue
            message = entry.message
            if isinstance(message, UserMessage):
                newest.append(text_of(message.content))
            elif isinstance(message, BashExecutionMessage):
                newest.append(command_of(message).as_typed)
        return newest[::-1]

    def report_stray_errors(self, loop: asyncio.AbstractEventLoop) -> None:
        """Report what escapes from tasks and callbacks of extensions, where no screen does that."""

        def handle(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
            error = context.get("exception")
            if not isinstance(error, Exception) or not self.runner.report_stray(error):
                loop.default_exception_handler(context)

        loop.set_exception_handler(handle)

    async def stop(self) -> list[str]:
        """End the run, tell the extensions, kill what tools left running. Returns what did not finish.

        A step that fails is logged and keeps none of the others from being taken.
        """
        if self._stopped:
            return []
        self._stopped = True
        self.conversation.refuse_prompts()
        late: list[str] = []

        async def end_extensions() -> None:
            late.extend(await self.extensions.end("quit", _SESSION_OVER))

        await _attempt(self.conversation.abort)
        await _attempt(self.user_bash.aclose)
        await _attempt(end_extensions)
        await _attempt(self.conversation.dispose)
        await _attempt(self.groups.kill_all)
        await _attempt(self.registry.aclose)
        return late


def _pi_itself() -> Owner:
    """Return the owner of what pi asks and shows where extensions do."""
    return Owner("pi", "pi", AbortController().signal, FailureReports(lambda error: None))


async def _attempt(step: Callable[[], object]) -> None:
    try:
        result = step()
        if inspect.isawaitable(result):
            await result
    except Exception:
        _log.exception("a step of the end failed")


async def build_services(options: RunOptions, surface: Surface) -> Services:
    """Build a conversation; whatever is wrong is in its `problems`."""
    problems: list[Problem] = []
    registry = _registry(options, problems)
    registry.keys.has_login = surface.mode == "tui"
    session = await start_session(
        options, problems, asks=surface.mode == "tui", opening=surface.opening
    )
    source = ConversationSource(surface.mode, options.cwd, surface.on_shutdown)
    files, built_in = _extension_files(options, problems)
    extensions = Generations(
        files, options.cwd, source, surface.ui, surface.report_extension, built_in
    )
    problems += await extensions.load()
    services = Services(
        options=options,
        surface=surface,
        registry=registry,
        source=source,
        extensions=extensions,
        problems=problems,
    )
    start = await start_model(options, registry, session, problems)
    services.begin(session, start, problems)
    return services


def _registry(options: RunOptions, problems: list[Problem]) -> ModelRegistry:
    registry = build_registry(options)
    problems += [Problem("warning", text) for text in registry.notices]
    if options.api_key is not None:
        reference = options.model or next(iter(options.models or ()), "")
        named = options.provider or reference.partition("/")[0]
        owner = registry.provider(named)
        if owner is not None:
            registry.keys.give(owner.id, options.api_key)
        else:
            hint = "Add --provider NAME, or --model PROVIDER/ID."
            problems.append(Problem("choice", f"--api-key needs to know the provider.\n{hint}"))
    return registry


def _extension_files(options: RunOptions, problems: list[Problem]) -> tuple[list[Path], list[Path]]:
    """Return the files of the extensions that were asked for, and of those that are loaded anyway."""
    shipped = built_in_extensions()
    files: list[Path] = []
    for source in options.extensions:
        try:
            files.append(extension_file(source, shipped))
        except PiError as error:
            problems.append(Problem("extension", error.with_hint()))
    if options.no_extensions:
        return files, []
    switches = options.settings.get_list("extensions") or ()
    wrong = unknown_switches(shipped, switches)
    problems += [Problem("warning", f"settings.json: {text}") for text in wrong]
    return files, left_on(shipped, switches, files)


def _context_files(options: RunOptions) -> ContextFiles:
    if options.no_context_files:
        return ContextFiles()
    return load_context_files(options.cwd, agent_dir=options.paths.agent_dir)


async def start_model(
    options: RunOptions,
    registry: ModelRegistry,
    session: SessionManager,
    problems: list[Problem],
) -> StartModel:
    """Choose the model to start with; what the options ask for in vain is noted, and what there is taken."""
    known = {*registry.notices, *(problem.text for problem in problems)}
    reference = options.model
    while True:
        try:
            wanted = Wanted(
                reference=reference,
                provider=options.provider,
                thinking=options.thinking,
                scope=options.models or options.settings.get_list("enabledModels") or (),
                preferences=SettingsPreferences(options.settings),
            )
            start = await choose_start_model(registry, session, wanted)
            break
        except PiError as error:
            problems.append(Problem("choice", error.with_hint()))
            reference = None  # which cannot fail: go on with what there is
    problems += [Problem("warning", text) for text in start.warnings]
    problems += [Problem("warning", text) for text in registry.notices if text not in known]
    return start


def _command_runner(extensions: Generations) -> Callable[[str], Awaitable[bool]]:
    async def run(text: str) -> bool:
        runner = extensions.runner
        match = runner.match_command(text)
        return match is not None and await runner.run_command(*match)

    return run
