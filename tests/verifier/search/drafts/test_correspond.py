"""From what tests have compared to drafts in which they come out the other way."""

from __future__ import annotations

import re

import pytest
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.strategies.input_to_state import corresponding
from slicefunc.verifier.search.strategies.instrumented_tests import ComparedOperands


def _made(how: str, left: object, right: object, **arguments: str) -> list[dict[str, str]]:
    """The arguments of the drafts that one test leads to."""
    draft = Draft(arguments=tuple(arguments.items()))
    found = list(corresponding(draft, [ComparedOperands(1, how, left, right)]))
    assert draft not in found
    assert len(found) == len(set(found))
    return [dict(each.arguments) for each in found]


def test_an_operand_is_replaced_by_the_other() -> None:
    assert {"x": "'b'"} in _made("==", "a", "b", x="'a'")
    assert {"x": "'b'"} in _made("!=", "b", "a", x="'a'")
    assert {"x": "{'k': [1, 'b']}"} in _made("==", "a", "b", x="{'k': [1, 'a']}")


def test_equal_operands_are_told_apart() -> None:
    assert {"x": "4"} in _made("==", 3, 3, x="3")


def test_numbers_are_put_at_the_bound_and_beside_it() -> None:
    made = _made("<", 5, 10, x="5")
    assert [each["x"] for each in made[:3]] == ["10", "11", "9"]


def test_a_computed_number_is_followed_back() -> None:
    assert {"x": "93"} in _made("==", 12, 100, x="5")  # x + 7
    assert {"x": "20"} in _made("==", 25, 100, x="5")  # x * 5
    assert {"x": "345"} in _made("==", 11, 12, x="330")  # round(x // 30), which x // 30 cuts


def test_items_become_members() -> None:
    assert {"x": "'b'"} in _made("in", "a", ["b", "c"], x="'a'")
    assert {"x": "'b'"} in _made("[]", {"b": 1}, "a", x="'a'")
    assert {"x": "{'b': 1, 'a': 1}"} in _made("[]", {"b": 1}, "a", x="{'b': 1}")
    assert {"x": "'text a'"} in _made("in", "a", "text", x="'text'")


def test_each_value_of_a_column_may_be_the_one_that_is_compared_with() -> None:
    table = "DataFrame({'name': ['a', 'b']})"
    made = _made("==", ["a", "b"], "c", x=table, y="'c'")
    assert {"x": table.replace("'b'", "'c'"), "y": "'c'"} in made
    assert {"x": table, "y": "'b'"} in made
    assert {"x": table, "y": "4"} in _made(">", [4, 5], 7, x=table, y="7")


def test_all_parts_of_a_tuple_change_at_once() -> None:
    made = _made("[]", {("n", "s"): 1}, ("a", "b"), x="'a'", y="'b'")
    assert made[0] == {"x": "'n'", "y": "'s'"}
    assert _made("[]", {("n", "s"): 1}, ("a", "a"), x="'a'", y="'a'")[0] == {"x": "'n'", "y": "'s'"}


def test_all_parts_of_a_text_change_at_once() -> None:
    assert {"x": "'US'", "y": "'CA'"} in _made("in", "a-b", {"US-CA": 1}, x="'a'", y="'b'")
    assert {"x": "'US'"} in _made("==", "key: A", "key: US", x="'a'")
    assert {"x": "12"} in _made("==", "item-3", "item-12", x="3")


@pytest.mark.parametrize(
    ("literal", "operand"), [("'Text'", "text"), ("' text '", "text"), ("'text'", "TEXT")]
)
def test_other_forms_of_a_text_are_found(literal: str, operand: str) -> None:
    assert {"x": "'other'"} in _made("==", operand, "other", x=literal)


def test_a_part_of_a_text_is_replaced() -> None:
    assert {"x": "'one three'"} in _made("==", "two", "three", x="'one two'")
    assert {"x": "'17-5'"} in _made("==", 5, 3, x="'17-3'")


def test_prefixes_and_suffixes_are_added() -> None:
    assert {"x": "'ab'"} in _made("startswith", "b", "a", x="'b'")
    assert {"x": "'ba'"} in _made("endswith", "b", ("a", "c"), x="'b'")
    assert {"x": "'b'"} in _made("startswith", "ab", "a", x="'ab'")


def test_a_text_matches_the_pattern_of_the_run() -> None:
    made = _made("match", "<tag>(.*?)</tag>", "text", x="'text'", y="'tag'")
    assert made
    assert all(re.search("<tag>(.*?)</tag>", each["x"]) for each in made)
    assert all(each["y"] == "'tag'" for each in made)


def test_values_get_the_length_that_is_asked_for() -> None:
    assert [each["x"] for each in _made("len >=", "a", 2, x="[{'k': 'a'}]")][:2] == [
        "[{'k': 'aa'}]",
        "[{'k': 'aaa'}]",
    ]
    assert {"x": "[1, 2, 1]"} in _made("len ==", [1, 2], 3, x="[1, 2]")
    assert {"x": "'a'", "n": "1"} in _made("len ==", "a", 3, x="'a'", n="3")


def test_instances_of_what_is_tested_for_are_made() -> None:
    assert {"x": "[1]"} in _made("isinstance", "a", ("list", "Unheard"), x="'a'")


def test_what_is_an_instance_is_tried_as_none() -> None:
    assert {"x": "{'a': 'text-1'}"} in _made("isinstance", {"b": 1}, "dict", x="{'a': {'b': 1}}")
    assert {"x": "None"} in _made("isinstance", 1, ("int", "str"), x="1")


@pytest.mark.parametrize(
    ("value", "given", "other"),
    [
        ("a", "Box(name='a')", "Box(name='')"),
        ([1, 2], "Box([1, 2], 3)", "Box([], 3)"),
        ({}, "Box({})", "Box({'key-1': 'value-1'})"),
        (0, "Box(0)", "Box(1)"),
        (True, "Box(True)", "Box(False)"),
        (None, "Box(None)", "Box(True)"),
    ],
)
def test_what_is_tested_itself_is_given_as_its_opposite(
    value: object, given: str, other: str
) -> None:
    assert {"x": other} in _made("truth", value, value, x=given)


def test_statements_and_receivers_change_too() -> None:
    draft = Draft("Box('a')", (), (Statement("{it}.size = 3"),))
    made = list(
        corresponding(draft, [ComparedOperands(1, "==", "a", "b"), ComparedOperands(2, "<", 3, 9)])
    )
    assert Draft("Box('b')", (), (Statement("{it}.size = 3"),)) in made
    assert Draft("Box('a')", (), (Statement("{it}.size = 9"),)) in made


@pytest.mark.parametrize(
    ("how", "left", "right"),
    [
        ("==", ..., 1), ("==", "elsewhere", "b"), ("in", 1, ...), ("match", "(", "a"),
        ("match", 3, "a"), ("[]", [1], 5), ("len ==", ..., 3), ("startswith", "a", 5),
        ("unheard of", 1, 2), ("<", "a", 1), ("==", 0, 10**400), ("<", 1e308, 10**308),
        ("==", 0.5, 10**400), ("in", [1], {"a": 1}), ("[]", {"a": 1}, ([1],)),
        ("==", "a" * 900, "b" * 2000),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_passed_over(how: str, left: object, right: object) -> None:
    for made in _made(how, left, right, x="'a'", y="Thing(3)", z="not an (expression"):
        assert made["z"] == "not an (expression"
