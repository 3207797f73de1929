"""Load extensions: import each file, run its `setup`, and say what is wrong with those that fail.

One that fails leaves nothing behind and keeps no other from loading.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from pi_agent.extensions.api import ExtensionAPI
from pi_agent.extensions.guard import describe, is_not_for_extensions
from pi_agent.extensions.lifetime import Lifetime
from pi_agent.extensions.modules import PREFIX, PrivateModules, import_entry, private_package
from pi_agent.extensions.registry import Extension, extension_name
from pi_tui.frozen import frozen

_log = logging.getLogger("pi.extensions")


@frozen
class LoadError:
    """Why an extension is not there. `message` names its path, `hint` says what to do if that is known."""

    path: Path
    message: str
    hint: str | None = None


@frozen
class LoadResult:
    """The extensions that loaded, in load order, and the errors of those that did not."""

    extensions: tuple[Extension, ...]
    errors: tuple[LoadError, ...]


async def load_extensions(paths: Sequence[Path], *, cwd: Path, generation: int) -> LoadResult:
    """Load the files at `paths`, one after another; relative ones are relative to `cwd`.

    A file that is named twice loads once. `generation` sets the modules apart from those of an earlier
    call, which stay as they are.
    """
    extensions: list[Extension] = []
    errors: list[LoadError] = []
    seen: set[Path] = set()
    for number, path in enumerate(paths):
        file = cwd / path.expanduser()
        real = file.resolve()
        if real in seen:
            continue
        seen.add(real)
        loaded = await _load(file, generation, number)
        if isinstance(loaded, Extension):
            extensions.append(loaded)
        else:
            errors.append(loaded)
    return LoadResult(tuple(extensions), tuple(errors))


async def set_up_again(extensions: Sequence[Extension]) -> LoadResult:
    """Call `setup` of the modules of an earlier generation with a new `pi` each."""
    begun = [await _begin(extension.path, extension.modules) for extension in extensions]
    return LoadResult(
        tuple(each for each in begun if isinstance(each, Extension)),
        tuple(each for each in begun if isinstance(each, LoadError)),
    )


async def _load(file: Path, generation: int, number: int) -> Extension | LoadError:
    if not file.exists():
        return LoadError(file, f"Extension path does not exist: {file}")
    unusable = _unusable(file)
    if unusable is not None:
        return _failure(file, *unusable)
    modules = PrivateModules(private_package(generation, number, extension_name(file)))
    return await _begin(file, modules)


async def _begin(file: Path, modules: PrivateModules) -> Extension | LoadError:
    """Import an extension, unless it is imported already, and set it up."""
    extension = Extension(file, modules, Lifetime(modules.use()))
    try:
        if modules.entry is None:
            modules.entry = import_entry(modules.package, file)
        await _set_up(extension, modules.entry)
    except BaseException as error:
        message = _message(error, extension)
        extension.lifetime.fail(f"Extension {file} failed to load: {message}")
        extension.clear()
        if is_not_for_extensions(error):
            raise
        _log.error("failed to load extension %s", file, exc_info=error)
        if isinstance(error, _NoSetup):
            return LoadError(file, f"Extension does not define a callable setup(pi): {file}")
        return _failure(file, message, _hint(error, file.parent))
    return extension


class _NoSetup(Exception):
    """The module has nothing to call."""


async def _set_up(extension: Extension, module: ModuleType) -> None:
    setup = getattr(module, "setup", None)
    if not callable(setup):
        raise _NoSetup
    result = setup(ExtensionAPI(extension))
    if inspect.isawaitable(result):
        await result


def _unusable(file: Path) -> tuple[str, str] | None:
    """Return why a path cannot hold an extension, and what to do."""
    if file.is_dir():
        return "it is a folder", "Name the file in it that has the setup function."
    if file.suffix in (".ts", ".js", ".mjs"):
        return "it is written in TypeScript or JavaScript", "pi runs extensions in Python (.py)."
    if file.suffix != ".py":
        return "it is not a Python file", "An extension is a .py file with a setup function."
    return None


def _failure(file: Path, message: str, hint: str | None) -> LoadError:
    return LoadError(file, f"Failed to load extension {file}: {message}", hint)


def _message(error: BaseException, extension: Extension) -> str:
    """Return what went wrong and, where the message does not say it, at which line of the extension."""
    if isinstance(error, SyntaxError):
        return describe(error)
    if isinstance(error, SystemExit):
        text = "it called sys.exit while loading"
    elif isinstance(error, asyncio.CancelledError):
        text = "its setup was cancelled from within"
    elif isinstance(error, LookupError):
        text = f"{type(error).__name__}: {error}"
    else:
        # The private name of the package means nothing to its author.
        text = describe(error).replace(f"{extension.package}.", ".")
    place = _place_in(extension.package, error)
    return f"{text} ({place})" if place else text


def _place_in(package: str, error: BaseException) -> str | None:
    """Return the innermost line of the extension's own code that the error came through."""
    place = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] == package:
            place = f"{Path(frame.f_code.co_filename).name}, line {line}"
    return place


def _hint(error: BaseException, folder: Path) -> str | None:
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return None
    name = error.name.partition(".")[0]
    if name.startswith(PREFIX):
        return None
    if (folder / f"{name}.py").exists() or (folder / name).is_dir():
        return f"Import files beside the extension with a dot: from . import {name}"
    return f"Install the package that provides {name}: {sys.executable} -m pip install {name}"
