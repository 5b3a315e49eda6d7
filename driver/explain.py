"""`--explain`: the chain of reasons for each definition of a slice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..slicer.model import Definition, Manifest


def explain(manifest: Manifest) -> Iterator[str]:
    """Lines for people: each kept definition below the one that brought it in.

    So the lines above it, from the outermost in, are the chain of reasons that leads from the
    target to the definition.
    """
    kept = manifest.definitions
    named = {f"{definition.path}::{definition.qualname}": definition for definition in kept}
    below: dict[Definition | None, list[Definition]] = {}
    for definition in kept:
        below.setdefault(_brought_in_by(definition, named), []).append(definition)
    seen: set[Definition] = set()
    for root in (*below.get(None, ()), *kept):  # the second half: reasons that form a ring
        yield from _tree(root, below, seen)


def _tree(
    root: Definition, below: dict[Definition | None, list[Definition]], seen: set[Definition]
) -> Iterator[str]:
    stack = [(root, 0)]
    while stack:
        definition, depth = stack.pop()
        if definition in seen:
            continue
        seen.add(definition)
        place = f"{definition.path}:{definition.first_line}"
        yield (
            f"{'  ' * depth}{definition.qualname} ({definition.kind}, {place}): {definition.reason}"
        )
        stack.extend((child, depth + 1) for child in reversed(below.get(definition, ())))


def _brought_in_by(definition: Definition, named: dict[str, Definition]) -> Definition | None:
    """The kept definition that a reason begins with, as in `pkg/mod.py::f uses g (…)`."""
    words = definition.reason.split(" ")
    for count in range(len(words) - 1, 0, -1):  # paths and names may hold spaces
        found = named.get(" ".join(words[:count]))
        if found is not None and found is not definition:
            return found
    return None
