"""Packages of the repository that an external of the slice imports as well.

The slice carries such a package pruned, under its own name, so the external would find the pruned
one. Which distributions need it is read from the metadata of installed distributions, where there
are any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .closure import Closure, ExternalImport
from .model import Gap
from .repository import STDLIB


def keep_shared_packages(closure: Closure) -> bool:
    """Keep the whole of every kept module that such an external shares; whether any was added."""
    shared = {needed for needed, _ in _shared(closure)}
    before = sum(len(kept.units) for kept in closure.modules.values())
    for name in sorted(closure.modules) if shared else ():
        if name.split(".")[0].lower() in shared:
            closure.keep_entire(closure.modules[name].module)
    return sum(len(kept.units) for kept in closure.modules.values()) != before


def shared_package_gaps(closure: Closure) -> tuple[Gap, ...]:
    """A gap, filled, for each import of a distribution that needs a package of the slice."""
    found: dict[Gap, None] = {}
    for needed, item in _shared(closure):
        detail = f"{item.module} imports {needed} too"
        filled = f"{needed} is carried whole, as far as its modules are needed"
        found.setdefault(Gap("shared-package", item.path, item.line, detail, filled))
    return tuple(found)


def _shared(closure: Closure) -> Iterator[tuple[str, ExternalImport]]:
    carried = {name.split(".")[0].lower() for name in closure.modules}
    for item in list(closure.externals):
        top = item.module.split(".")[0]
        if top and top not in STDLIB:
            for needed in sorted(carried & _needs(top)):
                yield needed, item


@lru_cache(maxsize=1024)
def _needs(distribution: str) -> frozenset[str]:
    """Import names, as far as they equal distribution names, that a distribution needs."""
    return frozenset(_read_needs(distribution))


def _read_needs(distribution: str) -> Iterator[str]:
    from importlib import metadata

    try:
        requires = metadata.requires(distribution) or ()
    except (metadata.PackageNotFoundError, ValueError):
        return
    for requirement in requires:
        name = re.match(r"[\w.-]+", requirement)
        if name and "extra ==" not in requirement:
            yield name.group().lower().replace("-", "_")
