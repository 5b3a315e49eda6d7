"""Cases that show how a target is written: its lines in a traceback or a log, names of variables.

No candidate can know these, so what depends on them says nothing about what it does. The original
is observed once more in other words; where that is seen, the case is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..executors.interface import Limits
from ..mutation.block import Block
from ..observations.compare import first_difference
from ..scoring.holes import Filled
from ..scoring.oracle import (
    Oracle,
    Rejection,
    Runs,
    Unended,
    decoded_observation,
    observed,
)
from ..scoring.substitute import template
from .rewrites import other_words


def alike_in_other_words(
    run: Runs, oracle: Oracle, block: Block, others: Sequence[str], limits: Limits
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """The oracle without the cases that show how the original is written.

    Args:
        run: runs a job.
        oracle: with what was observed.
        block: the target's text.
        others: texts of other definitions of its name, as of a property's setter.
        limits: of the run.
    """
    text = other_words(block)
    if text is None or not oracle.recorded:
        return oracle, ()
    hole = template(oracle.script, oracle.path, oracle.qualname)
    filled = hole.filled(text + "".join(others))
    if not isinstance(filled, Filled):
        return oracle, ()
    cases = [each.case for each in oracle.every]
    texts = observed(run, replace(oracle, script=filled.text), cases, limits)
    seen = {n.case.name: _difference(n.observation, texts[n.case.name]) for n in oracle.every}
    worded = "written in other words the original is observed differently"
    return oracle.without({name: f"{worded}: {seen[name]}" for name in seen if seen[name]})


def _difference(first: str, second: str | Unended) -> str | None:
    """What is seen of another wording; a run that takes too long says nothing of it."""
    if isinstance(second, Unended) or first == second:
        return None
    found = first_difference(decoded_observation(first), decoded_observation(second))
    return found and f"{found.path}: {found.expected}, then {found.observed}"
