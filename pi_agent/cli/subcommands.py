"""Sub-commands: a table of them, and the first word of the command line that chooses one.

Only exactly that word does: `pi "doctor who"` is a message, and so is all behind `pi --`.
What a sub-command takes is data, from which its help, the checks of its words and shell completion are made.
"""

from __future__ import annotations

import difflib
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final

from pi_agent.base.errors import PiError
from pi_tui.frozen import frozen


@frozen
class Option:
    """One option of a sub-command. `value` is what help calls its value; a switch has none."""

    name: str
    help: str
    value: str = ""


@frozen
class Verb:
    """One thing that a sub-command does.

    An argument in brackets, like `[SEARCH]`, may be left out; behind `...` it may be there more than once.
    """

    name: str
    help: str
    arguments: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()


@frozen
class Subcommand:
    """One row: a name, what help says of it, and the module whose `run(words, environ)` does it.

    `run` gets the words behind the name, which fit the row, and returns the exit status.
    """

    name: str
    help: str
    module: str
    arguments: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    verbs: tuple[Verb, ...] = ()
    needs_verb: bool = True


@frozen
class SubcommandWords:
    """Words, sorted. A switch that is on is an option with an empty text; `verb` is empty when there is none."""

    verb: str = ""
    arguments: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)


SUBCOMMANDS: Final[tuple[Subcommand, ...]] = (
    Subcommand(
        "local",
        "The small built-in model, which needs no account.",
        "pi_agent.cli.local",
        verbs=(
            Verb("install", "Fetch its server (34 MB) and the model (93 MB), as far as missing."),
            Verb("status", "Say what of it is there."),
            Verb("remove", "Take the model away."),
        ),
    ),
    Subcommand(
        "auth",
        "The keys of providers, as `/login` stores them.",
        "pi_agent.cli.auth",
        verbs=(
            Verb(
                "login",
                "Store the key of a provider: asked for without showing it, or piped in.",
                arguments=("PROVIDER",),
                options=(Option("--api-key", "An API key, which is the only kind so far."),),
            ),
            Verb("logout", "Remove the stored key of a provider.", arguments=("PROVIDER",)),
            Verb(
                "check",
                "Say whether there is a key; the exit status is 0, 1 if not, 2 for an unknown name.",
                options=(
                    Option("--provider", "The provider to look at.", "PROVIDER"),
                    Option("--model", "Or the one of this model.", "MODEL"),
                    Option("--json", "Print it as JSON."),
                ),
            ),
        ),
    ),
    Subcommand(
        "doctor",
        "Look at the terminal, the installation, the files and keys, and say what to do.",
        "pi_agent.cli.doctor",
        options=(Option("--json", "Print it as JSON, for a report."),),
    ),
    Subcommand(
        "completion",
        "Complete options, models and files in the shell with Tab. Alone it tells how to install that.",
        "pi_agent.cli.completion",
        verbs=(
            Verb("bash", "Print the script for bash."),
            Verb("zsh", "Print the script for zsh."),
            Verb("fish", "Print the script for fish."),
            Verb("suggest", "Print what may stand for the last word.", arguments=("[WORD]...",)),
        ),
        needs_verb=False,
    ),
)


def find_subcommand(
    words: Sequence[str], table: Sequence[Subcommand] = SUBCOMMANDS
) -> Subcommand | None:
    """Return the sub-command that a command line asks for, if it begins with the name of one."""
    return next((row for row in table if [row.name] == list(words[:1])), None)


def read_words(row: Subcommand, words: Sequence[str]) -> SubcommandWords:
    """Sort the words behind the name of a sub-command. Raises `PiError` that says what does not fit."""
    reader = _Reader(row)
    rest = deque(words)
    while rest:
        reader.take(rest.popleft(), rest)
    return reader.finish()


class _Reader:
    """Takes words, and knows what may come next."""

    def __init__(self, row: Subcommand) -> None:
        self._row = row
        self._verb: Verb | None = None
        self._arguments: list[str] = []
        self._options: dict[str, str] = {}
        self._only_arguments = False

    def take(self, word: str, rest: deque[str]) -> None:
        if self._only_arguments or not word.startswith("-") or word == "-":
            self._take_plain(word)
        elif word == "--":
            self._only_arguments = True
        else:
            self._take_option(word, rest)

    def finish(self) -> SubcommandWords:
        if self._row.verbs and self._row.needs_verb and self._verb is None:
            raise PiError(f"`pi {self._row.name}` needs one more word: {_any_of(self._verb_names)}")
        needed = [each for each in self._labels if not each.startswith("[")]
        if missing := needed[len(self._arguments) :]:
            raise PiError(f"`{self._command}` needs {missing[0]}")
        name = self._verb.name if self._verb is not None else ""
        return SubcommandWords(name, tuple(self._arguments), self._options)

    def _take_plain(self, word: str) -> None:
        if self._row.verbs and self._verb is None:
            self._verb = self._find_verb(word)
        elif len(self._arguments) < len(self._labels) or self._takes_any_number:
            self._arguments.append(word)
        else:
            raise PiError(f"`{self._command}` does not take {word!r}")

    def _find_verb(self, word: str) -> Verb:
        for verb in self._row.verbs:
            if verb.name == word:
                return verb
        known = f" It has {_any_of(self._verb_names, 'and')}."
        close = _close_to(word, self._verb_names)
        raise PiError(f"`pi {self._row.name}` has no {word!r}{close}.{known}")

    def _take_option(self, word: str, rest: deque[str]) -> None:
        name, separator, value = word.partition("=")
        known = (*self._row.options, *(self._verb.options if self._verb is not None else ()))
        option = next((each for each in known if each.name == name), None)
        if option is None:
            close = _close_to(name, [each.name for each in known], cutoff=0.75)
            raise PiError(f"`{self._command}` has no option {name}{close}")
        if not option.value and separator:
            raise PiError(f"{name} takes no value")
        if option.value and not separator:
            if not rest:
                raise PiError(f"{name} requires a value")
            value = rest.popleft()
        self._options[name] = value

    @property
    def _labels(self) -> tuple[str, ...]:
        return self._verb.arguments if self._verb is not None else self._row.arguments

    @property
    def _takes_any_number(self) -> bool:
        return any(label.endswith("...") for label in self._labels)

    @property
    def _verb_names(self) -> list[str]:
        return [verb.name for verb in self._row.verbs]

    @property
    def _command(self) -> str:
        return f"pi {self._row.name}" + (f" {self._verb.name}" if self._verb is not None else "")


def _any_of(names: Sequence[str], word: str = "or") -> str:
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


def _close_to(word: str, names: Sequence[str], cutoff: float = 0.6) -> str:
    close = difflib.get_close_matches(word, names, n=2, cutoff=cutoff)
    return f" (did you mean {_any_of(close)}?)" if close else ""
