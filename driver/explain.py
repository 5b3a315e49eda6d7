"""`--explain`: why each definition of a slice was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..slicer.model import Manifest


def explain(manifest: Manifest) -> Iterator[str]:
    """Lines for people: each kept definition with its place and the reason for it."""
    for kept in manifest.definitions:
        yield f"{kept.path}:{kept.first_line}: {kept.kind} {kept.qualname}: {kept.reason}"
