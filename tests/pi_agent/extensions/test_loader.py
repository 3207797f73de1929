"""Loading: private modules, fresh sources, and errors that say what to do."""

from __future__ import annotations

import asyncio
import gc
import linecache
import os
import sys
import weakref
from pathlib import Path

import pytest

from pi_agent.extensions.loader import load_extensions
from pi_agent.extensions.modules import PREFIX
from tests.pi_agent.extensions.support import load, run, turns_until, write

pytestmark = pytest.mark.anyio

NOTHING = "def setup(pi): pass"


async def test_files_load_in_the_order_named_and_each_once(tmp_path: Path) -> None:
    """A symlink to a file that is already loaded is that file."""
    paths = write(tmp_path, b=NOTHING, a=NOTHING)
    link = tmp_path / "link.py"
    link.symlink_to(paths[0])
    result = await load_extensions([*paths, link, paths[1]], cwd=tmp_path, generation=0)
    assert [extension.name for extension in result.extensions] == ["b", "a"]


async def test_relative_paths_are_relative_to_the_working_directory(tmp_path: Path) -> None:
    """Not to that of the process."""
    write(tmp_path, a=NOTHING)
    result = await load_extensions([Path("a.py")], cwd=tmp_path, generation=0)
    assert [extension.path for extension in result.extensions] == [tmp_path / "a.py"]


async def test_an_async_setup_is_finished_before_the_next_extension_loads(tmp_path: Path) -> None:
    """Loading is sequential."""
    order = tmp_path / "order"
    slow = f"""
        import asyncio, pathlib
        async def setup(pi):
            for _ in range(3):
                await asyncio.sleep(0)
            pathlib.Path({str(order)!r}).write_text("slow")
    """
    quick = f"""
        import pathlib
        def setup(pi):
            file = pathlib.Path({str(order)!r})
            file.write_text(file.read_text() + " quick")
    """
    assert not (await load(tmp_path, slow=slow, quick=quick)).errors
    assert order.read_text() == "slow quick"


async def test_modules_are_private_and_find_the_files_beside_them(tmp_path: Path) -> None:
    """Two extensions with a helper of the same name, and one called like the standard library."""
    before, path_before = dict(sys.modules), list(sys.path)
    paths = []
    for name in ("one", "two"):
        folder = tmp_path / name
        (folder / "_deep").mkdir(parents=True)
        (folder / "_deep" / "leaf.py").write_text(f"NAME = 'leaf of {name}'")
        source = """
            import json
            from ._util import NAME
            from ._deep import leaf
            def setup(pi):
                @pi.command(NAME)
                def command(args, ctx):
                    from ._late import LATE
                    ctx.ui.notify(json.dumps([NAME, leaf.NAME, LATE]))
        """
        files = {"json": source, "_util": f"NAME = '{name}'", "_late": f"LATE = 'late {name}'"}
        paths.append(write(folder, **files)[0])
    running = run(await load_extensions(paths, cwd=tmp_path, generation=0))
    for name in ("one", "two"):
        await running.runner.run_command(name, "")
    assert [message for message, _ in running.person.notices] == [
        '["one", "leaf of one", "late one"]',
        '["two", "leaf of two", "late two"]',
    ]
    assert running.errors == []
    assert sys.path == path_before
    assert {name: sys.modules.get(name) for name in before} == before
    assert all(name.startswith(PREFIX) for name in set(sys.modules) - set(before) if "util" in name)


async def test_no_bytecode_is_written(tmp_path: Path) -> None:
    """Neither for the entry nor for the files beside it."""
    entry = "from . import _helper\ndef setup(pi): pass"
    assert not (await load(tmp_path, _helper="X = 1", entry=entry)).extensions[0].tools
    assert sorted(path.name for path in tmp_path.iterdir()) == ["_helper.py", "entry.py"]


async def test_an_edit_within_the_same_second_is_live_after_loading_again(tmp_path: Path) -> None:
    """Same size, same time stamp: only the content tells. The old generation keeps its own."""
    entry = """
        from ._helper import TEXT
        def setup(pi):
            pi.register_command("say", lambda args, ctx: ctx.ui.notify(TEXT))
    """
    write(tmp_path, _helper="TEXT = 'a'")
    first = run(await load(tmp_path, generation=1, entry=entry))
    stamp = (tmp_path / "_helper.py").stat()
    (tmp_path / "_helper.py").write_text("TEXT = 'b'")
    os.utime(tmp_path / "_helper.py", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    second = run(await load(tmp_path, generation=2, entry=entry))
    for running in (second, first):
        await running.runner.run_command("say", "")
    assert second.person.notices == [("b", "info")]
    assert first.person.notices == [("a", "info")]


async def test_tracebacks_show_the_lines_of_the_newest_source(tmp_path: Path) -> None:
    """The cache of source lines is refreshed with the module."""
    source = "def setup(pi):\n    pi.register_command('go', lambda: {0})\n"
    await load(tmp_path, entry=source.format("1 / 0"))
    linecache.getline(str(tmp_path / "entry.py"), 2)
    running = run(await load(tmp_path, generation=1, entry=source.format("[][9]")))
    await running.runner.run_command("go", "")
    assert "lambda: [][9]" in running.errors[0].stack


async def test_an_ended_generation_is_garbage(tmp_path: Path) -> None:
    """Its modules are no longer listed, and nothing in pi holds them."""
    source = """
        from typing import Annotated
        def setup(pi):
            @pi.on("session_start")
            async def started(event, ctx): ctx.ui.notify("hi")
            @pi.tool
            async def greet(name: Annotated[str, "Whom"]) -> str:
                "Greet."
                return name
            @pi.command("hello")
            def hello(args, ctx): ...
    """
    result = await load(tmp_path, entry=source)
    name = result.extensions[0].package
    module = weakref.ref(sys.modules[name])
    running = run(result)
    await running.runner.start("startup")
    await running.execute("greet", {"name": "Ada"})
    assert running.person.notices == [("hi", "info")]
    running.runner.invalidate("reloaded")
    assert name not in sys.modules
    del running, result
    gc.collect()
    assert module() is None


async def test_a_late_import_of_an_old_generation_finds_the_old_one(tmp_path: Path) -> None:
    """Modules stay listed while a handler of theirs runs, and go when it returns."""
    source = """
        import asyncio
        def setup(pi):
            @pi.command("go")
            async def go(args, ctx):
                ui, answer = ctx.ui, asyncio.get_running_loop().create_future()
                pi_answers.append(answer)
                await answer
                from ._late import WHO
                answer_of.append(WHO)
        pi_answers, answer_of = [], []
    """
    write(tmp_path, _late="WHO = 'old'")
    result = await load(tmp_path, entry=source)
    name = result.extensions[0].package
    module = sys.modules[name]
    running = run(result)
    command = asyncio.create_task(running.runner.run_command("go", ""))
    await turns_until(lambda: module.pi_answers)
    running.runner.invalidate("reloaded")
    assert sys.modules[name] is module
    module.pi_answers[0].set_result(None)
    await command
    assert module.answer_of == ["old"]
    assert name not in sys.modules


BROKEN = {
    "def setup(pi:": "'(' was never closed ({name}.py, line 1)",
    "\n\nimport does_not_exist_anywhere": "No module named 'does_not_exist_anywhere' ({name}.py, line 3)",
    "import sys\nsys.exit(3)": "it called sys.exit while loading ({name}.py, line 2)",
    "def setup(pi):\n    raise RuntimeError('no luck')": "no luck ({name}.py, line 2)",
    "def setup(pi):\n    {}['x']": "KeyError: 'x' ({name}.py, line 2)",
    "from ._gone import x": "No module named '._gone' ({name}.py, line 1)",
    "async def setup(pi):\n    raise SystemExit": "it called sys.exit while loading ({name}.py, line 2)",
    "def setup(pi):\n    pi.on('tool_calls', print)": (
        'Unknown event "tool_calls". Did you mean "tool_call"? ({name}.py, line 2)'
    ),
}


@pytest.mark.parametrize("source", BROKEN)
async def test_a_broken_file_is_named_with_what_and_where(tmp_path: Path, source: str) -> None:
    """One that fails keeps no other from loading, and leaves no module behind."""
    before = set(sys.modules)
    result = await load(tmp_path, first=NOTHING, broken=source, last=NOTHING)
    path = tmp_path / "broken.py"
    wanted = BROKEN[source].replace("{name}", "broken")
    assert [error.message for error in result.errors] == [
        f"Failed to load extension {path}: {wanted}"
    ]
    assert [extension.name for extension in result.extensions] == ["first", "last"]
    assert not [name for name in set(sys.modules) - before if name.endswith("broken")]


async def test_a_file_without_setup_is_told_so(tmp_path: Path) -> None:
    """Missing, and not callable."""
    result = await load(tmp_path, missing="x = 1", number="setup = 1")
    assert [error.message for error in result.errors] == [
        f"Extension does not define a callable setup(pi): {tmp_path / name}"
        for name in ("missing.py", "number.py")
    ]


async def test_paths_that_cannot_be_extensions_get_one_clear_line(tmp_path: Path) -> None:
    """Nothing there, a folder, a file for the TypeScript pi."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "old.ts").write_text("export default function () {}")
    paths = [Path("gone.py"), Path("folder"), Path("old.ts")]
    result = await load_extensions(paths, cwd=tmp_path, generation=0)
    assert [(error.message, error.hint) for error in result.errors] == [
        (f"Extension path does not exist: {tmp_path}/gone.py", None),
        (
            f"Failed to load extension {tmp_path}/folder: it is a folder",
            "Name the file in it that has the setup function.",
        ),
        (
            f"Failed to load extension {tmp_path}/old.ts: it is written in TypeScript or JavaScript",
            "pi runs extensions in Python (.py).",
        ),
    ]


async def test_a_missing_module_says_how_to_get_it(tmp_path: Path) -> None:
    """A file beside the extension is imported with a dot; anything else is installed."""
    result = await load(tmp_path, _near="", near="import _near", far="import far_away.sub")
    assert [error.hint for error in result.errors[-2:]] == [
        "Import files beside the extension with a dot: from . import _near",
        f"Install the package that provides far_away: {sys.executable} -m pip install far_away",
    ]


async def test_the_users_interrupt_is_not_a_load_error(tmp_path: Path) -> None:
    """Ctrl+C while an extension loads ends pi."""
    with pytest.raises(KeyboardInterrupt):
        await load(tmp_path, entry="def setup(pi): raise KeyboardInterrupt")


async def test_a_failed_setup_is_discarded_with_everything_it_registered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The traceback is in the log; a `pi` that was kept says what happened."""
    keeper = """
        import builtins
        def setup(pi):
            @pi.tool
            def lost() -> str:
                "Lost."
                return ""
            builtins.kept_pi = pi
            raise RuntimeError("half way")
    """
    user = """
        import builtins
        def setup(pi):
            kept = builtins.kept_pi
            del builtins.kept_pi
            kept.register_command("late", lambda: None)
    """
    result = await load(tmp_path, keeper=keeper, user=user)
    assert result.extensions == ()
    assert result.errors[1].message.startswith(
        f"Failed to load extension {tmp_path}/user.py: Extension {tmp_path}/keeper.py failed to load"
    )
    assert 'raise RuntimeError("half way")' in caplog.text
