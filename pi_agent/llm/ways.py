"""The ways to a model, in one line for every place where there is none."""

from __future__ import annotations

from typing import Final

WAYS_TO_A_MODEL: Final = (
    "Start `pi` to sign in (/login) or to use a server on this machine, or set a provider's key such as"
    " OPENAI_API_KEY; `pi --local` takes a small built-in model, `pi --demo` shows a tour."
)
NO_MODEL_YET: Final = f"There is no model yet. {WAYS_TO_A_MODEL}"
