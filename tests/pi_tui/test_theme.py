"""Themes: reading them, styling by token, switching, dark and light."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_tui.appearance import (
    appearance_from_colorfgbg,
    appearance_from_colors,
    appearance_from_tokens,
    terminal_appearance,
)
from pi_tui.colors import ColorMode, color_to_hex, parse_color, rgb_color
from pi_tui.markdown_theme import get_markdown_theme
from pi_tui.theme import (
    Theme,
    ThemeHandle,
    get_current_theme,
    get_editor_theme,
    get_select_list_theme,
    set_current_theme,
)
from pi_tui.theme_file import ThemeError, theme_from_dict
from pi_tui.theme_tokens import THEME_TOKENS

OPTIONAL = {
    "scrollbarTrack": "muted",
    "scrollbarThumb": "text",
    "searchMatchBg": "selectedBg",
    "searchMatchText": "text",
    "thinkingMax": "thinkingXhigh",
}
PANELS = {
    "selectedBg",
    "searchMatchBg",
    "userMessageBg",
    "customMessageBg",
    "toolPendingBg",
    "toolSuccessBg",
    "toolErrorBg",
}


def colors_of(**changes: str | int) -> dict[str, object]:
    """The required tokens, light gray on black unless changed."""
    colors: dict[str, object] = {
        token.name: "#000000" if token.slot == "bg" else "#cccccc"
        for token in THEME_TOKENS.values()
        if token.is_required
    }
    return colors | changes


def read(color_mode: ColorMode = "truecolor", **changes: str | int) -> Theme:
    """A theme with a few tokens changed."""
    data = {"name": "test", "colors": colors_of(**changes)}
    return theme_from_dict(data, color_mode=color_mode)


def problems_of(data: object) -> str:
    """What a refused theme is told to be wrong with."""
    with pytest.raises(ThemeError) as caught:
        theme_from_dict(data, color_mode="truecolor", source_path=Path("/themes/mine.json"))
    return str(caught.value)


def test_there_are_56_tokens_of_which_five_have_a_stand_in() -> None:
    assert len(THEME_TOKENS) == 56
    assert {
        token.name: token.fallback for token in THEME_TOKENS.values() if not token.is_required
    } == OPTIONAL
    assert {token.name for token in THEME_TOKENS.values() if token.slot == "bg"} == PANELS


def test_a_token_is_shown_in_its_colour_and_ends_with_it() -> None:
    theme = read(accent="#ff8800", selectedBg=17)
    assert theme.fg("accent", "hi") == "\x1b[38;2;255;136;0mhi\x1b[39m"
    assert theme.bg("selectedBg", "hi") == "\x1b[48;5;17mhi\x1b[49m"
    assert theme.get_fg_ansi("accent") == "\x1b[38;2;255;136;0m"
    assert theme.get_bg_ansi("selectedBg") == "\x1b[48;5;17m"
    assert theme.fg("accent", "") == ""


@pytest.mark.parametrize(
    ("color_mode", "shown"),
    [
        ("truecolor", "\x1b[38;2;255;0;0mhi\x1b[39m"),
        ("256color", "\x1b[38;5;196mhi\x1b[39m"),
        ("16color", "\x1b[91mhi\x1b[39m"),
        ("mono", "hi"),
    ],
)
def test_the_colour_mode_decides_what_is_written(color_mode: ColorMode, shown: str) -> None:
    theme = read(color_mode, error="#ff0000")
    assert theme.color_mode == color_mode
    assert theme.fg("error", "hi") == shown
    assert theme.style("hi", fg="error") == shown


def test_without_colours_attributes_stay() -> None:
    theme = read("mono")
    styled = theme.style("hi", fg="error", bg="toolErrorBg", bold=True, underline=True)
    assert styled == "\x1b[1m\x1b[4mhi\x1b[24m\x1b[22m"
    assert theme.bg("toolErrorBg", "hi") == "hi"
    assert theme.get_fg_ansi("error") == theme.get_bg_ansi("toolErrorBg") == ""


def test_style_opens_everything_once_and_closes_in_reverse() -> None:
    theme = read(text=7, userMessageBg=4)
    styled = theme.style(
        "hi",
        fg="text",
        bg="userMessageBg",
        bold=True,
        dim=True,
        italic=True,
        underline=True,
        inverse=True,
        strikethrough=True,
    )
    assert styled == (
        "\x1b[38;5;7m\x1b[48;5;4m\x1b[1m\x1b[2m\x1b[3m\x1b[4m\x1b[7m\x1b[9mhi"
        "\x1b[29m\x1b[27m\x1b[24m\x1b[23m\x1b[22m\x1b[49m\x1b[39m"
    )
    assert theme.style("hi") == "hi"


def test_single_attributes() -> None:
    theme = read()
    assert theme.bold("x") == "\x1b[1mx\x1b[22m"
    assert theme.italic("x") == "\x1b[3mx\x1b[23m"
    assert theme.underline("x") == "\x1b[4mx\x1b[24m"
    assert theme.inverse("x") == "\x1b[7mx\x1b[27m"
    assert theme.strikethrough("x") == "\x1b[9mx\x1b[29m"


def test_any_colour_can_be_used_in_a_style() -> None:
    theme = read(userMessageBg="#102030")
    panel = theme.colors["userMessageBg"]
    assert theme.style("hi", fg=panel) == "\x1b[38;2;16;32;48mhi\x1b[39m"
    assert theme.style("hi", bg=rgb_color(1, 2, 3)) == "\x1b[48;2;1;2;3mhi\x1b[49m"


def test_an_unknown_token_or_one_of_the_other_slot_is_refused_by_name() -> None:
    theme = read()
    with pytest.raises(ValueError, match="acent"):
        theme.fg("acent", "hi")
    with pytest.raises(ValueError, match="userMessageBg"):
        theme.fg("userMessageBg", "hi")
    with pytest.raises(ValueError, match="accent"):
        theme.bg("accent", "hi")
    with pytest.raises(ValueError, match="toolErrorBg"):
        theme.style("hi", fg="toolErrorBg")
    with pytest.raises(ValueError, match="error"):
        theme.style("hi", bg="error")
    with pytest.raises(ValueError, match="userMessageBg"):
        theme.get_fg_ansi("userMessageBg")
    with pytest.raises(ValueError, match="accent"):
        theme.get_bg_ansi("accent")


def test_an_empty_value_is_the_terminals_own_colour() -> None:
    theme = read(text="", userMessageBg="")
    assert theme.fg("text", "hi") == "\x1b[39mhi\x1b[39m"
    assert theme.bg("userMessageBg", "hi") == "\x1b[49mhi\x1b[49m"


def test_concrete_colours_are_found_by_token_and_by_attribute() -> None:
    theme = read(userMessageBg="#102030", thinkingXhigh="#fedcba")
    assert color_to_hex(theme.colors["userMessageBg"]) == "#102030"
    assert color_to_hex(theme.colors.user_message_bg) == "#102030"
    assert color_to_hex(theme.colors.thinking_xhigh) == "#fedcba"
    assert set(theme.colors) == set(THEME_TOKENS)
    with pytest.raises(ValueError, match="nope"):
        theme.colors["nope"]
    with pytest.raises(AttributeError, match="nope"):
        _ = theme.colors.nope


def test_the_terminals_own_colour_is_guessed_unless_it_is_known() -> None:
    dark = read(text="", userMessageBg="")
    assert color_to_hex(dark.colors.text) == "#e5e5e7"
    assert color_to_hex(dark.colors.user_message_bg) == "#000000"
    data = {"name": "x", "appearance": "light", "colors": colors_of(text="", userMessageBg="")}
    light = theme_from_dict(data, color_mode="truecolor")
    assert color_to_hex(light.colors.text) == "#000000"
    assert color_to_hex(light.colors.user_message_bg) == "#ffffff"
    tokens = dict.fromkeys(THEME_TOKENS)
    known = Theme(
        "known",
        "dark",
        tokens,
        "truecolor",
        default_foreground=parse_color("#aabbcc"),
        default_background=parse_color("#112233"),
    )
    assert color_to_hex(known.colors.accent) == "#aabbcc"
    assert color_to_hex(known.colors.tool_error_bg) == "#112233"


def test_faint_tokens_are_dimmed() -> None:
    tokens = dict.fromkeys(THEME_TOKENS) | {"muted": parse_color("#ffffff")}
    theme = Theme("t", "dark", tokens, "truecolor", faint=frozenset({"muted", "dim"}))
    assert theme.fg("dim", "hi") == "\x1b[39m\x1b[2mhi\x1b[22;39m"
    assert theme.style("hi", fg="dim", bold=True) == "\x1b[39m\x1b[1m\x1b[2mhi\x1b[22m\x1b[39m"
    black, faint, white = (
        sum(map(int, bytes.fromhex(value.removeprefix("#"))))
        for value in ("#000000", color_to_hex(theme.colors.muted), "#ffffff")
    )
    assert black < faint < white
    plain = Theme("t", "dark", tokens, "mono", faint=frozenset({"dim"}))
    assert plain.fg("dim", "hi") == "\x1b[2mhi\x1b[22m"


def test_borders_follow_the_thinking_level_and_bash_mode() -> None:
    theme = read(thinkingOff=1, thinkingHigh=2, thinkingXhigh=3, bashMode=4)
    assert theme.get_thinking_border_color("off")("-") == "\x1b[38;5;1m-\x1b[39m"
    assert theme.get_thinking_border_color("high")("-") == "\x1b[38;5;2m-\x1b[39m"
    assert theme.get_thinking_border_color("max")("-") == "\x1b[38;5;3m-\x1b[39m"
    assert theme.get_thinking_border_color("whatever")("-") == "\x1b[38;5;1m-\x1b[39m"
    assert theme.get_bash_mode_border_color()("-") == "\x1b[38;5;4m-\x1b[39m"


def test_what_was_made_from_a_handle_follows_the_switch() -> None:
    before = read(accent=1, muted=2, text=3, borderMuted=4, thinkingLow=5)
    after = read(accent=11, muted=12, text=13, borderMuted=14, thinkingLow=15)
    handle = ThemeHandle(before)
    editor, choices = get_editor_theme(handle), get_select_list_theme(handle)
    border = handle.get_thinking_border_color("low")
    styles = {
        "accent": [choices.selected_text, editor.select_list.selected_text],
        "text": [choices.text],
        "muted": [choices.description, choices.scroll_info, choices.no_match],
        "borderMuted": [editor.border_color],
        "thinkingLow": [border],
    }
    for theme in (before, after):
        handle.set(theme)
        assert handle.fg("accent", "x") == theme.fg("accent", "x")
        assert handle.colors is theme.colors
        for token, made in styles.items():
            assert {style("x") for style in made} == {theme.fg(token, "x")}
    assert before.fg("accent", "x") == "\x1b[38;5;1mx\x1b[39m"


def test_missing_optional_tokens_copy_their_stand_in() -> None:
    theme = read(muted=1, text=2, selectedBg=3, thinkingXhigh=4)
    for token, stand_in in OPTIONAL.items():
        assert theme.colors[token] == theme.colors[stand_in]
    own = read(muted=1, scrollbarTrack=9)
    assert own.fg("scrollbarTrack", "x") == "\x1b[38;5;9mx\x1b[39m"


def test_values_may_be_variables_of_variables() -> None:
    data = {
        "$schema": "https://example.org/theme.json",
        "name": "chain",
        "vars": {"a": "b", "b": "#123456", "nothing": "", "unused": "missing"},
        "colors": colors_of(accent="a", text="nothing"),
        "export": {"pageBg": "a", "cardBg": 15},
    }
    theme = theme_from_dict(data, color_mode="truecolor", source_path=Path("/themes/chain.json"))
    assert color_to_hex(theme.colors.accent) == "#123456"
    assert theme.get_fg_ansi("text") == "\x1b[39m"
    assert {key: color_to_hex(color) for key, color in theme.export.items()} == {
        "pageBg": "#123456",
        "cardBg": "#ffffff",
    }
    assert (theme.name, theme.source_path) == ("chain", Path("/themes/chain.json"))


def test_a_refused_theme_lists_missing_tokens_first_and_names_its_file() -> None:
    colors = colors_of(accnt=1, text="nope")
    del colors["warning"], colors["accent"]
    lines = problems_of({"name": "x", "colors": colors, "extra": 1}).splitlines()
    assert "/themes/mine.json" in lines[0]
    assert lines[2:4] == ["  accent", "  warning"]
    assert set(lines[4:]) == {
        "extra: unknown key",
        "colors.accnt: unknown token",
        "colors.text: Variable reference not found: nope",
    }


def test_a_cycle_of_variables_is_refused() -> None:
    data = {"name": "x", "vars": {"a": "b", "b": "a"}, "colors": colors_of(accent="a")}
    assert "colors.accent: Circular variable reference detected: a" in problems_of(data)


@pytest.mark.parametrize("value", [256, -1, 1.5, True, None, [1], {}])
def test_a_value_of_another_kind_is_refused(value: object) -> None:
    data = {"name": "x", "vars": {"v": value}, "colors": colors_of() | {"accent": value}}
    lines = problems_of(data).splitlines()[1:]
    assert [line.split(":")[0] for line in lines] == ["vars.v", "colors.accent"]


@pytest.mark.parametrize("value", ["#12", "okhsl(0 120% 50%)", "oklch(120% 0 0)"])
def test_a_wrong_colour_is_not_taken_for_a_variable(value: str) -> None:
    told = problems_of({"name": "x", "colors": colors_of(accent=value)})
    assert f'colors.accent: "{value}" is not a color' in told


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], "one JSON object"),
        ({"colors": colors_of()}, "name: "),
        ({"name": 3, "colors": colors_of()}, "name: "),
        ({"name": "a/b", "colors": colors_of()}, "name: "),
        ({"name": "system", "colors": colors_of()}, "name: "),
        ({"name": "x", "colors": colors_of(), "appearance": "dim"}, "appearance: "),
        ({"name": "x", "colors": colors_of(), "appearance": []}, "appearance: "),
        ({"name": "x", "colors": colors_of(), "vars": []}, "vars: "),
        ({"name": "x", "colors": colors_of(), "export": {"page": 1}}, "export.page: "),
        ({"name": "x", "colors": colors_of(), "export": {"pageBg": "no"}}, "export.pageBg: "),
        ({"name": "x"}, "colors: "),
    ],
)
def test_a_theme_of_the_wrong_shape_is_refused(data: object, told: str) -> None:
    assert told in problems_of(data)


def test_a_theme_made_in_code_must_be_complete() -> None:
    tokens = {token.name: None for token in THEME_TOKENS.values() if token.is_required}
    assert Theme("x", "dark", tokens, "truecolor").fg("thinkingMax", "x")
    with pytest.raises(ValueError, match="nope"):
        Theme("x", "dark", tokens | {"nope": None}, "truecolor")
    del tokens["accent"]
    with pytest.raises(ValueError, match="accent"):
        Theme("x", "dark", tokens, "truecolor")


def test_a_theme_says_or_shows_what_it_is_made_for() -> None:
    dark = colors_of()
    light = {
        token.name: "#ffffff" if token.slot == "bg" else "#333333"
        for token in THEME_TOKENS.values()
    }
    indexed = dict.fromkeys(THEME_TOKENS, 7)

    def appearance(colors: dict[str, object], **more: str) -> str:
        data = {"name": "x", "colors": colors, **more}
        theme = theme_from_dict(data, color_mode="mono", terminal_appearance="light")
        return theme.appearance

    assert appearance(dark) == "dark"
    assert appearance(dict(light)) == "light"
    assert appearance(dark, appearance="light") == "light"
    # Indices of the terminal's own palette do not tell.
    assert appearance(dict(indexed)) == "light"


def test_one_kind_of_colours_is_enough_to_tell() -> None:
    assert appearance_from_tokens({"userMessageBg": parse_color("#222222")}) == "dark"
    assert appearance_from_tokens({"userMessageBg": parse_color("#eeeeee")}) == "light"
    assert appearance_from_tokens({"text": parse_color("#eeeeee"), "accent": None}) == "dark"
    assert appearance_from_tokens({"text": parse_color("#222222")}) == "light"
    assert appearance_from_tokens({"text": None, "accent": parse_color(15)}) is None


@pytest.mark.parametrize(
    ("background", "foreground", "appearance"),
    [
        ("#000000", "#ffffff", "dark"),
        ("#ffffff", "#000000", "light"),
        ("#808080", None, "light"),
        ("#777777", "#ffffff", "light"),
        ("#002b36", "#839496", "dark"),
        ("#fdf6e3", "#657b83", "light"),
        ("#101010", "#101010", "dark"),
    ],
)
def test_a_terminal_is_dark_or_light_by_its_colours(
    background: str, foreground: str | None, appearance: str
) -> None:
    text = parse_color(foreground) if foreground else None
    assert appearance_from_colors(parse_color(background), text) == appearance


def test_colorfgbg_tells_by_its_last_field() -> None:
    dark = {value for value in range(16) if appearance_from_colorfgbg(f"15;{value}") == "dark"}
    assert dark == {0, 1, 2, 3, 4, 5, 6, 8}
    assert appearance_from_colorfgbg("0;default;15") == "light"
    assert appearance_from_colorfgbg("07") == "light"
    for unclear in ("", "15;", "15;default", "0;16", "0;100", "0;-1", "0; 0", "0;٣"):
        assert appearance_from_colorfgbg(unclear) is None


def test_what_the_terminal_reports_counts_more_than_the_environment() -> None:
    white = parse_color("#ffffff")
    assert terminal_appearance(background=white, reported="dark", colorfgbg="15;0") == "light"
    assert terminal_appearance(reported="light", colorfgbg="15;0") == "light"
    assert terminal_appearance(colorfgbg="0;15") == "light"
    assert terminal_appearance(colorfgbg="nonsense") == "dark"
    assert terminal_appearance() == "dark"


def test_a_theme_costs_no_heavy_import() -> None:
    code = (
        "import sys, pi_tui.theme_file\n"
        "print(sorted({'urwid', 'pydantic', 'asyncio', 'wcwidth', 'pi_agent'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_looks_without_a_theme_are_those_of_the_current_one() -> None:
    before = get_current_theme()
    try:
        handle = ThemeHandle(read(accent="#ff0000"))
        set_current_theme(handle)
        looks = get_select_list_theme()
        assert looks.selected_text("x") == "\x1b[38;2;255;0;0mx\x1b[39m"
        assert get_markdown_theme().link("x") == handle.fg("mdLink", "x")
        handle.set(read(accent="#0000ff"))
        assert looks.selected_text("x") == "\x1b[38;2;0;0;255mx\x1b[39m"
        assert get_current_theme() is handle
    finally:
        set_current_theme(before)


def test_until_a_theme_is_set_the_current_one_writes_no_colours() -> None:
    code = "import pi_tui; print(repr(pi_tui.get_settings_list_theme().label('x', True)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "'x'\n"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 300) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
RIGHT = st.sampled_from(["", "#0af", "oklch(62% 0.1 200)", "okhsl(1 2% 3%)", "a", "b"]) | (
    st.integers(0, 255)
)
WRONG: st.SearchStrategy[object] = st.sampled_from(
    ["#12", "oklch(120% 0 0)", "nope", "loop", -1, 256, 1.5, None, True, []]
)
TOKENS = st.sampled_from(sorted(THEME_TOKENS))
VARIABLES = {"a": "b", "b": "#123456", "loop": "pool", "pool": "loop"}


@given(
    st.dictionaries(TOKENS, RIGHT, max_size=6),
    st.dictionaries(TOKENS, WRONG, max_size=4),
    st.sets(TOKENS, max_size=4),
    st.sets(st.sampled_from(["accnt", "Accent", "x"])),
)
def test_everything_that_is_wrong_with_a_theme_is_named(
    right: dict[str, object], wrong: dict[str, object], left_out: set[str], extra: set[str]
) -> None:
    colors = {**colors_of(), **right, **wrong, **dict.fromkeys(extra, "#fff")}
    colors = {token: value for token, value in colors.items() if token not in left_out}
    data = {"name": "test", "vars": VARIABLES, "colors": colors}
    missing = sorted(token for token in left_out if THEME_TOKENS[token].is_required)
    bad = {token for token in wrong if token not in left_out}
    if not (missing or bad or extra):
        theme = theme_from_dict(data, color_mode="truecolor")
        assert all(theme.colors[token] for token in THEME_TOKENS)
        return
    told = problems_of(data).splitlines()
    assert told[0] == "Theme file /themes/mine.json is not valid:"
    if missing:
        assert told[1:][: len(missing) + 1] == [
            "Missing required tokens:",
            *(f"  {token}" for token in missing),
        ]
    rest = told[len(missing) + 2 if missing else 1 :]
    assert {line.partition(":")[0] for line in rest} == {
        f"colors.{token}" for token in (*bad, *extra)
    }


@given(
    JSON_VALUES
    | st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("$schema", "name", "appearance", "vars", "colors", "export", "x"), JSON_VALUES
        ),
    )
)
def test_any_json_is_a_theme_or_is_refused_in_words(data: object) -> None:
    assert "is not valid" in problems_of(data)
