"""Pages read as a browser reads them: elements by an HTML parser of its own, and the data in them."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from pi_agent.resources.themes import load_bundled_theme
from pi_agent.session.export.html import export_html
from pi_agent.session.export.source import source_of_session
from pi_agent.session.store import SessionManager

DARK = load_bundled_theme("dark", color_mode="truecolor")


@dataclass
class Page(HTMLParser):
    """The elements of a page with their attributes, and the text in each kind."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        """Take what follows for the text of nothing."""
        self._open = ""

    def handle_data(self, data: str) -> None:
        """Note text, as that of the element it is in."""
        if self._open:
            self.texts[self._open][-1] += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def data(self) -> dict[str, Any]:
        """What is embedded."""
        found: dict[str, Any] = json.loads(base64.b64decode(self.texts["script"][0], validate=True))
        return found


def read_page(path: Path) -> Page:
    """Return the page in a file."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def page_of(session: SessionManager, folder: Path) -> Page:
    """Export a session, and return its page."""
    path = folder / "page.html"
    export_html(source_of_session(session), path, DARK)
    return read_page(path)
