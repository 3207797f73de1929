"""All themes there are: those that come with pi, and theme files. Of several with one name the first counts.

The order is: what comes with pi, the files of `--theme`, the user's folder, the setting `themes`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from pi_agent.base.errors import PiError
from pi_agent.base.paths import AgentPaths
from pi_agent.resources.settings import SettingsStore
from pi_agent.resources.themes import THEME_NAMES, bundled_theme_file, theme_name_in
from pi_tui.frozen import frozen, slotted
from pi_tui.system_theme import SYSTEM_THEME


@frozen
class ThemeInfo:
    """A theme that can be chosen, and its file; `system` has none."""

    name: str
    path: Path | None = None


@slotted
class _Found:
    """What one look at the disk has brought."""

    files: dict[str, Path]
    problems: list[str]


class ThemeCatalog:
    """Looks for theme files when it is first asked for one that does not come with pi, and on `refresh`.

    `named` are files and folders of the command line. With `only_named` no others are looked for.
    """

    def __init__(
        self,
        paths: AgentPaths,
        settings: SettingsStore,
        *,
        named: Sequence[Path] = (),
        only_named: bool = False,
    ) -> None:
        self.folder = paths.themes_dir
        self._agent_dir = paths.agent_dir
        self._settings = settings
        self._named = tuple(named)
        self._only_named = only_named
        self._scanned: _Found | None = None

    @property
    def infos(self) -> list[ThemeInfo]:
        """All themes: `system` first, the others by name."""
        others = {name: bundled_theme_file(name) for name in THEME_NAMES if name != SYSTEM_THEME}
        others |= self._found.files
        return [
            ThemeInfo(SYSTEM_THEME),
            *(ThemeInfo(name, others[name]) for name in sorted(others)),
        ]

    @property
    def names(self) -> list[str]:
        """The names of all themes, in the same order."""
        return [info.name for info in self.infos]

    @property
    def own_names(self) -> list[str]:
        """The names of the themes that do not come with pi."""
        return sorted(self._found.files)

    @property
    def problems(self) -> list[str]:
        """A line for each file that is left out because its name is taken, and each path where there is nothing."""
        return list(self._found.problems)

    def refresh(self) -> None:
        """Look anew."""
        self._scanned = None

    def path(self, name: str) -> Path:
        """Return the file of a theme other than `system`; raises `PiError` if there is none."""
        if name in THEME_NAMES:
            return bundled_theme_file(name)
        if name not in self._found.files:
            self.refresh()
        path = self._found.files.get(name)
        if path is None:
            raise PiError(f'Theme "{name}" was not found.', f"There are: {', '.join(self.names)}.")
        return path

    @property
    def _found(self) -> _Found:
        if self._scanned is None:
            self._scanned = self._scan()
        return self._scanned

    def _scan(self) -> _Found:
        found = _Found({}, [])
        for path in self._files(found.problems):
            name = theme_name_in(path)
            left_out = f"Theme file {path} is left out:"
            if name in THEME_NAMES:
                found.problems.append(f'{left_out} a theme named "{name}" comes with pi.')
            elif name in found.files:
                winner = found.files[name]
                found.problems.append(f'{left_out} {winner} has the name "{name}", too.')
            else:
                found.files[name] = path
        return found

    def _files(self, problems: list[str]) -> Iterable[Path]:
        """Return all theme files in the order in which they count, each once."""
        files = list(_expanded(self._named, problems))
        if not self._only_named:
            files += self._discovered(problems)
        return dict.fromkeys(Path(os.path.abspath(path)) for path in files)

    def _discovered(self, problems: list[str]) -> Iterator[Path]:
        """Return the files of the user's folder and of the setting, without those that the setting leaves out."""
        listed = self._settings.get_list("themes") or []
        added = [self._agent_path(entry) for entry in listed if entry[:1] not in ("!", "+", "-")]
        own = [self.folder] if os.path.isdir(self.folder) else []
        for path in _expanded([*own, *added], problems):
            if self._is_wanted(path, listed):
                yield path

    def _is_wanted(self, path: Path, listed: Sequence[str]) -> bool:
        def is_named(sign: str) -> bool:
            return any(
                entry.startswith(sign) and self._agent_path(entry[1:]) == path for entry in listed
            )

        if is_named("-"):
            return False
        here = os.path.relpath(path, self._agent_dir)
        is_left_out = any(
            fnmatchcase(name, entry[1:])
            for entry in listed
            if entry.startswith("!")
            for name in (here, path.name)
        )
        return not is_left_out or is_named("+")

    def _agent_path(self, entry: str) -> Path:
        """Return the path of an entry of the settings, which begins at the folder of the settings."""
        return Path(os.path.abspath(self._agent_dir / os.path.expanduser(entry)))


def _expanded(paths: Iterable[Path], problems: list[str]) -> Iterator[Path]:
    """Return files as they are, and of folders the theme files in them. Pipes and devices would never end."""
    for path in paths:
        # Unlike the methods of `Path` these take what lies in a closed folder for missing.
        if os.path.isdir(path):
            yield from (file for file in sorted(path.glob("*.json")) if os.path.isfile(file))
        elif os.path.isfile(path):
            yield path
        else:
            problems.append(f"There are no themes at {path}: no such file or folder.")
