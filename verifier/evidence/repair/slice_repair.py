"""Repair a slice by adding what ran in its repository, until both agree, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..faithfulness import Faithfulness
from .observed_execution import Execution, Place

if TYPE_CHECKING:
    from ....slicer.model import Slice

ROUNDS = 3
"""Largest number of rounds, since added code may run further missing code."""
_MOST_STATEMENTS = 40
"""Most statements that are added only because they ran."""
_MOST_TRIALS = 24
"""Most attempts to leave an addition out again."""


@dataclass(frozen=True, slots=True)
class RepairContext:
    """The functions that make and compare slices."""

    again: Callable[[Sequence[str]], Slice | None]
    """Makes the slice with these places (`path:line`) kept, or returns `None`."""
    compare: Callable[[Slice], Faithfulness]
    """Runs the cases on a slice and in the repository."""
    executed: Callable[[Slice, Faithfulness], Execution]
    """Finds what ran in the repository and is missing in the slice."""
    named: Callable[[Slice, Faithfulness], Sequence[Place]]
    """Finds definitions of names that cases of the slice lack."""


def additions(workshop: RepairContext, sliced: Slice, first: Faithfulness) -> tuple[str, ...]:
    """Return the places (`path:line`) with which the slice agrees with the repository.

    Nothing if no observed code achieves that.

    Args:
        workshop: how slices are made and compared.
        sliced: the slice.
        first: the result of comparing it.
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
    workshop: RepairContext, sliced: Slice, found: Faithfulness, kept: tuple[str, ...]
) -> tuple[tuple[str, ...], Slice, Faithfulness] | None:
    """Add one more group of places that changes what differs, the likeliest group first."""
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
    """Return the additions that are needed; larger parts are left out first."""
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
