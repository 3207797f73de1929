"""The extensions of a conversation, one generation after another.

Whoever calls extensions asks for `runner` each time: a reload or another session puts a new one in its place,
and between two generations there is one without extensions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path

from pi_agent.extensions.context import ContextSource
from pi_agent.extensions.events import SessionShutdownReason
from pi_agent.extensions.guard import ReportError
from pi_agent.extensions.loader import LoadError, LoadResult, load_extensions, set_up_again
from pi_agent.extensions.registry import Extension
from pi_agent.extensions.runner import ExtensionRunner
from pi_agent.extensions.ui import UIHost
from pi_agent.host.problems import Problem
from pi_tui.frozen import slotted


@slotted
class Generations:
    """Loads the extensions of `files`, and ends them; one generation at a time is the `runner`.

    `built_in` are the files of extensions that nobody asked for: they come last, and are not named.
    """

    files: Sequence[Path]
    cwd: Path
    source: ContextSource
    ui: UIHost
    report: ReportError
    built_in: Sequence[Path] = ()
    runner: ExtensionRunner = field(init=False)
    _number: int = 0
    _kept: list[tuple[Extension, Callable[[], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._use(())

    @property
    def names(self) -> list[str]:
        """What the extensions that somebody asked for are called, in load order."""
        extensions = self.runner.extensions
        return [each.name for each in extensions if each.path not in self.built_in]

    async def load(self) -> list[Problem]:
        """Begin a generation with the files as they are now. Returns what is wrong with them."""
        self._number += 1
        files = [*self.files, *self.built_in]
        loaded = await load_extensions(files, cwd=self.cwd, generation=self._number)
        return self._begin(loaded)

    async def load_again(self) -> list[Problem]:
        """Begin a generation with the modules that `end` kept: `setup` is called again, nothing is read."""
        kept, self._kept = self._kept, []
        try:
            loaded = await set_up_again([extension for extension, _ in kept])
        finally:
            for _, let_go in kept:
                let_go()
        return self._begin(loaded)

    async def end(
        self,
        reason: SessionShutdownReason,
        message: str,
        *,
        target_session_file: str | None = None,
        keep_modules: bool = False,
    ) -> list[str]:
        """Tell the extensions that the generation ends, and take everything they did away.

        `message` is what a `pi` or `ctx` of theirs says from now on. Returns what did not end in time.
        """
        runner = self.runner
        try:
            late = await runner.shutdown(reason, target_session_file=target_session_file)
        finally:
            if keep_modules:
                self._kept = [(each, each.modules.use()) for each in runner.extensions]
            self._use(())
            runner.invalidate(message)
            await runner.aclose()
        return [f"{one.extension}: {one.event} did not finish in time" for one in late]

    def _begin(self, loaded: LoadResult) -> list[Problem]:
        self._use(loaded.extensions)
        problems = [Problem("extension", _load_problem(error)) for error in loaded.errors]
        return problems + [Problem("warning", text) for text in self.runner.warnings()]

    def _use(self, extensions: Sequence[Extension]) -> None:
        self.runner = ExtensionRunner(extensions, self.source, self.ui, self.report, time.monotonic)


def _load_problem(error: LoadError) -> str:
    return f"{error.message}\n{error.hint}" if error.hint else error.message
