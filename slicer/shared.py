"""Packages of the repository that an external of the slice imports as well.

The slice carries such a package pruned, under its own name, so the external would find the pruned
one. Which distributions need it is read from the metadata of installed distributions, where there
are any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .closure import Closure
from .model import Gap
from .repository import STDLIB


def shared_package_gaps(closure: Closure) -> tuple[Gap, ...]:
    """A gap for each import of a distribution that needs a package which the slice carries."""
    carried = {name.split(".")[0].lower() for name in closure.modules}
    found: dict[Gap, None] = {}
    for item in closure.externals:
        top = item.module.split(".")[0]
        if top and top not in STDLIB:
            for needed in sorted(carried & _needs(top)):
                detail = f"{top} imports {needed} too, and finds the pruned one of the slice"
                found.setdefault(Gap("shared-package", item.path, item.line, detail))
    return tuple(found)


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
