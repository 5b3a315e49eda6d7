"""The replay's carrying, comparing and judging, on values that are hard to carry."""

from __future__ import annotations

import enum
import io
import threading
import types
from collections import OrderedDict, defaultdict

import pytest

from benchmarks.replay_carry import Encoder, Globals, World
from benchmarks.replay_compare import Canonical
from benchmarks.replay_judge import masked, masks
from benchmarks.replay_nodes import TOUCHED, Hole, UncarriedTouchedError, packed, unpacked
from benchmarks.replay_rebuild import Decoder, MissingError, Space
from benchmarks.replay_record import is_sampled

WORLD = World(own=frozenset({"own_package"}), tests=(__file__.rpartition("/")[0] + "/",))


def carried(value: object) -> object:
    """The value after a round trip through the carried form."""
    encoder = Encoder(WORLD, Globals(WORLD))
    root = encoder.lenient(value)
    nodes, again = unpacked(packed((tuple(encoder.nodes), root)))
    return Decoder(nodes, Space(WORLD.own, None, {})).value(again)


def text(value: object) -> str:
    """The canonical text, taking apart the classes of this file."""
    return Canonical(lambda kind: kind.__qualname__, lambda kind: kind.__module__ == __name__).text(
        value
    )


class Slotted:
    __slots__ = ("__private", "shown")

    def __init__(self) -> None:
        self.__private = [1]
        self.shown = self

    def private(self) -> list[int]:
        return self.__private


class Named(dict):
    def __init__(self, name: str) -> None:
        super().__init__(a=1)
        self.name = name


class Cached(property):
    def __init__(self, function: object) -> None:
        super().__init__(function)
        self.name = "cached"


class Broken:
    def __init__(self) -> None:
        self.file = threading.local()
        self.value = 3

    def __reduce_ex__(self, protocol: int) -> str:
        raise AssertionError("code of the class under test must not run")


def counter() -> object:
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return count

    step()
    return step


@pytest.mark.parametrize(
    "value",
    [
        [1, 2.5, "a", b"b", None, ...],
        {"a": (1, {2, 3}), "b": frozenset({4})},
        OrderedDict(b=1, a=2),
        defaultdict(list, {"a": [1]}),
        ValueError("wrong", 3),
        {1: "x"}.items(),
        int.__add__,
        "abc".upper,
        types.MappingProxyType({"a": 1}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_the_same_after_the_round_trip(value: object) -> None:
    assert text(carried(value)) == text(value)


def test_slots_private_names_and_cycles_survive() -> None:
    made = carried(Slotted())
    assert made.shown is made
    assert made.private() == [1]


def test_a_subclass_of_a_container_keeps_content_and_attributes() -> None:
    made = carried(Named("n"))
    assert (dict(made), made.name, type(made).__name__) == ({"a": 1}, "n", "Named")


def test_a_subclass_of_property_keeps_its_function() -> None:
    made = carried(Cached(lambda _: 7))
    assert (made.fget(None), made.name) == (7, "cached")


def test_a_closure_keeps_its_state() -> None:
    step = carried(counter())
    assert step() == 2


def test_aliases_stay_aliases() -> None:
    inner: list[int] = []
    made = carried([inner, inner])
    assert made[0] is made[1]


def test_a_text_stream_keeps_its_content() -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"a\nb\n"), "utf-8")
    stream.readline()
    made = carried(io.StringIO("hello"))
    assert made.read() == "hello"
    assert carried(stream).encoding == "utf-8"


def test_an_enumeration_of_the_tests_is_carried() -> None:
    class Colour(enum.Enum):
        RED = 1

    assert carried(Colour.RED).name == "RED"


def test_instances_are_taken_apart_without_code_of_their_class() -> None:
    assert carried(Broken()).value == 3


def test_what_cannot_be_carried_is_a_hole_that_stops_whoever_uses_it() -> None:
    begun = (n for n in range(3))
    next(begun)
    made = carried([begun])
    assert type(made[0]) is Hole
    TOUCHED.clear()
    with pytest.raises(UncarriedTouchedError):
        made[0].send(None)
    assert TOUCHED == ["generator that has begun"]


def test_a_generator_that_has_not_begun_is_carried() -> None:
    factor = 3
    assert list(carried(factor * n for n in range(3))) == [0, 3, 6]


def test_a_missing_name_of_the_package_is_said() -> None:
    nodes = (("ref", "own_package.models", "User"),)
    script = types.ModuleType("script")
    with pytest.raises(MissingError, match=r"own_package\.models:User"):
        Decoder(nodes, Space(WORLD.own, script, {})).value([0])


def test_equal_values_of_other_types_differ() -> None:
    assert len({text(1), text(True), text(1.0)}) == 3
    assert text([1]) != text((1,))


def test_sets_do_not_depend_on_their_order() -> None:
    assert text({f"k{n}" for n in range(9)}) == text({f"k{8 - n}" for n in range(9)})


def test_only_numbers_are_masked() -> None:
    one = {"observed": {"value": "<T at 12.5, name='a'>"}}
    two = {"observed": {"value": "<T at 13.5, name='a'>"}}
    other = {"observed": {"value": "<T at 13.5, name='b'>"}}
    found = masks(one, two)
    assert found is not None
    assert masked("<T at 99, name='a'>", found["value"]) == "<T at ?, name='a'>"
    assert masks(one, other) is None


def test_calls_are_sampled_ever_more_sparsely() -> None:
    sampled = [n for n in range(10_000) if is_sampled(n)]
    assert sampled[:9] == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert len(sampled) < 60
