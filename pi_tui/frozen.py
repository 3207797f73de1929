"""`@frozen` and `@slotted`: dataclasses with slots whose methods are made when they are first used.

To Python and to type checkers they are what `dataclass(frozen=True, slots=True)` and `dataclass(slots=True)` make:
`fields`, `replace`, patterns, copies and pickles work. Those compile up to six functions for each class, in 0.6 ms;
a start of pi defines some 300 classes and makes instances of a third of them. Here a class costs 0.03 ms, its first
instance the compilation of `__init__`, and the other methods are the same functions for all.

Left out is what nothing needs: `order`, `unsafe_hash`, `weakref_slot` and `InitVar`. Lazy dataclasses are discussed
for Python itself: https://discuss.python.org/t/faster-lazier-dataclasses/107744
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields, is_dataclass
from operator import attrgetter
from reprlib import recursive_repr
from threading import RLock
from typing import ClassVar, TypeVar, dataclass_transform, overload

T = TypeVar("T")

_making = RLock()  # modules are imported in threads: two may use a class for the first time


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False, eq: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[T] | None = None, /, *, kw_only: bool = False, eq: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a frozen dataclass with slots; without `eq` instances are equal only to themselves."""

    shared = _FROZEN | _BY_VALUES if eq else _FROZEN

    def decorate(cls: type[T]) -> type[T]:
        return _with_slots(cls, shared, kw_only=kw_only, is_frozen=True)

    return decorate if cls is None else decorate(cls)


@overload
def slotted(cls: type[T], /) -> type[T]: ...
@overload
def slotted(*, kw_only: bool = False, eq: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(field_specifiers=(field,))
def slotted(
    cls: type[T] | None = None, /, *, kw_only: bool = False, eq: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a dataclass with slots that can be changed; without `eq` it can be in a set."""
    shared = _ANY | _BY_VALUES | {"__hash__": None} if eq else _ANY

    def decorate(cls: type[T]) -> type[T]:
        return _with_slots(cls, shared, kw_only=kw_only, is_frozen=False)

    return decorate if cls is None else decorate(cls)


def _with_slots(
    cls: type[T], shared: Mapping[str, object], *, kw_only: bool, is_frozen: bool
) -> type[T]:
    """Return `cls` made anew: slots cannot be added to a class that exists."""
    names = _own_fields(cls)
    left_out = {*names, "__dict__", "__weakref__"}
    # `__hash__` is `None` where a class says itself what equals it.
    own = {
        name: value
        for name, value in vars(cls).items()
        if name not in left_out and (name, value) != ("__hash__", None)
    }
    inherited = {name for base in cls.__mro__[1:] for name in vars(base).get("__slots__", ())}
    attributes = {
        **shared,
        **{name: _OnFirstUse(cls, kw_only, is_frozen) for name in _MADE_LATER},
        **own,
        "__slots__": tuple(name for name in names if name not in inherited),
    }
    metaclass: Callable[..., type[T]] = type(cls)
    return metaclass(cls.__name__, cls.__bases__, attributes)


def _own_fields(cls: type) -> Sequence[str]:
    annotations: Mapping[str, object] = vars(cls).get("__annotations__", {})
    return [name for name, kind in annotations.items() if not str(kind).startswith("ClassVar")]


# What is made at the first use


class _OnFirstUse:
    """An attribute of a class that is made, with all others of its kind, when somebody asks for it."""

    def __init__(self, declared: type, kw_only: bool, is_frozen: bool) -> None:
        self._declared = declared  # the class as it was written: that one has the defaults
        self._kw_only = kw_only
        self._is_frozen = is_frozen

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner
        self._name = name

    def __get__(self, instance: object, owner: type) -> object:
        with _making:
            if vars(self._owner)[self._name] is self:
                self._make_all()
        made: object = vars(self._owner)[self._name]
        # Bound here: to look it up again would find that of a subclass which asks through `super()`.
        return made.__get__(instance, owner) if hasattr(made, "__get__") else made

    def _make_all(self) -> None:
        made = _made(self._declared, self._kw_only, self._is_frozen)
        for name in _MADE_LATER:
            if isinstance(vars(self._owner)[name], _OnFirstUse):
                setattr(self._owner, name, made[name])


_MADE_LATER = (
    "__init__",
    "__match_args__",
    "__dataclass_fields__",
    "__dataclass_params__",
    "__compared__",
)


def _made(declared: type, kw_only: bool, is_frozen: bool) -> Mapping[str, object]:
    """Return what `_MADE_LATER` names; what the fields are is told by `dataclass` itself."""
    # Where there is none, `dataclass` makes one of the signature, which takes longer than all the rest.
    declared.__doc__ = declared.__doc__ or declared.__name__
    # To be frozen is demanded by a frozen base; elsewhere it would compile two functions for nothing.
    follows = is_frozen and any(is_dataclass(base) for base in declared.__bases__)
    dataclass(init=False, repr=False, eq=False, kw_only=kw_only, frozen=follows)(declared)
    parameters = vars(declared)["__dataclass_params__"]
    parameters.frozen = is_frozen  # else no frozen dataclass could be derived from this one
    assign = "_set(self, {name!r}, {value})" if is_frozen else "self.{name} = {value}"
    compared = [item.name for item in fields(declared) if item.compare] or ["__class__"]
    return {
        **vars(declared),
        "__init__": _make_init(fields(declared), assign, hasattr(declared, "__post_init__")),
        # The first one twice, since the value of a single name would be no tuple.
        "__compared__": attrgetter(compared[0], *compared),
    }


def _make_init(items: Iterable[Field[object]], assign: str, has_post_init: bool) -> object:
    """Compile `__init__`. The defaults, or what makes them, are among its globals as `_` and the field's name."""
    known: dict[str, object] = {"_set": object.__setattr__, "_absent": MISSING}
    positional, keyword, body = ["self"], ["*"], []
    for item in items:
        name, default, value = item.name, "", item.name
        if item.default is not MISSING:
            known[f"_{name}"] = item.default
            default, value = f"=_{name}", name if item.init else f"_{name}"
        elif item.default_factory is not MISSING:
            known[f"_{name}"] = item.default_factory
            default = "=_absent"
            value = f"_{name}() if {name} is _absent else {name}" if item.init else f"_{name}()"
        if item.init:
            (keyword if item.kw_only else positional).append(name + default)
        if item.init or default:
            body.append(assign.format(name=name, value=value))
    if has_post_init:
        body.append("self.__post_init__()")
    parameters = ", ".join(positional + (keyword if len(keyword) > 1 else []))
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), known)
    return known["__init__"]


# What all have in common


class _Methods:
    """Methods for all; they are copied, so that a class has the bases with which it was written."""

    __compared__: ClassVar[attrgetter[tuple[object, ...]]]
    __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    @recursive_repr()
    def __repr__(self) -> str:
        shown = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self.__compared__(self) == self.__compared__(other)

    def __hash__(self) -> int:
        return hash(self.__compared__(self))

    def __setattr__(self, name: str, value: object) -> None:
        _refuse(self, name, f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        _refuse(self, name, f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    def __getstate__(self) -> list[object]:
        return [getattr(self, item.name) for item in fields(self)]

    def __setstate__(self, state: Sequence[object]) -> None:
        for item, value in zip(fields(self), state, strict=True):
            object.__setattr__(self, item.name, value)


def _refuse(instance: _Methods, name: str, why: str) -> None:
    """Refuse to change a field. A subclass that is no dataclass may have attributes of its own."""
    if name in instance.__dataclass_fields__ or "__dataclass_fields__" in vars(type(instance)):
        raise FrozenInstanceError(why)


def _copied(*names: str) -> dict[str, object]:
    return {name: vars(_Methods)[name] for name in names}


_ANY = _copied("__repr__")
_BY_VALUES = _copied("__eq__", "__hash__")
_FROZEN = _ANY | _copied("__setattr__", "__delattr__", "__getstate__", "__setstate__")
