"""Variation gives expressions that parse, differ, and are the same for the same seed."""

from __future__ import annotations

import ast
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.inputs.receivers.receiver_pool import Receivers
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.search.drafts.code_literals import CodeLiterals
from slicefunc.verifier.search.drafts.drafts import Draft, case_of, first_draft
from slicefunc.verifier.search.variation.literal_variation import (
    changed,
    in_surroundings,
    repaired,
    vary,
    with_file,
    words_in,
)

LITERALS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1000, 1000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
WORDS = CodeLiterals(("alpha", "beta"), (7, -3, 2.5), (b"raw",), (), ("a-1",))
INPUTS = Inputs(
    "f",
    "function",
    pools=(
        Pool("a", "keyword", ("1", "'text'", "[1, 2]")),
        Pool("b", "keyword", ("{'key': 1}", "None"), is_optional=True),
        Pool("rest", "rest", ("[]", "[1]"), is_optional=True),
    ),
)


@given(LITERALS, st.integers(0, 10_000))
def test_a_changed_expression_is_a_literal_again(value: object, seed: int) -> None:
    text = repr(value)
    result = changed(text, WORDS, WORDS, Random(seed))
    if result != "set()":
        ast.literal_eval(result)


@given(st.integers(0, 10_000))
def test_the_same_seed_gives_the_same_draft(seed: int) -> None:
    first = first_draft(INPUTS)
    places = [("requests", ("default", "404"))]
    one = vary(first, INPUTS, WORDS, WORDS, places, Random(seed))
    two = vary(first, INPUTS, WORDS, WORDS, places, Random(seed))
    assert one == two


@given(st.integers(0, 10_000))
def test_every_draft_is_a_case_with_one_call(seed: int) -> None:
    random = Random(seed)
    draft = first_draft(INPUTS)
    for _ in range(4):
        draft = vary(draft, INPUTS, WORDS, WORDS, [("files", ("default", "missing"))], random)
    tree = ast.parse(case_of(INPUTS, draft, "case").code)
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
    assert sum(isinstance(c.func, ast.Name) and c.func.id == "f" for c in calls) == 1
    assert [n.name for n in tree.body if isinstance(n, ast.FunctionDef)] == ["case"]


def test_what_an_error_names_is_replaced_everywhere() -> None:
    draft = Draft("Box('one')", (("a", "['one', 'two']"),), (Statement("{it}.put('one')"),))
    words = CodeLiterals(("other",))
    found = repaired(draft, ("one",), words, Random(0))
    assert found == Draft(
        "Box('other')", (("a", "['other', 'two']"),), (Statement("{it}.put('other')"),)
    )


def test_a_file_is_laid_out_before_the_receiver_is_made() -> None:
    inputs = Inputs("Reader.read", "method")
    draft = with_file(
        Draft("Reader('a.txt')", (), (Statement("{it}.rewind()"),)),
        Statement("open('a.txt', 'w').close()"),
    )
    assert case_of(inputs, draft, "case").code == (
        "def case():\n"
        "    open('a.txt', 'w').close()\n"
        "    reader = Reader('a.txt')\n"
        "    reader.rewind()\n"
        "    return reader.read()\n"
    )


def test_a_place_of_the_surroundings_is_set_once() -> None:
    draft = Draft(
        before=(Statement('__import__("os").environ["A"] = "1"'), Statement("{it}.a = 1"))
    )
    other = in_surroundings(draft, Statement('__import__("os").environ["B"] = "2"'))
    assert len(other.before) == 3
    again = in_surroundings(other, Statement("__import__('os').environ['A'] = '3'"))
    assert len(again.before) == 3
    gone = in_surroundings(again, Statement('__import__("os").environ.pop("A", None)'))
    assert not any("'3'" in each.text for each in gone.before)


@given(st.integers(0, 10_000))
def test_what_an_expression_imports_stays(seed: int) -> None:
    result = changed("__import__('os').terminal_size((3, 4))", WORDS, WORDS, Random(seed))
    assert result.startswith("__import__('os').terminal_size(")


@given(st.integers(0, 2000))
def test_seconds_of_a_sleep_stay(seed: int) -> None:
    for start, end in (("__import__('asyncio').sleep(0, ", "'a')"), ("sleep(delay=3)", "")):
        assert changed(start + end, WORDS, WORDS, Random(seed)).startswith(start)


@given(st.integers(0, 200))
def test_what_is_no_number_of_seconds_is_changed(seed: int) -> None:
    found = {changed("Animal().sleep('deep')", WORDS, WORDS, Random(seed + n)) for n in range(30)}
    assert any("'deep'" not in each for each in found)


@pytest.mark.parametrize("name", ["class", "list", "point"])
def test_an_instance_is_not_called_like_something_else(name: str) -> None:
    inputs = Inputs(f"My{name.title()}.move", "method", Receivers(("Made()",)))
    code = case_of(inputs, Draft("Made()", before=(Statement("{it}.to = point(1)"),)), "case").code
    assert f"    {name}_1 = Made()\n" in code


@given(st.integers(0, 10_000))
def test_a_stand_in_keeps_its_name_and_its_members(seed: int) -> None:
    text = "type('Reader', (), {'size': 4, '__repr__': lambda self: '<Reader>'})()"
    result = changed(text, WORDS, WORDS, Random(seed))
    start, end = text.split("4")
    assert result.startswith(start)
    assert result.endswith(end)


@given(st.integers(0, 10_000))
def test_what_makes_a_value_stays(seed: int) -> None:
    made = "__import__('importlib').import_module('a.b').C({})"
    result = changed(made.format("'x'"), WORDS, WORDS, Random(seed))
    assert result.startswith(made.format("")[:-1])
    assert words_in(Draft(arguments=(("x", made.format("'y'")),)))[0] == ("y",)
