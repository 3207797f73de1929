"""`pi` as a command: how it starts, what it refuses, and how its process ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pi_agent
from tests.pi_process import COMMAND, Pi
from tests.pty_session import PtySession


@pytest.mark.cold_start
def test_the_version_is_that_of_the_package(pi: Pi) -> None:
    ended = pi.run("--version")
    assert (ended.code, ended.out, ended.err) == (0, f"pi {pi_agent.__version__}\n", "")


def test_everything_that_is_wrong_with_the_options_is_told_at_once(pi: Pi) -> None:
    ended = pi.run("--modle", "x", "-Z", "--session", "a", "--continue", "-p", "hello")
    assert (ended.code, ended.out) == (1, "")
    *errors, hint = ended.err.splitlines()
    assert "--model" in errors[0].replace("--modle", "")
    assert [line.split("(")[0].strip() for line in errors] == [
        "Error: Unknown option: --modle",
        "Error: Unknown option: -Z",
        "Error: --session cannot be combined with --continue",
    ]
    assert "pi --help" in hint


def test_a_theme_that_is_not_there_is_told_without_a_screen_too(pi: Pi) -> None:
    ended = pi.run("--model", "demo/echo", "-p", "--use-theme", "dark/nope", "hello")
    assert (ended.code, ended.out) == (0, "hello\n")
    assert ended.err == 'Warning: Theme "nope" was not found. There are: system, dark, light.\n'


def test_after_two_dashes_there_are_no_options(pi: Pi) -> None:
    assert pi.run("--model", "demo/echo", "-p", "--", "--version").out == "--version\n"


@pytest.mark.parametrize(
    "words",
    [
        ("doctor who?", "--model", "demo/echo", "-p"),
        ("--model", "demo/echo", "-p", "doctor who?"),
        ("--model", "demo/echo", "-p", "--", "doctor", "doctor who?"),
    ],
)
def test_a_message_may_begin_like_a_command(words: tuple[str, ...], pi: Pi) -> None:
    assert pi.run(*words).out == "doctor who?\n"


def test_a_command_with_words_that_it_does_not_take_is_refused(pi: Pi) -> None:
    ended = pi.run("doctor", "who?")
    assert (ended.code, ended.out) == (2, "")
    assert "`pi doctor` does not take 'who?'" in ended.err
    assert "`pi -- doctor …` asks the model" in ended.err
    assert pi.run("doctor", "-h").out.startswith("pi doctor - ")


def test_a_folder_that_is_gone_is_no_place_to_start(pi: Pi) -> None:
    gone = pi.folder / "gone"
    gone.mkdir()
    ended = pi.run("--model", "demo/echo", "-p", "hello", cwd=gone, preexec_fn=gone.rmdir)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        "Error: The current folder cannot be used: No such file or directory\n"
        "Change to another one.\n"
    )


@pytest.mark.cold_start
def test_input_that_cannot_be_read_is_told(pi: Pi) -> None:
    with pi.write("only written", "").open("wb") as file:
        ended = pi.run("--model", "demo/echo", "-p", "hello", stdin=file)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "Error: Standard input cannot be read: Bad file descriptor\n"


@pytest.mark.cold_start
@pytest.mark.parametrize(
    "words", [("--help",), ("--list-models",), ("doctor", "--json"), ("completion", "zsh")]
)
def test_output_that_nobody_reads_is_no_error(words: tuple[str, ...], pi: Pi) -> None:
    pi.knows_server("http://127.0.0.1:9")
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        ended = pi.run(*words, stdout=write_end)
    finally:
        os.close(write_end)
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [("--version",), ("doctor",), ("completion", "zsh")])
def test_output_that_cannot_be_written_is_an_error(
    words: tuple[str, ...], unbuffered: str, pi: Pi
) -> None:
    pi.environ["PYTHONUNBUFFERED"] = unbuffered
    with open("/dev/full", "wb") as full:
        ended = pi.run(*words, stdout=full)
    assert ended.code == 1
    assert ended.err == "Error: The output could not be written: No space left on device\n"


def test_a_crash_is_told_in_two_lines_and_names_the_report(pi: Pi) -> None:
    crashing = (
        "import sys, asyncio\n"
        "from pi_agent.cli.crash import run_reporting_crashes\n"
        "from pi_agent.cli.start import run_options\n"
        "from pi_agent.cli.args import Args\n"
        "import os\n"
        "def fails():\n"
        "    raise LookupError('the third drawer')\n"
        "sys.exit(run_reporting_crashes(run_options(Args(), (), os.environ).paths.logs_dir, fails))\n"
    )
    ended = subprocess.run(
        [COMMAND[0], "-c", crashing],
        env=pi.full_environ(),
        cwd=pi.project,
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    first, second = ended.stderr.splitlines()
    assert first == "pi crashed: LookupError: the third drawer"
    report = Path(second.removeprefix("The traceback is in "))
    assert "in fails" in report.read_text()


def test_a_terminal_that_cannot_show_a_screen_is_told_so(tmp_path: Path) -> None:
    with PtySession(
        [sys.executable, "-m", "pi_agent"],
        cwd=tmp_path,
        env={"TERM": "dumb", "PI_CODING_AGENT_DIR": str(tmp_path)},
    ) as session:
        assert session.wait_exit() == 1
        assert "TERM=dumb" in "\n".join(session.lines())
        assert b"\x1b[?1049h" not in session.output
