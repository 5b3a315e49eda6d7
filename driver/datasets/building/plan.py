"""The plan of a build: which repositories, at which commits, and which of their functions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....slicer.errors import SliceFuncError
from ..repository_name import is_repository_name

_FIELDS = frozenset(
    {"repo", "source", "commit", "licence", "created", "pushed", "functions", "split"}
)


class PlanError(SliceFuncError):
    """A list of repositories that cannot be read."""

    advice = "write the list with slice-func curate, or one JSON object a line with repo and source"


@dataclass(frozen=True, slots=True)
class RepositoryPlan:
    """One line of the list."""

    repo: str
    """Name, as `owner/name`."""
    source: str
    """Address or folder; a bare clone is one too."""
    commit: str | None = None
    licence: str | None = None
    created: str | None = None
    pushed: str | None = None
    functions: tuple[str, ...] | None = None
    """The functions to try, each as `path::qualname`; `None` for all."""
    split: str = "train"
    metadata: str = "{}"
    """Further fields of the line, as JSON."""

    @property
    def key(self) -> str:
        """Return a name for its checkout: the same for the same source and commit."""
        text = f"{self.source}\0{self.commit or ''}"
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:24]


def read_plan(file: str | Path, split: str = "train") -> tuple[RepositoryPlan, ...]:
    """Return the repositories of a list, sorted by name; each name once.

    Args:
        file: the list.
        split: for repositories whose line names none.

    Raises:
        PlanError: a line is no repository, or two have one name.
        OSError: the file cannot be read.
    """
    if Path(file).is_dir():
        raise PlanError(
            f"{file}: it is a folder, and no list of repositories",
            f"run slice-func curate {file} -o repos.jsonl first, and build repos.jsonl",
        )
    plans: dict[str, RepositoryPlan] = {}
    base = Path(file).resolve().parent
    for number, line in _lines(Path(file)):
        place = f"{file}:{number}"
        try:
            values: Any = json.loads(line)
            plan = _plan(values, base, split)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            problem = f"it has no {error}" if isinstance(error, KeyError) else error
            raise PlanError(f"{place}: no repository: {problem}") from None
        if plan.repo in plans:
            raise PlanError(f"{place}: {plan.repo} is in the list twice", "leave one out")
        plans[plan.repo] = plan
    if not plans:
        raise PlanError(f"{file}: no repository in it")
    return tuple(plans[name] for name in sorted(plans))


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    text = file.read_text("utf-8-sig", "surrogateescape")
    for number, line in enumerate(text.split("\n"), 1):  # JSON may hold other ends of lines
        if line.strip():
            yield number, line


def _plan(values: dict[str, Any], base: Path, split: str) -> RepositoryPlan:
    for name in ("repo", "source", "commit", "licence", "created", "pushed"):
        _check_text(name, values.get(name))
    if not is_repository_name(values["repo"]):
        raise ValueError(f"repo {values['repo']!a} is no name such as owner/name")
    source = values.get("source") or values["repo"]
    if "://" not in source and not source.startswith("git@"):
        source = str((base / source).resolve())
    functions = values.get("functions")
    split = values.get("split") or split
    if split not in ("train", "eval"):
        raise ValueError(f"split {split!r} is neither train nor eval")
    return RepositoryPlan(
        repo=values["repo"],
        source=source,
        commit=values.get("commit"),
        licence=values.get("licence"),
        created=values.get("created"),
        pushed=values.get("pushed"),
        functions=None
        if functions is None
        else tuple(sorted("::".join((each["path"], each["qualname"])) for each in functions)),
        split=split,
        metadata=json.dumps(
            {name: value for name, value in values.items() if name not in _FIELDS}, sort_keys=True
        ),
    )


def _check_text(name: str, value: object) -> None:
    """Refuse what no table can hold, and what git would take for an option.

    Raises:
        TypeError: it is neither text nor null.
        ValueError: it is no plain text.
    """
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is neither text nor null")
    if value and (value.startswith("-") or min(value) < " "):
        raise ValueError(f"{name} {value!a} begins with - or holds control characters")


def shard(plans: Sequence[RepositoryPlan], number: int, of: int) -> tuple[RepositoryPlan, ...]:
    """Return one of `of` parts of a list, numbered from 1, by the hash of each name.

    A repository stays in its part when others are added to the list.
    """

    def part(plan: RepositoryPlan) -> int:
        return (
            int(hashlib.sha256(plan.repo.encode("utf-8", "surrogateescape")).hexdigest(), 16) % of
        )

    return tuple(plan for plan in plans if part(plan) == number - 1)
