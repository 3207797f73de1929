"""What is told of keys, on the screen and without one."""

from __future__ import annotations

from pi_agent.llm.key_status import KeySource, KeyStatus

_NEXT: dict[KeySource, str] = {
    "given": "In this run the key of --api-key is used.",
    "stored": "",
    "models.json": "From now on apiKey in models.json is used.",
    "environment": "From now on the variable {variable} is used.",
    "not needed": "Requests go out without a key.",
    "missing": "Without it there is no key: {way} gives it one.",
}


def told_of_other(other: KeyStatus) -> str | None:
    """Return how a stored key goes with the one that there would be without it, if there is one."""
    if other.source == "given":
        return "In this run the key of --api-key wins."
    if not other.has_key:
        return None
    where = f"the variable {other.variable}" if other.variable else "apiKey in models.json"
    return f"It wins over {where}."


def told_of_next(left: KeyStatus, way: str) -> str:
    """Return which key counts when the stored one is removed; `way` is a command that stores another."""
    return _NEXT[left.source].format(variable=left.variable, way=way)
