"""The table of models: which are in it, what it says of them, and what is told of those that are missing."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from pi_agent.base.paths import AgentPaths
from pi_agent.host.options import RunOptions
from pi_agent.modes.list_models import list_models
from tests.pi_process import Pi
from tests.wire_server import WireServer, json_reply, reply

pytestmark = pytest.mark.anyio


async def listed(
    folder: Path, search: str = "", environ: Mapping[str, str] | None = None
) -> tuple[list[list[str]], str]:
    """Return the cells of the table, and what was said on stderr."""
    environ = {"HOME": str(folder), "PI_CODING_AGENT_DIR": str(folder)} | dict(environ or {})
    options = RunOptions(cwd=folder, paths=AgentPaths.from_environment(environ), environ=environ)
    out, err = io.StringIO(), io.StringIO()
    assert await list_models(options, search, out=out, err=err) == 0
    return [line.split() for line in out.getvalue().splitlines()], err.getvalue()


MODELS = """
{
  "providers": {
    "acme": {
      "baseUrl": "http://127.0.0.1:1/v1",
      "models": [
        {"id": "big", "contextWindow": 200000, "maxTokens": 8192, "reasoning": true, "input": ["text", "image"]},
        {"id": "a-rather-long-name", "contextWindow": 900, "input": ["text"]}
      ]
    }
  }
}
"""


async def test_each_model_has_a_row_and_what_is_not_known_is_not_made_up(tmp_path: Path) -> None:
    (tmp_path / "models.json").write_text(MODELS)
    rows, said = await listed(tmp_path)
    assert said == ""
    assert rows == [
        ["provider", "model", "context", "max-out", "thinking", "images"],
        ["acme", "a-rather-long-name", "900", "?", "no", "no"],
        ["acme", "big", "200k", "8k", "yes", "yes"],
        ["demo", "echo", "?", "?", "no", "yes"],
        ["demo", "script", "?", "?", "no", "yes"],
        ["demo", "tour", "?", "?", "yes", "yes"],
    ]


@pytest.mark.parametrize("search", ["BIG", "acme/b", "demo/echo"])
async def test_a_search_looks_at_provider_id_and_name(search: str, tmp_path: Path) -> None:
    (tmp_path / "models.json").write_text(MODELS)
    rows, _ = await listed(tmp_path, search)
    (_, row) = rows
    assert row[1] in ("big", "echo")


async def test_a_search_without_a_match_says_so(tmp_path: Path) -> None:
    (tmp_path / "models.json").write_text(MODELS)
    rows, said = await listed(tmp_path, "zzz")
    assert (rows, said) == ([["No", "model", "matches", '"zzz".']], "")


async def test_where_there_is_nothing_but_the_demo_one_line_says_how_to_get_a_model(
    tmp_path: Path,
) -> None:
    rows, said = await listed(tmp_path)
    assert ["demo", "echo"] in [row[:2] for row in rows]
    (line,) = said.splitlines()
    assert line.startswith("There is no model yet. ")
    for way in ("`pi`", "/login", "OPENAI_API_KEY", "this machine", "pi --local", "pi --demo"):
        assert way in line


async def test_servers_are_asked_and_one_that_fails_is_told(tmp_path: Path) -> None:
    with WireServer() as works, WireServer() as fails:
        works.queue(json_reply({"data": [{"id": "alpha", "context_length": 4096}]}))
        fails.queue(reply(503, b"not now"))
        environ = {"LLAMA_BASE_URL": works.url, "OPENAI_BASE_URL": fails.url}
        rows, said = await listed(tmp_path, environ=environ)
    assert ["llama.cpp", "alpha", "4k", "?", "no", "no"] in rows
    assert not any(row[0] == "openai" for row in rows)
    assert said == "Warning: The models of OpenAI cannot be listed: 503: not now\n"


@pytest.mark.parametrize(
    ("offline", "is_asked"),
    [("1", False), ("yes", False), ("0", True), ("false", True), ("", True)],
)
async def test_offline_is_a_yes_or_no(offline: str, is_asked: bool, tmp_path: Path) -> None:
    with WireServer(answer=lambda request: reply(503, b"not now")) as proxy:
        environ = {"GROQ_API_KEY": "k", "HTTPS_PROXY": proxy.url, "PI_OFFLINE": offline}
        await listed(tmp_path, environ=environ)
    assert bool(proxy.connections) is is_asked


def test_with_a_broken_models_file_the_rest_is_listed_and_the_place_told(pi: Pi) -> None:
    path = pi.agent_dir / "models.json"
    line = '  "providers": {"a": {"apiKey": "sk-secret-0123456789", oops}}'
    path.write_text(f"{{\n{line}\n}}")
    ended = pi.run("--list-models", "--thinking", "lots")
    assert ended.code == 0
    assert ["demo", "echo"] in [line.split()[:2] for line in ended.out.splitlines()]
    thinking, broken = ended.err.splitlines()
    assert "Unknown thinking level: lots" in thinking
    place = f"line 2, column {line.index('oops') + 1}"
    assert broken.startswith(f"Warning: {path}: not valid JSON at {place}: ")
    assert "secret" not in ended.out + ended.err
