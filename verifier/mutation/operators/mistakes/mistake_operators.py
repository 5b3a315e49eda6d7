"""All operators for mistakes, in the order of application."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module

from ...mutated_block import Block
from ..expression_operators import Change
from .mutated_function import MutatedFunction
from .operator_contract import Operator
from .values.coercion_mistakes import coerced


def _of(module: str) -> tuple[Operator, ...]:
    found: tuple[Operator, ...] = import_module(f".{module}", __package__).OPERATORS
    return found


OPERATORS: tuple[Operator, ...] = tuple(
    operator
    for module in (
        "values.truth_mistakes",
        "values.equality_mistakes",
        "steps.handler_mistakes",
        "steps.dropped_parts",
        "steps.loop_mistakes",
        "steps.sibling_mistakes",
        "values.parameter_mistakes",
        "values.number_mistakes",
        "steps.mapping_mistakes",
        "steps.copy_mistakes",
        "values.shared_default_mistakes",
        "values.class_mistakes",
        "values.timezone_mistakes",
    )
    for operator in _of(module)
)

NEAR = _of("values.neighbour_mistakes")
"""Operators whose changes hardly any call shows."""


def mistakes(block: Block) -> Iterator[Change]:
    """Yield the changes of all operators to each function of the block."""
    for function in block.functions:
        written = MutatedFunction(block, function)
        for operator in OPERATORS:
            for node, text in operator.edits(written):
                yield Change(operator.name, node, text, is_hint=operator.is_hint)


def near_mistakes(block: Block, values: Mapping[str, Collection[str]]) -> Iterator[Change]:
    """Yield the changes that hardly any call shows, by the kinds of values passed to parameters."""
    for function in block.functions:
        written = MutatedFunction(block, function)
        for operator in NEAR:
            for node, text in operator.edits(written):
                yield Change(operator.name, node, text, is_hint=True)
        yield from coerced(written, values)
