"""Resolution: from requirements to a lock, without those that cannot be met.

If a requirement cannot be met as given (say, its version has no wheel for this Python), any version
is accepted. If none can be had, it is left out. Both are reported. Constraints are dropped first.
"""

from __future__ import annotations

import platform
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ....slicer.syntax.requirement import Requirement, normal, parse_requirement
from .environment_locks import Lock, read_lock
from .install_policy import Policy
from .install_reasons import Failure, Problem, failure, index_has_no_dates, not_found
from .installer.index_answers import remembered
from .installer.pythons import python_version
from .installer.uv_process import InstallerRun, configured_indexes, run_uv


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of resolving requirements."""

    lock: Lock
    problems: tuple[Problem, ...]
    """Distributions that are not in the lock, or not as requested."""
    notes: tuple[str, ...]
    """Further notes for the user."""

    @property
    def not_installable(self) -> tuple[str, ...]:
        """Return distributions that need a replacement."""
        return tuple(p.distribution for p in self.problems if not p.is_relaxed)


def resolve(requirements: Iterable[str], cache: Path, policy: Policy) -> Resolution:
    """Return the lock of the requirements. One that cannot be met affects only itself.

    Results are cached in the process, since functions of one repository need the same.

    Raises:
        InstallError: uv is absent, or the index cannot be reached.
    """
    return _resolve(tuple(requirements), cache, policy)


@lru_cache(maxsize=256)
def _resolve(requirements: tuple[str, ...], cache: Path, policy: Policy) -> Resolution:
    wanted, problems = _readable(requirements, policy)
    notes: list[str] = []
    requested = {normal(r.name): r for r in wanted}
    bound = replace(policy, constraints=tuple(_others(policy.constraints, requested)))
    while wanted:
        ran = _compile(wanted, cache, bound)
        if bound.exclude_newer and index_has_no_dates(ran.messages):
            notes.append(
                f"the index gives no upload dates: versions are not bound to {bound.exclude_newer}"
            )
            bound = replace(bound, exclude_newer="")
            continue
        if ran.status == 0:
            break
        absent = not_found(ran.messages)
        if any(normal(r.name) in absent for r in wanted):  # whatever versions of others are pinned
            wanted, new = _without_absent(wanted, requested, absent, failure(ran.messages))
            problems += new
            continue
        later = _with_wheels(bound)
        if later is not None and failure(ran.messages).code in _LACKS_WHEELS:
            notes.append(
                f"no wheels for Python {python_version(bound.python)} as of {bound.exclude_newer}: "
                f"versions are as of {later.exclude_newer}"
            )
            bound = later
            continue
        if bound.constraints:
            bound, given_up = _with_fewer_constraints(bound, ran.messages)
            notes.append(f"versions that the repository fixes and that cannot be had: {given_up}")
            continue
        wanted, new = _without_failed(wanted, requested, failure(ran.messages))
        problems += new
    else:
        ran = InstallerRun(0, "", "")
    lock = _lock(ran.output, bound)
    return Resolution(lock, tuple(_final(problems)), tuple(notes))


def _readable(
    requirements: Iterable[str], policy: Policy
) -> tuple[tuple[Requirement, ...], list[Problem]]:
    """Return parsed requirements by name, and the problems of invalid ones."""
    wanted: dict[str, Requirement] = {}
    problems: list[Problem] = []
    for text in requirements:
        found = parse_requirement(text)
        if found is None:
            problems.append(Problem("invalid-requirement", text, text, "names no distribution"))
        elif found.url and not policy.builds_sources:
            detail = f"comes from {found.url}, and may have to be built"
            problems.append(Problem("direct-reference", found.name, text, detail))
        else:
            wanted.setdefault(normal(found.name), found)
    return tuple(wanted[name] for name in sorted(wanted)), problems


_EVER = "2200-01-01T00:00:00Z"
_WHEELS_SINCE = {
    "3.9": "2021-04-05T00:00:00Z", "3.10": "2022-04-04T00:00:00Z", "3.11": "2023-04-24T00:00:00Z",
    "3.12": "2024-04-02T00:00:00Z", "3.13": "2025-04-07T00:00:00Z", "3.14": "2026-04-07T00:00:00Z",
}  # fmt: skip
"""Half a year after the release of each Python: by then most projects had wheels for it."""
_LACKS_WHEELS = ("needs-compilation", "no-wheel-here")


def _with_wheels(policy: Policy) -> Policy | None:
    """Return the policy at a time when there were wheels for its Python; `None` if it is later.

    Code may be older than the Python that runs it. Then a bound at its commit leaves no wheel of
    any compiled distribution, and of nothing that needs one.
    """
    version = ".".join(python_version(policy.python).split(".")[:2])
    since = _WHEELS_SINCE.get(version, "")
    is_early = bool(policy.exclude_newer) and policy.exclude_newer < since
    return replace(policy, exclude_newer=since) if is_early else None


def _compile(requirements: Sequence[Requirement], cache: Path, policy: Policy) -> InstallerRun:
    newer = ("--exclude-newer", policy.exclude_newer) if policy.exclude_newer else ()
    for name in policy.undated if policy.exclude_newer else ():
        newer += ("--exclude-newer-package", f"{name}={_EVER}")
    words = (
        "pip", "compile", "-", "--python", str(policy.python), "--no-header",
        "--no-annotate", "--generate-hashes", *policy.sources(), *newer,
    )  # fmt: skip
    question = [words, policy.constraints, [str(each) for each in requirements]]
    if policy.find_links or "UV_FIND_LINKS" in configured_indexes():
        return _run_resolver(
            words, requirements, cache, policy
        )  # folders may change, and are fast to read
    return remembered(question, cache, lambda: _run_resolver(words, requirements, cache, policy))


def _run_resolver(
    words: tuple[str, ...], requirements: Sequence[Requirement], cache: Path, policy: Policy
) -> InstallerRun:
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as constraints:
        constraints.write("".join(f"{text}\n" for text in policy.constraints))
        constraints.flush()
        if policy.constraints:
            words = (*words, "--constraints", constraints.name)
        return run_uv(words, cache, policy.seconds, "".join(f"{r}\n" for r in requirements))


def _others(constraints: Iterable[str], requested: dict[str, Requirement]) -> Iterable[str]:
    """Yield constraints on distributions that are not requested themselves."""
    for text in constraints:
        found = parse_requirement(text)
        if found and normal(found.name) not in requested:
            yield text


def _with_fewer_constraints(policy: Policy, messages: str) -> tuple[Policy, str]:
    """Return the policy without the constraints that a failure blames, and these."""
    detail = failure(messages).detail
    blamed = [c for c in policy.constraints if _is_blamed(c, detail)] or list(policy.constraints)
    left = tuple(c for c in policy.constraints if c not in blamed)
    return replace(policy, constraints=left), ", ".join(blamed[:5])


def _is_blamed(constraint: str, detail: str) -> bool:
    found = parse_requirement(constraint)
    return (
        found is None
        or re.search(rf"(?<![\w.-]){re.escape(found.name)}(?![\w-])", detail, re.I) is not None
    )


def _without_absent(
    requirements: Sequence[Requirement],
    requested: dict[str, Requirement],
    absent: frozenset[str],
    why: Failure,
) -> tuple[tuple[Requirement, ...], list[Problem]]:
    """Return the requirements without those that the index lacks entirely."""
    removed = [r for r in requirements if normal(r.name) in absent]
    new = [Problem(why.code, r.name, str(requested[normal(r.name)]), why.detail) for r in removed]
    return tuple(r for r in requirements if r not in removed), new


def _without_failed(
    requirements: Sequence[Requirement], requested: dict[str, Requirement], why: Failure
) -> tuple[tuple[Requirement, ...], list[Problem]]:
    """Return the requirements with the blamed ones relaxed, or left out if already relaxed."""
    blamed = [r for r in requirements if normal(r.name) in why.blamed or str(r) in why.detail]
    blamed = blamed or list(requirements)
    is_invalid = why.code == "invalid-requirement"
    # an address is not relaxed: an index may have another distribution under that name
    bounded = [r for r in blamed if not r.url and (r.specifier or (is_invalid and r.marker))]
    if not bounded and len(blamed) > 1:
        blamed = blamed[-1:]  # leave out any one, and try the others again
    new = [
        Problem(
            why.code, r.name, str(requested[normal(r.name)]), why.detail, is_relaxed=bool(bounded)
        )
        for r in bounded or blamed
    ]
    if bounded:
        relaxed = {
            r.name: replace(r, specifier="", marker="" if is_invalid else r.marker) for r in bounded
        }
        return tuple(relaxed.get(r.name, r) for r in requirements), new
    return tuple(r for r in requirements if r not in blamed), new


def _final(problems: Iterable[Problem]) -> Iterable[Problem]:
    """Yield one problem for each requirement: the last one, which says how it ended."""
    return {normal(p.distribution): p for p in problems}.values()


def _lock(output: str, policy: Policy) -> Lock:
    version = python_version(policy.python)
    return replace(
        read_lock(output), python=version, exclude_newer=policy.exclude_newer,
        platform=f"{platform.system()}-{platform.machine()}".lower(),
    )  # fmt: skip
