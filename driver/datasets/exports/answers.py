"""What is asked of a model and what it answers: the original, and answers known to be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ....verifier.mutation.cheap_solutions import cheap_solutions
from ....verifier.mutation.mutant_sample import stratified
from ....verifier.mutation.mutants import MutantRecord, mutants_of
from ....verifier.mutation.mutated_block import Block
from ....verifier.scoring.rewrites.rewrites import rewrites_of
from ....verifier.script.source_map import carried_texts
from ...record.environment_files import Environment
from ..deduplication.tree_digest import tree_digest
from ..storage.columns import EnvironmentRow
from .task_files import ANSWER, fenced, instruction

_EMPTY = "empty body"
MOST_WRONG = 4
"""Maximum number of wrong answers of an environment."""

Message = dict[str, str]


def question(row: EnvironmentRow, environment: Environment) -> str:
    """Return what a model is told that has one answer and no tools."""
    return f"{instruction(row, environment)}\n{ANSWER}"


def messages(row: EnvironmentRow, environment: Environment) -> list[Message]:
    """Return the same as a conversation."""
    return [{"role": "user", "content": question(row, environment)}]


def reply(code: str) -> Message:
    """Return an answer with some code, in the form that is asked for."""
    return {"role": "assistant", "content": fenced(code)}


def empty_definition(row: EnvironmentRow, environment: Environment) -> str | None:
    """Return the original with an empty body; `None` if it has one, or where that may pass."""
    block = _block(row, environment)
    mutants: dict[str, Any] = environment.record["metrics"].get("mutants") or {}
    if block is None or _EMPTY in mutants.get("cheap_solutions_that_pass", ()):
        return None
    texts = [each.text for each in cheap_solutions(block) if each.name == _EMPTY]
    return _as_in_file(texts[0], row) if texts else None


def wrong_definitions(
    row: EnvironmentRow, environment: Environment, most: int = MOST_WRONG
) -> list[str]:
    """Return definitions that the cases have told from the original, and one with an empty body.

    They are written like the original, so that nothing but behaviour tells them from it. Mutants
    that no case tells from the original are no wrong answers.
    """
    found = drawn_mutants(mutant_fates(row, environment).killed, row, max(1, most - 1))
    empty = empty_definition(row, environment)
    return [*found, empty] if empty else found


def equivalent_definitions(row: EnvironmentRow, environment: Environment) -> list[str]:
    """Return other texts of the original that behave the same, each with a tree of its own."""
    block = _block(row, environment)
    texts = [_as_in_file(each.text, row) for each in rewrites_of(block)] if block else []
    by_tree = {tree_digest(text): text for text in reversed([row.code, *texts])}
    by_tree.pop(tree_digest(row.code))
    return list(reversed(by_tree.values()))


@dataclass(frozen=True, slots=True)
class MutantFates:
    """The mutants of an original by what became of them when its cases were made."""

    killed: tuple[MutantRecord, ...] = ()
    """Told from the original by a case."""
    survived: tuple[MutantRecord, ...] = ()
    """Told from it by none: some of them behave the same."""


def mutant_fates(row: EnvironmentRow, environment: Environment) -> MutantFates:
    """Return the mutants that the record counts.

    The record names only the survivors. The others are made again; where their numbers differ from
    those of the record, it is not certain which of them were killed, and none is returned.
    """
    counts: dict[str, Any] | None = environment.record["metrics"].get("mutants")
    block = _block(row, environment)
    if not counts or block is None:
        return MutantFates()
    found = mutants_of(block).counted()
    survived = {_change(each) for each in counts["survived"]}
    same_numbers = (
        len(found.records) == counts["killed"] + len(counts["survived"])
        and found.equivalent == counts["equivalent"]
        and found.not_compared == counts["not_compared"]
    )
    if not same_numbers:
        return MutantFates()
    lives = [_change(str(each)) in survived for each in found.records]
    pairs = list(zip(found.records, lives, strict=True))
    return MutantFates(
        tuple(each for each, is_alive in pairs if not is_alive),
        tuple(each for each, is_alive in pairs if is_alive),
    )


def drawn_mutants(mutants: Sequence[MutantRecord], row: EnvironmentRow, most: int) -> list[str]:
    """Return the texts of at most so many mutants, of each operator equally many if possible."""
    chosen = stratified([each.operator for each in mutants], most)
    return [_as_in_file(mutants[i].mutant.text, row) for i in chosen]


def _change(mutant: str) -> str:
    """Return what a mutant changes, without its line."""
    return mutant.partition(": ")[2]


def _block(row: EnvironmentRow, environment: Environment) -> Block | None:
    """Return the target's text to be mutated; `None` if it cannot be found again."""
    script = environment.oracle.script
    text = carried_texts(script).get(row.path, script)
    if "<locals>" in row.qualname or text.count(row.code) != 1:
        return None
    first = text[: text.index(row.code)].count("\n") + 1
    last = first + row.code.rstrip("\n").count("\n")
    return Block(text, first, last, tuple(row.qualname.split(".")[:-1]))


def _as_in_file(text: str, row: EnvironmentRow) -> str:
    """Return a mutant without the classes that stand around it."""
    lines = text.lstrip("\n").splitlines(keepends=True)
    return "".join(lines[row.qualname.count(".") :])
