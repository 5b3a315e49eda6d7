"""The verdict on one run of a candidate, from records that may be forged.

A run counts only if the sandbox stood, the process ended by itself with status 0, and the records
are exactly those of an honest run, in number, order and name. What they say is then held against
what the original did; the candidate's process has neither seen that nor the original.
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
"""All cases as the original; one differs; no complete run; too slow; it reached for what is
forbidden; nothing can be said about the candidate."""


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first shown case in which a candidate differs from the original."""

    case: str
    """By its place among the cases, from `case_1` on: names of cases say what is expected."""
    expected: str
    observed: str
    """No more than `LONGEST_OBSERVED` characters: the candidate has chosen them."""
    where: str
    """The part of the observation."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one run shows."""

    verdict: Verdict
    cases_passed: int = 0
    """Of those that were run, also where the run ended before the others."""
    first_difference: FirstDifference | None = None
    reason: str = ""
    """For people."""
    ended: int | None = None
    """How many cases were run before the one in which the run ended; `None` where it came to its
    end, or where there is no use in running the others."""


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on a candidate: what decides, and what may be told of it."""

    candidate: str
    """Its name."""
    verdict: Verdict
    cases_passed: int
    """Of those that are shown."""
    cases: int
    hidden_passed: int | None
    """`None` where that is not told, or they were not run since others differ."""
    hidden: int
    first_difference: FirstDifference | None
    """In a shown case."""
    reason: str
    seconds: float

    @property
    def reward(self) -> float | None:
        """1 for a pass, 0 for anything else; `None` where nothing is known of the candidate."""
        return None if self.verdict == "infrastructure" else float(self.verdict == "passed")

    def to_json(self, *, has_feedback: bool = True) -> dict[str, Any]:
        """The score as other programs read it.

        Args:
            has_feedback: whether more than the verdict is told.
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
) -> Judgement:
    """What a run of these cases shows."""
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
    if not outcome.records or _begun(outcome, names) is not None:
        reason = f"the process ended with status {outcome.exit_status} before all was observed"
        return Judgement("error", reason=reason)
    reason = f"the records of its run are no honest ones: {found.where}: {found.what}"
    return Judgement("unsafe", reason=capped(reason))


def _begun(outcome: Outcome, names: Sequence[str], known: Sequence[Observation] = ()) -> Run | None:
    """The beginning of an honest run whose end is missing; `None` where this is none."""
    lines = outcome.records[:-1] if outcome.records[-1:] == (END,) else outcome.records
    count = len(lines) - 1
    if not 0 <= count <= len(names):
        return None
    run = decode_run([*lines, END], names[:count], known=known[:count])
    return None if isinstance(run, Malformed) or run.load_failure else run


class _Known:
    """What is expected of a run, and how it is held against one."""

    def __init__(self, expected: Sequence[Expected], comparison: Comparison, added: Added) -> None:
        self._expected = expected
        self._comparison = comparison
        self._added = added
        self.names = [name for name, _ in expected]
        self.observations = [observation for _, observation in expected]

    def before(self, outcome: Outcome, ended: Judgement) -> Judgement:
        """A run that has ended in some case, with what the cases before it show."""
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
        """What the cases of a run show."""
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
        told = f"{first.case}: {first.where}: {first.expected} expected, {first.observed} observed"
        return Judgement("failed", passed, first, told)


LONGEST_OBSERVED = 40
"""Characters of what a candidate did, of those that are told."""
_LONGEST = 120


def capped(text: str, longest: int = _LONGEST) -> str:
    """The beginning of a text that a candidate may have chosen."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
