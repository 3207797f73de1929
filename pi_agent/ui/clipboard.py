"""The clipboard: a helper program where the screen is in front of the user, else the terminal (OSC 52).

`PI_CLIPBOARD_OSC52` is `1` to ask the terminal only, `0` never to ask it. A helper that does not answer in time
counts as one that failed.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from pi_agent.base.process import kill_group
from pi_tui.clipboard import clipboard_sequence
from pi_tui.frozen import frozen

_log = logging.getLogger("pi.ui")

HELPER_SECONDS: Final = 3.0
_REMOTE: Final = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")


@frozen
class Helper:
    """A program that takes a text on its input, where all of `needs` are in the environment."""

    command: tuple[str, ...]
    needs: tuple[str, ...] = ()
    platform: str = ""
    works_remotely: bool = False

    def fits(self, environ: Mapping[str, str], platform: str) -> bool:
        """Whether it reaches the clipboard of whoever sits at the screen."""
        is_remote = any(environ.get(name) for name in _REMOTE)
        return (
            all(environ.get(name) for name in self.needs)
            and platform.startswith(self.platform)
            and (self.works_remotely or not is_remote)
        )


# In the order in which they are tried. tmux keeps the text and hands it to its own terminal.
HELPERS: Final = (
    Helper(("pbcopy",), platform="darwin"),
    Helper(("termux-clipboard-set",), ("TERMUX_VERSION",)),
    Helper(("wl-copy",), ("WAYLAND_DISPLAY",)),
    Helper(("xclip", "-selection", "clipboard"), ("DISPLAY",)),
    Helper(("xsel", "--clipboard", "--input"), ("DISPLAY",)),
    Helper(("clip.exe",), ("WSL_DISTRO_NAME",)),
    Helper(("tmux", "load-buffer", "-w", "-"), ("TMUX",), works_remotely=True),
)


class Clipboard:
    """Copies texts. `write` sends to the terminal."""

    def __init__(
        self,
        environ: Mapping[str, str],
        write: Callable[[str], None],
        platform: str = sys.platform,
        patience: float = HELPER_SECONDS,
    ) -> None:
        self._environ = environ
        self._write = write
        self._platform = platform
        self._patience = patience

    async def copy(self, text: str) -> bool | str:
        """Return `True` when the text was taken, as far as one can know, else what went wrong."""
        terminal = self._environ.get("PI_CLIPBOARD_OSC52", "").strip()
        if terminal != "1":
            for command in self._commands():
                if await self._is_taken(command, text):
                    return True
        if terminal == "0":
            return "Copy failed: no clipboard program took the text"
        sequence = clipboard_sequence(text, self._environ)
        if sequence is None:
            return f"Copy failed: {len(text.encode()) // 1000} KB are too much for the terminal"
        self._write(sequence)
        return True

    def _commands(self) -> Iterator[tuple[str, ...]]:
        for helper in HELPERS:
            if helper.fits(self._environ, self._platform):
                path = shutil.which(helper.command[0], path=self._environ.get("PATH"))
                if path is not None:
                    yield (path, *helper.command[1:])

    async def _is_taken(self, command: tuple[str, ...], text: str) -> bool:
        """Give a program the text; whether it took it. What stays of it in the background keeps the text."""
        nowhere = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=nowhere,
                stderr=nowhere,
                env=dict(self._environ),
                start_new_session=True,
            )
        except OSError as error:
            _log.warning("%s: %s", command[0], error)
            return False
        try:
            async with asyncio.timeout(self._patience):
                await process.communicate(text.encode("utf-8", "replace"))
        except (TimeoutError, OSError):
            _log.warning("%s did not take the text", command[0])
            return False
        finally:
            if process.returncode is None:
                kill_group(process.pid)
                await process.wait()
        return process.returncode == 0
