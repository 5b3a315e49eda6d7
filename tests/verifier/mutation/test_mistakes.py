"""Each operator for mistakes: what it makes of its own examples, and what it leaves."""

from __future__ import annotations

import ast
import textwrap

import pytest
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.mutation.operators.mistakes.mistake_operators import NEAR
from slicefunc.verifier.mutation.operators.mistakes.mistake_operators import OPERATORS as COUNTED
from slicefunc.verifier.mutation.operators.mistakes.mutated_function import MutatedFunction
from slicefunc.verifier.mutation.operators.mistakes.operator_contract import HEAD, Operator

OPERATORS = (*COUNTED, *NEAR)
EXAMPLES = [(each, before, after) for each in OPERATORS for before, after in each.examples]
UNCHANGED = [(each, text) for each in OPERATORS for text in each.unchanged]


def made(operator: Operator, body: str) -> list[str]:
    """The bodies that an operator makes of one."""
    text = "class C:\n" + textwrap.indent(f"{HEAD}\n{textwrap.indent(body, '    ')}\n", "    ")
    block = Block(text, 2, text.count("\n"), ("C",))
    (function,) = block.functions
    edits = operator.edits(MutatedFunction(block, function))
    return [_body(block.replaced(node, new)) for node, new in edits]


def _body(text: str) -> str:
    (cls,) = ast.parse(text).body
    assert isinstance(cls, ast.ClassDef)
    (function,) = cls.body
    assert isinstance(function, ast.FunctionDef)
    return "\n".join(map(ast.unparse, function.body))


def _normal(body: str) -> str:
    return ast.unparse(ast.parse(body))


@pytest.mark.parametrize(
    ("operator", "before", "after"), EXAMPLES, ids=lambda v: getattr(v, "name", None)
)
def test_an_operator_makes_what_its_examples_say(
    operator: Operator, before: str, after: tuple[str, ...]
) -> None:
    assert made(operator, before) == [_normal(each) for each in after]


@pytest.mark.parametrize(("operator", "text"), UNCHANGED, ids=lambda v: getattr(v, "name", None))
def test_an_operator_leaves_what_is_not_its_own(operator: Operator, text: str) -> None:
    assert made(operator, text) == []


def test_operators_have_names_of_their_own_and_something_that_they_leave() -> None:
    names = [each.name for each in OPERATORS]
    assert len(set(names)) == len(names)
    assert not [each.name for each in OPERATORS if not each.unchanged]
