"""The border of a slice: every place where it names something from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contacts import Border, Contact

if TYPE_CHECKING:
    from ...slicer import Repository
    from ...slicer.model import Slice
    from ..settings import Settings


def find_border(repository: Repository, sliced: Slice, settings: Settings) -> Border:
    """Return the contacts of a slice: the outside names in its definitions and imports."""
    found = {
        Contact(name, reference.path, reference.qualname, reference.line)
        for reference in sliced.references
        for name in reference.names
    }
    return Border(repository, sliced, tuple(sorted(found)), settings)
