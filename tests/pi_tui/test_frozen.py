"""`@frozen` and `@slotted` are compared with what `dataclass` makes of the same class."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from operator import attrgetter
from typing import ClassVar, Generic, Protocol, TypeVar

import pytest

from pi_tui.frozen import frozen, slotted

T = TypeVar("T")

Decorator = Callable[[type], type]
DECORATORS: list[Decorator] = [frozen, slotted, dataclass(frozen=True, slots=True)]
each = pytest.mark.parametrize("decorate", DECORATORS, ids=["frozen", "slotted", "dataclass"])


@frozen
class Point:
    """A place."""

    x: int
    y: int = 2
    tags: list[str] = field(default_factory=list)
    secret: str = field(default="", repr=False)
    note: str = field(default="", compare=False)
    kind: ClassVar[str] = "point"

    def moved(self, by: int) -> Point:
        """Return it elsewhere."""
        return replace(self, x=self.x + by)


@frozen
class Named(Point):
    """A place with a name."""

    name: str = "here"


@frozen(kw_only=True)
class Options:
    """What is given by name only."""

    a: int
    b: int = 1


@frozen(eq=False)
class Handle:
    """One of a kind."""

    number: int


@slotted
class Counter:
    """Can be changed."""

    count: int = 0
    seen: list[str] = field(default_factory=list)


@slotted(eq=False)
class Window:
    """Can be changed, and is one of a kind."""

    title: str


@frozen
class Nothing:
    """Has no field."""


class HasX(Protocol):
    """What has a place."""

    @property
    def x(self) -> int:
        """The place."""
        ...


@frozen
class Box(Generic[T]):
    """Holds one thing."""

    content: T


@each
def test_the_first_use_may_be_any(decorate: Decorator) -> None:
    class Plain:
        a: int
        b: str = "x"

    uses: dict[str, Callable[[type], object]] = {
        "init": lambda cls: cls(1).b,
        "fields": lambda cls: [(item.name, item.default, item.type) for item in fields(cls)][1],
        "is dataclass": is_dataclass,
        "patterns": attrgetter("__match_args__"),
        "signature": lambda cls: list(inspect.signature(cls).parameters),
    }
    found = {
        name: use(decorate(type("Plain", (), dict(vars(Plain))))) for name, use in uses.items()
    }
    assert found == {
        "init": "x",
        "fields": ("b", "x", "str"),
        "is dataclass": True,
        "patterns": ("a", "b"),
        "signature": ["a", "b"],
    }


def test_values_are_where_a_dataclass_has_them() -> None:
    point = Point(1, tags=["a"], secret="s")
    assert (point.x, point.y, point.tags, point.kind) == (1, 2, ["a"], "point")
    assert repr(point) == "Point(x=1, y=2, tags=['a'], note='')"
    assert asdict(point)["tags"] == ["a"]
    assert point.moved(2).x == 3
    assert Point(1).tags is not Point(1).tags, "each has its own"
    with pytest.raises(TypeError, match="missing 1 required"):
        Point()  # type: ignore[call-arg]  # that is the point


def test_nothing_can_be_changed() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2  # type: ignore[misc]  # that is the point
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    with pytest.raises(AttributeError):
        point.other = 2  # type: ignore[attr-defined]  # that is the point
    assert not hasattr(point, "__dict__")


def test_equal_values_are_equal_and_find_each_other_in_a_set() -> None:
    @frozen
    class Other:
        """Looks like a box."""

        content: int

    assert Box(1) == Box(1) != Box(2)
    things: set[object] = {Box(1), Box(1), Box(2), Other(1)}
    assert len(things) == 3, "another class"
    assert Point(1, note="a") == Point(1, note="b"), "a note is not compared"
    assert Nothing() == Nothing()
    assert Handle(1) != Handle(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point(1))


def test_slotted_values_can_be_changed() -> None:
    counter = Counter()
    counter.count += 1
    assert counter == Counter(1) != Counter()
    assert repr(counter) == "Counter(count=1, seen=[])"
    assert replace(counter, seen=["a"]).seen == ["a"]
    assert not hasattr(counter, "__dict__")
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)
    one, other = Window("a"), Window("a")
    assert len({one, one, other}) == 2


def test_a_dataclass_cannot_hide_that_its_base_can_be_changed() -> None:
    with pytest.raises(TypeError, match="cannot inherit frozen"):

        @dataclass(frozen=True)
        class Fixed(Counter):  # type: ignore[misc]  # that is the point
            pass


def test_what_a_class_says_itself_stays() -> None:
    @frozen
    class Loose:
        """Equals whatever has the same letters."""

        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Loose) and self.text.lower() == other.text.lower()

        def __repr__(self) -> str:
            return f"<{self.text}>"

        def __post_init__(self) -> None:
            object.__setattr__(self, "text", self.text.strip())

    assert Loose(" A ") == Loose("a")
    assert repr(Loose(" A ")) == "<A>"
    assert isinstance(hash(Loose("a")), int), "as that of a frozen dataclass"


def test_patterns_take_fields_in_order() -> None:
    match Named(1, 5, name="there"):
        case Named(x, y, name=name):
            assert (x, y, name) == (1, 5, "there")


def test_a_derived_class_has_the_fields_of_both() -> None:
    assert [item.name for item in fields(Named)] == ["x", "y", "tags", "secret", "note", "name"]
    assert Named(1, name="n") == Named(1, name="n") != Point(1)
    assert isinstance(Named(1), Point)
    assert Named(1).moved(1) == Named(2)


def test_a_dataclass_may_be_derived_from_it() -> None:
    @dataclass(frozen=True)
    class More(Point):
        z: int = 3

    assert More(1, z=4).z == 4


def test_a_plain_subclass_may_add_attributes() -> None:
    class Loud(Point):
        def __init__(self, x: int) -> None:
            super().__init__(x)
            self.volume = 11

    loud = Loud(1)
    assert (loud.x, loud.volume) == (1, 11)
    with pytest.raises(FrozenInstanceError):
        loud.x = 2  # type: ignore[misc]  # that is the point


def test_keyword_only() -> None:
    assert Options(a=1) == Options(b=1, a=1)
    with pytest.raises(TypeError, match="positional"):
        Options(1)  # type: ignore[call-arg]  # that is the point


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]
)
@pytest.mark.parametrize(
    "value", [Named(1, tags=["a"]), Options(a=3), Nothing(), Counter(2)], ids=repr
)
def test_copies_are_equal(again: Callable[[object], object], value: object) -> None:
    assert again(value) == value


def test_an_object_that_holds_itself_has_a_representation() -> None:
    held: list[object] = []
    held.append(Box(held))
    assert "..." in repr(held)


def test_a_protocol_is_met() -> None:
    thing: HasX = Point(4)
    assert thing.x == 4


def test_threads_may_use_a_class_for_the_first_time_together() -> None:
    classes = []
    for number in range(50):

        @frozen
        class Fresh:
            """Used by nobody yet."""

            a: int = number
            b: list[int] = field(default_factory=list)

        classes.append(Fresh)
    switch = sys.getswitchinterval()
    found: list[list[object]] = []
    start = threading.Barrier(4)

    def use() -> None:
        start.wait()
        found.append([(cls().a, cls().b, len(fields(cls))) for cls in classes])

    threads = [threading.Thread(target=use) for _ in range(4)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switch)
    assert found == [[(number, [], 2) for number in range(50)]] * 4
