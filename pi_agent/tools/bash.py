"""The `bash` tool: run a shell command and give back the end of what it printed."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from pi_agent.base.process import CommandResult, ProcessGroups, run_command
from pi_agent.base.shell import ShellSettings, no_folder, shell_environment
from pi_agent.base.throttle import Throttle
from pi_agent.base.truncate import (
    DEFAULT_MAX_BYTES,
    DEFAULT_MAX_LINES,
    TruncationResult,
    format_size,
)
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import TextContent
from pi_agent.loop.tool import PartialResult, ToolDefinition, ToolResult, ToolUpdate
from pi_agent.tools.output import CommandOutput
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen

# What a timer of 32-bit milliseconds can hold.
MAX_TIMEOUT_SECONDS = 2_147_483.647
SNAPSHOT_SECONDS = 0.1

_PARAMETERS: JsonObject = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "description": "The shell command to run"},
        "timeout": {
            "type": "number",
            "description": "Seconds after which the command is killed; without it there is no limit",
        },
    },
    "required": ["command"],
}


class CommandFailed(Exception):
    """A command was aborted or ran out of time; the text holds its output so far."""


def bash_tool(
    cwd: Path,
    *,
    groups: ProcessGroups,
    session_environment: Callable[[], Mapping[str, str]] | None,
    inherited_environment: Callable[[], Mapping[str, str]] = lambda: os.environ,
    settings: ShellSettings | None = None,
) -> ToolDefinition:
    """Return the `bash` tool for a working folder.

    `session_environment` gives the variables of the session when a command starts; `None` keeps them from
    commands. `groups` owns what commands leave running.
    """
    shell = _Shell(
        cwd, groups, session_environment, inherited_environment, settings or ShellSettings()
    )

    async def execute(
        tool_call_id: str,
        params: JsonObject,
        signal: AbortSignal,
        on_update: ToolUpdate,
        ctx: object,
    ) -> ToolResult:
        on_update(PartialResult())
        timeout = _checked_timeout(params.get("timeout"))
        return await shell.run(params["command"], timeout, signal, on_update)

    exposed = session_environment is not None
    return ToolDefinition(
        name="bash",
        label="bash",
        description=(
            "Run a command in bash, in the working folder. Standard output and error come back together:"
            f" the last {DEFAULT_MAX_LINES} lines or {DEFAULT_MAX_BYTES // 1024} KB, whichever is less;"
            " longer output is kept in a file that the result names. There is no input. Give a timeout"
            " in seconds to commands that may not end."
        ),
        parameters=_PARAMETERS,
        execute=execute,
        prompt_snippet="Run shell commands",
        prompt_guidelines=(_ABOUT_VARIABLES,) if exposed else (),
    )


_ABOUT_VARIABLES = (
    "When asked which model or session this is, look it up with bash in the variables PI_MODEL,"
    " PI_PROVIDER, PI_REASONING_LEVEL, PI_SESSION_ID and PI_SESSION_FILE."
)


@frozen
class _Shell:
    """Where and how commands run."""

    cwd: Path
    groups: ProcessGroups
    session_environment: Callable[[], Mapping[str, str]] | None
    inherited_environment: Callable[[], Mapping[str, str]]
    settings: ShellSettings

    async def run(
        self, command: str, timeout: float | None, signal: AbortSignal, on_update: ToolUpdate
    ) -> ToolResult:
        if not self.cwd.is_dir():
            raise CommandFailed(no_folder(self.cwd))
        inherited = self.inherited_environment()
        session = self.session_environment() if self.session_environment else {}
        output = CommandOutput(prefix="pi-bash-", settings=self.settings)
        snapshots = Throttle(lambda: on_update(_snapshot(output)), SNAPSHOT_SECONDS)

        async def take(data: bytes) -> None:
            await output.add(data)
            snapshots.changed()

        started = time.monotonic()
        try:
            result = await run_command(
                self.settings.argv(command, inherited.get("PATH")),
                cwd=self.cwd,
                env=shell_environment(inherited, session, self.settings.helper_folder),
                on_output=take,
                groups=self.groups,
                signal=signal,
                timeout=timeout,
            )
            await output.finish()
        finally:
            snapshots.close()
        return _tool_result(output, result, timeout, time.monotonic() - started)


def _checked_timeout(timeout: float | None) -> float | None:
    if timeout is None:
        return None
    if not math.isfinite(timeout) or timeout <= 0:
        raise ValueError("Invalid timeout: must be a finite number of seconds")
    if timeout > MAX_TIMEOUT_SECONDS:
        raise ValueError(f"Invalid timeout: maximum is {MAX_TIMEOUT_SECONDS} seconds")
    return timeout


def _snapshot(output: CommandOutput) -> PartialResult:
    tail = output.tail()
    return PartialResult(content=[TextContent(text=tail.content)], details=_details(output, tail))


def _details(output: CommandOutput, tail: TruncationResult) -> JsonObject | None:
    if not tail.truncated:
        return None
    details: JsonObject = {"truncation": tail.to_details()}
    if output.file is not None:
        details["fullOutputPath"] = str(output.file)
    if output.file_problem:
        details["fullOutputProblem"] = output.file_problem
    return details


def _tool_result(
    output: CommandOutput, result: CommandResult, timeout: float | None, seconds: float
) -> ToolResult:
    tail = output.tail()
    text = _shown(output, tail)
    if result.ended == "aborted":
        raise CommandFailed(_with_status(text, "Command aborted"))
    if result.ended == "timed_out":
        raise CommandFailed(_with_status(text, _timed_out(result, timeout or 0.0)))
    text = text or "(no output)"
    if result.exit_code:
        text = _with_status(text, f"Command exited with code {result.exit_code}")
    return ToolResult(
        content=[TextContent(text=text)],
        details=_details(output, tail),
        structured_content=_structured(output, result.exit_code, seconds),
        is_error=result.exit_code != 0,
    )


def _shown(output: CommandOutput, tail: TruncationResult) -> str:
    """Return the end of the output with a note of what is missing."""
    total = tail.total_lines
    if tail.output_lines == total and not tail.last_line_partial:
        return tail.content
    if tail.last_line_partial:
        size = format_size(output.last_line_bytes)
        what = f"Showing last {format_size(tail.output_bytes)} of line {total} (line is {size})"
    else:
        what = f"Showing lines {total - tail.output_lines + 1}-{total} of {total}"
        if tail.truncated_by == "bytes":
            what += f" ({format_size(tail.max_bytes)} limit)"
    return f"{tail.content}\n\n[{what}. {_where(output)}]"


def _where(output: CommandOutput) -> str:
    """Return where all of the output is, or as much of it as could be kept."""
    if not output.file_problem:
        return f"Full output: {output.file}"
    if output.file is None:
        return f"The rest could not be kept: {output.file_problem}"
    return f"Beginning of the output ({output.file_problem}): {output.file}"


def _with_status(text: str, status: str) -> str:
    """Add a line after a blank one."""
    if not text:
        return status
    return f"{text}\n{status}" if text.endswith("\n") else f"{text}\n\n{status}"


def _timed_out(result: CommandResult, timeout: float) -> str:
    shown = int(timeout) if timeout == int(timeout) else timeout
    status = f"Command timed out after {shown} seconds"
    if result.exited_after is None:
        return status
    return (
        f"{status}. The shell exited with code {result.exit_code} after {result.exited_after:.1f}"
        " seconds, but background processes it started kept writing output until the timeout."
    )


def _structured(output: CommandOutput, exit_code: int, seconds: float) -> JsonObject:
    text, truncated = output.both_ends()
    structured: JsonObject = {
        "output": text,
        "truncated": truncated,
        "exit_code": exit_code,
        "wall_time_seconds": round(seconds, 1),
    }
    if truncated and output.file is not None:
        structured["full_output_path"] = str(output.file)
    return structured
