"""Arguments that callers in the repository pass to a function, as the script's expressions.

Names are followed to their values: variables with a single assignment, rows of
`pytest.mark.parametrize`, items of a loop. Classes must be in the slice, or in modules that only
make values.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import islice

from ....slicer.analysis.names.word_mentions import CallSite
from ....slicer.analysis.scopes.definitions import Binder, Scope, unit_scope
from ....slicer.analysis.values.abstract_values import ClassValue, ordered
from ....slicer.closure.repository_analysis import analysis_of
from ....slicer.errors import SourceError
from ....slicer.resources.paths.callees import external_names
from ....slicer.syntax.scopes import parameters
from ..argument_builder import ArgumentBuilder, is_literal

_MOST_ROWS = 4
_MOST_HOPS = 6
_MOST_CHARACTERS = 240
_VALUE_MODULES = frozenset(
    "collections datetime decimal fractions io itertools math operator pathlib re string types "
    "uuid".split()
)
"""Standard library modules that only make values."""
_UNSAFE = frozenset(
    "__import__ breakpoint compile eval exec exit globals help input locals open print quit "
    "super vars".split()
)
_REFUSED = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


class _UnknownNameError(Exception):
    """A name that the script does not know."""


def passed(builder: ArgumentBuilder, site: CallSite, argument: ast.expr) -> Iterator[str]:
    """Yield expressions for an argument of a call; several where the call runs in a loop.

    Args:
        builder: makes the values of the slice.
        site: the call.
        argument: an argument of the call, or an expression around it.
    """
    for value, scope in islice(_assigned_values(argument, site.scope, 0), _MOST_ROWS):
        if is_literal(value):
            yield ast.unparse(value)
            continue
        try:
            text = ast.unparse(_Written(builder, scope, 0).visit(deepcopy(value)))
        except (_UnknownNameError, SourceError, RecursionError):
            continue
        if len(text) <= _MOST_CHARACTERS and not isinstance(value, ast.Constant):
            yield text


def _assigned_values(node: ast.expr, scope: Scope, hops: int) -> Iterator[tuple[ast.expr, Scope]]:
    """Yield the values of a variable with their scopes; other expressions unchanged."""
    found = _binder(node.id, scope) if isinstance(node, ast.Name) else None
    if found is None or hops > _MOST_HOPS:
        yield node, scope
        return
    binder, around = found
    match binder:
        case Binder(kind="value" | "annotated", value=ast.expr() as value, path=()):
            yield from _assigned_values(value, around, hops + 1)
        case Binder(kind="item", value=ast.List(elts=items) | ast.Tuple(elts=items), path=path):
            for item in items:
                part = _part(item, path)
                if part is not None:
                    yield part, around
        case Binder(kind="parameter") if isinstance(around.node, ast.FunctionDef):
            rows = _rows(around.node, str(getattr(binder.node, "arg", "")))
            yield from ((row, around.parent or around) for row in rows)
        case _:
            pass


def _binder(name: str, scope: Scope) -> tuple[Binder, Scope] | None:
    """Return the only binder of a name with its scope; `None` for builtins and definitions."""
    owner = scope.lookup(name)
    binders = owner.binders.get(name, []) if owner else []
    if owner is None:
        for unit in scope.module.bindings.get(name, ()):
            if unit.kind in ("class", "function", "import"):
                return None
            owner = unit_scope(scope.module, unit)
            binders = [*binders, *owner.binders.get(name, [])]
    return (binders[0], owner) if owner is not None and len(binders) == 1 else None


def _part(item: ast.expr, path: tuple[int, ...]) -> ast.expr | None:
    for place in path:
        match item:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if 0 <= place < len(parts):
                item = parts[place]
            case _:
                return None
    return item


def _rows(test: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    """Yield the rows that `pytest.mark.parametrize` passes to a test's parameter."""
    for decorator in test.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[named, rows, *_]):
                names = _names(named)
            case _:
                continue
        if name not in names or not isinstance(rows, ast.List | ast.Tuple):
            continue
        for row in rows.elts:
            match row:
                case ast.Call(func=ast.Attribute(attr="param"), args=parts):
                    yield from parts[names.index(name) :][:1]
                case _ if len(names) == 1:
                    yield row
                case _:
                    part = _part(row, (names.index(name),))
                    if part is not None:
                        yield part


def _names(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str() as text):
            return [each.strip() for each in text.split(",") if each.strip()]
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return [str(item.value) for item in items if isinstance(item, ast.Constant)]
        case _:
            return []


class _Written(ast.NodeTransformer):
    """Rewrites an expression in terms of the script."""

    def __init__(self, maker: ArgumentBuilder, scope: Scope, hops: int) -> None:
        self._maker = maker
        self._scope = scope
        self._hops = hops
        self._bound: frozenset[str] = frozenset()
        self._inference = analysis_of(maker.repository).inference

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Refuse expressions that are no values by themselves."""
        if isinstance(node, _REFUSED):
            raise _UnknownNameError
        return super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return a class of the slice, a builtin, or the variable's value."""
        if node.id in self._bound or not isinstance(node.ctx, ast.Load):
            return node
        found = self._class(node) or self._of_the_library(node)
        if found is not None:
            return found
        if _binder(node.id, self._scope) is None or self._hops > _MOST_HOPS:
            raise _UnknownNameError(node.id)
        for value, scope in _assigned_values(node, self._scope, self._hops):
            if not isinstance(value, ast.Name):
                inner = _Written(self._maker, scope, self._hops + 1)
                written: ast.expr = inner.visit(deepcopy(value))
                return written
        raise _UnknownNameError(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Return a class of the slice, or a name in a module that only makes values."""
        if node.attr.startswith("__"):
            raise _UnknownNameError(node.attr)
        return self._class(node) or self._of_the_library(node) or self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Treat the lambda's parameters as bound names."""
        return self._inside(node, frozenset(parameters(node)))

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        """Treat the targets as bound names."""
        return self._inside(node, _targets(node.generators))

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        """Treat the targets as bound names."""
        return self._inside(node, _targets(node.generators))

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        """Treat the targets as bound names."""
        return self._inside(node, _targets(node.generators))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        """Treat the targets as bound names."""
        return self._inside(node, _targets(node.generators))

    def _inside(self, node: ast.AST, names: frozenset[str]) -> ast.AST:
        before, self._bound = self._bound, self._bound | names
        found = self.generic_visit(node)
        self._bound = before
        return found

    def _class(self, node: ast.expr) -> ast.expr | None:
        values = ordered(self._inference.evaluate(node, self._scope))
        match values:
            case [ClassValue(cls=cls)] if self._maker.keeps_class(cls):
                return ast.parse(self._maker.class_name(cls), mode="eval").body
            case _:
                return None

    def _of_the_library(self, node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Name) and _is_builtin(node.id, self._scope):
            return node
        for name in external_names(self._inference, node, self._scope):
            module, _, attribute = name.rpartition(".")
            if module in _VALUE_MODULES:
                text = f'__import__("{module}").{attribute}'
                return ast.parse(text, mode="eval").body
        return None


def _is_builtin(name: str, scope: Scope) -> bool:
    is_bound = scope.lookup(name) is not None or name in scope.module.bindings
    return not is_bound and hasattr(builtins, name) and name not in _UNSAFE


def _targets(generators: list[ast.comprehension]) -> frozenset[str]:
    nodes = (node for each in generators for node in ast.walk(each.target))
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name))


def arguments_of(call: ast.Call, order: list[str]) -> Mapping[str, ast.expr]:
    """Return the arguments of a call by the names of the parameters.

    Args:
        call: the call; starred arguments are ignored.
        order: names of the parameters that are given by position.
    """
    plain = [] if any(isinstance(arg, ast.Starred) for arg in call.args) else call.args
    by_place = zip(order, plain, strict=False)
    return {**dict(by_place), **{k.arg: k.value for k in call.keywords if k.arg}}
