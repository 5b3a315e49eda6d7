"""Merge locks that agree, so that few environments serve many scripts.

Two locks agree if no distribution has different versions in them, and merging does not combine
distributions that provide the same module. Each lock is consistent by itself, so the merged one is,
too, without another resolution. A script then sees distributions that it did not request: an
optional import (`try: import x`) can succeed in a merged environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....slicer.packaging.distribution_names import DISTRIBUTIONS
from ....slicer.syntax.requirement import normal
from .environment_locks import Lock, LockedPackage

_PROVIDERS = tuple(
    frozenset(map(normal, names)) for names in DISTRIBUTIONS.values() if len(names) > 1
)
"""Distributions that provide the same module: installed together, they overwrite one another."""


@dataclass(frozen=True, slots=True)
class MergedLocks:
    """Few locks for many."""

    locks: tuple[Lock, ...]
    """The merged locks."""
    of: tuple[int, ...]
    """For each given lock, the index of the merged one that serves it."""

    def summary(self) -> str:
        """Return a summary in one line."""
        return f"{len(self.locks)} environments serve {len(self.of)} scripts"


def merge_locks(locks: Sequence[Lock]) -> MergedLocks:
    """Merge locks first-fit, largest first: deterministic, whatever the given order."""
    order = sorted(range(len(locks)), key=lambda i: (-len(locks[i].packages), locks[i].digest))
    groups: list[Lock] = []
    of: dict[int, int] = {}
    for number in order:
        lock = locks[number]
        place = next((i for i, group in enumerate(groups) if agree(group, lock)), None)
        if place is None:
            place = len(groups)
            groups.append(lock)
        else:
            groups[place] = _union(groups[place], lock)
        of[number] = place
    return MergedLocks(tuple(groups), tuple(of[number] for number in range(len(locks))))


def agree(one: Lock, other: Lock) -> bool:
    """Whether one environment can serve both."""
    if (one.python, one.platform) != (other.python, other.platform):
        return False
    if any(_are_rivals(one, other, providers) for providers in _PROVIDERS):
        return False
    pins = {package.name: (package.version, package.marker) for package in one.packages}
    return all(
        pins.get(package.name, (package.version, package.marker))
        == (package.version, package.marker)
        for package in other.packages
    )


def _are_rivals(one: Lock, other: Lock, providers: frozenset[str]) -> bool:
    """Whether the two take a module from different distributions."""
    mine, theirs = (providers & {p.name for p in lock.packages} for lock in (one, other))
    return bool(mine and theirs) and mine != theirs


def _union(one: Lock, other: Lock) -> Lock:
    found: dict[str, LockedPackage] = {p.name: p for p in one.packages}
    for package in other.packages:
        known = found.setdefault(package.name, package)
        hashes = tuple(sorted({*known.hashes, *package.hashes}))
        found[package.name] = replace(known, hashes=hashes)
    bounds = {one.exclude_newer, other.exclude_newer}
    # bounded only if both are, by the later time
    newer = "" if "" in bounds else max(bounds)
    return replace(one, packages=tuple(sorted(found.values())), exclude_newer=newer)
