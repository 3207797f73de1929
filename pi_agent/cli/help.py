"""The text of `pi --help`, made from the table of flags."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from pi_agent.cli.args import FLAGS, Flag
from pi_agent.cli.subcommands import SUBCOMMANDS, Option, Subcommand

EXAMPLES: Final = (
    ("pi", "Start in this directory."),
    ('pi "Why does the build fail?"', "Start with a first message."),
    ("pi @notes.md @screen.png 'What is missing?'", "Give files along with it."),
    ("pi -c", "Go on where you left off."),
    ("git diff | pi -p 'Review this'", "Ask once, answer on stdout."),
)

ENVIRONMENT: Final = (
    ("PI_CODING_AGENT_DIR", "Models, keys, prompts, sessions and logs (default: ~/.pi/agent)."),
    ("PI_CODING_AGENT_CACHE_DIR", "What can be fetched again (default: ~/.cache/pi)."),
    ("PI_CODING_AGENT_SESSION_DIR", "Keep all sessions in this folder."),
    ("PI_DEMO_SCRIPT", "File that demo/script plays: one JSON object a line."),
    (
        "OPENAI_API_KEY",
        "Key of OpenAI; OPENAI_BASE_URL names another server that speaks the same protocol.",
    ),
    (
        "NAME_API_KEY",
        "Keys of other providers: OPENROUTER, DEEPSEEK, GROQ, CEREBRAS, XAI, MISTRAL, TOGETHER, FIREWORKS,"
        " MOONSHOT, ZAI, ZAI_CODING_CN, NVIDIA, AI_GATEWAY; HF_TOKEN for Hugging Face.",
    ),
    ("LLAMA_BASE_URL, LLAMA_API_KEY", "A llama.cpp server, and its key if it wants one."),
    ("HTTPS_PROXY, NO_PROXY", "Proxy for the network."),
)

_USAGE: Final = "pi [options] [--] [@file ...] [message ...]"
_COMMANDS: Final = "pi COMMAND [option ...]: `pi COMMAND --help` tells more."
_MESSAGES: Final = "Each message is asked on its own, after the answer to the one before: quote what belongs together."

_INDENT: Final = 2
_GAP: Final = 2
_MAX_LEFT: Final = 34
_MIN_RIGHT: Final = 24
_MIN_WIDTH: Final = 24  # the longest name of a flag fits


def help_text(
    width: int,
    *,
    environment: Sequence[tuple[str, str]] = ENVIRONMENT,
    subcommands: Sequence[Subcommand] = SUBCOMMANDS,
) -> str:
    """Return the help, wrapped to `width` columns."""
    width = max(width, _MIN_WIDTH)
    parts = [
        _wrapped("pi - a coding agent in the terminal", width),
        _section("Usage", [_USAGE, *([_COMMANDS] if subcommands else []), _MESSAGES], width),
    ]
    if subcommands:
        parts.append(
            _table("Commands", [(f"pi {row.name}", row.help) for row in subcommands], width)
        )
    for group, flags in groupby(FLAGS, key=lambda flag: flag.group):
        parts.append(_table(group, [(_names(flag), flag.help) for flag in flags], width))
    parts.append(_table("Examples", EXAMPLES, width))
    parts.append(_table("Environment", environment, width))
    return "\n\n".join(parts) + "\n"


def subcommand_help(row: Subcommand, width: int) -> str:
    """Return the help of one sub-command, wrapped to `width` columns."""
    width = max(width, _MIN_WIDTH)
    name = f"pi {row.name}"
    parts = [_wrapped(f"{name} - {row.help}", width)]
    if row.verbs:
        uses = [(" ".join((name, verb.name, *verb.arguments)), verb.help) for verb in row.verbs]
        parts.append(_table("Usage", uses, width))
    else:
        options = ["[option ...]"] if row.options else []
        parts.append(_section("Usage", [" ".join((name, *options, *row.arguments))], width))
    parts += [
        _table(title, [(_option(option), option.help) for option in options], width)
        for title, options in _options_of(row)
        if options
    ]
    return "\n\n".join(parts) + "\n"


def _options_of(row: Subcommand) -> Iterable[tuple[str, tuple[Option, ...]]]:
    yield "Options", row.options
    for verb in row.verbs:
        yield f"Options of {verb.name}", verb.options


def _option(option: Option) -> str:
    return f"{option.name} {option.value}".rstrip()


def _names(flag: Flag) -> str:
    names = ", ".join(flag.names)
    if not flag.value:
        return names
    return f"{names} [{flag.value}]" if flag.kind == "optional" else f"{names} {flag.value}"


def _section(title: str, lines: Iterable[str], width: int) -> str:
    indent = " " * _INDENT
    return "\n".join(
        [f"{title}:", *(_wrapped(line, width, first=indent, rest=indent * 2) for line in lines)]
    )


def _table(title: str, rows: Sequence[tuple[str, str]], width: int) -> str:
    left = _INDENT + _MAX_LEFT + _GAP
    if width - left < _MIN_RIGHT:
        return "\n".join([f"{title}:", *(_stacked(name, text, width) for name, text in rows)])
    return "\n".join(
        [f"{title}:", *(_side_by_side(name, text, left, width) for name, text in rows)]
    )


def _side_by_side(name: str, text: str, left: int, width: int) -> str:
    if len(name) > _MAX_LEFT:
        return f"{' ' * _INDENT}{name}\n{_wrapped(text, width, first=' ' * left, rest=' ' * left)}"
    label = f"{' ' * _INDENT}{name}".ljust(left)
    return _wrapped(text, width, first=label, rest=" " * left)


def _stacked(name: str, text: str, width: int) -> str:
    indent = " " * _INDENT
    top = _wrapped(name, width, first=indent, rest=indent * 2)
    return f"{top}\n{_wrapped(text, width, first=indent * 3, rest=indent * 3)}"


def _wrapped(text: str, width: int, *, first: str = "", rest: str = "") -> str:
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
