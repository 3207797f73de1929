"""The page in a real browser: what a reader does with it, and that nothing in a session runs or loads anything."""

from __future__ import annotations

import json
from pathlib import Path

from pi_agent.llm.messages import (
    AssistantMessage,
    ImageContent,
    SystemMessage,
    TextContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from pi_agent.session.export.html import export_html
from pi_agent.session.export.source import source_of_file
from pi_tui.colors import color_to_rgb
from tests.chromium import Chromium, chromium
from tests.pi_agent.session.export.pages import DARK
from tests.pi_agent.session.grown import answered, begun, said

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
HOSTILE = (
    "</script><script>window.ran = 1; document.title = 'ran'</script><img src=x onerror='window.ran = 1'>"
    " <svg onload='window.ran = 1'> [link](javascript:window.ran=1) ![p](https://evil.example/p.png)"
    " ![q](data:image/svg+xml,<svg/onload=1>) <style>@import 'https://evil.example/s.css'</style>"
    " <iframe src=https://evil.example> \u202eevil \x1b]0;ran\x07"
)


DAMAGED = '{"role":"system","sections":"none","toolsAdded":7,"content":[null,7,{"type":"text"}]}'


def a_session(folder: Path) -> tuple[Path, dict[str, str]]:
    """Make one with two branches, a call, pictures, and hostile text wherever text can be."""
    session = begun(folder)
    ids: dict[str, str] = {}
    picture = ImageContent(data=PIXEL, mime_type="image/png")
    hostile_picture = ImageContent(data='x" onerror="window.ran=1', mime_type="image/svg+xml")
    ids["question"] = session.append_message(
        UserMessage(content=[TextContent(text="What is **this**?"), picture, hostile_picture])
    ).id
    call = ToolCall(id="c", name="bash", arguments={"command": "ls 'quoted'"})
    other = ToolCall(id="d", name=HOSTILE, arguments={HOSTILE: HOSTILE, "__proto__": {"x": 1}})
    session.append_message(AssistantMessage(content=[TextContent(text="I look."), call, other]))
    output = TextContent(text="one.py\n\x1b[32mtwo.py\x1b[0m\n" + "x" * 20_000)
    ids["result"] = session.append_message(
        ToolResultMessage(tool_call_id="c", tool_name="bash", content=[output])
    ).id
    session.append_message(
        ToolResultMessage(tool_call_id="d", tool_name=HOSTILE, content=[TextContent(text=HOSTILE)])
    )
    fork = session.append_message(answered("These are two files.")).id
    session.append_message(said("left behind"))
    ids["left"] = session.append_message(answered("on the other branch")).id
    session.branch(fork)
    session.append_message(said(HOSTILE))
    session.append_message(answered(HOSTILE))
    session.append_label(ids["question"], HOSTILE)
    session.append_custom_message(HOSTILE, HOSTILE)
    session.append_compaction(HOSTILE, first_kept_entry_id=fork, tokens_before=9)
    damaged = session.append_message(SystemMessage(content="x")).raw
    session.append_session_info(HOSTILE)
    session.close()
    file = session.get_session_file()
    assert file is not None
    damage = file.read_text().replace(
        json.dumps(damaged["message"], separators=(",", ":")), DAMAGED
    )
    file.write_text(damage)
    return file, ids


def rows(page: Chromium) -> list[str]:
    """Return what the tree shows."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('#pi-tree a')].map((row) => row.textContent)"
    )
    return found


def test_a_reader_opens_searches_and_follows_and_nothing_else_happens(tmp_path: Path) -> None:
    session_file, ids = a_session(tmp_path)
    file = tmp_path / "page.html"
    export_html(source_of_file(session_file), file, DARK)
    address = file.as_uri()
    with chromium(tmp_path / "profile") as page:
        page.resize(1200, 800)
        page.open(address)
        assert page.evaluate("document.querySelector('article.user strong').textContent") == "this"
        assert page.evaluate("document.querySelector('article.user img').naturalWidth") == 1

        # What is damaged costs its own place.
        page.wait_for("document.getElementById('pi-flow').textContent.includes('evil')")
        page.press("e")
        page.wait_for(
            "document.querySelector('details.system .note')?.textContent.includes('is damaged')"
        )
        page.press("e")

        # A call opens with a click, and has its colors.
        closed = f"document.getElementById('{ids['result']}')"
        assert not page.evaluate(f"{closed}.open")
        page.click("details.call summary")
        page.wait_for(f"{closed}.open && {closed}.querySelector('.body')")
        assert "two.py" in page.evaluate(f"{closed}.textContent")
        green = f"[...{closed}.querySelectorAll('span')].find((e) => e.textContent === 'two.py')"
        color = f"getComputedStyle({green}).color"
        assert page.evaluate(color) == rgb(color_to_rgb(DARK.colors["success"]))

        # The tree: filters by click, search by keys.
        assert any("left behind" in row for row in rows(page))
        assert any("[bash: ls 'quoted']" in row for row in rows(page))
        page.click("[data-filter='no-tools']")
        page.wait_for('document.querySelector(\'[data-filter="no-tools"][aria-pressed="true"]\')')
        assert not any("[bash" in row for row in rows(page))
        page.press("/")
        page.type("other branch")
        assert [row for row in rows(page) if "on the other branch" in row] == rows(page) != []

        # Enter goes to the other branch; a link does, too.
        page.press("Enter")
        page.wait_for(
            "document.querySelector('.target')?.textContent.includes('on the other branch')"
        )
        assert not page.evaluate(
            "document.getElementById('pi-flow').textContent.includes('Compacted')"
        )
        page.open("about:blank#")
        page.open(f"{address}#{ids['left']}")
        page.wait_for(f"document.querySelector('.target')?.id === '{ids['left']}'")

        # On a narrow screen the tree comes over the text and goes away again; nothing is wider than the screen.
        page.resize(400, 800)
        page.open(f"{address}#{ids['question']}")
        page.wait_for("innerWidth === 400")
        page.evaluate("setExpanded(true)")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.click("#pi-menu")
        page.wait_for(
            "getComputedStyle(document.getElementById('pi-sidebar')).visibility === 'visible'"
        )
        page.press("Escape")
        page.wait_for(
            "getComputedStyle(document.getElementById('pi-sidebar')).visibility === 'hidden'"
        )

        # Through all of that nothing of the session ran, and nothing was asked for but the page and its picture.
        assert page.evaluate("document.title").startswith("</script><script>window.ran")
        assert page.evaluate("typeof window.ran") == "undefined"
        assert page.evaluate("document.scripts.length") == 2
        assert (
            page.evaluate("document.querySelectorAll('iframe, svg, object, #pi-main style').length")
            == 0
        )
        hrefs = page.evaluate("[...document.links].map((link) => link.protocol)")
        assert set(hrefs) <= {"file:", "https:"}
        assert page.complaints == []
        assert {request.partition("#")[0] for request in page.requests} == {
            address,
            f"data:image/png;base64,{PIXEL}",
        }


def rgb(channels: tuple[float, ...]) -> str:
    """Return a color as the browser tells it."""
    return f"rgb({', '.join(str(round(each)) for each in channels)})"
