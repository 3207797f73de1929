"""The smallest example: a tool and a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.loop.tool import ToolResult
from tests.pi_agent.extensions.support import Run, run_files

pytestmark = pytest.mark.anyio

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "extensions" / "hello.py"


@pytest.fixture
async def hello() -> Run:
    """Load the example."""
    return await run_files([EXAMPLE])


async def test_the_tool_greets(hello: Run) -> None:
    """In words for the model and as data for renderers."""
    result = await hello.execute("hello", {"name": "Ada"})
    assert isinstance(result, ToolResult)
    assert [block.model_dump()["text"] for block in result.content] == ["Hello, Ada!"]
    assert result.details == {"greeted": "Ada"}


async def test_the_model_is_told_what_to_pass(hello: Run) -> None:
    """From signature and docstring."""
    (tool,) = hello.runner.tools()
    declaration = tool.declaration()
    assert (declaration.name, declaration.description) == ("hello", "Greet somebody by name.")
    assert declaration.parameters["required"] == ["name"]
    assert declaration.parameters["properties"]["name"] == {
        "type": "string",
        "description": "Name to greet",
    }
    assert tool.label == "Hello"


@pytest.mark.parametrize(("args", "wanted"), [("Ada", "Hello, Ada!"), ("", "Hello, world!")])
async def test_the_command_greets(hello: Run, args: str, wanted: str) -> None:
    """A name, or the world."""
    assert hello.runner.commands()["hello"].description == "Show a greeting"
    await hello.runner.run_command("hello", args)
    assert hello.person.notices == [(wanted, "info")]
    assert hello.errors == []
