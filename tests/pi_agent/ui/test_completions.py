"""Providers of extensions around pi's own: who answers, and what becomes of those that do it wrong."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pi_agent.extensions.guard import ExtensionError, FailureReports
from pi_agent.extensions.owner import Owner
from pi_agent.ui.argument_completion import complete_argument
from pi_agent.ui.completions import Completions
from pi_tui.abort import AbortController
from pi_tui.autocomplete import (
    AutocompleteItem,
    AutocompleteProvider,
    CommandAutocompleteProvider,
    Completion,
    SlashCommand,
    Suggestions,
    trigger_characters_of,
)
from tests.pi_agent.ui.support import interactive

pytestmark = pytest.mark.anyio


class _Extension:
    """A provider that answers what a test wants it to, to words that begin with `mark`."""

    def __init__(
        self, current: AutocompleteProvider, mark: str, answer: Callable[[], object]
    ) -> None:
        self.trigger_characters: object = [mark]
        self.applied: Callable[[], object] = lambda: Completion(["applied"], 0, 7)
        self._current = current
        self._mark = mark
        self._answer = answer

    async def get_suggestions(self, lines, line, col, *, signal, force=False):  # type: ignore[no-untyped-def]  # as extensions may be written
        if not lines[line].startswith(self._mark):
            return await self._current.get_suggestions(lines, line, col, signal=signal, force=force)
        answer = self._answer()
        return await answer if isinstance(answer, Awaitable) else answer

    def apply_completion(self, lines, line, col, item, prefix):  # type: ignore[no-untyped-def]  # as extensions may be written
        if lines[line].startswith(self._mark):
            return self.applied()
        return self._current.apply_completion(lines, line, col, item, prefix)


class _Stage:
    """The providers, with pi's own at the bottom, and what was reported."""

    def __init__(self) -> None:
        self.completions = Completions(patience=0.01)
        self.completions.built_in = CommandAutocompleteProvider([SlashCommand("help")])
        self.made: list[_Extension] = []
        self.reports: list[str] = []
        self.endings: dict[str, AbortController] = {}

    def add(self, name: str, mark: str, answer: Callable[[], object]) -> None:
        self.completions.add(self.owner(name), lambda current: self._make(current, mark, answer))

    def owner(self, name: str) -> Owner:
        ending = self.endings.setdefault(name, AbortController())
        return Owner(name, f"{name}.py", ending.signal, FailureReports(self._report))

    def triggers(self) -> list[str]:
        return sorted(trigger_characters_of(self.completions.provider))

    async def ask(self, text: str) -> list[str] | None:
        found = await self.completions.provider.get_suggestions(
            [text], 0, len(text), signal=AbortController().signal
        )
        return None if found is None else [item.value for item in found.items]

    def _make(
        self, current: AutocompleteProvider, mark: str, answer: Callable[[], object]
    ) -> _Extension:
        self.made.append(_Extension(current, mark, answer))
        return self.made[-1]

    def _report(self, error: ExtensionError) -> None:
        self.reports.append(f"{error.extension_path} {error.place}: {error.error}")


def _offer(value: str, prefix: str) -> Suggestions:
    return Suggestions([AutocompleteItem(value, value)], prefix)


async def test_the_newest_is_asked_first_and_pis_own_last() -> None:
    stage = _Stage()
    stage.add("one", "$", lambda: _offer("first", "$"))
    stage.add("two", "%", lambda: _offer("second", "%"))
    assert await stage.ask("$") == ["first"]
    assert await stage.ask("%") == ["second"]
    assert await stage.ask("/h") == ["help"]
    assert stage.triggers() == ["#", "$", "%", "@"]
    item = AutocompleteItem("help", "help")
    assert stage.completions.provider.apply_completion(["/h"], 0, 2, item, "/h").lines == ["/help "]
    assert stage.completions.provider.apply_completion(["$"], 0, 1, item, "$").lines == ["applied"]


async def test_one_that_goes_leaves_those_around_it() -> None:
    stage = _Stage()
    stage.add("one", "$", lambda: _offer("first", "$"))
    stage.add("two", "%", lambda: _offer("second", "%"))
    stage.endings["one"].abort("reload")
    assert await stage.ask("$") is None
    assert await stage.ask("%") == ["second"]
    assert await stage.ask("/h") == ["help"]
    stage.endings["two"].abort("reload")
    assert stage.triggers() == ["#", "@"]
    assert await stage.ask("/h") == ["help"]


def _raise() -> object:
    raise RuntimeError("no network")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (_raise, "no network"),
        (lambda: asyncio.Event().wait(), "get_suggestions gave no answer within 0.01 seconds"),
        (lambda: ["x"], "get_suggestions returned list, not Suggestions or None"),
        (lambda: _offer("x", "other"), "the prefix 'other', which is not before the cursor"),
        (lambda: Suggestions(["x"], "/h"), "get_suggestions returned 'x', which is no"),  # type: ignore[list-item]  # what is wrong about it
        (lambda: _offer(5, "/h"), "which is no AutocompleteItem"),  # type: ignore[arg-type]  # what is wrong about it
    ],
)
async def test_for_one_that_fails_the_one_below_answers_and_it_is_told_once(
    answer: Callable[[], object], said: str
) -> None:
    stage = _Stage()
    stage.add("one", "/", answer)
    for _ in range(2):
        assert await stage.ask("/h") == ["help"]
    (report,) = stage.reports
    assert report.startswith("one.py autocomplete: ")
    assert said in report


@pytest.mark.parametrize(
    ("applied", "said"),
    [
        (_raise, "no network"),
        (lambda: "text", "apply_completion returned str, not lines, line and column"),
        (lambda: ([], 0, 0), "apply_completion returned tuple"),
        (lambda: ([5], 0, 0), "apply_completion returned tuple"),
    ],
)
async def test_a_choice_that_it_fails_to_apply_is_applied_by_the_one_below(
    applied: Callable[[], object], said: str
) -> None:
    stage = _Stage()
    stage.add("one", "/", lambda: None)
    stage.made[0].applied = applied
    item = AutocompleteItem("help", "help")
    done = stage.completions.provider.apply_completion(["/h"], 0, 2, item, "/h")
    assert done == Completion(["/help "], 0, 6)
    assert said in stage.reports[0]


async def test_what_is_no_provider_is_not_asked() -> None:
    stage = _Stage()
    stage.completions.add(stage.owner("one"), lambda current: 5)  # type: ignore[arg-type, return-value]  # what is wrong about it
    assert stage.reports == [
        "one.py autocomplete: the factory returned int, which has no get_suggestions"
    ]
    stage.add("two", "$", lambda: None)
    stage.made[0].trigger_characters = 5
    assert stage.triggers() == ["#", "@"]
    assert "trigger_characters should be a list of texts, got 5" in stage.reports[1]
    assert await stage.ask("/h") == ["help"]


async def test_one_that_waits_for_what_was_given_up_is_not_told() -> None:
    stage = _Stage()
    controller = AbortController()

    def give_up() -> object:
        controller.abort("the text has changed")
        raise RuntimeError("given up")

    stage.add("one", "/", give_up)
    found = await stage.completions.provider.get_suggestions(["/h"], 0, 2, signal=controller.signal)
    assert found is None


EXTENSION = """
from pi_tui import AutocompleteItem, Suggestions

class Issues:
    trigger_characters = ["!"]

    def __init__(self, current):
        self.current = current

    async def get_suggestions(self, lines, line, col, *, signal, force=False):
        word = lines[line][:col].rpartition(" ")[2]
        if word == "#9":
            raise RuntimeError("no such issue")
        if not word.startswith("#"):
            return await self.current.get_suggestions(lines, line, col, signal=signal, force=force)
        names = [name for name in ("#12", "#17") if name.startswith(word)]
        return Suggestions([AutocompleteItem(n, n, "about " + n) for n in names], word)

    def apply_completion(self, lines, line, col, item, prefix):
        return self.current.apply_completion(lines, line, col, item, prefix)

def setup(pi):
    pi.on("session_start", lambda event, ctx: ctx.ui.add_autocomplete_provider(Issues))
"""


OFFERS = """
import asyncio
from pi_tui import AutocompleteItem

async def later(typed):
    await asyncio.sleep(0)
    return [AutocompleteItem(n, n) for n in ("staging", "production") if n.startswith(typed)]

def broken(typed):
    raise RuntimeError("no list")

def setup(pi):
    pi.register_command("deploy", lambda args, ctx: None, get_argument_completions=later)
    pi.command("broken", get_argument_completions=broken)(lambda args, ctx: None)
    pi.command("odd", get_argument_completions=lambda: ["x"])(lambda args, ctx: None)
    pi.command("none", get_argument_completions=lambda typed: None)(lambda args, ctx: None)
"""


async def test_a_command_offers_its_arguments(tmp_path: Path) -> None:
    file = tmp_path / "offers.py"
    file.write_text(OFFERS)
    async with interactive(tmp_path, "-e", str(file), "--model", "demo/echo") as program:
        pilot, composer = program.pilot, program.app.composer
        pilot.type("/deploy p")
        await pilot.wait_for("→ production")
        pilot.press("enter")
        assert composer.get_text() == "/deploy production"
        for name, said in (
            ("broken", "failed in completing /broken: no list"),
            ("odd", "get_argument_completions returned ['x'], not a list of AutocompleteItem"),
        ):
            composer.set_text("")
            pilot.type(f"/{name} x")
            await program.told(said)
        composer.set_text("")
        pilot.type("/none x")
        assert not composer.is_showing_autocomplete()


async def test_arguments_that_do_not_come_are_told() -> None:
    stage = _Stage()
    complete = complete_argument(
        "slow", lambda typed: asyncio.Event().wait(), stage.owner("one"), 0.01
    )
    assert complete is not None
    assert await complete("x") == ()
    assert stage.reports == [
        "one.py completing /slow: get_argument_completions gave no answer within 0.01 seconds"
    ]


async def test_an_extension_suggests_in_the_editor_until_it_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "issues.py"
    file.write_text(textwrap.dedent(EXTENSION))
    async with interactive(tmp_path, "-e", str(file), "--model", "demo/echo") as program:
        pilot, composer = program.pilot, program.app.composer
        pilot.type("see #1")
        await pilot.wait_for("→ #12")
        pilot.press("down", "tab")
        assert composer.get_text() == "see #17"
        composer.set_text("")
        pilot.type("/hel")
        await pilot.wait_for("→ help")
        composer.set_text("")
        pilot.type("#9")
        await program.told("failed in autocomplete: no such issue")
        composer.set_text("")
        file.write_text("def setup(pi): pass\n")
        program.say("/reload")
        provider = program.app.screen.completions.provider
        await pilot.wait_for(lambda: "!" not in trigger_characters_of(provider))
