"""Cases that depend on the target's wording: lines in a traceback or log, names of variables.

Candidates cannot know these, so they say nothing about behaviour. The original is observed once
more in rewritten form; a case that shows the difference is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...execution.executors.interface import Limits
from ...mutation.mutated_block import Block
from ...observation.compare_observations import first_difference
from ...observation.values.compare_values import Difference
from ..module_holes import FilledText
from ..oracle.oracle import AbnormalEnd, Oracle, Rejection, Runs, decoded_observation, observed
from ..substitute import template
from .likely_rewrites import (
    in_another_order,
    is_excused,
    is_of_calls,
    is_of_what_was_done,
    with_lists,
)


def without_wording_cases(
    run: Runs,
    oracle: Oracle,
    block: Block,
    text: str | None,
    others: Sequence[str],
    limits: Limits,
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """Return the oracle without the cases that depend on the original's wording.

    Args:
        run: runs a job.
        oracle: the oracle with its observations.
        block: the target's text.
        text: the result of `in_other_words` for the block.
        others: texts of other definitions of its name, such as a property's setter.
        limits: limits of the run.
    """
    rejected: tuple[Rejection, ...] = ()
    if text is not None:
        seen = _differences(run, oracle, text + "".join(others), limits)
        worded = "written in other words the original is observed differently"
        oracle, rejected = oracle.without(
            {name: f"{worded}: {_format_difference(seen[name])}" for name in seen}
        )
    order = "only the order of independent calls or checks decides"
    passed = "only whether an iterator or a list is passed on decides"
    for turned, why, is_free in (
        (in_another_order(block), order, is_excused),
        (with_lists(block), passed, is_of_calls),
    ):
        seen = _differences(run, oracle, turned + "".join(others), limits) if turned else {}
        failed = _raising(oracle) if is_free is is_excused else frozenset[str]()
        excused = {
            name: f"{why}: {_format_difference(each)}"
            for name, each in seen.items()
            if is_free(each.path) or (name in failed and is_of_what_was_done(each.path))
        }
        if not all(each.case.name in excused for each in oracle.recorded):  # nothing else is left
            oracle, excused_rejections = oracle.without(excused)
            rejected = (*rejected, *(replace(each, is_excused=True) for each in excused_rejections))
    return oracle, rejected


def _raising(oracle: Oracle) -> frozenset[str]:
    """Return names of cases that raise: how far the call came depends on its order."""
    return frozenset(
        each.case.name
        for each in oracle.every
        if decoded_observation(each.observation).outcome == "raised"
    )


def reworded(block: Block) -> str | None:
    """Return an equivalent text, or `None` if LibCST does not support this Python."""
    try:
        from .rewrites import most_different_rewrite

        return most_different_rewrite(block)
    except ImportError:
        return None


def _differences(run: Runs, oracle: Oracle, text: str, limits: Limits) -> dict[str, Difference]:
    """Map names of cases to the place where they show the other wording."""
    if not oracle.recorded:
        return {}
    filled = template(oracle.script, oracle.path, oracle.qualname).filled(text)
    if not isinstance(filled, FilledText):
        return {}
    cases = [each.case for each in oracle.every]
    texts = observed(run, replace(oracle, script=filled.text), cases, limits)
    found = {n.case.name: _difference(n.observation, texts[n.case.name]) for n in oracle.every}
    return {name: each for name, each in found.items() if each is not None}


def _difference(first: str, second: str | AbnormalEnd) -> Difference | None:
    """Return how a rewritten run differs; a run that is too slow says nothing."""
    if isinstance(second, AbnormalEnd) or first == second:
        return None
    return first_difference(decoded_observation(first), decoded_observation(second))


def _format_difference(found: Difference) -> str:
    return f"{found.path}: {found.expected}, then {found.observed}"
