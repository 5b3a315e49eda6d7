"""The verdict on one run of a candidate, from records that may be forged.

A run counts only if the sandbox worked, the process ended by itself with status 0, and the records
are exactly those of an honest run, in number, order and name. They are then compared with what the
original did; the candidate's process has seen neither that nor the original.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from ..execution.executors.interface import Outcome
from ..observation.compare_observations import Comparison, first_difference
from ..observation.observation import Malformed, Observation
from ..observation.run_records import Run, decode_run
from ..observation.short_text import render
from ..sandbox.isolation.wire import END

Verdict = Literal["passed", "failed", "error", "timeout", "unsafe", "infrastructure"]
"""passed: all cases agree; failed: a case differs; error: no complete run; timeout: too slow;
unsafe: it tried something forbidden; infrastructure: nothing is known about the candidate."""


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first shown case in which a candidate differs from the original."""

    case: str
    """Position of the case, from `case_1` on: names of cases reveal what is expected."""
    expected: str
    observed: str
    """The candidate's behaviour, cut to `LONGEST_OBSERVED` characters, since the candidate chose
    them."""
    where: str
    """The part of the observation that differs."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of one run."""

    verdict: Verdict
    cases_passed: int = 0
    """Number of passed cases among those that ran before the run ended."""
    first_difference: FirstDifference | None = None
    reason: str = ""
    """Explanation for people."""
    ended: int | None = None
    """Number of cases before the one that ended the run; `None` if the run was complete or the
    others need not run."""


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on a candidate, with what may be told about it."""

    candidate: str
    """Name of the candidate."""
    verdict: Verdict
    cases_passed: int
    """Number of passed cases among the shown ones."""
    cases: int
    hidden_passed: int | None
    """Number of passed hidden cases; `None` if it may not be told, or they did not run."""
    hidden: int
    first_difference: FirstDifference | None
    """The first difference in a shown case."""
    reason: str
    seconds: float

    @property
    def reward(self) -> float | None:
        """Return 1 for a pass and 0 for anything else; `None` if nothing is known."""
        return None if self.verdict == "infrastructure" else float(self.verdict == "passed")

    def to_json(self, *, has_feedback: bool = True) -> dict[str, Any]:
        """Return the score as JSON data.

        Args:
            has_feedback: whether to include more than the verdict.
        """
        found = {"candidate": self.candidate, "verdict": self.verdict, "reward": self.reward}
        if not has_feedback:
            return found
        return {
            **found,
            "cases_passed": self.cases_passed,
            "cases": self.cases,
            "hidden_passed": self.hidden_passed,
            "hidden": self.hidden,
            "first_difference": self.first_difference and asdict(self.first_difference),
            "reason": self.reason,
            "seconds": self.seconds,
        }


Expected = tuple[str, Observation]
"""Name of a case, and what the original does in it."""


@dataclass(frozen=True, slots=True)
class Added:
    """Names that a candidate adds to the module. Their values are not compared."""

    modules: tuple[str, ...] = ()
    """Labels of the target's module."""
    names: frozenset[str] = frozenset()

    def without(self, observation: Observation) -> Observation:
        """Return the observation without these names."""
        if not self.names or not observation.globals:
            return observation
        kept = tuple(item for item in observation.globals if not self._has(item[0]))
        if len(kept) == len(observation.globals):
            return observation  # the same object: it may be the expected observation
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
) -> Judgement:
    """Return the result of a run of these cases."""
    known = _Known(expected, comparison, added or Added())
    ended = _ending(outcome)
    if ended is not None:
        return known.before(outcome, ended)
    run = decode_run(outcome.records, known.names, known=known.observations)
    if isinstance(run, Malformed):
        return known.before(outcome, _malformed(outcome, known.names, run))
    if run.load_failure is not None:
        raised = render(run.load_failure.exception, run.load_failure)
        return Judgement("error", reason=f"importing it raises {capped(raised)}")
    if outcome.exit_status:
        reason = f"the process ended with status {outcome.exit_status} after the cases"
        return Judgement("error", reason=reason)
    return known.compared(run)


def _ending(outcome: Outcome) -> Judgement | None:
    """Return the verdict if the process did not end by itself."""
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
    """Judge malformed records: truncated ones come from an exit, others are forged."""
    if not outcome.records or _begun(outcome, names) is not None:
        reason = f"the process ended with status {outcome.exit_status} before all was observed"
        return Judgement("error", reason=reason)
    reason = f"the records of its run are no honest ones: {found.where}: {found.what}"
    return Judgement("unsafe", reason=capped(reason))


def _begun(outcome: Outcome, names: Sequence[str], known: Sequence[Observation] = ()) -> Run | None:
    """Return the beginning of an honest run with its end missing; `None` if it is not one."""
    lines = outcome.records[:-1] if outcome.records[-1:] == (END,) else outcome.records
    count = len(lines) - 1
    if not 0 <= count <= len(names):
        return None
    run = decode_run([*lines, END], names[:count], known=known[:count])
    return None if isinstance(run, Malformed) or run.load_failure else run


class _Known:
    """The expected observations of a run, and how to compare them."""

    def __init__(self, expected: Sequence[Expected], comparison: Comparison, added: Added) -> None:
        self._expected = expected
        self._comparison = comparison
        self._added = added
        self.names = [name for name, _ in expected]
        self.observations = [observation for _, observation in expected]

    def before(self, outcome: Outcome, ended: Judgement) -> Judgement:
        """Return the verdict on a run that ended in some case, with earlier cases' results."""
        if ended.verdict not in {"error", "timeout"}:
            return ended
        run = _begun(outcome, self.names, self.observations)
        if run is None:
            return ended
        found = self.compared(run)
        return replace(
            ended,
            cases_passed=found.cases_passed,
            first_difference=found.first_difference,
            ended=len(run.observations),
        )

    def compared(self, run: Run) -> Judgement:
        """Return the result of comparing a run's cases."""
        passed = 0
        first: FirstDifference | None = None
        for (name, old), (_, new) in zip(self._expected, run.observations, strict=False):
            found = first_difference(old, self._added.without(new), self._comparison)
            if found is None:
                passed += 1
            elif first is None:
                observed = capped(found.observed, LONGEST_OBSERVED)
                first = FirstDifference(name, found.expected, observed, capped(found.path))
        if first is None:
            return Judgement("passed", passed)
        reason = (
            f"{first.case}: {first.where}: {first.expected} expected, {first.observed} observed"
        )
        return Judgement("failed", passed, first, reason)


LONGEST_OBSERVED = 40
"""Characters shown of what a candidate did."""
_LONGEST = 120


def capped(text: str, longest: int = _LONGEST) -> str:
    """Return the beginning of a text that a candidate may have chosen."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
