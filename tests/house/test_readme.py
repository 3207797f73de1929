"""What the first page tells a stranger to type is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pi_agent.cli.args import parse_args
from pi_agent.cli.subcommands import find_subcommand, read_words
from tests.pi_agent.ui.support import interactive

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROSE = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
SPANS = re.findall(r"`([^`\n]+)`", PROSE)
LINES = [line.split("#")[0].strip() for line in PROSE.splitlines() if line.startswith("    ")]
TYPED = [*SPANS, *LINES]


@pytest.mark.parametrize("line", [each for each in TYPED if each.startswith("make ")])
def test_make_has_what_is_typed(line: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    target = line.split()[1]
    assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("line", [each for each in TYPED if re.search(r"(^|\| )pi\b", each)])
def test_the_command_line_is_taken(line: str) -> None:
    words = shlex.split(line.split("| ")[-1])[1:]
    if row := find_subcommand(words):
        read_words(row, words[1:])
        return
    parsed = parse_args(words)
    assert not parsed.errors and not parsed.warnings


@pytest.mark.anyio
async def test_the_commands_are_those_of_the_program(tmp_path: Path) -> None:
    example = ROOT / "examples" / "extensions" / "hello.py"
    words = ("--model", "demo/echo", "-e", str(example))
    async with interactive(tmp_path, *words, rows=100) as program:
        program.say("/help")
        await program.pilot.wait_for("/quit")
        known = set(re.findall(r"(?<!\S)/\w+", program.pilot.screen()))
    assert {each.split()[0] for each in SPANS if re.match(r"/\w", each)} <= known


@pytest.mark.parametrize("path", [each for each in SPANS if re.fullmatch(r"[\w/]+/[\w.]*", each)])
def test_the_files_are_there(path: str) -> None:
    assert (ROOT / path).exists()
