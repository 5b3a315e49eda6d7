"""Paths of module files, from module names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from ..syntax.memo import memo
from .project_roots import member_roots
from .repository import STDLIB, Repository

_DEEPEST = 3
"""The maximum depth to which cyclic links are followed."""


@memo
def roots_of(repository: Repository, name: str, path: str) -> tuple[str, ...]:
    """Return the folders in which the module looks up its imports, in order."""
    others = repository.import_roots(path)
    outside = (each for each in others if "__init__.py" not in repository.listing(each))
    return tuple(dict.fromkeys((_root_of(name, path), *outside)))


def _root_of(name: str, path: str) -> str:
    """Return the import root of the module with that path and name."""
    stem = path.removesuffix(".py").removesuffix("/__init__")
    suffix = name.replace(".", "/")
    return stem[: -len(suffix)].rstrip("/") if stem.endswith(suffix) else ""


@memo
def located(repository: Repository, name: str, roots: tuple[str, ...]) -> str | None:
    """Return the path of the module in the first import root that contains it."""
    if not re.fullmatch(r"\w+(\.\w+)*", name):
        return None
    top = name.partition(".")[0]
    if top in STDLIB:
        roots = roots[:1]
    found = (_in_root(repository, name, root) for root in roots)
    path = next((path for path in found if path is not None), None)
    if path is not None or top in STDLIB or any(_in_root(repository, top, r) for r in roots):
        return path
    members = (_in_root(repository, name, r) for r in member_roots(repository).get(top, ()))
    every = {path for path in members if path is not None}
    return every.pop() if len(every) == 1 else None


def _in_root(repository: Repository, name: str, root: str) -> str | None:
    stem = f"{root}/{name.replace('.', '/')}".lstrip("/")
    if "__init__.py" in repository.listing(stem):
        return f"{stem}/__init__.py"
    if repository.is_file(f"{stem}.py"):
        return f"{stem}.py"
    return None


def modules_in(repository: Repository, package: str, path: str) -> Iterator[str]:
    """Yield the possible names of modules in the package whose `__init__.py` has that path."""
    for entry in sorted(repository.listing(path.removesuffix("/__init__.py"))):
        yield f"{package}.{entry.rstrip('/').removesuffix('.py')}"


def identity_of(repository: Repository, name: str, path: str) -> tuple[str, int]:
    """Return the module's key; for cyclic links, the real file and a limited depth."""
    real = os.path.realpath(repository.path / path)
    return (name, 0) if real.endswith(f"/{path}") else (real, min(name.count("."), _DEEPEST))
