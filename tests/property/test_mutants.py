"""For the target of every generated repository: its mutants, and the swap of its own text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.batched_trials import Trial
from slicefunc.verifier.execution.executors.choose_executor import ORDER
from slicefunc.verifier.execution.executors.interface import Case, Executor, Mutant, Profile
from slicefunc.verifier.mutation.cheap_solutions import cheap_solutions, failing
from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import Block, block_of
from slicefunc.verifier.scoring.oracle.oracle_recording import STILL
from slicefunc.verifier.script.target_lines import traced_lines

from tests.property.generator import packages
from tests.property.test_slices import on_disk, target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.property.model import Package


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    """The sandbox that needs no daemon."""
    made = next(make for name, make, _ in ORDER if name == "embedded")()
    try:
        made.start(Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    yield made
    made.close()


def definition_is_function(block: Block) -> bool:
    """Whether the call of a case is a call of the target: an instance of a class is none."""
    return not isinstance(block.tree.body[0], ast.ClassDef) or bool(block.enclosing)


@given(packages())
def test_every_mutant_stands_where_the_target_stood(package: Package) -> None:
    with on_disk(package) as (_, repository):
        sliced = slice_function(Repository(repository), target_of(package))
        (traced, *_) = traced_lines(repository, sliced)
    block = block_of(traced, package.qualname)
    (function, *_) = block.functions
    original = block.standing(block.lines)
    texts = [made.mutant.text for made in mutants_of(block).records]
    assert len(set(texts)) == len(texts)
    for text in (*texts, failing(block).text, *(m.text for m in cheap_solutions(block))):
        assert text != original
        compile(text, "mutant", "exec")
        assert Block(text, 1, text.count("\n")).functions[0].lineno == function.lineno
        head = slice(block.first - 1, function.lineno - (isinstance(function, ast.Lambda)))
        assert text.split("\n")[head] == original.split("\n")[head]


@given(packages())
def test_the_targets_own_text_in_its_place_changes_nothing(
    executor: Executor, package: Package
) -> None:
    with on_disk(package) as (_, repository):
        sliced = slice_function(Repository(repository), target_of(package))
        (traced, *_) = traced_lines(repository, sliced)
    block = block_of(traced, package.qualname)
    assume(definition_is_function(block))
    trial = Trial(
        executor.run, sliced.source, package.qualname, (traced.first, traced.last), traced.file,
        STILL,
    )  # fmt: skip
    call = package.call.removeprefix("drive(").replace("T", package.top_name, 1)
    call = call.removesuffix(")" if package.call.startswith("drive(") else "")
    cases = [
        Case(f"case_{n}", f"def case_{n}():\n    args = {args}\n    return {call}\n")
        for n, args in enumerate(package.arguments)
    ]
    same, fails = Mutant("same", block.standing(block.lines)), failing(block)
    found = trial.mutants(cases, [same, fails, same])
    assert not found.failure
    first, one, forced, other = found.mutants
    assert all('"outcome":"returned"' in text or '"raised"' in text for _, text in first.differs)
    assert (one.end, one.differs) == (other.end, other.differs) == ("ended", ())
    assert forced.end == "ended"
    assert len(forced.differs) == len(cases)
