"""Values that go on and on are cut where nobody would read them; others stay as they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.mocker.shapes.shape import (
    Anything,
    Entry,
    Mapping,
    Maybe,
    Object,
    Plain,
    Sequence,
    Shape,
)
from slicefunc.verifier.inputs.arguments.value_depth import bounded, shallow
from slicefunc.verifier.inputs.texts.render_values import expression

LEAVES = st.sampled_from([Anything("name"), Plain("int"), Plain("text", "title")])


def _with_more(inner: st.SearchStrategy[Shape]) -> st.SearchStrategy[Shape]:
    entries = st.lists(inner, max_size=3).map(
        lambda made: tuple(Entry(f"key_{n}", each) for n, each in enumerate(made))
    )
    return st.one_of(
        st.builds(Object, entries, result=st.none() | inner, item=st.none() | inner),
        st.builds(Mapping, entries, rest=st.none() | inner),
        st.builds(Sequence, inner),
        st.builds(Maybe, inner),
    )


SHAPES = st.recursive(LEAVES, _with_more, max_leaves=12)


def text_of(shape: Shape) -> str:
    return expression(shape, frozenset(), lambda _own: None)


def levels(shape: Shape | None) -> int:
    match shape:
        case Maybe(shape=inner):
            return levels(inner)
        case Object(attributes=entries, result=one, item=two):
            inner = [each.shape for each in entries]
            return 1 + max(map(levels, [*inner, one, two]))
        case Mapping(entries=entries, rest=rest):
            return 1 + max(map(levels, [*(each.shape for each in entries), rest]))
        case Sequence(item=item):
            return 1 + levels(item)
        case _:
            return 0


def tree(depth: int) -> Shape:
    """Something with two of its kind inside, so many levels deep."""
    return Object(item=tree(depth - 1), hint="tree") if depth else Anything("tree")


@given(SHAPES, st.integers(0, 4))
def test_no_more_levels_are_left_than_asked_for(shape: Shape, depth: int) -> None:
    assert levels(shallow(shape, depth)) <= depth


@given(SHAPES)
def test_what_is_not_deeper_stays(shape: Shape) -> None:
    assert shallow(shape, levels(shape)) == shape


def test_a_short_text_is_the_whole_shape() -> None:
    assert bounded(tree(2), text_of) == text_of(tree(2))


def test_a_tree_of_its_own_kind_is_cut() -> None:
    assert len(text_of(tree(6))) > 5 * len(bounded(tree(6), text_of))


def test_what_is_cut_is_an_expression_of_the_same_kind() -> None:
    made = eval(bounded(tree(6), text_of))
    assert len(made) == 2
    assert len(next(iter(made))) == 2


def test_instances_of_the_slice_are_never_cut() -> None:
    own = Object(own="a class", hint="order")
    assert shallow(Mapping((Entry("order", own),)), 1) == Mapping((Entry("order", own),))
