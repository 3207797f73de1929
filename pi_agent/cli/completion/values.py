"""What values of options may be, by what help calls them. Nobody on the network is asked.

What a value needs to be known is imported when it is asked for: a key press waits for it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from pi_agent.cli.args import BUILT_IN_TOOLS, MODES, THINKING_LEVELS, TUI_MODES
from pi_tui.frozen import frozen

_MOST_FILES: Final = 500
_MOST_SESSIONS: Final = 20
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]+")


@frozen
class Suggestion:
    """One word, and what is told of it. A word that begins with a colon is an order to the script."""

    value: str
    help: str = ""

    @property
    def is_order(self) -> bool:
        """Whether it tells the script to complete files or folders as the shell does."""
        return self in (FILES, FOLDERS)

    def line(self) -> str:
        """Return it as the scripts read it: the word, a tab, the rest."""
        return f"{self.value}\t{_CONTROL.sub(' ', self.help)}"


FILES: Final = Suggestion(":files")
FOLDERS: Final = Suggestion(":folders")

_Values = Callable[[str, Mapping[str, str]], Iterable[Suggestion]]


def attached_files(word: str) -> Iterator[Suggestion]:
    """Return `@file` words that go on from `word`; folders end in a slash."""
    path = re.sub(r"\\(.)", r"\1", word.lstrip("\"'"))
    if not path.startswith("@"):
        return
    folder, name = os.path.split(path[1:])
    try:
        entries = sorted(os.scandir(os.path.expanduser(folder) or "."), key=lambda each: each.name)
    except OSError:
        return
    fitting = [each for each in entries if _fits(each.name, name)]
    for entry in fitting[:_MOST_FILES]:
        slash = "/" if entry.is_dir() else ""
        yield Suggestion(f"@{os.path.join(folder, entry.name)}{slash}")


def _fits(name: str, begin: str) -> bool:
    is_hidden = name.startswith(".") and not begin.startswith(".")
    return name.startswith(begin) and not is_hidden and name.isprintable()


def _of(*words: str) -> _Values:
    return lambda word, environ: [Suggestion(each) for each in words]


def _orders(order: Suggestion) -> _Values:
    return lambda word, environ: [order]


def _models(word: str, environ: Mapping[str, str]) -> Iterator[Suggestion]:
    """Return the models that are known without asking, and the beginnings of all others."""
    from pi_agent.base.paths import AgentPaths
    from pi_agent.cli.known_providers import read_providers
    from pi_agent.llm.key_status import key_status

    model, colon, _ = word.rpartition(":")
    for provider in read_providers(AgentPaths.from_environment(environ).agent_dir, environ):
        if not key_status(provider, environ).is_usable:
            continue
        if provider.lists_models:
            yield Suggestion(f"{provider.id}/", f"any model of {provider.name}")
        for each in provider.models:
            yield Suggestion(each.reference, each.name)
            if colon and model == each.reference:
                yield from (Suggestion(f"{model}:{level}", each.name) for level in THINKING_LEVELS)


def _providers(word: str, environ: Mapping[str, str]) -> Iterator[Suggestion]:
    from pi_agent.base.paths import AgentPaths
    from pi_agent.cli.known_providers import read_providers

    for provider in read_providers(AgentPaths.from_environment(environ).agent_dir, environ):
        yield Suggestion(provider.id, provider.name)


def _sessions(word: str, environ: Mapping[str, str]) -> Iterator[Suggestion]:
    from pi_agent.cli.start import find_settings
    from pi_agent.session.catalog import SessionCatalog

    cwd = Path.cwd()
    paths, _ = find_settings(environ)
    shown, _ = SessionCatalog(paths.sessions_of(cwd), cwd).newest(_MOST_SESSIONS)
    for info in shown:
        yield Suggestion(info.header.id, info.title)


def _session_or_file(word: str, environ: Mapping[str, str]) -> Iterable[Suggestion]:
    return [FILES] if "/" in word or word.startswith((".", "~")) else _sessions(word, environ)


def _themes(word: str, environ: Mapping[str, str]) -> Iterator[Suggestion]:
    from pi_agent.cli.start import find_settings
    from pi_agent.resources.theme_catalog import ThemeCatalog

    for name in (*ThemeCatalog(*find_settings(environ)).names, "light/dark"):
        yield Suggestion(name)


def _listed(values: _Values) -> _Values:
    """Return values for a list with commas: each continues the list so far, which it is not in yet."""

    def found(word: str, environ: Mapping[str, str]) -> Iterator[Suggestion]:
        begin, comma, last = word.rpartition(",")
        sign = last[:1] if last[:1] in ("+", "-") else ""
        before = begin.split(",")
        for each in values(last, environ):
            if sign + each.value not in before:
                yield Suggestion(f"{begin}{comma}{sign}{each.value}", each.help)

    return found


# Every label that a table of flags, options or arguments uses.
VALUES: Final[Mapping[str, _Values]] = {
    "FOLDER": _orders(FOLDERS),
    "ID": _sessions,
    "KEY": _of(),
    "LEVEL": _of(*THINKING_LEVELS),
    "MODE": _of(*MODES),
    "MODEL": _models,
    "MODELS": _listed(_models),
    "NAME": _of(),
    "PATH": _orders(FILES),
    "PROVIDER": _providers,
    "SCREEN": _of(*TUI_MODES),
    "SEARCH": _providers,
    "SESSION": _session_or_file,
    "TEXT": _orders(FILES),
    "THEME": _themes,
    "TOOLS": _listed(_of(*BUILT_IN_TOOLS)),
    "WORD": _of(),
}
