"""Analyses that are computed once for a repository: names, values, effects, and uses."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ..analysis.inference import Inference
from ..analysis.names.name_resolution import Names
from ..analysis.scopes.definitions import ClassInfo, Scope, module_scope
from ..analysis.uses.use_collector import UseCollector
from ..analysis.uses.use_records import Uses
from ..effects.mutation.statement_effects import StatementEffects
from ..repo.repository import Module, Repository
from ..repo.units import Unit
from ..syntax.memo import memo
from ..syntax.nodes import walk
from .class_creation import ClassCreators


class Analysis:
    """The analyses of one repository, shared by all of its targets."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.names = Names(repository)
        self.inference = Inference(self.names)
        self.effects = StatementEffects(self.inference)
        self.creators = ClassCreators(self.inference)
        self._uses: dict[tuple[Module, ast.AST, str], Uses] = {}
        self._marking: dict[ast.AST, bool] = {}

    def unit_uses(self, module: Module, unit: Unit) -> Uses:
        """Return the uses of a whole top-level unit."""
        key = (module, unit.node, "unit")
        if key not in self._uses:
            scope = module_scope(module)
            self._uses[key] = self._collected(unit, scope, lambda walk: walk.visit_all(unit.nodes))
        return self._uses[key]

    def header_uses(self, cls: ClassInfo) -> Uses:
        """Return the uses of a class statement without its members."""
        key = (cls.module, cls.node, "header")
        if key not in self._uses:
            self._uses[key] = self._collected(
                cls.unit, cls.enclosing, lambda walk: walk.visit_class_header(cls)
            )
        return self._uses[key]

    def member_uses(self, cls: ClassInfo, member: Unit) -> Uses:
        """Return the uses of one member of a class."""
        key = (cls.module, member.node, "member")
        if key not in self._uses:
            self._uses[key] = self._collected(
                cls.unit, cls.scope, lambda walk: walk.visit_all(member.nodes)
            )
        return self._uses[key]

    def _collected(self, unit: Unit, scope: Scope, see: Callable[[UseCollector], None]) -> Uses:
        collector = UseCollector(self.inference, scope.module, unit)
        collector.scope = scope
        with self.inference.remembering():
            see(collector)
        return collector.result()

    def marks(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether the function sets an attribute of its first argument: a decorator that marks what
        it decorates.
        """
        known = self._marking.get(node)
        if known is None:
            known = self._marking[node] = _sets_attribute_of_first(node)
        return known


def _sets_attribute_of_first(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    args = node.args.posonlyargs + node.args.args
    name = args[0].arg if args else ""
    return any(
        isinstance(item, ast.Attribute)
        and isinstance(item.ctx, ast.Store)
        and isinstance(item.value, ast.Name)
        and item.value.id == name
        for item in walk(node)
    )


@memo
def analysis_of(repository: Repository) -> Analysis:
    """Return the repository's analysis."""
    return Analysis(repository)
