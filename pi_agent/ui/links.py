"""Opening the links of a conversation: in the desktop's browser, or, where there is none in front, by copying them."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

_log = logging.getLogger("pi.ui")

_SCHEMES: Final = frozenset({"http", "https", "mailto"})
# Whoever cannot open a link says so at once.
_FAILURE_SECONDS: Final = 3.0
_REMOTE: Final = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
# Program, what it needs of the environment (one of them), and the platform.
_OPENERS: Final[tuple[tuple[str, tuple[str, ...], str], ...]] = (
    ("open", (), "darwin"),
    ("wslview", ("WSL_DISTRO_NAME",), "linux"),
    ("xdg-open", ("WAYLAND_DISPLAY", "DISPLAY"), "linux"),
)


class LinkOpener:
    """Opens links. `copy` takes those that nothing here opens: their target is for the user's own browser."""

    def __init__(
        self,
        environ: Mapping[str, str],
        copy: Callable[[str], Awaitable[object]],
        platform: str = sys.platform,
    ) -> None:
        self._environ = environ
        self._copy = copy
        self._platform = platform

    async def open(self, url: str) -> None:
        """Open a link of the web or an address to write to; a file or anything else is only copied."""
        program = self._program() if urlsplit(url).scheme.lower() in _SCHEMES else None
        if program is None or not await self._is_started(program, url):
            await self._copy(url)

    def _program(self) -> str | None:
        if any(self._environ.get(name) for name in _REMOTE):
            return None
        for name, needs, platform in _OPENERS:
            is_there = not needs or any(self._environ.get(need) for need in needs)
            if is_there and self._platform.startswith(platform):
                path = shutil.which(name, path=self._environ.get("PATH"))
                if path is not None:
                    return path
        return None

    async def _is_started(self, program: str, url: str) -> bool:
        nowhere = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                program,
                url,
                stdin=nowhere,
                stdout=nowhere,
                stderr=nowhere,
                env=dict(self._environ),
                start_new_session=True,
            )
        except OSError as error:
            _log.warning("%s: %s", program, error)
            return False
        try:
            async with asyncio.timeout(_FAILURE_SECONDS):
                return await process.wait() == 0
        except TimeoutError:
            return True  # it has become the browser
