"""Uses of the extension API that type checkers must refuse."""

from __future__ import annotations

from pathlib import Path

from mypy import api

ROOT = Path(__file__).resolve().parents[2]

REFUSED = {
    "a handler of another event": (
        'def handler(event: SessionStartEvent) -> None: ...\npi.on("tool_call", handler)'
    ),
    "a decorated handler of another event": (
        '@pi.on("session_start")\ndef handler(event: ToolCallEvent, ctx: ExtensionContext) -> None: ...'
    ),
    "a wrong result": (
        '@pi.on("tool_call")\nasync def handler(event: ToolCallEvent) -> str:\n    return "no"'
    ),
    "a misspelt field of a result": (
        "def handler(event: ToolCallEvent) -> ToolCallAnswer:\n    return {'blok': True}"
    ),
    "a result of another event": (
        'def handler(event: InputEvent) -> ToolCallDecision: ...\npi.on("input", handler)'
    ),
    "an action that there is not": 'pi.on("input", lambda event: InputResult("change"))',
    "a result where nothing is decided": (
        '@pi.on("tool_result")\ndef handler(event: ToolResultEvent) -> bool: return True'
    ),
    "a place that there is not": (
        'def f(ctx: ExtensionContext) -> None:\n    ctx.ui.set_widget("a", ["x"], placement="left")'
    ),
    "a factory of something else": (
        "def f(ctx: ExtensionContext) -> None:\n"
        '    ctx.ui.set_footer(lambda tui, theme, data: "text")'
    ),
    "an editor that is none": (
        "def f(ctx: ExtensionContext) -> None:\n"
        "    ctx.ui.set_editor_component(lambda tui, theme, keys: 7)"
    ),
    "an unknown event": 'pi.on("tool_calls", lambda: None)',
    "an option no tool has": '@pi.tool(title="x")\ndef tool() -> str:\n    return ""',
    "an event that is changed": "def f(event: ToolCallEvent) -> None:\n    event.input = {}",
    "a notification of an unknown type": (
        'def f(ctx: ExtensionContext) -> None:\n    ctx.ui.notify("x", "loud")'
    ),
    "a screen that is no component": (
        "async def f(ctx: ExtensionContext) -> None:\n"
        "    await ctx.ui.custom(lambda tui, theme, keys, done: 7)"
    ),
    "a message that is drawn as a text": 'pi.register_message_renderer("a", lambda message: "text")',
    "a suggestion that is no text": (
        "def f(ctx: ExtensionContext) -> None:\n    ctx.ui.set_editor_suggestion(1)"
    ),
    "an overlay option that there is not": "OverlayOptions(max_width=3)",
}
HEADER = """
from pi_agent import (
    ExtensionAPI, ExtensionContext, InputEvent, InputResult, SessionStartEvent, ToolCallAnswer,
    ToolCallDecision, ToolCallEvent, ToolResultEvent
)
from pi_tui import OverlayOptions
def setup(pi: ExtensionAPI) -> None:
"""


def test_wrong_pairings_and_results_are_type_errors(tmp_path: Path) -> None:
    """Each snippet is a function of its own file, so that mypy starts once for all of them."""
    files = {}
    for number, (what, snippet) in enumerate(REFUSED.items()):
        body = "\n".join(f"    {line}" for line in snippet.splitlines())
        file = tmp_path / f"refused_{number}.py"
        file.write_text(HEADER + body + "\n", encoding="utf-8")
        files[file] = what
    config = ["--config-file", str(ROOT / "pyproject.toml"), "--no-error-summary"]
    output, errors, status = api.run([*config, "--no-color-output", *map(str, files)])
    assert (errors, status) == ("", 1)
    accepted = [what for file, what in files.items() if f"{file.name}:" not in output]
    assert accepted == []
    outside = [line for line in output.splitlines() if "refused_" not in line]
    assert outside == []
