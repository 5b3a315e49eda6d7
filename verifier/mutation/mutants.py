"""The mutants of a target: changes that compile, are not equivalent, and can be observed."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from ..execution.executors.interface import Mutant
from .equivalence.equal_code import Shown, canonical_bytecode, dead_stores
from .equivalence.known_equivalents import KnownNames
from .equivalence.unobserved_changes import unseen_nodes
from .mutant_sample import held_out_positions, stratified
from .mutated_block import Block
from .operators.mistakes.mistake_operators import mistakes, near_mistakes
from .operators.second_order import pairs
from .operators.statement_operators import Change, changes

MOST = 120
"""Mutants of one target: 80 that the search sees, and 40 held out."""
_HINTS = 4
"""One hint is drawn for so many mutants."""
MOST_ADVERSARIES = 96
"""Wrong versions by which hidden cases are chosen."""


@dataclass(frozen=True, slots=True)
class MutantRecord:
    """A mutant, and the change it makes."""

    mutant: Mutant
    operator: str
    line: int
    """Line of the change in the block's file."""
    before: str
    after: str
    node: ast.AST = field(compare=False, repr=False)
    """The changed node, in the block's tree."""
    lines: tuple[int, int] | None = None
    """First and last line of the changed statement: a case that runs none of them sees no change.
    `None` outside statements."""
    only_prints: bool = False
    """Whether only printed text changes, in a target that returns nothing."""
    is_hint: bool = False
    """Whether the mutant only hints at where to look for cases, and counts in no rate."""
    is_held_out: bool = False
    """Whether the mutant is held out: no case is chosen or shrunk by it."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.before} -> {self.after} ({self.operator})"


@dataclass(frozen=True, slots=True)
class Mutants:
    """All mutants of a block."""

    records: tuple[MutantRecord, ...]
    """The mutants, in the order of their lines."""
    equivalent: int
    """Number of equivalent changes: same code, dead stores, or no effect by the library's rules."""
    not_compared: int
    """Number of changes that nobody compares: of logging, of the text of an exception, or of
    printed text in a target that returns something."""
    not_drawn: int = 0
    """Number of further mutants beyond the sample."""

    def counted(self) -> Mutants:
        """Return the mutants whose kill rate measures the cases, without hints."""
        return replace(self, records=tuple(made for made in self.records if not made.is_hint))

    def training(self) -> Mutants:
        """Return the mutants that the search may see, without held-out ones."""
        return replace(self, records=tuple(made for made in self.records if not made.is_held_out))


def mutants_of(block: Block, limit: int = MOST) -> Mutants:
    """Return at most `most` mutants, equally many of each operator, spread over the text."""
    found, same, hidden, known = _of_changes(block, chain(changes(block), mistakes(block)))
    every = [made for _, made in found]
    every += _pairs(block, [change for change, made in found if not made.only_prints], known)
    drawn = [*_drawn(every, limit, hints=False), *_drawn(every, limit // _HINTS, hints=True)]
    left = sum(not made.is_hint for made in every) - sum(not made.is_hint for made in drawn)
    return Mutants(_with_held_out(block, sorted(drawn, key=lambda e: e.line)), same, hidden, left)


def adversaries_of(
    block: Block, values: Mapping[str, Collection[str]], limit: int = MOST_ADVERSARIES
) -> tuple[MutantRecord, ...]:
    """Return wrong versions for choosing hidden cases. They count in no rate, and none is held out.

    Args:
        block: the target's text.
        values: kinds of the values that cases pass to each parameter, and get back (`return`).
        limit: largest number, equally many of each operator.
    """
    every = chain(near_mistakes(block, values), changes(block), mistakes(block))
    held_out = {each.mutant.text for each in mutants_of(block).records if each.is_held_out}
    made = [each for _, each in _of_changes(block, every)[0] if each.mutant.text not in held_out]
    return tuple(
        replace(made[i], mutant=Mutant(f"adversary {i}", made[i].mutant.text))
        for i in stratified([each.operator for each in made], limit)
    )


def _of_changes(
    block: Block, every: Iterable[Change]
) -> tuple[list[tuple[Change, MutantRecord]], int, int, set[str | Shown]]:
    """Return mutants of some changes, how many are equivalent and unobserved, and known codes."""
    original = canonical_bytecode(block.standing(block.lines))
    unseen = _ids_below(unseen_nodes(block))
    printed = _ids_below(unseen_nodes(block, prints=True))
    dead = _ids_below(dead_stores(block))
    library = KnownNames(block)
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
            continue  # an equal mutant exists already
        if code == original:
            same += 1
            continue
        known |= {text, code}
        made = _made(block, change, text, len(found))
        found.append((change, replace(made, only_prints=id(change.node) in printed)))
    return found, same, hidden, known


def _drawn(made: Sequence[MutantRecord], limit: int, *, hints: bool) -> Iterator[MutantRecord]:
    some = [each for each in made if each.is_hint is hints]
    yield from (some[i] for i in stratified([each.operator for each in some], limit))


def _pairs(
    block: Block, single: Sequence[Change], known: Collection[str | Shown]
) -> Iterator[MutantRecord]:
    """Yield mutants with two changes. A case that runs either statement may see them."""
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
    """Return the mutants with a third of them marked as held out."""
    counted = [at for at, each in enumerate(drawn) if not each.is_hint]
    target = ".".join((*block.enclosing, block.name, *(block.source(f) for f in block.functions)))
    ranked = held_out_positions([f"{target}\0{_key(block, drawn[at])}" for at in counted])
    marked = {counted[at] for at in ranked}
    return tuple(replace(each, is_held_out=at in marked) for at, each in enumerate(drawn))


def _key(block: Block, made: MutantRecord) -> str:
    """Return a key of what is changed and where, relative to the target's first line."""
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
