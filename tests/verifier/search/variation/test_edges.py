"""Values on both sides of what a target says."""

from __future__ import annotations

import textwrap

from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.search.variation.boundaries_in_code import (
    Edges,
    boundary_values,
    edges_of,
    neighbours,
)


def edges(text: str) -> Edges:
    text = textwrap.dedent(text).strip("\n") + "\n"
    return edges_of(Block(text, 1, text.count("\n")).functions)


def test_signs_are_those_that_are_looked_for_stripped_or_in_a_pattern() -> None:
    found = edges("""
        def f(text):
            text = text.strip(";,")
            return text[0] in "ab" or text == "#" or re.match(r"x\\.y", text)
    """)
    assert set("#ab;,.") <= set(found.signs)
    assert not set(" \t\n") & set(found.signs)


def test_blanks_are_told_apart_only_where_something_asks_for_them() -> None:
    assert "\u00a0" in edges("def f(text):\n    return text.split()").signs
    assert not edges("def f(text):\n    return text.upper()").signs


def test_each_sign_comes_alone_inside_and_at_both_ends() -> None:
    made = {value for _, value in boundary_values(Edges(("\r",), (), (), ()), "text")}
    assert {"te\rxt", "text\r", "\rtext", "\r"} <= made


def test_words_come_in_other_forms_and_numbers_beside_themselves() -> None:
    known = Edges((), ("unix",), (7,), ())
    assert {"unix", "UNIX", " unix ", "uni"} <= {
        value for _, value in boundary_values(known, "text")
    }
    assert {6, 7, 8, -7} == {value for _, value in boundary_values(known, 3)}
    assert not [*boundary_values(known, value=True)]


def test_a_value_has_neighbours_of_other_builtin_classes() -> None:
    assert [*neighbours("bytes", "b'x'")] == ["bytearray(b'x')", "memoryview(b'x')"]
    assert not [*neighbours("object", "C()")]
