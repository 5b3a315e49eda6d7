"""All operators for mistakes, in the order in which their changes are made."""

from __future__ import annotations

from collections.abc import Iterator

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
    numbers,
    shared,
    siblings,
    times,
    truth,
)
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


def mistakes(block: Block) -> Iterator[Change]:
    """The changes of all operators, of each function that is meant."""
    for function in block.functions:
        written = Written(block, function)
        for operator in OPERATORS:
            for node, text in operator.edits(written):
                yield Change(operator.name, node, text, is_hint=operator.is_hint)
