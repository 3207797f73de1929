"""What a tool takes, however its author declared it: a model class, a JSON Schema, or a signature.

Whatever the declaration, the model is told a JSON Schema and the arguments are checked against it; a
model class or signature then builds its own object and may have validators of its own.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import is_dataclass
from types import SimpleNamespace, UnionType
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic_core import PydanticSerializationError, to_jsonable_python

from pi_agent.base.portable_schema import portable_schema
from pi_agent.base.schema import Problem, SchemaChecker, problem_path
from pi_agent.base.wire import JsonObject, JsonValue
from pi_tui.frozen import frozen

# Weak: a class that came with an extension must be able to go with it.
_model_schemas: WeakKeyDictionary[type[BaseModel], JsonObject] = WeakKeyDictionary()


@frozen
class CheckedArguments:
    """Arguments after conversion, and what is still wrong with them."""

    values: JsonObject
    problems: list[Problem]


class Parameters:
    """The declared parameters of one tool."""

    def __init__(self, declared: object) -> None:
        """Take a pydantic model class or a JSON Schema of an object; anything else is a `TypeError`."""
        self._model: type[BaseModel] | None = None
        if isinstance(declared, type) and issubclass(declared, BaseModel):
            self._model = declared
            self.schema = _schema_of_model(declared)
        elif isinstance(declared, Mapping) and declared.get("type", "object") == "object":
            self.schema = dict(declared)
        else:
            raise TypeError("must define an object parameter schema")

    def check(self, arguments: JsonObject) -> CheckedArguments:
        """Convert a copy of `arguments` to what is wanted and report what does not fit."""
        checker = SchemaChecker(self.schema)
        values = checker.coerce(deepcopy(arguments))
        problems = checker.problems(values)
        if not problems and self._model is not None:
            problems = _model_problems(self._model, values)
        return CheckedArguments(values, problems)

    def build(self, values: JsonObject) -> object:
        """Return what `execute` gets: an instance of the model class, or the dict itself.

        Values that were changed after the check and no longer fit reach the tool all the same.
        """
        if self._model is None:
            return values
        try:
            return self._model.model_validate(values)
        except ValidationError:
            return _unvalidated(self._model, values)


@frozen
class FunctionParameters:
    """A function's signature as parameters of a tool, and how to call it with them."""

    model: type[BaseModel]
    # Parameters that are not the model's to give: parameter name to the name of what goes there.
    injected: Mapping[str, str]
    _fields: Mapping[str, str]
    _takes_extra: bool
    _function: Callable[..., object]

    def call(self, params: object, injected: Mapping[str, object]) -> object:
        """Call the function with a built `model` and the values by name of what is injected."""
        given = {
            name: getattr(params, field)
            for name, field in self._fields.items()
            if hasattr(params, field)
        }
        given |= {name: injected[slot] for name, slot in self.injected.items()}
        if self._takes_extra and isinstance(params, BaseModel):
            given |= params.model_extra or {}
        return self._function(**given)


def function_parameters(
    function: Callable[..., object], injectable: Mapping[str, str]
) -> FunctionParameters:
    """Read a signature. Text in `Annotated` describes a parameter; one without default is required.

    `injectable` maps the names of types to what is injected for them; an unannotated parameter that is
    called like something injectable gets it too.
    """
    hints = _hints(function)
    fields: dict[str, Any] = {}
    names: dict[str, str] = {}
    injected: dict[str, str] = {}
    takes_extra = False
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            takes_extra = True
            continue
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.POSITIONAL_ONLY):
            raise TypeError(f"{function.__name__}: {name} must be a parameter with a name")
        slot = _injected_slot(name, hints.get(name), injectable)
        if slot is not None:
            injected[name] = slot
            continue
        # Names like `schema` or `copy` would hide methods of the model class.
        names[name] = f"field_{len(names)}"
        fields[names[name]] = _field(function, name, hints.get(name, Any), parameter.default)
    config = ConfigDict(extra="allow" if takes_extra else "forbid")
    model = create_model(function.__name__, __config__=config, **fields)
    return FunctionParameters(model, injected, names, takes_extra, function)


def result_schema(function: Callable[..., object], besides: type) -> JsonObject | None:
    """Return the schema of what a function returns, if that is a model class or a dataclass but `besides`."""
    returned = _hints(function).get("return")
    if not isinstance(returned, type) or issubclass(returned, besides):
        return None
    if issubclass(returned, BaseModel) or is_dataclass(returned):
        return portable_schema(TypeAdapter(returned).json_schema(mode="serialization"))
    return None


def is_structured(value: object) -> bool:
    """Return whether a value is a model, a dataclass, a list or a mapping."""
    if isinstance(value, BaseModel | Mapping | list):
        return True
    return is_dataclass(value) and not isinstance(value, type)


def to_json(value: object) -> JsonValue:
    """Return the JSON form of models, dataclasses, tuples, paths and times; else a `TypeError`."""
    try:
        return to_jsonable_python(value, by_alias=False, inf_nan_mode="null")
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        raise TypeError(str(error)) from None


def _schema_of_model(model: type[BaseModel]) -> JsonObject:
    schema = _model_schemas.get(model)
    if schema is None:
        schema = _model_schemas[model] = portable_schema(model.model_json_schema())
    return schema


def _model_problems(model: type[BaseModel], values: JsonObject) -> list[Problem]:
    try:
        model.model_validate(values)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        return [Problem(problem_path(each["loc"]), _message(each)) for each in details]
    return []


def _message(error: Mapping[str, Any]) -> str:
    known = {"missing": "missing", "extra_forbidden": "unknown field"}
    text: str = known.get(error["type"], error["msg"])
    return text.removeprefix("Value error, ").removeprefix("Assertion failed, ")


def _unvalidated(model: type[BaseModel], values: JsonObject) -> BaseModel:
    return model.model_construct(**values)


def _hints(function: Callable[..., object]) -> dict[str, Any]:
    """Return the annotations, evaluated where their names can be found and as text elsewhere.

    A name that is only imported for type checkers cannot be found, and need not be if it is injected.
    """
    plain = inspect.unwrap(function)
    hints: dict[str, Any] = {}
    for name, annotation in getattr(plain, "__annotations__", {}).items():
        one = SimpleNamespace(__annotations__={name: annotation})
        try:
            hints |= typing.get_type_hints(one, getattr(plain, "__globals__", {}), None, True)
        except NameError:
            hints[name] = annotation
    return hints


def _injected_slot(name: str, hint: object, injectable: Mapping[str, str]) -> str | None:
    if hint is None:
        return name if name in injectable.values() else None
    names = _type_names(hint)
    return injectable.get(names[0]) if len(names) == 1 else None


def _type_names(hint: object) -> list[str]:
    """Return the names of a type, or of a union's members but `None`."""
    if isinstance(hint, str):
        parts = [part.strip().rpartition(".")[2] for part in hint.split("|")]
        return [part for part in parts if part != "None"]
    if isinstance(hint, UnionType) or typing.get_origin(hint) is typing.Union:
        members = [member for member in typing.get_args(hint) if member is not type(None)]
        return [name for member in members for name in _type_names(member)]
    return [str(getattr(hint, "__name__", ""))]


def _field(
    function: Callable[..., object], name: str, hint: object, default: object
) -> tuple[object, object]:
    """Return the definition of a model field that is filled under the parameter's own name."""
    if isinstance(hint, str):
        raise TypeError(f"{function.__name__}: the type of {name} cannot be found: {hint}")
    if typing.get_origin(hint) is Annotated:
        kind, *extras = typing.get_args(hint)
        notes = [Field(description=each) if isinstance(each, str) else each for each in extras]
        for note in notes:
            kind = Annotated[kind, note]
        hint = kind
    if isinstance(default, FieldInfo):
        return Annotated[hint, default], Field(alias=name)
    if default is inspect.Parameter.empty:
        return hint, Field(alias=name)
    return hint, Field(default, alias=name)
