"""Adding to a slice what ran in its repository, until both do the same; no more than that needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..faithfulness import Faithful
from .observed_execution import Execution, Place

if TYPE_CHECKING:
    from ....slicer.model import Slice

ROUNDS = 3
"""What is added may run further code that is missing."""
_MOST_STATEMENTS = 40
"""Of those that are only known to have run."""
_MOST_TRIALS = 24
"""Of leaving something out again."""


@dataclass(frozen=True, slots=True)
class RepairContext:
    """What a slice is made and tried with."""

    again: Callable[[Sequence[str]], Slice | None]
    """The slice with these places kept, as `path:line`; `None` where it cannot be made."""
    compare: Callable[[Slice], Faithful]
    """Runs the cases on a slice, and in the repository."""
    executed: Callable[[Slice, Faithful], Execution]
    """What ran in the repository and is missing in the slice."""
    named: Callable[[Slice, Faithful], Sequence[Place]]
    """Where that is defined which cases of the slice ask for in vain."""


def additions(workshop: RepairContext, sliced: Slice, first: Faithful) -> tuple[str, ...]:
    """The places, as `path:line`, with which the slice does what the repository does.

    None where nothing that was observed brings that about.

    Args:
        workshop: what slices are made and tried with.
        sliced: the slice.
        first: what came of comparing it.
    """
    kept: tuple[str, ...] = ()
    found = first
    for _ in range(ROUNDS):
        if not found.unlike:
            break
        step = _step(workshop, sliced, found, kept)
        if step is None:
            return ()
        kept, sliced, found = step
    return _needed(workshop, kept) if not found.unlike else ()


def _step(
    workshop: RepairContext, sliced: Slice, found: Faithful, kept: tuple[str, ...]
) -> tuple[tuple[str, ...], Slice, Faithful] | None:
    """One more group of additions that changes what differs; the likeliest group first."""
    ran = workshop.executed(sliced, found)
    groups = (
        (*workshop.named(sliced, found), *ran.functions), ran.wrote, ran.ran[:_MOST_STATEMENTS],
    )  # fmt: skip
    tried = kept
    for group in groups:
        wanted = tuple(dict.fromkeys((*tried, *_written(group))))
        if wanted == tried:
            continue
        tried = wanted
        other = workshop.again(tried)
        if other is None or other.source == sliced.source:
            continue
        now = workshop.compare(other)
        if now.compared and now.unlike != found.unlike and len(now.unlike) <= len(found.unlike):
            return tried, other, now
    return None


def _written(places: Iterable[Place]) -> Iterable[str]:
    return (f"{path}:{line}" for path, line in places)


def _needed(workshop: RepairContext, kept: tuple[str, ...]) -> tuple[str, ...]:
    """The additions without those that are not needed: larger parts are left out first."""
    trials = _MOST_TRIALS
    size = (len(kept) + 1) // 2
    while size and len(kept) > 1:
        at = 0
        while at < len(kept) and len(kept) > 1 and trials:
            fewer = (*kept[:at], *kept[at + size :])
            trials -= 1
            if fewer and _is_enough(workshop, fewer):
                kept = fewer
            else:
                at += size
        size = size // 2 if trials else 0
    return kept


def _is_enough(workshop: RepairContext, kept: tuple[str, ...]) -> bool:
    other = workshop.again(kept)
    if other is None:
        return False
    now = workshop.compare(other)
    return bool(now.compared) and not now.unlike
