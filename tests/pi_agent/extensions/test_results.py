"""What handlers return: how results add up over several of them, and what a wrong one costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.extensions.events import BeforeAgentStartEvent, InputEvent, ToolResultEvent
from pi_agent.extensions.loader import load_extensions
from pi_agent.extensions.rules import BEFORE_AGENT_START, INPUT, TOOL_RESULT
from pi_agent.llm.messages import ImageContent, TextContent, text_of
from pi_agent.loop.tool import UNSET
from pi_agent.resources.prompt_options import SystemPromptOptions
from tests.pi_agent.extensions.support import Run, run, write

pytestmark = pytest.mark.anyio

IMAGE = ImageContent(data="aGk=", mime_type="image/png")


async def loaded(folder: Path, event: str, *bodies: str) -> Run:
    """Load an extension for each body of a handler of `event`."""
    files = {
        f"ext{number}": f"async def handle(event, ctx):\n    {body}\n"
        f"def setup(pi): pi.on('{event}', handle)\n"
        for number, body in enumerate(bodies)
    }
    return run(await load_extensions(write(folder, **files), cwd=folder, generation=0))


def failures(running: Run) -> list[tuple[str, str]]:
    """Return who failed and with which message."""
    return [(Path(error.extension_path).stem, error.error) for error in running.errors]


async def typed(running: Run, text: str) -> tuple[str, int, list[str]]:
    """Type a text; return what it became, how many images it has, and what was decided."""
    done = await running.runner.emit(InputEvent(text, (IMAGE,)), INPUT)
    return done.event.text, len(done.event.images), [result.action for result in done.results]


async def test_each_transformation_of_a_text_is_the_next_ones_input(tmp_path: Path) -> None:
    """Images stay unless they are replaced; a handler that fails changes nothing."""
    running = await loaded(
        tmp_path,
        "input",
        "return {'action': 'transform', 'text': event.text + ' one'}",
        "raise RuntimeError('oops')",
        "from pi_agent import InputResult\n    return InputResult('transform', event.text + ' two')",
        "return {'action': 'continue'}",
        "return {'action': 'transform', 'text': event.text + ' 3', 'images': []}",
    )
    text, images, actions = await typed(running, "zero")
    assert (text, images) == ("zero one two 3", 0)
    assert actions == ["transform", "transform", "continue", "transform"]
    assert failures(running) == [("ext1", "oops")]


async def test_a_text_that_is_dealt_with_reaches_nobody_else(tmp_path: Path) -> None:
    """The first that says so has the last word."""
    running = await loaded(
        tmp_path, "input", "return {'action': 'handled'}", "ctx.ui.notify('reached')"
    )
    assert (await typed(running, "ping"))[2] == ["handled"]
    assert running.person.notices == []


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("return {'action': 'transform'}", "text is missing"),
        ("return {'action': 'transform', 'text': 5}", "text should be text, got int"),
        ("return {'action': 'change'}", 'action should be "continue", "transform" or "handled"'),
        ("return {'acton': 'handled'}", "unknown field acton; there are action, text, images"),
        ("return 'hello'", "expected a InputResult or a dict, got str"),
        ("return {'images': ['x']}", "images should be a list of images, got list"),
    ],
)
async def test_a_wrong_result_is_reported_and_ignored(
    tmp_path: Path, body: str, complaint: str
) -> None:
    """With the event and the field."""
    running = await loaded(tmp_path, "input", body)
    assert await typed(running, "x") == ("x", 1, [])
    ((_, message),) = failures(running)
    assert message.startswith('A handler of "input" returned a wrong result: ')
    assert complaint in message


def result(**fields: object) -> ToolResultEvent:
    """Return the result of a call of `bash`."""
    given: dict[str, object] = {"content": [TextContent(text="out")]}
    return ToolResultEvent("call_1", "bash", {"command": "ls"}, **given | fields)  # type: ignore[arg-type]  # fields by name


async def patched(running: Run, event: ToolResultEvent) -> ToolResultEvent:
    """Return the result as the handlers leave it."""
    return (await running.runner.emit(event, TOOL_RESULT)).event


async def test_patches_of_a_result_add_up_and_one_that_fails_is_left_out(tmp_path: Path) -> None:
    """Fields that are not given stay; `None` is a value for details only."""
    running = await loaded(
        tmp_path,
        "tool_result",
        "return {'content': [{'type': 'text', 'text': 'a'}], 'isError': True}",
        "return {'content': [{'type': 'picture'}]}",
        "raise ValueError('no')",
        "from pi_agent import ToolResultPatch, text\n"
        "    return ToolResultPatch([*event.content, text('b')], details=None)",
        "ctx.ui.notify(f'{event.is_error} {event.details}'); return {'is_error': None}",
    )
    final = await patched(running, result(details={"x": 1}))
    assert text_of(list(final.content)) == "ab"
    assert (final.is_error, final.details) == (True, None)
    assert running.person.notices == [("True None", "info")]
    assert [who for who, _ in failures(running)] == ["ext1", "ext2"]


async def test_new_content_drops_structured_content_that_no_longer_fits(tmp_path: Path) -> None:
    """Unless it is given along with it."""
    running = await loaded(tmp_path, "tool_result", "return {'details': 1}")
    assert (await patched(running, result(structured_content=[1]))).structured_content == [1]
    running = await loaded(tmp_path, "tool_result", "return {'content': []}")
    assert (await patched(running, result(structured_content=[1]))).structured_content is UNSET
    running = await loaded(
        tmp_path, "tool_result", "return {'content': [], 'structuredContent': [2]}"
    )
    assert (await patched(running, result(structured_content=[1]))).structured_content == [2]


async def starting(running: Run) -> BeforeAgentStartEvent:
    """Begin a run."""
    options = SystemPromptOptions(cwd="/work", selected_tools=["read", "bash"])
    event = BeforeAgentStartEvent("hello", (), options, lambda options: str(options.sections))
    return (await running.runner.emit(event, BEFORE_AGENT_START)).event


async def test_changes_of_the_prompt_are_seen_by_later_handlers(tmp_path: Path) -> None:
    """What was changed before a failure stays."""
    running = await loaded(
        tmp_path,
        "before_agent_start",
        "event.system_prompt_options.sections['mood'] = 'kind'; raise RuntimeError('oops')",
        "ctx.ui.notify(event.system_prompt)",
        "return {'system_prompt': 'Be brief.'}",
        "event.system_prompt_options.selected_tools.remove('bash')",
    )
    options = (await starting(running)).system_prompt_options
    assert running.person.notices == [("{'mood': 'kind'}", "info")]
    assert (options.force_system_prompt, options.selected_tools) == ("Be brief.", ["read"])
    assert failures(running) == [("ext0", "oops")]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("sections['Bad Name'] = 'x'", "is not a name for a section"),
        ("sections['preamble'] = 'x'", "is not a name for a section"),
        ("sections['mood'] = 5", "sections cannot hold 'mood': 5"),
        ("selected_tools.append(None)", "selected_tools cannot hold None"),
        ("prompt_guidelines = 'be kind'", "prompt_guidelines should be a list, got str"),
        ("tool_guidelines = None", "tool_guidelines should be a dict, got NoneType"),
        ("force_system_prompt = 7", "force_system_prompt should be text, got int"),
        ("context_files.append('AGENTS.md')", "context_files cannot hold 'AGENTS.md'"),
    ],
)
async def test_nonsense_in_the_prompt_is_taken_out_and_told(
    tmp_path: Path, change: str, complaint: str
) -> None:
    """Against the handler that put it there; the next one does not see it."""
    running = await loaded(
        tmp_path, "before_agent_start", f"event.system_prompt_options.{change}", "pass"
    )
    options = (await starting(running)).system_prompt_options
    assert options == SystemPromptOptions(cwd="/work", selected_tools=["read", "bash"])
    ((who, message),) = failures(running)
    assert who == "ext0"
    assert complaint in message
