"""What is on disk after a write, and what is not touched by one that fails."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pi_agent.base.atomic_write import atomic_write
from tests.rights import run_without_rights


def write_without_rights(path: Path, text: str) -> str:
    """Write in a process that has no rights of root; returns the error's name, or nothing."""
    code = (
        "import sys, errno; from pathlib import Path\n"
        "from pi_agent.base.atomic_write import atomic_write\n"
        "try: atomic_write(Path(sys.argv[1]), sys.argv[2].encode())\n"
        "except OSError as error: print(errno.errorcode[error.errno])"
    )
    return run_without_rights(code, path, text)


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_a_new_file_has_the_mode_that_every_program_gives(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        atomic_write(tmp_path / "new", b"x")
    finally:
        os.umask(before)
    assert (tmp_path / "new").read_bytes() == b"x"
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert names(tmp_path) == ["new"]


def test_mode_and_owner_stay(tmp_path: Path) -> None:
    file = tmp_path / "script"
    file.write_text("old, and longer")
    file.chmod(0o4751)
    if os.geteuid() == 0:
        os.chown(file, 12345, 54321)
        file.chmod(0o4751)
    before = file.stat()
    atomic_write(file, b"new")
    after = file.stat()
    assert file.read_bytes() == b"new"
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )


def test_the_target_of_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "target"
    target.write_text("old")
    first, second, dangling = tmp_path / "first", tmp_path / "second", tmp_path / "dangling"
    first.symlink_to("folder/target")
    second.symlink_to(first)
    dangling.symlink_to("folder/new")
    atomic_write(second, b"new")
    atomic_write(dangling, b"made")
    assert target.read_bytes() == b"new"
    assert (tmp_path / "folder" / "new").read_bytes() == b"made"
    assert first.is_symlink() and second.is_symlink() and dangling.is_symlink()


def test_all_names_of_a_file_show_the_new_content(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("old, and longer than the new content")
    os.link(one, other)
    atomic_write(one, b"new")
    assert other.read_bytes() == b"new"
    assert one.samefile(other)


def test_devices_are_written_to_and_a_pipe_nobody_reads_is_refused(tmp_path: Path) -> None:
    atomic_write(Path("/dev/null"), b"x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError):
        atomic_write(tmp_path / "pipe", b"x")
    with pytest.raises(IsADirectoryError):
        atomic_write(tmp_path, b"x")
    assert names(tmp_path) == ["pipe"]


def test_a_file_that_may_not_be_written_is_refused_although_its_folder_may(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o444)
    assert write_without_rights(file, "new") == "EACCES"
    assert file.read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_in_a_folder_that_takes_no_new_file_the_file_itself_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "file"
    file.write_text("old, and longer than the new content")
    folder.chmod(0o555)
    try:
        assert write_without_rights(file, "new") == ""
        assert write_without_rights(folder / "more", "new") == "EACCES"
    finally:
        folder.chmod(0o755)
    assert file.read_text() == "new"
    assert names(folder) == ["file"]


def test_a_disk_that_is_full_leaves_the_old_content(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    code = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from pi_agent.base.atomic_write import atomic_write\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: atomic_write(Path(sys.argv[1]), b'x' * 5000)\n"
        "except OSError: print('refused')"
    )
    argv = [sys.executable, "-c", code, str(file)]
    assert subprocess.run(argv, capture_output=True, check=True).stdout == b"refused\n"
    assert file.read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_a_reader_never_sees_a_half(tmp_path: Path) -> None:
    file = tmp_path / "file"
    contents = [letter * 300_000 for letter in (b"a", b"b")]
    file.write_bytes(contents[0])
    writing = True

    def write() -> None:
        nonlocal writing
        for number in range(20):
            atomic_write(file, contents[number % 2])
        writing = False

    writer = threading.Thread(target=write)
    writer.start()
    while writing:
        assert file.read_bytes() in contents
    writer.join()


def test_whoever_is_killed_in_the_middle_leaves_the_old_content_or_the_new(tmp_path: Path) -> None:
    file = tmp_path / "file"
    code = (
        "import sys; from pathlib import Path\n"
        "from pi_agent.base.atomic_write import atomic_write\n"
        "contents = [b'a' * 3_000_000, b'b' * 3_000_000]\n"
        "number = 0\n"
        "while True:\n"
        "    atomic_write(Path(sys.argv[1]), contents[number % 2])\n"
        "    if number == 0: print('written', flush=True)\n"
        "    number += 1"
    )
    for wait_ms in (0, 3, 7):
        process = subprocess.Popen([sys.executable, "-c", code, str(file)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        # It is always in the middle of a write; only in which part of it differs.
        threading.Event().wait(wait_ms / 1000)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        data = file.read_bytes()
        assert len(data) == 3_000_000 and len(set(data)) == 1
