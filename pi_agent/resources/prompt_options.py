"""What the system prompt is made of, open to changes before a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Final

from pi_agent.resources.context_files import ContextFile
from pi_agent.resources.system_prompt import is_section_name
from pi_tui.frozen import slotted


@slotted(kw_only=True)
class SystemPromptOptions:
    """The inputs of the prompt; every collection may be changed in place.

    `sections` are those of extensions, by name. `selected_tools` are active in this run. `force_system_prompt`
    takes the place of the whole prompt.
    """

    cwd: str
    custom_prompt: str | None = None
    force_system_prompt: str | None = None
    selected_tools: list[str] = field(default_factory=list)
    tool_snippets: dict[str, str] = field(default_factory=dict)
    tool_guidelines: dict[str, list[str]] = field(default_factory=dict)
    prompt_guidelines: list[str] = field(default_factory=list)
    append_system_prompt: list[str] = field(default_factory=list)
    sections: dict[str, str] = field(default_factory=dict)
    context_files: list[ContextFile] = field(default_factory=list)


def repair(options: SystemPromptOptions) -> Iterator[str]:
    """Take out what does not belong into the options, and say of each thing what is wrong with it."""
    for name, fits in _ITEMS.items():
        items = getattr(options, name)
        if not isinstance(items, list):
            setattr(options, name, [])
            yield f"system_prompt_options.{name} should be a list, got {type(items).__name__}"
            continue
        wrong = [item for item in items if not fits(item)]
        if wrong:
            items[:] = [item for item in items if fits(item)]
            yield f"system_prompt_options.{name} cannot hold {wrong[0]!r}"
    for name, value_fits in _VALUES.items():
        values = getattr(options, name)
        if not isinstance(values, dict):
            setattr(options, name, {})
            yield f"system_prompt_options.{name} should be a dict, got {type(values).__name__}"
            continue
        for key, value in list(values.items()):
            if not isinstance(key, str) or not value_fits(value):
                del values[key]
                yield f"system_prompt_options.{name} cannot hold {key!r}: {value!r}"
    for name in ("custom_prompt", "force_system_prompt"):
        text = getattr(options, name)
        if text is not None and not isinstance(text, str):
            setattr(options, name, None)
            yield f"system_prompt_options.{name} should be text, got {type(text).__name__}"
    for name in [name for name in options.sections if not is_section_name(name)]:
        del options.sections[name]
        yield f"{name!r} is not a name for a section: use small letters, digits, - and _"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


# What the items of the lists and the values of the dicts are.
_ITEMS: Final[dict[str, Callable[[object], bool]]] = {
    "selected_tools": _is_text,
    "prompt_guidelines": _is_text,
    "append_system_prompt": _is_text,
    "context_files": lambda item: isinstance(item, ContextFile),
}
_VALUES: Final[dict[str, Callable[[object], bool]]] = {
    "tool_snippets": _is_text,
    "tool_guidelines": _are_texts,
    "sections": _is_text,
}
