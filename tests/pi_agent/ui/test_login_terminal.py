"""From no key to a first answer on a real terminal; and where the key is afterwards, and where it is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_agent.base.log import write_crash_report
from pi_agent.resources.auth_file import AuthFileError, store_api_key
from tests.pi_screen import ScreenPi, shows
from tests.wire_server import Reply, Request, WireServer, json_reply, sse_bytes, sse_reply

KEY = "gk_0123456789abcdefWXYZ"  # no form that the log would know as a key
BAD_KEY = "gk_refused456789abcdefWXYZ"


def answer(request: Request) -> Reply:
    """Repeat a wrong key in the refusal, as careless servers do."""
    sent = request.headers.get("authorization", "")
    if sent != f"Bearer {KEY}":
        return json_reply({"error": {"message": f"Incorrect API key provided: {sent}"}}, 401)
    if request.path.endswith("/models"):
        return json_reply({"data": [{"id": "alpha"}, {"id": "beta"}]})
    text = {"choices": [{"index": 0, "delta": {"content": "Hello from the server."}}]}
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    return sse_reply(sse_bytes(text, end))


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer(answer) as running:
        yield running


@pytest.mark.cold_start  # in `/proc` stands what a process was started with
def test_from_login_to_a_first_answer(tmp_path: Path, server: WireServer) -> None:
    pi = ScreenPi(tmp_path)
    pi.environ |= {"OPENAI_BASE_URL": f"{server.url}/v1", "PI_OFFLINE": "1"}
    with pi.show(columns=80, rows=24) as session:
        session.wait_for("(demo) echo")
        session.send(b"/login\r")
        session.wait_for("Sign in: whose key?")
        session.send(b"openai")
        session.wait_until(shows("→   OpenAI · no key needed"))
        session.send(b"\r")
        session.wait_for("Key for OpenAI")
        session.send(f"\x1b[200~  {BAD_KEY}\n\x1b[201~".encode())
        session.wait_for("A key of 26 characters.")
        session.send(b"\r")
        session.wait_for("OpenAI refused the key, which is stored now.")
        session.send(b"\x1b[A\x1b[B\r")
        session.wait_for("It replaces the key that is stored.")
        session.send(KEY.encode())
        session.wait_for("A key of 23 characters.")
        session.send(b"\r")
        session.wait_for("→   alpha [openai]")
        session.send(b"\r")
        session.wait_for("Model: openai/alpha")
        session.send(b"Hello?\r")
        session.wait_for("Hello from the server.")
        argv = Path(f"/proc/{session.pid}/cmdline").read_bytes()
        environ = Path(f"/proc/{session.pid}/environ").read_bytes()
        session.send(b"\x04")
        assert session.wait_exit() == 0
        output = session.output
    assert server.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    assert server.requests[-1].path == "/v1/chat/completions"
    for key in (KEY, BAD_KEY):
        for leak in (argv, environ, output):
            assert key.encode() not in leak
        # Of a pasted key the last four characters may show.
        assert key[:-4].encode() not in output
        files = [each for each in tmp_path.rglob("*") if each.is_file()]
        holders = [each.name for each in files if key.encode() in each.read_bytes()]
        assert holders == (["auth.json"] if key == KEY else [])
    assert len(pi.session_files()) == 1


def test_what_fails_while_a_key_is_stored_is_told_without_it(tmp_path: Path) -> None:
    path = tmp_path / "auth.json"
    path.write_text(f'{{"a": "{BAD_KEY}" oops')
    with pytest.raises(AuthFileError) as caught:
        store_api_key(path, "openai", KEY)
    report = write_crash_report(tmp_path / "logs", caught.value, version="0", now=0)
    text = report.read_text()
    assert "The key is not stored." in text
    assert KEY not in text
    assert BAD_KEY not in text


def test_what_was_typed_and_not_stored_is_nowhere_after_a_kill(tmp_path: Path) -> None:
    pi = ScreenPi(tmp_path)
    with pi.show() as session:
        session.wait_for("(demo) echo")
        session.send(b"/login openai\r")
        session.wait_for("Key for OpenAI")
        session.send(KEY.encode())
        session.wait_for("A key of 23 characters.")
    files = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert [each.name for each in files if KEY.encode() in each.read_bytes()] == []
