"""What the model is told before the conversation."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pi_agent.loop.tool import ToolDefinition
from pi_agent.resources.context_files import ContextFile
from pi_agent.resources.system_prompt import build_sections

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Tool:
    name: str
    prompt_snippet: str | None = None
    prompt_guidelines: tuple[str, ...] = field(default=())


READ = Tool("read", "read files", ("Use read instead of cat.",))
BASH = Tool("bash", "run commands")


def build(tools: tuple[Tool, ...] = (READ, BASH), **options: Any) -> dict[str, str]:
    return build_sections(
        tools=tools,
        cwd=Path("/srv/app"),
        docs_dir=Path("/pi/docs"),
        examples_dir=Path("/pi/examples"),
        **options,
    )


def rules(sections: dict[str, str]) -> list[str]:
    return sections["rules"].splitlines()[1:-1]


def test_sections_come_in_their_order_and_only_when_they_say_something() -> None:
    assert list(build()) == ["preamble", "tools", "rules", "docs", "cwd"]
    everything = build(
        appended=["more"],
        context_files=[ContextFile(Path("/a/AGENTS.md"), "be kind")],
        custom_sections={"weather": "fine"},
    )
    assert list(everything) == [
        "preamble", "tools", "rules", "docs", "addendum", "project_context", "cwd", "weather",
    ]  # fmt: skip


def test_every_section_but_the_preamble_stands_in_its_tag() -> None:
    sections = build(appended=["more"], custom_sections={"weather": "fine"})
    assert sections["cwd"] == "<cwd>\n/srv/app\n</cwd>"
    assert sections["weather"] == "<weather>\nfine\n</weather>"
    assert not sections.pop("preamble").startswith("<")
    for name, text in sections.items():
        assert text.startswith(f"<{name}>\n")
        assert text.endswith(f"\n</{name}>")


def test_tools_are_listed_by_their_snippets() -> None:
    lines = build((READ, Tool("secret"), BASH))["tools"].splitlines()
    assert lines[1:3] == ["- read: read files", "- bash: run commands"]
    assert not any("secret" in line for line in lines)
    assert build(())["tools"].splitlines()[1] == "(none)"


def test_rules_come_in_order_and_equal_ones_once() -> None:
    twice = Tool("edit", "edit", ("Use read instead of cat.", "Be concise.", "One call per file."))
    found = rules(build((READ, twice), guidelines=["Ask first.", "One call per file."]))
    assert found == [
        "- Use read instead of cat.",
        "- Be concise.",
        "- One call per file.",
        "- Ask first.",
        "- Show file paths clearly when you work with files.",
    ]


@pytest.mark.parametrize("other", ["grep", "find", "ls"])
def test_bash_is_for_searching_only_while_no_search_tool_is_there(other: str) -> None:
    assert "bash" in rules(build((BASH,)))[0]
    assert not any("bash" in rule for rule in rules(build((BASH, Tool(other)))))
    assert not any("bash" in rule for rule in rules(build((READ,))))


def test_the_docs_section_says_where_the_files_are() -> None:
    docs = build()["docs"]
    assert "/pi/docs" in docs
    assert "/pi/examples" in docs


def test_a_custom_prompt_takes_the_place_of_what_is_said_by_default() -> None:
    sections = build(
        custom_prompt="You are a poet.",
        appended=["more", "", "and more\n"],
        context_files=[ContextFile(Path("/a/AGENTS.md"), "be kind")],
    )
    assert list(sections) == ["preamble", "addendum", "project_context", "cwd"]
    assert sections["preamble"] == "You are a poet."
    assert sections["addendum"] == "<addendum>\nmore\n\nand more\n</addendum>"


def test_context_files_are_shown_with_their_paths() -> None:
    sections = build(
        context_files=[
            ContextFile(Path("/repo/AGENTS.md"), "be <kind>\n"),
            ContextFile(Path('/a"b<c/AGENTS.md'), "x"),
        ]
    )
    assert sections["project_context"].splitlines() == [
        "<project_context>",
        '<project_instructions path="/repo/AGENTS.md">',
        "be <kind>",
        "</project_instructions>",
        '<project_instructions path="/a&quot;b&lt;c/AGENTS.md">',
        "x",
        "</project_instructions>",
        "</project_context>",
    ]


@pytest.mark.parametrize("name", ["preamble", "Weather", "1st", "", "a b", "x>", "a\n"])
def test_a_section_needs_a_name_that_can_be_a_tag(name: str) -> None:
    with pytest.raises(ValueError, match="not a name for a section"):
        build(custom_sections={name: "x"})


def test_a_tool_definition_can_be_given_as_it_is() -> None:
    tool = ToolDefinition("grep", "d", execute=print, prompt_snippet="search")
    sections = build_sections(
        tools=[tool], cwd=Path("/"), docs_dir=Path("/d"), examples_dir=Path("/e")
    )
    assert "- grep: search" in sections["tools"]


def test_the_prompt_is_the_same_in_every_process_on_every_day() -> None:
    script = (
        "from pathlib import Path\n"
        "from pi_agent.resources.system_prompt import build_sections\n"
        "print(build_sections(tools=[], cwd=Path('/srv'), docs_dir=Path('/d'),"
        " examples_dir=Path('/e'), guidelines=['x', 'y'], appended=['z']))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "TZ": zone},
            check=True,
            capture_output=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(outputs) == 1


def test_the_default_prompt_is_lean() -> None:
    assert sum(map(len, build().values())) < 900
