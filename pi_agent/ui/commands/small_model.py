"""The small built-in model as a way out of having none: what it costs to have it, fetching it, and using it."""

from __future__ import annotations

from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.llm.local.install import InstallProgress, install
from pi_agent.llm.local_model import LocalModel
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.dialogs.fetching import FetchingDialog
from pi_tui.abort import AbortController, AbortError

NAMES: Final = ("local", "smollm2")

_UNFIT: Final = "tiny, unfit for real work"


class SmallModel:
    """Fetches the model where the user can watch and cancel."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host

    def about(self) -> str | None:
        """Return what choosing it means; `None` where it cannot be had."""
        state = self._model().state()
        if state.is_ready:
            return f"{_UNFIT}; runs on this machine"
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
        dialog = FetchingDialog("The small built-in model", app.theme, cancel.abort)

        def report(progress: InstallProgress) -> None:
            dialog.show(progress)
            app.tui.request_render()

        app.screen.show_dialog(dialog)
        try:
            await install(model, report, cancel.signal)
        except AbortError:
            app.notify("Cancelled: nothing half is left.")
            return False
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
            return False
        finally:
            app.screen.close_dialog(dialog)
        return True

    def _model(self) -> LocalModel:
        options = self._host.app.options
        return LocalModel(options.paths.cache_dir, options.environ)
