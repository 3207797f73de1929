"""The help names everything, at any width."""

from __future__ import annotations

import pytest

from pi_agent.cli.args import FLAGS
from pi_agent.cli.help import ENVIRONMENT, EXAMPLES, help_text
from pi_agent.llm.provider import KNOWN_PROVIDERS


def words_of(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("width", [24, 40, 60, 80, 120, 250])
def test_no_row_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(len, help_text(width).splitlines())) <= width


@pytest.mark.parametrize("width", [40, 80, 200])
def test_every_flag_example_and_variable_is_named_and_explained(width: int) -> None:
    text = words_of(help_text(width))
    for flag in FLAGS:
        assert ", ".join(flag.names) in text
        assert flag.help in text
    for name, explanation in (*EXAMPLES, *ENVIRONMENT):
        assert words_of(name) in text
        assert explanation in text


def test_what_several_words_mean_is_told() -> None:
    assert "quote what belongs together" in words_of(help_text(60))


def test_explanations_stand_in_one_column_where_there_is_room() -> None:
    rows = [row for row in help_text(100).splitlines() if row.startswith("  -")]
    assert len({row.index(flag.help[:9]) for row, flag in zip(rows, FLAGS, strict=True)}) == 1


def test_a_terminal_without_a_width_gets_a_text_too() -> None:
    assert "--model" in help_text(0)


def test_every_variable_of_a_provider_is_named() -> None:
    text = help_text(200)
    for provider in KNOWN_PROVIDERS:
        assert provider.key_variable.removesuffix("_API_KEY") in text
        if provider.base_url_variable:
            assert provider.base_url_variable in text
