"""Repair: install what a run reports as missing, and run the script again.

Only for scripts with the repository's own code: nothing is installed for a candidate. A run's
output is untrusted, so a name must belong to an import of the repository's, or to a message of a
known form. Only wheels are installed, and they run sandboxed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ....slicer.syntax.requirement import normal, parse_requirement
from .environment_cache import Cache
from .install_policy import Policy
from .provisioning import ProvidedEnvironment, provide

T = TypeVar("T")

REPAIRS = 3
"""Most repeated runs of a script."""

_NAME = r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?"
_REQUIREMENT = rf"{_NAME}(?:\[[\w\s,.-]+\])?"
_MODULE = re.compile(r"ModuleNotFoundError: No module named ['\"]([\w.]+)['\"]")
_PIP = re.compile(rf"pip3? install (?:-U |--upgrade |-q )*[\"'`]?({_REQUIREMENT})")
_QUOTED = rf"[\"'`]({_REQUIREMENT})[\"'`]"
_KIND = r"(?:package|library|module|dependency)"
_MESSAGES = (
    re.compile(rf"[Mm]issing (?:optional |required )?dependency:? {_QUOTED}"),
    re.compile(rf"tried using: {_QUOTED}"),
    re.compile(rf"requires? (?:the )?(?:optional )?{_KIND} {_QUOTED}"),
    re.compile(rf"requires? (?:the )?{_QUOTED}"),
    re.compile(rf"requires? ({_NAME}) to be installed"),
    re.compile(rf"requires the ({_NAME}) {_KIND}\b"),
    re.compile(rf"(?:[Pp]lease|[Yy]ou (?:must|need to)) install (?:the )?{_QUOTED}"),
    re.compile(rf"[Ii]nstall ({_NAME}\[[\w\s,.-]+\])"),
    re.compile(rf"({_NAME}) not found, please install it"),
    re.compile(rf"({_NAME}) is not installed,? (?:please|run|try)"),
)  # fmt: skip
_FOR_NUMPY_1 = re.compile(
    r"numpy\.dtype size changed, may indicate binary incompatibility\. Expected 96 "
    r"|numpy\.core\.multiarray failed to import|_ARRAY_API not found"
)
"""Error of an extension built for NumPy 1 under NumPy 2."""
_ERROR = re.compile(r"^(?:[\w.]*(?:Error|Exception|Missing\w*))\b:? ?(.*)", re.MULTILINE)
_WORDS = frozenset("it them this that one pip python package packages the a an".split())


@dataclass(frozen=True, slots=True)
class Addition:
    """A distribution that a run asked for."""

    requirement: str
    because: str
    """The line of the error that asked for it."""
    is_installed: bool


@dataclass(frozen=True, slots=True)
class RepairedRun(Generic[T]):
    """The last run, and the additions that led to it."""

    provided: ProvidedEnvironment
    result: T
    additions: tuple[Addition, ...]
    """Additions in order."""


def missing_distribution(
    error: str, distribution_of: Callable[[str], str | None]
) -> tuple[str, str] | None:
    """Return the requirement that would end an error, and the line that says so.

    Args:
        error: standard error of a run, or the text of its exception.
        distribution_of: returns the distribution of an import name; `None` for the repository's
            own.
    """
    modules = list(_MODULE.finditer(error))
    if modules:
        found = distribution_of(modules[-1][1])
        return (found, modules[-1][0]) if found else None
    for line in _last_errors(error):
        if _FOR_NUMPY_1.search(line):
            return "numpy<2", line[:300]
        for pattern in (_PIP, *_MESSAGES):
            found = pattern.search(line)
            if found and found[1].lower() not in _WORDS:
                return found[1].replace(" ", ""), line[:300]
    return None


def _last_errors(error: str) -> Iterator[str]:
    """Yield the texts of exceptions, last first, each with its further lines."""
    for match in reversed(list(_ERROR.finditer(error))):
        end = error.find("\n\n", match.start())
        yield " ".join(error[match.start() : end if end >= 0 else len(error)].split())


def run_with_repairs(
    requirements: Sequence[str],
    run: Callable[[ProvidedEnvironment], T],
    error_of: Callable[[T], str],
    distribution_of: Callable[[str], str | None],
    *,
    cache: Cache,
    policy: Policy,
) -> RepairedRun[T]:
    """Run in the environment of the requirements; add what is missing and run again.

    Args:
        requirements: known requirements.
        run: runs the script in an environment, sandboxed.
        error_of: returns the error text of a run; empty if it needs no repair.
        distribution_of: returns the distribution of an import name; `None` for the repository's
            own.
        cache: cache of environments.
        policy: what may be installed.

    Raises:
        InstallError: uv is absent, or the index cannot be reached.
    """
    wanted = list(requirements)
    provided = provide(wanted, cache, policy)
    result = run(provided)
    additions: list[Addition] = []
    tried = {normal(name) for name in provided.not_installable}
    for _ in range(REPAIRS):
        error = error_of(result)
        missing = missing_distribution(error, distribution_of) if error else None
        if missing is None or _is_there(missing[0], provided, tried):
            break
        wanted.append(missing[0])
        tried.add(missing[0])
        provided = provide(wanted, cache, policy)
        name = _name(missing[0])
        is_installed = name not in {normal(n) for n in provided.not_installable}
        additions.append(Addition(*missing, is_installed))
        if not is_installed:
            break
        result = run(provided)
    return RepairedRun(provided, result, tuple(additions))


def _is_there(requirement: str, provided: ProvidedEnvironment, tried: set[str]) -> bool:
    """Whether adding the requirement would change nothing."""
    if requirement in tried or _name(requirement) in tried:
        return True
    lock = provided.environment.lock
    return "[" not in requirement and lock.version(requirement) is not None


def _name(requirement: str) -> str:
    found = parse_requirement(requirement)
    return normal(found.name if found else requirement)
