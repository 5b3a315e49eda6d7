"""Drafts from the parts of two."""

from __future__ import annotations

from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.inputs.receivers.receiver_pool import Receivers
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.variation.crossover import cross, each_alone, on_other_receivers

INPUTS = Inputs(
    "C.f",
    "method",
    Receivers(("C()", "C(a=1)"), (Statement("{it}.b = 2"),)),
    (Pool("x", "keyword", ("1", "2")), Pool("y", "keyword", ("3",), is_optional=True)),
)


def test_a_receiver_gets_the_arguments_of_another_draft() -> None:
    drafts = [
        Draft("C()", (("x", "1"),)),
        Draft("C(a=1)", (("x", "2"),), (Statement("{it}.b = 2"),)),
    ]
    assert list(cross(drafts)) == [
        Draft("C()", (("x", "2"),)),
        Draft("C(a=1)", (("x", "1"),), (Statement("{it}.b = 2"),)),
    ]


def test_functions_have_nothing_to_cross() -> None:
    assert not list(cross([Draft("", (("x", "1"),)), Draft("", (("x", "2"),))]))


def test_a_draft_is_kept_but_for_one_thing() -> None:
    draft = Draft("C()", (("x", "1"),), (Statement("{it}.c = 1"),))
    assert [dict(each.arguments) for each in each_alone(INPUTS, draft)] == [
        {"x": "1", "y": "3"},
        {"x": "2"},
    ]
    others = list(on_other_receivers(INPUTS, draft))
    assert [each.receiver for each in others] == ["C(a=1)", "C()"]
    assert others[1].before == (Statement("{it}.c = 1"), Statement("{it}.b = 2"))
