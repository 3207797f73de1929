"""`pi local`: fetch the small built-in model, say what of it is there, take it away."""

from __future__ import annotations

import asyncio
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TextIO

from pi_agent.base.errors import PiError
from pi_agent.base.paths import AgentPaths
from pi_agent.cli.process import run_to_end
from pi_agent.cli.progress_line import ProgressLine
from pi_agent.cli.streams import say
from pi_agent.llm.local.install import InstallProgress, install, remove
from pi_agent.llm.local_model import INSTALL_COMMAND, LIBRARY, SERVER, WEIGHTS, LocalModel
from pi_agent.modes.shutdown import ShutdownSignals
from pi_tui.abort import AbortController, AbortError

_START: Final = "`pi --local` starts with it."


def run(words: Sequence[str], environ: Mapping[str, str]) -> int:
    """Do what the first word says; returns the exit status."""
    model = LocalModel(AgentPaths.from_environment(environ).cache_dir, environ)
    return _VERBS[words[0]](model)


def _install(model: LocalModel) -> int:
    return run_to_end(_Installation(model, sys.stdout).run())


class _Installation:
    """One installation, as it is told to a person."""

    def __init__(self, model: LocalModel, out: TextIO) -> None:
        self._model = model
        self._line = ProgressLine(out)
        self._abort = AbortController()
        self._signal: int | None = None

    async def run(self) -> int:
        """Fetch what is missing; returns the exit status."""
        if not await asyncio.to_thread(self._model.has_right_weights):
            remove(self._model)
        state = self._model.state()
        if state.is_ready:
            print(f"The small built-in model is installed. {_START}")
            return 0
        text = f"What is missing will be fetched: {state.told()}."
        print(textwrap.fill(text, shutil.get_terminal_size().columns), flush=True)
        with ShutdownSignals(self._on_signal, lambda: None):
            try:
                async with self._line:
                    await install(self._model, self._report, self._abort.signal)
            except AbortError:
                say("Cancelled: nothing half is left.")
                return 128 + (self._signal or 0)
            except PiError as error:
                say(f"Error: {error.with_hint()}")
                return 1
        print(f"The small built-in model is installed. {_START}")
        return 0

    def _report(self, progress: InstallProgress) -> None:
        self._line.show(f"Fetching {progress.part.title}", progress.fraction)

    def _on_signal(self, number: int) -> None:
        self._signal = number
        self._abort.abort()


def _status(model: LocalModel) -> int:
    state = model.state()
    is_right = state.has_weights and model.has_right_weights()
    server = f"{SERVER.package} is installed" if state.has_server else _missing(SERVER.megabytes)
    weights = str(model.weights) if state.has_weights else _missing(WEIGHTS.megabytes)
    if state.has_weights and not is_right:
        weights += " is not the file that pi knows"
    print(f"server  {server}")
    if not state.has_library:
        print(f"library {_missing(LIBRARY.megabytes)}")
    print(f"model   {weights}")
    if state.is_ready and is_right:
        print(_START)
        return 0
    print(state.why_not_installable or f"`{INSTALL_COMMAND}` fetches what is missing.")
    return 1


def _missing(megabytes: int) -> str:
    return f"not there ({megabytes} MB)"


def _remove(model: LocalModel) -> int:
    if remove(model):
        print(f"Removed {model.weights}")
    else:
        print(f"There is no {model.weights}")
    if model.state().has_server:
        print(f"The package {SERVER.package} stays in {sys.prefix}; pip removes it.")
    return 0


_VERBS: Final[Mapping[str, Callable[[LocalModel], int]]] = {
    "install": _install,
    "status": _status,
    "remove": _remove,
}
