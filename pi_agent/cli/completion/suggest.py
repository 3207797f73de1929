"""What may stand in place of the last word of a command line, by the tables of flags and sub-commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pi_agent.cli.args import FLAGS
from pi_agent.cli.completion.values import VALUES, Suggestion, attached_files
from pi_agent.cli.subcommands import SUBCOMMANDS, Option, Subcommand, find_subcommand
from pi_tui.frozen import frozen

_FLAG_OF_NAME: Final = {name: flag for flag in FLAGS for name in flag.names}
_HELP: Final = Suggestion("--help", "Tell what it takes.")


def suggest(
    words: Sequence[str],
    environ: Mapping[str, str],
    subcommands: Sequence[Subcommand] = SUBCOMMANDS,
) -> list[Suggestion]:
    """Return suggestions for the last of the words behind `pi`, which may be empty or half written.

    It is left to the shell to choose those that begin as the word does.
    """
    *before, word = words or [""]
    row = find_subcommand(before, subcommands)
    if row is not None:
        return list(_Subcommand(row, before[1:], word, environ).suggestions())
    found = list(_of_flags(before, word, environ))
    if not before and not word.startswith(("-", "@")):
        found += [Suggestion(each.name, each.help) for each in subcommands]
    return found


def values_of(label: str, word: str, environ: Mapping[str, str]) -> list[Suggestion]:
    """Return what a value that help calls `label` may be; `word` is the beginning of it."""
    return list(VALUES[label](word, environ))


def _of_flags(before: Sequence[str], word: str, environ: Mapping[str, str]) -> Iterator[Suggestion]:
    if "--" in before:
        yield from attached_files(word)
        return
    flag = _FLAG_OF_NAME.get(before[-1]) if before else None
    if flag is not None and flag.value:
        yield from values_of(flag.value, word, environ)
        if flag.kind != "optional":
            return
    name, separator, value = word.partition("=")
    if separator and word.startswith("--"):
        flag = _FLAG_OF_NAME.get(name)
        yield from _behind_name(flag.value if flag is not None else "", name, value, environ)
    elif word.startswith("-"):
        yield from _flags_left(before)
    else:
        yield from attached_files(word)


def _flags_left(before: Sequence[str]) -> Iterator[Suggestion]:
    """Return the names of flags, without those that are there and count only once."""
    used = {flag.field for word in before if (flag := _FLAG_OF_NAME.get(word.partition("=")[0]))}
    for flag in FLAGS:
        if flag.field not in used or flag.kind == "repeated":
            for name in flag.names:
                yield Suggestion(name, flag.help)


def _behind_name(
    label: str, name: str, value: str, environ: Mapping[str, str]
) -> Iterator[Suggestion]:
    """Return suggestions for `--name=value`, each the whole word."""
    for found in values_of(label, value, environ) if label else ():
        yield found if found.is_order else replace(found, value=f"{name}={found.value}")


@frozen
class _Subcommand:
    """The words behind the name of a sub-command, and what may follow."""

    row: Subcommand
    before: Sequence[str]
    word: str
    environ: Mapping[str, str]

    def suggestions(self) -> Iterator[Suggestion]:
        plain = list(self._plain())
        verb = next((each for each in self.row.verbs if plain[:1] == [each.name]), None)
        options = (*self.row.options, *(verb.options if verb is not None else ()))
        option = _find(options, self.before[-1]) if self.before else None
        name, separator, value = self.word.partition("=")
        if option is not None and option.value:
            yield from values_of(option.value, self.word, self.environ)
        elif separator and (option := _find(options, name)) is not None:
            yield from _behind_name(option.value, name, value, self.environ)
        elif self.word.startswith("-"):
            yield from (Suggestion(each.name, each.help) for each in options)
            yield _HELP
        elif self.row.verbs and verb is None:
            yield from (Suggestion(each.name, each.help) for each in self.row.verbs)
        else:
            labels = verb.arguments if verb is not None else self.row.arguments
            yield from self._argument(labels, len(plain) - (verb is not None))

    def _argument(self, labels: Sequence[str], at: int) -> Iterator[Suggestion]:
        if at < len(labels):
            yield from values_of(labels[at].strip("[]."), self.word, self.environ)

    def _plain(self) -> Iterator[str]:
        """Return the words that are neither options nor their values."""
        every = [*self.row.options, *(each for verb in self.row.verbs for each in verb.options)]
        previous = ""
        for word in self.before:
            option = _find(every, previous)
            if not word.startswith("-") and not (option is not None and option.value):
                yield word
            previous = word


def _find(options: Sequence[Option], name: str) -> Option | None:
    return next((each for each in options if each.name == name), None)
