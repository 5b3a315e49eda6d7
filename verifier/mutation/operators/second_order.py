"""Second-order mutants: two changes at once, since one may hide the effect of the other.

Jia and Harman, "Higher order mutation testing", IST 2009. Only a few: a case that detects one of
the two mostly detects both.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Sequence

from ..mutated_block import Block
from .expression_operators import Change

MOST = 8
_SINGLE = 6
"""First-order changes for each pair."""


def pairs(block: Block, changes: Sequence[Change]) -> Iterator[tuple[Change, Change]]:
    """Yield some pairs of changes in different statements, each change in at most one pair.

    Args:
        block: the block that is changed.
        changes: changes that each make a mutant alone.
    """
    ranked = sorted(changes, key=lambda each: _rank(block, each))
    wanted = min(MOST, len(changes) // _SINGLE)
    for one, other in zip(ranked[::2], ranked[1::2], strict=False):
        if wanted and _is_on_other_lines(block, one.node, other.node):
            wanted -= 1
            yield one, other


def _rank(block: Block, change: Change) -> bytes:
    line = getattr(change.node, "lineno", 0) - block.first
    place = f"{line}:{getattr(change.node, 'col_offset', 0)}"
    return hashlib.sha256(f"{place}\0{change.operator}\0{change.text}".encode()).digest()


def _is_on_other_lines(block: Block, one: ast.AST, other: ast.AST) -> bool:
    """Whether the statements around two nodes have no line in common."""
    first, second = block.statement_lines(one), block.statement_lines(other)
    if first is None or second is None:
        return False
    return first[1] < second[0] or second[1] < first[0]
