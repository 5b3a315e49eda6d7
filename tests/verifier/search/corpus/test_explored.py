"""Which ends of calls somebody meant, and which are accidents."""

from __future__ import annotations

import pytest
from slicefunc.verifier.execution.batched_trials import OriginalTrial
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.search.corpus.trial_result import (
    TrialResult,
    intended_exceptions,
    is_as_users_do,
    is_intended,
    plain_arcs,
)
from slicefunc.verifier.search.drafts.drafts import Draft

RAISED = (
    '{"outcome":"raised","exception":{"kind":"exception","type":"%s","args":["%s"],"state":[]},'
    '"arguments":[],"globals":[],"files":[],"effects":[],"stdout":"","stderr":"","shared":[]}'
)


@pytest.mark.parametrize(
    ("text", "error", "is_case"),
    [
        ("def f(a):\n    return a + a\n", "OverflowError", False),
        ("def f(a):\n    raise OverflowError(a)\n", "OverflowError", True),
        ("def f(a):\n    return a + a\n", "AttributeError", False),
        ("def f(a):\n    return int(a)\n", "ValueError", True),
    ],
)
def test_what_is_too_large_for_an_operation_is_an_accident(
    text: str, error: str, is_case: bool
) -> None:
    meant = intended_exceptions(Block(text, 1, 2))
    tried = OriginalTrial(RAISED % (error, "date value out of range"))
    assert is_intended(TrialResult(Draft(""), tried), meant) is is_case


@pytest.mark.parametrize(
    ("said", "is_case"), [("popitem(): dictionary is empty", False), ("name", True)]
)
def test_to_take_of_an_empty_dictionary_is_an_accident(said: str, is_case: bool) -> None:
    meant = intended_exceptions(Block("def f(a):\n    return a.popitem()\n", 1, 2))
    tried = OriginalTrial(RAISED % ("KeyError", said))
    assert is_intended(TrialResult(Draft(""), tried), meant) is is_case


def test_private_state_is_set_only_where_no_other_call_comes_to() -> None:
    returned = '{"outcome":"returned"'
    plain = TrialResult(Draft("A()"), OriginalTrial(returned, frozenset({(1, 2)})))
    arcs = plain_arcs([plain])
    for tried, good in (
        (OriginalTrial(returned, frozenset({(1, 2)})), False),
        (OriginalTrial(returned, frozenset({(1, 3)})), True),
        (OriginalTrial('{"outcome":"raised","exception":"KeyError"', frozenset({(1, 3)})), False),
    ):
        assert (
            is_as_users_do(TrialResult(Draft("A()", (), (Statement("{it}._a = 1"),)), tried), arcs)
            is good
        )
    assert is_as_users_do(plain, arcs)
