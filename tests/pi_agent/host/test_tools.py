"""Which tools are active."""

from __future__ import annotations

import pytest

from pi_agent.base.errors import PiError
from pi_agent.host.tools import default_tools, select_tools
from pi_agent.loop.tool import ToolDefinition


def tool(name: str, *, default_active: bool | None = None) -> ToolDefinition:
    return ToolDefinition(
        name=name, description=name, execute=lambda: None, default_active=default_active
    )


BUILT_IN = {"read", "bash", "grep"}
TOOLS = [tool("read"), tool("bash"), tool("grep", default_active=False), tool("mcp__a__b")]


def names(
    *, chosen: list[str] | None = None, excluded: tuple[str, ...] = (), none: bool = False
) -> list[str]:
    default = default_tools(TOOLS, BUILT_IN, None)
    active = select_tools(TOOLS, default=default, chosen=chosen, excluded=excluded, none=none)
    return [each.name for each in active]


@pytest.mark.parametrize(
    ("chosen", "active"),
    [
        (None, ["read", "bash", "mcp__a__b"]),
        ([], []),
        (["read"], ["read"]),
        (["bash", "read"], ["read", "bash"]),
        (["grep"], ["grep"]),
        (["mcp__*", "ba*"], ["bash", "mcp__a__b"]),
        (["*"], ["read", "bash", "grep", "mcp__a__b"]),
        (["+grep"], ["read", "bash", "grep", "mcp__a__b"]),
        (["-bash", "+grep"], ["read", "grep", "mcp__a__b"]),
        (["-*", "+read"], ["read"]),
        ([" read ", ""], ["read"]),
    ],
)
def test_a_list_is_what_is_on_and_signs_change_the_default(
    chosen: list[str] | None, active: list[str]
) -> None:
    assert names(chosen=chosen) == active


@pytest.mark.parametrize(
    ("wanted", "active"),
    [
        (None, {"read", "bash", "mcp__a__b"}),
        ([], {"mcp__a__b"}),
        (["read", "grep"], {"read", "grep", "mcp__a__b"}),
        (["+grep", "-bash"], {"read", "grep", "mcp__a__b"}),
        (["read", "-mcp__a__b", "later"], {"read"}),
        (["-read", "+read"], {"read", "bash", "mcp__a__b"}),
    ],
)
def test_the_setting_says_which_tools_are_on_by_default(
    wanted: list[str] | None, active: set[str]
) -> None:
    assert default_tools(TOOLS, BUILT_IN, wanted) == active


def test_what_is_excluded_goes_last_of_all() -> None:
    assert names(excluded=("ba*", "mcp__*")) == ["read"]
    assert names(chosen=["bash"], excluded=("bash",)) == []
    assert names(chosen=["+grep"], excluded=("read", "no such tool")) == [
        "bash",
        "grep",
        "mcp__a__b",
    ]


def test_none_is_none_whatever_else_is_said() -> None:
    assert names(chosen=["read"], none=True) == []


@pytest.mark.parametrize("chosen", [["raed"], ["-raed"], ["+raed"], ["x*"], ["read", "raed"]])
def test_a_name_of_no_tool_is_an_error_that_lists_them(chosen: list[str]) -> None:
    with pytest.raises(PiError) as caught:
        names(chosen=chosen)
    assert chosen[-1].lstrip("+-") in caught.value.message
    assert caught.value.hint is not None
    assert "read, bash, grep, mcp__a__b" in caught.value.hint


def test_names_and_changes_do_not_mix() -> None:
    with pytest.raises(PiError, match="mixes"):
        names(chosen=["read", "+grep"])
