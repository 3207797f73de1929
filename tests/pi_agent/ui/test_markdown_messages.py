"""Messages on the screen of the program are Markdown, while they arrive and when the window changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.messages.user import UserMessageView
from tests.pi_agent.ui.support import Program, interactive, script

pytestmark = pytest.mark.anyio

DARK = load_bundled_theme("dark", color_mode="truecolor")
ANSWER = """\
## Plan

1. Look at `main.py`
   - and its **tests**
2. See [the manual](https://example.org/manual)

| Step | State |
|---|---|
| one | done with 日本語 |

```py
x = 1
```
"""


def rows(program: Program) -> list[str]:
    return [line.strip() for line in program.pilot.lines()]


async def test_an_answer_has_its_lists_tables_and_code(tmp_path: Path) -> None:
    environ = script(tmp_path, {"thinking": "Let me *see*.", "text": ANSWER})
    async with interactive(tmp_path, "--model", "demo/script", rows=40, environ=environ) as program:
        program.say("+ one\n")
        await program.settled("x = 1")
        shown = rows(program)
        for row in ("+ one", "Let me see.", "Plan", "1. Look at main.py", "- and its tests"):
            assert row in shown
        assert "2. See the manual (https://example.org/manual)" in shown
        assert "│ one  │ done with 日本語 │" in shown
        assert shown.index("```py") == shown.index("x = 1") - 1


async def test_an_answer_that_is_still_arriving_fits_every_size(tmp_path: Path) -> None:
    step = {"text": ANSWER * 8, "tokensPerSecond": 2000}
    environ = script(tmp_path, step)
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        for columns, lines in ((20, 10), (40, 15), (100, 30), (7, 5), (80, 24)):
            seen = program.pilot.screen()
            program.pilot.resize(columns, lines)
            await program.pilot.wait_for(lambda seen=seen: program.pilot.screen() != seen)  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
        await program.settled("```")
        assert rows(program).count("x = 1") >= 1


async def test_links_are_links_where_the_terminal_shows_them(tmp_path: Path) -> None:
    environ = {**script(tmp_path, {"text": ANSWER}), "PI_HYPERLINKS": "1"}
    async with interactive(tmp_path, "--model", "demo/script", rows=40, environ=environ) as program:
        program.say("go")
        await program.settled("x = 1")
        assert "2. See the manual" in rows(program)
        assert "https://example.org/manual" in program.pilot.snapshot()


async def test_what_the_user_typed_keeps_its_marks(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo", rows=40) as program:
        program.pilot.paste('3. a\n7. b\n\n* c \\* "\\d"')
        program.pilot.press("enter")
        await program.settled("3. a")
        shown = rows(program)
        assert {"3. a", "7. b", '* c \\* "\\d"'} <= set(shown)
        assert {"4. b", '- c * "\\d"'} <= set(shown)  # the answer, in an answer's looks


async def test_of_a_huge_message_both_ends_are_shown_and_all_is_sent(tmp_path: Path) -> None:
    environ = script(tmp_path, {"text": "Noted."})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        pasted = "\n".join(f"line {number} of the log" for number in range(30_000))
        program.pilot.paste(pasted)
        program.pilot.type(" what is this?")
        program.pilot.press("enter")
        await program.settled("Noted.")
        assert "line 29999 of the log what is this?" in program.pilot.screen()
        document = program.app.screen.document.render(80)
        assert len(document) < 1200
        assert any("(28,900 lines here, sent but not shown)" in row for row in document)
    [session] = (tmp_path / "agent" / "sessions").rglob("*.jsonl")
    assert "line 20000 of the log" in session.read_text()


def test_of_a_message_only_what_is_named_is_left_out() -> None:
    for text in ("a\n" * 1050, "word " * 8500, "x" * 39_990 + "\nlast"):
        shown = UserMessageView(text, DARK).render(100)
        assert not any("not shown" in row for row in shown)
    [row] = [row for row in UserMessageView("w" * 90_000, DARK).render(100) if "not" in row]
    assert "(a part of a long line here, sent but not shown)" in row
