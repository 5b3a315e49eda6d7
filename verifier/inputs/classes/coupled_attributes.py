"""Coupled attributes: a class sets them together, so one alone makes no valid state.

Where `add` appends to `_items` and adds to `_total`, a case that sets `_items` alone contradicts
itself, and right candidates answer differently.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode
from .attribute_writes import written_place


def contradicts(owner: ClassInfo, keeps: Callable[[FunctionNode], bool]) -> frozenset[str]:
    """Return the attributes that no case sets alone, since constructor or methods set them.

    Args:
        owner: the class.
        keeps: whether the slice keeps a method.
    """
    constructed = _constructed(owner)
    written = {node: _written(node) for node in owner.functions if node.name != "__init__"}
    found: set[str] = set()
    for name in sorted({*constructed, *(each for every in written.values() for each in every)}):
        writers = [node for node, every in written.items() if name in every]
        others = [written[node] - {name} for node in writers]
        together = frozenset[str].intersection(*others) if others else frozenset[str]()
        together |= constructed.get(name, frozenset())
        is_reachable = name in constructed or any(map(keeps, writers))
        if is_reachable and any(each.startswith("_") for each in (*together, name) if together):
            found.add(name)
    return frozenset(found)


def _written(node: FunctionNode) -> frozenset[str]:
    """Return the attributes of `self` that a method writes to, or whose contents it changes."""
    own = f"{node.args.args[0].arg}." if node.args.args else "."
    places = (written_place(each) for each in ast.walk(node))
    return frozenset(place.removeprefix(own) for place in places if place.startswith(own))


def _constructed(owner: ClassInfo) -> dict[str, frozenset[str]]:
    """Map each attribute to those that the constructor computes from the same argument."""
    values: dict[str, set[str]] = {}
    for node in owner.functions:
        if node.name == "__init__":
            given = {each.arg for each in (*node.args.args[1:], *node.args.kwonlyargs)}
            for name, value in _assigned(node):
                names = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
                values.setdefault(name, set()).update(names & given)
    shared = {
        name: frozenset(each for each in values if each != name and values[each] & parameters)
        for name, parameters in values.items()
    }
    return {name: others for name, others in shared.items() if others}


def _assigned(node: FunctionNode) -> Iterator[tuple[str, ast.expr]]:
    own = node.args.args[0].arg if node.args.args else ""
    for each in ast.walk(node):
        match each:
            case (
                ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=holder), attr=name)], value=value
                )
                | ast.AnnAssign(
                    target=ast.Attribute(value=ast.Name(id=holder), attr=name),
                    value=ast.expr() as value,
                )
            ) if holder == own:
                yield name, value
            case _:
                pass
