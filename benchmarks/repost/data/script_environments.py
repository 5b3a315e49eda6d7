"""What an eval script imports, as distributions, and the environment that holds them."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from slicefunc.slicer.packaging.distribution_names import PIPREQS
from slicefunc.slicer.packaging.distributions import distribution_of, is_known
from slicefunc.slicer.syntax.requirement import normal
from slicefunc.verifier.execution.environments import Cache, Environment, Lock, Policy, resolve

from .examples import Example, Home, local_names

MOST_BYTES = 3 << 29
"""An environment that takes more is not made."""
TOO_LARGE = ("nvidia-", "triton", "tensorflow", "jaxlib")
"""Beginnings of names of distributions that fill such an environment by themselves."""

SAME_NAME = frozenset({"attrs", "cbor2", "graphviz", "html2text", "panel", "typing_extensions"})
"""What the scripts import whose distribution is called the same, so that no table lists it."""


@dataclass(frozen=True, slots=True)
class Names:
    """Import name → distribution, for one script."""

    local: frozenset[str]
    """Top-level names of the repository's own modules, which no index is asked for."""

    def distribution(self, module: str) -> str | None:
        """The distribution to install.

        `None` for the repository's own, and for a name that no table has: another distribution may
        have taken it.
        """
        top = module.partition(".")[0]
        is_sure = is_known(module) or top in PIPREQS or top in SAME_NAME
        return distribution_of(module, ()) if is_sure and top not in self.local else None


def names_of(example: Example, home: Home) -> Names:
    """The mapping for the script of an example; a package named as its repository is local."""
    repository = normal(example.repository.rpartition("/")[2]).replace("-", "_")
    return Names(local_names(example, home) | {repository})


def requirements(script: str, names: Names) -> tuple[str, ...]:
    """The distributions of all that the script imports, wherever it does."""
    found = {names.distribution(module) for module in _imports(script)}
    return tuple(sorted(name for name in found if name))


def imported_names(script: str) -> frozenset[str]:
    """The top-level names of all that the script imports, wherever it does."""
    return frozenset(module.partition(".")[0] for module in _imports(script))


def _imports(script: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(script)):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases)
            case ast.ImportFrom(module=str() as module, level=0, names=aliases):
                yield from (f"{module}.{alias.name}" for alias in aliases)
            case _:
                pass


@lru_cache(maxsize=256)
def heavy(wanted: tuple[str, ...], cache: Cache, policy: Policy) -> str:
    """What would make the environment of these too large; empty where nothing would."""
    lock: Lock = resolve(wanted, cache.folder, policy).lock
    names = [p.name for p in lock.packages if p.name.startswith(TOO_LARGE)]
    return ", ".join(names[:3])


@lru_cache(maxsize=256)
def size_of(environment: Environment) -> int:
    """Bytes of all its files, whatever they share with others."""
    return sum(
        os.lstat(Path(folder, name)).st_size
        for folder, _, files in os.walk(environment.folder)
        for name in files
    )
