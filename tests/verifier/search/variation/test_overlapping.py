"""Dictionaries that are given together share keys where the target looks into nested ones."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.variation.overlapping_mappings import nests_mappings, overlapping


@pytest.mark.parametrize(
    ("body", "nests"),
    [
        ("return {k: isinstance(v, dict) for k, v in a.items()}", True),
        ("return isinstance(a.get('x'), (list, collections.abc.Mapping))", True),
        ("return isinstance(a, dict)", False),
        ("return a == b", False),
    ],
)
def test_a_function_looks_into_nested_dictionaries(body: str, *, nests: bool) -> None:
    assert nests_mappings(ast.parse(f"def f(a, b): {body}").body[0]) is nests


def test_the_dictionaries_share_keys_of_three_levels() -> None:
    draft = Draft("", (("a", "{'k': 1}"), ("b", "{}"), ("c", "1")))
    made = [dict(each.arguments) for each in overlapping(draft)]
    pairs = [(ast.literal_eval(each["a"]), ast.literal_eval(each["b"])) for each in made]
    assert all(each["c"] == "1" for each in made)
    inner = [(a.get("a"), b.get("a")) for a, b in pairs]
    deep = [(a, b) for a, b in inner if isinstance(a, dict) and isinstance(b, dict)]
    assert any(isinstance(a.get("b"), dict) and isinstance(b.get("b"), dict) for a, b in deep)
    assert any(b.get("b", 0) is None for _, b in deep)


def test_one_dictionary_alone_is_left_as_it_is() -> None:
    assert list(overlapping(Draft("", (("a", "{'k': 1}"), ("b", "[1]"))))) == []


def test_what_a_receiver_is_made_of_shares_keys_with_an_argument() -> None:
    draft = Draft("Bag({'k': 1}, 3)", (("args", "[{'m': 2}]"),))
    made = list(overlapping(draft))
    assert all(each.receiver.startswith("Bag({'a'") for each in made)
    assert all(each.receiver.endswith(", 3)") for each in made)
    assert all(each.arguments[0][1].startswith("[{'a'") for each in made)
