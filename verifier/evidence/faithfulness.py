"""Faithfulness: run each recorded case in the slice and in the repository, and compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..execution.executors.interface import Case, Limits
from ..observation.compare_observations import Comparison, first_difference
from ..observation.observation import Node, Observation
from ..observation.short_text import render, short
from ..observation.values.compare_values import Difference
from ..scoring.oracle.oracle import (
    Oracle,
    OracleCase,
    Runs,
    complete_run,
    decoded_observation,
    named,
)
from .in_place.alignment import (
    aligned,
    text_in_place,
    text_of_slice,
    with_classes_of_cases,
    with_defining_modules,
)
from .in_place.case_names import in_own_namespaces
from .in_place.in_place_script import InPlace
from .refusals import Refusal, refused

LIMITS = Limits(cpu_seconds=60, wall_seconds=90, memory_bytes=3 << 30)
"""Limits wider than those of cases, since a whole package may be imported first."""
_MOST_PROCESSES = 24
"""Most cases that each run in a process of their own, and import everything anew."""
_EXACT = Comparison("outcome", relative_tolerance=0.0)
_BEFORE = '"observation":'
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A case in which the slice and the repository differ."""

    case: str
    difference: Difference
    """The difference; expected is what the repository does."""
    raised: str = ""
    """Message of the exception in the repository, if any."""

    def __str__(self) -> str:
        found = self.difference
        return (
            f"{self.case}: {found.path}: {found.expected} in the repository, {found.observed} here"
        )


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """The result of running the cases in the repository."""

    compared: int = 0
    """Number of cases that ran in both."""
    unlike: tuple[Mismatch, ...] = ()
    why_not: Refusal | None = None
    """Why the other cases, or all, could not be compared."""

    @property
    def same(self) -> int:
        """Return the number of cases in which both agree."""
        return self.compared - len(self.unlike)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        why_not = asdict(self.why_not) if self.why_not else None
        return {"compared": self.compared, "same": self.same, "why_not": why_not}

    def __str__(self) -> str:
        if self.unlike:
            first, *others = self.unlike
            return f"{first} and {len(others)} more" if others else str(first)
        if not self.compared and self.why_not:
            return f"not comparable: {self.why_not.code}: {self.why_not.detail}"
        return f"{self.same} case{'s' * (self.same != 1)}, as in the repository"


def faithful(run: Runs, oracle: Oracle, place: InPlace) -> Faithfulness:
    """Compare the slice's observations with what the repository does.

    Cases that are not stable in the repository are not compared.

    Args:
        run: runs a job where the repository can be read.
        oracle: what the slice does in each case.
        place: the script that runs in the repository.
    """
    runs = _Runs(run, oracle, place)
    found = runs.observations(oracle.every)
    if isinstance(found, Refusal):
        return Faithfulness(why_not=found)
    compared = [each for each in oracle.every if isinstance(found.get(each.case.name), str)]
    unlike = [each for each in compared if _difference(each, found, place, oracle.path)]
    again = runs.observations(unlike) if unlike else {}
    seen: list[Mismatch] = []
    refusals = [each for each in found.values() if isinstance(each, Refusal)]
    for each in unlike:
        name = each.case.name
        if isinstance(again, Refusal) or again.get(name) != found[name]:
            compared.remove(each)
            refusals.append(Refusal("unstable", f"{name}: two runs there are observed differently"))
            continue
        difference = _difference(each, found, place, oracle.path)
        assert difference is not None
        text = found[name]
        assert isinstance(text, str)
        raised = decoded_observation(text)
        seen.append(Mismatch(name, difference, _raised(raised) if raised.exception else ""))
    return Faithfulness(len(compared), tuple(seen), next(iter(refusals), None))


def single_run_oracle(run: Runs, oracle: Oracle, cases: Sequence[Case]) -> Oracle:
    """Return the oracle from a single run of the slice, stable or not, failed or not.

    Args:
        run: runs a job where the slice runs.
        oracle: an oracle that has recorded nothing.
        cases: calls of the target; invalid cases are left out.
    """
    names = [case.name for case in cases]
    outcome = named(run(oracle.job(oracle.script, cases, LIMITS)), names)
    found = complete_run(outcome, names)
    if isinstance(found, str):
        return oracle
    if found.load_failure:
        texts = [_text(outcome.records[0])] * len(cases)
    else:
        texts = [_text(record) for record in outcome.records[1:-1]]
    seen = [OracleCase(*pair) for pair in zip(cases, texts, strict=True)]
    kept = [each for each in seen if decoded_observation(each.observation).outcome != "invalid"]
    return replace(oracle, recorded=tuple(kept))


@dataclass(frozen=True, slots=True)
class _Runs:
    """Runs of the script in the repository."""

    run: Runs
    oracle: Oracle
    place: InPlace

    def observations(self, recorded: Sequence[OracleCase]) -> dict[str, str | Refusal] | Refusal:
        """Return observations as JSON by case name, or the reason why one is missing; a single
        reason if all are missing.
        """
        found = self._observed(recorded)
        if not isinstance(found, Refusal) or len(recorded) == 1 or found.code not in _OF_CASES:
            return found
        separate: dict[str, str | Refusal] = {}
        for each in recorded[:_MOST_PROCESSES]:
            one = self._observed([each])
            if isinstance(one, Refusal) and one.code not in _OF_CASES:
                return one
            separate.update({each.case.name: one} if isinstance(one, Refusal) else one)
        late = Refusal("not_run", f"only {_MOST_PROCESSES} cases are run one by one")
        return {**{each.case.name: late for each in recorded}, **separate}

    def _observed(self, recorded: Sequence[OracleCase]) -> dict[str, str | Refusal] | Refusal:
        elsewhere = dict(self.place.elsewhere)
        cases = [in_own_namespaces(each.case, elsewhere) for each in recorded]
        job = self.oracle.job(self.place.script, cases, LIMITS)
        names = [case.name for case in cases]
        outcome = named(self.run(replace(job, aliases=self.place.aliases)), names)
        found = complete_run(outcome, names)
        if isinstance(found, str):
            return self._refused(found)
        if found.load_failure:
            return self._refused(_raised(found.load_failure))
        texts = outcome.records[1:-1]
        return {
            each.case.name: self._refused(_raised(observation))
            if _fails_to_import(observation)
            and not _fails_to_import(decoded_observation(each.observation))
            else _text(text)
            for each, text, (_, observation) in zip(
                recorded, texts, found.observations, strict=True
            )
        }

    def _refused(self, detail: str) -> Refusal:
        own = frozenset(name.partition(".")[0] for name, _ in self.place.modules)
        return refused(detail.replace(f"{self.place.folder}/", ""), own)


_OF_CASES = frozenset({"ends", "too_slow"})
"""Failure codes that a case may have caused, rather than the import."""


def _difference(
    each: OracleCase, found: dict[str, str | Refusal], place: InPlace, path: str
) -> Difference | None:
    text = found[each.case.name]
    assert isinstance(text, str)
    mine = text_of_slice(each.observation)
    theirs = with_classes_of_cases(text_in_place(text, place, path), mine, place)
    theirs = with_defining_modules(theirs, mine, place)
    if mine == theirs:
        return None
    sliced, original = aligned(decoded_observation(mine), decoded_observation(theirs), place)
    return first_difference(original, sliced, _EXACT)


def _fails_to_import(observation: Observation) -> bool:
    """Whether the case ends because an import fails."""
    raised = observation.exception
    return isinstance(raised, Node) and short(raised.text("type")) in _IMPORT_ERRORS


def _text(record: str) -> str:
    """Return the observation's own text within its record."""
    return record[record.index(_BEFORE) + len(_BEFORE) : -1]


def _raised(observation: Observation) -> str:
    """Return an exception as a traceback's last line shows it."""
    raised = observation.exception
    if not isinstance(raised, Node):
        return observation.outcome
    message = next(iter(raised.group("args").values), None)
    text = message if isinstance(message, str) else render(raised, observation)
    return f"{short(raised.text('type'))}: {text}"
