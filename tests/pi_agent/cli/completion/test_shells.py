"""Tab in the real shells, at a real terminal: what is on the command line afterwards."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from pi_agent.cli.args import FLAGS
from pi_agent.cli.completion.scripts import SCRIPTS
from pi_agent.cli.subcommands import SUBCOMMANDS
from pi_tui.emulator import GridTerminal
from tests.pi_process import Pi
from tests.pty_session import PtySession

START = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "bind 'set show-all-if-ambiguous on'; bind 'set completion-query-items 1000';"
        " bind 'set page-completions off'; bind 'set enable-bracketed-paste off'; PS1='> '",
    ),
    "zsh": (["zsh", "-f", "-i"], "unsetopt zle_bracketed_paste prompt_sp; LISTMAX=1000; PS1='> '"),
    "fish": (
        ["fish", "--no-config", "-i"],
        "set -g fish_autosuggestion_enabled 0; function fish_prompt; echo -n '> '; end;"
        " function fish_greeting; end",
    ),
}
LOAD = {
    "bash": 'eval "$(pi completion bash)"',
    "zsh": 'eval "$(pi completion zsh)"',
    "fish": "pi completion fish | source",
}
KILL_LINE = b"\x05\x15"  # from the end of it
CLEAR_SCREEN = b"\x0c"


class Shell:
    """A shell with the script loaded; its prompt stands in the first row before each line that is typed."""

    def __init__(self, session: PtySession) -> None:
        self._session = session

    def run(self, command: str) -> None:
        """Run a command and clear the screen."""
        self._session.send(command.encode() + b"; clear\r")
        self._wait(lambda row: row == ">", command)

    def complete(self, typed: str, expected: str) -> None:
        """Type, press Tab, and see `expected` on the line; then the line is empty again."""
        self._session.send(typed.encode() + b"\t")
        self._wait(lambda row: row == f"> {expected}".rstrip(), expected)
        self.clear()

    def clear(self) -> None:
        """Give up the line, and clear the screen: with a key, which the shell takes in the order of typing.

        While it runs a command, what is typed is echoed where the prompt will be.
        """
        self._session.send(KILL_LINE + CLEAR_SCREEN)
        self._wait(lambda row: row == ">", "an empty line")

    def listed(self, typed: str, expected: set[str]) -> None:
        """Type, press Tab, and see all that is expected below the line."""
        self._session.send(typed.encode() + b"\t")

        def is_listed(terminal: GridTerminal) -> bool:
            return expected <= {word for row in terminal.lines() for word in row.split()}

        self._session.wait_until(is_listed, what=f"{expected} listed")

    def _wait(self, holds: Callable[[str], bool], what: str) -> None:
        self._session.wait_until(lambda terminal: holds(_line(terminal)), what=what)


def _line(terminal: GridTerminal) -> str:
    """Return the row of the cursor."""
    return terminal.lines()[terminal.cursor[1]]


@contextmanager
def shell(
    name: str, pi: Pi, *, rows: int = 24, columns: int = 80, load: str | None = None
) -> Iterator[Shell]:

    argv, settings = START[name]
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    program = pi.folder / "bin" / "pi"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pi_agent "$@"\n')
    program.chmod(0o755)
    environ = {
        **pi.full_environ(),
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "XDG_CONFIG_HOME": str(pi.folder),
        "XDG_DATA_HOME": str(pi.folder),
        "LANG": "C.UTF-8",
    }
    with PtySession(
        argv, env=environ, cwd=pi.project, rows=rows, columns=columns, answers=["da1", "cursor"]
    ) as session:
        session.wait_until(lambda terminal: _line(terminal) != "", what="a prompt")
        running = Shell(session)
        running.run(settings)
        running.run(load or LOAD[name])
        yield running


@pytest.mark.parametrize("name", SCRIPTS)
def test_words_are_completed(name: str, pi: Pi) -> None:
    models = [{"id": "gpt:large"}, {"id": "tiny"}]
    providers = {"mine": {"baseUrl": "http://127.0.0.1:9/v1", "models": models}}
    (pi.agent_dir / "models.json").write_text(json.dumps({"providers": providers}))
    pi.write("notes and more.md", "")
    pi.write("folder/inside.py", "")
    with shell(name, pi) as running:
        running.complete("pi --contin", "pi --continue")
        running.complete("pi doct", "pi doctor")
        running.complete("pi doctor --js", "pi doctor --json")
        running.complete("pi completion z", "pi completion zsh")
        running.complete("pi --thinking med", "pi --thinking medium")
        running.complete("pi --thinking=med", "pi --thinking=medium")
        running.complete("pi --model demo/e", "pi --model demo/echo")
        running.complete("pi --model=demo/e", "pi --model=demo/echo")
        running.complete("pi -c --models demo/echo,mine/t", "pi -c --models demo/echo,mine/tiny")
        running.complete("pi -t read,ba", "pi -t read,bash")
        running.complete("pi @fold", "pi @folder/")
        running.complete("pi -p @folder/i", "pi -p @folder/inside.py")
        running.complete("pi @notes", "pi @notes\\ and\\ more.md")
        running.complete("pi -e fol", "pi -e folder/")
        running.complete("pi -e folder/ins", "pi -e folder/inside.py")
        running.complete("pi --session-dir fol", "pi --session-dir folder/")


@pytest.mark.parametrize("name", SCRIPTS)
def test_words_with_colons_are_completed(name: str, pi: Pi) -> None:
    models = [{"id": "gpt:large"}]
    providers = {"mine": {"baseUrl": "http://127.0.0.1:9/v1", "models": models}}
    (pi.agent_dir / "models.json").write_text(json.dumps({"providers": providers}))
    with shell(name, pi) as running:
        running.complete("pi --model mine/gpt:la", "pi --model mine/gpt:large")
        running.complete("pi --model demo/echo:hi", "pi --model demo/echo:high")
        running.complete("pi --model=demo/echo:hi", "pi --model=demo/echo:high")


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_flag_and_sub_command_is_offered(name: str, pi: Pi) -> None:
    with shell(name, pi, rows=100, columns=120) as running:
        running.listed("pi --", {flag.names[-1] for flag in FLAGS})
        running.clear()
        running.listed("pi ", {row.name for row in SUBCOMMANDS})


def test_bash_completes_in_quotes_and_in_the_middle_of_a_line(pi: Pi) -> None:
    pi.write("notes and more.md", "")
    with shell("bash", pi) as running:
        running.complete('pi -p "@notes', 'pi -p "@notes and more.md"')
        running.complete("pi -p @notes\\ an", "pi -p @notes\\ and\\ more.md")
        running.complete("true; pi --contin", "true; pi --continue")
        running.complete("pi --verb --contin\x1b[D\x1b[D", "pi --verb --continuein")


def test_zsh_loads_the_script_from_its_folders(pi: Pi) -> None:
    functions = pi.folder / "functions"
    functions.mkdir()
    (functions / "_pi").write_text(SCRIPTS["zsh"])
    with shell(
        "zsh", pi, load=f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -D"
    ) as running:
        running.complete("pi doctor --js", "pi doctor --json")
