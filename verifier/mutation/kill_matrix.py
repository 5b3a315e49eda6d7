"""The kill matrix: which cases tell which mutants from the original."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..execution.batched_trials import MutantRun, Trial
from ..execution.executors.interface import Case, Mutant
from ..observation.compare_observations import first_difference, has_effect_beyond_output
from ..observation.decode_records import decode_text
from ..observation.observation import Malformed, Observation
from ..script.branch_coverage import Arc


@dataclass(frozen=True, slots=True)
class Kills:
    """The results of running some mutants."""

    by_mutant: dict[str, frozenset[int]]
    """Maps each mutant to the cases that show a difference; none for a survivor."""
    not_applied: frozenset[str] = frozenset()
    """Mutants that could not replace the target."""
    looks_at_text: bool = False
    """Whether some case compares printed text, since it shows nothing else."""
    only_printed: frozenset[str] = frozenset()
    """Mutants that differ only in printed text, in cases that do not compare it."""
    original: Mapping[int, str] = field(default_factory=dict[int, str])
    """Observations of the original in the same runs, as JSON; empty where none ran."""
    failure: str = ""
    """Why there is no result: the original itself no longer runs as before."""


def placed(mutant: Mutant, lines: tuple[int, int], arcs: Iterable[Collection[Arc]]) -> Mutant:
    """Return the mutant restricted to the cases that run its statement. In others it is the
    original.

    Args:
        mutant: the unrestricted mutant.
        lines: first and last line of the statement that it changes.
        arcs: arcs of the original that each case takes.
    """
    first, last = lines
    near = (n for n, of in enumerate(arcs) if any(first <= line <= last for _, line in of))
    return replace(mutant, cases=tuple(near))


def first_kills(trial: Trial, cases: Sequence[Case], mutants: Sequence[Mutant]) -> Kills:
    """Return the first kill of each mutant, which then runs no further case."""
    found = kills(trial, cases, [replace(mutant, until_differs=1) for mutant in mutants])
    # the first difference may be in printed text alone
    unclear = [m for m in mutants if m.name in found.only_printed and _has_more(m, cases)]
    if found.failure or not unclear:
        return found
    again = kills(trial, cases, unclear)
    by_mutant = {**found.by_mutant, **again.by_mutant}
    only_printed = found.only_printed.difference(m.name for m in unclear) | again.only_printed
    return replace(found, by_mutant=by_mutant, only_printed=only_printed, failure=again.failure)


def _has_more(mutant: Mutant, cases: Sequence[Case]) -> bool:
    """Whether a mutant runs on several cases."""
    return len(cases if mutant.cases is None else mutant.cases) > 1


def kills(trial: Trial, cases: Sequence[Case], mutants: Sequence[Mutant]) -> Kills:
    """Run each mutant on its cases. Differences that environments do not compare are no kills.

    After a failure the results so far are returned as well.
    """
    tried = [mutant for mutant in mutants if mutant.cases != ()]
    idle = {mutant.name: frozenset[int]() for mutant in mutants if mutant.cases == ()}
    if not tried:
        return Kills(idle)
    found = trial.mutants(cases, tried)
    if not found.mutants:
        return Kills({}, failure=found.failure or "no mutant ran")
    original, *runs = found.mutants
    if original.end != "ended":
        return Kills({}, failure=f"the original's run: {original.end}")
    expected: dict[int, Observation | None] = {
        case: _decoded(text) for case, text in original.differs
    }
    seen = [each for each in expected.values() if each is not None]
    return Kills(
        idle | {run.name: _killers(run, expected) for run in runs if run.end != "not applied"},
        frozenset(run.name for run in runs if run.end == "not applied"),
        not all(map(has_effect_beyond_output, seen)),
        frozenset(r.name for r in runs if r.differs and not _killers(r, expected)),
        dict(original.differs),
        found.failure,
    )


def _killers(run: MutantRun, expected: dict[int, Observation | None]) -> frozenset[int]:
    return frozenset(case for case, text in run.differs if _differs(expected.get(case), text))


def _differs(expected: Observation | None, text: str) -> bool:
    observed = _decoded(text)
    if expected is None or observed is None:
        return expected is not observed  # the mutant timed out or ended the process
    return first_difference(expected, observed) is not None


def _decoded(text: str) -> Observation | None:
    found = decode_text(text) if text else None
    return None if isinstance(found, Malformed) else found
