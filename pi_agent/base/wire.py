"""The base of everything read from or written to disk or wire: camelCase outside, snake_case inside.

Unknown keys survive a round trip: they are kept as they came and written back.
"""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

__all__ = [
    "BaseModel",
    "Field",
    "JsonObject",
    "JsonValue",
    "TypeAdapter",
    "ValidationError",
    "WireModel",
]

# What `json.loads` gives. `Any` because the shape is only known to whoever reads it.
JsonValue = Any
JsonObject = dict[str, Any]


class WireModel(BaseModel):
    """A value with camelCase keys outside; read with `from_wire`, written with `to_wire`."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="allow",
        defer_build=True,
    )

    @classmethod
    def from_wire(cls, data: JsonValue) -> Self:
        """Build from decoded JSON; raises `ValidationError`."""
        return cls.model_validate(data)

    def to_wire(self) -> JsonObject:
        """Return plain JSON data with camelCase keys; absent optional fields are left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)
