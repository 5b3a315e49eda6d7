"""The mutants of a target: changes that compile, do something, and can be seen."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from ..execution.executors.interface import Mutant
from .equivalence.equal_code import Shown, canonical_bytecode, dead_stores
from .equivalence.known_equivalents import Known
from .equivalence.unobserved_changes import unseen_nodes
from .mutant_sample import held_out_positions, stratified
from .mutated_block import Block
from .operators.mistakes.mistake_operators import mistakes, near_mistakes
from .operators.second_order import pairs
from .operators.statement_operators import Change, changes

MOST = 120
"""Mutants of one target: 80 that a search sees, and 40 that it does not."""
_HINTS = 4
"""Mutants for which there may be one hint more."""
MOST_ADVERSARIES = 96
"""Wrong versions that hidden cases are chosen by."""


@dataclass(frozen=True, slots=True)
class MutantRecord:
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
    is_hint: bool = False
    """Whether it only says where to look for cases, and counts in no rate."""
    is_held_out: bool = False
    """Whether no case is chosen or shrunk by it."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.before} -> {self.after} ({self.operator})"


@dataclass(frozen=True, slots=True)
class Mutants:
    """What a block gives."""

    made: tuple[MutantRecord, ...]
    """In the order of their lines."""
    equivalent: int
    """Changes that compile to the same code, that only a store shows which nobody reads, or that do
    nothing by what the library says."""
    not_compared: int
    """Changes of what is only logged, of the words of an exception, or of what is only printed by
    a target that returns something: nobody compares those."""
    not_drawn: int = 0
    """Further mutants, where there are more than are tried."""

    def counted(self) -> Mutants:
        """Those of which the share that dies is a measure of the cases."""
        return replace(self, made=tuple(made for made in self.made if not made.is_hint))

    def training(self) -> Mutants:
        """Those that cases may be made for; the others are held out."""
        return replace(self, made=tuple(made for made in self.made if not made.is_held_out))


def mutants_of(block: Block, most: int = MOST) -> Mutants:
    """At most so many mutants, of each operator alike, and spread over the text."""
    found, same, hidden, known = _of_changes(block, chain(changes(block), mistakes(block)))
    every = [made for _, made in found]
    every += _pairs(block, [change for change, made in found if not made.only_prints], known)
    drawn = [*_drawn(every, most, hints=False), *_drawn(every, most // _HINTS, hints=True)]
    left = sum(not made.is_hint for made in every) - sum(not made.is_hint for made in drawn)
    return Mutants(_with_held_out(block, sorted(drawn, key=lambda e: e.line)), same, hidden, left)


def adversaries_of(
    block: Block, values: Mapping[str, Collection[str]], most: int = MOST_ADVERSARIES
) -> tuple[MutantRecord, ...]:
    """Wrong versions that count in no rate, and by which cases are chosen: no held-out mutants.

    Args:
        block: the target's text.
        values: the kinds of values that cases give each parameter, and get (`return`).
        most: how many are drawn, of each operator alike.
    """
    every = chain(near_mistakes(block, values), changes(block), mistakes(block))
    held = {each.mutant.text for each in mutants_of(block).made if each.is_held_out}
    made = [each for _, each in _of_changes(block, every)[0] if each.mutant.text not in held]
    return tuple(
        replace(made[i], mutant=Mutant(f"adversary {i}", made[i].mutant.text))
        for i in stratified([each.operator for each in made], most)
    )


def _of_changes(
    block: Block, every: Iterable[Change]
) -> tuple[list[tuple[Change, MutantRecord]], int, int, set[str | Shown]]:
    """What changes make, how many do the same, how many are never compared, and what is known."""
    original = canonical_bytecode(block.standing(block.lines))
    unseen = _ids_below(unseen_nodes(block))
    printed = _ids_below(unseen_nodes(block, prints=True))
    dead = _ids_below(dead_stores(block))
    library = Known(block)
    found: list[tuple[Change, MutantRecord]] = []
    same = hidden = 0
    known: set[str | Shown] = set()
    for change in every:
        if id(change.node) in unseen:
            hidden += 1
            continue
        if id(change.node) in dead or library.is_same(change):
            same += 1
            continue
        text = block.replaced(change.node, change.text)
        if text in known:
            continue
        code = canonical_bytecode(text)
        if code is None or code in known:
            continue  # one that does the same was made already
        if code == original:
            same += 1
            continue
        known |= {text, code}
        made = _made(block, change, text, len(found))
        found.append((change, replace(made, only_prints=id(change.node) in printed)))
    return found, same, hidden, known


def _drawn(made: Sequence[MutantRecord], most: int, *, hints: bool) -> Iterator[MutantRecord]:
    some = [each for each in made if each.is_hint is hints]
    yield from (some[i] for i in stratified([each.operator for each in some], most))


def _pairs(
    block: Block, single: Sequence[Change], known: Collection[str | Shown]
) -> Iterator[MutantRecord]:
    """Mutants with two changes; whoever runs one of the statements may see them."""
    for number, (one, other) in enumerate(pairs(block, [c for c in single if not c.is_hint])):
        text = block.edited([(one.node, one.text), (other.node, other.text)])
        code = canonical_bytecode(text)
        if code is not None and code not in known:
            parts = [_made(block, each, text, number) for each in (one, other)]
            yield replace(
                parts[0],
                mutant=Mutant(f"pair {number}", text),
                operator="two at a time",
                before=" and ".join(part.before for part in parts),
                after=" and ".join(part.after for part in parts),
                lines=None,
            )


def _with_held_out(block: Block, drawn: Sequence[MutantRecord]) -> tuple[MutantRecord, ...]:
    """The same mutants, with a third of them marked."""
    counted = [at for at, each in enumerate(drawn) if not each.is_hint]
    target = ".".join((*block.around, block.name, *(block.source(f) for f in block.functions)))
    ranked = held_out_positions([f"{target}\0{_key(block, drawn[at])}" for at in counted])
    marked = {counted[at] for at in ranked}
    return tuple(replace(each, is_held_out=at in marked) for at, each in enumerate(drawn))


def _key(block: Block, made: MutantRecord) -> str:
    """What is changed and where, seen from the target's first line."""
    column = getattr(made.node, "col_offset", 0)
    place = f"{made.line - block.first}:{column}"
    return f"{place}\0{made.operator}\0{made.before}\0{made.after}"


def _ids_below(nodes: Iterable[ast.AST]) -> set[int]:
    return {id(inner) for node in nodes for inner in ast.walk(node)}


def _made(block: Block, change: Change, text: str, number: int) -> MutantRecord:
    line = getattr(change.node, "lineno", 0)
    before = " ".join(block.source(change.node).split())[:80]
    mutant, lines = Mutant(f"{number}", text), block.statement_lines(change.node)
    return MutantRecord(
        mutant, change.operator, line, before, change.text[:80], change.node, lines,
        is_hint=change.is_hint,
    )  # fmt: skip
