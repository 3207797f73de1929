"""Print mode as a script uses it: what it says on stdout, what on stderr, and how it ends."""

from __future__ import annotations

import subprocess

import pytest

from tests.pi_process import COMMAND, Pi
from tests.pty_session import PtySession

ECHO = ("--model", "demo/echo")
SCRIPT = ("--model", "demo/script")


# The answer


def test_the_answer_is_all_there_is_on_stdout(pi: Pi) -> None:
    pi.plays(
        {"toolCalls": [{"name": "bash", "arguments": {"command": "echo from the shell"}}]},
        {
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "first block"},
                {"type": "text", "text": "second block"},
            ]
        },
    )
    ended = pi.run(*SCRIPT, "-p", "go")
    assert (ended.code, ended.out, ended.err) == (0, "first block\nsecond block\n", "")


def test_without_a_terminal_there_is_no_need_for_p(pi: Pi) -> None:
    assert pi.run(*ECHO, "hello").out == "hello\n"


def test_the_word_after_p_is_the_message(pi: Pi) -> None:
    assert pi.run(*ECHO, "-p", "--- is a line").out == "--- is a line\n"


def test_messages_are_answered_in_turn_and_the_last_answer_is_printed(pi: Pi) -> None:
    pi.plays({"text": "to one"}, {"text": "to two"}, {"text": "to three"})
    ended = pi.run(*SCRIPT, "-p", "one", "two", "three")
    assert (ended.code, ended.out, ended.err) == (0, "to three\n", "")
    assert [each["content"][0]["text"] for each in pi.messages("user")] == ["one", "two", "three"]
    assert [each["content"][0]["text"] for each in pi.messages("assistant")] == [
        "to one",
        "to two",
        "to three",
    ]


def test_an_error_is_told_on_stderr(pi: Pi) -> None:
    pi.plays({"text": "half an ans", "error": "418: out of tea"})
    ended = pi.run(*SCRIPT, "-p", "go")
    assert (ended.code, ended.out, ended.err) == (1, "", "half an ans\nError: 418: out of tea\n")


def test_a_context_that_is_full_and_cannot_be_compacted_is_told_on_stderr(pi: Pi) -> None:
    pi.plays({"error": "400: maximum context length is 9 tokens"})
    ended = pi.run(*SCRIPT, "-p", "go")
    assert (ended.code, ended.out) == (1, "")
    assert "recovery failed: Nothing to compact (session too small)" in ended.err
    assert "maximum context length is 9 tokens" in ended.err


def test_an_error_before_the_last_message_is_told_and_the_rest_is_asked(pi: Pi) -> None:
    pi.plays({"error": "418: out of tea"}, {"text": "fine"})
    ended = pi.run(*SCRIPT, "-p", "one", "two")
    assert (ended.code, ended.out) == (0, "fine\n")
    assert ended.err == "Warning: Message 1 of 2 was not answered: 418: out of tea\n"


def test_an_answer_cut_by_length_is_printed_and_the_status_says_so(pi: Pi) -> None:
    pi.plays({"text": "as far as it g", "stopReason": "length"})
    ended = pi.run(*SCRIPT, "-p", "go")
    assert (ended.code, ended.out) == (1, "as far as it g\n")
    assert "cut off" in ended.err


@pytest.mark.parametrize("words", [(), ("-p", " \n ", "")])
def test_without_a_prompt_nothing_happens(words: tuple[str, ...], pi: Pi) -> None:
    ended = pi.run(*words)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert pi.session_files() == []


def test_a_command_of_an_extension_is_run_and_needs_no_answer(pi: Pi) -> None:
    pi.write(
        "shout.py",
        """
        def setup(pi):
            @pi.command("shout")
            def shout(args):
                print(args.upper())
        """,
    )
    ended = pi.run(*ECHO, "-e", "shout.py", "-p", "/shout  it  out")
    assert (ended.code, ended.out, ended.err) == (0, "", " IT  OUT\n")


# The first prompt


def test_input_files_and_message_are_one_prompt(pi: Pi) -> None:
    one = pi.write("one.txt", "alpha")
    two = pi.write("two.txt", "beta\n")
    ended = pi.run(*ECHO, "@one.txt", "-p", "look", "@two.txt", stdin="\n  piped in \n\n")
    assert ended.code == 0
    assert ended.out == (
        f'piped in\n<file name="{one}">\nalpha\n</file>\n<file name="{two}">\nbeta\n</file>\nlook\n'
    )


def test_piped_input_alone_is_a_prompt(pi: Pi) -> None:
    assert pi.run(*ECHO, "-p", stdin="what is this?\n").out == "what is this?\n"


def test_input_that_is_no_utf8_is_taken_as_far_as_it_goes(pi: Pi) -> None:
    ended = pi.run(*ECHO, "-p", stdin=b"\xef\xbb\xbfol\xe9 \xff!")
    assert (ended.code, ended.out) == (
        0,
        "ol\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}!\n",
    )


def test_a_missing_file_ends_it_before_anything_is_asked(pi: Pi) -> None:
    ended = pi.run(*ECHO, "@missing.txt", "-p", "look")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"Error: File not found: {pi.project / 'missing.txt'}\n"
    assert pi.session_files() == []


# Where stdout goes


@pytest.mark.cold_start
def test_a_reader_that_has_gone_is_no_error(pi: Pi) -> None:
    process = pi.start(*ECHO, "-p", stdin=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write(b"hello " * 20_000)
    process.stdin.close()
    assert process.stdout.read(1) == b"h"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(20) == 0


@pytest.mark.cold_start
def test_a_reader_that_was_never_there_is_no_error(pi: Pi) -> None:
    process = pi.start(*ECHO, "-p", "hello")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(20) == 0


@pytest.mark.cold_start
def test_an_answer_that_cannot_be_written_is_an_error(pi: Pi) -> None:
    with open("/dev/full", "wb") as full:
        ended = pi.run(*ECHO, "-p", "hello", stdout=full)
    assert ended.code == 1
    assert ended.err == (
        "Error: The answer could not be written to standard output: No space left on device\n"
    )


def test_what_stdout_has_no_characters_for_is_escaped(pi: Pi) -> None:
    pi.environ["PYTHONIOENCODING"] = "ascii"
    ended = pi.run(*ECHO, "-p", "caf\N{LATIN SMALL LETTER E WITH ACUTE} \N{TEACUP WITHOUT HANDLE}")
    assert (ended.code, ended.out) == (0, "caf\\xe9 \\U0001f375\n")


def test_half_a_character_of_the_model_does_not_cost_the_answer(pi: Pi) -> None:
    pi.plays({"text": "half \ud83d done"})
    ended = pi.run(*SCRIPT, "-p", "go")
    assert ended.code == 0
    assert ended.out.startswith("half ") and ended.out.endswith(" done\n")


def test_a_terminal_gets_no_control_sequences_of_the_model(pi: Pi) -> None:
    pi.plays({"text": "one\x1b[2J\x1b]0;title\x07 two"})
    words = [*COMMAND, *SCRIPT, "-p", "go"]
    with PtySession(words, env=pi.full_environ(), cwd=pi.project) as session:
        assert session.wait_exit() == 0
        assert session.output == b"one two\r\n"


def test_a_terminal_gets_no_control_sequences_of_what_failed(pi: Pi) -> None:
    """Neither from a server nor from an extension."""
    pi.write(
        "loud.py",
        "def setup(pi):\n"
        "    @pi.on('session_start')\n"
        "    def fail(): raise ValueError('bad\\x1b[2J\\x07 news')\n",
    )
    pi.plays({"error": "over\x1b]0;title\x07loaded"})
    words = [*COMMAND, *SCRIPT, "-e", "loud.py", "-p", "go"]
    with PtySession(words, env=pi.full_environ(), cwd=pi.project) as session:
        session.wait_exit()
        assert b"bad news" in session.output
        assert b"overloaded" in session.output
        assert b"\x1b" not in session.output and b"\x07" not in session.output


@pytest.mark.cold_start
def test_warnings_that_nobody_reads_do_not_cost_the_answer(pi: Pi) -> None:
    with open("/dev/full", "wb") as full:
        ended = pi.run(*ECHO, "--thinking", "lots", "-p", "hello", stderr=full)
    assert (ended.code, ended.out) == (0, "hello\n")


@pytest.mark.parametrize(
    ("redirection", "out"), [("<&-", "hello\n"), (">&-", ""), ("2>&-", "hello\n")]
)
def test_streams_that_are_closed_from_the_start_do_no_harm(
    redirection: str, out: str, pi: Pi
) -> None:
    words = ("--model", "demo/echo", "--thinking", "lots", "-p", "hello")
    ended = subprocess.run(
        ["bash", "-c", f'"$@" {redirection}', "bash", *COMMAND, *words],
        cwd=pi.project,
        env=pi.full_environ(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout) == (0, out)
    assert "Traceback" not in ended.stderr
    assert pi.messages("assistant")[0]["content"][0]["text"] == "hello"


# What the command line asks for


@pytest.mark.parametrize("words", [("-p",), ("--mode", "json")])
def test_without_a_model_one_line_says_how_to_get_one(pi: Pi, words: tuple[str, ...]) -> None:
    ended = pi.run(*words, "hello")
    assert (ended.code, ended.out) == (1, "")
    (line,) = ended.err.splitlines()
    for way in ("`pi`", "/login", "OPENAI_API_KEY", "this machine", "pi --local", "pi --demo"):
        assert way in line


def test_a_model_that_is_named_in_vain_is_told_with_the_ways_to_one(pi: Pi) -> None:
    ended = pi.run("--model", "sonnet", "-p", "hello")
    assert (ended.code, ended.out) == (1, "")
    assert 'No model matches "sonnet"' in ended.err
    assert "pi --local" in ended.err


def test_with_several_models_they_are_named(pi: Pi) -> None:
    pi.knows_server("http://127.0.0.1:1", *(f"m{number}" for number in range(10)))
    ended = pi.run("-p", "hello")
    assert ended.code == 1
    (line,) = ended.err.splitlines()
    assert "--model" in line
    assert "test/m0, test/m1" in line and line.endswith("and 2 more")


def test_what_is_not_there_is_told_at_once_with_what_there_is(pi: Pi) -> None:
    ended = pi.run("--model", "demo/ehco", "--tools", "read,bsah", "-e", "no.py", "-p", "hello")
    assert (ended.code, ended.out) == (1, "")
    for wrong, near in (('"demo/ehco"', "demo/echo"), ('"bsah"', "read, bash"), ("no.py", "-ne")):
        assert wrong in ended.err
        assert near in ended.err
    assert pi.session_files() == []


def test_an_unknown_thinking_level_is_a_warning(pi: Pi) -> None:
    ended = pi.run(*ECHO, "--thinking", "lots", "-p", "hello")
    assert (ended.code, ended.out) == (0, "hello\n")
    assert "Warning: Unknown thinking level: lots" in ended.err
    assert "medium" in ended.err


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{\n  "providers": {\n    "a": oops\n  }\n}\n', "line 3, column 10"),
        ('{"providers": {"a": {"baseUrl": 5}}}', "providers.a.baseUrl: expected a string"),
    ],
)
def test_a_broken_models_file_is_a_warning_that_names_the_place(
    text: str, place: str, pi: Pi
) -> None:
    path = pi.agent_dir / "models.json"
    path.write_text(text)
    ended = pi.run(*ECHO, "-p", "hello")
    assert (ended.code, ended.out) == (0, "hello\n")
    (line,) = ended.err.splitlines()
    assert line.startswith(f"Warning: {path}: ")
    assert place in line


def test_broken_settings_are_named_and_cost_no_answer(pi: Pi) -> None:
    (pi.agent_dir / "settings.json").write_text('{"theme": }')
    outcome = pi.run("--model", "demo/echo", "-p", "hello")
    assert outcome.code == 0
    assert outcome.out == "hello\n"
    assert outcome.err.startswith(f"Error: {pi.agent_dir}/settings.json: not valid JSON at line 1")


def test_a_wrong_setting_is_a_warning(pi: Pi) -> None:
    (pi.agent_dir / "settings.json").write_text('{"steeringMode": "x"}')
    outcome = pi.run("--model", "demo/echo", "-p", "hello")
    assert (outcome.code, outcome.out) == (0, "hello\n")
    assert "steeringMode: expected" in outcome.err


def test_a_setting_moves_the_sessions(pi: Pi) -> None:
    (pi.agent_dir / "settings.json").write_text('{"sessionDir": "kept"}')
    pi.run("--model", "demo/echo", "-p", "hello")
    assert len(list((pi.project / "kept").glob("*.jsonl"))) == 1
    assert pi.session_files() == []
