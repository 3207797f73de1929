"""The `edit` tool: exact replacements in one file, all of them or none."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from pi_agent.base.atomic_write import atomic_write
from pi_agent.base.surrogates import replace_lone_surrogates
from pi_agent.base.text_paths import find_existing, resolve_text_path
from pi_agent.base.truncate import format_size
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import TextContent
from pi_agent.loop.tool import ToolAnnotations, ToolDefinition, ToolResult, ToolUpdate
from pi_agent.tools.edit_text import Edit, EditedText, EditError, edit_text
from pi_agent.tools.file_failures import reason_of, shown_path
from pi_agent.tools.mutation_queue import MutationQueue
from pi_tui.abort import AbortSignal
from pi_tui.diff import numbered_diff, unified_patch

# The whole file is held several times over.
MAX_FILE_BYTES = 64 * 1024 * 1024

EDIT_PARAMETERS: JsonObject = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "The file, relative to the working folder or absolute",
        },
        "edits": {
            "type": "array",
            "description": "The replacements; each is matched against the file as it is now",
            "items": {
                "type": "object",
                "properties": {
                    "oldText": {
                        "type": "string",
                        "description": "Text that stands in the file exactly once",
                    },
                    "newText": {"type": "string", "description": "What takes its place"},
                },
                "required": ["oldText", "newText"],
            },
        },
    },
    "required": ["path", "edits"],
}


def edit_tool(cwd: Path, queue: MutationQueue) -> ToolDefinition:
    """Return the `edit` tool for a working folder; changes of files go through `queue`."""

    async def execute(
        tool_call_id: str,
        params: JsonObject,
        signal: AbortSignal,
        on_update: ToolUpdate,
        ctx: object,
    ) -> ToolResult:
        shown: str = params["path"]
        edits = edits_of(params)
        path = find_existing(resolve_text_path(shown, cwd))

        def edit() -> EditedText:
            signal.raise_if_aborted()
            edited = edit_text(_content(path), edits, shown)
            signal.raise_if_aborted()
            atomic_write(path, edited.data)
            return edited

        try:
            edited = await queue.run(path, edit)
        except (OSError, ValueError) as error:
            raise _failure(shown, reason_of(error)) from None
        return _result(edited, len(edits), shown)

    return ToolDefinition(
        name="edit",
        label="edit",
        description=(
            "Replace text in a file. Each oldText has to stand in the file exactly once, with all its blanks and"
            " line ends, and no two may overlap. All replacements are made, or none."
        ),
        parameters=EDIT_PARAMETERS,
        execute=execute,
        prepare_arguments=repair_arguments,
        prompt_snippet="Replace exact texts in a file, several in one call",
        prompt_guidelines=(
            "Use edit for targeted changes, with all changes to one file in one call.",
            "Keep each oldText of edit short but unique in the file, exact to the blank, and apart from the others.",
        ),
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=True, open_world_hint=False
        ),
    )


def preview_edit(cwd: Path, arguments: JsonObject) -> EditedText:
    """Return what an edit would do to the file as it is now; raises `EditError` if it would fail."""
    shown: str = arguments["path"]
    try:
        data = _content(find_existing(resolve_text_path(shown, cwd)))
    except (OSError, ValueError) as error:
        raise _failure(shown, reason_of(error)) from None
    return edit_text(data, edits_of(arguments), shown)


def edits_of(params: JsonObject) -> list[Edit]:
    """Return the edits of checked arguments."""
    return [
        Edit(replace_lone_surrogates(each["oldText"]), replace_lone_surrogates(each["newText"]))
        for each in params["edits"]
    ]


def repair_arguments(raw: JsonObject) -> JsonObject:
    """Bring shapes that models send for `edits` into the right one."""
    repaired = dict(raw)
    edits = repaired.get("edits")
    if isinstance(edits, str):
        edits = _parsed(edits)
    if isinstance(edits, dict):
        edits = [edits]
    if isinstance(repaired.get("oldText"), str) and isinstance(repaired.get("newText"), str):
        single = {name: repaired.pop(name) for name in ("oldText", "newText")}
        edits = [*edits, single] if isinstance(edits, list) else [single]
    if edits is not None:
        repaired["edits"] = edits
    return repaired


def _parsed(text: str) -> object:
    """Return the list or object that `text` is as JSON; the text itself if it is neither."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, list | dict) else text


def _content(path: Path) -> bytes:
    # A pipe without a writer must not block.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, "Not a regular file")
        if found.st_size > MAX_FILE_BYTES:
            raise OSError(0, f"It is too large to edit ({format_size(found.st_size)})")
        return file.read()


def _failure(shown: str, reason: str) -> EditError:
    return EditError(f"Could not edit file: {shown_path(shown)}. {reason}.")


def _result(edited: EditedText, count: int, shown: str) -> ToolResult:
    return ToolResult(
        content=[TextContent(text=f"Successfully replaced {count} block(s) in {shown}.")],
        details={
            "diff": numbered_diff(edited.diff),
            "patch": unified_patch(edited.diff, shown),
            "firstChangedLine": edited.diff.first_changed_line,
        },
    )
