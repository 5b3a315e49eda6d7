"""Nodes of trees and lists end, instead of going on in a guess."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.mocker.shapes.shape import Anything, Entry, Mapping, Maybe, Object, Plain, Shape
from slicefunc.verifier.inputs.arguments.recursive_values import ended


def node(depth: int, left: Shape, right: Shape | None = None) -> Object:
    """A node whose left ones go on so far."""
    below = node(depth - 1, left, right) if depth else left
    entries = [Entry("key", Plain("int")), Entry("left", below)]
    return Object(tuple([*entries, Entry("right", right)] if right else entries))


def lefts(shape: Shape) -> list[Shape]:
    found: list[Shape] = []
    while isinstance(shape, Object):
        shape = {each.key: each.shape for each in shape.attributes}["left"]
        found.append(shape)
    return found


def test_a_list_that_hangs_together_ends() -> None:
    made = lefts(ended(node(2, Anything("left"))))
    assert made[-1] == Maybe(Anything("left"), is_none=True)
    assert all(isinstance(each, Object) for each in made[:-1])


def test_what_may_be_none_is_none_at_the_end() -> None:
    given = node(1, Maybe(Anything("left")))
    assert lefts(ended(given))[-1] == Maybe(Anything("left"), is_none=True)
    inner = Maybe(node(1, Anything("left")))
    made = ended(inner)
    assert isinstance(made, Maybe)
    assert lefts(made.shape)[-1] == Maybe(Anything("left"), is_none=True)


def test_mappings_end_too() -> None:
    inner = Mapping((Entry("next", Anything("next")), Entry("value", Plain("int"))))
    made = ended(Mapping((Entry("next", inner), Entry("value", Plain("int")))))
    assert isinstance(made, Mapping)
    below = made.entries[0].shape
    assert isinstance(below, Mapping)
    assert below.entries[0].shape == Maybe(Anything("next"), is_none=True)
    assert below.entries[1].shape == Plain("int")


@given(st.recursive(
    st.sampled_from([Anything("a"), Plain("text"), Plain("int")]),
    lambda inner: st.lists(inner, max_size=3).map(
        lambda shapes: Object(tuple(Entry(f"a{n}", each) for n, each in enumerate(shapes)))
    ),
    max_leaves=12,
))  # fmt: skip
def test_only_what_is_a_node_further_out_ends(shape: Shape) -> None:
    def nodes(shape: Shape, path: tuple[object, ...] = ()) -> dict[tuple[object, ...], bool]:
        found = {path: isinstance(shape, Object) and bool(shape.attributes)}
        if isinstance(shape, Object):
            for each in shape.attributes:
                found |= nodes(each.shape, (*path, each.key))
        return found

    before, after = nodes(shape), nodes(ended(shape))
    assert before == after
    assert ended(ended(shape)) == ended(shape)
