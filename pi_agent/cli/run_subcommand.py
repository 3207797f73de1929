"""Run a sub-command: its help, a word on what does not fit, or what it does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import takewhile

from pi_agent.base.errors import PiError
from pi_agent.base.paths import AgentPaths
from pi_agent.cli.crash import run_reporting_crashes
from pi_agent.cli.help import subcommand_help
from pi_agent.cli.streams import say
from pi_agent.cli.subcommands import Subcommand, read_words

WRONG_WORDS = 2

_HELP_WORDS = ("-h", "--help")

_Run = Callable[[Sequence[str], Mapping[str, str]], int]


def run_subcommand(row: Subcommand, words: Sequence[str]) -> int:
    """Do what `row` and the words behind its name say; returns the exit status."""
    if any(word in _HELP_WORDS for word in takewhile(lambda word: word != "--", words)):
        return _print_help(row)
    try:
        read_words(row, words)
    except PiError as error:
        say(f"Error: {error.message}")
        say(f"`pi {row.name} --help` tells what it takes; `pi -- {row.name} …` asks the model.")
        return WRONG_WORDS
    logs_dir = AgentPaths.from_environment(os.environ).logs_dir
    return run_reporting_crashes(logs_dir, lambda: _run(row, words))


def _run(row: Subcommand, words: Sequence[str]) -> int:
    run: _Run = import_module(row.module).run
    try:
        return run(words, os.environ)
    except PiError as error:
        say(f"Error: {error.with_hint()}")
        return 1
    except BrokenPipeError:
        return 0  # whoever read the output has seen enough


def _print_help(row: Subcommand) -> int:
    print(subcommand_help(row, shutil.get_terminal_size().columns), end="")
    return 0
