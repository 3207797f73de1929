"""How keys are written in files: as they are, with variables in them, or as a command that prints them.

A `!command` runs only when a request needs its output, never to find out whether there is a key.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal as signals
from collections.abc import Mapping

from pi_tui.patterns import pattern

_COMMAND_SECONDS = 10.0
_VARIABLE = pattern(r"\$(?:(?P<sign>[$!])|\{(?P<braced>\w+)\}|(?P<name>[A-Za-z_]\w*))", re.ASCII)


def is_command(value: str) -> bool:
    """Return whether `value` is a command whose output counts."""
    return value.startswith("!")


def variables_of(value: str) -> list[str]:
    """Return the names of the variables in `value`, which is no command."""
    names = [match["braced"] or match["name"] for match in _VARIABLE.finditer(value)]
    return [name for name in names if name]


def is_configured(value: str, environ: Mapping[str, str]) -> bool:
    """Return whether `value` has all it needs; a command counts as configured, it is not run."""
    return is_command(value) or bool(expand(value, environ))


async def resolve_value(value: str, environ: Mapping[str, str]) -> str | None:
    """Return what `value` stands for, or `None` if that cannot be told.

    Text is itself, `$NAME` and `${NAME}` are variables, `$$` and `$!` are `$` and `!`, and a whole
    `!command` is the command's output.
    """
    if is_command(value):
        return await _output_of(value[1:], environ)
    return expand(value, environ)


class OnceResolver:
    """Resolves values, and asks each command only once: failures are remembered, too."""

    def __init__(self) -> None:
        self._outputs: dict[str, str | None] = {}
        self._lock = asyncio.Lock()

    async def resolve(self, value: str, environ: Mapping[str, str]) -> str | None:
        """Return what `value` stands for; see `resolve_value`."""
        if not is_command(value):
            return await resolve_value(value, environ)
        async with self._lock:
            if value not in self._outputs:
                self._outputs[value] = await resolve_value(value, environ)
            return self._outputs[value]

    def forget(self, value: str) -> None:
        """Ask the command `value` again, the next time."""
        self._outputs.pop(value, None)


def literal(text: str) -> str:
    """Return how to write a key that is this very text, whatever signs are in it."""
    written = text.replace("$", "$$")
    return f"${written}" if is_command(written) else written


def key_problem(value: str) -> str | None:
    """Return why `value` cannot lead to a key that fits into a request, or `None`. Does not repeat it."""
    if is_command(value):
        return None if value[1:].strip() else "Behind the ! there is no command."
    if not value.isascii() or not value.replace(" ", "").isprintable():
        return "A key has only letters without accents, digits and signs in it."
    if " " in value.strip():
        return "There is a blank in it, which no key has. Was a line break copied along?"
    return None


def expand(value: str, environ: Mapping[str, str]) -> str | None:
    """Return `value`, which is no command, with its variables filled in; `None` if one is not set."""
    missing = False

    def replace(match: re.Match[str]) -> str:
        nonlocal missing
        if match["sign"]:
            return match["sign"]
        found = environ.get(match["braced"] or match["name"], "").strip()
        missing = missing or not found
        return found

    expanded = _VARIABLE.sub(replace, value).strip()
    return None if missing else expanded or None


async def _output_of(command: str, environ: Mapping[str, str]) -> str | None:
    process = await asyncio.create_subprocess_shell(
        command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=dict(environ),
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(_COMMAND_SECONDS):
            output, _ = await process.communicate()
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signals.SIGKILL)
            await process.wait()
    if process.returncode != 0:
        return None
    return output.decode("utf-8", "replace").strip() or None
