"""The sections of the system prompt.

The same inputs give the same bytes, whatever the day: a prompt cache only hits on what did not change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final, Protocol

from pi_agent.resources.context_files import ContextFile

PREAMBLE: Final = "preamble"

_DEFAULT_PREAMBLE: Final = (
    "You are pi, a coding agent in the user's terminal. You work in their directory with the tools below:"
    " look before you change, check what you did, and say when something cannot be done."
)
_MORE_TOOLS: Final = "The project may add further tools."
_SHELL_FOR_SEARCH: Final = "Use bash to list and search files (ls, rg, find)."
_LAST_RULES: Final = ("Be concise.", "Show file paths clearly when you work with files.")
_SEARCH_TOOLS: Final = frozenset(("grep", "find", "ls"))
_SECTION_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")


class PromptTool(Protocol):
    """What the prompt needs to know of an active tool."""

    @property
    def name(self) -> str:
        """What the model calls it."""

    @property
    def prompt_snippet(self) -> str | None:
        """One line on what it does; without one it is not listed."""

    @property
    def prompt_guidelines(self) -> Sequence[str]:
        """Rules for its use."""


def build_sections(
    *,
    tools: Sequence[PromptTool],
    cwd: Path,
    docs_dir: Path,
    examples_dir: Path,
    context_files: Sequence[ContextFile] = (),
    custom_prompt: str | None = None,
    appended: Sequence[str] = (),
    guidelines: Sequence[str] = (),
    custom_sections: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return the sections by name, in their order; all but the preamble stand in a tag of their name.

    `custom_prompt` takes the place of the preamble and of what goes with it: tools, rules and docs.
    `guidelines` and `custom_sections` come from extensions.
    """
    texts = {PREAMBLE: _DEFAULT_PREAMBLE if custom_prompt is None else custom_prompt}
    if custom_prompt is None:
        texts["tools"] = _tools(tools)
        texts["rules"] = _bullets(_rules(tools, guidelines))
        texts["docs"] = _docs(docs_dir, examples_dir)
    texts["addendum"] = "\n\n".join(part.strip("\n") for part in appended if part.strip())
    texts["project_context"] = "\n".join(_instructions(file) for file in context_files)
    texts["cwd"] = str(cwd)
    for name, text in (custom_sections or {}).items():
        texts[_checked(name)] = text
    return {
        name: text if name == PREAMBLE else f"<{name}>\n{text}\n</{name}>"
        for name, text in texts.items()
        if text
    }


def _tools(tools: Sequence[PromptTool]) -> str:
    listed = [f"- {tool.name}: {tool.prompt_snippet}" for tool in tools if tool.prompt_snippet]
    return "\n".join([*(listed or ["(none)"]), "", _MORE_TOOLS])


def _rules(tools: Sequence[PromptTool], guidelines: Sequence[str]) -> list[str]:
    names = {tool.name for tool in tools}
    rules = [_SHELL_FOR_SEARCH] if "bash" in names and not names & _SEARCH_TOOLS else []
    for tool in tools:
        rules += tool.prompt_guidelines
    return list(dict.fromkeys((*rules, *guidelines, *_LAST_RULES)))


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _docs(docs_dir: Path, examples_dir: Path) -> str:
    return (
        "Read these only when asked about pi itself, its extensions or its interface:\n"
        f"- documentation: {docs_dir}\n"
        f"- examples: {examples_dir}"
    )


def _instructions(file: ContextFile) -> str:
    path = escape(str(file.path))
    text = file.text.strip("\n")
    return f'<project_instructions path="{path}">\n{text}\n</project_instructions>'


def is_section_name(name: str) -> bool:
    """Return whether an extension may give a section this name."""
    return name != PREAMBLE and _SECTION_NAME.fullmatch(name) is not None


def _checked(name: str) -> str:
    if not is_section_name(name):
        raise ValueError(f"not a name for a section of the system prompt: {name!r}")
    return name
