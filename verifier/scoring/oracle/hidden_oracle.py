"""Recording hidden cases: many, diverse, for the verdict alone, and cheap enough to run each time.

They run after the cases that are shown, in the same process. One that cannot be used is dropped
without further ado, for there are others; what decides that is settled here, once, and recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...execution.batched_trials import Trial
from ...execution.executors.interface import Case, Limits, cost_of
from .oracle import AbnormalEnd, Code, Oracle, Recorded, Rejection, Runs, fault, observed, texts_of

MOST = 128
"""Hidden cases of one environment."""
SECONDS = 1.0
"""Of processor time, in which the original runs all of them."""
RECORD_BYTES = 900_000
"""What their texts and observations may take, so that a record stays below a megabyte."""
_SHARE = 4
"""One case takes no more than this part of the time or of the bytes: others have to fit, too."""


def with_hidden(
    run: Runs, oracle: Oracle, cases: Sequence[Case], limits: Limits
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """The oracle with the hidden cases that can be used, and those that cannot.

    Each must show the same after the shown cases, and in reverse order before them: one that others
    influence would say something about the order.

    Args:
        run: runs a job.
        oracle: with the shown cases recorded.
        cases: with names that no shown case has, the most important first.
        limits: of each run.
    """
    kept, gone, texts = _affordable(run, oracle, cases, limits)
    shown = [each.case for each in oracle.recorded]
    while kept:
        texts = texts or observed(run, oracle, [*shown, *kept], limits)
        again = observed(run, oracle, [*kept[::-1], *shown], limits)
        faults = [found for c in kept if (found := fault(c, texts[c.name], again[c.name]))]
        if not faults:
            break
        gone += [replace(each, is_hidden=True) for each in faults]
        names = {each.case for each in faults}
        kept, texts = [case for case in kept if case.name not in names], {}
    recorded = [Recorded(case, text) for case in kept if isinstance(text := texts[case.name], str)]
    sizes = [len(each.case.code.encode()) + len(each.observation) for each in recorded]
    fitting = list(_fitting(sizes, RECORD_BYTES))
    gone += [
        _left_out(each.case, "too_large", f"{size} bytes")
        for each, size, fits in zip(recorded, sizes, fitting, strict=True)
        if not fits
    ]
    hidden = tuple(each for each, fits in zip(recorded, fitting, strict=True) if fits)
    return replace(oracle, hidden=hidden), tuple(gone)


def _affordable(
    run: Runs, oracle: Oracle, cases: Sequence[Case], limits: Limits
) -> tuple[list[Case], list[Rejection], dict[str, str | AbnormalEnd]]:
    """The cases that end well and that the time is enough for, and what a run of them has shown.

    Mostly one run of all of them, behind those that are shown, settles that. Otherwise each is
    timed, and nothing is told of what they show.
    """
    more = [_left_out(case, "too_slow", f"more than {MOST} cases") for case in cases[MOST:]]
    kept = list(cases[:MOST])
    if not oracle.is_apart:
        every = [*(each.case for each in oracle.recorded), *kept]
        for some in (every, kept):
            outcome = run(oracle.job(oracle.script, some, limits))
            is_well = outcome.end == "exited" and not outcome.exit_status
            if not is_well:
                break
            if cost_of(outcome.cpu_seconds, outcome.wall_seconds) <= SECONDS:
                texts = texts_of(outcome, [case.name for case in some])
                return (
                    kept,
                    more,
                    {} if some is kept or isinstance(texts, AbnormalEnd) else {**texts},
                )
    seconds = _seconds_apart if oracle.is_apart else _seconds_together
    taken = list(seconds(run, oracle, kept, limits))
    gone: list[Rejection] = []
    for case, each in zip(kept, taken, strict=True):
        if each is None:
            gone.append(_left_out(case, "case_fails", "it does not end, or ends the process"))
    timed = [(case, each) for case, each in zip(kept, taken, strict=True) if each is not None]
    fitting = list(_fitting([each for _, each in timed], SECONDS))
    for (case, each), fits in zip(timed, fitting, strict=True):
        if not fits:
            gone.append(_left_out(case, "too_slow", f"{each:.3f} s"))
    kept = [case for (case, _), fits in zip(timed, fitting, strict=True) if fits]
    return kept, [*gone, *more], {}


def _seconds_together(
    run: Runs, oracle: Oracle, cases: Sequence[Case], _limits: Limits
) -> Iterator[float | None]:
    """What each case takes beside the others; `None` where it does not end."""
    nothing = (1, 1)  # lines whose arcs are asked for
    trial = Trial(run, oracle.script, oracle.qualname, nothing, determinism=oracle.determinism)
    tried = trial.cases(cases).tried
    for each in tried:
        yield cost_of(each.cpu_seconds, each.seconds) if each.observation else None
    yield from [None] * (len(cases) - len(tried))


def _seconds_apart(
    run: Runs, oracle: Oracle, cases: Sequence[Case], limits: Limits
) -> Iterator[float | None]:
    """What each case takes with a process of its own, until the time is up."""
    spent = 0.0
    for case in cases:
        if spent > SECONDS:
            yield SECONDS
            continue
        outcome = run(oracle.job(oracle.script, [case], limits))
        is_well = outcome.end == "exited" and not outcome.exit_status
        spent += cost_of(outcome.cpu_seconds, outcome.wall_seconds)
        yield cost_of(outcome.cpu_seconds, outcome.wall_seconds) if is_well else None


def _fitting(costs: Sequence[float], most: float) -> Iterator[bool]:
    """Which of them are taken: in their order, each that there is room for."""
    left = most
    for cost in costs:
        fits = cost <= min(left, most / _SHARE)
        left -= cost if fits else 0
        yield fits


def _left_out(case: Case, code: Code, detail: str) -> Rejection:
    return Rejection(case.name, code, detail, is_hidden=True)
