"""Keys get into `auth.json` and out of it: for their owner alone, beside other programs, and nothing else is lost."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pi_agent.llm.provider import StoredKey
from pi_agent.resources.auth_file import (
    AuthFileError,
    load_auth_file,
    remove_credential,
    store_api_key,
)
from tests.rights import run_without_rights

KEY = "sk-test-0123456789"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file is looked for; nothing is there yet."""
    return tmp_path / "agent" / "auth.json"


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(path: Path) -> list[str]:
    return sorted(os.listdir(path.parent))


def test_a_new_file_and_its_folder_are_their_owners_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        store_api_key(path, "openai", KEY)
    finally:
        os.umask(before)
    assert mode_of(path) == 0o600
    assert mode_of(path.parent) == 0o700
    assert load_auth_file(path).keys == {"openai": StoredKey(KEY)}
    assert names(path) == ["auth.json"]


def test_a_file_that_others_could_read_is_closed_to_them(path: Path) -> None:
    write(path, "{}")
    path.chmod(0o644)
    store_api_key(path, "openai", KEY)
    assert mode_of(path) == 0o600
    path.chmod(0o644)
    store_api_key(path, "openai", KEY)
    assert mode_of(path) == 0o600


def test_nobody_else_can_read_it_while_it_is_written(path: Path) -> None:
    """A writer that dies in the middle leaves what it has written so far."""
    write(path, "{}")
    path.chmod(0o666)
    code = (
        "import os, resource, signal, sys; from pathlib import Path\n"
        "from pi_agent.resources.auth_file import store_api_key\n"
        "os.umask(0)\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "store_api_key(Path(sys.argv[1]), 'openai', 'k' * 5000)"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert ended.returncode == -signal.SIGXFSZ
    (half,) = [name for name in names(path) if name.endswith(".tmp")]
    assert (path.parent / half).stat().st_size == 1000
    assert mode_of(path.parent / half) == 0o600
    assert path.read_text() == "{}"


@pytest.mark.parametrize(
    "text",
    [
        '\ufeff{\r\n\t"corp": {"type":"oauth", "x":[1,2]},\r\n\t"openai": {"type":"api_key","key":"OLD"}\r\n}\r\n',
        '{"openai":{"key":"OLD","env":{"A":"b"},"type":"api_key","note":1e2},"corp":{"type":"oauth","u":"\\u00e9"}}',
    ],
)
def test_all_else_stays_to_the_byte(path: Path, text: str) -> None:
    write(path, text)
    store_api_key(path, "openai", KEY)
    assert path.read_bytes().decode() == text.replace("OLD", KEY)


def test_another_program_s_account_stays_beside_a_new_key(path: Path) -> None:
    account = (
        '"corp": {"type": "oauth", "access": "a", "refresh": "r", "expires": 1, "accountId": "42"}'
    )
    write(path, f"{{\n  {account}\n}}\n")
    store_api_key(path, "openai", KEY)
    assert account in path.read_text()
    assert load_auth_file(path).accounts == {"corp"}
    remove_credential(path, "openai")
    assert path.read_text() == f"{{\n  {account}\n}}\n"


def test_a_key_takes_the_place_of_an_account_and_of_what_is_wrong(path: Path) -> None:
    write(
        path,
        '{"a": {"type": "oauth", "access": "x"}, "b": "oops", "c": {"type": "api_key", "key": "k", "env": 1}}',
    )
    for provider in "abc":
        store_api_key(path, provider, KEY)
    assert load_auth_file(path).keys == {each: StoredKey(KEY) for each in "abc"}
    assert load_auth_file(path).problems == ()


def test_removing_what_is_not_there_changes_nothing(path: Path) -> None:
    remove_credential(path, "openai")
    assert not path.exists()
    write(path, '{"a": 1}')
    remove_credential(path, "openai")
    assert path.read_text() == '{"a": 1}'


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.json"
    write(real, "{}")
    path.parent.mkdir()
    path.symlink_to(real)
    store_api_key(path, "openai", KEY)
    assert path.is_symlink()
    assert KEY in real.read_text()
    assert mode_of(real) == 0o600


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (f'{{"a": "{KEY}" oops', "not valid JSON at line 1, column"),
        (f'["{KEY}"]', "expected an object"),
        (b'\xff{"a": 1}', "not valid UTF-8 at byte 0"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": 1} // mine', "not valid JSON"),
    ],
)
def test_a_broken_file_is_left_alone(path: Path, content: str | bytes, told: str) -> None:
    write(path, content)
    before = path.read_bytes()
    with pytest.raises(AuthFileError) as caught:
        store_api_key(path, "openai", "sk-new")
    assert caught.value.message.startswith(f"The key is not stored. {path}: ")
    assert told in caught.value.message
    assert KEY not in caught.value.with_hint()
    with pytest.raises(AuthFileError, match="Nothing is removed"):
        remove_credential(path, "a")
    assert path.read_bytes() == before
    assert names(path) == ["auth.json"]


_STORE = (
    "import resource, signal, sys; from pathlib import Path\n"
    "from pi_agent.resources.auth_file import AuthFileError, store_api_key\n"
    "if sys.argv[3:]:\n"
    "    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    "    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
    "try: store_api_key(Path(sys.argv[1]), 'openai', sys.argv[2])\n"
    "except AuthFileError as error: print(error.with_hint())"
)


def test_a_file_that_may_not_be_written_is_named(path: Path) -> None:
    write(path, "{}")
    path.chmod(0o400)
    told = run_without_rights(_STORE, path, KEY)
    assert told == f"The key is not stored. {path}: cannot be written: Permission denied"
    assert path.read_text() == "{}"
    assert names(path) == ["auth.json"]


def test_a_folder_that_may_not_be_written_is_named(path: Path, tmp_path: Path) -> None:
    for folder in (path.parent, tmp_path):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o500)
        try:
            told = run_without_rights(_STORE, path, KEY)
        finally:
            folder.chmod(0o700)
        assert told == f"The key is not stored. {path}: cannot be written: Permission denied"
        assert not path.exists()
        path.parent.rmdir() if folder == path.parent else None


def test_a_full_disk_is_named_and_loses_nothing(path: Path) -> None:
    write(path, '{"a": {"type": "api_key", "key": "old"}}')
    told = subprocess.run(
        [sys.executable, "-c", _STORE, str(path), "k" * 5000, "full"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told == f"The key is not stored. {path}: cannot be written: File too large\n"
    assert path.read_text() == '{"a": {"type": "api_key", "key": "old"}}'
    assert names(path) == ["auth.json"]


_WRITER = """
import sys
from pathlib import Path
from pi_agent.resources.auth_file import remove_credential, store_api_key
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for number in range(count):
    store_api_key(path, f"{name}{number}", "k")
    if number % 3 == 0:
        remove_credential(path, f"{name}{number}")
    if number == 0:
        print("begun", flush=True)
"""


def writers(path: Path, count: int, *names: str) -> list[subprocess.Popen[str]]:
    """Start programs that store keys, all at the same moment."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), name, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for each in started:
        assert each.stdout is not None and each.stdout.readline() == "ready\n"
    for each in started:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    return started


@pytest.mark.parametrize("is_stale", [False, True])
def test_programs_that_write_at_once_lose_nothing(path: Path, is_stale: bool) -> None:
    write(path, '{"corp": {"type": "oauth"}}')
    if is_stale:
        lock = path.with_name("auth.json.lock")
        lock.mkdir()
        os.utime(lock, (1, 1))
    for each in writers(path, 20, "a", "b", "c"):
        each.communicate(timeout=30)
        assert each.returncode == 0
    kept = {f"{name}{number}" for name in "abc" for number in range(20) if number % 3}
    assert set(json.loads(path.read_text())) == kept | {"corp"}
    assert names(path) == ["auth.json"]


def test_whoever_is_killed_leaves_the_old_file_or_the_new(path: Path) -> None:
    account = {"type": "oauth", "access": "a" * 50_000}
    write(path, json.dumps({"corp": account}))
    for wait_ms in (0, 2, 5):
        (writer,) = writers(path, 10_000, "a")
        assert writer.stdout is not None and writer.stdout.readline() == "begun\n"
        threading.Event().wait(wait_ms / 1000)
        writer.kill()
        writer.communicate()
        assert json.loads(path.read_text())["corp"] == account
        lock = path.with_name("auth.json.lock")
        if lock.exists():
            os.utime(lock, (1, 1))
    store_api_key(path, "after", KEY)
    assert load_auth_file(path).keys["after"] == StoredKey(KEY)


def test_a_lock_that_another_program_holds_is_waited_for(path: Path) -> None:
    write(path, "{}")
    lock = path.with_name("auth.json.lock")
    lock.mkdir()
    storing = threading.Thread(target=store_api_key, args=(path, "openai", KEY))
    storing.start()
    write(path, '{"theirs": {"type": "oauth"}}')  # a read-modify-write of theirs, under their lock
    lock.rmdir()
    storing.join(20)
    assert set(json.loads(path.read_text())) == {"theirs", "openai"}
