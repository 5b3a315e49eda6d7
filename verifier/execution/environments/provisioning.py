"""Provide an environment for requirements, with whatever part of them can be installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ....slicer.syntax.requirement import normal, parse_requirement
from .install_reasons import Problem
from .installer.environment_errors import NotInstalledError
from .merged_locks import MergedLocks, merge_locks
from .resolve_versions import Resolution, resolve

if TYPE_CHECKING:
    from .environment_cache import Cache, Environment
    from .environment_locks import Lock
    from .install_policy import Policy


@dataclass(frozen=True, slots=True)
class ProvidedEnvironment:
    """An environment, and the requirements that it lacks."""

    environment: Environment
    problems: tuple[Problem, ...]
    """Distributions that are not installed, or not as requested."""
    notes: tuple[str, ...]

    @property
    def not_installable(self) -> tuple[str, ...]:
        """Return distributions that are missing and need stand-ins."""
        return tuple(p.distribution for p in self.problems if not p.is_relaxed)


def provide(requirements: Iterable[str], cache: Cache, policy: Policy) -> ProvidedEnvironment:
    """Lock and install what can be installed of the requirements.

    A distribution that does not exist or does not install is a problem in the result.

    Raises:
        InstallError: uv is absent, or the index cannot be reached.
    """
    wanted = tuple(requirements)
    resolution = resolve(wanted, cache.folder, policy)
    try:
        return _provided(cache.get(resolution.lock, policy), resolution)
    except NotInstalledError as error:
        return _without_broken(wanted, resolution, str(error), cache, policy)


def _provided(environment: Environment, resolution: Resolution) -> ProvidedEnvironment:
    return ProvidedEnvironment(environment, resolution.problems, resolution.notes)


def _without_broken(
    wanted: Sequence[str], resolution: Resolution, detail: str, cache: Cache, policy: Policy
) -> ProvidedEnvironment:
    """Leave out what uv names, or everything if it names nothing that was requested.

    Raises:
        NotInstalledError: not even an empty environment can be made.
    """
    missing = {normal(name) for name in resolution.not_installable}
    present = [text for text in wanted if _name(text) not in missing]
    if not present:
        raise NotInstalledError(detail)
    broken = [text for text in present if _name(text) in normal(detail)] or present
    problems = tuple(Problem("install-failed", _name(text), text, detail) for text in broken)
    found = provide([text for text in present if text not in broken], cache, policy)
    kept = tuple(p for p in resolution.problems if normal(p.distribution) in missing)
    return replace(found, problems=(*kept, *problems, *found.problems))


def _name(text: str) -> str:
    found = parse_requirement(text)
    return normal(found.name if found else text)


def provide_merged(
    locks: Sequence[Lock], cache: Cache, policy: Policy
) -> tuple[MergedLocks, tuple[Environment, ...]]:
    """Return the few installed environments that serve scripts with these locks.

    Raises:
        InstallError: uv is absent, or the index cannot be reached.
        NotInstalledError: a distribution of a lock cannot be installed.
    """
    merged = merge_locks(locks)
    return merged, tuple(cache.get(lock, policy) for lock in merged.locks)
