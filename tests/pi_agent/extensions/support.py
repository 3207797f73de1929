"""A session without a model for the tests of extensions: what contexts read, and a person who answers."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pi_agent.base.wire import JsonObject
from pi_agent.extensions.context import CompactionWish, Mode, NavigateTreeResult, TreeMove
from pi_agent.extensions.events import ToolCallEvent
from pi_agent.extensions.guard import ExtensionError
from pi_agent.extensions.loader import LoadResult, load_extensions
from pi_agent.extensions.no_ui import NoUI
from pi_agent.extensions.owner import Owner
from pi_agent.extensions.rules import TOOL_CALL
from pi_agent.extensions.runner import ExtensionRunner
from pi_agent.extensions.ui import Blocked, NotifyType, ScreenFactory, UIHost
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.loop.queues import QueuedText
from pi_agent.loop.tool import ToolCallDecision
from pi_agent.session.context_usage import ContextUsage
from pi_tui.abort import AbortSignal
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.overlay import OverlayOptionsSource
from pi_tui.overlay_handle import OverlayHandle

T = TypeVar("T")


@dataclass
class Session:
    """What contexts read; tests change it as a session would."""

    mode: Mode = "tui"
    has_ui: bool = True
    cwd: str = "/work"
    model: Model | None = None
    thinking_level: ThinkingLevel = "off"
    signal: AbortSignal | None = None
    done: list[str] = field(default_factory=list)

    def is_idle(self) -> bool:
        """Return whether nothing runs."""
        return self.signal is None

    def queued_messages(self) -> list[QueuedText]:
        """Return one that waits."""
        return [QueuedText(1, "steering", "wait")]

    def abort(self) -> None:
        """Note it."""
        self.done.append("abort")

    def shutdown(self) -> None:
        """Note it."""
        self.done.append("shutdown")

    def get_context_usage(self) -> ContextUsage | None:
        """Return that it is empty."""
        return ContextUsage(0, 100, 0.0)

    def request_compaction(self, wish: CompactionWish) -> None:
        """Note it."""
        self.done.append(f"compact {wish.custom_instructions}{' now' if wish.at_once else ''}")

    async def navigate_tree(self, move: TreeMove) -> NavigateTreeResult:
        """Note it."""
        self.done.append(f"navigate {move.target_id}")
        return NavigateTreeResult(editor_text="said")


class Person(NoUI):
    """A UI with a person who answers questions as told; without an answer the question stays open."""

    def __init__(self, *answers: bool) -> None:
        super().__init__("person", lambda extension, member, text: None)
        self.answers = list(answers)
        self.notices: list[tuple[str, str]] = []
        self.statuses: list[str | None] = []
        self.asked: list[tuple[str, str]] = []
        self.opened = asyncio.Event()
        self.answer: asyncio.Future[bool] | None = None

    def for_extension(self, owner: Owner) -> Person:
        """Talk to all of them."""
        return self

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Read it."""
        self.notices.append((message, type))

    def set_status(self, key: str, text: str | None) -> None:
        """Read it, without its colours."""
        self.statuses.append(None if text is None else strip_terminal_sequences(text))

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Answer, or leave the dialog open until `answer` is set or `signal` fires."""
        self.asked.append((title, message))
        if self.answers:
            return self.answers.pop(0)
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.answer = answer
        if signal is not None:
            signal.on_abort(lambda: None if answer.done() else answer.set_result(False))
        self.opened.set()
        return await answer

    async def custom(
        self,
        factory: ScreenFactory[T],
        *,
        overlay: bool = False,
        overlay_options: OverlayOptionsSource | None = None,
        on_handle: Callable[[OverlayHandle], None] | None = None,
        blocked: Blocked | None = None,
    ) -> T | None:
        """Look at nothing."""
        return None


async def turns_until(condition: Callable[[], object]) -> None:
    """Let the loop turn until `condition` holds; a thousand turns without it are a failure."""
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never came to this")


class Clock:
    """A monotonic clock that stands still."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.time


@dataclass
class Run:
    """Loaded extensions, and everything they can reach."""

    runner: ExtensionRunner
    session: Session
    person: Person
    clock: Clock
    errors: list[ExtensionError]

    async def call(self, tool: str, **input: object) -> ToolCallDecision | None:
        """Ask the gates about a call."""
        return await self.gate(tool, dict(input))

    async def gate(self, tool: str, input: JsonObject) -> ToolCallDecision | None:
        """Ask the gates about a call; they may change `input`."""
        event = ToolCallEvent("call_1", tool, input)
        done = await self.runner.emit(event, TOOL_CALL, signal=self.session.signal)
        return done.results[-1] if done.results else None

    async def execute(self, name: str, params: JsonObject) -> object:
        """Run a registered tool with arguments that are known to be valid."""
        tool = next(tool for tool in self.runner.tools() if tool.name == name)
        model = tool.parameters
        built = params if isinstance(model, dict) else model.model_validate(params)
        result: object = await tool.execute(
            "call_1", built, AbortSignal(), lambda partial: None, None
        )
        return result


def write(folder: Path, **files: str) -> list[Path]:
    """Write `name="source"` as `name.py` and return the paths in that order."""
    paths = []
    for name, source in files.items():
        path = folder / f"{name}.py"
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        paths.append(path)
    return paths


async def load(folder: Path, *, generation: int = 0, **files: str) -> LoadResult:
    """Write the files and load them in that order."""
    return await load_extensions(write(folder, **files), cwd=folder, generation=generation)


def run(result: LoadResult, *answers: bool, ui: UIHost | None = None) -> Run:
    """Put loaded extensions to work."""
    assert [error.message for error in result.errors] == []
    session, person, clock = Session(), Person(*answers), Clock()
    errors: list[ExtensionError] = []
    runner = ExtensionRunner(result.extensions, session, ui or person, errors.append, clock)
    return Run(runner, session, person, clock, errors)


async def run_files(paths: Sequence[Path], *answers: bool) -> Run:
    """Load files that exist and put them to work."""
    return run(await load_extensions(paths, cwd=Path("/"), generation=0), *answers)
