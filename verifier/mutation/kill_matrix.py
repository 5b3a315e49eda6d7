"""Which mutants which cases tell from the original."""

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
    """What was found out about some mutants."""

    by_mutant: dict[str, frozenset[int]]
    """Name → the cases that see a difference; none for a survivor."""
    not_applied: frozenset[str] = frozenset()
    """Mutants that could not be put in the place of the target."""
    looks_at_text: bool = False
    """Whether printed text is compared in one of the cases: in those that show nothing else."""
    only_printed: frozenset[str] = frozenset()
    """Mutants that print something else in a case, and that nothing else tells from the original:
    printed text is not compared there."""
    original: Mapping[int, str] = field(default_factory=dict[int, str])
    """What the original shows in each case beside the mutants, as JSON; empty where none ran."""
    failure: str = ""
    """Why nothing is known, where the original itself does not run as before."""


def placed(mutant: Mutant, lines: tuple[int, int], arcs: Iterable[Collection[Arc]]) -> Mutant:
    """The mutant, to be tried where its statement runs: elsewhere it is the original.

    Args:
        mutant: as it was made.
        lines: first and last one of the statement that it changes.
        arcs: those that each case takes of the original.
    """
    first, last = lines
    near = (n for n, of in enumerate(arcs) if any(first <= line <= last for _, line in of))
    return replace(mutant, cases=tuple(near))


def first_kills(trial: Trial, cases: Sequence[Case], mutants: Sequence[Mutant]) -> Kills:
    """The same as `kills`, but for who else kills a mutant: it is not tried on what is left."""
    found = kills(trial, cases, [replace(mutant, until_differs=1) for mutant in mutants])
    # what differed first does not count in some: something else may
    unclear = [m for m in mutants if m.name in found.only_printed and _has_more(m, cases)]
    if found.failure or not unclear:
        return found
    again = kills(trial, cases, unclear)
    by_mutant = {**found.by_mutant, **again.by_mutant}
    only_printed = found.only_printed.difference(m.name for m in unclear) | again.only_printed
    return replace(found, by_mutant=by_mutant, only_printed=only_printed, failure=again.failure)


def _has_more(mutant: Mutant, cases: Sequence[Case]) -> bool:
    """Whether it is tried on several cases."""
    return len(cases if mutant.cases is None else mutant.cases) > 1


def kills(trial: Trial, cases: Sequence[Case], mutants: Sequence[Mutant]) -> Kills:
    """Try each mutant on its cases; what is not compared in an environment kills nobody.

    Where there is a failure, what was found out before it is told all the same.
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
        return expected is not observed  # a mutant that does not end, or ends the process
    return first_difference(expected, observed) is not None


def _decoded(text: str) -> Observation | None:
    found = decode_text(text) if text else None
    return None if isinstance(found, Malformed) else found
