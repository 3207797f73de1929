"""`pi auth`: keys get in without being seen, and out again; scripts can ask whether there is one."""

from __future__ import annotations

import json
import signal
import stat

import pytest

from tests.pi_process import COMMAND, Pi
from tests.pty_session import PtySession

KEY = "gk_0123456789abcdefWXYZ"


def stored(pi: Pi) -> dict[str, dict[str, str]]:
    path = pi.agent_dir / "auth.json"
    data: dict[str, dict[str, str]] = json.loads(path.read_text()) if path.exists() else {}
    return data


def store(pi: Pi, **keys: str) -> None:
    entries = {name: {"type": "api_key", "key": key} for name, key in keys.items()}
    (pi.agent_dir / "auth.json").write_text(json.dumps(entries))


@pytest.mark.parametrize("words", [["groq"], ["groq", "--api-key"], ["GROQ"]])
def test_a_key_that_is_piped_in_is_stored(pi: Pi, words: list[str]) -> None:
    outcome = pi.run("auth", "login", *words, stdin=f"  {KEY}\n")
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "The key of Groq is stored in ~/agent/auth.json, which only you can read.",
        "A key of 23 characters.",
    ]
    assert outcome.err == ""
    assert stored(pi) == {"groq": {"type": "api_key", "key": KEY}}
    assert stat.S_IMODE((pi.agent_dir / "auth.json").stat().st_mode) == 0o600


def test_a_key_that_is_typed_does_not_show(pi: Pi) -> None:
    argv = [*COMMAND, "auth", "login", "groq"]
    with PtySession(argv, cwd=pi.project, env=pi.full_environ()) as session:
        session.wait_for("Key for Groq (it does not show):")
        session.send(KEY.encode() + b"\r")
        session.wait_for("The key of Groq is stored")
        assert session.wait_exit() == 0
        assert session.termios_now() == session.termios_before
        assert KEY.encode() not in session.output
    assert stored(pi)["groq"]["key"] == KEY


@pytest.mark.parametrize(("sent", "code"), [(b"\x03", 130), (b"\x04", 1), (b"\r", 1)])
def test_the_prompt_can_be_left_and_the_terminal_is_as_before(
    pi: Pi, sent: bytes, code: int
) -> None:
    argv = [*COMMAND, "auth", "login", "groq"]
    with PtySession(argv, cwd=pi.project, env=pi.full_environ()) as session:
        session.wait_for("it does not show")
        session.send(sent)
        assert session.wait_exit() == code
        assert session.termios_now() == session.termios_before
    assert stored(pi) == {}


def test_a_signal_at_the_prompt_gives_the_terminal_back(pi: Pi) -> None:
    argv = [*COMMAND, "auth", "login", "groq"]
    with PtySession(argv, cwd=pi.project, env=pi.full_environ()) as session:
        session.wait_for("it does not show")
        session.signal(signal.SIGTERM)
        assert session.wait_exit() == 143
        assert session.termios_now() == session.termios_before


def test_what_wins_over_what_is_told(pi: Pi) -> None:
    pi.environ["GROQ_API_KEY"] = "sk-env"
    assert (
        "It wins over the variable GROQ_API_KEY." in pi.run("auth", "login", "groq", stdin=KEY).out
    )
    outcome = pi.run("auth", "logout", "groq")
    assert outcome.out.splitlines() == [
        "The key of groq is removed.",
        "From now on the variable GROQ_API_KEY is used.",
    ]
    assert stored(pi) == {}
    again = pi.run("auth", "logout", "groq")
    assert (again.code, again.err) == (1, "Error: Nothing is stored for groq.\n")


@pytest.mark.parametrize(
    ("words", "stdin", "told"),
    [
        (["groq"], "", "No key was given: nothing is stored."),
        (["groq"], "\n \n", "No key was given: nothing is stored."),
        (["groq"], "sk-one\nsk-two\n", "Nothing is stored."),
        (["groq"], b"\xff\xfe", "What was piped in is no text: nothing is stored."),
        (["groq"], "x" * 70_000, "What was piped in is too long for a key: nothing is stored."),
        (["grok"], KEY, 'There is no provider "grok".\nKnown: groq.'),
    ],
)
def test_what_cannot_be_a_key_is_refused(
    pi: Pi, words: list[str], stdin: str | bytes, told: str
) -> None:
    outcome = pi.run("auth", "login", *words, stdin=stdin)
    assert outcome.code == 1
    assert outcome.err.startswith(f"Error: {told}")
    assert "sk-" not in outcome.err
    assert stored(pi) == {}


def test_a_broken_file_and_an_account_are_left_alone(pi: Pi) -> None:
    path = pi.agent_dir / "auth.json"
    path.write_text("{")
    outcome = pi.run("auth", "login", "groq", stdin=KEY)
    assert outcome.code == 1
    assert "The key is not stored." in outcome.err
    assert "Mend it, or move it away." in outcome.err
    assert path.read_text() == "{"
    path.write_text('{"groq": {"type": "oauth"}}')
    assert "an account of another program" in pi.run("auth", "logout", "groq").err
    assert path.read_text() == '{"groq": {"type": "oauth"}}'


@pytest.mark.parametrize(
    ("words", "code", "status", "message"),
    [
        (["--provider", "groq"], 0, "ready", "the key comes from the environment variable GROQ_API_KEY"),
        (["--model", "groq/any"], 0, "ready", "the key comes from the environment variable GROQ_API_KEY"),
        (["--provider", "mistral"], 0, "ready", "the key comes from the command in auth.json"),
        (["--provider", "openai"], 1, "not_ready", "No API key for openai: its command failed"),
        (["--provider", "xai"], 1, "not_ready", "No API key for xai\nSet XAI_API_KEY"),
        (["--provider", "nobody"], 2, "invalid", 'There is no provider "nobody".'),
        (["--model", "nobody/any"], 2, "invalid", "nobody/any"),
    ],
)  # fmt: skip
def test_scripts_can_ask(pi: Pi, words: list[str], code: int, status: str, message: str) -> None:
    pi.environ["GROQ_API_KEY"] = "sk-env"
    store(pi, openai="!exit 1", mistral="!echo sk-command")
    outcome = pi.run("auth", "check", *words, "--json")
    assert outcome.code == code
    answer = json.loads(outcome.out)
    assert answer["status"] == status
    assert message in answer["message"]
    plain = pi.run("auth", "check", *words)
    assert plain.code == code
    assert f"{answer['provider']}: {status.replace('_', ' ')}: " in plain.out
    assert "sk-" not in plain.out + outcome.out


def test_a_check_of_nothing_is_told(pi: Pi) -> None:
    outcome = pi.run("auth", "check")
    assert (outcome.code, outcome.err) == (
        1,
        "Error: `pi auth check` takes either --provider or --model.\n",
    )
