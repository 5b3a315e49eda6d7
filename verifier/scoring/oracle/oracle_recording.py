"""Record a stable oracle: under several hash seeds, with clocks fixed where needed.

The original runs as it is. Only if that leaves cases unstable, clocks and entropy are fixed in
every run, and the oracle says so: candidates then run likewise. A case whose result depends on the
date is unstable, too, even if all runs of today agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...execution.executors.interface import Case, Determinism, Executor, Limits, Profile
from .compiled_cases import with_code
from .hidden_oracle import with_hidden
from .oracle import Oracle, Rejection, Runs, record
from .stability import stable, stable_on_another_day

STILL = Determinism(clock=1_704_110_400.0, entropy=True)
"""Noon of 1 January 2024, UTC, in every case, and the same entropy."""

Recording = tuple[Oracle, tuple[Rejection, ...]]


def record_stable(
    run: Runs,
    make: Callable[[], Executor],
    profile: Profile,
    bare: Oracle,
    cases: Sequence[Case],
    limits: Limits,
    *,
    hidden: Sequence[Case] = (),
) -> Recording:
    """Return the oracle of the stable cases, and the rejected ones.

    Hidden cases follow the shown ones, which alone decide how the original is run.

    Args:
        run: runs a job under the first hash seed.
        make: makes executors for the other seeds.
        profile: the interpreter of the runs.
        bare: an oracle that has recorded nothing.
        cases: the cases to record.
        limits: limits of each run.
        hidden: cases for the verdict alone, with names of their own.

    Raises:
        SandboxError: an executor does not start.
    """

    def first(determinism: Determinism) -> Recording:
        """Record what two runs, and runs on another day, agree in; these are cheaper than seeds."""
        deterministic = replace(bare, determinism=determinism)
        oracle, rejected = record(run, deterministic, cases, limits)
        if oracle.recorded and hidden:
            oracle, hidden_rejected = with_hidden(run, oracle, hidden, limits)
            rejected = (*rejected, *hidden_rejected)
        if oracle.recorded and determinism.clock is None:
            oracle, unstable = stable_on_another_day(oracle, run, STILL.clock, limits)
            rejected = (*rejected, *unstable)
        return oracle, rejected

    def lasting(found: Recording) -> Recording:
        """Return the recording without cases that differ under other hash seeds."""
        oracle, rejected = found
        if not oracle.recorded:
            return found
        oracle, unstable = stable(oracle, make, profile, limits)
        return oracle, (*rejected, *unstable)

    # compiled once for the dozen runs that follow
    coded = with_code(run, (*cases, *hidden), bare.qualname, limits)
    cases, hidden = coded[: len(cases)], coded[len(cases) :]
    moving = first(bare.determinism)
    is_well_so_far = not _is_unstable(moving)
    if is_well_so_far:
        moving = lasting(moving)
        if not _is_unstable(moving):
            return moving
    still = lasting(first(replace(STILL, unwatched=bare.determinism.unwatched)))
    if not is_well_so_far and len(still[0].recorded) <= len(moving[0].recorded):
        moving = lasting(moving)
    # if nothing lasts either way, report what differs with fixed clocks
    is_better = len(still[0].recorded) > len(moving[0].recorded) or not moving[0].recorded
    return still if is_better else moving


def _is_unstable(found: Recording) -> bool:
    return any(each.code == "unstable" and not each.is_hidden for each in found[1])
