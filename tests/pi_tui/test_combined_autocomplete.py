"""Files, commands and paths together: whose turn it is, and what a choice makes of the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_tui.abort import AbortController
from pi_tui.autocomplete import AutocompleteItem, SlashCommand
from pi_tui.combined_autocomplete import CombinedAutocompleteProvider
from tests.pi_tui.components.editor_session import Session
from tests.pi_tui.files.trees import make_tree

pytestmark = pytest.mark.anyio

COMMANDS = [
    SlashCommand("model", "Choose", "<name>", lambda typed: [AutocompleteItem("gpt", "gpt")]),
    SlashCommand("review"),
]
TREE = ["main.py", "src/app.ts", "my dir/a b.md", "model/x", "=odd", "srv/it's"]


def _provider(top: Path) -> CombinedAutocompleteProvider:
    return CombinedAutocompleteProvider(COMMANDS, make_tree(top, TREE), home=top)


@pytest.mark.parametrize(
    ("text", "force", "prefix", "values"),
    [
        ("/mo", False, "/mo", ["model"]),
        ("/model g", False, "g", ["gpt"]),
        ("/model @app", False, "@app", ["@src/app.ts"]),
        ("/model ma", True, "ma", ["main.py"]),
        ("/src/x", False, None, []),
        ("\n/s", False, "/s", None),
        ("foo ma", False, None, []),
        ("foo ma", True, "ma", ["main.py"]),
        ("", False, None, []),
        ("x=sr", True, "sr", ["src/", "srv/"]),
        ("=", True, "", None),
        ('"my d', True, '"my d', ['"my dir/"']),
        ("srv/i", False, "srv/i", ['"srv/it\'s"']),
        ("./=", False, "", None),
        ("#12", True, "#12", []),
    ],
)
async def test_files_come_before_commands_and_commands_before_paths(
    tmp_path: Path, text: str, force: bool, prefix: str | None, values: list[str] | None
) -> None:
    lines = text.split("\n")
    found = await _provider(tmp_path).get_suggestions(
        lines, len(lines) - 1, len(lines[-1]), signal=AbortController().signal, force=force
    )
    if found is None:
        assert not values
        return
    assert found.prefix == prefix
    assert values is None or [item.value for item in found.items] == values


@pytest.mark.parametrize(
    ("text", "prefix", "value", "expected"),
    [
        ("see @ap|", "@ap", "@src/app.ts", "see @src/app.ts |"),
        ("see @ap| now", "@ap", "@src/app.ts", "see @src/app.ts |now"),
        ("@sr|", "@sr", "@src/", "@src/|"),
        ('@"my|', '@"my', '@"my dir/"', '@"my dir/|"'),
        ('@"my dir/a|"', '@"my dir/a', '@"my dir/a b.md"', '@"my dir/a b.md" |'),
        ('@"my|" x', '@"my', '@"my dir/"', '@"my dir/|" x'),
        ("./my|", "./my", '"./my dir/"', '"./my dir/|"'),
        ('"my dir/a|" x', '"my dir/a', '"my dir/a b.md"', '"my dir/a b.md"| x'),
        ("x=sr|", "sr", "src/", "x=src/|"),
        ("/mo|", "/mo", "model", "/model |"),
        ("/s|", "/s", "/srv/", "/srv/|"),
        ("/m|", "/m", '"/my dir/"', '"/my dir/|"'),
        ("/model g|", "g", "gpt", "/model gpt|"),
    ],
)
def test_a_choice_takes_the_place_of_what_was_typed(
    tmp_path: Path, text: str, prefix: str, value: str, expected: str
) -> None:
    before, _, after = text.partition("|")
    lines, line, col = CombinedAutocompleteProvider(COMMANDS, tmp_path).apply_completion(
        ["above", before + after] if prefix == "/s" else [before + after],
        1 if prefix == "/s" else 0,
        len(before),
        AutocompleteItem(value, value),
        prefix,
    )
    assert f"{lines[line][:col]}|{lines[line][col:]}" == expected


async def test_a_folder_goes_on_completing(tmp_path: Path) -> None:
    session = Session()
    session.editor.set_autocomplete_provider(_provider(tmp_path))
    for step in ("my", "<tab>", "<tab>", " @app", "<tab>", "(./s", "<tab>", "<down>", "<tab>"):
        if step.startswith("<"):
            session.press(step.strip("<>"))
        else:
            session.type(step)
        await session.answered()
    assert session.editor.get_text() == '"my dir/a b.md" @src/app.ts (./srv/'


async def test_a_name_of_a_command_is_no_path(tmp_path: Path) -> None:
    provider = _provider(tmp_path)
    assert not provider.should_trigger_file_completion(["/mo"], 0, 3)
    assert provider.should_trigger_file_completion(["/model g"], 0, 8)
    assert provider.should_trigger_file_completion(["", "/mo"], 1, 3)
