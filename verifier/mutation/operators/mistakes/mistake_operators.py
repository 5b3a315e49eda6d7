"""All operators for mistakes, in the order in which their changes are made."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ...mutated_block import Block
from ..expression_operators import Change
from .mutated_function import MutatedFunction
from .operator_contract import Operator
from .steps import (
    copy_mistakes,
    dropped_parts,
    handler_mistakes,
    loop_mistakes,
    mapping_mistakes,
    sibling_mistakes,
)
from .values import (
    class_mistakes,
    equality_mistakes,
    neighbour_mistakes,
    number_mistakes,
    parameter_mistakes,
    shared_default_mistakes,
    timezone_mistakes,
    truth_mistakes,
)
from .values.coercion_mistakes import coerced

OPERATORS: tuple[Operator, ...] = (
    *truth_mistakes.OPERATORS,
    *equality_mistakes.OPERATORS,
    *handler_mistakes.OPERATORS,
    *dropped_parts.OPERATORS,
    *loop_mistakes.OPERATORS,
    *sibling_mistakes.OPERATORS,
    *parameter_mistakes.OPERATORS,
    *number_mistakes.OPERATORS,
    *mapping_mistakes.OPERATORS,
    *copy_mistakes.OPERATORS,
    *shared_default_mistakes.OPERATORS,
    *class_mistakes.OPERATORS,
    *timezone_mistakes.OPERATORS,
)

NEAR = neighbour_mistakes.OPERATORS
"""Those of which hardly any call shows something."""


def mistakes(block: Block) -> Iterator[Change]:
    """The changes of all operators, of each function that is meant."""
    for function in block.functions:
        written = MutatedFunction(block, function)
        for operator in OPERATORS:
            for node, text in operator.edits(written):
                yield Change(operator.name, node, text, is_hint=operator.is_hint)


def near_mistakes(block: Block, values: Mapping[str, Collection[str]]) -> Iterator[Change]:
    """The changes that hardly any call shows, by the kinds of values that parameters are given."""
    for function in block.functions:
        written = MutatedFunction(block, function)
        for operator in NEAR:
            for node, text in operator.edits(written):
                yield Change(operator.name, node, text, is_hint=True)
        yield from coerced(written, values)
