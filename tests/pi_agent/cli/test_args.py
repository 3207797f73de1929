"""How a command line is read."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import typing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.cli.args import FLAGS, THINKING_LEVELS, Args, Parsed, parse_args
from pi_agent.llm.model import ThinkingLevel

ROOT = Path(__file__).parents[3]


def args_of(*words: str) -> Args:
    parsed = parse_args(words)
    assert parsed.errors == ()
    return parsed.args


def errors_of(*words: str) -> tuple[str, ...]:
    return parse_args(words).errors


def test_no_words_ask_for_nothing() -> None:
    assert parse_args([]) == Parsed(Args())


def test_words_are_messages_and_at_signs_name_files() -> None:
    args = args_of("first", "@notes.md", "second one", "@")
    assert args.messages == ("first", "second one", "@")
    assert args.files == ("notes.md",)


def test_two_dashes_end_the_flags_but_not_the_files() -> None:
    args = args_of("-p", "--", "--model", "@a.txt", "--", "-x")
    assert args.print
    assert args.messages == ("--model", "--", "-x")
    assert args.files == ("a.txt",)
    assert args.model is None


@pytest.mark.parametrize(
    ("words", "messages", "files"),
    [
        (["-p", "hello"], ("hello",), ()),
        (["-p", "--- a/x.py"], ("--- a/x.py",), ()),
        (["-p", "@x"], (), ("x",)),
        (["-p", "-c"], (), ()),
        (["hello", "-p"], ("hello",), ()),
    ],
)
def test_the_word_after_print_is_a_message_unless_it_is_a_flag_or_a_file(
    words: list[str], messages: tuple[str, ...], files: tuple[str, ...]
) -> None:
    args = args_of(*words)
    assert args.print
    assert (args.messages, args.files) == (messages, files)


def test_a_value_is_the_next_word_or_follows_an_equals_sign() -> None:
    assert args_of("--model", "acme/fast-1").model == "acme/fast-1"
    assert args_of("--model=acme/fast-1").model == "acme/fast-1"
    assert args_of("--system-prompt=a=b").system_prompt == "a=b"
    assert args_of("--session-dir=").session_dir == ""


def test_a_value_may_begin_with_a_dash_but_is_not_a_flag() -> None:
    assert args_of("--append-system-prompt", "- be brief").append_system_prompt == ("- be brief",)
    assert args_of("-t", "-bash").tools == ("-bash",)
    assert errors_of("--model", "--print") == ("--model requires a value",)
    assert errors_of("--model", "--mode=text") == ("--model requires a value",)
    assert errors_of("--model") == ("--model requires a value",)
    assert errors_of("--model", "--", "x") == ("--model requires a value",)


@pytest.mark.parametrize(
    ("words", "search"),
    [
        (["--list-models"], ""),
        (["--list-models", "fast"], "fast"),
        (["--list-models", "-c"], ""),
        (["--list-models", "@x"], ""),
        (["--list-models=x"], "x"),
        ([], None),
    ],
)
def test_the_search_after_list_models_may_be_left_out(words: list[str], search: str | None) -> None:
    assert args_of(*words).list_models == search


def test_repeated_flags_add_up_and_others_take_the_last_value() -> None:
    args = args_of("-e", "a.py", "--extension", "b.py", "--model", "x", "--model", "y")
    assert args.extensions == ("a.py", "b.py")
    assert args.model == "y"


def test_lists_are_split_at_commas() -> None:
    args = args_of("-t", "read, ba*,,", "-xt", "write")
    assert args.tools == ("read", "ba*")
    assert args.exclude_tools == ("write",)
    assert args_of().tools is None
    assert args_of("-t", "").tools == ()


def test_names_and_changes_of_tools_do_not_mix() -> None:
    assert args_of("-t", "+grep,-bash").tools == ("+grep", "-bash")
    assert len(errors_of("-t", "read,+grep")) == 1


def test_an_unknown_option_is_named_with_what_may_be_meant() -> None:
    (error,) = errors_of("--modle", "x")
    assert error.startswith("Unknown option: --modle (did you mean ")
    assert "--model" in error
    assert errors_of("--zzzzzz=1") == ("Unknown option: --zzzzzz",)
    assert errors_of("-q") == ("Unknown option: -q",)


def test_a_switch_takes_no_value() -> None:
    assert errors_of("--print=yes") == ("--print takes no value",)


def test_a_mode_that_is_not_there_is_an_error_that_lists_those_that_are() -> None:
    assert args_of("--mode", "text").mode == "text"
    assert errors_of("--mode", "xml") == ("Unknown mode: xml (available: text, json)",)


def test_an_unknown_thinking_level_is_a_warning_and_ignored() -> None:
    parsed = parse_args(["--thinking", "hard"])
    assert parsed.errors == ()
    assert parsed.args.thinking is None
    assert "hard" in parsed.warnings[0]
    assert args_of("--thinking", "high").thinking == "high"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--provider", "acme"], "--provider needs --model"),
        (["--api-key", "k"], "--api-key needs --model or --models"),
        (["-c", "--session", "x"], "--session cannot be combined with --continue"),
        (["--session-id", "a", "-c"], "--session-id cannot be combined with --continue"),
        (["--session-id", "a", "--session", "b"], "--session-id cannot be combined with --session"),
        (["-n", " "], "--name requires a name that is not empty"),
        (["-c", "--no-session"], "--no-session cannot be combined with --continue"),
        (["--follow", "a", "-p"], "--follow cannot be combined with --print"),
        (["--follow", "a", "-c"], "--follow cannot be combined with --continue"),
        (["--follow", "a", "-n", "b"], "--follow cannot be combined with --name"),
    ],
)
def test_flags_that_need_or_exclude_each_other_say_so(words: list[str], error: str) -> None:
    assert errors_of(*words) == (error,)


def test_all_errors_are_reported_at_once() -> None:
    assert len(errors_of("--nope", "--mode", "xml", "--provider", "x", "-q")) == 4


def test_every_flag_has_a_field_of_the_type_of_its_kind() -> None:
    types = typing.get_type_hints(Args)
    fits: dict[str, set[object]] = {
        "switch": {bool},
        "prompt": {bool},
        "text": {str | None},
        "optional": {str | None},
        "list": {tuple[str, ...], tuple[str, ...] | None},
        "repeated": {tuple[str, ...]},
    }
    assert all(types[flag.field] in fits[flag.kind] for flag in FLAGS)
    fields = {field.name for field in dataclasses.fields(Args)} - {"files", "messages"}
    assert {flag.field for flag in FLAGS} == fields
    names = [name for flag in FLAGS for name in flag.names]
    assert len(names) == len(set(names))


def test_thinking_levels_are_those_of_models() -> None:
    assert typing.get_args(ThinkingLevel) == THINKING_LEVELS


WORDS = st.sampled_from(
    [name for flag in FLAGS for name in flag.names]
    + ["--", "-", "@", "@f", "", "x", "--a=b", "---"]
)


@settings(max_examples=200)
@given(st.lists(WORDS | st.text(max_size=4), max_size=8))
def test_any_words_are_read_without_failing(words: list[str]) -> None:
    parsed = parse_args(words)
    assert all(parsed.errors)
    assert set(parsed.args.messages) <= set(words)


@pytest.mark.parametrize("module", ["pi_agent.cli.args", "pi_agent.cli.help"])
def test_reading_the_command_line_loads_nothing_heavy(module: str) -> None:
    heavy = ("asyncio", "pydantic", "urwid", "httpx", "wcwidth", "logging", "email")
    script = f"import sys, {module}; print([m for m in {heavy!r} if m in sys.modules])"
    output = subprocess.run(
        [sys.executable, "-S", "-c", script],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert output == "[]\n"
