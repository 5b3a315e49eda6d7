"""Names that a scope binds, and names that may be rebound elsewhere.

A name that only straight-line code binds has a definite value at each point. All others (bound in a
loop or under `try`, or declared `global` or `nonlocal` somewhere) are *weak*: all their values are
merged.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_DECLARED = re.compile(r"^[ \t]*(?:global|nonlocal)[ \t]+([\w, \t]+)", re.M)
_OPAQUE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NO_NAMES: frozenset[str] = frozenset()


@dataclass(slots=True)
class Bindings:
    """Names that one scope binds."""

    bound: set[str]
    weak: set[str]
    global_: set[str]
    nonlocal_: set[str]


def declared_names(text: str) -> frozenset[str]:
    """Return the names in any `global` or `nonlocal` statement of the module."""
    if "global" not in text and "nonlocal" not in text:
        return _NO_NAMES
    return frozenset(name.strip() for found in _DECLARED.findall(text) for name in found.split(","))


def collect(body: Sequence[ast.stmt], *, walrus: bool) -> Bindings:
    """Return the names that the statements bind in their own scope.

    Args:
        body: the scope's statements; nested functions and classes are not entered.
        walrus: whether the module has assignment expressions at all.
    """
    found = Bindings(set(), set(), set(), set())
    stack: list[tuple[Sequence[ast.AST], bool]] = [(body, False)]
    while stack:
        nodes, weak = stack.pop()
        for node in nodes:
            _collect_one(node, weak, found, stack)
            if walrus:
                _collect_walrus(node, found)
    return found


def _collect_one(  # noqa: C901 - a case for each kind of statement
    node: ast.AST, weak: bool, found: Bindings, stack: list[tuple[Sequence[ast.AST], bool]]
) -> None:
    match node:
        case ast.Assign():
            for target in node.targets:
                _bind_target(target, weak, found)
        case ast.AugAssign() | ast.AnnAssign():
            _bind_target(node.target, weak, found)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            _bind(node.name, weak, found)
        case ast.Import():
            for alias in node.names:
                _bind(alias.asname or alias.name.partition(".")[0], weak, found)
        case ast.ImportFrom():
            for alias in node.names:
                _bind(alias.asname or alias.name, weak, found)
        case ast.If():
            stack += [(node.body, weak), (node.orelse, weak)]
        case ast.For() | ast.AsyncFor():
            _bind_target(node.target, True, found)
            stack += [(node.body, True), (node.orelse, weak)]
        case ast.While():
            stack += [(node.body, True), (node.orelse, weak)]
        case ast.With() | ast.AsyncWith():
            for item in node.items:
                if item.optional_vars is not None:
                    _bind_target(item.optional_vars, weak, found)
            stack.append((node.body, weak))
        case ast.Try() | ast.TryStar():
            for handler in node.handlers:
                if handler.name:
                    _bind(handler.name, True, found)
                stack.append((handler.body, True))
            stack += [(node.body, True), (node.orelse, True), (node.finalbody, True)]
        case ast.Match():
            for case in node.cases:
                for name in pattern_names(case.pattern):
                    _bind(name, True, found)
                stack.append((case.body, True))
        case ast.Global():
            found.global_.update(node.names)
        case ast.Nonlocal():
            found.nonlocal_.update(node.names)
        case ast.Delete():
            for target in node.targets:
                _bind_target(target, True, found)
        case _ if type(node).__name__ == "TypeAlias":
            _bind_target(type_alias_name(node), weak, found)
        case _:
            pass


def type_alias_name(node: ast.AST) -> ast.expr:
    """Return the name that a `type` statement binds; older Pythons have no such statement."""
    return dict(ast.iter_fields(node))["name"]


def _bind(name: str, weak: bool, found: Bindings) -> None:
    found.bound.add(name)
    if weak:
        found.weak.add(name)


def _bind_target(target: ast.expr, weak: bool, found: Bindings) -> None:
    stack = [target]
    while stack:
        node = stack.pop()
        match node:
            case ast.Name():
                _bind(node.id, weak, found)
            case ast.Tuple() | ast.List():
                stack += node.elts
            case ast.Starred():
                stack.append(node.value)
            case _:
                pass


def _collect_walrus(node: ast.AST, found: Bindings) -> None:
    stack = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        stack += [item.context_expr for item in node.items]
    while stack:
        child = stack.pop()
        if isinstance(child, ast.NamedExpr):
            _bind(child.target.id, True, found)
        if not isinstance(child, ast.Lambda):
            stack += _inner_expressions(child)


def _inner_expressions(node: ast.expr) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.comprehension):
            yield from (child.iter, *child.ifs)
        elif isinstance(child, ast.keyword):
            yield child.value


def pattern_names(pattern: ast.pattern) -> Iterator[str]:
    """Yield the names that a `case` pattern binds."""
    for node in ast.walk(pattern):
        match node:
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case _:
                pass
