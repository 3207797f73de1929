"""What a scripted model is told to answer, as steps in Python or as lines of a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

from pi_agent.base.errors import PiError
from pi_agent.base.wire import Field, JsonObject, ValidationError, WireModel
from pi_agent.llm.usage import Usage

SCRIPT_VARIABLE = "PI_DEMO_SCRIPT"


class ScriptedCall(WireModel):
    """A tool call of a step; `arguments` given as a string are sent as they are, valid or not."""

    name: str
    arguments: JsonObject | str = Field(default_factory=dict)
    id: str | None = None


class ScriptedText(WireModel):
    """Text in an explicit block list."""

    type: Literal["text"]
    text: str


class ScriptedThinking(WireModel):
    """Thinking in an explicit block list."""

    type: Literal["thinking"]
    thinking: str


class ScriptedCallBlock(ScriptedCall):
    """A tool call in an explicit block list."""

    type: Literal["toolCall"]


ScriptedBlock = Annotated[
    ScriptedText | ScriptedThinking | ScriptedCallBlock, Field(discriminator="type")
]


class Step(WireModel):
    """What one request is answered with, as a line of a script has it.

    `error` and `aborted` are texts that end the answer after its blocks. `match`: only for a last user text
    that contains it. `repeat`: stays in the script. `usage` replaces the one counted.
    """

    thinking: str | None = None
    text: str | None = None
    tool_calls: list[ScriptedCall] = Field(default_factory=list)
    content: list[ScriptedBlock] | None = None
    stop_reason: Literal["stop", "length", "toolUse"] | None = None
    error: str | None = None
    aborted: str | None = None
    delay_ms: float = Field(default=0, ge=0)
    tokens_per_second: float | None = Field(default=None, gt=0)
    match: str | None = None
    repeat: bool = False
    usage: Usage | None = None


def read_script(path: str) -> Iterator[Step]:
    """Yield the steps of a script, one JSON object a line; the `PiError` for a bad one names its line."""
    if not path:
        raise PiError(
            f"{SCRIPT_VARIABLE} does not name a script",
            f"Set {SCRIPT_VARIABLE} to a file with one JSON object a line, or take demo/echo.",
        )
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise PiError(f"{path} cannot be read: {reason}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield Step.from_wire(json.loads(line))
        except ValidationError as error:
            first = error.errors()[0]
            field_path = ".".join(str(part) for part in first["loc"])
            raise PiError(f"{path}, line {number}: {field_path}: {first['msg']}") from error
        except ValueError as error:
            raise PiError(f"{path}, line {number}: {error}") from error


def blocks_of(step: Step) -> Iterable[ScriptedText | ScriptedThinking | ScriptedCall]:
    """Return the blocks of a step: its own list, else thinking, text, calls."""
    if step.content is not None:
        return step.content
    blocks: list[ScriptedText | ScriptedThinking | ScriptedCall] = []
    if step.thinking:
        blocks.append(ScriptedThinking(type="thinking", thinking=step.thinking))
    if step.text:
        blocks.append(ScriptedText(type="text", text=step.text))
    return [*blocks, *step.tool_calls]


def arguments_text(call: ScriptedCall) -> str:
    """Return a call's arguments as a model would send them."""
    if isinstance(call.arguments, str):
        return call.arguments
    return json.dumps(call.arguments, ensure_ascii=False)
