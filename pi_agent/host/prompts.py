"""The first prompt of a run, made of piped input, named files and the command line's words."""

from __future__ import annotations

import base64
import stat
from collections.abc import Sequence
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_agent.base.pixels import image_problem
from pi_agent.base.text_paths import find_named_file
from pi_agent.base.truncate import format_size
from pi_agent.llm.messages import ImageContent
from pi_tui.frozen import frozen
from pi_tui.image_header import HEAD_BYTES, image_type

_MOST_BYTES = 20 * 1024 * 1024


@frozen
class FirstPrompt:
    """A text with its pictures. An empty one means that nothing was asked."""

    text: str = ""
    images: tuple[ImageContent, ...] = ()


def first_prompt(
    piped: str, files: Sequence[str], message: str | None, *, cwd: Path
) -> FirstPrompt:
    """Join piped input, the files' texts and the first message; raises `PiError` for a missing file."""
    parts: list[str] = []
    images: list[ImageContent] = []
    if piped.strip():
        parts.append(piped.strip())
    for name in files:
        text, image = _read(name, cwd)
        if text:
            parts.append(text)
        if image is not None:
            images.append(image)
    if message:
        parts.append(message)
    joined = ""
    for part in parts:
        joined += ("" if not joined or joined.endswith("\n") else "\n") + part
    return FirstPrompt(joined, tuple(images))


def _read(name: str, cwd: Path) -> tuple[str, ImageContent | None]:
    path = find_named_file(name, cwd)
    try:
        _refuse_endless(path)
        data = path.read_bytes()
    except FileNotFoundError:
        raise PiError(f"File not found: {path}") from None
    except IsADirectoryError:
        raise PiError(f"{path} is a folder.", "Name a file after the @.") from None
    except OSError as error:
        raise PiError(f"Could not read {path}: {error.strerror}") from None
    if not data:
        return "", None
    mime_type = image_type(data)
    if mime_type is None:
        if b"\0" in data[:HEAD_BYTES]:
            raise PiError(f"{path} is not a text file.", "Name a text or a picture after the @.")
        text = data.decode("utf-8-sig", "replace")
        end = "" if text.endswith("\n") else "\n"
        return f'<file name="{path}">\n{text}{end}</file>\n', None
    problem = image_problem(data[:HEAD_BYTES], len(data))
    if problem is not None:
        return f'<file name="{path}">[{problem}]</file>\n', None
    image = ImageContent(data=base64.b64encode(data).decode("ascii"), mime_type=mime_type)
    return f'<file name="{path}"></file>\n', image


def _refuse_endless(path: Path) -> None:
    """Raise `PiError` for what has no end or no place in a prompt. A pipe (`@<(command)`) is fine."""
    info = path.stat()
    if stat.S_ISCHR(info.st_mode) or stat.S_ISBLK(info.st_mode):
        raise PiError(f"{path} is a device.", "Name a file after the @.")
    if info.st_size > _MOST_BYTES:
        raise PiError(
            f"{path} is too large for a prompt ({format_size(info.st_size)}).",
            "Let the model read a part of it instead.",
        )
