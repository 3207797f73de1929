"""The `write` tool: create a file, or replace all that is in it."""

from __future__ import annotations

from pathlib import Path

from pi_agent.base.atomic_write import atomic_write
from pi_agent.base.surrogates import replace_lone_surrogates
from pi_agent.base.text_paths import resolve_text_path
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import TextContent
from pi_agent.loop.tool import ToolAnnotations, ToolDefinition, ToolResult, ToolUpdate
from pi_agent.tools.file_failures import reason_of, shown_path
from pi_agent.tools.mutation_queue import MutationQueue
from pi_tui.abort import AbortSignal

_PARAMETERS: JsonObject = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "The file, relative to the working folder or absolute",
        },
        "content": {"type": "string", "description": "All that the file is to hold"},
    },
    "required": ["path", "content"],
}


def write_tool(cwd: Path, queue: MutationQueue) -> ToolDefinition:
    """Return the `write` tool for a working folder; changes of files go through `queue`."""

    async def execute(
        tool_call_id: str,
        params: JsonObject,
        signal: AbortSignal,
        on_update: ToolUpdate,
        ctx: object,
    ) -> ToolResult:
        shown: str = params["path"]
        path = resolve_text_path(shown, cwd)
        data = replace_lone_surrogates(params["content"]).encode()

        def write() -> None:
            signal.raise_if_aborted()
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(path, data)

        try:
            await queue.run(path, write)
        except (OSError, ValueError) as error:
            raise OSError(f"Cannot write {shown_path(shown)}: {reason_of(error)}") from None
        return ToolResult(content=[TextContent(text=f"Successfully wrote to {shown}")])

    return ToolDefinition(
        name="write",
        label="write",
        description=(
            "Write a file: creates it, with the folders it is in, or replaces all of its content."
        ),
        parameters=_PARAMETERS,
        execute=execute,
        prompt_snippet="Create or overwrite files",
        prompt_guidelines=("Use write only for new files and complete rewrites.",),
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
        ),
    )
