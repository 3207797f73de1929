"""Sub-commands: when a word is one, what is said of words that do not fit, and their help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.cli.help import help_text, subcommand_help
from pi_agent.cli.run_subcommand import run_subcommand
from pi_agent.cli.subcommands import (
    Option,
    Subcommand,
    SubcommandWords,
    Verb,
    find_subcommand,
    read_words,
)

KITCHEN = Subcommand(
    "kitchen",
    "Cook something.",
    "nowhere",
    options=(Option("--quiet", "Say nothing."),),
    verbs=(
        Verb(
            "bake",
            "Bake a dish.",
            arguments=("DISH", "[SIDE]"),
            options=(Option("--heat", "How hot the oven is.", "DEGREES"),),
        ),
        Verb("wash", "Wash up."),
    ),
)
WEATHER = Subcommand("weather", "Look outside.", "nowhere", arguments=("[TOWN]",))
TABLE = (KITCHEN, WEATHER)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["kitchen"], "kitchen"),
        (["weather", "kitchen"], "weather"),
        (["kitchen sink"], None),
        (["Kitchen"], None),
        (["--", "kitchen"], None),
        (["-p", "kitchen"], None),
        (["", "kitchen"], None),
        ([], None),
    ],
)
def test_only_exactly_the_first_word_chooses_one(words: list[str], name: str | None) -> None:
    found = find_subcommand(words, TABLE)
    assert (found and found.name) == name


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("wash", SubcommandWords("wash")),
        ("--quiet wash", SubcommandWords("wash", options={"--quiet": ""})),
        ("bake pie", SubcommandWords("bake", ("pie",))),
        ("bake --heat 200 pie peas", SubcommandWords("bake", ("pie", "peas"), {"--heat": "200"})),
        (
            "bake --heat=-5 --quiet pie",
            SubcommandWords("bake", ("pie",), {"--heat": "-5", "--quiet": ""}),
        ),
        ("bake -- --heat", SubcommandWords("bake", ("--heat",))),
        ("bake -", SubcommandWords("bake", ("-",))),
    ],
)
def test_words_are_sorted(words: str, expected: SubcommandWords) -> None:
    assert read_words(KITCHEN, words.split()) == expected


@pytest.mark.parametrize(
    ("row", "words", "message"),
    [
        (KITCHEN, "", "`pi kitchen` needs one more word: bake or wash"),
        (KITCHEN, "boil", "`pi kitchen` has no 'boil'. It has bake and wash."),
        (
            KITCHEN,
            "bakes",
            "`pi kitchen` has no 'bakes' (did you mean bake?). It has bake and wash.",
        ),
        (KITCHEN, "bake", "`pi kitchen bake` needs DISH"),
        (KITCHEN, "bake a b c", "`pi kitchen bake` does not take 'c'"),
        (KITCHEN, "wash please", "`pi kitchen wash` does not take 'please'"),
        (KITCHEN, "wash --heat 3", "`pi kitchen wash` has no option --heat"),
        (
            KITCHEN,
            "bake --head=3 pie",
            "`pi kitchen bake` has no option --head (did you mean --heat?)",
        ),
        (KITCHEN, "bake pie --heat", "--heat requires a value"),
        (KITCHEN, "--quiet=yes wash", "--quiet takes no value"),
        (WEATHER, "in Paris", "`pi weather` does not take 'Paris'"),
    ],
)
def test_what_does_not_fit_is_named(row: Subcommand, words: str, message: str) -> None:
    with pytest.raises(PiError) as caught:
        read_words(row, words.split())
    assert caught.value.message == message


def test_a_verb_may_be_left_out_where_none_is_needed() -> None:
    row = Subcommand("tidy", "", "nowhere", verbs=(Verb("up", "Up."),), needs_verb=False)
    assert read_words(row, []) == SubcommandWords()


def test_an_argument_may_be_there_any_number_of_times() -> None:
    row = Subcommand("say", "", "nowhere", arguments=("WHOM", "[WORD]..."))
    assert read_words(row, ["you"]).arguments == ("you",)
    assert read_words(row, ["you", "a", "b", "--", "-c"]).arguments == ("you", "a", "b", "-c")


@pytest.mark.parametrize("width", [24, 40, 80, 200])
def test_the_help_of_one_names_all_that_it_takes(width: int) -> None:
    text = subcommand_help(KITCHEN, width)
    assert max(map(len, text.splitlines())) <= width
    told = " ".join(text.split())
    for part in (
        "pi kitchen - Cook something.",
        "bake DISH [SIDE]",
        "Bake a dish.",
        "wash",
        "Wash up.",
    ):
        assert part in told
    assert "Options: --quiet Say nothing." in told
    assert "Options of bake: --heat DEGREES How hot the oven is." in told


def test_the_help_of_one_without_verbs_shows_its_use() -> None:
    assert "Usage:\n  pi weather [TOWN]\n" in subcommand_help(WEATHER, 80)


@pytest.mark.parametrize("width", [24, 40, 80])
def test_the_help_of_pi_lists_them(width: int) -> None:
    text = help_text(width, subcommands=TABLE)
    assert max(map(len, text.splitlines())) <= width
    told = " ".join(text.split())
    assert "Commands: pi kitchen Cook something. pi weather Look outside." in told
    assert "`pi COMMAND --help` tells more" in told
    assert "Commands:" not in help_text(width, subcommands=())


def run(words: Sequence[str], environ: Mapping[str, str]) -> int:
    """Be a sub-command."""
    if "fail" in words:
        raise PiError("The oven is cold.", "Heat it.")
    print(*words, sep="|")
    return 3


HERE = Subcommand("here", "", __name__, arguments=("[WORD]", "[MORE]"))


def test_a_sub_command_gets_its_words_and_gives_the_exit_status(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path))
    assert run_subcommand(HERE, ["a b", "c"]) == 3
    assert capsys.readouterr().out == "a b|c\n"
    assert run_subcommand(HERE, ["fail"]) == 1
    assert capsys.readouterr().err == "Error: The oven is cold.\nHeat it.\n"


def test_words_that_do_not_fit_end_it_before_anything_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_subcommand(WEATHER, ["in", "Paris"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "Error: `pi weather` does not take 'Paris'\n"
        "`pi weather --help` tells what it takes; `pi -- weather …` asks the model.\n"
    )


@pytest.mark.parametrize("words", [["-h"], ["--help"], ["bake", "--help"], ["boil", "-h"]])
def test_help_is_given_whatever_else_is_said(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_subcommand(KITCHEN, words) == 0
    assert "pi kitchen - Cook something." in capsys.readouterr().out
