"""Every idea for proposing inputs can be switched off, and on again."""

from __future__ import annotations

import importlib
from functools import reduce

import pytest

from benchmarks.cases.search_ideas import IDEAS, Idea


def functions_of(idea: Idea) -> list[object]:
    """The functions of an idea, as they are now."""
    found: list[object] = []
    for place in idea.functions:
        module, _, qualname = place.partition(":")
        holder: object = importlib.import_module(f"slicefunc.verifier.{module}")
        found.append(reduce(getattr, qualname.split("."), holder))
    return found


@pytest.mark.parametrize("idea", IDEAS, ids=lambda idea: idea.name)
def test_each_idea_is_off_for_a_while(idea: Idea) -> None:
    before = functions_of(idea)
    with idea.off():
        assert all(each is idea.instead for each in functions_of(idea))
    assert functions_of(idea) == before


def test_what_is_given_is_noted_with_the_name_of_the_idea() -> None:
    idea = next(each for each in IDEAS if each.name == "array texts")
    module = importlib.import_module("slicefunc.verifier.inputs.texts.array_texts")
    noted: list[tuple[str, object]] = []
    with idea.watched(lambda name, given: noted.append((name, given))):
        given = [*module.array_texts('__import__("numpy").arange(4).reshape(2, 2)')]
        assert [*module.array_texts("3")] == []
    assert noted == [("array texts", each) for each in given]
