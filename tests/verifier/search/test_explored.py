"""Which ends of calls somebody meant, and which are accidents."""

from __future__ import annotations

import pytest
from slicefunc.verifier.mutation.block import Block
from slicefunc.verifier.search.drafts import Draft
from slicefunc.verifier.search.explored import Explored, is_meant, meant_exceptions
from slicefunc.verifier.trials import Tried

RAISED = (
    '{"outcome":"raised","exception":{"kind":"exception","type":"%s","args":["date value out of '
    'range"],"state":[]},"arguments":[],"globals":[],"files":[],"effects":[],"stdout":"",'
    '"stderr":"","shared":[]}'
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
    meant = meant_exceptions(Block(text, 1, 2))
    assert is_meant(Explored(Draft(""), Tried(RAISED % error)), meant) is is_case
