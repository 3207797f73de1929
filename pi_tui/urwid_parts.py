"""The parts of urwid that a screen is made of, without its widgets.

Importing any module of a package runs the package, and urwid's loads every widget: as much work as all else that
the first frame needs. So the package stands here unrun until somebody asks for a name that is no module of it.
"""

from __future__ import annotations

import importlib
import importlib.util
import platform
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from urwid.canvas import Canvas
    from urwid.display.raw import Screen
    from urwid.util import set_encoding

__all__ = ["Canvas", "Screen", "set_encoding"]

_NAME: Final = "urwid"


class _UnrunPackage(types.ModuleType):
    """A package whose modules can be imported; the first other name that is asked for runs it."""

    def __getattr__(self, name: str) -> object:
        path = f"{_NAME}.{name}"
        if importlib.util.find_spec(path) is not None:
            return importlib.import_module(path)
        self.__class__ = types.ModuleType  # type: ignore[assignment]  # the plain module that it becomes
        if self.__spec__ is not None and self.__spec__.loader is not None:
            self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def _import_package() -> None:
    if _NAME in sys.modules:
        return
    spec = importlib.util.find_spec(_NAME)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {_NAME!r}", name=_NAME)
    package = importlib.util.module_from_spec(spec)
    package.__class__ = _UnrunPackage
    sys.modules[_NAME] = package


@contextmanager
def _no_child_process() -> Iterator[None]:
    """Let `platform.platform()`, by which urwid finds WSL, tell the kernel's release without running `uname`.

    A Ctrl+Z at that moment would stop the child before it runs anything, and us with it for good.
    """
    original = platform.platform
    platform.platform = lambda *_args, **_flags: platform.release()
    try:
        yield
    finally:
        platform.platform = original


if not TYPE_CHECKING:
    _import_package()
    with _no_child_process():
        Canvas = importlib.import_module("urwid.canvas").Canvas
        Screen = importlib.import_module("urwid.display.raw").Screen
        set_encoding = importlib.import_module("urwid.util").set_encoding
