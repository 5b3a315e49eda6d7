"""Statements that may run at any moment of loading without a difference."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import module_scope
from ...analysis.values.abstract_values import ClassValue, External, Value
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.builtin_models import PLAIN_BASES, PLAIN_DECORATORS
from ...syntax.memo import memo
from ...syntax.nodes import children, defaults_of


@memo
def is_inert(module: Module, unit: Unit, inference: Inference) -> bool:
    """Whether the statement may run at any moment of loading without a difference.

    An inert statement neither reads nor changes state that other modules could change: definitions
    whose decorators and bases only create the definition, external imports, and names bound to
    plain values.
    """
    return _Inertness(module, unit, inference).of_all(unit.nodes)


_PLAIN_CALLS = frozenset(
    "typing.TypeVar typing.NewType typing.ParamSpec typing.TypeVarTuple typing_extensions.TypeVar "
    "typing_extensions.ParamSpec collections.namedtuple re.compile builtins.object "
    "builtins.frozenset builtins.set builtins.dict builtins.list builtins.tuple".split()
)
_LOUD = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.ListComp, ast.SetComp,
         ast.DictComp, ast.GeneratorExp)  # fmt: skip


class _Inertness:
    """Decides whether the statements of one top-level unit are inert."""

    def __init__(self, module: Module, unit: Unit, inference: Inference) -> None:
        self.module = module
        self.unit = unit
        self.inference = inference

    def of_all(self, nodes: Sequence[ast.stmt]) -> bool:
        return all(map(self.of, nodes))

    def of(self, node: ast.stmt) -> bool:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                defaults = (default for _, default in defaults_of(node.args))
                return self.is_plainly_decorated(node) and all(map(self.quiet, defaults))
            case ast.ClassDef(keywords=[]):
                return (
                    self.is_plainly_decorated(node)
                    and all(map(self.is_plain_base, node.bases))
                    and self.of_all(node.body)
                )
            case ast.Import() | ast.ImportFrom() | ast.Pass():
                return True
            case ast.Assign(targets=targets, value=value):
                return all(isinstance(t, ast.Name) for t in targets) and self.quiet(value)
            case ast.AnnAssign(target=ast.Name(), value=value):
                return value is None or self.quiet(value)
            case ast.Expr(value=value):
                return self.quiet(value)
            case ast.Try(handlers=handlers):
                bodies = [node.body, *(h.body for h in handlers), node.orelse, node.finalbody]
                return all(map(self.of_all, bodies))
            case ast.If(test=test):
                return self.quiet(test) and self.of_all(node.body) and self.of_all(node.orelse)
            case _:
                return False

    def is_plainly_decorated(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    ) -> bool:
        for decorator in node.decorator_list:
            match decorator:
                case ast.Attribute(value=ast.Name(), attr="setter" | "getter" | "deleter"):
                    continue
                case ast.Call(func=func, args=[], keywords=keywords):
                    if not all(self.quiet(k.value) for k in keywords):
                        return False
                case _:
                    func = decorator
            if not self.is_external(func, PLAIN_DECORATORS):
                return False
        return True

    def is_plain_base(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Subscript):
            node = node.value
        values = self.inference.evaluate(node, module_scope(self.module))
        return bool(values) and all(map(self.is_plain_class, values or ()))

    def is_plain_class(self, value: Value) -> bool:
        match value:
            case External(name=name):
                return name in PLAIN_BASES
            case ClassValue(cls=cls):
                mro = self.inference.mro(cls)
                return all(
                    not owner.node.keywords and "__init_subclass__" not in owner.table
                    for owner in mro
                ) and all(base in PLAIN_BASES for base in self.inference.external_bases(cls))
            case _:
                return False

    def is_external(self, node: ast.expr, names: frozenset[str]) -> bool:
        values = self.inference.evaluate(node, module_scope(self.module))
        return bool(values) and all(
            isinstance(v, External) and v.name in names for v in values or ()
        )

    def quiet(self, node: ast.expr) -> bool:
        """Whether evaluating the expression runs no code of the repository or of libraries."""
        if isinstance(node, ast.Lambda):
            return not node.args.defaults and not node.args.kw_defaults
        if isinstance(node, ast.Call):
            given = [*node.args, *(k.value for k in node.keywords)]
            return self.is_external(node.func, _PLAIN_CALLS) and all(map(self.quiet, given))
        if isinstance(node, _LOUD):
            return False
        return all(self.quiet(child) for child in children(node) if isinstance(child, ast.expr))
