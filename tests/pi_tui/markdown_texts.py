"""Random Markdown, for properties: well-formed documents, and pieces of syntax in any order."""

from __future__ import annotations

from hypothesis import strategies as st

_PIECES = [
    *("a", "b c", "**x**", "\n", "\n\n", "- ", "  - ", "   ", "    ", "1. ", "2) ", "+ ", "* "),
    *("> ", ">", "```", "```py\n", "~~~", "``", "`", "| a | b |\n", "|---|---|\n", "| 1 | 2 |\n"),
    *("|", "---", "--", "-", "===", "=", "# ", "## ", "[a]: /u", "[a]", '"t', '"', "<!-- ", "-->"),
    *("<div>", "</div>\n", "<b>", "\\", "[ ] ", "[x] ", "日本", "http://x.org ", "\n- ", "\n  "),
    *(
        "\n> ",
        "\n```\n",
        "\n\n    code\n",
        "\n***\n",
        "&amp;",
        ": ",
        "$$",
        "$$\n",
        "$x^2$",
        "$",
        "\\[",
        "\\]\n",
        "\\(a\\)",
        "    \n",
        ":-:",
        "'",
        "(",
    ),
    *(
        "\n| 3 |",
        "\n1. a\n",
        "\n   ```\n",
        "👍🏽",
        "é",
        "~~",
        "word " * 6,
        "\t",
        "\r\n",
        "\x1b[31m",
    ),
]
pieces = st.lists(st.sampled_from(_PIECES), max_size=25)

_LEAVES = [
    "para **x**", "two\nlines", "# H", "```py\nx = 1\n\n  y\n```", "```\nopen", "~~~~\n```\nz\n~~~~",
    "| a | b |\n|--|--|\n| 1 | 2 |\n| 3 |", "***", "<!-- c -->", "<div>\nx\n</div>",
    '[l]: /url\n"title"', "[l] and [m]", "    code\n    more", "[ ] task", "[m]: <x>", "Set\n---",
    "日本語の**「太字」**です。", "plain words " * 8, "line **b** `c`\n" * 14,
    "$$\n\\frac{a}{b}\n- c\n$$", "$$\nopen\n- x", "cost $5 and $6, $x$", "words $a$ \\(b\\) " * 40,
]  # fmt: skip
_MARKS = [("- ", "  "), ("1. ", "   "), ("10) ", "    "), (" * ", "   "), ("-    ", "     ")]


def _prefixed(text: str, rest: str, first: str | None = None) -> str:
    lines = text.split("\n")
    return "\n".join(
        (first if first is not None and not index else rest) + line
        if line or rest.strip()
        else line
        for index, line in enumerate(lines)
    )


def _joined(parts: st.SearchStrategy[str], most: int) -> st.SearchStrategy[str]:
    return st.builds(
        lambda texts, gap: gap.join(texts),
        st.lists(parts, min_size=1, max_size=most),
        st.sampled_from(["\n", "\n\n"]),
    )


def _containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = _joined(inner, 3)
    items = st.builds(
        lambda texts, gap, mark: gap.join(_prefixed(text, mark[1], mark[0]) for text in texts),
        st.lists(body, min_size=1, max_size=4),
        st.sampled_from(["\n", "\n\n"]),
        st.sampled_from(_MARKS),
    )
    quotes = st.builds(_prefixed, body, st.sampled_from(["> ", ">"]))
    return st.one_of(quotes, items, body)


documents = _joined(st.recursive(st.sampled_from(_LEAVES), _containers, max_leaves=10), 4)
