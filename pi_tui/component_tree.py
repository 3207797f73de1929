"""What a component is made of, as far as it shows its parts: `children`, `child`, or the entries of a stack."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from pi_tui.component import Renderable
from pi_tui.layout import StackEntry


def parts_of(component: object) -> list[Renderable]:
    """Return the parts of a component, in document order. The entries of a transcript are text, not parts.

    One that fails at being asked has none.
    """
    try:
        return _parts_of(component)
    except Exception:
        return []


def _parts_of(component: object) -> list[Renderable]:
    child = getattr(component, "child", None)
    if child is not None:
        return [child]
    entries = getattr(component, "entries", None)
    if isinstance(entries, list) and entries and isinstance(entries[0], StackEntry):
        return [entry.component for entry in entries]
    children = getattr(component, "children", None)
    return list(children) if isinstance(children, list) else []


def contains(roots: Iterable[object], component: object) -> bool:
    """Tell whether `component` is one of the roots or a part of one; what lies near the top is found first."""
    waiting = deque(roots)
    seen: set[int] = set()  # a component may be part of itself, by mistake
    while waiting:
        found = waiting.popleft()
        if found is component:
            return True
        if id(found) not in seen:
            seen.add(id(found))
            waiting.extend(parts_of(found))
    return False


def refuse_circle(whole: Renderable, part: Renderable) -> None:
    """Raise `ValueError` if `part` is, or holds, what it is to be put into: that could never be drawn."""
    if contains([part], whole):
        raise ValueError(f"{type(part).__name__} cannot be put into itself or a part of itself")


def origin_of(component: Renderable, row: int) -> tuple[Renderable, int]:
    """Return the innermost part that drew a row, as far as those around it know, and which row of it that is."""
    find = getattr(component, "part_at", None)
    part: tuple[Renderable, int] | None = find(row) if find is not None else None
    return (component, row) if part is None else origin_of(*part)
