"""The verdict on one run of a candidate, from records that may be forged.

A run counts only if the sandbox stood, the process ended by itself with status 0, and the records
are exactly those of an honest run, in number, order and name. What they say is then held against
what the original did; the candidate's process has neither seen that nor the original.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..executors.interface import Outcome
from ..observations.compare import Comparison, first_difference
from ..observations.model import Malformed, Observation
from ..observations.records import decode_run
from ..observations.render import render

Verdict = Literal["passed", "failed", "error", "timeout", "unsafe", "infrastructure"]
"""All cases as the original; one differs; no complete run; too slow; it reached for what is
forbidden; nothing can be said about the candidate."""

_END = '{"kind":"end"}'


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first case in which a candidate differs from the original."""

    case: str
    expected: str
    observed: str
    where: str
    """The part of the observation."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one run shows."""

    verdict: Verdict
    cases_passed: int = 0
    """Of complete runs."""
    hidden_passed: int = 0
    """Of the hidden cases, likewise."""
    first_difference: FirstDifference | None = None
    reason: str = ""
    """For people."""


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on a candidate."""

    candidate: str
    """Its name."""
    verdict: Verdict
    cases_passed: int
    cases: int
    hidden_passed: int
    hidden: int
    """Cases that are not shown to anybody."""
    first_difference: FirstDifference | None
    """In a shown case."""
    reason: str
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The score as other programs read it."""
        difference = self.first_difference
        return {
            "candidate": self.candidate,
            "verdict": self.verdict,
            "cases_passed": self.cases_passed,
            "cases": self.cases,
            "hidden_passed": self.hidden_passed,
            "hidden": self.hidden,
            "first_difference": difference
            and {
                "case": difference.case,
                "expected": difference.expected,
                "observed": difference.observed,
                "where": difference.where,
            },
            "reason": self.reason,
            "seconds": self.seconds,
        }


Expected = tuple[str, Observation]
"""Name of a case, and what the original does in it."""


@dataclass(frozen=True, slots=True)
class Added:
    """Names that a candidate brought along; what happens to their values is its own affair."""

    modules: tuple[str, ...] = ()
    """Labels of the target's module."""
    names: frozenset[str] = frozenset()

    def without(self, observation: Observation) -> Observation:
        """The observation without them."""
        if not self.names or not observation.globals:
            return observation
        kept = tuple(item for item in observation.globals if not self._has(item[0]))
        if len(kept) == len(observation.globals):
            return observation  # it may be the expected one itself
        return replace(observation, globals=kept)

    def _has(self, label: str) -> bool:
        for module in self.modules:
            if label.startswith(f"{module}."):
                name, _, _ = label[len(module) + 1 :].partition(".")
                return name in self.names
        return False


def judge(
    outcome: Outcome,
    expected: Sequence[Expected],
    comparison: Comparison,
    added: Added | None = None,
    *,
    shown: int | None = None,
) -> Judgement:
    """What a run of these cases shows.

    Args:
        outcome: of the run.
        expected: what the original does in each case.
        comparison: what must agree.
        added: names that the candidate brought along.
        shown: how many of the cases, from the first on, are shown; all of them if not given.
    """
    ended = _ending(outcome)
    if ended is not None:
        return ended
    names = [name for name, _ in expected]
    run = decode_run(outcome.records, names, known=[observation for _, observation in expected])
    if isinstance(run, Malformed):
        return _malformed(outcome, names, run)
    if run.load_failure is not None:
        raised = render(run.load_failure.exception, run.load_failure)
        return Judgement("error", reason=f"importing it raises {raised}")
    if outcome.exit_status:
        reason = f"the process ended with status {outcome.exit_status} after the cases"
        return Judgement("error", reason=reason)
    added = added or Added()
    observed = [(name, added.without(observation)) for name, observation in run.observations]
    return _compared(expected, observed, comparison, len(expected) if shown is None else shown)


def _ending(outcome: Outcome) -> Judgement | None:
    """The verdict where the process did not end by itself."""
    match outcome.end:
        case "exited":
            return None
        case "infrastructure":
            return Judgement("infrastructure", reason=outcome.detail)
        case "timeout" | "cpu" if outcome.is_set_up:
            return Judgement("timeout", reason=outcome.detail)
        case "timeout" | "cpu":
            return Judgement("infrastructure", reason=f"{outcome.detail} for the set-up alone")
        case "output":
            return Judgement("error", reason=outcome.detail)
        case "signaled" if outcome.signal == signal.SIGSYS:
            return Judgement("unsafe", reason="ended by the system-call filter")
        case "signaled":
            return Judgement("error", reason=f"ended by a signal: {outcome.detail}")


def _malformed(outcome: Outcome, names: Sequence[str], found: Malformed) -> Judgement:
    """Records that stop early are those of a process that left; all others were tampered with."""
    count = max(len(outcome.records) - 1, 0)
    start = decode_run([*outcome.records, _END], names[:count])
    if not outcome.records or (count <= len(names) and not isinstance(start, Malformed)):
        reason = f"the process ended with status {outcome.exit_status} before all was observed"
        return Judgement("error", reason=reason)
    return Judgement(
        "unsafe", reason=f"the records of its run are no honest ones: {found.where}: {found.what}"
    )


def _compared(
    expected: Sequence[Expected],
    observed: Sequence[Expected],
    comparison: Comparison,
    shown: int,
) -> Judgement:
    """Only of shown cases is it told what differs."""
    differences = [
        first_difference(old, new, comparison)
        for (_, old), (_, new) in zip(expected, observed, strict=True)
    ]
    passed = differences[:shown].count(None)
    hidden_passed = differences[shown:].count(None)
    if passed + hidden_passed == len(differences):
        return Judgement("passed", passed, hidden_passed)
    for (name, _), found in zip(expected[:shown], differences, strict=False):
        if found is not None:
            first = FirstDifference(name, found.expected, found.observed, found.path)
            told = f"{name}: {first.where}: {first.expected} expected, {first.observed} observed"
            return Judgement("failed", passed, hidden_passed, first, told)
    return Judgement("failed", passed, hidden_passed, reason=HIDDEN_DIFFERS)


HIDDEN_DIFFERS = "a hidden case differs"
