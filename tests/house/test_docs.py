"""What the documents say: their code runs, and their tables are those of the code."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from pi_agent.base.jsonc import parse_jsonc
from pi_agent.base.wire import WireModel
from pi_agent.cli.subcommands import SUBCOMMANDS
from pi_agent.extensions.events import EMITTED
from pi_agent.extensions.loader import load_extensions
from pi_agent.llm.models_entries import ModelEntry, ProviderEntry
from pi_agent.llm.providers.openai_compat import ChatCompat
from pi_agent.llm.script import read_script
from pi_agent.resources.auth_file import load_auth_file
from pi_agent.resources.keybindings_file import APP_KEYBINDINGS, read_keybindings
from pi_agent.resources.models_file import read_models_text
from pi_agent.resources.settings import SettingsStore
from pi_agent.resources.settings_table import SETTINGS
from pi_tui.keybindings import TUI_KEYBINDINGS

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "pi_agent/docs", "pi_tui", "examples", "extensions", "benchmarks")
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for each in FOLDERS for page in ROOT.glob(f"{each}/**/*.md"))]
)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    return [
        (f"{page.relative_to(ROOT).as_posix()}-{number}", match[2])
        for page in PAGES
        for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")))
        if match[1] == language
    ]


@pytest.mark.parametrize(("name", "code"), blocks("python"))
def test_python_in_the_documents_loads(name: str, code: str, tmp_path: Path) -> None:
    file = tmp_path / "shown.py"
    file.write_text(code, encoding="utf-8")
    if "def setup(" not in code:
        exec(compile(code, name, "exec"), {"__name__": name})
        return
    result = asyncio.run(load_extensions([file], cwd=tmp_path, generation=1))
    assert not result.errors
    (extension,) = result.extensions
    assert (
        extension.tools or extension.commands or extension.handlers or extension.message_renderers
    )


def test_the_extension_in_the_readme_is_the_example() -> None:
    example = (ROOT / "examples/extensions/hello.py").read_text(encoding="utf-8")
    shown = next(code for name, code in blocks("python") if name.startswith("README"))
    assert shown.strip() in example


def test_json_in_the_documents_is_accepted_by_what_reads_it(tmp_path: Path) -> None:
    for name, text in blocks("json"):
        data = parse_jsonc(text, name)
        if "providers" in data:
            assert not read_models_text(text, name).problems
        elif "openai" in data:
            (tmp_path / "auth.json").write_text(text, encoding="utf-8")
            auth = load_auth_file(tmp_path / "auth.json")
            assert (auth.problems, list(auth.keys)) == ((), ["openai"])
        elif "theme" in data:
            (tmp_path / "settings.json").write_text(text, encoding="utf-8")
            settings = SettingsStore(tmp_path / "settings.json")
            assert (settings.error, settings.warnings) == (None, [])
        else:
            file = tmp_path / "keybindings.json"
            file.write_text(json.dumps(data), encoding="utf-8")
            assert not read_keybindings(file).warnings


def test_the_scripts_in_the_documents_can_be_played(tmp_path: Path) -> None:
    scripts = blocks("jsonl")
    assert scripts
    for _, text in scripts:
        file = tmp_path / "script.jsonl"
        file.write_text(text, encoding="utf-8")
        assert len(list(read_script(str(file)))) == text.count("\n")


def test_the_events_of_the_page_are_those_that_are_emitted() -> None:
    page = (ROOT / "pi_agent/docs/extensions.md").read_text(encoding="utf-8")
    table = page[page.index("## Events") : page.index("## `ctx`")]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(EMITTED)


def test_the_settings_of_the_page_are_those_of_the_table() -> None:
    page = (ROOT / "pi_agent/docs/usage.md").read_text(encoding="utf-8")
    table = page[page.index("## Settings") : page.index("## Files")]
    shown = re.findall(r"^\| `([\w.]+)` \| (.*) \| (.*) \| (.*) \|$", table, re.MULTILINE)
    assert shown == [
        (each.key, each.kind.expected, _default(each.default), each.help) for each in SETTINGS
    ]


def test_the_commands_of_the_page_are_those_of_the_table() -> None:
    page = (ROOT / "pi_agent/docs/usage.md").read_text(encoding="utf-8")
    section = page.split("## Commands of the shell\n")[1].split("\n## ")[0]
    shown = re.findall(r"^\| `pi ([a-z]+)` \| (.*) \|$", section, re.MULTILINE)
    assert shown == [(row.name, row.help) for row in SUBCOMMANDS]


def _default(value: object) -> str:
    return "–" if value is None else f"`{json.dumps(value)}`"


def anchors(page: Path) -> set[str]:
    """Return what a link can lead to in a page: its headings, as they are named in addresses."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_links_between_the_documents_lead_somewhere() -> None:
    for page in PAGES:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            path, _, anchor = target.partition("#")
            if "://" not in target:
                there = page.parent / path if path else page
                assert there.exists(), f"{page.name}: {target}"
                assert not anchor or anchor in anchors(there), f"{page.name}: {target}"


def test_every_picture_is_shown_somewhere() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    assert shown == {*ROOT.glob("docs/pictures/*"), *ROOT.glob("docs/components/*.svg")}


def test_no_line_of_a_document_is_wider_than_a_page() -> None:
    for page in PAGES:
        for line in page.read_text(encoding="utf-8").splitlines():
            assert len(line) <= 180, f"{page.name}: {line[:60]}"


@pytest.mark.parametrize(
    ("heading", "schema"),
    [
        ("## Providers", ProviderEntry),
        ("## Models", ModelEntry),
        ("## Differences between servers", ChatCompat),
    ],
)
def test_the_fields_of_the_page_are_those_of_the_file(
    heading: str, schema: type[WireModel]
) -> None:
    page = (ROOT / "pi_agent/docs/models.md").read_text(encoding="utf-8")
    section = page.split(heading + "\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]*`) \|", section, re.MULTILINE)
    shown = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert shown == {field.alias for field in schema.model_fields.values()}


def test_the_page_of_keys_lists_every_action_that_something_answers() -> None:
    files = [*(ROOT / "pi_agent/ui").rglob("*.py"), *(ROOT / "pi_tui").rglob("*.py")]
    named = {
        name
        for file in files
        if file.name != "keybindings.py"
        for name in re.findall(r'"((?:app|tui)\.[A-Za-z.]+)"', file.read_text(encoding="utf-8"))
    }
    definitions = {**APP_KEYBINDINGS, **TUI_KEYBINDINGS}
    rows = [
        f"| `{name}` | {', '.join(f'`{key}`' for key in definition.default_keys) or '–'}"
        f" | {definition.description} |"
        for name, definition in definitions.items()
        if name in named
    ]
    page = (ROOT / "pi_agent/docs/keybindings.md").read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.startswith("| `")] == rows
