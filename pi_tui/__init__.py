"""A toolkit for full-screen terminal programs. Each of these names is loaded on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pi_tui.abort import AbortController, AbortError, AbortSignal
    from pi_tui.ansi import (
        get_active_background,
        hyperlink,
        replace_control_characters,
        sanitize_output,
        strip_terminal_sequences,
    )
    from pi_tui.app import TUI
    from pi_tui.autocomplete import (
        AutocompleteItem,
        AutocompleteProvider,
        CommandAutocompleteProvider,
        Completion,
        SlashCommand,
        Suggestions,
    )
    from pi_tui.capabilities import (
        CapabilityOverrides,
        TerminalCapabilities,
        detect_capabilities,
        get_capabilities,
        reset_capabilities_cache,
        set_capabilities,
        set_capability_overrides,
    )
    from pi_tui.cell_size import get_cell_size, set_cell_size
    from pi_tui.choices import SelectItem, get_select_page_index
    from pi_tui.color_depth import get_terminal_color_mode
    from pi_tui.color_query import TerminalColors
    from pi_tui.colors import Color, ColorMode, parse_color, rgb_color
    from pi_tui.combined_autocomplete import CombinedAutocompleteProvider
    from pi_tui.component import (
        CURSOR_MARKER,
        Component,
        ComponentHost,
        Focusable,
        Renderable,
        is_focusable,
        render_child,
        render_fake_cursor,
    )
    from pi_tui.component_themes import (
        DiffTheme,
        KeyHintsTheme,
        ProgressTheme,
        TabsTheme,
        get_diff_theme,
        get_key_hints_theme,
        get_progress_theme,
        get_tabs_theme,
    )
    from pi_tui.components.container import Container
    from pi_tui.events import (
        FocusEvent,
        InputEvent,
        KeyEvent,
        MouseEvent,
        MouseResult,
        PasteEvent,
        ResizeEvent,
    )
    from pi_tui.figures import format_bytes, format_count, format_seconds
    from pi_tui.frame import Frame
    from pi_tui.fullscreen import TuiAltScreen, is_viewport_tui
    from pi_tui.fuzzy import fuzzy_filter, fuzzy_match
    from pi_tui.highlight import get_language_from_path, highlight_code
    from pi_tui.image_header import ImageSize, image_size, image_type
    from pi_tui.image_transcoder import set_image_transcoder
    from pi_tui.interop import ComponentWidget, UrwidWidget, paste_input_filter
    from pi_tui.key_parser import parse_key
    from pi_tui.keybindings import (
        TUI_KEYBINDINGS,
        KeybindingDefinition,
        KeybindingsManager,
        get_keybindings,
        key_display_text,
        key_text,
        set_keybindings,
    )
    from pi_tui.keys import Key, matches_key
    from pi_tui.known_terminals import ImageProtocol
    from pi_tui.latex import render_latex
    from pi_tui.layout import StackEntry, Viewport
    from pi_tui.markdown_theme import MarkdownTextStyle, MarkdownTheme, get_markdown_theme
    from pi_tui.mouse_delivery import deliver_mouse
    from pi_tui.overlay import OverlayAnchor, OverlayBounds, OverlayOptions
    from pi_tui.overlay_handle import OverlayHandle
    from pi_tui.paint import composite_line, is_image_line
    from pi_tui.plain_screen import TuiPlainScreen
    from pi_tui.problems import LineTooWideError
    from pi_tui.program_status import BlockedKind, ProgramState
    from pi_tui.regular import TuiMainScreen
    from pi_tui.selectable_rows import SelectableRows
    from pi_tui.sixel_images import set_sixel_encoder
    from pi_tui.system_theme import SystemColors, theme_from_colors
    from pi_tui.terminal import ProcessTerminal
    from pi_tui.terminal_protocol import Terminal
    from pi_tui.theme import (
        EditorTheme,
        SelectListTheme,
        SettingsListTheme,
        Theme,
        ThemeHandle,
        get_current_theme,
        get_editor_theme,
        get_select_list_theme,
        get_settings_list_theme,
        set_current_theme,
    )
    from pi_tui.theme_file import ThemeError, theme_from_dict
    from pi_tui.theme_tokens import THEME_TOKENS
    from pi_tui.width import (
        extract_segments,
        get_grapheme_cell_range,
        get_osc8_link_at_column,
        iter_graphemes,
        normalize_terminal_output,
        slice_by_column,
        slice_with_width,
        truncate_to_width,
        visible_width,
    )
    from pi_tui.window import Anchor, Windowed
    from pi_tui.wrap import apply_background_to_line, wrap_text_with_ansi

__all__ = [
    "CURSOR_MARKER",
    "THEME_TOKENS",
    "TUI",
    "TUI_KEYBINDINGS",
    "AbortController",
    "AbortError",
    "AbortSignal",
    "Anchor",
    "AutocompleteItem",
    "AutocompleteProvider",
    "BlockedKind",
    "CapabilityOverrides",
    "Color",
    "ColorMode",
    "CombinedAutocompleteProvider",
    "CommandAutocompleteProvider",
    "Completion",
    "Component",
    "ComponentHost",
    "ComponentWidget",
    "Container",
    "DiffTheme",
    "EditorTheme",
    "FocusEvent",
    "Focusable",
    "Frame",
    "ImageProtocol",
    "ImageSize",
    "InputEvent",
    "Key",
    "KeyEvent",
    "KeyHintsTheme",
    "KeybindingDefinition",
    "KeybindingsManager",
    "LineTooWideError",
    "MarkdownTextStyle",
    "MarkdownTheme",
    "MouseEvent",
    "MouseResult",
    "OverlayAnchor",
    "OverlayBounds",
    "OverlayHandle",
    "OverlayOptions",
    "PasteEvent",
    "ProcessTerminal",
    "ProgramState",
    "ProgressTheme",
    "Renderable",
    "ResizeEvent",
    "SelectItem",
    "SelectListTheme",
    "SelectableRows",
    "SettingsListTheme",
    "SlashCommand",
    "StackEntry",
    "Suggestions",
    "SystemColors",
    "TabsTheme",
    "Terminal",
    "TerminalCapabilities",
    "TerminalColors",
    "Theme",
    "ThemeError",
    "ThemeHandle",
    "TuiAltScreen",
    "TuiMainScreen",
    "TuiPlainScreen",
    "UrwidWidget",
    "Viewport",
    "Windowed",
    "apply_background_to_line",
    "composite_line",
    "deliver_mouse",
    "detect_capabilities",
    "extract_segments",
    "format_bytes",
    "format_count",
    "format_seconds",
    "fuzzy_filter",
    "fuzzy_match",
    "get_active_background",
    "get_capabilities",
    "get_cell_size",
    "get_current_theme",
    "get_diff_theme",
    "get_editor_theme",
    "get_grapheme_cell_range",
    "get_key_hints_theme",
    "get_keybindings",
    "get_language_from_path",
    "get_markdown_theme",
    "get_osc8_link_at_column",
    "get_progress_theme",
    "get_select_list_theme",
    "get_select_page_index",
    "get_settings_list_theme",
    "get_tabs_theme",
    "get_terminal_color_mode",
    "highlight_code",
    "hyperlink",
    "image_size",
    "image_type",
    "is_focusable",
    "is_image_line",
    "is_viewport_tui",
    "iter_graphemes",
    "key_display_text",
    "key_text",
    "matches_key",
    "normalize_terminal_output",
    "parse_color",
    "parse_key",
    "paste_input_filter",
    "render_child",
    "render_fake_cursor",
    "render_latex",
    "replace_control_characters",
    "reset_capabilities_cache",
    "rgb_color",
    "sanitize_output",
    "set_capabilities",
    "set_capability_overrides",
    "set_cell_size",
    "set_current_theme",
    "set_image_transcoder",
    "set_keybindings",
    "set_sixel_encoder",
    "slice_by_column",
    "slice_with_width",
    "strip_terminal_sequences",
    "theme_from_colors",
    "theme_from_dict",
    "truncate_to_width",
    "visible_width",
    "wrap_text_with_ansi",
]

_HOMES: Final = {
    "CURSOR_MARKER": "pi_tui.component",
    "THEME_TOKENS": "pi_tui.theme_tokens",
    "TUI": "pi_tui.app",
    "TUI_KEYBINDINGS": "pi_tui.keybindings",
    "AbortController": "pi_tui.abort",
    "AbortError": "pi_tui.abort",
    "AbortSignal": "pi_tui.abort",
    "Anchor": "pi_tui.window",
    "AutocompleteItem": "pi_tui.autocomplete",
    "AutocompleteProvider": "pi_tui.autocomplete",
    "BlockedKind": "pi_tui.program_status",
    "CapabilityOverrides": "pi_tui.capabilities",
    "Color": "pi_tui.colors",
    "ColorMode": "pi_tui.colors",
    "CombinedAutocompleteProvider": "pi_tui.combined_autocomplete",
    "CommandAutocompleteProvider": "pi_tui.autocomplete",
    "Completion": "pi_tui.autocomplete",
    "Component": "pi_tui.component",
    "ComponentHost": "pi_tui.component",
    "ComponentWidget": "pi_tui.interop",
    "Container": "pi_tui.components.container",
    "DiffTheme": "pi_tui.component_themes",
    "EditorTheme": "pi_tui.theme",
    "FocusEvent": "pi_tui.events",
    "Focusable": "pi_tui.component",
    "Frame": "pi_tui.frame",
    "ImageProtocol": "pi_tui.known_terminals",
    "ImageSize": "pi_tui.image_header",
    "InputEvent": "pi_tui.events",
    "Key": "pi_tui.keys",
    "KeyEvent": "pi_tui.events",
    "KeyHintsTheme": "pi_tui.component_themes",
    "KeybindingDefinition": "pi_tui.keybindings",
    "KeybindingsManager": "pi_tui.keybindings",
    "LineTooWideError": "pi_tui.problems",
    "MarkdownTextStyle": "pi_tui.markdown_theme",
    "MarkdownTheme": "pi_tui.markdown_theme",
    "MouseEvent": "pi_tui.events",
    "MouseResult": "pi_tui.events",
    "OverlayAnchor": "pi_tui.overlay",
    "OverlayBounds": "pi_tui.overlay",
    "OverlayHandle": "pi_tui.overlay_handle",
    "OverlayOptions": "pi_tui.overlay",
    "PasteEvent": "pi_tui.events",
    "ProcessTerminal": "pi_tui.terminal",
    "ProgressTheme": "pi_tui.component_themes",
    "ProgramState": "pi_tui.program_status",
    "Renderable": "pi_tui.component",
    "ResizeEvent": "pi_tui.events",
    "SelectItem": "pi_tui.choices",
    "SelectListTheme": "pi_tui.theme",
    "SelectableRows": "pi_tui.selectable_rows",
    "SettingsListTheme": "pi_tui.theme",
    "SlashCommand": "pi_tui.autocomplete",
    "StackEntry": "pi_tui.layout",
    "Suggestions": "pi_tui.autocomplete",
    "SystemColors": "pi_tui.system_theme",
    "TabsTheme": "pi_tui.component_themes",
    "Terminal": "pi_tui.terminal_protocol",
    "TerminalCapabilities": "pi_tui.capabilities",
    "TerminalColors": "pi_tui.color_query",
    "Theme": "pi_tui.theme",
    "ThemeError": "pi_tui.theme_file",
    "ThemeHandle": "pi_tui.theme",
    "TuiAltScreen": "pi_tui.fullscreen",
    "TuiMainScreen": "pi_tui.regular",
    "TuiPlainScreen": "pi_tui.plain_screen",
    "UrwidWidget": "pi_tui.interop",
    "Viewport": "pi_tui.layout",
    "Windowed": "pi_tui.window",
    "apply_background_to_line": "pi_tui.wrap",
    "composite_line": "pi_tui.paint",
    "deliver_mouse": "pi_tui.mouse_delivery",
    "detect_capabilities": "pi_tui.capabilities",
    "extract_segments": "pi_tui.width",
    "format_bytes": "pi_tui.figures",
    "format_count": "pi_tui.figures",
    "format_seconds": "pi_tui.figures",
    "fuzzy_filter": "pi_tui.fuzzy",
    "fuzzy_match": "pi_tui.fuzzy",
    "get_active_background": "pi_tui.ansi",
    "get_capabilities": "pi_tui.capabilities",
    "get_current_theme": "pi_tui.theme",
    "get_diff_theme": "pi_tui.component_themes",
    "get_cell_size": "pi_tui.cell_size",
    "get_editor_theme": "pi_tui.theme",
    "get_grapheme_cell_range": "pi_tui.width",
    "get_key_hints_theme": "pi_tui.component_themes",
    "get_keybindings": "pi_tui.keybindings",
    "get_language_from_path": "pi_tui.highlight",
    "get_markdown_theme": "pi_tui.markdown_theme",
    "get_osc8_link_at_column": "pi_tui.width",
    "get_progress_theme": "pi_tui.component_themes",
    "get_select_list_theme": "pi_tui.theme",
    "get_select_page_index": "pi_tui.choices",
    "get_settings_list_theme": "pi_tui.theme",
    "get_tabs_theme": "pi_tui.component_themes",
    "get_terminal_color_mode": "pi_tui.color_depth",
    "highlight_code": "pi_tui.highlight",
    "hyperlink": "pi_tui.ansi",
    "image_size": "pi_tui.image_header",
    "image_type": "pi_tui.image_header",
    "is_focusable": "pi_tui.component",
    "is_image_line": "pi_tui.paint",
    "is_viewport_tui": "pi_tui.fullscreen",
    "iter_graphemes": "pi_tui.width",
    "key_display_text": "pi_tui.keybindings",
    "key_text": "pi_tui.keybindings",
    "matches_key": "pi_tui.keys",
    "normalize_terminal_output": "pi_tui.width",
    "parse_color": "pi_tui.colors",
    "parse_key": "pi_tui.key_parser",
    "paste_input_filter": "pi_tui.interop",
    "render_child": "pi_tui.component",
    "render_latex": "pi_tui.latex",
    "render_fake_cursor": "pi_tui.component",
    "replace_control_characters": "pi_tui.ansi",
    "reset_capabilities_cache": "pi_tui.capabilities",
    "rgb_color": "pi_tui.colors",
    "sanitize_output": "pi_tui.ansi",
    "set_capabilities": "pi_tui.capabilities",
    "set_capability_overrides": "pi_tui.capabilities",
    "set_cell_size": "pi_tui.cell_size",
    "set_current_theme": "pi_tui.theme",
    "set_image_transcoder": "pi_tui.image_transcoder",
    "set_keybindings": "pi_tui.keybindings",
    "set_sixel_encoder": "pi_tui.sixel_images",
    "slice_by_column": "pi_tui.width",
    "slice_with_width": "pi_tui.width",
    "strip_terminal_sequences": "pi_tui.ansi",
    "theme_from_colors": "pi_tui.system_theme",
    "theme_from_dict": "pi_tui.theme_file",
    "truncate_to_width": "pi_tui.width",
    "visible_width": "pi_tui.width",
    "wrap_text_with_ansi": "pi_tui.wrap",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
