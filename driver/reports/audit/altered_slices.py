"""Altered slices: a small fault in the function that the environment's own cases detect."""

from __future__ import annotations

import hashlib
import tempfile
import textwrap
from dataclasses import dataclass
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
    from ...record.environment_files import Environment

TRIED = 12
"""Maximum number of changes that are tried for one slice."""


@dataclass(frozen=True, slots=True)
class Altered:
    """A slice with a fault in its target."""

    script: str
    description: str
    """What was changed."""


def altered(
    environment: Environment, code: str, seed: int, executor: str | None = None
) -> Altered | None:
    """Return the slice with one change that its cases detect; `None` if none of those tried is.

    Args:
        environment: the environment.
        code: the original text of its target.
        seed: decides which change is taken.
        executor: name of the executor; by default the first sandbox that works here.

    Raises:
        SliceFuncError: no sandbox works.
    """
    oracle = environment.oracle
    block = Block(
        code, 1, len(code.rstrip("\n").split("\n")), tuple(oracle.qualname.split(".")[:-1])
    )
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
                if score.verdict == "failed" and not isinstance(filled, UnusableCandidate):
                    return Altered(filled.text, str(drawn[number]))
    return None


def _is_odd(made: MutantRecord) -> bool:
    """Whether the text alone gives away that nobody wrote it so."""
    return "not (" in made.after or "two at a time" in made.operator


def _rank(seed: int, environment: Environment, made: MutantRecord) -> str:
    text = f"{seed} {environment.record['id']} {made.mutant.text}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _function(block: Block, made: MutantRecord) -> str:
    """Return a mutant without the classes that its text stands in."""
    lines = made.mutant.text.rstrip("\n").split("\n")
    return textwrap.dedent("\n".join(lines[-len(block.lines) :])) + "\n"
