"""Cases that look at what a module holds after a call."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from slicefunc.verifier.evidence.in_place.state_cases import read_names, state_cases
from slicefunc.verifier.execution.executors.interface import Case

CALL = Case("case_one", "def case_one():\n    x = 1\n    return target(x)\n")


class Other:
    pass


@pytest.mark.parametrize(
    ("held", "seen"),
    [
        ({"b": 1, "a": 2, 3: 4, Other: 5}, ["3", "a", "b"]),
        ([1, 2], 2),
        ({1, 2, 3}, 3),
        ("text", "text"),
        ("/a/place/of/this/machine", None),
        (True, True),
        (Other(), None),
        (len, None),
    ],
)
def test_the_shape_of_what_is_plain_is_seen_after_the_call(held: Any, seen: Any) -> None:
    (case,) = state_cases([CALL], ["HELD"])
    called: list[int] = []
    space: dict[str, Any] = {"HELD": held, "target": called.append}
    exec(case.code, space)
    assert space[case.name]() == seen
    assert called == [1]


def test_the_shape_is_seen_also_where_the_call_raises() -> None:
    (case,) = state_cases([CALL], ["HELD"])
    space: dict[str, Any] = {"HELD": [1], "target": lambda _: 1 / 0}
    exec(case.code, space)
    assert space[case.name]() == 1


@pytest.mark.parametrize("code", ["async def case_one():\n    return await target()\n", "x = 1\n"])
def test_a_case_that_is_no_plain_call_is_left_alone(code: str) -> None:
    assert state_cases([Case("case_one", code)], ["HELD"]) == ()


def test_names_are_those_that_a_function_reads_and_does_not_bind() -> None:
    text = "def f(a):\n    global G\n    b = TABLE[a] + len(a)\n    G += b\n    return [H]"
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    assert {*read_names(node)} == {"TABLE", "G", "H"}
