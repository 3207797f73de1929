"""The smallest tool and the smallest command.

Start it with `pi -e examples/extensions/hello.py`. Ask the model to greet somebody, or type `/hello Ada`.
"""

from __future__ import annotations

from typing import Annotated

from pi_agent import ExtensionAPI, ExtensionCommandContext, ToolResult, text


def setup(pi: ExtensionAPI) -> None:
    """Register both."""

    # The signature tells the model what to pass, the docstring when to call the tool.
    @pi.tool(label="Hello")
    async def hello(name: Annotated[str, "Name to greet"]) -> ToolResult:
        """Greet somebody by name."""
        return ToolResult(content=[text(f"Hello, {name}!")], details={"greeted": name})

    # `args` is what was typed after `/hello `, unchanged.
    @pi.command("hello", description="Show a greeting")
    async def greet(args: str, ctx: ExtensionCommandContext) -> None:
        ctx.ui.notify(f"Hello, {args.strip() or 'world'}!", "info")
