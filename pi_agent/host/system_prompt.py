"""The system prompt of a conversation: from its options, which extensions may change, to its sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pi_agent.base.errors import PiError
from pi_agent.base.paths import bundled
from pi_agent.host.options import RunOptions
from pi_agent.host.problems import Problem
from pi_agent.host.small_model import SMALL_MODEL_PROMPT, is_small
from pi_agent.llm.model import Model
from pi_agent.llm.system_state import SystemState, render_system
from pi_agent.loop.tool import ToolDefinition
from pi_agent.resources.context_files import (
    APPEND_SYSTEM_NAME,
    SYSTEM_NAME,
    ContextFiles,
    load_user_prompt,
    text_or_file,
)
from pi_agent.resources.prompt_options import SystemPromptOptions
from pi_agent.resources.system_prompt import build_sections
from pi_tui.frozen import frozen


class SystemPrompt:
    """Made from the command line, the user's files and the project's; what cannot be read is a problem."""

    def __init__(
        self,
        options: RunOptions,
        context_files: ContextFiles,
        problems: list[Problem],
        current_model: Callable[[], Model | None] = lambda: None,
    ) -> None:
        self._run = options
        self._current_model = current_model
        self._context_files = context_files
        self._custom, self._appended = _prompt_texts(options, problems)

    def options_for(self, tools: Sequence[ToolDefinition]) -> SystemPromptOptions:
        """Return what the prompt is made of when these tools are active, for the model that answers next."""
        is_for_small = is_small(self._current_model())
        custom = SMALL_MODEL_PROMPT if is_for_small and self._custom is None else self._custom
        return SystemPromptOptions(
            cwd=str(self._run.cwd),
            custom_prompt=custom,
            selected_tools=[tool.name for tool in tools],
            tool_snippets={tool.name: tool.prompt_snippet for tool in tools if tool.prompt_snippet},
            tool_guidelines={tool.name: list(tool.prompt_guidelines) for tool in tools},
            append_system_prompt=list(self._appended),
            context_files=[] if is_for_small else list(self._context_files.files),
        )

    def sections(self, options: SystemPromptOptions) -> Mapping[str, str]:
        """Return the sections that `options` come to."""
        return build_sections(
            tools=[_listed(name, options) for name in options.selected_tools],
            cwd=self._run.cwd,
            docs_dir=bundled("docs"),
            examples_dir=bundled("examples"),
            context_files=options.context_files,
            custom_prompt=options.custom_prompt,
            appended=options.append_system_prompt,
            guidelines=options.prompt_guidelines,
            custom_sections=options.sections,
        )

    def text(self, options: SystemPromptOptions) -> str:
        """Return the prompt as one text, as a provider gets it."""
        if options.force_system_prompt is not None:
            return options.force_system_prompt
        return render_system(SystemState("", self.sections(options)))


@frozen
class _Listed:
    """A tool as the prompt lists it."""

    name: str
    prompt_snippet: str | None
    prompt_guidelines: Sequence[str]


def _listed(name: str, options: SystemPromptOptions) -> _Listed:
    return _Listed(name, options.tool_snippets.get(name), options.tool_guidelines.get(name, ()))


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
