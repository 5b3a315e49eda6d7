"""`--explain`: the chain of reasons for each definition of a slice, or for one, and the hub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...slicer.errors import SliceFuncError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...slicer.model import Definition, Manifest, Slice


class NotInSliceError(SliceFuncError):
    """An explanation was requested for a definition that is not kept."""

    exit_status = 1


def explain(manifest: Manifest) -> Iterator[str]:
    """Yield lines for people: each kept definition below the one that needed it.

    So the lines above a definition, from the outermost in, are the chain of reasons from the target
    to it.
    """
    kept = manifest.definitions
    named = {f"{definition.path}::{definition.qualname}": definition for definition in kept}
    below: dict[Definition | None, list[Definition]] = {}
    for definition in kept:
        below.setdefault(_brought_in_by(definition, named), []).append(definition)
    seen: set[Definition] = set()
    for root in (*below.get(None, ()), *kept):  # the second half: cycles of reasons
        yield from _tree(root, below, seen)


def format_hub(sliced: Slice) -> Iterator[str]:
    """Yield the reason on which most of the slice depends, if that is more than one definition."""
    from .reason_hubs import hubs_of

    for hub in hubs_of(sliced)[:1]:
        if hub.falls > 1:
            every = len(sliced.manifest.definitions)
            asker = f"{hub.by} asks for {hub.kept}" if hub.by else f"{hub.kept} is kept"
            yield f"{hub.falls} of {every} definitions are kept for one reason: {asker}"


def explain_name(sliced: Slice, name: str) -> Iterator[str]:
    """Yield the chain of reasons that keeps a definition, from the target down to it.

    Raises:
        NotInSliceError: no definition of that name is kept.
    """
    from .reason_hubs import chain_to, label_of

    kept = {label_of(each.path, each.qualname): each for each in sliced.manifest.definitions}
    chain = chain_to(sliced, name)
    if not chain:
        raise NotInSliceError(f"{name} is not kept", "--explain alone shows what is")
    for depth, label in enumerate(chain):
        definition = kept.get(label)
        if definition is None:
            yield f"{'  ' * depth}{label}"
            continue
        place = f"{definition.path}:{definition.first_line}"
        why = f": {definition.reason}" if depth == 0 else ""
        yield f"{'  ' * depth}{definition.qualname} ({definition.kind}, {place}){why}"


def _tree(
    root: Definition, below: dict[Definition | None, list[Definition]], visited: set[Definition]
) -> Iterator[str]:
    stack = [(root, 0)]
    while stack:
        definition, depth = stack.pop()
        if definition in visited:
            continue
        visited.add(definition)
        place = f"{definition.path}:{definition.first_line}"
        yield (
            f"{'  ' * depth}{definition.qualname} ({definition.kind}, {place}): {definition.reason}"
        )
        stack.extend((child, depth + 1) for child in reversed(below.get(definition, ())))


def _brought_in_by(definition: Definition, named: dict[str, Definition]) -> Definition | None:
    """Return the kept definition that a reason begins with, as in `pkg/mod.py::f uses g (…)`."""
    words = definition.reason.split(" ")
    for count in range(len(words) - 1, 0, -1):  # paths and names may hold spaces
        found = named.get(" ".join(words[:count]))
        if found is not None and found is not definition:
            return found
    return None
