"""The in-memory terminal that other tests measure with, against literal positions and texts."""

from __future__ import annotations

import pytest
import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.cell_style import PLAIN, CellStyle, StyleRun
from pi_tui.emulator import GridTerminal

# The table of widths, with the cells that each text takes.
WIDTHS = [
    ("", 0),
    ("hello", 5),
    ("日本語", 6),
    ("한글", 4),
    ("👨\u200d👩\u200d👧", 2),
    ("👍🏽", 2),
    ("🏳\ufe0f\u200d🌈", 2),
    ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", 2),
    ("🇩🇪", 2),
    ("🇩", 2),
    ("🇩🇪🇫", 4),
    ("✅", 2),
    ("\U0001fae8", 2),
    ("e\u0301", 1),
    ("\u200b", 0),
    ("\ufe0f", 0),
    ("\u0300", 0),
    ("ﾊﾟ", 2),
    ("ก\u0e33", 2),
    ("नमस्ते", 4),
    ("☀", 1),
    ("☀\ufe0f", 2),
    ("1\ufe0f\u20e3", 2),
    ("→", 1),
    ("…", 1),
    ("─", 1),
    ("█", 1),
    ("⠋", 1),
    ("①", 1),
    ("\x1b[31mred\x1b[0m", 3),
    ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", 4),
    ("\x1b_pi:c\x1b\\x", 1),
]


def written(data: str | bytes, columns: int = 20, rows: int = 4) -> GridTerminal:
    terminal = GridTerminal(columns, rows)
    terminal.write(data)
    return terminal


def screen(terminal: GridTerminal) -> object:
    """Everything on the screen that can be compared."""
    cells = [[terminal.cell(x, y) for x in range(terminal.columns)] for y in range(terminal.rows)]
    return cells, terminal.cursor, terminal.scrollback, terminal.modes, terminal.title


class TestWidths:
    @pytest.mark.parametrize(("text", "cells"), WIDTHS)
    def test_the_cursor_moves_by_the_cells_of_the_text(self, text: str, cells: int) -> None:
        assert written(text).cursor == (cells, 0)

    @pytest.mark.parametrize(("text", "cells"), WIDTHS)
    def test_the_cursor_moves_alike_when_bytes_come_one_by_one(self, text: str, cells: int) -> None:
        terminal = GridTerminal(20, 4)
        for byte in text.encode():
            terminal.write(bytes((byte,)))
        assert terminal.cursor == (cells, 0)
        assert screen(terminal) == screen(written(text))

    @pytest.mark.parametrize(("text", "cells"), [(text, n) for text, n in WIDTHS if n])
    def test_a_text_that_fills_the_row_leaves_the_next_one_alone(
        self, text: str, cells: int
    ) -> None:
        terminal = written(text + "." * (20 - cells))
        assert terminal.cursor == (19, 0)
        assert terminal.lines()[1:] == ["", "", ""]
        terminal.write("!")
        assert terminal.lines()[1] == "!"


class TestClusters:
    def test_a_wide_cluster_is_followed_by_an_empty_half(self) -> None:
        terminal = written("日x")
        assert [terminal.cell(x, 0).text for x in range(4)] == ["日", "", "x", " "]

    def test_a_joined_emoji_is_one_cell_and_its_half(self) -> None:
        terminal = written("👨\u200d👩\u200d👧x")
        assert [terminal.cell(x, 0).text for x in range(3)] == ["👨\u200d👩\u200d👧", "", "x"]

    @pytest.mark.parametrize(
        "parts",
        [
            ("e", "\u0301"),
            ("👨", "\u200d", "👩"),
            ("☀", "\ufe0f"),
            ("🇩", "🇪"),
            ("👍", "🏽"),
            ("1", "\ufe0f", "\u20e3"),
        ],
    )
    def test_what_arrives_later_joins_the_cell_before(self, parts: tuple[str, ...]) -> None:
        terminal = GridTerminal(20, 2)
        for part in parts:
            terminal.write(part)
        assert terminal.cell(0, 0).text == "".join(parts)
        assert screen(terminal) == screen(written("".join(parts), rows=2))

    def test_a_style_change_in_between_does_not_keep_a_mark_from_joining(self) -> None:
        terminal = written("\x1b[31me\x1b[32m\u0301x")
        assert [(terminal.cell(x, 0).text, terminal.cell(x, 0).fg) for x in range(2)] == [
            ("e\u0301", "red"),
            ("x", "green"),
        ]

    def test_a_flag_half_after_a_cursor_move_stands_alone(self) -> None:
        terminal = written("🇩\x1b[1;3H🇪")
        assert [terminal.cell(x, 0).text for x in range(4)] == ["🇩", "", "🇪", ""]

    def test_a_mark_after_a_cursor_move_joins_the_cell_on_the_left(self) -> None:
        assert written("ae\x1b[1;2H\u0301").cell(0, 0).text == "a\u0301"

    def test_a_cluster_that_grows_in_the_last_column_moves_to_the_next_row(self) -> None:
        terminal = written("abc☀", columns=4)
        assert terminal.lines()[0] == "abc☀"
        terminal.write("\ufe0f")
        assert terminal.lines()[:2] == ["abc", "☀\ufe0f"]
        assert terminal.cursor == (2, 1)

    def test_writing_over_one_half_of_a_wide_cluster_blanks_the_other(self) -> None:
        assert written("a日b\x1b[1;2Hx").lines()[0] == "ax b"
        assert written("a日b\x1b[1;3Hx").lines()[0] == "a xb"

    def test_erasing_half_of_a_wide_cluster_blanks_all_of_it(self) -> None:
        assert written("a日b\x1b[1;3H\x1b[K").lines()[0] == "a"
        assert written("a日b\x1b[1;2H\x1b[1K").lines()[0] == "   b"

    def test_inserting_and_deleting_inside_a_wide_cluster_blanks_it(self) -> None:
        assert written("a日b\x1b[1;3H\x1b[@").lines()[0] == "a   b"
        assert written("a日b\x1b[1;3H\x1b[P").lines()[0] == "a b"
        assert written("ab日\x1b[1;1H\x1b[@", columns=4).lines()[0] == " ab"

    def test_no_row_is_ever_more_than_its_cells(self) -> None:
        terminal = written("日" * 30 + "\x1b[1;1Hx\x1b[1;4Hy", columns=7, rows=3)
        for y in range(3):
            halves = [terminal.cell(x, y).text for x in range(7)]
            assert len("".join(halves)) + halves.count("") == 7


class TestWrapping:
    def test_the_wrap_waits_for_the_next_character(self) -> None:
        terminal = written("abcd", columns=4)
        assert terminal.cursor == (3, 0)
        terminal.write("e")
        assert terminal.cursor == (1, 1)
        assert terminal.lines()[:2] == ["abcd", "e"]

    def test_a_row_end_after_a_full_row_does_not_skip_a_row(self) -> None:
        assert written("abcd\r\nef\r\n", columns=4).lines() == ["abcd", "ef", "", ""]

    def test_a_style_change_does_not_end_the_waiting(self) -> None:
        assert written("abcd\x1b[0m\x1b]8;;\x07e", columns=4).lines()[:2] == ["abcd", "e"]

    def test_a_cursor_move_ends_the_waiting(self) -> None:
        assert written("abcd\bX", columns=4).lines()[0] == "abXd"
        assert written("abcd\x1b[1;4HX", columns=4).lines()[0] == "abcX"
        assert written("abcd\x1b[KX", columns=4).lines()[:2] == ["abcX", ""]

    def test_a_wide_cluster_wraps_when_only_one_column_is_left(self) -> None:
        terminal = written("abc日", columns=4)
        assert terminal.lines()[:2] == ["abc", "日"]
        assert terminal.cursor == (2, 1)

    def test_without_autowrap_the_last_column_is_overwritten(self) -> None:
        terminal = written("\x1b[?7labcdefg", columns=4)
        assert terminal.lines()[:2] == ["abcg", ""]
        assert terminal.cursor == (3, 0)

    def test_without_autowrap_a_wide_cluster_stays_at_the_edge(self) -> None:
        terminal = written("\x1b[?7labcd日", columns=4)
        assert [terminal.cell(x, 0).text for x in range(4)] == ["a", "b", "日", ""]
        assert terminal.lines()[1] == ""

    def test_autowrap_can_be_turned_on_again(self) -> None:
        assert written("\x1b[?7labcde\x1b[?7hf", columns=4).lines()[:2] == ["abce", "f"]

    def test_wrapping_in_the_last_row_scrolls(self) -> None:
        terminal = written("abcdefghij", columns=4, rows=2)
        assert terminal.lines() == ["efgh", "ij"]
        assert terminal.scrollback == ["abcd"]

    def test_insert_mode_pushes_the_rest_of_the_row_to_the_right(self) -> None:
        assert written("abcd\x1b[1;2H\x1b[4h日x\x1b[4l", columns=8).lines()[0] == "a日xbcd"

    def test_a_mark_joins_in_insert_mode_too(self) -> None:
        assert written("abcd\x1b[1;2H\x1b[4he\u0301", columns=8).lines()[0] == "ae\u0301bcd"


class TestStyles:
    @pytest.mark.parametrize(
        ("parameters", "style"),
        [
            ("31", CellStyle(fg="red")),
            ("1;31", CellStyle(bold=True, fg="red")),
            ("97;104", CellStyle(fg="bright-white", bg="bright-blue")),
            ("38;5;1", CellStyle(fg="red")),
            ("38;5;9", CellStyle(fg="bright-red")),
            ("48;5;208", CellStyle(bg="208")),
            ("38;2;1;2;255", CellStyle(fg="#0102ff")),
            ("38:2::1:2:255", CellStyle(fg="#0102ff")),
            ("38:2:1:2:255", CellStyle(fg="#0102ff")),
            ("48:5:208;1", CellStyle(bg="208", bold=True)),
            ("38;2;300;0;0;3", CellStyle(italic=True)),
            ("58;2;1;2;3;1", CellStyle(bold=True, underline_color="#010203")),
            ("58:2::1:2:3;1", CellStyle(bold=True, underline_color="#010203")),
            ("58;5;9;59;1", CellStyle(bold=True)),
            ("4", CellStyle(underline="single")),
            ("4:3", CellStyle(underline="curly")),
            ("21", CellStyle(underline="double")),
            ("4;4:0", PLAIN),
            ("2;3;5;7;8;9", CellStyle("", "", False, True, True, "", True, True, True, True)),
            ("1;2;22", PLAIN),
            ("3;7;9;23;27;29", PLAIN),
            ("31;44;39;49", PLAIN),
            ("1;31;0", PLAIN),
            ("1;;3", CellStyle(italic=True)),
            ("1;", PLAIN),
            ("99999;1", CellStyle(bold=True)),
        ],
    )
    def test_sgr_parameters(self, parameters: str, style: CellStyle) -> None:
        terminal = written(f"\x1b[{parameters}mx")
        assert terminal.cell(0, 0).style == style

    def test_colours_of_different_depths_stand_side_by_side(self) -> None:
        cell = written("\x1b[38;2;1;2;3;42mx\x1b[31my").cell(1, 0)
        assert (cell.fg, cell.bg) == ("red", "green")

    def test_runs_are_of_cells_that_look_alike(self) -> None:
        terminal = written("ab\x1b[1mcd\x1b[32m日\x1b[m \x1b[44m  \x1b[0m\r\n\x1b[7mx")
        assert terminal.style_runs() == [
            StyleRun(0, 2, 4, CellStyle(bold=True)),
            StyleRun(0, 4, 6, CellStyle(bold=True, fg="green")),
            StyleRun(0, 7, 9, CellStyle(bg="blue")),
            StyleRun(1, 0, 1, CellStyle(inverse=True)),
        ]

    def test_links_are_on_the_cells_and_survive_sgr_0(self) -> None:
        terminal = written("a\x1b]8;id=1;http://x/?a;b\x07l\x1b[1mi\x1b[0mn\x1b]8;;\x1b\\k")
        assert [terminal.cell(x, 0).link for x in range(5)] == ["", *["http://x/?a;b"] * 3, ""]

    def test_erasing_takes_the_background_only(self) -> None:
        cell = written("\x1b[1;4;31;44m\x1b]8;;http://x\x07\x1b[K").cell(5, 0)
        assert cell.style == CellStyle(bg="blue")

    def test_saved_style_comes_back_with_the_cursor(self) -> None:
        terminal = written("\x1b[1;31ma\x1b7\x1b[0;32m\x1b[3;3Hb\x1b8c")
        assert terminal.lines()[0] == "ac"
        assert terminal.cell(1, 0).style == CellStyle(bold=True, fg="red")


class TestScreens:
    def test_the_alternate_screen_leaves_the_normal_one_as_it_was(self) -> None:
        terminal = written("shell$ \x1b[?1049h\x1b[2J\x1b[Hfull\r\n\r\n\r\n\r\n\r\nscreen")
        assert terminal.alternate_screen
        assert "screen" in terminal.lines()
        assert terminal.scrollback == []
        terminal.write("\x1b[?1049l")
        assert not terminal.alternate_screen
        assert terminal.lines() == ["shell$", "", "", ""]
        assert terminal.cursor == (7, 0)

    def test_scrolled_rows_are_kept_without_limit(self) -> None:
        terminal = GridTerminal(10, 3)
        terminal.write("".join(f"{n}\r\n" for n in range(12000)))
        assert terminal.scrollback == [str(n) for n in range(11998)]
        assert terminal.lines() == ["11998", "11999", ""]

    def test_scrollback_can_be_cleared(self) -> None:
        assert written("a\r\n" * 9 + "\x1b[3J").scrollback == []

    def test_a_scrolling_region_below_the_top_keeps_nothing(self) -> None:
        terminal = written("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\r\nx")
        assert terminal.lines() == ["a", "c", "x", "d"]
        assert terminal.scrollback == []

    def test_scrolling_up_and_down_on_demand(self) -> None:
        terminal = written("a\r\nb\r\nc\r\nd\x1b[2S")
        assert terminal.lines() == ["c", "d", "", ""]
        assert terminal.scrollback == ["a", "b"]
        terminal.write("\x1b[T")
        assert terminal.lines() == ["", "c", "d", ""]

    def test_a_smaller_terminal_drops_what_is_below_the_cursor_first(self) -> None:
        terminal = written("a\r\nb\r\nc\r\nd\x1b[2;1H")
        terminal.resize(20, 3)
        assert terminal.lines() == ["a", "b", "c"]
        terminal.resize(20, 1)
        assert (terminal.lines(), terminal.scrollback) == (["b"], ["a"])
        assert terminal.cursor == (0, 0)

    def test_a_larger_terminal_takes_rows_back(self) -> None:
        terminal = written("a\r\nb\r\nc", rows=2)
        terminal.resize(9, 4)
        assert terminal.lines() == ["a", "b", "c", ""]
        assert terminal.cursor == (1, 2)

    def test_the_hidden_screen_is_resized_too(self) -> None:
        terminal = written("a\r\nb\r\nc\r\nd\x1b[?1049h")
        terminal.resize(8, 2)
        terminal.write("\x1b[?1049l!")
        assert (terminal.lines(), terminal.scrollback) == (["c", "d!"], ["a", "b"])

    def test_narrowing_blanks_a_wide_cluster_at_the_edge(self) -> None:
        terminal = written("abc日")
        terminal.resize(4, 4)
        assert terminal.cell(3, 0).text == " "

    def test_tabs_stop_every_eight_columns(self) -> None:
        assert written("a\tb").cursor == (9, 0)

    def test_line_drawing_characters(self) -> None:
        assert written("\x1b(0lqk\x1b(B q").lines()[0] == "┌─┐ q"

    def test_a_full_reset_clears_screen_styles_and_modes(self) -> None:
        terminal = written("\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[1mtext\x1bcx")
        assert (terminal.lines()[0], terminal.alternate_screen) == ("x", False)
        assert terminal.cell(0, 0).style == PLAIN
        assert terminal.modes == {7, 25}


class TestSequences:
    @pytest.mark.parametrize("introducer", ["\x1b_", "\x1bP", "\x1b^", "\x1bX", "\x1b]"])
    def test_strings_draw_nothing_wherever_they_are_cut(self, introducer: str) -> None:
        output = f"a{introducer}77;some\x1b\\b"
        for cut in range(len(output) + 1):
            terminal = GridTerminal(20, 1)
            terminal.write(output[:cut])
            terminal.write(output[cut:])
            assert terminal.lines() == ["ab"]
            assert [string.body for string in terminal.strings] == ["77;some"]

    def test_a_string_that_is_not_closed_hides_what_follows(self) -> None:
        assert written("a\x1b_pi:c\x07b").lines()[0] == "a"

    def test_an_escape_inside_a_string_ends_it_unread(self) -> None:
        terminal = written("\x1b]0;title\x1b[1mx")
        assert (terminal.title, terminal.lines()[0], terminal.cell(0, 0).bold) == ("", "x", True)

    def test_a_control_character_inside_a_sequence_acts_and_the_sequence_goes_on(self) -> None:
        terminal = written("a\x1b[3\r1mx")
        assert (terminal.lines()[0], terminal.cell(0, 0).fg) == ("x", "red")

    def test_cancel_ends_a_sequence(self) -> None:
        assert written("\x1b[31\x18mx").lines()[0] == "mx"

    def test_unknown_sequences_draw_nothing(self) -> None:
        output = (
            "\x1b[>0q\x1b[?1;2$y\x1b[!p\x1b[1 q\x1b=\x1b>\x1b#3\x1b(A\x1bN\x1b[5i\x1b[8;1;1t\x1b\\x"
        )
        assert written(output).lines()[0] == "x"

    def test_broken_utf8_is_shown_as_such(self) -> None:
        assert written(b"a\xffb\xe6\x97x").lines()[0] == "a\ufffdb\ufffdx"

    def test_control_characters_take_no_cell(self) -> None:
        terminal = written("a\x00\x01\x7f\x85\x9bb\x07\x07")
        assert (terminal.lines()[0], terminal.bells) == ("ab", 2)


class TestRecords:
    def test_title_and_clipboard(self) -> None:
        terminal = written("\x1b]0;one\x07\x1b]2;two; and\x1b\\\x1b]52;c;aMO2bGzDqQ==\x07")
        assert (terminal.title, terminal.clipboard) == ("two; and", "höllé")

    def test_modes_are_the_ones_that_are_set(self) -> None:
        terminal = written("\x1b[?1002;1006h\x1b[?2004h\x1b[?1002l\x1b[?25l")
        assert terminal.modes == {7, 1006, 2004}
        assert not terminal.cursor_visible

    def test_completed_synchronized_updates_are_counted(self) -> None:
        terminal = written("\x1b[?2026h1\x1b[?2026l\x1b[?2026l\x1b[?2026h2")
        assert terminal.frames == 1
        terminal.write("\x1b[?2026l")
        assert terminal.frames == 2

    def test_keyboard_protocols(self) -> None:
        terminal = written("\x1b[>7u\x1b[>1u\x1b[>4;2m")
        assert list(terminal.kitty_flags) == [7, 1]
        assert terminal.modify_other_keys == 2
        terminal.write("\x1b[?1049h")
        assert not terminal.kitty_flags
        terminal.write("\x1b[?1049l\x1b[<u\x1b[>4;0m")
        assert list(terminal.kitty_flags) == [7]
        assert terminal.modify_other_keys == 0

    def test_bytes_are_counted(self) -> None:
        terminal = written("日\x1b[m")
        terminal.write(b"x")
        assert terminal.bytes_written == 7

    def test_kitty_pictures_in_chunks_are_one_command(self) -> None:
        terminal = written(
            "ab\x1b_Ga=T,f=100,i=7,c=2,m=1;aGVs\x1b\\\x1b_Gm=0;bG8=\x1b\\\x1b_Ga=d,d=A\x1b\\"
        )
        first, second = terminal.images
        assert (first.protocol, first.data, first.x, first.y) == ("kitty", b"hello", 2, 0)
        assert first.keys == {"a": "T", "f": "100", "i": "7", "c": "2"}
        assert (second.keys, second.data) == ({"a": "d", "d": "A"}, b"")
        assert terminal.lines()[0] == "ab"

    def test_pictures_of_the_other_protocols(self) -> None:
        terminal = written("\x1b]1337;File=inline=1;width=4:aGVsbG8=\x07\x1bP0;1q#0!5~\x1b\\")
        first, second = terminal.images
        assert (first.protocol, first.keys, first.data) == (
            "iterm2",
            {"inline": "1", "width": "4"},
            b"hello",
        )
        assert (second.protocol, second.data) == ("sixel", b"#0!5~")


class TestAnswers:
    QUERIES = (
        "\x1b[c\x1b[?2026$p\x1b[?9999$p\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]4;1;?;15;?\x07"
        "\x1b[16t\x1b[?u\x1b[2;5H\x1b[6n\x1b[?996n\x1b]7501;?\x1b\\\x1bZ\x1b[5n"
    )

    def test_a_terminal_is_silent_unless_told_otherwise(self) -> None:
        assert written(self.QUERIES).replies == []

    def test_each_answer_can_be_turned_on(self) -> None:
        terminal = GridTerminal(
            answers={
                "da1",
                "decrqm",
                "osc10",
                "osc11",
                "osc4",
                "cell_size",
                "kitty",
                "cursor",
                "color_scheme",
            }
        )
        terminal.write("\x1b[>5u\x1b[?2026h" + self.QUERIES)
        assert terminal.replies == [
            b"\x1b[?62;22c",
            b"\x1b[?2026;1$y",
            b"\x1b[?9999;0$y",
            b"\x1b]10;rgb:d0d0/d0d0/d0d0\x07",
            b"\x1b]11;rgb:1010/1010/1010\x1b\\",
            b"\x1b]4;1;rgb:0101/0101/0101\x07",
            b"\x1b]4;15;rgb:0f0f/0f0f/0f0f\x07",
            b"\x1b[6;18;9t",
            b"\x1b[?5u",
            b"\x1b[2;5R",
            b"\x1b[?997;1n",
        ]

    def test_values_can_be_chosen_and_other_osc_queries_answered(self) -> None:
        terminal = GridTerminal(answers={"da1": "?64;4", "osc7501": "ok", "osc4": "#000000"})
        terminal.write(self.QUERIES)
        assert terminal.replies == [
            b"\x1b[?64;4c",
            b"\x1b]4;1;#000000\x07",
            b"\x1b]4;15;#000000\x07",
            b"\x1b]7501;ok\x1b\\",
        ]

    def test_a_mode_that_is_known_but_not_set(self) -> None:
        terminal = GridTerminal(answers={"decrqm"})
        terminal.write("\x1b[?2004$p")
        assert terminal.replies == [b"\x1b[?2004;2$y"]

    def test_a_name_without_a_default_needs_a_value(self) -> None:
        with pytest.raises(ValueError, match="osc12"):
            GridTerminal(answers={"osc12"})


PIECES = st.sampled_from(
    [
        *"ab 日é☀👨👍🇩🇪ก",
        "\u0301",
        "\ufe0f",
        "\u200d👩",
        "🏽",
        "\r",
        "\n",
        "\b",
        "\t",
        "\x1b[31m",
        "\x1b[0m",
        "\x1b[48:2::1:2:3m",
        "\x1b[2;3H",
        "\x1b[K",
        "\x1b[1K",
        "\x1b[2J",
        "\x1b[2@",
        "\x1b[2P",
        "\x1b[3X",
        "\x1b[L",
        "\x1b[M",
        "\x1b[2;3r",
        "\x1b[S",
        "\x1b[T",
        "\x1b[4h",
        "\x1b[4l",
        "\x1b[?7l",
        "\x1b[?7h",
        "\x1b[?1049h",
        "\x1b[?1049l",
        "\x1b7",
        "\x1b8",
        "\x1bM",
        "\x1b]0;t\x07",
        "\x1b]8;;u\x1b\\",
        "\x1b_Gi=1\x1b\\",
    ]
)


@settings(max_examples=150)
@given(pieces=st.lists(PIECES, max_size=40), cuts=st.lists(st.integers(0, 200), max_size=10))
def test_the_screen_does_not_depend_on_how_output_is_cut(
    pieces: list[str], cuts: list[int]
) -> None:
    data = "".join(pieces).encode()
    terminal = GridTerminal(7, 4)
    ends = sorted({min(cut, len(data)) for cut in cuts} | {len(data)})
    start = 0
    for end in ends:
        terminal.write(data[start:end])
        start = end
    assert screen(terminal) == screen(written(data, 7, 4))


def halves_after(row: list[str]) -> list[tuple[str, int]]:
    """Return each text of a row with the number of empty cells behind it."""
    starts = [x for x, text in enumerate(row) if text]
    ends = [*starts[1:], len(row)]
    return [(row[start], end - start - 1) for start, end in zip(starts, ends, strict=True)]


@settings(max_examples=150)
@given(pieces=st.lists(PIECES, max_size=60), size=st.tuples(st.integers(3, 9), st.integers(1, 5)))
def test_a_cluster_always_has_all_its_cells(pieces: list[str], size: tuple[int, int]) -> None:
    terminal = GridTerminal(6, 4)
    terminal.write("".join(pieces))
    terminal.resize(*size)
    terminal.write("".join(reversed(pieces)))
    columns, rows = size
    assert len(terminal.lines()) == rows
    for y in range(rows):
        row = [terminal.cell(x, y).text for x in range(columns)]
        assert row[0] != ""
        for text, halves in halves_after(row):
            assert halves == min(wcwidth.width(text), columns) - 1
    x, y = terminal.cursor
    assert 0 <= x < columns
    assert 0 <= y < rows


@settings(max_examples=150)
@given(st.binary(max_size=80))
def test_no_output_breaks_the_terminal(data: bytes) -> None:
    terminal = GridTerminal(5, 3)
    terminal.write(data)
    terminal.write(b"\x1b\\\x1bc\x1b[Hok")
    assert terminal.lines()[0] == "ok"
