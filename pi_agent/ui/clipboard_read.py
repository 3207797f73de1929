"""What is on the clipboard, by asking the program that this desktop has for it: files, a picture, or text."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pi_agent.base.errors import PiError
from pi_agent.base.process import kill_group
from pi_tui.frozen import frozen
from pi_tui.image_header import image_type

# A program that waits for an owner of the clipboard that does not answer is not waited for.
PATIENCE_SECONDS = 3.0
_MOST_BYTES = 64 * 1024 * 1024
_IMAGES = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp")
_FILES = ("text/uri-list", "x-special/gnome-copied-files")
_TEXTS = ("text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING")


@frozen
class Clipping:
    """What is to be pasted; of the three only one is there."""

    files: tuple[str, ...] = ()
    image: bytes = b""
    text: str = ""


@frozen
class _Program:
    """How a program is asked: for the types there are (if it knows types), and for one of them."""

    name: str
    needs: str | None
    types: tuple[str, ...] | None
    get: Callable[[str], tuple[str, ...]]


_PROGRAMS = (
    _Program(
        "wl-paste",
        "WAYLAND_DISPLAY",
        ("--list-types",),
        lambda kind: ("--no-newline", "--type", kind),
    ),
    _Program(
        "xclip",
        "DISPLAY",
        ("-selection", "clipboard", "-o", "-t", "TARGETS"),
        lambda kind: ("-selection", "clipboard", "-o", "-t", kind),
    ),
    _Program("xsel", "DISPLAY", None, lambda kind: ("--clipboard", "--output")),
    _Program("pbpaste", None, None, lambda kind: ()),
)


async def read_clipboard(
    environ: Mapping[str, str], patience: float = PATIENCE_SECONDS
) -> Clipping:
    """Return what is on the clipboard. Raises `PiError` if nobody can be asked, or does not answer."""
    program = _usable(environ)
    if program is None:
        raise PiError(
            "No clipboard can be read from here.",
            "Install wl-clipboard, xclip or xsel, or use your terminal's own key to paste text.",
        )
    if program.types is None:
        return Clipping(text=_decoded(await _ask(program, program.get(""), environ, patience)))
    offered = _decoded(await _ask(program, program.types, environ, patience)).split()
    for kinds, make in ((_FILES, _files), (_IMAGES, _image), (_TEXTS, _text)):
        kind = next((kind for kind in kinds if kind in offered), None)
        if kind is None:
            continue
        clipping = make(await _ask(program, program.get(kind), environ, patience))
        if clipping != Clipping():
            return clipping
    return Clipping()


def keep_image(data: bytes) -> Path:
    """Write a picture to a new temporary file, which only its owner can read; returns its path."""
    suffix = (image_type(data) or "image/png").partition("/")[2].replace("jpeg", "jpg")
    descriptor, path = tempfile.mkstemp(prefix="pi-clipboard-", suffix=f".{suffix}")
    with open(descriptor, "wb") as file:
        file.write(data)
    return Path(path)


def _usable(environ: Mapping[str, str]) -> _Program | None:
    for program in _PROGRAMS:
        is_there = program.needs is None or environ.get(program.needs)
        if is_there and shutil.which(program.name, path=environ.get("PATH")):
            return program
    return None


async def _ask(
    program: _Program, words: Sequence[str], environ: Mapping[str, str], patience: float
) -> bytes:
    """Return what the program prints; nothing if it fails, which it does for an empty clipboard."""
    path = shutil.which(program.name, path=environ.get("PATH")) or program.name
    process = await asyncio.create_subprocess_exec(
        path,
        *words,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=dict(environ),
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(patience):
            data = await process.stdout.read(_MOST_BYTES + 1)
            while len(data) <= _MOST_BYTES and (
                more := await process.stdout.read(_MOST_BYTES + 1 - len(data))
            ):
                data += more
    except TimeoutError:
        raise PiError(f"{program.name} did not answer in {patience:g} seconds.") from None
    finally:
        kill_group(process.pid)
        await process.wait()
    if len(data) > _MOST_BYTES:
        raise PiError("What is on the clipboard is larger than 64 MB.", "Save it to a file.")
    return data


def _files(data: bytes) -> Clipping:
    lines = [line.strip() for line in _decoded(data).splitlines()]
    urls = [urlsplit(line) for line in lines if line.startswith("file://")]
    return Clipping(files=tuple(unquote(url.path) for url in urls))


def _image(data: bytes) -> Clipping:
    return Clipping(image=data) if image_type(data) else Clipping()


def _text(data: bytes) -> Clipping:
    return Clipping(text=_decoded(data))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
