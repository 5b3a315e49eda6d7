"""Packages of the repository that an external of the slice imports as well.

The slice carries such a package pruned, under its own name, so the external would import the pruned
one. The metadata of installed distributions says which of them need the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...closure.kept_definitions import ExternalImport
from ...closure.worklist import Closure
from ...model import Gap
from ...packaging.declared_requirements import declared_distributions
from ...packaging.distributions import distribution_of
from ...syntax.requirement import normal

_WHY = "the package is shared with an external"


def keep_shared_packages(closure: Closure) -> bool:
    """Keep every kept module whole that an external shares; return whether anything was added."""
    shared = {needed for needed, _ in _shared(closure)}
    before = sum(len(kept.units) for kept in closure.modules.values())
    for name in sorted(closure.modules) if shared else ():
        if name.split(".")[0].lower() in shared:
            closure.keep_entire(closure.modules[name].module, _WHY)
    return sum(len(kept.units) for kept in closure.modules.values()) != before


def shared_package_gaps(closure: Closure) -> tuple[Gap, ...]:
    """Return a filled gap for each import of a distribution that needs a package of the slice."""
    found: dict[Gap, None] = {}
    for needed, item in _shared(closure):
        detail = f"{item.module} imports {needed} too"
        filled = f"{needed} is carried whole, as far as its modules are needed"
        found.setdefault(Gap("shared-package", item.path, item.line, detail, filled))
    return tuple(found)


def _shared(closure: Closure) -> Iterator[tuple[str, ExternalImport]]:
    """Yield (top-level name of a carried package, import of a distribution that needs it)."""
    declared = declared_distributions(closure.names.repository)
    carried: dict[str, list[str]] = {}
    for top in sorted({name.split(".")[0].lower() for name in closure.modules}):
        provided = distribution_of(top, declared)
        for distribution in {normal(top), normal(provided or top)}:
            carried.setdefault(distribution, []).append(top)
    for item in list(closure.externals):
        provided = distribution_of(item.module, declared) if item.module else None
        for distribution in sorted(carried.keys() & _needs(provided)) if provided else ():
            for needed in carried[distribution]:
                yield needed, item


@lru_cache(maxsize=1024)
def _needs(distribution: str) -> frozenset[str]:
    """Return the distributions that an installed distribution needs, in normal form."""
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
            yield normal(name.group())
