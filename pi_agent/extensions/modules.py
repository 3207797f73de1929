"""Import extension files under private names, always from the source as it is now.

An extension is the package `_pi_ext_<generation>_<number>_<name>`, whose folder is that of its entry file: it
finds the files beside it with `from ._helpers import x`, and nobody else finds them. Byte-code files are
neither read nor written, because two edits within a second would leave an outdated one behind.
"""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

PREFIX: Final = "_pi_ext_"


def private_package(generation: int, number: int, name: str) -> str:
    """Return a package name that no loaded module has."""
    slug = re.sub(r"\W", "_", name, flags=re.ASCII)
    while (package := f"{PREFIX}{generation}_{number}_{slug}") in sys.modules:
        number += 1
    return package


def import_entry(package: str, file: Path) -> ModuleType:
    """Import `file` as `package`. Raises whatever the file raises, and leaves nothing behind then."""
    if not any(isinstance(finder, _PrivateFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _PrivateFinder())
    loader = _FreshSource(package, str(file))
    spec = spec_from_file_location(
        package, file, loader=loader, submodule_search_locations=[str(file.parent)]
    )
    if spec is None:
        raise ImportError(f"{file} cannot be imported", path=str(file))
    module = module_from_spec(spec)
    sys.modules[package] = module
    try:
        loader.exec_module(module)
    except BaseException:
        forget(package)
        raise
    return module


class PrivateModules:
    """The modules of an imported extension. They stay loaded until nobody uses them any more.

    `entry` is the module with `setup`, once it is imported.
    """

    def __init__(self, package: str) -> None:
        self.package = package
        self.entry: ModuleType | None = None
        self._users = 0

    def use(self) -> Callable[[], None]:
        """Keep the modules until the returned function is called; calling it again does nothing."""
        self._users += 1
        is_used = True

        def let_go() -> None:
            nonlocal is_used
            self._users -= is_used
            is_used = False
            if self._users == 0:
                forget(self.package)

        return let_go


def forget(package: str) -> None:
    """Remove a package and its submodules from the loaded ones."""
    for name in list(sys.modules):
        if name == package or name.startswith(f"{package}."):
            sys.modules.pop(name, None)


class _FreshSource(SourceFileLoader):
    """Reads the source file, always."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        # Otherwise a traceback would show the lines of an earlier generation.
        linecache.cache.pop(path, None)
        return self.source_to_code(self.get_data(path), path)


class _PrivateFinder(MetaPathFinder):
    """Finds the submodules of private packages, and nothing else."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is None or not fullname.startswith(PREFIX):
            return None
        for folder in path:
            # A new finder each time: it remembers what a folder contains.
            spec = FileFinder(folder, *_LOADERS).find_spec(fullname)
            if spec is not None:
                return spec
        return None


_LOADERS: Final = (
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (_FreshSource, SOURCE_SUFFIXES),
)
