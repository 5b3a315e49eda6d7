"""The strength of cases: which mutants they kill, and which cheap solutions pass them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..execution.batched_trials import Trial
from ..execution.executors.interface import Case
from ..script.branch_coverage import Arc
from .cheap_solutions import cheap_solutions, failing
from .kill_matrix import first_kills, placed
from .mutant_sample import LEAST
from .mutants import MutantRecord, mutants_of
from .mutated_block import Block


@dataclass(frozen=True, slots=True)
class MutationScore:
    """The result of running a target's mutants on its cases."""

    killed: int
    survived: tuple[MutantRecord, ...]
    equivalent: int = 0
    """Mutants that compile to the original's code. They do not count."""
    not_compared: int = 0
    """Mutants that only change logging, the text of an exception, or printed text that no case
    looks at. They do not count."""
    not_applied: int = 0
    """Mutants that could not replace the target. They do not count."""
    not_drawn: int = 0
    """Mutants beyond the sample. They do not count."""
    unseen_killed: int = 0
    """Killed mutants of the held-out set, by which no case was chosen or shrunk."""
    cheap: tuple[str, ...] = ()
    """Cheap solutions that pass all cases."""
    failure: str = ""
    """Why there is no result."""

    @property
    def rate(self) -> float | None:
        """Return the share of counted mutants that were killed, from 0 to 1, or `None`."""
        total = self.killed + len(self.survived)
        return self.killed / total if total else None

    @property
    def mutants(self) -> int:
        """Return the number of counted mutants."""
        return self.killed + len(self.survived)

    @property
    def unseen_survived(self) -> tuple[MutantRecord, ...]:
        """Return the survivors of the held-out set."""
        return tuple(made for made in self.survived if made.is_held_out)

    @property
    def unseen(self) -> int:
        """Return the number of counted mutants in the held-out set."""
        return self.unseen_killed + len(self.unseen_survived)

    @property
    def unseen_rate(self) -> float | None:
        """Return the share of held-out mutants that were killed, from 0 to 1, or `None`."""
        return self.unseen_killed / self.unseen if self.unseen else None

    @property
    def has_enough_unseen(self) -> bool:
        """Whether enough mutants were held out for the rate to mean something."""
        return self.unseen >= LEAST


def strength(
    trial: Trial,
    cases: Sequence[Case],
    block: Block,
    answers: Sequence[str] = (),
    *,
    unrun: Collection[int] = (),
    arcs: Sequence[frozenset[Arc]] | None = None,
) -> MutationScore:
    """Run all mutants, the cheap solutions, and a target that always fails, on the cases.

    Args:
        trial: where they run.
        cases: cases of the environment.
        block: the target's text.
        answers: literals that the first cases expect; a solution that only echoes them must not
            pass.
        unrun: lines of the block's file that no case runs; mutants that print there count.
        arcs: arcs of the original that each case takes, where known.
    """
    if not block.functions:
        return MutationScore(0, ())  # made by other code, such as `partial`
    found = mutants_of(block).counted()
    cheap = cheap_solutions(block, answers)
    forced = failing(block)
    if arcs is None:
        tried = trial.cases(cases).tried
        arcs = [each.arcs for each in tried] if all(each.observation for each in tried) else None
    made = found.records if arcs is None else _placed(trial, found.records, arcs)
    every = (forced, *cheap, *(each.mutant for each in made))
    result = first_kills(trial, cases, every)
    if result.failure:
        return MutationScore(0, found.records, failure=result.failure)
    killed = {name for name, killers in result.by_mutant.items() if killers}
    if forced.name in result.by_mutant and forced.name not in killed:
        return MutationScore(
            0, found.records, failure="the target made to fail passes: nothing is seen"
        )
    applied = [made for made in found.records if made.mutant.name in result.by_mutant]
    survived = [made for made in applied if made.mutant.name not in killed]
    hidden = result.only_printed if result.looks_at_text else killed.union(result.by_mutant)
    counted = [
        made for made in survived if made.mutant.name not in hidden or not _is_text(made, unrun)
    ]
    return MutationScore(
        len(applied) - len(survived),
        tuple(counted),
        found.equivalent,
        found.not_compared + len(survived) - len(counted),
        len(found.records) - len(applied),
        found.not_drawn,
        sum(made.is_held_out and made.mutant.name in killed for made in applied),
        tuple(m.name for m in cheap if m.name in result.by_mutant and m.name not in killed),
    )


def _placed(
    trial: Trial, every: Sequence[MutantRecord], arcs: Sequence[frozenset[Arc]]
) -> tuple[MutantRecord, ...]:
    """Return the mutants, each restricted to the cases that run its statement."""
    return tuple(
        replace(each, mutant=placed(each.mutant, each.lines or trial.span, arcs)) for each in every
    )


def _is_text(made: MutantRecord, unrun: Collection[int]) -> bool:
    """Whether a mutant only changes text that some case prints."""
    first, last = made.lines or (made.line, made.line)
    return made.only_prints and not any(line in unrun for line in range(first, last + 1))
