"""The sections of the system prompt, from the command line, the user's files and the project's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pi_agent.base.errors import PiError
from pi_agent.base.paths import bundled
from pi_agent.host.options import RunOptions
from pi_agent.host.problems import Problem
from pi_agent.loop.tool import ToolDefinition
from pi_agent.resources.context_files import (
    APPEND_SYSTEM_NAME,
    SYSTEM_NAME,
    ContextFiles,
    load_user_prompt,
    text_or_file,
)
from pi_agent.resources.system_prompt import build_sections


def prompt_sections(
    options: RunOptions, context_files: ContextFiles, problems: list[Problem]
) -> Callable[[Sequence[ToolDefinition]], Mapping[str, str]]:
    """Return what gives the sections for a set of tools. A file that cannot be read is a problem, and left out."""
    custom_text, appended = _prompt_texts(options, problems)

    def sections(tools: Sequence[ToolDefinition]) -> Mapping[str, str]:
        return build_sections(
            tools=tools,
            cwd=options.cwd,
            docs_dir=bundled("docs"),
            examples_dir=bundled("examples"),
            context_files=context_files.files,
            custom_prompt=custom_text,
            appended=appended,
        )

    return sections


def _prompt_texts(options: RunOptions, problems: list[Problem]) -> tuple[str | None, Sequence[str]]:
    """Return the system prompt and what goes after it, as far as the user has any of his own."""
    given, appended = options.system_prompt, options.append_system_prompt
    try:
        custom = _text_or_file(given, options) if given is not None else None
        more = [_text_or_file(part, options) for part in appended]
    except PiError as error:
        problems.append(Problem("choice", error.message))
        return None, ()
    if given is None:
        custom = _user_prompt(options, SYSTEM_NAME, problems)
    if not appended:
        stored = _user_prompt(options, APPEND_SYSTEM_NAME, problems)
        more = [stored] if stored is not None else []
    return custom, more


def _text_or_file(value: str, options: RunOptions) -> str:
    try:
        return text_or_file(value, cwd=options.cwd)
    except OSError as error:
        raise PiError(f"Could not read {value}: {error.strerror}") from error


def _user_prompt(options: RunOptions, name: str, problems: list[Problem]) -> str | None:
    folder = options.paths.agent_dir
    try:
        return load_user_prompt(folder, name)
    except OSError as error:
        text = f"Could not read {folder / name}: {error.strerror}"
        problems.append(Problem("warning", text))
        return None
