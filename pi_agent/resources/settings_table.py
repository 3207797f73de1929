"""Every setting: its key, what it may be, what it is without a choice, and what it does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from pi_tui.frozen import frozen


@frozen
class Kind:
    """What a setting's value may be. Several may be allowed: a whole number from `low` on, or one of `words`."""

    flag: bool = False
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    text: bool = False
    texts: bool = False
    levels: bool = False
    objects: bool = False

    def accepts(self, value: object) -> bool:
        """Whether `value`, as JSON has it, is one."""
        if isinstance(value, bool):
            return self.flag
        if isinstance(value, int | float):
            return self._is_in_range(value)
        if isinstance(value, str):
            return value in self.words or (self.text and bool(value.strip()))
        if isinstance(value, list):
            return self.texts and all(isinstance(each, str) for each in value)
        if isinstance(value, dict):
            # What is in objects of objects is checked by whoever reads it.
            return self.objects or (
                self.levels and all(each in THINKING_LEVELS for each in value.values())
            )
        return False

    @property
    def expected(self) -> str:
        """What a value may be, in words."""
        forms = ["true or false"] if self.flag else []
        if self.low is not None:
            end = (
                f"from {self.low} to {self.high}"
                if self.high is not None
                else f"of {self.low} or more"
            )
            forms.append(f"a whole number {end}")
        if self.words:
            forms.append(" or ".join(json.dumps(word) for word in self.words))
        forms += ["a text"] if self.text else []
        forms += ["a list of texts"] if self.texts else []
        forms += ["an object of levels"] if self.levels else []
        forms += ["an object of objects"] if self.objects else []
        return ", or ".join(forms)

    def _is_in_range(self, value: float) -> bool:
        if self.low is None or value % 1:
            return False
        return self.low <= value and (self.high is None or value <= self.high)


@frozen
class Setting:
    """One setting. `key` has dots where the file has objects inside objects; `None` is no choice."""

    key: str
    kind: Kind
    default: object
    help: str


THINKING_LEVELS: Final = ("off", "minimal", "low", "medium", "high", "xhigh", "max")

_FLAG: Final = Kind(flag=True)
_TEXT: Final = Kind(text=True)
_QUEUE: Final = Kind(words=("one-at-a-time", "all"))
_COUNT: Final = Kind(low=0)
_BUDGET: Final = Kind(low=1)
_QUIET: Final = Kind(flag=True, words=("header",))
_SCREEN: Final = Kind(words=("fullscreen", "regular"))
_EXIT: Final = Kind(words=("transcript", "resume-hint"))
_BAR: Final = Kind(words=("auto", "always", "hidden"))
_COMMANDS: Final = Kind(words=("ask", "always"))
_KNOWN: Final = Kind(flag=True, words=("auto",))
_PICTURES: Final = Kind(words=("auto", "kitty", "iterm2", "sixel", "none"))
_ESCAPE: Final = Kind(words=("tree", "fork", "none"))
_TREE: Final = Kind(words=("default", "no-tools", "user-only", "labeled-only", "all"))
_WARMING: Final = Kind(words=("off", "streaming", "idle"))
_WHEEL: Final = Kind(low=1, high=100, words=("auto",))

SETTINGS: Final = (
    Setting("defaultProvider", _TEXT, None, "provider of the model to start with"),
    Setting("defaultModel", _TEXT, None, "model to start with: its id, or `provider/id` without `defaultProvider`"),
    Setting("enabledModels", Kind(texts=True), None, "models to go through with Ctrl+P, as patterns"),
    Setting("defaultThinkingLevel", Kind(words=THINKING_LEVELS), "medium", "how long a model thinks"),
    Setting("modelThinkingLevels", Kind(levels=True), None, "how long single models think, by `provider/id`"),
    Setting("thinkingBudgets.minimal", _BUDGET, 1024, "tokens to think with, for models that count them"),
    Setting("thinkingBudgets.low", _BUDGET, 2048, "the same for `low`"),
    Setting("thinkingBudgets.medium", _BUDGET, 8192, "the same for `medium`"),
    Setting("thinkingBudgets.high", _BUDGET, 16_384, "the same for `high` and above"),
    Setting("hideThinkingBlock", _FLAG, False, "show a line in place of the model's thinking"),
    Setting("defaultTools", Kind(texts=True), None, "tools that are on, or `+name` and `-name` to change those"),
    Setting("extensions", Kind(texts=True), None, "extensions that ship with pi to leave out, as `-builtin:NAME`"),
    Setting("steeringMode", _QUEUE, "one-at-a-time", "what a working model gets of the messages sent meanwhile"),
    Setting("followUpMode", _QUEUE, "one-at-a-time", "what it gets of the messages for afterwards"),
    Setting("doubleEscapeAction", _ESCAPE, "tree", "what Escape does when pressed twice in an empty editor"),
    Setting("treeFilterMode", _TREE, "default", "which entries `/tree` shows at first"),
    Setting("branchSummary.skipPrompt", _FLAG, False, "`/tree` does not ask for a summary, and makes none"),
    Setting("externalEditor", _TEXT, None, "editor for Ctrl+G; else `$VISUAL`, `$EDITOR` or `nano`"),
    Setting("sessionDir", _TEXT, None, "folder that all sessions are kept in, from the current folder on"),
    Setting("theme", _TEXT, None, "colors: `system` (the terminal's), `light`, `dark`, `light/dark`, or one of yours"),
    Setting("themes", Kind(texts=True), None, "more theme files and folders; `!*-old.json` or `-path` leaves some out"),
    Setting("quietStartup", _QUIET, False, "leave out the header and what was loaded; `header` leaves the header"),
    Setting("tuiMode", _SCREEN, "fullscreen", "`regular` is the terminal's own scrollback; from the next start on"),
    Setting("plain", _FLAG, False, "text for screen readers, as with `--plain`; from the next start on"),
    Setting("fullscreenExitOutput", _EXIT, "transcript", "what is left on the terminal at the end"),
    Setting("mouse", _FLAG, True, "scroll, click and select here; else the mouse is the terminal's"),
    Setting("fullscreenScrollbar", _BAR, "auto", "when the scrollbar shows; `auto` while one scrolls"),
    Setting("fullscreenCopyOnSelect", _FLAG, True, "copy what the mouse selects"),
    Setting("fullscreenWheelScrollLines", _WHEEL, "auto", "rows that a step of the wheel goes"),
    Setting("editorPaddingX", Kind(low=0, high=3), 0, "columns that are kept free beside what one types"),
    Setting("autocompleteMaxVisible", Kind(low=3, high=20), 5, "suggestions that are shown at a time"),
    Setting("terminal.clearOnShrink", _FLAG, False, "keep the `regular` screen free of blank rows at its end"),
    Setting("terminal.showTerminalProgress", _FLAG, False, "show in the window's frame or tab that pi works"),
    Setting("terminal.hyperlinks", _KNOWN, "auto", "make links of links; `auto` where the terminal is known to"),
    Setting("terminal.imageWidthCells", Kind(low=1, high=1000), 60, "how many columns wide a picture is at most"),
    Setting("terminal.images", _PICTURES, "auto", "how pictures are sent to the terminal"),
    Setting("terminal.showImages", _FLAG, True, "draw the pictures of tools and messages where the terminal can"),
    Setting("terminal.trueColor", _KNOWN, "auto", "write all colors; `auto` where the terminal is known to show them"),
    Setting("showHardwareCursor", _FLAG, False, "show the terminal's own cursor where one types"),
    Setting("images.blockImages", _FLAG, False, "send no pictures to models, whether they take them or not"),
    Setting("httpProxy", _TEXT, None, "address of the proxy for all requests"),
    Setting("httpIdleTimeoutMs", Kind(low=0, words=("disabled",)), 300_000, "milliseconds that a server may be silent"),
    Setting("retry.enabled", _FLAG, True, "ask again after a failure that may pass"),
    Setting("retry.maxRetries", _COUNT, 3, "how often"),
    Setting("retry.baseDelayMs", _COUNT, 2000, "milliseconds before the second attempt; they double each time"),
    Setting("retry.maxAgentDelayMs", _COUNT, 60_000, "the longest wait"),
    Setting("retry.provider.timeoutMs", Kind(low=1), None, "milliseconds that an answer may take to begin"),
    Setting("retry.provider.maxRetries", _COUNT, 0, "how often a request is sent again before it counts as failed"),
    Setting("retry.provider.maxRetryDelayMs", _COUNT, 60_000, "the longest wait that a server may ask for"),
    Setting("cacheWarming", _WARMING, "idle", "when pi keeps a long prompt in the provider's cache, where that pays"),
    Setting("showCacheMissNotices", _FLAG, False, "tell when a long prompt was not in the cache, and was kept there"),
    Setting("compaction.enabled", _FLAG, True, "summarise what was said longest ago when the context is nearly full"),
    Setting("compaction.reserveTokens", _COUNT, 16_384, "tokens of the model's window that are kept free"),
    Setting("compaction.keepRecentTokens", _COUNT, 20_000, "tokens of the newest messages that are kept as they are"),
    Setting("compaction.modelOverrides", Kind(objects=True), None, "these two for single models, by `provider/id`"),
    Setting("branchSummary.reserveTokens", _COUNT, 16_384, "the same for the summary of a branch that is left"),
    Setting("localModel.commands", _COMMANDS, "ask", "whether pi asks before a command of the built-in model"),
    Setting("shellPath", _TEXT, None, "shell that runs commands"),
    Setting("shellCommandPrefix", _TEXT, None, "what stands in front of every command, on a line of its own"),
)  # fmt: skip

BY_KEY: Final[Mapping[str, Setting]] = {setting.key: setting for setting in SETTINGS}
