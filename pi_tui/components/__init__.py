"""Built-in components, one file each, named after the class. Each is loaded on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pi_tui.components.box import Box
    from pi_tui.components.cancellable_loader import CancellableLoader
    from pi_tui.components.command_palette import CommandPalette, PaletteCommand
    from pi_tui.components.diff_view import DiffView
    from pi_tui.components.editor import Editor
    from pi_tui.components.hstack import HStack
    from pi_tui.components.image import Image, ImageOptions, ImageTheme
    from pi_tui.components.input import Input
    from pi_tui.components.key_hints import KeyHint, KeyHints
    from pi_tui.components.loader import Indicator, Loader
    from pi_tui.components.markdown import Markdown, MarkdownOptions
    from pi_tui.components.mouse_region import MouseRegion
    from pi_tui.components.progress import Progress
    from pi_tui.components.scroll_view import ScrollView
    from pi_tui.components.select_list import SelectList, SelectListLayout
    from pi_tui.components.settings_list import SettingItem, SettingsList
    from pi_tui.components.spacer import Spacer
    from pi_tui.components.split import Split
    from pi_tui.components.stack import VStack
    from pi_tui.components.table import Table
    from pi_tui.components.tabs import Tab, Tabs
    from pi_tui.components.text import Text
    from pi_tui.components.transcript import Transcript
    from pi_tui.components.tree import Tree, TreeNode
    from pi_tui.components.truncated_text import TruncatedText
    from pi_tui.table_columns import Column

__all__ = [
    "Box",
    "CancellableLoader",
    "Column",
    "CommandPalette",
    "DiffView",
    "Editor",
    "HStack",
    "Image",
    "ImageOptions",
    "ImageTheme",
    "Indicator",
    "Input",
    "KeyHint",
    "KeyHints",
    "Loader",
    "Markdown",
    "MarkdownOptions",
    "MouseRegion",
    "PaletteCommand",
    "Progress",
    "ScrollView",
    "SelectList",
    "SelectListLayout",
    "SettingItem",
    "SettingsList",
    "Spacer",
    "Split",
    "Tab",
    "Table",
    "Tabs",
    "Text",
    "Transcript",
    "Tree",
    "TreeNode",
    "TruncatedText",
    "VStack",
]

_HOMES: Final = {
    "Box": "pi_tui.components.box",
    "CancellableLoader": "pi_tui.components.cancellable_loader",
    "Column": "pi_tui.table_columns",
    "CommandPalette": "pi_tui.components.command_palette",
    "DiffView": "pi_tui.components.diff_view",
    "Editor": "pi_tui.components.editor",
    "HStack": "pi_tui.components.hstack",
    "Image": "pi_tui.components.image",
    "ImageOptions": "pi_tui.components.image",
    "ImageTheme": "pi_tui.components.image",
    "Indicator": "pi_tui.components.loader",
    "Input": "pi_tui.components.input",
    "KeyHint": "pi_tui.components.key_hints",
    "KeyHints": "pi_tui.components.key_hints",
    "Loader": "pi_tui.components.loader",
    "Markdown": "pi_tui.components.markdown",
    "MarkdownOptions": "pi_tui.components.markdown",
    "MouseRegion": "pi_tui.components.mouse_region",
    "PaletteCommand": "pi_tui.components.command_palette",
    "Progress": "pi_tui.components.progress",
    "ScrollView": "pi_tui.components.scroll_view",
    "SelectList": "pi_tui.components.select_list",
    "SelectListLayout": "pi_tui.components.select_list",
    "SettingItem": "pi_tui.components.settings_list",
    "SettingsList": "pi_tui.components.settings_list",
    "Spacer": "pi_tui.components.spacer",
    "Split": "pi_tui.components.split",
    "Tab": "pi_tui.components.tabs",
    "Table": "pi_tui.components.table",
    "Tabs": "pi_tui.components.tabs",
    "Text": "pi_tui.components.text",
    "Transcript": "pi_tui.components.transcript",
    "Tree": "pi_tui.components.tree",
    "TreeNode": "pi_tui.components.tree",
    "TruncatedText": "pi_tui.components.truncated_text",
    "VStack": "pi_tui.components.stack",
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
