"""What a surviving mutant asks for: values on which its change shows."""

from __future__ import annotations

import textwrap

import pytest
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.mutants.directed_drafts import directed


def _asked(
    text: str, before: str, draft: Draft, *pools: Pool, kind: str = "function", by: str = ""
) -> list[Draft]:
    """The drafts for the first mutant that changes some text of a function by an operator."""
    text = textwrap.dedent(text).lstrip("\n")
    block = Block(text, 1, text.count("\n"))
    made = next(
        each for each in mutants_of(block).records
        if each.before == before and by in each.operator
    )  # fmt: skip
    inputs = Inputs("C.f" if kind == "method" else "f", "function", pools=pools)
    if kind == "method":
        inputs = Inputs("C.f", "method", pools=pools)
    return list(directed(inputs, block, [made], {made.line: [draft]}))


def _given(text: str, before: str, by: str = "", /, **arguments: str) -> list[dict[str, str]]:
    """The arguments of such drafts."""
    drafts = _asked(text, before, Draft(arguments=tuple(arguments.items())), by=by)
    assert len(drafts) == len(set(drafts))
    return [dict(each.arguments) for each in drafts]


CALLS = [
    ("x.lower()", "'ab'", "'Ab'"),
    ("x.strip()", "'ab'", "' ab '"),
    ("x.split()", "'ab'", "'ab ab'"),
    ("abs(x)", "3", "-3"),
    ("round(x)", "3", "3.6"),
    ("sorted(x)", "[1, 2]", "[20, 9, 2, 1, 1]"),
    ("normpath(x)", "'a'", "'./a'"),
]


@pytest.mark.parametrize(("call", "given", "wanted"), CALLS)
def test_a_call_that_is_left_out_gets_what_it_changes(call: str, given: str, wanted: str) -> None:
    found = _given(f"def f(x):\n    y = {call}\n    return y\n", call, "dropped", x=given)
    assert {"x": wanted} in found[:4]


def test_a_relation_gets_its_bound() -> None:
    text = "def f(x, y):\n    return len(x) >= 3 and y\n"
    found = _given(text, "len(x) >= 3", "relational", x="'ab'", y="0")
    assert {"x": "'aba'", "y": "0"} in found
    assert all(each["y"] == "0" for each in found)
    found = _given("def f(x, y):\n    return x < y\n", "x < y", "relational", x="1", y="2")
    assert {"x": "2", "y": "2"} in found[:3]


def test_numbers_in_a_text_that_is_read_come_to_their_bounds() -> None:
    text = """
        def f(x):
            year, month = x.split("-")
            return x if 0 < int(year) and int(month) < 13 else None
    """
    found = _given(text, "0 < int(year) and int(month) < 13", "dropped operand", x="'2024-05'")
    assert [each["x"] for each in found[:4]] == ["'0000-05'", "''", "'2024-00'", "None"]
    assert {"'2024-13'", "'2024-99'"} <= {each["x"] for each in found}
    other = _given("def f(x):\n    return x and g(x)\n", "x and g(x)", "dropped", x="'2024'")
    assert {"x": "'0000'"} not in other


def test_what_stands_between_items_gets_several() -> None:
    text = "def f(x):\n    return ', '.join(g(x))\n"
    found = _given(text, "', '", "text", x="{'a': {'b': 'c'}}")
    assert {"x": "{'a': {'b': 'c'}, 'ab': {'b': 'cb'}}"} in found[:4]


def test_what_is_matched_gets_an_end_of_line() -> None:
    text = "def f(x):\n    return P.match(x)\n"
    assert {"x": "'ab\\n'"} in _given(text, "P.match", "sibling", x="'ab'")


def test_equal_items_can_be_told_apart() -> None:
    text = "def f(x):\n    return sorted(x, key=lambda e: e > x[0])\n"
    found = _given(text, "e > x[0]", "relational", x="[1, 2]")
    assert {"x": "[1, 1.0]"} in found


def test_texts_that_are_equal_stay_equal() -> None:
    found = _given(
        "def f(code, rows):\n    return rows[code] if len(code) >= 2 else None\n",
        "len(code) >= 2", "relational", code="'abcd'", rows="{'abcd': 1}",
    )  # fmt: skip
    assert {"code": "'ab'", "rows": "{'ab': 1}"} in found
    assert {"code": "'ab'", "rows": "{'abcd': 1}"} in found


def test_words_are_given_as_values_and_as_keys() -> None:
    text = "def f(x):\n    return x.get('name', 'nobody')\n"
    found = _given(text, "'name'", x="{'a': 7}")
    assert {"x": "{'a': 7, 'name': 7}"} in found[:6]
    assert {"x": "'a,b'"} in _given("def f(x):\n    return x == 'a,b'\n", "'a,b'", x="'c'")


def test_a_changed_text_is_given_where_it_may_show() -> None:
    text = "def f(x):\n    return x.removeprefix('_').rstrip('-')\n"
    assert {"x": "'_Xa_X'"} in _given(text, "'_'", x="'a'")[:4]
    assert {"x": "'XaX'"} in _given(text, "'-'", x="'a'")[:4]
    text = "def f(x):\n    return {k: v for k, v in x.items() if k != 'id'}\n"
    assert {"x": "{'a': 7, 'idX': 7}"} in _given(text, "'id'", x="{'a': 7}")


def test_swapped_arguments_differ() -> None:
    text = "def f(x, y):\n    return g(x, y)\n"
    assert {"x": "3", "y": "5"} in _given(text, "g(x, y)", "swapped", x="1", y="1")[:2]


def test_only_what_flows_there_is_changed() -> None:
    text = """
        def f(x, y):
            z = y + 1
            found = []
            for each in x:
                found.append(each)
            return found - 2, z * 3
    """
    assert {each["x"] for each in _given(text, "z * 3", x="1", y="1")} == {"1"}
    assert {each["y"] for each in _given(text, "found - 2", x="1", y="1")} == {"1"}


def test_a_stand_in_gets_the_attribute_that_is_named() -> None:
    stand_in = "type('A', (), {'a': 1, '__repr__': lambda self: '<A>'})()"
    found = _given("def f(x):\n    return getattr(x, 'b', 0) + 1\n", "'b'", x=stand_in)
    assert {"x": stand_in.replace("{'a'", "{'b': 3, 'a'")} in found
    assert all("type('A', ()" in each["x"] and "'<A>'" in each["x"] for each in found)


def test_the_receiver_is_brought_to_a_bound() -> None:
    text = "def f(self):\n    self.depth -= 1\n    return self.depth == 0\n"
    found = _asked(text, "self.depth == 0", Draft("C()"), kind="method", by="relational")
    assert (Statement("{it}.depth = 1"),) in [each.before for each in found]


def test_what_is_compared_with_the_receiver_is_one_like_it() -> None:
    text = "def f(self, other):\n    return self.path == other.path\n"
    draft = Draft("C('a')", (("other", "1"),))
    given = [dict(each.arguments)["other"] for each in _asked(
        text, "self.path == other.path", draft, kind="method"
    )]  # fmt: skip
    assert "C('a')" in given
    assert any(text.startswith("C('a") and text != "C('a')" for text in given)


def test_other_values_of_the_pool_come_too() -> None:
    pool = Pool("x", "keyword", ("1", "'b'", "[None]"))
    text = "def f(x):\n    return g(x) or 1\n"
    found = _asked(text, "g(x) or 1", Draft(arguments=(("x", "1"),)), pool)
    assert {dict(each.arguments)["x"] for each in found} >= {"'b'", "[None]"}


def test_a_text_that_names_an_attribute_is_given_as_one() -> None:
    text = "def f(stream, wanted):\n    return attribute_is(stream, 'encoding', wanted)\n"
    found = _given(text, "'encoding'", stream="'stream-1'", wanted="'utf-8'")
    made = '__import__("types").SimpleNamespace(encoding={})'
    assert {"stream": made.format("'utf-8'"), "wanted": "'utf-8'"} in found
    assert {"stream": made.format("3"), "wanted": "'utf-8'"} in found
