"""`pi --list-models`: a table of the models that can be asked, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from pi_agent.host.options import RunOptions
from pi_agent.host.registry import build_registry
from pi_agent.llm.model import Model
from pi_agent.llm.ways import NO_MODEL_YET

_COLUMNS = ("provider", "model", "context", "max-out", "thinking", "images")


async def list_models(options: RunOptions, search: str, *, out: TextIO, err: TextIO) -> int:
    """Ask the servers and print the models whose provider, id or name contains `search`."""
    registry = build_registry(options)
    try:
        await registry.refresh()
        models = [model for model in registry.available() if _matches(model, search)]
        for notice in registry.notices:
            err.write(f"Warning: {notice}\n")
        if not registry.candidates() and not registry.notices:
            err.write(f"{NO_MODEL_YET}\n")
    finally:
        await registry.aclose()
    text = _table(models) if models else f'No model matches "{search}".\n'
    try:
        out.write(text)
        out.flush()
    except BrokenPipeError:
        pass  # whoever reads it has seen enough
    return 0


def _table(models: Sequence[Model]) -> str:
    rows = [_COLUMNS, *(_row(model) for model in models)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "".join(line.rstrip() + "\n" for line in lines)


def _matches(model: Model, search: str) -> bool:
    return search.lower() in f"{model.reference} {model.name}".lower()


def _row(model: Model) -> tuple[str, ...]:
    known = model.model_fields_set
    return (
        model.provider,
        model.id,
        _tokens(model.context_window) if "context_window" in known else "?",
        _tokens(model.max_tokens) if "max_tokens" in known else "?",
        "yes" if model.reasoning else "no",
        "yes" if "image" in model.input else "no",
    )


def _tokens(count: int) -> str:
    return f"{count // 1000}k" if count >= 1000 else str(count)
