"""All operators for mistakes, in the order in which their changes are made."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ..block import Block
from ..expressions import Change
from . import (
    classes,
    copies,
    dropped,
    equality,
    handlers,
    loops,
    mappings,
    names,
    neighbours,
    numbers,
    shared,
    siblings,
    times,
    truth,
)
from .coerced import coerced
from .function import Written
from .operator import Operator

OPERATORS: tuple[Operator, ...] = (
    *truth.OPERATORS,
    *equality.OPERATORS,
    *handlers.OPERATORS,
    *dropped.OPERATORS,
    *loops.OPERATORS,
    *siblings.OPERATORS,
    *names.OPERATORS,
    *numbers.OPERATORS,
    *mappings.OPERATORS,
    *copies.OPERATORS,
    *shared.OPERATORS,
    *classes.OPERATORS,
    *times.OPERATORS,
)

NEAR = neighbours.OPERATORS
"""Those of which hardly any call shows something."""


def mistakes(block: Block) -> Iterator[Change]:
    """The changes of all operators, of each function that is meant."""
    for function in block.functions:
        written = Written(block, function)
        for operator in OPERATORS:
            for node, text in operator.edits(written):
                yield Change(operator.name, node, text, is_hint=operator.is_hint)


def near_mistakes(block: Block, values: Mapping[str, Collection[str]]) -> Iterator[Change]:
    """The changes that hardly any call shows, by the kinds of values that parameters are given."""
    for function in block.functions:
        written = Written(block, function)
        for operator in NEAR:
            for node, text in operator.edits(written):
                yield Change(operator.name, node, text, is_hint=True)
        yield from coerced(written, values)
