"""The `read` tool: a text file in pieces of whole lines, or a picture.

Files are streamed: memory is bounded by the limits for tools, whatever the size of the file or of a line.
"""

from __future__ import annotations

import base64
import os
import shlex
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from pi_agent.base.pixels import image_problem
from pi_agent.base.text_paths import find_existing, resolve_text_path
from pi_agent.base.truncate import (
    DEFAULT_MAX_BYTES,
    DEFAULT_MAX_LINES,
    TruncationResult,
    format_size,
    truncate_head,
)
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import ImageContent, TextContent
from pi_agent.llm.model import Model
from pi_agent.loop.tool import ToolAnnotations, ToolDefinition, ToolResult, ToolUpdate
from pi_agent.tools.file_failures import reason_of, shown_path
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen
from pi_tui.image_header import HEAD_BYTES, image_type
from pi_tui.threads import run_in_thread

INLINE_BYTES = 64 * 1024
BLOCK_BYTES = 1024 * 1024
# A device may never come to an end.
MAX_DEVICE_BYTES = 1024 * 1024

_PARAMETERS: JsonObject = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "The file, relative to the working folder or absolute",
        },
        "offset": {"type": "number", "description": "First line to read, counted from 1"},
        "limit": {"type": "number", "description": "How many lines to read"},
    },
    "required": ["path"],
}


def read_tool(
    cwd: Path, *, current_model: Callable[[], Model | None] = lambda: None
) -> ToolDefinition:
    """Return the `read` tool for a working folder.

    `current_model` tells which model will see a picture, so that one without eyes is noted.
    """

    async def execute(
        tool_call_id: str,
        params: JsonObject,
        signal: AbortSignal,
        on_update: ToolUpdate,
        ctx: object,
    ) -> ToolResult:
        path = find_existing(resolve_text_path(params["path"], cwd))
        request = _Request(
            shown=params["path"],
            path=path,
            offset=max(int(params.get("offset", 1)), 1),
            limit=_line_limit(params),
        )
        if _is_large(path):
            result = await run_in_thread(lambda: _read(request, signal))
        else:
            result = _read(request, signal)
        return _note_blind_model(result, current_model())

    return ToolDefinition(
        name="read",
        label="read",
        description=(
            "Read a file: text, or a picture (png, jpeg, gif, webp), which is shown to you. Text comes"
            f" back as it is, up to {DEFAULT_MAX_LINES} lines or {DEFAULT_MAX_BYTES // 1024} KB, whichever"
            " is reached first; a note then says which offset to continue with."
        ),
        parameters=_PARAMETERS,
        execute=execute,
        prompt_snippet="Read files: text, and pictures",
        prompt_guidelines=("Use read to look at files instead of cat or sed.",),
        annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


@frozen
class _Request:
    """What to read; `shown` is the path in the model's own words."""

    shown: str
    path: Path
    offset: int
    limit: int | None


class _Lines:
    """The wanted lines of a file, as far as they may be shown, and counts of what is not kept."""

    def __init__(self, offset: int, limit: int | None) -> None:
        self._skip = offset - 1
        self._left = limit
        self._kept = bytearray()
        self._in_first_line = True
        self._file_end = b""
        self._wanted_end = b""
        self._line_ends = 0
        self._wanted_line_ends = 0
        self.wanted_bytes = 0
        self.first_line_bytes = 0
        self.has_more = False

    def add(self, block: bytes) -> None:
        """Take in the next block of the file."""
        self._line_ends += block.count(b"\n")
        self._file_end = block[-1:]
        start, self._skip = _after_line_ends(block, self._skip)
        if self._skip:
            return
        end = len(block)
        if self._left is not None:
            end, self._left = _after_line_ends(block, self._left, start)
            self.has_more = end < len(block)
        if start < end:
            self._want(block[start:end])

    @property
    def file_lines(self) -> int:
        return self._line_ends + (1 if self._file_end not in (b"", b"\n") else 0)

    @property
    def wanted_lines(self) -> int:
        return self._wanted_line_ends + (1 if self._wanted_end not in (b"", b"\n") else 0)

    def holds(self, offset: int) -> bool:
        """Whether `offset` is a line, or the empty place after the last line end."""
        if offset == self.file_lines + 1:
            return self._file_end in (b"", b"\n") and (offset == 1 or self._file_end != b"")
        return offset <= self.file_lines

    def truncated(self) -> TruncationResult:
        """Return the wanted lines within the limits. Where more follows, the last has no line end."""
        cut = 1 if self.has_more else 0
        is_whole = len(self._kept) == self.wanted_bytes
        kept = self._kept[:-1] if is_whole and cut else self._kept
        result = truncate_head(kept.decode("utf-8", "replace"))
        if is_whole:
            return result
        return replace(result, total_bytes=self.wanted_bytes - cut, total_lines=self.wanted_lines)

    def _want(self, wanted: bytes) -> None:
        if self._in_first_line:
            line_end = wanted.find(b"\n")
            self._in_first_line = line_end < 0
            self.first_line_bytes += len(wanted) if line_end < 0 else line_end
        self.wanted_bytes += len(wanted)
        self._wanted_line_ends += wanted.count(b"\n")
        self._wanted_end = wanted[-1:]
        # A little over the limit is enough to see that there is more.
        self._kept += wanted[: max(DEFAULT_MAX_BYTES + 4 - len(self._kept), 0)]


def _line_limit(params: JsonObject) -> int | None:
    if "limit" not in params:
        return None
    limit = int(params["limit"])
    if limit < 1:
        raise ValueError("Invalid limit: must be at least 1")
    return limit


def _is_large(path: Path) -> bool:
    try:
        found = os.stat(path)
    except OSError:
        return False
    return found.st_size > INLINE_BYTES or not stat.S_ISREG(found.st_mode)


def _read(request: _Request, signal: AbortSignal) -> ToolResult:
    try:
        # A pipe without a writer must not block.
        descriptor = os.open(request.path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            head = os.read(descriptor, HEAD_BYTES)
            mime_type = image_type(head)
            if mime_type is not None:
                return _read_image(mime_type, head, descriptor)
            return _read_text(request, _blocks(descriptor, head, signal))
        finally:
            os.close(descriptor)
    except OSError as error:
        raise OSError(f"Cannot read {shown_path(request.shown)}: {reason_of(error)}") from None


def _blocks(descriptor: int, head: bytes, signal: AbortSignal) -> Iterator[bytes]:
    left = None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        left = MAX_DEVICE_BYTES
    block = head
    while block:
        signal.raise_if_aborted()
        yield block
        if left is not None:
            left -= len(block)
            if left <= 0:
                return
        block = os.read(descriptor, BLOCK_BYTES)


def _read_text(request: _Request, blocks: Iterator[bytes]) -> ToolResult:
    lines = _Lines(request.offset, request.limit)
    for block in blocks:
        lines.add(block)
    if not lines.holds(request.offset):
        raise ValueError(
            f"Offset {request.offset} is beyond end of file ({lines.file_lines} lines total)"
        )
    truncation = lines.truncated()
    notice = _notice(request, lines, truncation)
    parts = [truncation.content] if truncation.output_lines or not notice else []
    text = "\n\n".join([*parts, notice] if notice else parts)
    return ToolResult(
        content=[TextContent(text=text)],
        details={"truncation": truncation.to_details()} if truncation.truncated else None,
        structured_content=text,
    )


def _notice(request: _Request, lines: _Lines, truncation: TruncationResult) -> str:
    first = request.offset
    limit = format_size(DEFAULT_MAX_BYTES)
    if truncation.first_line_exceeds_limit:
        size = format_size(lines.first_line_bytes)
        command = f"sed -n '{first}p' {shlex.quote(request.shown)} | head -c {DEFAULT_MAX_BYTES}"
        return f"[Line {first} is {size}, exceeds {limit} limit. Use bash: {command}]"
    last = first + truncation.output_lines - 1
    if truncation.output_lines < lines.wanted_lines:
        by_size = f" ({limit} limit)" if truncation.truncated_by == "bytes" else ""
        shown = f"Showing lines {first}-{last} of {lines.file_lines}{by_size}"
        return f"[{shown}. Use offset={last + 1} to continue.]"
    if lines.has_more:
        return f"[{lines.file_lines - last} more lines in file. Use offset={last + 1} to continue.]"
    return ""


def _read_image(mime_type: str, head: bytes, descriptor: int) -> ToolResult:
    label = f"Read image file [{mime_type}]"
    size_bytes = os.fstat(descriptor).st_size
    problem = image_problem(head, size_bytes)
    if problem:
        return ToolResult(content=[TextContent(text=f"{label}\n[{problem}]")])
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(os.dup(descriptor), "rb") as file:
        data = base64.b64encode(file.read()).decode("ascii")
    return ToolResult(
        content=[TextContent(text=label), ImageContent(data=data, mime_type=mime_type)],
        structured_content={"type": "image", "data": data, "mimeType": mime_type},
    )


def _note_blind_model(result: ToolResult, model: Model | None) -> ToolResult:
    has_image = any(isinstance(block, ImageContent) for block in result.content)
    if has_image and model is not None and "image" not in model.input:
        result.details = {"imageUnsupportedByModel": model.id}
    return result


def _after_line_ends(block: bytes, count: int, start: int = 0) -> tuple[int, int]:
    """Return the place after `count` line ends from `start` on, and how many of them are missing."""
    present = block.count(b"\n", start)
    if present < count:
        return len(block), count - present
    at = start
    for _ in range(count):
        at = block.index(b"\n", at) + 1
    return at, 0
