"""Screens as text, and their acceptance."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from pi_tui.component import CURSOR_MARKER, render_fake_cursor
from pi_tui.emulator import GridTerminal
from pi_tui.snapshot import check_snapshot, render_to_terminal, snapshot_component, snapshot_text


class TestText:
    def test_a_screen_is_its_size_cursor_rows_and_styles(self) -> None:
        terminal = GridTerminal(8, 3)
        terminal.write(
            "a\x1b[1;31mb日\x1b[0m\r\n\x1b[44m  \x1b[0m \x1b]8;;http://x\x07l\x1b]8;;\x07"
        )
        assert snapshot_text(terminal) == dedent(
            """\
            8x3 cursor 4,1
            |ab日    |
            |   l    |
            |        |
            styles
            0: 1-4 bold red
            1: 0-2 on blue; 3-4 link=http://x
            """
        )

    def test_every_attribute_has_a_word(self) -> None:
        terminal = GridTerminal(4, 1)
        terminal.write("\x1b[2;3;4:3;7;9;5;8;38;5;208;48;2;1;2;3mx\x1b[0;4my")
        assert snapshot_text(terminal).splitlines()[-1] == (
            "0: 0-1 dim italic inverse strikethrough blink hidden curly-underline 208 on #010203;"
            " 1-2 underline"
        )

    def test_a_hidden_cursor_and_the_alternate_screen_are_named(self) -> None:
        terminal = GridTerminal(2, 1)
        terminal.write("\x1b[?1049h\x1b[?25l")
        assert snapshot_text(terminal) == (
            "2x1 cursor 0,0 hidden alternate screen\n|  |\nno styles\n"
        )


class TestComponents:
    def test_lines_are_drawn_one_a_row_and_do_not_carry_style_over(self) -> None:
        terminal = render_to_terminal(["\x1b[1mab", "", "cd"], 4)
        assert terminal.lines() == ["ab", "", "cd"]
        assert [(run.row, run.start, run.end) for run in terminal.style_runs()] == [(0, 0, 2)]

    def test_a_line_of_full_width_leaves_no_empty_row(self) -> None:
        assert render_to_terminal(["日本", "日本"], 4).lines() == ["日本", "日本"]

    def test_a_line_that_is_too_wide_spills_over(self) -> None:
        assert render_to_terminal(["abcdef"], 4, rows=3).lines() == ["abcd", "ef", ""]

    def test_the_cursor_stands_at_the_caret_mark(self) -> None:
        terminal = render_to_terminal(["x", f"日{CURSOR_MARKER}{render_fake_cursor('a')}b"], 9)
        assert (terminal.cursor, terminal.cursor_visible) == ((2, 1), True)
        assert terminal.lines() == ["x", "日ab"]
        assert [terminal.cell(x, 1).inverse for x in range(5)] == [False, False, True, False, False]

    def test_without_a_caret_the_cursor_is_hidden(self) -> None:
        assert not render_to_terminal(["x"], 9).cursor_visible

    def test_no_lines_are_an_empty_row(self) -> None:
        assert render_to_terminal([], 5).lines() == [""]

    def test_all_widths_stand_one_below_the_other(self) -> None:
        text = snapshot_component(lambda width: ["=" * width, "x"], widths=(2, 4))
        assert text == (
            "2x2 cursor 0,0 hidden\n|==|\n|x |\nno styles\n\n"
            "4x2 cursor 0,0 hidden\n|====|\n|x   |\nno styles\n"
        )

    def test_a_wide_character_does_not_fit_into_one_column(self) -> None:
        with pytest.raises(AssertionError, match="Line 0 does not fit into 1 cells"):
            snapshot_component(lambda width: ["日"], widths=(1,))

    @pytest.mark.parametrize("line", ["abcde", "abc日", "abcd ", "ab\ncd"])
    def test_a_line_that_does_not_fit_fails_and_is_named(self, line: str) -> None:
        with pytest.raises(AssertionError, match="Line 1 does not fit into 4 cells"):
            snapshot_component(lambda width: ["ok", line], widths=(4,))


class TestChecking:
    def test_the_same_text_passes_and_leaves_the_file_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "screen.txt"
        path.write_text("日\n", encoding="utf-8")
        path.chmod(0o400)
        check_snapshot(path, "日\n", accept=True, environ={})
        check_snapshot(path, "日\n", environ={"CI": "true"})

    def test_a_difference_is_shown_as_a_diff(self, tmp_path: Path) -> None:
        path = tmp_path / "screen.txt"
        path.write_text("one\ntwo\n", encoding="utf-8")
        with pytest.raises(AssertionError) as failure:
            check_snapshot(path, "one\nthree\n", environ={})
        message = str(failure.value)
        assert str(path) in message
        assert "PI_ACCEPT_SNAPSHOTS=1" in message
        assert message.endswith("--- accepted\n+++ now\n@@ -1,2 +1,2 @@\n one\n-two\n+three")
        assert path.read_text(encoding="utf-8") == "one\ntwo\n"

    def test_a_difference_in_blanks_at_the_end_of_a_file_counts(self, tmp_path: Path) -> None:
        path = tmp_path / "screen.txt"
        path.write_text("one", encoding="utf-8")
        with pytest.raises(AssertionError):
            check_snapshot(path, "one\n", environ={})

    def test_a_missing_snapshot_tells_how_to_accept_and_shows_the_screen(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "missing" / "screen.txt"
        with pytest.raises(
            AssertionError, match=r"(?s)no snapshot.*PI_ACCEPT_SNAPSHOTS=1.*the text"
        ):
            check_snapshot(path, "the text\n", environ={})
        assert not path.parent.exists()

    @pytest.mark.parametrize(
        ("accept", "environ"), [(True, {}), (False, {"PI_ACCEPT_SNAPSHOTS": "1", "CI": "false"})]
    )
    def test_accepting_writes_the_file(
        self, tmp_path: Path, accept: bool, environ: dict[str, str]
    ) -> None:
        path = tmp_path / "new" / "screen.txt"
        for text in ("first\n", "second 日\n"):
            check_snapshot(path, text, accept=accept, environ=environ)
            assert path.read_text(encoding="utf-8") == text

    def test_nothing_is_ever_accepted_in_ci(self, tmp_path: Path) -> None:
        path = tmp_path / "screen.txt"
        with pytest.raises(AssertionError, match="no snapshot"):
            check_snapshot(
                path, "text", accept=True, environ={"CI": "true", "PI_ACCEPT_SNAPSHOTS": "1"}
            )
        assert not path.exists()
