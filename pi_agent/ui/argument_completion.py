"""What extensions offer for the arguments of their commands."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence

from pi_agent.extensions.owner import Owner
from pi_tui.autocomplete import AutocompleteItem

PATIENCE_SECONDS = 5.0

Offer = Callable[[str], object]
Complete = Callable[[str], Awaitable[Sequence[AutocompleteItem]]]


def complete_argument(
    name: str, offer: Offer | None, owner: Owner, patience: float = PATIENCE_SECONDS
) -> Complete | None:
    """Return what offers arguments of `/name`, if anything does. A failure offers nothing and is told once."""
    if offer is None:
        return None
    guard = owner.guard(f"completing /{name}")

    async def ask(typed: str) -> Sequence[AutocompleteItem]:
        offered = offer(typed)
        if inspect.isawaitable(offered):
            offered = await answer_of(offered, "get_argument_completions", patience)
        return _checked(offered)

    async def complete(typed: str) -> Sequence[AutocompleteItem]:
        return (await guard.run(ask(typed))).value or ()

    return complete


async def answer_of(asked: Awaitable[object], what: str, patience: float) -> object:
    """Return the answer; raise `TimeoutError` when it does not come, even if `asked` takes no notice of that."""
    asking = asyncio.ensure_future(asked)
    try:
        await asyncio.wait({asking}, timeout=patience)
        if not asking.done():
            raise TimeoutError(f"{what} gave no answer within {patience:g} seconds")
        return asking.result()
    finally:
        asking.cancel()


def is_item(item: object) -> bool:
    """Whether something that an extension offers can be shown and chosen."""
    if not isinstance(item, AutocompleteItem):
        return False
    texts: tuple[object, ...] = (item.value, item.label, item.description or "")
    return all(isinstance(text, str) for text in texts)


def _checked(offered: object) -> Sequence[AutocompleteItem]:
    if offered is None:
        return ()
    if not isinstance(offered, list | tuple) or not all(map(is_item, offered)):
        raise TypeError(
            f"get_argument_completions returned {offered!r}, not a list of AutocompleteItem"
        )
    return offered
