"""Edits of drafts: each makes a draft shorter, leaves Python behind, and spares what is plain."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.inputs.receivers.receiver_pool import Receivers
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.search.drafts.drafts import Draft, case_of
from slicefunc.verifier.search.minimise.simpler_drafts import edited, edits_of, literals_in

from tests.verifier.search.variation.test_vary import INPUTS, LITERALS


def _results(draft: Draft, inputs: Inputs = INPUTS, *known: object) -> list[Draft]:
    return [edited(draft, (edit,)) for edit in edits_of(draft, inputs, known)]


def _arguments(text: str, *known: object) -> set[str]:
    inputs = Inputs("f", "function", pools=(Pool("a", "keyword", ()),))
    return {d.arguments[0][1] for d in _results(Draft("", (("a", text),)), inputs, *known)}


@given(LITERALS, LITERALS)
def test_each_edit_makes_a_shorter_case_that_parses(one: object, two: object) -> None:
    draft = Draft("", (("a", repr(one)), ("b", repr(two))), (Statement("{it}.state = 'a' * 3"),))
    for simpler in _results(draft):
        assert simpler.size < draft.size
        ast.parse(case_of(INPUTS, simpler, "case").code)


@given(LITERALS, st.data())
def test_edits_can_be_made_together(value: object, data: st.DataObject) -> None:
    draft = Draft("", (("a", repr(value)), ("b", repr([value, value]))))
    edits = edits_of(draft, INPUTS, ())
    some = data.draw(st.lists(st.sampled_from(edits), unique=True)) if edits else []
    result = edited(draft, some)
    assert (result.size < draft.size) == bool(some)
    ast.parse(case_of(INPUTS, result, "case").code)


def test_what_can_be_left_out_goes() -> None:
    draft = Draft(
        "", (("a", "1"), ("b", "None")), (Statement("{it}.push(1)"),), (("file", "missing"),)
    )
    assert set(_results(draft)) == {
        Draft("", (("a", "1"),), draft.before, draft.answers),
        Draft("", draft.arguments, (), draft.answers),
        Draft("", draft.arguments, draft.before),
    }


def test_the_first_choice_goes_before_another_that_is_longer() -> None:
    inputs = Inputs(
        "Stack.pop",
        "method",
        Receivers(("Stack()", "Stack(items=[1])")),
        (Pool("count", "keyword", ("1", "'several'")),),
    )
    draft = Draft("Stack(items=[1])", (("count", "'several'"),))
    assert Draft("Stack()", draft.arguments) in _results(draft, inputs)
    assert Draft(draft.receiver, (("count", "1"),)) in _results(draft, inputs)


def test_what_a_person_would_write_stays() -> None:
    for text in ("3", "-1", "2.5", "'abc'", "['a', 'b']", "{'key-1': 1}", "'text-1 text-2'"):
        assert not _arguments(text), text
    assert not _arguments("'the only text it knows'", "the only text it knows")
    assert not _arguments("49", 49)


def test_numbers_get_small_and_texts_short() -> None:
    assert {"1", "2", "3", "10"} <= _arguments("4711")
    assert {"-1", "1"} <= _arguments("-15")
    assert {"'abc'", "'no such file'"} <= _arguments("'no such such file'")
    assert "'one\\nthree'" in _arguments("'one\\ntwo\\nthree'")
    assert "'aaaaaaaaaa'" in _arguments("'aaaaaaaaaaaaaaaaaaaa'")


def test_long_lists_and_dictionaries_lose_what_they_hold() -> None:
    assert "[1, 2, 4]" in _arguments("[1, 2, 3, 4]")
    assert "{'b': 2, 'c': 3, 'd': 4}" in _arguments("{'a': 1, 'b': 2, 'c': 3, 'd': 4}")
    assert "Node(left=Node(value=1))" in _arguments(
        "Node(left=Node(value=1), right=Node(value=2), parent=None)"
    ) | _arguments("Node(left=Node(value=1), right=Node(value=2, parent=None))")


def test_names_of_modules_and_of_members_are_no_literals() -> None:
    text = (
        "type('AnythingThatIsLong', (), {'a_member_of_long_name': 1})().a_member_of_long_name"
        " + __import__('a.module.of_long_name', fromlist=['something_long']).something_long"
    )
    assert all("AnythingThatIsLong" in each and "a.module" in each for each in _arguments(text))


def test_literals_are_those_of_expressions_and_statements() -> None:
    assert literals_in(["f(1, 'a')", "{it}.x = [2.5]", "not python at all"]) == {
        1,
        "a",
        2.5,
    }


def test_names_that_end_like_it_stay_as_they_are() -> None:
    found = _results(
        Draft("", (), (Statement("{it}.wait_until(unit_count=1000, at=['wait_for'])"),))
    )
    assert Draft("", (), (Statement("{it}.wait_until(unit_count=1, at=['wait_for'])"),)) in found


def test_stand_ins_keep_what_others_may_ask_of_them() -> None:
    text = "type('Manager', (), {'names': lambda self: ['a'], 'active': lambda self: [], 'x': 1})()"
    assert all("'names'" in each and "'active'" in each for each in _arguments(text))
    text = "__import__('types').SimpleNamespace(first_of_them=1, second_of_them=2, third_of_them=3)"
    assert all("second_of_them" in each for each in _arguments(text) if "SimpleNamespace" in each)
