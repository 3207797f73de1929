"""From a path as a model or a person writes it to a path of the file system."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pi_tui.patterns import pattern

# What stands for a plain space in file names that were copied from a page or a screen.
_UNICODE_SPACES = pattern("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_SPACE_BEFORE_AM_PM = pattern(r" (AM|PM)(?=\.|$)", re.IGNORECASE)


def strip_at_prefix(path: str) -> str:
    """Remove one leading `@`, which people type in front of file names."""
    return path[1:] if path.startswith("@") else path


def with_tilde(path: str, home: str | None) -> str:
    """Return the path as people write it, with `~` for their home folder."""
    if home and (path == home or path.startswith(home + "/")):
        return "~" + path[len(home) :]
    return path


def resolve_text_path(path: str, cwd: Path, home: Path | None = None) -> Path:
    """Return the absolute path that `path` means, without looking at the file system.

    `..` is resolved textually, so that a folder that does not exist is no obstacle.
    """
    text = _UNICODE_SPACES.sub(" ", strip_at_prefix(path))
    if text == "~" or text.startswith("~/"):
        text = str(home or Path.home()) + text[1:]
    elif text.startswith("file://"):
        text = unquote(urlsplit(text).path)
    return Path(os.path.normpath(cwd / text))


def find_existing(path: Path) -> Path:
    """Return `path`, or the spelling of it under which a file exists.

    Systems write some names differently from how they are typed: macOS puts a narrow no-break space
    before AM and PM, decomposes letters, and uses a curly apostrophe.
    """
    return next((spelling for spelling in _spellings(path) if os.path.lexists(spelling)), path)


def find_named_file(name: str, cwd: Path) -> Path:
    """Return the file that a person names: exactly so, else as `resolve_text_path` understands it."""
    exact = Path(os.path.normpath(cwd / name))
    return exact if os.path.lexists(exact) else find_existing(resolve_text_path(name, cwd))


def _spellings(path: Path) -> Iterator[Path]:
    text = str(path)
    yield path
    decomposed = unicodedata.normalize("NFD", text)
    yield Path(_SPACE_BEFORE_AM_PM.sub("\u202f\\1", text))
    yield Path(decomposed)
    yield Path(text.replace("'", "\u2019"))
    yield Path(decomposed.replace("'", "\u2019"))
    yield Path(unicodedata.normalize("NFC", text))
