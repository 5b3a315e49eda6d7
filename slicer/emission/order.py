"""Load order inside import cycles: pruning must not let a module of a cycle load in another order.

In a package whose modules import one another in a circle, what works depends on which module Python
starts with. Where an import of the original is pruned, its place still decides that, so a bare load
of the carried modules behind it is put there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..closure.kept import KeptModule
from ..closure.worklist import Closure
from ..model import Edit
from ..repository import Module
from ..units import Unit
from .pieces import ModuleText, Piece


def with_load_order(
    closure: Closure,
    targets: Sequence[Module],
    texts: Mapping[str, ModuleText],
    edges: Mapping[str, tuple[str, ...]],
) -> dict[str, ModuleText]:
    """The texts, with bare loads in the modules that lie on an import cycle.

    Where that does not give the modules of the cycles their order, as in packages that are one
    large cycle, every module gets the loads of all carried modules behind its pruned imports.
    """
    cyclic = _cyclic(edges)
    if not cyclic:
        return dict(texts)
    behind = _Behind(closure, frozenset(edges))
    found = {
        name: _with_loads(closure.modules[name], text, cyclic[name], behind)
        if name in cyclic
        else Loading(text, edges[name])
        for name, text in texts.items()
    }
    starts = [step for module in targets for step in (*_parents(module.name), module.name)]
    wanted = [name for name in _started(starts, behind.loaded.imported_by) if name in cyclic]
    if [name for name in _started(starts, lambda n: _loaded(n, found)) if name in cyclic] != wanted:
        everything = frozenset(edges)
        found = {
            name: _with_loads(closure.modules[name], text, everything, behind)
            for name, text in texts.items()
        }
    return {name: loading.text for name, loading in found.items()}


@dataclass(frozen=True, slots=True)
class Loading:
    """The text of a carried module, and the modules that running it loads, in order."""

    text: ModuleText
    loads: tuple[str, ...]


def _loaded(name: str, found: Mapping[str, Loading]) -> Sequence[str]:
    return found[name].loads if name in found else ()


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts))]


def _started(starts: Sequence[str], loads: Callable[[str], Sequence[str]]) -> list[str]:
    """The order in which modules begin to load, each after its parent packages."""
    seen: dict[str, None] = {}
    stack = list(reversed(starts))
    while stack:
        name = stack.pop()
        if name in seen:
            continue
        seen[name] = None
        inner = [step for found in loads(name) for step in (*_parents(found), found)]
        stack.extend(step for step in reversed(inner) if step not in seen)
    return list(seen)


def _cyclic(edges: Mapping[str, tuple[str, ...]]) -> dict[str, frozenset[str]]:
    """Module → the modules of its import cycle."""
    if not _has_cycle(edges):
        return {}
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for name in sorted(edges):
        graph.add_edges_from((name, target) for target in _loads(name, edges))
    found: dict[str, frozenset[str]] = {}
    for component in nx.strongly_connected_components(graph):
        if len(component) > 1:
            found.update(dict.fromkeys(component, frozenset(component)))
    return found


def _loads(name: str, edges: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Modules that running the module's text may start: its imports and their parent packages."""
    found: dict[str, None] = {}
    for target in edges[name]:
        parts = target.split(".")
        for depth in range(1, len(parts) + 1):
            step = ".".join(parts[:depth])
            if (
                step in edges
                and step != name
                and not (name.startswith(step + ".") and step != target)
            ):
                found.setdefault(step)
    return list(found)


def _has_cycle(edges: Mapping[str, tuple[str, ...]]) -> bool:
    # peel off modules that load nothing, until none is left (Kahn); saves importing networkx
    waiting = {name: set(_loads(name, edges)) for name in edges}
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


class _Behind:
    """The carried modules that an import of the original would have loaded, in its order."""

    def __init__(self, closure: Closure, carried: frozenset[str]) -> None:
        self.loaded = closure.loaded
        self.carried = carried
        self._known: dict[str, tuple[str, ...]] = {}

    def modules(self, name: str) -> tuple[str, ...]:
        """Carried modules reached from a module through modules that are not carried."""
        if name in self.carried:
            return (name,)
        known = self._known.get(name)
        if known is None:
            self._known[name] = ()
            found: dict[str, None] = {}
            for target in self.loaded.imported_by(name):
                for reached in self.modules(target):
                    found.setdefault(reached)
            known = self._known[name] = tuple(found)
        return known


def _with_loads(
    kept: KeptModule, text: ModuleText, cycle: frozenset[str], behind: _Behind
) -> Loading:
    pieces = {piece.line: piece for piece in text.pieces}
    edits = list(text.edits)
    seen: dict[str, None] = {kept.module.name: None}
    for unit in kept.module.units:
        if unit.kind == "import":
            loads = _behind_import(kept.module, unit, behind, cycle, None, seen)
            own = _behind_import(kept.module, unit, behind, cycle, _kept_names(kept, unit), seen)
        else:
            loads = [name for name in _bare_loads(unit) if name in cycle and name not in seen]
            own = loads if unit.index in kept.units else []
        seen.update(dict.fromkeys(loads))
        if loads != own and _add_loads(pieces, unit, loads):
            what, why = f"loads {', '.join(loads)}", "keeps the order of an import cycle"
            edits.append(Edit(kept.module.path, unit.first, what, why))
    placed = tuple(pieces[n] for n in sorted(pieces))
    return Loading(ModuleText(text.module, placed, tuple(edits), text.future), tuple(seen)[1:])


def _kept_names(kept: KeptModule, unit: Unit) -> Container[str] | None:
    """The names that stay of an import; `None` where all do."""
    return kept.aliases.get(unit.index) if unit.index in kept.units else ()


def _behind_import(
    module: Module, unit: Unit, behind: _Behind, cycle: frozenset[str],
    names: Container[str] | None, seen: Container[str],
) -> list[str]:  # fmt: skip
    """The modules of the cycle that the import, or what is left of it, is the first to load."""
    found = (
        name
        for node in unit.nodes
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for target in _targets(module, node, names)
        for name in behind.modules(target)
        if name in cycle and name not in seen
    )
    return list(dict.fromkeys(found))


def _add_loads(pieces: dict[int, Piece], unit: Unit, loads: Sequence[str]) -> bool:
    """Put bare loads where the import stands or stood; whether that was possible."""
    line = "; ".join(f"__import__({name!r})" for name in loads)
    at = next((n for n in range(unit.first, unit.last + 1) if n in pieces), unit.first)
    old = pieces.get(at)
    if old is None:
        pieces[at] = Piece(at, line + "\n", 0, is_verbatim=False)
        return True
    body = old.text.rstrip("\r\n")
    if body.count("\n"):
        return False
    pieces[at] = Piece(at, f"{line}; {body}\n", old.blank_before, is_verbatim=False)
    return True


def _bare_loads(unit: Unit) -> Iterator[str]:
    """Modules that `__import__` loads in a statement, as in a tree that is itself a slice."""
    for node in unit.nodes:
        match node:
            case ast.Expr(
                value=ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str(name))])
            ):
                yield name
            case _:
                continue


def _targets(
    module: Module, node: ast.Import | ast.ImportFrom, names: Container[str] | None
) -> Iterator[str]:
    """What the statement may load, as far as it binds some of the names."""
    aliases = [a for a in node.names if names is None or (a.asname or a.name) in names]
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in aliases)
        return
    base = module.resolve_relative(node.level, node.module)
    if base and aliases:
        yield base
        yield from (f"{base}.{alias.name}" for alias in aliases)
