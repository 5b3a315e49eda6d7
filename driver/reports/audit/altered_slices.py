"""Faults: a small change of the function that the environment's own cases detect."""

from __future__ import annotations

import hashlib
import tempfile
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ....verifier.mutation.mutants import MutantRecord, mutants_of
from ....verifier.mutation.mutated_block import Block
from ....verifier.scoring.candidates.candidate_text import UnusableCandidate
from ....verifier.scoring.score import Candidate
from ....verifier.scoring.substitute import template
from ...places.environment_scorer import ScoreOptions, scorer_of
from ...record.environment_files import write_environment

if TYPE_CHECKING:
    from ....verifier.scoring.verdict import FirstDifference
    from ...record.environment_files import Environment

TRIED = 12
"""Maximum number of changes that are tried for one slice."""


@dataclass(frozen=True, slots=True)
class WrongOutcome:
    """What a case gives with a fault, where it is a returned value."""

    case: int
    """Position of the case among the shown ones."""
    expected: str
    observed: str


@dataclass(frozen=True, slots=True)
class Altered:
    """A slice with a fault in its target."""

    script: str
    description: str
    """What was changed."""
    wrong: WrongOutcome | None


def altered(
    environment: Environment,
    code: str,
    seed: int,
    executor: str | None = None,
    *,
    needs_wrong_value: bool = False,
) -> Altered | None:
    """Return the slice with one change that its cases detect; `None` if none of those tried is.

    Args:
        environment: the environment.
        code: the original text of its target.
        seed: decides which change is taken.
        executor: name of the executor; by default the first sandbox that works here.
        needs_wrong_value: whether a shown case must return another value.

    Raises:
        SliceFuncError: no sandbox works.
    """
    oracle = environment.oracle
    block = _block(code, oracle.qualname)
    made = [each for each in mutants_of(block).counted().records if not each.only_prints]
    drawn = sorted(made, key=lambda e: (_is_odd(e), _rank(seed, environment, e)))[:TRIED]
    texts = [_function(block, each) for each in drawn]
    holes = template(oracle.script, oracle.path, oracle.qualname, oracle.imports)
    with tempfile.TemporaryDirectory(prefix="slice-func-") as parent:
        folder = Path(parent) / "environment"
        write_environment(folder, environment)
        options = ScoreOptions(executor=executor)
        candidates = [Candidate(str(number), text) for number, text in enumerate(texts)]
        with scorer_of(folder, environment, options, lambda _line: None) as scorer:
            for score in scorer.score_all(candidates):
                number = int(score.candidate)
                filled = holes.filled(texts[number])
                if score.verdict != "failed" or isinstance(filled, UnusableCandidate):
                    continue
                wrong = _wrong_outcome(score.first_difference)
                if wrong is not None or not needs_wrong_value:
                    made_here = drawn[number]
                    line = made_here.line - block.first + 1
                    return Altered(filled.text, str(replace(made_here, line=line)), wrong)
    return None


def _block(code: str, qualname: str) -> Block:
    """Return a definition as a block, below as many empty lines as its classes need."""
    enclosing = tuple(qualname.split(".")[:-1])
    above = max(len(enclosing), 1)
    lines = code.rstrip("\n").split("\n")
    return Block("\n" * above + code, above + 1, above + len(lines), enclosing)


def _wrong_outcome(difference: FirstDifference | None) -> WrongOutcome | None:
    if difference is None or difference.where != "value":
        return None
    case = int(difference.case.removeprefix("case_")) - 1
    return WrongOutcome(case, difference.expected, difference.observed)


def _is_odd(made: MutantRecord) -> bool:
    """Whether the text alone gives away that nobody wrote it so."""
    return "not (" in made.after or made.operator in {"two at a time", "returned default"}


def _rank(seed: int, environment: Environment, made: MutantRecord) -> str:
    text = f"{seed} {environment.record['id']} {made.mutant.text}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _function(block: Block, made: MutantRecord) -> str:
    """Return a mutant without the classes that its text stands in."""
    lines = made.mutant.text.rstrip("\n").split("\n")
    return textwrap.dedent("\n".join(lines[block.first - 1 :])) + "\n"
