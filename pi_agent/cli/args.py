"""The command line: a table of flags, and the one function that reads arguments by it."""

from __future__ import annotations

import difflib
from collections import deque
from collections.abc import Sequence
from typing import Final, Literal

from pi_tui.frozen import frozen

MODES: Final = ("text", "json")
TUI_MODES: Final = ("fullscreen", "regular")
BUILT_IN_TOOLS: Final = ("read", "bash", "edit", "write")
THINKING_LEVELS: Final = ("off", "minimal", "low", "medium", "high", "xhigh", "max")

# How a flag takes its value: not at all; not at all, but the next word may be a message though it begins with
# `---`; the next word; the next word unless it begins with `-` or `@`; the next word, split at commas; the
# next word, added to those of earlier uses.
Kind = Literal["switch", "prompt", "text", "optional", "list", "repeated"]


@frozen
class Flag:
    """One flag: where its value goes in `Args`, its names, how it takes a value, and what help says of it."""

    field: str
    names: tuple[str, ...]
    kind: Kind
    group: str
    help: str
    value: str = ""


@frozen
class Args:
    """What the command line asks for. `list_models` is empty for all models; `tools` is as it was written."""

    print: bool = False
    mode: str | None = None
    provider: str | None = None
    model: str | None = None
    demo: bool = False
    local: bool = False
    models: tuple[str, ...] | None = None
    api_key: str | None = None
    thinking: str | None = None
    list_models: str | None = None
    continue_recent: bool = False
    resume: bool = False
    session: str | None = None
    fork: str | None = None
    session_id: str | None = None
    follow: str | None = None
    session_dir: str | None = None
    no_session: bool = False
    export: str | None = None
    name: str | None = None
    tools: tuple[str, ...] | None = None
    exclude_tools: tuple[str, ...] = ()
    no_tools: bool = False
    extensions: tuple[str, ...] = ()
    no_extensions: bool = False
    no_context_files: bool = False
    system_prompt: str | None = None
    append_system_prompt: tuple[str, ...] = ()
    use_theme: str | None = None
    themes: tuple[str, ...] = ()
    no_themes: bool = False
    tui_mode: str | None = None
    plain: bool = False
    approve: bool = False
    no_approve: bool = False
    help: bool = False
    version: bool = False
    files: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()


@frozen
class Parsed:
    """The arguments with what is wrong with them: an error ends the program, a warning does not."""

    args: Args
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


FLAGS: Final = (
    Flag(
        "print", ("-p", "--print"), "prompt", "Run", "Answer on stdout and exit, without a screen."
    ),
    Flag(
        "mode",
        ("--mode",),
        "text",
        "Run",
        "Form of the output: text, or json for every event.",
        "MODE",
    ),
    Flag(
        "model",
        ("--model",),
        "text",
        "Model",
        "Model: provider/id, an id, or a part of one.",
        "MODEL",
    ),
    Flag(
        "local",
        ("--local",),
        "switch",
        "Model",
        "The small built-in model: the same as --model local/smollm2.",
    ),
    Flag(
        "demo",
        ("--demo",),
        "switch",
        "Model",
        "Take the tour: a script plays the model, nothing is sent and nothing changed.",
    ),
    Flag(
        "provider",
        ("--provider",),
        "text",
        "Model",
        "Provider of the model that --model names.",
        "PROVIDER",
    ),
    Flag(
        "models",
        ("--models",),
        "list",
        "Model",
        "Models to switch between: ids, provider/*, each with :level or without.",
        "MODELS",
    ),
    Flag(
        "api_key",
        ("--api-key",),
        "text",
        "Model",
        "Key for that provider, for this run only.",
        "KEY",
    ),
    Flag(
        "thinking",
        ("--thinking",),
        "text",
        "Model",
        f"How long to think: {', '.join(THINKING_LEVELS)}.",
        "LEVEL",
    ),
    Flag(
        "list_models",
        ("--list-models",),
        "optional",
        "Model",
        "List the models that match, or all, and exit.",
        "SEARCH",
    ),
    Flag(
        "continue_recent",
        ("-c", "--continue"),
        "switch",
        "Session",
        "Go on with the latest session of this directory.",
    ),
    Flag("resume", ("-r", "--resume"), "switch", "Session", "Choose a session of this directory."),
    Flag(
        "session",
        ("--session",),
        "text",
        "Session",
        "Go on with a session: its file, its id, or the beginning of its id.",
        "SESSION",
    ),
    Flag(
        "fork",
        ("--fork",),
        "text",
        "Session",
        "Copy a session into this directory, and go on with the copy: its file or its id.",
        "SESSION",
    ),
    Flag(
        "session_id",
        ("--session-id",),
        "text",
        "Session",
        "Go on with the session of this id, or begin one that has it.",
        "ID",
    ),
    Flag(
        "follow",
        ("--follow",),
        "text",
        "Session",
        "Watch a session that is open elsewhere, named as for --session. Nothing is written.",
        "SESSION",
    ),
    Flag(
        "session_dir",
        ("--session-dir",),
        "text",
        "Session",
        "Keep all sessions in this folder.",
        "FOLDER",
    ),
    Flag("name", ("-n", "--name"), "text", "Session", "Name the session.", "NAME"),
    Flag("no_session", ("--no-session",), "switch", "Session", "Keep nothing on disk."),
    Flag(
        "export",
        ("--export",),
        "text",
        "Session",
        "Write a session as a page, into the file that follows if there is one; print its path and exit.",
        "SESSION",
    ),
    Flag(
        "tools",
        ("-t", "--tools"),
        "list",
        "Tools",
        "Only these tools (read,ba*), or a change of the default ones (-bash).",
        "TOOLS",
    ),
    Flag(
        "exclude_tools",
        ("-xt", "--exclude-tools"),
        "list",
        "Tools",
        "None of these tools; patterns may be used.",
        "TOOLS",
    ),
    Flag("no_tools", ("-nt", "--no-tools"), "switch", "Tools", "No tools at all."),
    Flag(
        "extensions",
        ("-e", "--extension"),
        "repeated",
        "Extensions and prompt",
        "Load an extension: a file, or builtin:NAME. May be given several times.",
        "PATH",
    ),
    Flag(
        "no_extensions",
        ("-ne", "--no-extensions"),
        "switch",
        "Extensions and prompt",
        "Load only extensions named with -e, none that ship with pi.",
    ),
    Flag(
        "system_prompt",
        ("--system-prompt",),
        "text",
        "Extensions and prompt",
        "Use this text, or the text of this file, as the system prompt.",
        "TEXT",
    ),
    Flag(
        "append_system_prompt",
        ("--append-system-prompt",),
        "repeated",
        "Extensions and prompt",
        "Add this text, or the text of this file, to the system prompt. May be given several times.",
        "TEXT",
    ),
    Flag(
        "no_context_files",
        ("-nc", "--no-context-files"),
        "switch",
        "Extensions and prompt",
        "Do not read AGENTS.md, CLAUDE.md and the like.",
    ),
    Flag(
        "use_theme",
        ("--use-theme",),
        "text",
        "Screen",
        "Colors for this run: system, light, dark, light/dark, or a theme of your own.",
        "THEME",
    ),
    Flag(
        "themes",
        ("--theme",),
        "repeated",
        "Screen",
        "Have the theme of a file, or those of a folder, to choose from. May be given several times.",
        "PATH",
    ),
    Flag(
        "no_themes",
        ("--no-themes",),
        "switch",
        "Screen",
        "Only themes named with --theme, besides those that come with pi.",
    ),
    Flag(
        "tui_mode",
        ("--tui-mode",),
        "text",
        "Screen",
        f"Screen: {' or '.join(TUI_MODES)} (the terminal's own scrollback).",
        "SCREEN",
    ),
    Flag(
        "plain",
        ("--plain",),
        "switch",
        "Screen",
        "For screen readers: text that is only added to, without lines, boxes and spinners.",
    ),
    Flag(
        "approve",
        ("-a", "--approve"),
        "switch",
        "Project",
        "Trust this project in this run. Nothing is read from its .pi folder yet: it changes nothing.",
    ),
    Flag(
        "no_approve",
        ("-na", "--no-approve"),
        "switch",
        "Project",
        "Do not trust this project in this run.",
    ),
    Flag("help", ("-h", "--help"), "switch", "About", "Show this text and exit."),
    Flag("version", ("-v", "--version"), "switch", "About", "Show the version and exit."),
)

# Switches that stand for a model.
MODEL_SWITCHES: Final = {"demo": "demo/tour", "local": "local/smollm2"}

# What goes on with a session, or says something in it.
_WRITING: Final = (
    "print",
    "mode",
    "session",
    "session_id",
    "continue_recent",
    "resume",
    "no_session",
    "name",
)
CONFLICTS: Final = (
    ("plain", "tui_mode"),
    ("demo", "local"),
    ("local", "model"),
    ("local", "provider"),
    ("demo", "model"),
    ("demo", "provider"),
    *(
        ("export", field)
        for field in ("print", "mode", "list_models", "session", "session_id", "continue_recent")
    ),
    ("export", "resume"),
    ("session", "continue_recent"),
    ("session", "resume"),
    ("resume", "continue_recent"),
    ("fork", "session"),
    ("fork", "continue_recent"),
    ("fork", "resume"),
    ("fork", "no_session"),
    ("session_id", "session"),
    ("session_id", "continue_recent"),
    ("session_id", "resume"),
    ("approve", "no_approve"),
    ("no_session", "session"),
    ("no_session", "continue_recent"),
    ("no_session", "resume"),
    *(("follow", other) for other in _WRITING),
)
# A flag, and those of which it needs one.
NEEDS: Final = (("provider", ("model",)), ("api_key", ("model", "models")))

_FLAG_OF_NAME: Final = {name: flag for flag in FLAGS for name in flag.names}
_LONG_NAME_OF_FIELD: Final = {flag.field: flag.names[-1] for flag in FLAGS}

_Value = str | bool | tuple[str, ...]


def parse_args(words: Sequence[str]) -> Parsed:
    """Read a command line, without the program's name. Everything that is wrong is reported at once."""
    reader = _Reader(words)
    reader.read()
    return _checked(reader)


class _Reader:
    """Takes words from the front and sorts them."""

    def __init__(self, words: Sequence[str]) -> None:
        self.values: dict[str, _Value] = {}
        self.files: list[str] = []
        self.messages: list[str] = []
        self.errors: list[str] = []
        self._words = deque(words)

    def read(self) -> None:
        """Take all words."""
        while self._words:
            word = self._words.popleft()
            if word == "--":
                break
            if word.startswith("-"):
                self._take_flag(word)
            else:
                self._take_plain(word)
        while self._words:
            self._take_plain(self._words.popleft())

    def _take_plain(self, word: str) -> None:
        if word.startswith("@") and len(word) > 1:
            self.files.append(word[1:])
        else:
            self.messages.append(word)

    def _take_flag(self, word: str) -> None:
        name, separator, value = word.partition("=") if word.startswith("--") else (word, "", "")
        flag = _FLAG_OF_NAME.get(name)
        if flag is None:
            self.errors.append(_unknown(name))
        elif flag.kind in ("switch", "prompt"):
            self._turn_on(flag, name, has_value=bool(separator))
        elif separator:
            self._put(flag, value)
        elif self._has_value(flag):
            self._put(flag, self._words.popleft())
        elif flag.kind == "optional":
            self._put(flag, "")
        else:
            self.errors.append(f"{name} requires a value")

    def _turn_on(self, flag: Flag, name: str, *, has_value: bool) -> None:
        if has_value:
            self.errors.append(f"{name} takes no value")
        self.values[flag.field] = True
        if flag.kind == "prompt" and self._words and self._words[0].startswith("---"):
            self.messages.append(self._words.popleft())

    def _has_value(self, flag: Flag) -> bool:
        if not self._words:
            return False
        word = self._words[0]
        if flag.kind == "optional":
            return not word.startswith(("-", "@"))
        # A dash may begin a value ("-bash", "- be brief"); the name of a flag does not.
        return word != "--" and word.partition("=")[0] not in _FLAG_OF_NAME

    def _put(self, flag: Flag, value: str) -> None:
        if flag.kind == "list":
            self.values[flag.field] = tuple(
                part.strip() for part in value.split(",") if part.strip()
            )
        elif flag.kind == "repeated":
            earlier = self.values.get(flag.field, ())
            self.values[flag.field] = (*(earlier if isinstance(earlier, tuple) else ()), value)
        else:
            self.values[flag.field] = value


def _checked(reader: _Reader) -> Parsed:
    values, errors = dict(reader.values), list(reader.errors)
    warnings: list[str] = []
    for one, other in CONFLICTS:
        if one in values and other in values:
            errors.append(f"{_long(one)} cannot be combined with {_long(other)}")
    for one, others in NEEDS:
        if one in values and not any(other in values for other in others):
            errors.append(f"{_long(one)} needs {' or '.join(map(_long, others))}")
    if (mode := values.get("mode", MODES[0])) not in MODES:
        errors.append(f"Unknown mode: {mode} (available: {', '.join(MODES)})")
    if (screen := values.get("tui_mode", TUI_MODES[0])) not in TUI_MODES:
        errors.append(f"Unknown screen mode: {screen} (available: {', '.join(TUI_MODES)})")
    if "export" in values and (len(reader.messages) > 1 or reader.files):
        errors.append("--export takes a session and the file to write")
    if "name" in values and not str(values["name"]).strip():
        errors.append("--name requires a name that is not empty")
    if _mixes_names_and_changes(values.get("tools")):
        errors.append("--tools takes names, or changes of the default (+name, -name), not both")
    if (level := values.get("thinking", THINKING_LEVELS[0])) not in THINKING_LEVELS:
        warnings.append(
            f"Unknown thinking level: {level} (available: {', '.join(THINKING_LEVELS)})."
            " It is ignored."
        )
        del values["thinking"]
    values |= {"files": tuple(reader.files), "messages": tuple(reader.messages)}
    args = Args(**values)  # type: ignore[arg-type]  # the kind of a flag fits its field; a test sees to it
    return Parsed(args, tuple(errors), tuple(warnings))


def _mixes_names_and_changes(tools: _Value | None) -> bool:
    if not isinstance(tools, tuple):
        return False
    changes = sum(name.startswith(("+", "-")) for name in tools)
    return 0 < changes < len(tools)


def _long(field: str) -> str:
    return _LONG_NAME_OF_FIELD[field]


def _unknown(name: str) -> str:
    close = difflib.get_close_matches(name, _FLAG_OF_NAME, n=2, cutoff=0.75)
    hint = f" (did you mean {' or '.join(close)}?)" if close else ""
    return f"Unknown option: {name}{hint}"
