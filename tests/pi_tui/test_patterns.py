"""Patterns that are compiled late are those of `re`."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from pi_tui.patterns import pattern


@pytest.mark.parametrize("flags", [0, re.IGNORECASE])
def test_a_late_pattern_finds_what_the_pattern_finds(flags: int) -> None:
    source, text = r"(?P<letter>[a-c])\d", "a1 B2 c3"
    late, early = pattern(source, flags), re.compile(source, flags)
    for _ in range(2):
        assert late.findall(text) == early.findall(text)
        assert late.sub("x", text) == early.sub("x", text)
        assert [found.span() for found in late.finditer(text)] == [
            found.span() for found in early.finditer(text)
        ]
        assert (late.match("b") is None) == (early.match("b") is None)
        assert (late.pattern, late.flags) == (early.pattern, early.flags)
        assert dict(late.groupindex) == dict(early.groupindex)


def test_a_pattern_that_is_wrong_is_told_when_it_is_used() -> None:
    late = pattern("(")
    with pytest.raises(re.error, match="unterminated"):
        late.match("x")


def test_nothing_is_compiled_before() -> None:
    code = (
        "import re._compiler as compiler\n"
        "from pi_tui.patterns import pattern\n"
        "compiled = []\n"
        "compile = compiler.compile\n"
        "compiler.compile = lambda *args: compiled.append(args) or compile(*args)\n"
        "late = pattern('[\\ud800-\\udfff]')\n"
        "assert not compiled\n"
        "late.search(''), late.search('')\n"
        "assert len(compiled) == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
