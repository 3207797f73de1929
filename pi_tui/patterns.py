"""Regular expressions that are compiled when they are first used.

One that names characters beyond Latin takes up to 3 ms to compile, and few of them are used in the same run.
"""

from __future__ import annotations

import re


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what `re.compile` would; to be used through its methods."""
    return _Pattern(source, flags)  # type: ignore[return-value]  # has the same attributes


class _Pattern:
    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        """Return the attribute of the compiled one, and keep it: `re` itself remembers that one only for a while."""
        compiled = re.compile(self._source, self._flags)
        attributes = (each for each in dir(compiled) if not each.startswith("_"))
        vars(self).update({each: getattr(compiled, each) for each in attributes})
        made: object = getattr(compiled, name)
        return made
