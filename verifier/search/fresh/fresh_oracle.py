"""The fresh oracle: what the original does on inputs that no verdict has used.

It needs an environment's oracle alone, and no repository. A candidate that passes all cases and
differs here has learned the cases, not the function.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from ...execution.batched_trials import OriginalTrial, Trial
from ...execution.executors.interface import Case, Executor, Limits, Profile, cost_of
from ...observation.observation import Node, Observation
from ...observation.short_text import short
from ...observation.shown_evidence import evidence
from ...scoring.candidates.definition_blocks import groups, split_name
from ...scoring.module_holes import NoHoleError
from ...scoring.oracle.oracle import Oracle, Runs, decoded_observation, record
from ...scoring.oracle.oracle_recording import STILL
from ...scoring.oracle.stability import stable, stable_on_another_day
from ...scoring.substitute import template
from ...script.module_statements import first_line_of
from ...script.source_map import carried_texts
from ..drafts.code_literals import words_of
from .case_calls import case_calls
from .likely_valid import likely_valid
from .proposed_inputs import proposed_cases

COUNT = 32
"""Default number of fresh inputs of an environment."""
_PROPOSALS = 6
"""Proposals for each input that is wanted."""
_SEEDS = (1, 2)
"""Further hash seeds under which the original must do the same."""
_SECONDS = 0.25
"""Longest time of one call of the original, in seconds."""
_ALL_SECONDS = 2.0
"""Longest time of all calls together; where they take more, there are half as many, and so on. A
smaller cut would follow from how busy the machine is."""
_RAISING = 4
"""At most one of so many inputs may raise: what is raised first is often an accident."""


@dataclass(frozen=True, slots=True)
class FreshInputs:
    """Fresh inputs of an environment, or why there are none."""

    oracle: Oracle | None
    """The environment's oracle with the fresh inputs in place of all its cases."""
    proposed: int = 0
    """Number of new inputs that were tried on the original."""
    why_not: str = ""
    """Why there are none, in a few words; empty if there are."""


def fresh_inputs(
    run: Runs,
    make: Callable[[], Executor],
    profile: Profile,
    oracle: Oracle,
    *,
    seed: int = 0,
    count: int = COUNT,
    limits: Limits | None = None,
) -> FreshInputs:
    """Return new inputs, and what the original does on them; the same seed gives the same.

    The original runs in the sandbox, as when the environment was made: with the same settings, in
    two orders, under other hash seeds, on another day. An input stays if it always does the same,
    and returns or raises an exception of a class that a known case raises too.

    Args:
        run: runs a job under the profile.
        make: makes executors for other hash seeds.
        profile: the interpreter of the runs.
        oracle: the environment's oracle.
        seed: of all choices.
        count: how many inputs at most.
        limits: limits of each run.

    Raises:
        SandboxError: an executor does not start.
    """
    limits = limits or Limits()
    cases = [each.case for each in oracle.every]
    known = list(case_calls(cases, oracle.qualname))
    if not known:
        return FreshInputs(None, why_not="no case calls the target")
    try:
        function = _function(oracle)
    except (NoHoleError, SyntaxError, ValueError, RecursionError) as error:
        return FreshInputs(None, why_not=f"the target cannot be read: {error}")
    is_valid = likely_valid(function, known)
    literals = words_of([function] if function else [])
    wanted = _PROPOSALS * count
    made = proposed_cases(cases, oracle.qualname, literals, seed, wanted)
    made = tuple(each for each in made if any(map(is_valid, case_calls([each], oracle.qualname))))
    if not made:
        return FreshInputs(None, why_not="no other value fits the cases")
    tried = _trial(run, oracle).cases(made)
    if not tried.is_loaded:
        return FreshInputs(None, len(made), tried.failure)
    chosen = _chosen(oracle, made, tried.tried, count)
    bare = replace(oracle, recorded=(), hidden=(), stable_runs=0)
    found, _ = record(run, bare, chosen, limits)
    if found.recorded and oracle.determinism.clock is None:
        found, _ = stable_on_another_day(found, run, STILL.clock, limits)
    if found.recorded:
        found, _ = stable(found, make, profile, limits, _SEEDS)
    if not found.recorded:
        return FreshInputs(None, len(made), "on no new input does the original always do the same")
    is_isolated = oracle.is_isolated or found.is_isolated
    return FreshInputs(replace(found, is_isolated=is_isolated), len(made))


def _function(oracle: Oracle) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the original's definition; `None` if it is several, or no function."""
    cut = template(oracle.script, oracle.path, oracle.qualname, oracle.imports).original
    body = ast.parse(textwrap.dedent(cut)).body
    found = [each for each in body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return found[-1] if found else None


def _trial(run: Runs, oracle: Oracle) -> Trial:
    carried = carried_texts(oracle.script)
    text = carried.get(oracle.path, oracle.script)
    nodes = [
        n for each in groups(ast.parse(text).body, split_name(oracle.qualname)) for n in each.nodes
    ]
    span = (1, 1)
    if nodes:
        last = nodes[-1].end_lineno or nodes[-1].lineno
        span = (min(map(first_line_of, nodes)), last)
    return Trial(
        run,
        oracle.script,
        oracle.qualname,
        span,
        oracle.path if oracle.path in carried else "",
        determinism=oracle.determinism,
        is_isolated=oracle.is_isolated,
    )


def _chosen(
    oracle: Oracle, made: Sequence[Case], tried: Sequence[OriginalTrial], count: int
) -> list[Case]:
    """Choose among the inputs by turns from each path, those that show something new first."""
    known = [decoded_observation(each.observation) for each in oracle.every]
    raised = {_raised(each) for each in known if each.outcome == "raised"}
    # other classes come from libraries, at a place that another implementation need not reach
    raised = {name for name in raised if name and name in oracle.script}
    seen = {each.observation for each in oracle.every}
    paths: dict[frozenset[object], list[tuple[Case, bool]]] = {}
    again: list[tuple[Case, bool]] = []
    for case, trial in zip(made, tried, strict=False):
        if not trial.observation or cost_of(trial.cpu_seconds, trial.seconds) > _SECONDS:
            continue
        observation = decoded_observation(trial.observation)
        if not _is_usable(observation, raised):
            continue
        is_raising = observation.outcome == "raised"
        if trial.observation in seen:
            again.append((case, is_raising))
            continue
        seen.add(trial.observation)
        paths.setdefault(frozenset(trial.arcs), []).append((case, is_raising))
    turns = zip_longest(*paths.values())
    new = [each for turn in turns for each in turn if each is not None]
    chosen = list(_few_raising([*new, *again], count))
    seconds = {
        case.name: cost_of(trial.cpu_seconds, trial.seconds)
        for case, trial in zip(made, tried, strict=False)
    }
    while len(chosen) > 1 and sum(seconds[each.name] for each in chosen) > _ALL_SECONDS:
        chosen = chosen[: len(chosen) // 2]
    return chosen


def _few_raising(found: Sequence[tuple[Case, bool]], count: int) -> Iterator[Case]:
    raising = returned = 0
    for case, is_raising in found:
        if is_raising and raising >= max(1, count // _RAISING):
            continue
        raising += is_raising
        returned += not is_raising
        yield case
        if raising + returned == count:
            return


def _is_usable(observation: Observation, raised: set[str]) -> bool:
    """Whether a call ends as cases end, and shows something."""
    if evidence(observation) == "none":
        return False
    if observation.outcome == "raised":
        return not observation.is_accident and _raised(observation) in raised
    return observation.outcome == "returned"


def _raised(observation: Observation) -> str:
    raised = observation.exception
    return short(raised.text("type")) if isinstance(raised, Node) else ""
