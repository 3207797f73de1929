"""The small built-in model as a way out of having none: what it costs to have it, fetching it, and using it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.llm.local.install import InstallProgress, install
from pi_agent.llm.local_model import LocalModel, Part
from pi_agent.ui import dialogs
from pi_agent.ui.commands.host import CommandHost
from pi_tui.abort import AbortController, AbortError

NAMES: Final = ("local", "smollm2")

_UNFIT: Final = "tiny, unfit for real work"


class Pace:
    """Says how far it is, and how fast the part that is being fetched comes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._part: Part | None = None
        self._begun = 0.0

    def told(self, progress: InstallProgress) -> str:
        """Return that in words."""
        part, fraction = progress.part, progress.fraction
        if part is not self._part:
            self._part, self._begun = part, self._clock()
        told = f"Fetching {part.title}, {part.megabytes} MB"
        if fraction is None:
            return told
        seconds = self._clock() - self._begun
        rate = f" at {fraction * part.megabytes / seconds:.1f} MB/s" if seconds >= 1 else ""
        return f"{told}: {fraction:.0%}{rate}"


class SmallModel:
    """Fetches the model where the user can watch and cancel."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host

    def about(self) -> str | None:
        """Return what choosing it means; `None` where it cannot be had."""
        state = self._model().state()
        if state.is_ready:
            return f"{_UNFIT}; is installed"
        if not state.can_be_installed:
            return None
        return f"{_UNFIT}; fetches {state.megabytes_to_fetch} MB"

    async def is_there(self) -> bool:
        """Fetch what is missing; `False` if that was cancelled or has failed, which is told."""
        model = self._model()
        if model.state().is_ready:
            return True
        app = self._host.app
        cancel = AbortController()
        dialog = dialogs.WaitingDialog(
            "The small built-in model",
            "Looking what is missing",
            app.tui,
            app.theme,
            stop_label="cancel",
            on_stop=cancel.abort,
        )
        pace = Pace()
        app.screen.show_dialog(dialog)
        try:
            await install(
                model, lambda progress: dialog.set_words(pace.told(progress)), cancel.signal
            )
        except AbortError:
            app.notify("Cancelled: nothing half is left.")
            return False
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
            return False
        finally:
            dialog.dispose()
            app.screen.close_dialog(dialog)
        return True

    def _model(self) -> LocalModel:
        options = self._host.app.options
        return LocalModel(options.paths.cache_dir, options.environ)
