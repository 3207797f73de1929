"""Who has the keys: one component at a time, and who gets them back.

A visible overlay that was focused last *owns* the input: components below it may be focused for a moment, but
the next input is the overlay's again. What opens in place of something below it, a dialog say, *holds* the
input instead, until it is gone. To give input up an overlay is told so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import Enum

from pi_tui.component import Renderable, tell
from pi_tui.frozen import frozen, slotted
from pi_tui.overlay_stack import Overlay, OverlayStack


class Unset(Enum):
    """The absence of an argument for which `None` has a meaning."""

    UNSET = 0


UNSET = Unset.UNSET


@frozen
class _Holder:
    """What keeps the input from its owner, and whether it could be seen in the tree when it began to."""

    component: Renderable
    was_mounted: bool


@slotted
class _Claim:
    """Who gets the input when nothing holds it: an overlay, or where its holders' end is to lead."""

    owner: Overlay | None = None
    holders: list[_Holder] = field(default_factory=list)
    after: Renderable | Unset | None = UNSET


class Focus:
    """Moves the keys and tells the old component and the new one with their `focused` attribute.

    `is_mounted` tells whether a component is in the tree below the overlays.
    """

    def __init__(self, overlays: OverlayStack, is_mounted: Callable[[Renderable], bool]) -> None:
        self.component: Renderable | None = None
        self._overlays = overlays
        self._is_mounted = is_mounted
        self._claim = _Claim()
        self._held_before: dict[Overlay, _Claim] = {}

    @property
    def is_in_overlay(self) -> bool:
        """Whether an overlay has the keys."""
        return self._overlays.find(self.component) is not None

    @property
    def holder(self) -> Renderable | None:
        """What has the keys in place of an overlay that will have them again."""
        held = any(holder.component is self.component for holder in self._claim.holders)
        return self.component if held else None

    def set(self, component: Renderable | None) -> None:
        """Move the focus to a component, or to nobody. Focusing the same one again is harmless."""
        overlay = self._overlays.find(component)
        if overlay is not None:
            self._own(overlay, component)
        elif self._claim.holders:
            self._set_while_held(component)
        elif component is None:
            self._give_to(None)
        elif self._claim.owner is None or self._is_below(component, self._claim.owner):
            self._move(component)
        else:
            self._hold(component)

    def before_input(self) -> None:
        """Give the input to whom it belongs: visible owners take it back, invisible ones let it go."""
        self.leave_invisible()
        owner = self._claim.owner
        if owner is None or self._claim.holders or owner.holds(self.component):
            return
        if self._overlays.is_visible(owner):
            self._move(owner.component)

    def leave_invisible(self) -> None:
        """Let another have the keys of a focused overlay that does not show; it stays their owner."""
        overlay = self._overlays.find(self.component)
        if overlay is None or self._overlays.is_visible(overlay):
            return
        other = self._overlays.topmost_capturing(but=overlay)
        self._move(other.component if other is not None else self._under(overlay))

    def shown(self, overlay: Overlay) -> None:
        """Take note of an overlay that was just shown; it gets the keys unless it does not capture them."""
        overlay.pre_focus = self.component
        if not overlay.options.non_capturing and self._overlays.is_visible(overlay):
            self.take(overlay)

    def take(self, overlay: Overlay) -> None:
        """Give an overlay the keys and bring it to the front."""
        self._overlays.raise_to_front(overlay)
        if self._overlays.find(self.component) is None and self.component is not None:
            overlay.pre_focus = self.component
        if self._claim.holders:
            self._held_before[overlay] = self._claim
        self._own(overlay, overlay.component)

    def gone(self, overlay: Overlay) -> None:
        """Go on without an overlay that was hidden or removed."""
        if overlay.holds(self.component):
            self._fall_back(overlay)
        elif self._claim.owner is overlay:
            self._claim.owner = self._overlays.topmost_capturing(but=overlay)
        self._held_before.pop(overlay, None)

    def release(self, overlay: Overlay, target: Renderable | Unset | None = UNSET) -> None:
        """Take the keys from an overlay that has them or owns them, for `target` or whoever is next."""
        has_keys = overlay.holds(self.component)
        if not has_keys and self._claim.owner is not overlay:
            return
        if self._claim.holders:
            heir = self._overlays.topmost_capturing(but=overlay)
            self._claim.owner = heir if target is UNSET else None
            self._claim.after = target
        elif not isinstance(target, Unset):
            self._give_to(target)
        elif has_keys:
            self._fall_back(overlay)
        else:
            self._claim.owner = self._overlays.topmost_capturing(but=overlay)

    def _own(self, overlay: Overlay, component: Renderable | None) -> None:
        self._claim = _Claim(overlay)
        self._move(component)

    def _give_to(self, component: Renderable | None) -> None:
        """Move the focus for good; what it was before has no claim any more."""
        self._claim = _Claim(self._overlays.find(component))
        self._move(component)

    def _hold(self, component: Renderable) -> None:
        self._claim.holders.append(_Holder(component, self._is_mounted(component)))
        self._move(component)

    def _set_while_held(self, component: Renderable | None) -> None:
        claim = self._claim
        is_below = claim.owner is not None and self._is_below(component, claim.owner)
        is_return = component is None or is_below or self._holder_index(component) is not None
        before = len(claim.holders)
        if component is None:
            claim.holders.pop()
        claim.holders = [holder for holder in claim.holders if self._still_holds(holder, is_return)]
        if len(claim.holders) < before:
            self._after_holder(component)
            return
        index = self._holder_index(component)
        if index is not None:
            del claim.holders[index + 1 :]
            self._move(component)
        elif is_below or component is None:
            claim.holders = []
            self._move(component)
        else:
            self._hold(component)

    def _still_holds(self, holder: _Holder, is_return: bool) -> bool:
        """Tell whether a holder is still there; one that never was in the tree is gone when focus returns."""
        if self._is_mounted(holder.component):
            return True
        return not holder.was_mounted and not is_return

    def _after_holder(self, component: Renderable | None) -> None:
        """Go on after a holder is gone: to the one under it, to the owner, or to `component`."""
        claim = self._claim
        if claim.holders:
            self._move(claim.holders[-1].component)
        elif not isinstance(claim.after, Unset):
            self._give_to(claim.after)
        elif claim.owner is None:
            self._give_to(component)
        elif self._overlays.is_visible(claim.owner):
            self._own(claim.owner, claim.owner.component)
        else:
            self._move(component)

    def _holder_index(self, component: Renderable | None) -> int | None:
        for index, holder in enumerate(self._claim.holders):
            if holder.component is component:
                return index
        return None

    def _fall_back(self, overlay: Overlay) -> None:
        """Give the keys of an overlay to what held the input before it, the next overlay, or what is under it."""
        held = self._held_before.pop(overlay, _Claim())
        held.holders = [holder for holder in held.holders if self._is_mounted(holder.component)]
        if held.holders:
            held.owner = held.owner if held.owner in self._overlays.entries else None
            self._claim = held
            self._move(held.holders[-1].component)
            return
        other = self._overlays.topmost_capturing(but=overlay)
        target = other.component if other is not None else self._under(overlay)
        if self._claim.owner in (None, overlay):
            self._give_to(target)
        else:  # an owner that does not show waits for it
            self._move(target)

    def _under(self, overlay: Overlay) -> Renderable | None:
        """Return what had the keys before an overlay, invisible overlays passed over."""
        seen = {overlay}
        component = overlay.pre_focus
        while (other := self._overlays.find(component)) is not None:
            if other not in seen and self._overlays.is_visible(other):
                return component
            if other in seen:
                return None
            seen.add(other)
            component = other.pre_focus
        return component

    def _is_below(self, component: Renderable | None, overlay: Overlay) -> bool:
        """Tell whether a component had the keys before an overlay, or before what had them before it."""
        seen: set[Overlay] = set()
        other: Overlay | None = overlay
        while other is not None and other not in seen:
            seen.add(other)
            if component is not None and other.pre_focus is component:
                return True
            other = self._overlays.find(other.pre_focus)
        return False

    def _move(self, component: Renderable | None) -> None:
        old, self.component = self.component, component
        if component is not old and old is not None:
            tell(old, "focused", False)
        if component is not None and component is self.component:
            tell(component, "focused", True)
