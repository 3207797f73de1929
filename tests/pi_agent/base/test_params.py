"""Parameters declared as models, schemas and signatures."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pytest
from pydantic import BaseModel, field_validator

from pi_agent.base.params import Parameters, function_parameters, result_schema, to_json
from pi_agent.base.wire import Field, JsonObject, WireModel

if TYPE_CHECKING:
    from somewhere import ExtensionToolContext, OnlyForCheckers  # type: ignore[import-not-found]  # not at run time

INJECTABLE = {"ExtensionToolContext": "ctx", "Signal": "signal"}


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Point(BaseModel):
    x: int
    title: str = "no title"


class Everything(BaseModel):
    name: str = Field(description="what it is called")
    size: int | None = None
    kind: Literal["big", "small"] = "big"
    only: Literal["one"] = "one"
    colour: Colour | None = Field(default=None, description="what it looks like")
    either: int | str | None = None
    nullable: int | None
    point: Point | None = None

    @field_validator("name")
    @classmethod
    def not_blank(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("must not be blank")
        return value


def test_a_model_class_becomes_a_schema_that_every_provider_takes() -> None:
    assert Parameters(Everything).schema == {
        "type": "object",
        "properties": {
            "name": {"description": "what it is called", "type": "string"},
            "size": {"type": "integer"},
            "kind": {"default": "big", "enum": ["big", "small"], "type": "string"},
            "only": {"default": "one", "type": "string", "enum": ["one"]},
            "colour": {
                "description": "what it looks like",
                "enum": ["red", "blue"],
                "type": "string",
            },
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "nullable": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "point": {"$ref": "#/$defs/Point"},
        },
        "required": ["name", "nullable"],
        "$defs": {
            "Point": {
                "type": "object",
                "properties": {
                    "x": {"type": "integer"},
                    "title": {"type": "string", "default": "no title"},
                },
                "required": ["x"],
            }
        },
    }


def test_a_model_gets_converted_values_and_its_own_defaults() -> None:
    parameters = Parameters(Everything)
    checked = parameters.check({"name": 5, "nullable": None, "size": None, "point": {"x": "3"}})
    assert checked.problems == []
    assert checked.values == {"name": "5", "nullable": None, "point": {"x": 3}}
    built = parameters.build(checked.values)
    assert isinstance(built, Everything)
    assert (built.kind, built.size, built.point) == ("big", None, Point(x=3))


def test_a_models_validators_report_like_the_schema() -> None:
    checked = Parameters(Everything).check({"name": " ", "nullable": 1})
    assert [(problem.path, problem.message) for problem in checked.problems] == [
        ("name", "must not be blank")
    ]


def test_values_changed_after_the_check_reach_a_model_as_they_are() -> None:
    built = Parameters(Point).build({"x": "not a number"})
    assert isinstance(built, Point)
    assert built.x == "not a number"  # type: ignore[comparison-overlap]  # the point of the test


def test_a_schema_is_used_as_it_is_and_gives_the_dict() -> None:
    schema: JsonObject = {"type": "object", "properties": {"title": {"type": "string"}}}
    parameters = Parameters(schema)
    values = parameters.check({"title": 1, "more": [1]}).values
    assert parameters.schema == schema
    assert parameters.build(values) is values
    assert values == {"title": "1", "more": [1]}


def test_the_models_own_arguments_are_never_changed() -> None:
    arguments = {"point": {"x": "1"}, "name": "n", "nullable": "2"}
    Parameters(Everything).check(arguments)
    assert arguments == {"point": {"x": "1"}, "name": "n", "nullable": "2"}


@pytest.mark.parametrize("declared", [int, "text", None, {"type": "string"}, Point(x=1)])
def test_anything_else_is_no_parameters(declared: object) -> None:
    with pytest.raises(TypeError, match="must define an object parameter schema"):
        Parameters(declared)


# --- signatures


def test_a_signature_is_read_even_if_injected_types_are_only_there_for_checkers() -> None:
    def work(  # type: ignore[no-untyped-def]  # `signal` is found by its name alone
        ctx: ExtensionToolContext,
        copy: Annotated[int, "how often", Field(ge=1)],
        schema: str | None = None,
        signal=None,
        sizes: list[int] = Field(default_factory=list, max_length=2),  # noqa: B008  # pydantic's way
    ) -> str:
        return f"{ctx} {copy} {schema} {signal} {sizes}"

    read = function_parameters(work, INJECTABLE)
    assert Parameters(read.model).schema == {
        "type": "object",
        "properties": {
            "copy": {"type": "integer", "description": "how often", "minimum": 1},
            "schema": {"type": "string"},
            "sizes": {"type": "array", "items": {"type": "integer"}, "maxItems": 2},
        },
        "required": ["copy"],
        "additionalProperties": False,
    }
    parameters = Parameters(read.model)
    checked = parameters.check({"copy": "3"})
    assert checked.problems == []
    built = parameters.build(checked.values)
    assert read.call(built, {"ctx": "C", "signal": "S"}) == "C 3 None S []"


def test_open_ended_functions_take_fields_that_are_not_declared() -> None:
    def work(a: int, **more: Any) -> object:
        return a, more

    read = function_parameters(work, INJECTABLE)
    parameters = Parameters(read.model)
    checked = parameters.check({"a": 1, "b": [2]})
    assert checked.problems == []
    assert read.call(parameters.build(checked.values), {}) == (1, {"b": [2]})


def test_parameters_that_a_model_cannot_name_are_refused() -> None:
    def stars(*all_of_them: int) -> None: ...

    def unnamed(a: int, /) -> None: ...

    def unknown(a: OnlyForCheckers) -> None: ...

    with pytest.raises(TypeError, match="stars: all_of_them must be a parameter with a name"):
        function_parameters(stars, INJECTABLE)
    with pytest.raises(TypeError, match="unnamed: a must be"):
        function_parameters(unnamed, INJECTABLE)
    with pytest.raises(TypeError, match="unknown: the type of a cannot be found: OnlyForCheckers"):
        function_parameters(unknown, INJECTABLE)


def test_a_result_that_is_a_model_describes_itself() -> None:
    def where() -> Point: ...  # type: ignore[empty-body]  # only its annotation is read

    def words() -> str: ...  # type: ignore[empty-body]  # only its annotation is read

    schema = result_schema(where, besides=Everything)
    assert schema is not None
    assert schema["properties"]["x"] == {"type": "integer"}
    assert result_schema(where, besides=Point) is None
    assert result_schema(words, besides=Everything) is None


def test_json_form_uses_field_names_and_refuses_what_has_none() -> None:
    class Named(WireModel):
        some_field: int

    assert to_json({"a": (1, Named(some_field=2)), "b": float("nan")}) == {
        "a": [1, {"some_field": 2}],
        "b": None,
    }
    with pytest.raises(TypeError):
        to_json(object())
