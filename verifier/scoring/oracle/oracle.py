"""The oracle: what the original does in each case, recorded before any candidate is seen.

It has two sets of cases: shown ones, which people and authors of candidates may know, and hidden
ones, which also decide and of which nothing is told.

A case stays only if two runs agree byte for byte and if it shows something. If observations differ
in reverse order, cases influence each other, and each gets its own process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ....slicer.errors import SliceFuncError
from ...execution.executors.interface import Case, Determinism, Job, Limits, Outcome
from ...observation.compare_observations import Comparison, first_difference
from ...observation.decode_records import decode_text
from ...observation.observation import Malformed, Node, Observation
from ...observation.run_records import Run, decode_run
from ...observation.short_text import render, short
from ...observation.shown_evidence import evidence
from ..candidates.offered_names import OfferedName


class NoCasesError(SliceFuncError):
    """An oracle without a case."""


Runs = Callable[[Job], Outcome]
Code = Literal[
    "does_not_run", "case_invalid", "case_fails", "unstable", "shows_nothing",
    "too_slow", "too_large",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class OracleCase:
    """A case, and what the original does in it."""

    case: Case
    observation: str
    """The observation as JSON."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """All that scoring needs: the original's script, cases, observations and settings."""

    script: str
    path: str
    """Path of the target's file in the repository."""
    qualname: str
    recorded: tuple[OracleCase, ...]
    """The shown cases."""
    hidden: tuple[OracleCase, ...] = field(default=(), kw_only=True)
    """Hidden cases, which run after them for the verdict alone."""
    is_isolated: bool = False
    """Whether each case runs in a process of its own, a fork of the one that loaded the script."""
    determinism: Determinism = field(default_factory=Determinism)
    imports: tuple[OfferedName, ...] = ()
    """Imports of the target's file that candidates may use without writing them."""
    masked: tuple[str, ...] = ()
    """Files of the environment that contain the original or its package, hidden from candidates;
    paths are relative to import roots."""
    stable_runs: int = field(default=0, compare=False)
    """Number of runs with equal observations in all of these cases, including the recorded one; 0
    if not counted."""

    @property
    def every(self) -> tuple[OracleCase, ...]:
        """Return all cases, in the order in which they run."""
        return (*self.recorded, *self.hidden)

    def without(self, why: Mapping[str, str]) -> tuple[Oracle, tuple[Rejection, ...]]:
        """Return the oracle without some unstable cases, given by name with the reason."""
        hidden = {each.case.name for each in self.hidden}
        kept, still_hidden = (
            tuple(each for each in cases if each.case.name not in why)
            for cases in (self.recorded, self.hidden)
        )
        rejected = (Rejection(name, "unstable", why[name], name in hidden) for name in why)
        return replace(self, recorded=kept, hidden=still_hidden), tuple(rejected)

    def job(self, script: str, cases: Sequence[Case], limits: Limits) -> Job:
        """Return a run of some cases, perhaps with another script. `named` reads its records.

        The cases' names stay here: they may reveal what is expected, and candidates could read
        them.
        """
        return Job(
            script,
            task="cases",
            cases=tuple(case.renamed(NEUTRAL) for case in cases),
            isolated=self.is_isolated,
            target=self.qualname,
            determinism=self.determinism,
            limits=limits,
        )


NEUTRAL = "the_case"
"""The name of every case where candidates run."""
_HEAD = re.compile(rf'(\s*{{\s*"kind"\s*:\s*"case"\s*,\s*"name"\s*:\s*)"{NEUTRAL}"')


def named(outcome: Outcome, names: Sequence[str]) -> Outcome:
    """Return the outcome of an oracle's job, with the real names of its cases."""
    records = list(outcome.records)
    for position, name in enumerate(names[: max(len(records) - 1, 0)], start=1):
        head = _HEAD.match(records[position])
        if head:
            rest = records[position][head.end() :]
            records[position] = f"{head[1]}{json.dumps(name)}{rest}"
    return replace(outcome, records=tuple(records))


@dataclass(frozen=True, slots=True)
class AbnormalEnd:
    """Replaces an observation if the run ended abnormally."""

    reason: str


@dataclass(frozen=True, slots=True)
class Rejection:
    """A case that cannot be used; without a name the script itself."""

    case: str
    code: Code
    detail: str
    is_hidden: bool = False
    """Whether the case is a hidden one."""
    is_excused: bool = False
    """Whether the case is sound, but right candidates may fail it."""


def record(
    run: Runs, bare: Oracle, cases: Sequence[Case], limits: Limits | None = None
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """Return the oracle with the original's observations, and the rejected cases.

    Args:
        run: runs a job; it should raise for `infrastructure`.
        bare: an oracle that has recorded nothing.
        cases: the cases to record.
        limits: limits of each run.
    """
    return _Recording(run, bare, limits or Limits()).all(tuple(cases))


class _Recording:
    """One recording of cases."""

    def __init__(self, run: Runs, bare: Oracle, limits: Limits) -> None:
        self._run = run
        self._bare = bare
        self._limits = limits
        self._rejected: list[Rejection] = []

    def all(self, cases: tuple[Case, ...]) -> tuple[Oracle, tuple[Rejection, ...]]:
        """Return the oracle, and the rejected cases.

        The second run is in reverse order. Where both agree, cases neither vary between runs nor
        influence one another.
        """
        is_isolated = False
        texts: dict[str, str | AbnormalEnd] = {}
        while cases:
            texts = self._observe(cases, is_isolated)
            if not any(isinstance(text, str) for text in texts.values()):
                failure = self._load_failure()
                if failure:
                    self._rejected.append(Rejection("", "does_not_run", failure))
                    return self._bare, tuple(self._rejected)
            again = self._observe(cases[::-1], is_isolated)
            is_ordered = not is_isolated and len(cases) > 1 and again != texts
            if is_ordered:
                again = self._observe(cases, is_isolated)
            rejected = [r for c in cases if (r := fault(c, texts[c.name], again[c.name]))]
            if rejected:
                self._rejected += rejected
                names = {each.case for each in rejected}
                cases = tuple(case for case in cases if case.name not in names)
            elif is_ordered:
                is_isolated = True
            else:
                break
        found = [(case, texts[case.name]) for case in cases]
        recorded = tuple(OracleCase(case, text) for case, text in found if isinstance(text, str))
        agreeing = 2  # the last two runs, which agreed in all cases
        oracle = replace(
            self._bare, recorded=recorded, is_isolated=is_isolated, stable_runs=agreeing
        )
        return oracle, tuple(self._rejected)

    def _load_failure(self) -> str:
        outcome = self._run(self._bare.job(self._bare.script, (), self._limits))
        found = complete_run(outcome, ())
        if isinstance(found, str):
            return found
        return _raised(found.load_failure) if found.load_failure else ""

    def _observe(self, cases: Sequence[Case], is_isolated: bool) -> dict[str, str | AbnormalEnd]:
        oracle = replace(self._bare, is_isolated=is_isolated)
        return observed(self._run, oracle, cases, self._limits)


def observed(
    run: Runs, oracle: Oracle, cases: Sequence[Case], limits: Limits
) -> dict[str, str | AbnormalEnd]:
    """Return observations as JSON by case name; for cases that end the process, the reason."""
    found = _texts(run, oracle, cases, limits)
    if not isinstance(found, AbnormalEnd):
        return dict(found)
    separate = {case.name: _texts(run, oracle, [case], limits) for case in cases}
    return {name: t if isinstance(t, AbnormalEnd) else t[name] for name, t in separate.items()}


def _texts(
    run: Runs, oracle: Oracle, cases: Sequence[Case], limits: Limits
) -> dict[str, str] | AbnormalEnd:
    outcome = run(oracle.job(oracle.script, cases, limits))
    return texts_of(outcome, [case.name for case in cases])


def texts_of(outcome: Outcome, names: Sequence[str]) -> dict[str, str] | AbnormalEnd:
    """Return the observations of an oracle's job by case name, or how it ended abnormally."""
    outcome = named(outcome, names)
    found = complete_run(outcome, names)
    if isinstance(found, str):
        return AbnormalEnd(found)
    if found.load_failure:
        return AbnormalEnd(_raised(found.load_failure))
    texts = [_observation_text(text) for text in outcome.records[1:-1]]
    return dict(zip(names, texts, strict=True))


def complete_run(outcome: Outcome, names: Sequence[str], *, has_arcs: bool = False) -> Run | str:
    """Return what a run reported, or why it did not end normally."""
    if outcome.end != "exited":
        return outcome.detail or outcome.end
    if outcome.exit_status:
        return f"exit status {outcome.exit_status}: {_last_line(outcome.stderr)}"
    found = decode_run(outcome.records, names, has_arcs=has_arcs)
    return f"{found.where}: {found.what}" if isinstance(found, Malformed) else found


def decoded_observation(text: str) -> Observation:
    """Decode a recorded observation.

    Raises:
        ValueError: the text is no observation.
    """
    found = decode_text(text)
    if isinstance(found, Malformed):
        raise ValueError(f"{found.where}: {found.what}")  # noqa: TRY004 - the text is wrong
    return found


def format_difference(first: str, second: str | AbnormalEnd) -> str:
    """Return where two observations of a case differ, for people; empty if unknown."""
    if isinstance(second, AbnormalEnd):
        return f": {second.reason}"
    comparison = Comparison("strict", 0.0)
    found = first_difference(decoded_observation(first), decoded_observation(second), comparison)
    return f": {found.path}: {found.expected}, then {found.observed}" if found else ""


def fault(case: Case, first: str | AbnormalEnd, second: str | AbnormalEnd) -> Rejection | None:
    """Return why a case with these two observations cannot be used, or `None`."""
    for each in (first, second):
        if isinstance(each, AbnormalEnd):
            return Rejection(case.name, "case_fails", f"its run does not end well: {each.reason}")
    assert isinstance(first, str)
    assert isinstance(second, str)
    observation = decoded_observation(first)
    if observation.outcome not in {"returned", "raised"}:
        return Rejection(case.name, "case_invalid", _raised(observation))
    if first != second:
        detail = f"two runs are observed differently{format_difference(first, second)}"
        return Rejection(case.name, "unstable", detail)
    if evidence(observation) == "none":
        return Rejection(case.name, "shows_nothing", "nothing that can be compared is seen")
    return None


def _observation_text(record: str) -> str:
    """Return the observation's own text within its record."""
    return record[record.index('"observation":') + len('"observation":') : -1]


def _raised(observation: Observation) -> str:
    """Return how a call ended, in plain words for an invalid case."""
    raised = observation.exception
    if isinstance(raised, Node) and short(raised.text("type")) == "CaseError":
        message = next(iter(raised.group("args").values), "")
        if isinstance(message, str):
            return message
    return f"{observation.outcome}: {render(raised, observation)}"


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "nothing on standard error"
