"""The rows of the model selector: the current model first, then the default one, then all others."""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.llm.model import Model
from pi_agent.ui.dialogs.picker import Choice

Names = tuple[str, str]


def model_choices(
    models: Sequence[Model], current: Names | None, default: Names | None
) -> list[Choice]:
    """Return a row for each model; `current` and `default` are provider and id."""

    def order(model: Model) -> tuple[bool, bool, str, str]:
        names = (model.provider, model.id)
        return names != current, names != default, model.provider.lower(), model.id.lower()

    return [_choice(model, current, default) for model in sorted(models, key=order)]


def _choice(model: Model, current: Names | None, default: Names | None) -> Choice:
    names = (model.provider, model.id)
    label = "✓ " if names == current else "  "
    label += model.id
    if model.name and model.name != model.id:
        label += f" ({model.name})"
    label += f" [{model.provider}]"
    if names == default:
        label += " · default"
    return Choice(model.reference, label, f"{model.reference} {model.name}")
