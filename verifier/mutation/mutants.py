"""The mutants of a target: changes that compile, do something, and can be seen."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..executors.interface import Mutant
from .block import Block
from .equal import Shown, dead_stores, shown_code
from .known import Known
from .operators import Change, changes
from .unseen import unseen_nodes

MOST = 80


@dataclass(frozen=True, slots=True)
class Made:
    """A mutant, and what it changes."""

    mutant: Mutant
    operator: str
    line: int
    """In the file that the block is of."""
    before: str
    after: str
    node: ast.AST = field(compare=False, repr=False)
    """What is changed, in the tree of the block."""
    lines: tuple[int, int] | None = None
    """First and last line of the statement that is changed: what runs none of them sees nothing.
    `None` where it is not inside one."""
    only_prints: bool = False
    """Whether nothing is changed but printed text, of a target that returns nothing."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.before} -> {self.after} ({self.operator})"


@dataclass(frozen=True, slots=True)
class Mutants:
    """What a block gives."""

    made: tuple[Made, ...]
    equivalent: int
    """Changes that compile to the same code, that only a store shows which nobody reads, or that do
    nothing by what the library says."""
    unseen: int
    """Changes of what is only logged, of the words of an exception, or of what is only printed by
    a target that returns something: nobody compares those."""


def mutants_of(block: Block, most: int = MOST) -> Mutants:
    """At most so many mutants, spread evenly over the text where there are more."""
    original = shown_code(block.standing(block.lines))
    unseen = _ids_below(unseen_nodes(block))
    printed = _ids_below(unseen_nodes(block, prints=True))
    dead = _ids_below(dead_stores(block))
    library = Known(block)
    made: list[Made] = []
    same = hidden = 0
    known: set[str | Shown] = set()
    for change in changes(block):
        if id(change.node) in unseen:
            hidden += 1
            continue
        if id(change.node) in dead or library.is_same(change):
            same += 1
            continue
        text = block.replaced(change.node, change.text)
        if text in known:
            continue
        code = shown_code(text)
        if code is None or code in known:
            continue  # one that does the same was made already
        if code == original:
            same += 1
            continue
        known |= {text, code}
        one = _made(block, change, text, len(made))
        made.append(replace(one, only_prints=id(change.node) in printed))
    return Mutants(tuple(_spread(made, most)), same, hidden)


def _ids_below(nodes: Iterable[ast.AST]) -> set[int]:
    return {id(inner) for node in nodes for inner in ast.walk(node)}


def _made(block: Block, change: Change, text: str, number: int) -> Made:
    line = getattr(change.node, "lineno", 0)
    before = " ".join(block.source(change.node).split())[:80]
    mutant, lines = Mutant(f"{number}", text), block.statement_lines(change.node)
    return Made(mutant, change.operator, line, before, change.text[:80], change.node, lines)


def _spread(made: Sequence[Made], most: int) -> Iterator[Made]:
    if len(made) <= most:
        yield from made
        return
    for position in range(most):
        yield made[position * len(made) // most]
