"""The parts of a candidate's text that its definitions need, transitively.

A candidate may be the whole file of which it was shown a part. The rest does not belong to the
target, and may need what the slice lacks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from ....slicer.syntax.scopes import bound_in
from .definition_blocks import mentioned

_DYNAMIC = frozenset({"eval", "exec", "globals", "locals", "vars"})
"""Functions that look up names dynamically."""


def names_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return names and attributes in nodes, also as text: `globals()["helper"]`, `"Box"`."""
    found: set[str] = set()
    for node in nodes:
        found |= mentioned(node)
        for inner in ast.walk(node):
            match inner:
                case ast.Constant(value=str(text)) if text.replace(".", "").isidentifier():
                    found.update(text.split("."))
                case _:
                    pass
    return frozenset(found)


def needed_members(block: Sequence[ast.stmt], nodes: Sequence[ast.stmt]) -> tuple[ast.stmt, ...]:
    """Return other members of a class that some of its members need, transitively."""
    uses = _Uses(block)
    uses.take(nodes)
    return tuple(m for m in block if uses.has(m) and m not in nodes)


def needed_statements(
    statements: Sequence[ast.stmt], nodes: Sequence[ast.stmt]
) -> tuple[ast.stmt, ...]:
    """Return the module's statements that have effects, or bind what definitions need.

    A function or class also counts if its decorators or bases need the same names, through which it
    may be found.
    """
    uses = _Uses(statements)
    uses.take([*nodes, *(each for each in statements if not _only_binds(each))])
    rest = [(each, names_in(_header(each))) for each in statements]
    rest = [(each, names) for each, names in rest if names]
    while True:
        found = [each for each, names in rest if any(map(uses.depends_on_candidate, names))]
        if not found:
            break
        uses.take(found)
        rest = [pair for pair in rest if not uses.has(pair[0])]
    if not _DYNAMIC.isdisjoint(uses.names):
        return tuple(statements)
    return tuple(each for each in statements if uses.has(each))


class _Uses:
    """The parts taken from a block, with everything they need."""

    def __init__(self, statements: Sequence[ast.stmt]) -> None:
        self.names: set[str] = set()
        """Names mentioned by what was taken."""
        self.own: set[str] = set()
        """Names bound by what was taken, without imports."""
        self._taken: set[int] = set()
        self._reached: dict[str, frozenset[str]] = {}
        self._binding: dict[str, list[ast.stmt]] = {}
        for each in statements:
            for name in () if isinstance(each, ast.Delete) else bound_in([each]):
                self._binding.setdefault(name, []).append(each)

    def has(self, node: ast.stmt) -> bool:
        """Whether a statement was taken."""
        return id(node) in self._taken

    def depends_on_candidate(self, name: str) -> bool:
        """Whether a name is bound by what was taken, or to something that mentions such a name."""
        found = self._reached.get(name)
        if found is None:
            found = self._reached[name] = names_in(self._binding.get(name, ())) | {name}
        return not self.own.isdisjoint(found)

    def take(self, nodes: Iterable[ast.stmt]) -> None:
        """Take statements, what they mention, and so on."""
        pending = [node for node in nodes if not self.has(node)]
        self._taken.update(map(id, pending))
        while pending:
            node = pending.pop()
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                self.own |= bound_in([node])
            new = names_in([node]) - self.names
            self.names |= new
            found = [m for name in new for m in self._binding.get(name, ()) if not self.has(m)]
            pending += {id(m): m for m in found}.values()
            self._taken.update(map(id, found))


def _header(node: ast.stmt) -> Iterator[ast.AST]:
    yield from getattr(node, "decorator_list", ())
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from node.keywords


def _only_binds(node: ast.stmt) -> bool:
    """Whether a statement only binds names."""
    match node:
        case ast.ImportFrom(names=names):
            return all(alias.name != "*" for alias in names)
        case ast.Import() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return True
        case ast.Assign(targets=targets):
            return all(_is_name(target) for target in targets)
        case ast.AnnAssign(target=target):
            return _is_name(target)
        case ast.If(body=body, orelse=other):
            return all(map(_only_binds, (*body, *other)))
        case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=final):
            handled = [each for handler in handlers for each in handler.body]
            return all(map(_only_binds, (*body, *handled, *other, *final)))
        case _:
            return isinstance(node, ast.Pass) or type(node).__name__ == "TypeAlias"


def _is_name(target: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(map(_is_name, target.elts))
    return isinstance(target, ast.Name)
