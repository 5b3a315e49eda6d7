"""Whether a candidate's statement only repeats what its new module holds."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from ....slicer.repo.units import is_typing_test
from ...script.module_statements import DEFINITION

_SKIPPED: dict[type[ast.AST], tuple[str, ...]] = {
    ast.FunctionDef: ("returns", "type_comment"),
    ast.AsyncFunctionDef: ("returns", "type_comment"),
    ast.arg: ("annotation", "type_comment"),
}


@dataclass(frozen=True, slots=True)
class ModuleStatements:
    """Statements of a module, as trees without docstrings and annotations."""

    trees: frozenset[str] = frozenset()
    """Trees of all statements, and of each part of an import."""
    classes: tuple[tuple[str, frozenset[str]], ...] = ()
    """First lines and members of each class."""

    @classmethod
    def of(cls, statements: Sequence[ast.stmt]) -> ModuleStatements:
        """Return the statements in comparable form."""
        trees = {_tree(node) for node in statements}
        trees.update(
            _tree(part)
            for inner in _executed(statements)
            if isinstance(inner, (ast.Import, ast.ImportFrom))
            for part in (_part(inner, alias) for alias in inner.names)
        )
        classes = [
            (_head(node), frozenset(map(_tree, _members(node))))
            for node in statements
            if isinstance(node, ast.ClassDef)
        ]
        return cls(frozenset(trees - {""}), tuple(classes))

    def has(self, node: ast.stmt) -> bool:
        """Whether the module holds the same statement, or the same imports."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return all(self.has_part(node, alias) for alias in node.names)
        return _tree(node) in self.trees

    def has_part(self, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
        """Whether the module imports the same object by the same name."""
        return _tree(_part(node, alias)) in self.trees

    def new_members(self, node: ast.stmt) -> tuple[ast.stmt, ...] | None:
        """Return the members of a class that the module's class lacks; `None` for a different
        class.

        A slice holds only the needed members of a class, a candidate perhaps all of the file's.
        """
        if not isinstance(node, ast.ClassDef):
            return None
        same_head = [members for head, members in self.classes if head == _head(node)]
        trees = [(_tree(member), member) for member in _members(node)] if same_head else []
        for members in same_head:
            if members <= {tree for tree, _ in trees}:
                return tuple(member for tree, member in trees if tree not in members)
        return None


def without_repeated(
    nodes: Sequence[ast.stmt], statements: ModuleStatements, names: Collection[str]
) -> list[ast.stmt]:
    """Return statements without those that repeat the module, as far as these names count."""
    found: list[ast.stmt] = []
    for node in nodes:
        new = statements.new_members(node)
        is_same = new is not None and not any(_name(each) in names for each in new)
        if not is_same and not statements.has(node):
            found.append(node)
    return found


def _executed(statements: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of a module that bind names at run time, without code for type checkers."""
    pending: list[ast.AST] = [*statements]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, ast.If) and is_typing_test(node.test):
            pending += node.orelse
        elif not isinstance(node, (*DEFINITION, ast.Lambda)):
            pending += ast.iter_child_nodes(node)


def _tree(node: ast.stmt) -> str:
    """Return a text that equal statements share; empty where equality is uncertain."""
    match node:
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            node = ast.Assign([target], value)
        case _:
            pass
    return _dump(node)


def _dump(node: ast.AST) -> str:
    try:
        return _text(node)
    except ValueError:  # an integer literal with too many digits
        return ""


def _text(value: object) -> str:
    """Return a dump of a tree without docstrings and annotations."""
    if isinstance(value, list):
        return f"[{','.join(map(_text, cast('list[object]', value)))}]"
    if not isinstance(value, ast.AST):
        return repr(value)
    skipped = _SKIPPED.get(type(value), ())
    fields = {name: getattr(value, name, None) for name in value._fields if name not in skipped}
    if isinstance(value, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        fields["body"] = _without_text(value.body)
    return f"{type(value).__name__}({','.join(map(_text, fields.values()))})"


def _without_text(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest or [ast.Pass()]
        case _:
            return body


def _part(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.Import | ast.ImportFrom:
    """Return an import of one of its names."""
    if isinstance(node, ast.Import):
        return ast.Import([alias])
    return ast.ImportFrom(node.module, [alias], node.level)


def _head(node: ast.ClassDef) -> str:
    kinds = getattr(node, "type_params", [])
    parts = [*node.bases, *node.keywords, *node.decorator_list, *kinds]
    return " ".join([node.name, *map(_dump, parts)])


def _members(node: ast.ClassDef) -> list[ast.stmt]:
    return [n for n in _without_text(node.body) if not isinstance(n, ast.Pass)]


def _name(node: ast.stmt) -> str:
    return getattr(node, "name", "")
