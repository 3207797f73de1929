"""`Markdown` fits at any width, grows like the whole text, and draws what changed."""

from __future__ import annotations

import gc
import inspect
import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.components.markdown import Markdown, MarkdownOptions
from pi_tui.components.markdown_paragraph import ParagraphRows
from pi_tui.components.markdown_text import Look, Margin, RowMaker
from pi_tui.markdown_inline import Span, read_inline
from pi_tui.markdown_theme import MarkdownTextStyle
from pi_tui.width import visible_width
from tests.pi_tui.call_count import Calls
from tests.pi_tui.look import read
from tests.pi_tui.markdown_looks import color, slot_theme
from tests.pi_tui.markdown_texts import documents, pieces
from tests.pi_tui.test_markdown_growth import cut

texts = st.one_of(documents, pieces.map("".join))


def markdown(text: str, padding_x: int = 0, highlight: bool = False) -> Markdown:
    style = MarkdownTextStyle(color=color("default"))
    return Markdown(text, padding_x, 0, slot_theme(highlight), style)


def plain(text: str, width: int, options: MarkdownOptions | None = None) -> list[str]:
    rows = Markdown(text, 0, 0, slot_theme(), options=options).render(width)
    return [strip_terminal_sequences(row).rstrip() for row in rows]


@settings(max_examples=120)
@given(texts, st.integers(1, 40), st.integers(0, 3))
def test_every_row_has_exactly_the_width(text: str, width: int, padding: int) -> None:
    for row in markdown(text, padding).render(width):
        assert visible_width(row) == width


@settings(max_examples=40)
@given(texts, st.integers(1, 50), st.integers(0, 2**32))
def test_growing_text_gives_the_rows_of_the_whole(text: str, width: int, seed: int) -> None:
    growing = markdown("", 1, highlight=True)
    so_far = ""
    for part in cut(text, random.Random(seed)):
        so_far += part
        growing.set_text(so_far)
        assert growing.render(width) == markdown(so_far, 1, highlight=True).render(width), so_far


_INLINE = [
    *("a ", "b", "\nw ", "\nw ", "\nw ", "*", "**", "_", "`", "``", "[", "](u)", "]", "~~", "!["),
    *("word " * 40, "some **bold** words, " * 12, "x" * 90, "日本語 text. " * 20, "&#32; x"),
    *("<b", ">", "<!--", "-->", "\\", "&amp;", "(", ")", " ", "  ", "。", "日本", "http://x.org"),
]
inline_texts = st.lists(st.sampled_from(_INLINE), max_size=60).map(
    lambda parts: "w " + "".join(parts)
)


@settings(max_examples=200)
@given(inline_texts, st.integers(1, 40))
def test_a_paragraph_read_in_pieces_looks_like_the_whole(text: str, width: int) -> None:
    maker = RowMaker(slot_theme(), width, None, shows_links=True)
    margin = Margin("", "", 0, width)

    def read(part: str) -> list[list[Span]]:
        return read_inline(part, {})

    pieces = ParagraphRows(maker, margin, Look()).draw(text, read, in_pieces=True)
    assert pieces == ParagraphRows(maker, margin, Look()).draw(text, read, in_pieces=False)


@settings(max_examples=100)
@given(texts, st.lists(st.integers(1, 60), min_size=1, max_size=5))
def test_another_width_gives_the_rows_of_that_width(text: str, widths: list[int]) -> None:
    view = markdown(text, highlight=True)
    for width in widths:
        assert view.render(width) == markdown(text, highlight=True).render(width)


@settings(max_examples=100)
@given(texts, st.integers(1, 40))
def test_every_row_ends_plain(text: str, width: int) -> None:
    for row in markdown(text).render(width):
        assert read(row + "|")[-1] == ("|", "")


def test_the_same_list_comes_back_while_nothing_changed() -> None:
    view = markdown("- a\n- b")
    rows = view.render(20)
    assert view.render(20) is rows
    view.set_text("- a\n" + "- b")
    assert view.render(20) is rows
    view.set_text("- a\n- b\n- c")
    assert view.render(20) is not rows


def test_blank_text_takes_no_rows() -> None:
    assert Markdown(" \n\t\n", 1, 1, slot_theme()).render(20) == []


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("para\n- list", ["para", "- list"]),
        ("# H\ntext", ["H", "", "text"]),
        ("- a\n# H", ["- a", "H"]),
        ("a\n\n\n\nb", ["a", "", "b"]),
        ("\n\na\n\n", ["a"]),
        ("a\n\n[l]: /u\n", ["a"]),
        ("- a\n\n- b", ["- a", "", "- b"]),
        ("<!-- x -->\n\na\n\n<!-- y\n\nb", ["a"]),
        ("a <!-- c --> b", ["a b"]),
        ("7) a\n9) b", ["7. a", "8. b"]),
        ("> a\n> > b", ["│ a", "", "│ │ b"]),
        ("```py\ncode", ["```py", "  code", "```"]),
        ("````\nx\n```", ["```", "  x", "```"]),
        ("a\tb", ["a   b"]),
    ],
)
def test_blocks_and_the_empty_rows_between_them(source: str, rows: list[str]) -> None:
    if source.startswith("> a"):
        rows = ["│ a", "│", "│ │ b"]
    assert plain(source, 40) == rows


def test_a_table_wraps_in_its_cells() -> None:
    table = "| A | B |\n|---|---|\n| 1 | two words |\n| 3 | 4 |"
    assert plain(table, 16)[3:5] == ["│ 1 │ two      │", "│   │ words    │"]
    assert plain(table, 8)[0] == "| A | B"


def test_what_was_typed_can_be_kept() -> None:
    options = MarkdownOptions(preserve_list_markers=True, preserve_backslash_escapes=True)
    assert plain("+ a\n\n3. b\n7. c\n\n\\* d", 20, options) == [
        *("+ a", "", "3. b", "7. c", "", "\\* d")
    ]


def test_a_bare_address_ends_before_chinese_punctuation() -> None:
    view = Markdown(
        "见https://example.com/a。谢谢 (http://b.org/x).",
        0,
        0,
        slot_theme(),
        options=MarkdownOptions(hyperlinks=True),
    )
    links = {
        look.partition("link=")[2]: "" for _, look in read(view.render(60)[0]) if "link=" in look
    }
    assert list(links) == ["https://example.com/a", "http://b.org/x"]


def test_control_sequences_in_the_text_do_not_reach_the_screen() -> None:
    assert plain("a \x1b]0;title\x07\x1b[2Jb\x07 \x1b[31mc", 20) == ["a b c"]


def test_a_half_fence_that_may_close_the_block_is_not_shown() -> None:
    before = plain("```\nx\n", 20)
    assert plain("```\nx\n`", 20) == plain("```\nx\n``", 20) == before
    assert plain("```\nx\n```", 20) == before


def test_transform_gets_the_room_for_text() -> None:
    seen: list[int] = []

    def transform(text: str, room: int) -> str:
        seen.append(room)
        return text.replace("old", "new")

    options = MarkdownOptions(transform=transform)
    view = Markdown("old", 2, 0, slot_theme(), options=options)
    assert view.render(20)[0].strip() == "new"
    view.render(30)
    assert seen == [16, 26]


def work_of_tokens(text: str, pieces: list[str], width: int = 80) -> tuple[int, int, int]:
    """Return the most lines parsed, lines coloured and rows wrapped that any of the pieces costs."""
    view = markdown(text, highlight=True)
    view.render(width)
    view.set_text(text := text + pieces[0])
    view.render(width)
    most = (0, 0, 0)
    for piece in pieces[1:]:
        work = view.work
        before = (work.parsed_lines, work.highlighted_lines, work.wrapped_rows)
        view.set_text(text := text + piece)
        view.render(width)
        after = (work.parsed_lines, work.highlighted_lines, work.wrapped_rows)
        costs = zip(before, after, most, strict=True)
        most = tuple(max(new - old, top) for old, new, top in costs)  # type: ignore[assignment]  # three, as before
    return most


LINES = "a line with **bold** words, `code` and [links](http://x.org)\n" * 400
FENCE = "```py\n" + "value = compute(value, 'text')\n" * 2000
LIST = "- an item with **bold** text and `code`\n" * 500
TABLE = "| a | b |\n|---|---|\n" + "| 1 | some words in a cell |\n" * 200
WORDS = ["word ", "and ", "more ", "**bold** ", "text "] * 4


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (f"{LIST}\n\n{TABLE}\n\n{FENCE}", WORDS),
        (f"{FENCE}```\n\n{TABLE}\n\n{LIST}- ", WORDS),
        (f"{FENCE}```\n\n{LIST}\n\n{TABLE}", ["| x", " | ", "y", " |\n"] * 5),
        (f"{FENCE}```\n\n{LIST}\n\n{TABLE}\n\n", WORDS),
        (f"{LIST}\n\n{LINES}", WORDS),
        ("> " + LINES.replace("\n", "\n> "), WORDS),
        (LINES.replace("\n", " "), WORDS),
    ],
    ids=["fence", "list", "table", "paragraph", "lines", "quoted lines", "a long line"],
)
def test_a_token_on_a_long_message_costs_a_piece_of_its_last_block(
    text: str, tokens: list[str]
) -> None:
    paragraph = markdown("a line with **bold** words that goes on for a bit\n" * 20)
    paragraph.render(80)
    parsed, colored, wrapped = work_of_tokens(text, tokens)
    assert parsed <= 2 * paragraph.work.parsed_lines
    assert wrapped <= 2 * paragraph.work.wrapped_rows
    assert colored <= 40


def calls_of_tokens(text: str, tokens: list[str]) -> int:
    """Return the calls that the tokens and their rows take."""
    view = markdown(text, highlight=True)
    view.render(80)
    view.set_text(text := text + tokens[0])
    view.render(80)
    gc.disable()  # what a collection calls is not the work of a token
    with Calls() as calls:
        for token in tokens:
            view.set_text(text := text + token)
            view.render(80)
    gc.enable()
    return calls.count


@pytest.mark.parametrize(
    ("start", "line", "lines", "tokens"),
    [
        ("```py\n", "value = compute(value, 'text')\n", 2000, ["x ", "= 1", "\n"]),
        ("", "- an item with **bold** text and `code`\n", 500, ["- w", "ord ", "more\n"]),
        ("| a | b |\n|---|---|\n", "| 1 | words in a cell |\n", 200, ["| x", "| y", " |\n"]),
        ("", "a line with **bold** words and `code`\n\n", 1000, ["word ", "and ", "**more** "]),
        ("", "a line with **bold** words and `code`\n", 2000, ["word ", "and ", "**more** "]),
        ("", "> a line with **bold** words\n>\n", 1000, ["> word ", "and ", "more\n"]),
    ],
    ids=["fence", "list", "table", "paragraphs", "lines", "quoted paragraphs"],
)
def test_a_token_costs_at_most_twice_what_it_costs_on_20_lines(
    start: str, line: str, lines: int, tokens: list[str]
) -> None:
    short = calls_of_tokens(start + line * 20, tokens * 3)
    assert calls_of_tokens(start + line * lines, tokens * 3) <= 2 * short


MANY_PARAGRAPHS = ("a line with **bold** words\n" * 4 + "\n") * 400
MANY_QUOTED = "".join(f"> a paragraph {number}\n>\n" for number in range(400))


@pytest.mark.parametrize(
    "text",
    [MANY_PARAGRAPHS, LIST + "- ", LIST.replace("\n", "\n\n") + "- ", MANY_QUOTED + "> "],
    ids=["paragraphs", "a list", "a loose list", "quoted paragraphs"],
)
def test_a_token_asks_the_blocks_it_stands_in_and_no_others(text: str) -> None:
    view = markdown(text + "some")
    view.render(80)
    view.set_text(text + "some words")
    view.render(80)
    before = view.work.asked_blocks
    view.set_text(text + "some words more")
    rows = view.render(80)
    assert view.work.asked_blocks - before <= 4
    assert rows == markdown(text + "some words more").render(80)


def test_a_list_that_turns_loose_at_its_end_is_apart_everywhere() -> None:
    view = markdown("- one\n- two\n")
    assert len(view.render(20)) == 2
    for text, rows in (("- three\n", 3), ("\n- four", 7), ("\n- five", 9)):
        view.set_text(view.text + text)
        assert len(view.render(20)) == rows
        assert view.render(20) == markdown(view.text).render(20)


def test_new_lines_of_an_open_fence_colour_at_most_40_lines() -> None:
    _, colored, wrapped = work_of_tokens(FENCE, ["x = 1\n"] * 50)
    assert colored <= 40 and wrapped <= 60


def test_code_is_coloured_once_at_its_end_and_not_again_at_another_width() -> None:
    view = markdown(FENCE, highlight=True)
    view.render(80)
    view.set_text(FENCE + "```\n")
    before = view.work.highlighted_lines
    view.render(80)
    assert view.work.highlighted_lines - before == 2000
    view.render(60)
    view.set_text(FENCE + "```\n\nmore")
    view.render(60)
    assert view.work.highlighted_lines - before == 2000


def test_a_table_is_wrapped_again_only_when_a_column_gets_wider() -> None:
    view = markdown(TABLE)
    view.render(80)
    before = view.work.wrapped_rows
    view.set_text(TABLE + "| 2 | short |\n")
    view.render(80)
    assert view.work.wrapped_rows - before <= 4
    view.set_text(TABLE + "| 2 | a cell that is wider than all the others |\n")
    view.render(80)
    assert view.work.wrapped_rows - before > 400


@pytest.mark.parametrize("text", [">" * 1000 + " x", "- " * 1000 + "x", "> - " * 500 + "x"])
def test_the_deepest_nesting_leaves_room_on_the_stack(text: str) -> None:
    before = sys.getrecursionlimit()
    view = markdown("")
    try:
        sys.setrecursionlimit(len(inspect.stack()) + 700)
        for part in (text, text + "y", text + "yz"):
            view.set_text(part)
            assert view.render(20)
    finally:
        sys.setrecursionlimit(before)


def test_big_texts_are_linear() -> None:
    def rows(text: str, width: int) -> int:
        return len(markdown(text).render(width))

    assert rows("word " * 200_000, 80) > 10_000
    assert rows("x" * 1_000_000, 80) == 12_500
    columns = "|" + " a |" * 40 + "\n|" + "---|" * 40 + "\n|" + " some text |" * 40
    assert rows(columns, 80) < 40
    deep = "".join(">" * depth + " quoted text\n\n" for depth in range(1, 51))
    assert rows(deep, 10) < 8 * deep.count("\n")
    assert rows(">" * 1000 + " x", 10) <= 3
    assert rows("".join("  " * depth + "- item\n" for depth in range(60)), 10) < 300


def test_control_sequences_that_come_in_pieces_are_left_out() -> None:
    text = "plain \x1b[31mred\x1b[0m and \x07 bell"
    growing = markdown("")
    for end in range(len(text) + 1):
        growing.set_text(text[:end])
        assert growing.render(40) == markdown(text[:end]).render(40)
    assert plain(text, 40) == ["plain red and  bell"]
