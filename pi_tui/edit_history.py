"""What an editor can bring back: undone steps, killed texts, earlier prompts."""

from __future__ import annotations

from typing import Generic, TypeVar

Step = TypeVar("Step")


class KillRing:
    """Killed texts, the newest on top."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def __len__(self) -> int:
        return len(self._texts)

    def push(self, text: str, prepend: bool = False, accumulate: bool = False) -> None:
        """Add `text` as the newest entry, or join it to the newest one with `accumulate`."""
        if not text:
            return
        if accumulate and self._texts:
            newest = self._texts.pop()
            text = text + newest if prepend else newest + text
        self._texts.append(text)

    def peek(self) -> str | None:
        """Return the newest entry."""
        return self._texts[-1] if self._texts else None

    def rotate(self) -> None:
        """Move the newest entry to the far end, so that the next older one is on top."""
        if self._texts:
            self._texts.insert(0, self._texts.pop())


class UndoStack(Generic[Step]):
    """Steps that were done and steps that were undone; what a step is, its owner knows."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []

    def push(self, step: Step) -> None:
        """Record a step; what was undone before can no longer be redone."""
        self._done.append(step)
        self._undone.clear()

    def newest(self) -> Step | None:
        """Return the step that `undo` would return, without moving it."""
        return self._done[-1] if self._done else None

    def undo(self) -> Step | None:
        """Return the step to take back, now waiting to be redone."""
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1]

    def redo(self) -> Step | None:
        """Return the step to do again."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]

    def discard(self) -> Step | None:
        """Remove and return the newest step for good."""
        return self._done.pop() if self._done else None

    def clear(self) -> None:
        """Forget all steps."""
        self._done.clear()
        self._undone.clear()


class History:
    """Earlier prompts, newest first, and which of them is shown."""

    LIMIT = 100

    def __init__(self) -> None:
        self._entries: list[str] = []
        self._shown = -1

    @property
    def browsing(self) -> bool:
        """Whether an entry is shown in place of the draft."""
        return self._shown >= 0

    def add(self, text: str) -> None:
        """Keep `text` trimmed, unless it is blank or equals the newest entry."""
        text = text.strip()
        if text and text not in self._entries[:1]:
            self._entries.insert(0, text)
            del self._entries[self.LIMIT :]

    def take_over(self, other: History) -> None:
        """Have the prompts of another history in place of one's own; none of them is shown."""
        self._entries = list(other._entries)
        self._shown = -1

    def older(self) -> str | None:
        """Step to the next older entry and return it; `None` where there is none."""
        if self._shown + 1 >= len(self._entries):
            return None
        self._shown += 1
        return self._entries[self._shown]

    def newer(self) -> str | None:
        """Step to the next newer entry and return it; `None` means back to the draft."""
        self._shown = max(-1, self._shown - 1)
        return self._entries[self._shown] if self.browsing else None

    def leave(self) -> None:
        """Stop browsing; what is shown is the draft now."""
        self._shown = -1
