"""Partly known texts: what Python makes of texts is among what is known of the result."""

from __future__ import annotations

import posixpath

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.slicer.analysis.values.texts import (
    NOTHING_KNOWN,
    Text,
    Texts,
    any_of,
    below,
    filled,
    summed,
)

WORDS = st.text("ab/%{}", max_size=4)


@st.composite
def known_texts(draw: st.DrawFn) -> tuple[str, Texts]:
    """A text, and alternatives of which one says what is known of it."""
    start, middle, end = draw(WORDS), draw(WORDS), draw(WORDS)
    whole = start + middle + end
    known = draw(st.sampled_from([Text(whole), Text(start, is_open=True, suffix=end)]))
    others = draw(st.lists(st.builds(Text, WORDS, st.booleans()), max_size=2))
    return whole, tuple(draw(st.permutations([known, *others])))


def _is_possible(whole: str, texts: Texts) -> bool:
    return any(
        whole == each.text
        if not each.is_open
        else whole.startswith(each.text) and whole[len(each.text) :].endswith(each.suffix)
        for each in texts
    )


@given(st.lists(known_texts(), max_size=4))
def test_a_sum_is_possible(parts: list[tuple[str, Texts]]) -> None:
    assert _is_possible("".join(whole for whole, _ in parts), summed(known for _, known in parts))


@given(st.lists(known_texts(), min_size=1, max_size=4))
def test_a_path_begins_as_is_known(parts: list[tuple[str, Texts]]) -> None:
    whole = posixpath.join(*(whole for whole, _ in parts))
    starts = below([known for _, known in parts])
    assert any(whole.startswith(each.text) if each.is_open else whole == each.text
               for each in starts)  # fmt: skip


PERCENT = st.sampled_from(["%s", "%r", "%5s", "%-8.3s", "%.*s", "%*s", "%%"])
BRACES = st.sampled_from(["{}", "{!r}", "{:>5}", "{:{}}", "{name}", "{{", "}}"])
WIDTH: Texts = (Text("3"),)


@given(st.lists(st.tuples(st.text("ab/", max_size=2), PERCENT, known_texts()), max_size=4))
def test_a_filled_template_is_possible(parts: list[tuple[str, str, tuple[str, Texts]]]) -> None:
    template = "".join(literal + field for literal, field, _ in parts)
    values: list[tuple[object, Texts]] = []
    for _, field, value in parts:
        values += [(3, WIDTH)] * field.count("*") + [value] * (field != "%%")
    whole = template % tuple(given for given, _ in values)
    assert _is_possible(whole, filled((Text(template),), "%", [known for _, known in values]))


@given(st.lists(st.tuples(st.text("ab/", max_size=2), BRACES, known_texts()), max_size=4))
def test_a_filled_format_is_possible(parts: list[tuple[str, str, tuple[str, Texts]]]) -> None:
    template = "".join(literal + field for literal, field, _ in parts)
    values: list[tuple[object, Texts]] = []
    for _, field, value in parts:
        values += [value] * (field[0] + field[-1] == "{}" and "name" not in field)
        values += [(3, WIDTH)] * ("{}}" in field)
    whole = template.format(*(given for given, _ in values), name="any")
    assert _is_possible(whole, filled((Text(template),), "{", [known for _, known in values]))


@given(st.lists(known_texts(), min_size=2, max_size=5))
def test_of_too_many_the_common_is_known(alternatives: list[tuple[str, Texts]]) -> None:
    (common,) = any_of((text for _, known in alternatives for text in (*known, Text("?"))), most=1)
    assert common.is_open
    for whole, _ in alternatives:
        assert _is_possible(whole, (common,))


def test_a_number_in_a_path_is_not_known() -> None:
    found = filled((Text("%s/%03d.txt"),), "%", [(Text("data"),), NOTHING_KNOWN])
    assert found == (Text("data/", is_open=True, suffix=".txt"),)
