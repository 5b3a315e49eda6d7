"""The mutants of a target: changes that compile, do something, and can be seen."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..executors.interface import Mutant
from .block import Block
from .equal import Shown, dead_stores, shown_code
from .known import Known
from .operators import Change, changes
from .sample import held_out, stratified
from .unseen import unseen_nodes

MOST = 120
"""Mutants of one target: 80 that a search sees, and 40 that it does not."""


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
    is_held_out: bool = False
    """Whether no case is chosen or shrunk by it."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.before} -> {self.after} ({self.operator})"


@dataclass(frozen=True, slots=True)
class Mutants:
    """What a block gives."""

    made: tuple[Made, ...]
    equivalent: int
    """Changes that compile to the same code, that only a store shows which nobody reads, or that do
    nothing by what the library says."""
    not_compared: int
    """Changes of what is only logged, of the words of an exception, or of what is only printed by
    a target that returns something: nobody compares those."""
    not_drawn: int = 0
    """Further mutants, where there are more than are tried."""

    def seen(self) -> Mutants:
        """Those that cases may be made for; the others are held out."""
        return replace(self, made=tuple(made for made in self.made if not made.is_held_out))


def mutants_of(block: Block, most: int = MOST) -> Mutants:
    """At most so many mutants, of each operator alike, and spread over the text."""
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
    drawn = [made[i] for i in stratified([each.operator for each in made], most)]
    return Mutants(_with_held_out(block, drawn), same, hidden, len(made) - len(drawn))


def _with_held_out(block: Block, drawn: Sequence[Made]) -> tuple[Made, ...]:
    """The same mutants, with a third of them marked."""
    target = ".".join((*block.around, block.name, *(block.source(f) for f in block.functions)))
    marked = held_out([f"{target}\0{_key(block, each)}" for each in drawn])
    return tuple(replace(each, is_held_out=at in marked) for at, each in enumerate(drawn))


def _key(block: Block, made: Made) -> str:
    """What is changed and where, seen from the target's first line."""
    column = getattr(made.node, "col_offset", 0)
    place = f"{made.line - block.first}:{column}"
    return f"{place}\0{made.operator}\0{made.before}\0{made.after}"


def _ids_below(nodes: Iterable[ast.AST]) -> set[int]:
    return {id(inner) for node in nodes for inner in ast.walk(node)}


def _made(block: Block, change: Change, text: str, number: int) -> Made:
    line = getattr(change.node, "lineno", 0)
    before = " ".join(block.source(change.node).split())[:80]
    mutant, lines = Mutant(f"{number}", text), block.statement_lines(change.node)
    return Made(mutant, change.operator, line, before, change.text[:80], change.node, lines)
