"""What `/settings` shows: a list of settings in the editor's place; changes are made and saved at once."""

from __future__ import annotations

from pi_agent.base.errors import PiError
from pi_agent.llm.model import THINKING_LEVELS
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.dialogs.framed import FramedDialog
from pi_agent.ui.dialogs.settings import (
    SETTING_ROWS,
    SettingRow,
    about,
    parsed_value,
    shown_value,
    values_of,
)
from pi_agent.ui.dialogs.theme_menu import ThemeMenu
from pi_tui.component import Renderable
from pi_tui.components.settings_list import Done, SettingItem, SettingsList
from pi_tui.theme import get_settings_list_theme

_MOST_SHOWN = 10
_BY_KEY = {row.key: row for row in SETTING_ROWS}


class SettingsScreen:
    """The list, while it is shown."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host
        self._settings = host.app.settings

    def show(self) -> None:
        """Show the list in the editor's place."""
        screen = self._host.app.screen
        shown = SettingsList(
            [self._item(row) for row in SETTING_ROWS],
            _MOST_SHOWN,
            get_settings_list_theme(screen.theme),
            self._change,
            lambda: screen.close_dialog(dialog),
            enable_search=True,
        )
        dialog = FramedDialog("Settings", shown, screen.theme)
        screen.show_dialog(dialog)

    def _item(self, row: SettingRow) -> SettingItem:
        item = SettingItem(row.key, row.label, shown_value(self._settings, row), about(row))
        if row.key == "theme":
            item.submenu = self._themes
        else:
            item.values = values_of(row)
        return item

    def _themes(self, current: str, done: Done) -> Renderable:
        """Offer the themes; that of before is back when nothing is chosen."""
        theming = self._host.app.theming
        theming.catalog.refresh()
        before = theming.choice.setting

        def end(chosen: str | None) -> None:
            if chosen is None:
                theming.choose(before)
            done(chosen)

        return ThemeMenu(
            theming.catalog.own_names,
            current,
            self._host.app.theme,
            preview=theming.choose,
            done=end,
        )

    def _change(self, key: str, shown: str) -> None:
        self._host.app.start_task(self._save(_BY_KEY[key], shown))

    async def _save(self, row: SettingRow, shown: str) -> None:
        services = self._host.services
        try:
            if row.key == "defaultThinkingLevel" and services is not None:
                level = next(level for level in THINKING_LEVELS if level == shown)
                await services.conversation.set_thinking_level(level, persist=True)
                self._host.update_footer()
            else:
                await self._settings.save({row.key: parsed_value(row, shown)})
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
