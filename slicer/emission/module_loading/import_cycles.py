"""Import cycles among modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def import_cycles(edges: Mapping[str, Sequence[str]]) -> list[frozenset[str]]:
    """Return the import cycles, as sets of modules."""
    if not _has_cycle(edges):
        return []
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for name in sorted(edges):
        graph.add_edges_from((name, target) for target in edges[name])
    return [frozenset(found) for found in nx.strongly_connected_components(graph) if len(found) > 1]


def _has_cycle(edges: Mapping[str, Sequence[str]]) -> bool:
    # peel off modules that load nothing, until none is left (Kahn); saves importing networkx
    waiting = {name: set(loads) for name, loads in edges.items()}
    ready = [name for name, loads in waiting.items() if not loads]
    users: dict[str, list[str]] = {}
    for name, loads in waiting.items():
        for target in loads:
            users.setdefault(target, []).append(name)
    done = 0
    while ready:
        target = ready.pop()
        done += 1
        for user in users.get(target, ()):
            waiting[user].discard(target)
            if not waiting[user]:
                ready.append(user)
    return done < len(waiting)
