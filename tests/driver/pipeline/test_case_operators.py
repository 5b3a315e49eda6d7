"""Cases that call special methods by syntax are written by the method's name."""

from __future__ import annotations

import ast

import pytest
from slicefunc.driver.pipeline.cases.case_operators import by_name

CALLS = {
    "C.__call__": ("C(1)('a', None)", "C(1).__call__('a', None)"),
    "C.__setitem__": ("c['a'] = 1", "c.__setitem__('a', 1)"),
    "C.__getitem__": ("c['a', 1:2]", "c.__getitem__(('a', slice(1, 2, None)))"),
    "C.__delitem__": ("del c['a']", "c.__delitem__('a')"),
    "C.__contains__": ("'a' in c", "c.__contains__('a')"),
    "C.__eq__": ("C(1) == C(2)", "C(1).__eq__(C(2))"),
    "C.__add__": ("c + 1", "c.__add__(1)"),
    "C.__neg__": ("-c", "c.__neg__()"),
    "C.__len__": ("len(c)", "c.__len__()"),
}


def _written(text: str, target: str) -> str:
    (case,) = ast.parse(f"def case():\n    c = C(1)\n    {text}\n").body
    assert isinstance(case, ast.FunctionDef)
    by_name(case, target)
    return ast.unparse(case.body[-1])


@pytest.mark.parametrize("target", CALLS)
def test_what_calls_a_special_method_is_written_by_its_name(target: str) -> None:
    text, expected = CALLS[target]
    assert _written(text, target) == expected


def test_an_object_of_the_case_is_called() -> None:
    assert _written("c(2)", "C.__call__") == "c.__call__(2)"


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("c.__setitem__('a', d['b'])", "C.__setitem__"),
        ("c + 1", "C.__sub__"),
        ("len(c)", "len"),
        ("'a' not in c", "C.__contains__"),
    ],
)
def test_other_cases_stay_as_they_are(text: str, target: str) -> None:
    assert _written(text, target) == text
