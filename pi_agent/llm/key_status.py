"""Where the key for a provider would come from. Nothing is resolved: no command runs for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from pi_agent.llm.key_values import is_configured
from pi_agent.llm.provider import Provider, StoredKey
from pi_tui.frozen import frozen

KeySource = Literal["given", "stored", "models.json", "environment", "not needed", "missing"]

_WORDS: dict[KeySource, str] = {
    "given": "--api-key",
    "stored": "stored",
    "models.json": "models.json",
    "environment": "environment",
    "not needed": "no key needed",
    "missing": "not configured",
}


@frozen
class KeyStatus:
    """The place that counts. `variable` is the one of the environment; `is_complete` false: another one that the
    key names is not set.
    """

    source: KeySource
    variable: str = ""
    is_complete: bool = True

    @property
    def is_usable(self) -> bool:
        """Whether requests can be made."""
        return self.source != "missing" and self.is_complete

    @property
    def has_key(self) -> bool:
        """Whether a key is written anywhere."""
        return self.source not in ("missing", "not needed")

    @property
    def words(self) -> str:
        """The status in a few words."""
        words = f"{_WORDS[self.source]} {self.variable}".rstrip()
        return words if self.is_complete else f"{words}, but a variable is not set"


def key_status(
    provider: Provider, environ: Mapping[str, str], given: str | None = None
) -> KeyStatus:
    """Return where the key for `provider` would come from; `given` is one from the command line."""
    if given:
        return KeyStatus("given")
    environ = {**environ, **provider.stored.environ}
    if provider.stored.key is not None:
        return KeyStatus("stored", is_complete=is_configured(provider.stored.key, environ))
    if provider.key is not None:
        return KeyStatus("models.json", is_complete=is_configured(provider.key, environ))
    for name in provider.key_variables:
        if environ.get(name, "").strip():
            return KeyStatus("environment", name)
    return KeyStatus("missing" if provider.needs_key else "not needed")


def without_stored(provider: Provider) -> Provider:
    """Return the provider as it is when nothing is stored for it."""
    return replace(provider, stored=StoredKey())
