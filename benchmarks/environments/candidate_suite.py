"""The candidates that every environment must judge rightly, made from what its folder holds."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from slicefunc.driver.record.environment_files import Environment
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.mutation.cheap_solutions import cheap_solutions, failing
from slicefunc.verifier.mutation.mutants import MutantRecord, mutants_of
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.observation.values.python_literals import answers
from slicefunc.verifier.scoring.candidates.definition_blocks import groups, split_name
from slicefunc.verifier.scoring.oracle.oracle import decoded_observation
from slicefunc.verifier.scoring.rewrites.rewrites import rewrites_of
from slicefunc.verifier.script.module_statements import DEFINITION, first_line_of, is_overload
from slicefunc.verifier.script.source_map import carried_texts, lines_of

TIMES = 20
_ECHOES = 4


class NoSuiteError(SliceFuncError):
    """An environment whose target has no text that could be changed."""


@dataclass(frozen=True, slots=True)
class Member:
    """One candidate, and what should become of it."""

    kind: str
    name: str
    text: str
    passes: bool | None
    """What the verdict should be; `None` where either is right."""


@dataclass(frozen=True, slots=True)
class _Target:
    """The target's text, and that of other definitions of its name: a property's setter perhaps."""

    block: Block
    others: tuple[str, ...]

    def candidate(self, text: str) -> str:
        """A text in the place of the block, with the other definitions behind it."""
        return text + "".join(self.others)


def suite(environment: Environment, seed: int) -> Iterator[Member]:
    """All candidates of an environment.

    Args:
        environment: as it was read.
        seed: of the choice of mutants.

    Raises:
        NoSuiteError: the target has no text of its own.
    """
    target = _target(environment)
    block = target.block
    original = target.candidate(block.standing(block.lines))
    for time in range(TIMES):
        yield Member("original", f"original {time + 1}", original, passes=True)
    yield Member("failing", "fails", target.candidate(failing(block).text), passes=False)
    for each in cheap_solutions(block, tuple(_echoes(environment))):
        yield Member(_kind(each.name), each.name, target.candidate(each.text), passes=False)
    killed, survived = _by_fate(environment, block, mutants_of(block).records)
    chosen = random.Random(f"{seed} {environment.record['id']}").sample(
        killed, -(-len(killed) // 2)
    )
    for made in chosen:
        text = target.candidate(made.mutant.text)
        yield Member("killed mutant", str(made), text, passes=False)
    for made in survived:
        text = target.candidate(made.mutant.text)
        yield Member("surviving mutant", str(made), text, passes=None)
    for rewrite in rewrites_of(block):
        text = target.candidate(rewrite.text)
        yield Member(f"rewrite: {rewrite.name}", rewrite.name, text, passes=True)


def _kind(name: str) -> str:
    """What a cheap solution counts as."""
    match name.split(maxsplit=1):
        case ["echoes", _]:
            return "echo"
        case ["returns", "True" | "False"]:
            return "constant"
        case ["returns", value]:
            return "argument" if value.isidentifier() else "constant"
        case _:
            return name


def _target(environment: Environment) -> _Target:
    oracle = environment.oracle
    text = carried_texts(oracle.script).get(oracle.path, oracle.script)
    nodes = _definitions(text, oracle.qualname)
    if "<locals>" in oracle.qualname or not isinstance(nodes[0], (*DEFINITION, ast.Assign)):
        raise NoSuiteError("the target has no lines of its own")
    lines = lines_of(text)
    texts = [_lines(lines, node) for node in nodes[1:]]
    last = nodes[0].end_lineno or nodes[0].lineno
    block = Block(text, first_line_of(nodes[0]), last, split_name(oracle.qualname)[:-1])
    if not block.functions:
        raise NoSuiteError("the target is no function")
    return _Target(block, tuple(texts))


def _lines(lines: tuple[str, ...], node: ast.stmt) -> str:
    return "".join(f"{line}\n" for line in lines[first_line_of(node) - 1 : node.end_lineno])


def _echoes(environment: Environment) -> Iterator[str]:
    """What the first cases return, as literals."""
    for each in environment.oracle.recorded[:_ECHOES]:
        yield from answers(decoded_observation(each.observation))


def _by_fate(
    environment: Environment, block: Block, made: tuple[MutantRecord, ...]
) -> tuple[list[MutantRecord], list[MutantRecord]]:
    """Mutants that the record calls killed, and those that survived.

    The record's lines are those of the repository's file, and ours those of the script.
    """
    mutants = environment.record["metrics"]["mutants"]
    if mutants is None:
        return [], []
    whole = environment.record["prompt"]["file_with_hole"]
    first, *_ = _definitions(whole, environment.oracle.qualname)
    shift = first_line_of(first) - block.first
    told = set(mutants["survived"])
    names = [str(replace(each, line=each.line + shift)) for each in made]
    if not told <= set(names):
        raise NoSuiteError("its mutants are not those of this version")
    alive = [each for each, name in zip(made, names, strict=True) if name in told]
    return [each for each in made if each not in alive], alive


def _definitions(text: str, qualname: str) -> list[ast.stmt]:
    """The definition that runs, then others of its name; overloads say nothing to a candidate."""
    found = [n for group in groups(ast.parse(text).body, split_name(qualname)) for n in group.nodes]
    if not found:
        raise NoSuiteError("the target is not defined where it should be")
    return [node for node in found if not is_overload(node)] or found
