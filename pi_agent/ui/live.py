"""The conversation behind the screen: loaded after the first frame, driven by the editor.

This module imports what the first frame must not wait for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pi_agent.base.git import current_branch
from pi_agent.extensions.guard import ExtensionError
from pi_agent.extensions.message_renderer import OwnedRenderer
from pi_agent.host.problems import Problem
from pi_agent.host.services import Services, Surface, build_services
from pi_agent.host.small_model import SMALL_MODEL_CAUTION, is_small
from pi_agent.llm.messages import AssistantMessage
from pi_agent.llm.model import Price
from pi_agent.loop.events import AgentEvent
from pi_agent.session.store import SessionManager
from pi_agent.ui.actions import ActionHandler
from pi_agent.ui.app import InteractiveApp
from pi_agent.ui.argument_completion import complete_argument
from pi_agent.ui.branch_watch import watch_branch
from pi_agent.ui.cache_notices import CacheNotices
from pi_agent.ui.commands.compact import compact_command
from pi_agent.ui.commands.copy import CopyAnswer
from pi_agent.ui.commands.export import export_command
from pi_agent.ui.commands.fork import ForkChoice
from pi_agent.ui.commands.help import help_command
from pi_agent.ui.commands.import_session import import_command
from pi_agent.ui.commands.login import Login
from pi_agent.ui.commands.logout import Logout
from pi_agent.ui.commands.model import ModelChoice
from pi_agent.ui.commands.name import name_command
from pi_agent.ui.commands.new import begin_new_session, new_command
from pi_agent.ui.commands.quit import quit_command
from pi_agent.ui.commands.reload import reload_command
from pi_agent.ui.commands.resume import ResumeChoice
from pi_agent.ui.commands.session import session_command
from pi_agent.ui.commands.settings import settings_command
from pi_agent.ui.commands.table import CommandTable
from pi_agent.ui.commands.thinking import ThinkingChoice
from pi_agent.ui.commands.tree import TreeChoice
from pi_agent.ui.commands.welcome import Welcome
from pi_agent.ui.conversation_view import ConversationView
from pi_agent.ui.double_escape import DoubleEscape
from pi_agent.ui.drafting import Drafting
from pi_agent.ui.ext_ui import ScreenUIHost
from pi_agent.ui.farewell import farewell
from pi_agent.ui.messages.markdown import warm_up_markdown
from pi_agent.ui.messages.notice import NoticeKind
from pi_agent.ui.opening import Opening
from pi_agent.ui.queue_hands import QueueHands
from pi_agent.ui.session_switch import SessionSwitch
from pi_agent.ui.talk import Talk
from pi_agent.ui.waiting import WaitingNotice
from pi_tui.autocomplete import SlashCommand
from pi_tui.combined_autocomplete import CombinedAutocompleteProvider
from pi_tui.files.fd import find_fd
from pi_tui.keybindings import key_display_text

if TYPE_CHECKING:
    from pi_agent.host.navigate import Navigated

_log = logging.getLogger("pi.ui")


def make_live(app: InteractiveApp) -> LiveConversation:
    """Return what is behind the screen of `app`."""
    return LiveConversation(app)


class LiveConversation:
    """What the interactive program does once everything is there."""

    def __init__(self, app: InteractiveApp) -> None:
        self._app = app
        self._screen = app.screen
        self._view = self._new_view()
        self._services: Services | None = None
        self._waiting: WaitingNotice | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._left_behind: list[str] = []
        self._queued: list[str] = []
        self._sessions = SessionSwitch(self)
        self._model_choice = ModelChoice(self)
        login = Login(self)
        self._welcome = Welcome(self, self._model_choice, login)
        self._copy = CopyAnswer(self)
        self._cache_notices = CacheNotices(
            self._screen.notices,
            self._price_of,
            lambda: app.settings.get_bool("showCacheMissNotices"),
        )
        self._thinking_choice = ThinkingChoice(self)
        app.settings.subscribe(self._on_settings)
        self._resume_choice = ResumeChoice(self)
        self._tree_choice = TreeChoice(self)
        self._fork_choice = ForkChoice(self)
        self._double_escape = DoubleEscape(
            lambda: app.composer.get_text(),
            lambda: app.settings.get_choice("doubleEscapeAction"),
            {"tree": self._tree_choice.choose, "fork": self._fork_choice.choose},
            asyncio.get_running_loop().time,
        )
        self._commands = CommandTable(
            [
                help_command(self),
                self._model_choice.command(),
                self._thinking_choice.command(),
                settings_command(self),
                login.command(),
                Logout(self).command(),
                name_command(self),
                compact_command(self),
                new_command(self),
                self._copy.command(),
                export_command(self),
                reload_command(self),
                self._resume_choice.command(),
                self._tree_choice.command(),
                *self._fork_choice.commands(),
                import_command(self),
                session_command(self),
                self._welcome.command(),
                quit_command(self),
            ]
        )
        self._completion = CombinedAutocompleteProvider((), app.options.cwd, find_fd())
        self._queue_hands = QueueHands(self)
        self._talk = Talk(self, lambda: self._view.user_commands)

    @property
    def app(self) -> InteractiveApp:
        """The frame of the program."""
        return self._app

    @property
    def services(self) -> Services | None:
        """The conversation and what it is made of; `None` while it loads."""
        return self._services

    @property
    def commands(self) -> CommandTable:
        """All built-in commands."""
        return self._commands

    @property
    def sessions(self) -> SessionSwitch:
        """What puts another session in the place of this one."""
        return self._sessions

    @property
    def model_choice(self) -> ModelChoice:
        """What offers the models."""
        return self._model_choice

    @property
    def welcome(self) -> Welcome:
        """What helps to a model."""
        return self._welcome

    @property
    def actions(self) -> Mapping[str, ActionHandler]:
        """What keys do once everything is loaded."""
        return {
            "app.tools.expand": self._view.toggle_expanded,
            "app.model.select": self._model_choice.choose,
            "app.model.cycleForward": lambda: self._model_choice.cycle("forward"),
            "app.model.cycleBackward": lambda: self._model_choice.cycle("backward"),
            "app.thinking.cycle": self._thinking_choice.cycle,
            "app.thinking.toggle": self._thinking_choice.toggle,
            "app.message.followUp": self._talk.follow_up,
            "app.message.dequeue": self._talk.dequeue,
            "app.session.new": lambda: begin_new_session(self),
            "app.message.copy": self._copy.copy,
            "app.session.resume": self._resume_choice.choose,
            "app.session.tree": self._tree_choice.choose,
            "app.session.fork": self._fork_choice.choose,
            **Drafting(self._app).actions,
            **self._queue_hands.actions,
        }

    # Life

    async def start(self) -> None:
        """Load everything and greet. What the command line asked for in vain is told and left out."""
        if self._app.options.resume:
            chosen = await self._resume_choice.choose_first()
            if chosen is None:
                self._app.quit()
                return
            self._app.options = chosen
        opening = Opening(self._screen, self._view.view_of_all)
        surface = Surface(
            mode="tui",
            ui=ScreenUIHost(self._screen, self._app.theming),
            report=self.report,
            report_extension=self._on_extension_error,
            on_shutdown=self._app.quit,
            show_branch=self._show_branch,
            before_abort=self._talk.dequeue,
            opening=opening.begin,
        )
        try:
            services = await build_services(self._app.options, surface)
        finally:
            opening.end()
        self._services = services
        self._screen.footer.count_providers = lambda: len(
            {model.provider for model in services.registry.available()}
        )
        self._show_conversation(services)
        for problem in services.problems:
            self.show_problem(problem)
        if is_small(services.conversation.model):
            self._app.notify(SMALL_MODEL_CAUTION)
        self._screen.completions.built_in = self._completion
        self._app.composer.set_autocomplete_provider(self._screen.completions.provider)
        self._greet(services)
        self._waiting = WaitingNotice(
            lambda: services.runner, self._screen.status, self.restore_status
        )
        if not await self._sessions.settle_start(services):
            self._app.quit()
            return
        async with self._waiting.watching():
            await services.start_extensions()
        self._app.start_task(self._warm_up(services))
        self._app.start_task(watch_branch(self._app.options.cwd, self.update_footer))
        if self._app.files or self._app.messages:
            self._app.start_task(self._talk.first_prompts())

    async def _warm_up(self, services: Services) -> None:
        """Load what the first question and its answer need, while the user types."""
        await asyncio.to_thread(services.registry.warm_up)
        await asyncio.to_thread(warm_up_markdown, self._app.theme)

    async def stop(self) -> None:
        """End what is going on and tell the extensions; whoever calls it again waits for the same end."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        if self._services is None:
            return
        await self._sessions.cancel()
        self._queued = [text.text for text in self._services.conversation.queue.listed]
        self._left_behind = await self._services.stop()
        for text in self._left_behind:
            _log.warning("%s", text)

    def farewell(self) -> str | None:
        """Return what was never sent, what did not end in time, and how to go on with this session."""
        if self._services is None:
            return None
        session = self._services.conversation.session
        return farewell(
            self._app.options, session, self._left_behind, self._welcome.waiting, self._queued
        )

    @property
    def exit_code(self) -> int:
        """The status to end with: 1 if something that was to be sent never was."""
        return 1 if self._welcome.waiting else 0

    def report_stray(self, error: Exception) -> None:
        """Name the extension whose task or callback failed."""
        if self._services is not None:
            self._services.runner.report_stray(error)

    def _greet(self, services: Services) -> None:
        self.update_footer()
        if services.conversation.model is None:
            self._welcome.open()
        else:
            self._welcome.close()

    async def show_session(self) -> None:
        """Show the session of the services in the place of what is shown."""
        if self._services is None:
            return
        self._begin_document()
        self._show_conversation(self._services)
        self._greet(self._services)
        self._screen.view.scroll_to_end()

    def _show_branch(self, moved: Navigated) -> None:
        """Show the branch that the conversation goes on with; what is said otherwise goes into an empty editor."""
        if self._services is None:
            return
        commands = self._view.user_commands
        self._begin_document()
        self._show_stored(self._services.conversation.session)
        self._view.user_commands.go_on_with(commands)
        self.update_footer()
        self._screen.view.scroll_to_end()
        if moved.editor_text and not self._app.composer.get_text():
            self._app.composer.set_text(moved.editor_text)

    def _begin_document(self) -> None:
        """Take away what is shown of the conversation."""
        self._screen.start_over(self._app.header)
        self._view = self._new_view()

    def show_problem(self, problem: Problem) -> None:
        """Say what is wrong with what a conversation is built of."""
        prefix = "Error: " if problem.kind == "choice" else ""
        kind: NoticeKind = "warning" if problem.kind == "warning" else "error"
        self._screen.notices.notify(prefix + problem.text, kind)

    def _new_view(self) -> ConversationView:
        view = ConversationView(
            self._screen,
            key_display_text("app.tools.expand"),
            self._app.options.cwd,
            self._message_renderer,
        )
        view.on_turn_end = self._count
        view.hide_thinking(self._app.settings.get_bool("hideThinkingBlock"))
        return view

    def _message_renderer(self, custom_type: str) -> OwnedRenderer | None:
        return self._services.runner.message_renderer(custom_type) if self._services else None

    def _show_conversation(self, services: Services) -> None:
        services.conversation.subscribe(self._on_event)
        self._show_stored(services.conversation.session)
        self._restore_history(services)
        self.show_extensions()

    def _show_stored(self, session: SessionManager) -> None:
        entries = session.build_context_entries()
        self._view.show_stored(entries)
        self._cache_notices.begin(entries)

    def show_extensions(self) -> None:
        """Show anew which extensions there are, and which commands they have."""
        services = self._services
        if services is None:
            return
        self._completion.commands = self._commands.suggestions(self.extension_commands())
        context = [file.path.name for file in services.context_files.files]
        self._app.header.set_resources(
            [("Context", context), ("Extensions", services.extensions.names)]
        )
        self._view.extensions_changed()

    def _restore_history(self, services: Services) -> None:
        for text in services.stored_prompts():
            self._app.composer.add_to_history(text)

    # What was typed

    def submit(self, text: str) -> None:
        """Run a command, pi's or the shell's, or say `text` to the model."""
        self._talk.submit(text)

    def interrupt(self) -> bool:
        """Skip an extension that is waited for, else stop what goes on; `False` if nothing does."""
        if self._waiting is not None and self._waiting.skip():
            return True
        return self._talk.interrupt() or self._double_escape.take()

    async def take_back(self, services: Services) -> None:
        """Put queued texts back into the editor."""
        await self._talk.take_back(services)

    # Commands

    def extension_commands(self) -> Sequence[SlashCommand]:
        """Return the commands of extensions."""
        if self._services is None:
            return []
        runner = self._services.runner
        return [
            SlashCommand(
                name,
                command.description,
                get_argument_completions=complete_argument(
                    name, command.complete, runner.owner_of(command)
                ),
            )
            for name, command in runner.commands().items()
        ]

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Name extensions that keep everybody waiting while the block runs."""
        if self._waiting is None:
            yield
            return
        async with self._waiting.watching():
            yield

    # Events

    def report(self, text: str) -> None:
        """Say what went wrong."""
        self._screen.notices.notify(text, "error")

    def _on_event(self, event: AgentEvent) -> None:
        self._view.take(event)
        self._cache_notices.take(event)
        if event.type in ("agent_settled", "session_info_changed", "compaction_end"):
            self.update_footer()
        if event.type == "compaction_end":
            self._talk.compaction_ended()

    def _price_of(self, provider: str, model_id: str) -> Price:
        model = self._services.registry.find(provider, model_id) if self._services else None
        return model.cost if model is not None else Price()

    def _on_settings(self, keys: frozenset[str]) -> None:
        self._view.hide_thinking(self._app.settings.get_bool("hideThinkingBlock"))
        if "compaction.enabled" in keys:
            self.update_footer()

    def _on_extension_error(self, error: ExtensionError) -> None:
        log = self._app.options.paths.logs_dir
        text = (
            f"Extension {error.extension_path} failed in {error.place}: {error.error}\n"
            f"The traceback is in {log}."
        )
        # What is drawn may have failed: the document does not change in the middle of a frame.
        asyncio.get_running_loop().call_soon(self._screen.notices.notify, text, "error")

    def restore_status(self) -> None:
        """Say in the status row what goes on, if anything does."""
        conversation = self._services.conversation if self._services is not None else None
        if conversation is not None and (conversation.is_streaming or conversation.is_compacting):
            self._view.show_working()
        else:
            self._screen.status.clear()

    def _count(self, message: AssistantMessage) -> None:
        self.update_footer()

    def update_footer(self) -> None:
        """Show the footer anew: the model, the session or the totals changed."""
        services = self._services
        if services is None:
            return
        conversation = services.conversation
        model = conversation.model
        self._screen.editor.show_thinking_level(conversation.thinking_level)
        totals, usage = conversation.session.get_stats(), conversation.get_context_usage()
        name = conversation.session.get_session_name()
        self._app.show_title(name)
        self._screen.footer.update(
            branch=current_branch(self._app.options.cwd),
            session_name=name,
            input_tokens=totals.input,
            output_tokens=totals.output,
            cache_read_tokens=totals.cache_read,
            context_percent=usage.percent if usage is not None else None,
            context_window=usage.context_window if usage is not None and usage.tokens != 0 else 0,
            auto_compacts=services.settings.get_bool("compaction.enabled"),
            model=model.id if model is not None else "no model",
            provider=model.provider if model is not None else "",
            thinking_level=conversation.thinking_level
            if model is not None and model.reasoning
            else None,
        )
        self._screen.tui.request_render()
