"""The reason on which most of a slice depends (the hub), and the chain of reasons for one
definition.

In the graph of reasons, an edge dominates a definition if each path from the targets to it takes
the edge (Lengauer and Tarjan, 1979; here the algorithm of Cooper, Harvey and Kennedy).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ...slicer.model import Slice

_ROOT = ""


@dataclass(frozen=True, slots=True)
class Hub:
    """A reason on which definitions depend."""

    by: str
    """The definition that asks, as `path::qualname`; empty if none does."""
    kept: str
    """The definition that is kept for it."""
    falls: int
    """Number of definitions that would not be kept without it."""


def hubs_of(sliced: Slice) -> list[Hub]:
    """Return the reasons that no other reason replaces, those with most dependents first."""
    import networkx as nx

    dependencies = _dependencies(sliced)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from((by, label) for by, labels in dependencies.items() for label in labels)
    above = cast("dict[str, str]", nx.immediate_dominators(graph, _ROOT))  # pyright: ignore[reportUnknownMemberType]
    below: dict[str, list[str]] = {}
    askers: dict[str, list[str]] = {}
    for label, dominator in above.items():
        if label != _ROOT:
            below.setdefault(dominator, []).append(label)
    for by, labels in dependencies.items():
        for label in labels:
            if by in above and label not in _ancestors(by, above):
                askers.setdefault(label, []).append(by)
    sizes = _sizes(below, _kept(sliced))
    targets = {f"{target.path}::{target.qualname}" for target in sliced.manifest.targets}
    found = [
        Hub(askers[label][0], label, size)
        for label, size in sizes.items()
        if label not in targets and len(askers.get(label, ())) == 1
    ]
    return sorted(found, key=lambda hub: (-hub.falls, hub.kept))


def chain_to(sliced: Slice, name: str) -> list[str]:
    """Return the shortest chain of labels from a target to a definition of that name."""
    dependencies = _dependencies(sliced)
    previous = _reached(dependencies, _ROOT)
    for label in previous:  # the nearest first
        if name in (label, label.partition("::")[2], label.rpartition(".")[2]):
            return [*reversed(list(_ancestors(label, previous)))]
    return []


def _dependencies(sliced: Slice) -> dict[str, dict[str, None]]:
    """Return what each definition depends on; those that none depends on are below the root."""
    kept = _kept(sliced)
    dependencies: dict[str, dict[str, None]] = {_ROOT: {}}
    known = kept.keys() | {label for _, label in sliced.edges}
    for by, label in sliced.edges:
        dependencies.setdefault(by, {}).setdefault(label)
        if by not in known and by != _ROOT:
            # a statement kept for its effect, or one that is not kept
            dependencies[_ROOT].setdefault(by)
    reached = set(_reached(dependencies, _ROOT))
    for label in kept:  # those without a reason, and cycles of reasons
        if label not in reached:
            dependencies[_ROOT].setdefault(label)
            reached.update(_reached(dependencies, label), (label,))
    return dependencies


def _reached(dependencies: dict[str, dict[str, None]], start: str) -> dict[str, str]:
    """Return the labels reachable from a label, nearest first, each with one that asks for it."""
    previous: dict[str, str] = {}
    queue = deque([start])
    while queue:
        by = queue.popleft()
        for label in dependencies.get(by, ()):
            if label not in previous and label != start:
                previous[label] = by
                queue.append(label)
    return previous


def _kept(sliced: Slice) -> dict[str, None]:
    return dict.fromkeys(label_of(d.path, d.qualname) for d in sliced.manifest.definitions)


def label_of(path: str, qualname: str) -> str:
    """Return the label of a definition in reasons; of several bound names, it uses the first."""
    return f"{path}::{qualname.partition(', ')[0]}"


def _sizes(below: dict[str, list[str]], kept: Container[str]) -> dict[str, int]:
    """Return the number of definitions below each one, itself included."""
    order, left = list[str](), [_ROOT]
    while left:
        node = left.pop()
        order.append(node)
        left += below.get(node, ())
    sizes: dict[str, int] = {}
    for node in reversed(order):
        sizes[node] = (node in kept) + sum(sizes[each] for each in below.get(node, ()))
    return sizes


def _ancestors(node: str, above: dict[str, str]) -> Iterator[str]:
    while node != _ROOT:
        yield node
        node = above[node]
