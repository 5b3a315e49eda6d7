"""Registrations of repository objects with external libraries at module level.

A library later calls what it was given, and nothing names it: `yaml.add_constructor("!x", make)`,
`@event.listens_for(Item, "load")`. The statement counts where the slice uses the library.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..analysis.points_to.root_objects import Object
from ..analysis.scopes.definitions import ClassInfo, FunctionInfo, Scope, module_class, module_scope
from ..analysis.scopes.executed_nodes import executed
from ..analysis.values.abstract_values import (
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    Values,
    ordered,
)
from ..repo.repository import Module
from ..repo.units import Unit
from ..syntax.builtin_models import MUTATORS, PLAIN_DECORATORS
from ..syntax.memo import memo
from ..syntax.nodes import walk
from .mutation.statement_effects import StatementEffects

_REGISTERS = re.compile(
    r"(?:\w*_)?(?:add|register\w*|connect\w*|listen\w*|listens|subscri\w+|receiver|hook\w*|install\w*"
    r"|accessor|handler|plugin|converter|resolver|constructor|representer|adapter|provider)(?:_\w+)?"
)
"""Last names of decorators that register what they decorate."""
_WITHOUT_REGISTRIES = frozenset(
    """abc argparse array ast base64 bisect builtins cmath collections contextlib copy dataclasses
    datetime decimal enum fractions functools glob hashlib heapq hmac inspect io itertools keyword
    math operator os pathlib pprint queue random re secrets shutil statistics string struct
    subprocess sys tempfile textwrap time traceback types typing typing_extensions unicodedata uuid
    zlib __future__""".split()
)
"""Modules that keep no reference to their arguments, or none that other code can find."""
_KEPT_BY = {"shutil": ("register_archive_format", "register_unpack_format")}
_RUN_BY = {"os.register_at_fork": ("os.fork", "pty", "multiprocessing", "concurrent")}
"""Functions that store their argument, each with the only functions that call it later."""
READ_BY = {
    "codecs": ("builtins.str()", "builtins.open", "io", "pathlib"),
    "copyreg": ("copy", "pickle", "shelve", "multiprocessing"),
    "mimetypes": ("http", "urllib", "email"),
}
"""Modules of the standard library → modules that read what is registered there."""
_REGISTERING_BASES = frozenset(
    """yaml.YAMLObject marshmallow.Schema luigi.Task mongoengine.Document
    mongoengine.EmbeddedDocument mongoengine.DynamicDocument""".split()
)
"""External classes that register each subclass, and find it by a name or tag."""
_SHOWING = frozenset("print debug info warning warn error exception critical log write".split())


class Owner(NamedTuple):
    """A registry that receives an object."""

    prefix: str
    """Prefix of external names: code that uses one of them finds the registered object."""
    objects: tuple[Object, ...] = ()
    """Repository objects that the registration is for: it counts if the slice has one of them."""


@dataclass(frozen=True, slots=True)
class Registration:
    """Objects that one module statement registers with external libraries."""

    owners: tuple[Owner, ...] = ()
    classes: tuple[ClassInfo, ...] = ()
    """Registered repository classes, which the library may instantiate."""


@memo
def registered_by(module: Module, unit: Unit, effects: StatementEffects) -> Registration:
    """Return what the top-level statement registers externally, itself or through calls."""
    if unit.kind in ("import", "main", "typing", "prelude"):
        return Registration()
    reader = _Reader(effects)
    scope = module_scope(module)
    owners = [name for node in unit.nodes for name in reader.of_statement(node, scope)]
    if unit.kind == "class" and isinstance(unit.node, ast.ClassDef):
        made = module_class(module, unit, unit.node)
        noting = _REGISTERING_BASES.intersection(effects.inference.foreign_bases(made))
        owners += [Owner(base.partition(".")[0]) for base in sorted(noting)]
        reader.classes.update(dict.fromkeys([made] if noting else []))
    return Registration(tuple(dict.fromkeys(owners)), tuple(reader.classes))


class _Reader:
    """Follows the calls of one statement into functions of the repository."""

    def __init__(self, effects: StatementEffects) -> None:
        self._inference = effects.inference
        self._resolve = effects.resolve
        self._met: set[ast.AST] = set()
        self.classes: dict[ClassInfo, None] = {}
        """Classes among the arguments."""

    def of_statement(self, node: ast.AST, scope: Scope) -> Iterator[Owner]:
        """Yield the registries of a statement that runs in the scope."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                for decorator in node.decorator_list:
                    for name in self._of_decorator(decorator, node, scope):
                        self._note(self._inference.evaluate(ast.Name(node.name), scope))
                        yield name
            case (
                ast.Expr(value=ast.Call() as call)
                | ast.Expr(value=ast.Await(value=ast.Call() as call))
            ):
                yield from self._of_call(call, scope)
            case ast.Assign(value=ast.Call() as call) | ast.Return(value=ast.Call() as call):
                yield from self._registered_in_callee(call, scope)
            case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.Match():
                for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                    for each in getattr(node, field, ()):
                        yield from self.of_statement(each, scope)
            case ast.ExceptHandler(body=body) | ast.match_case(body=body):
                for each in body:
                    yield from self.of_statement(each, scope)
            case _:
                return

    def _of_call(self, call: ast.Call, scope: Scope) -> Iterator[Owner]:
        for value in ordered(self._inference.evaluate(call.func, scope)):
            is_outside = isinstance(value, (External, ExternalInstance))
            if is_outside and self._passes_repository_objects(call, scope):
                yield from map(Owner, _readers(value.name))
        yield from self._registered_in_callee(call, scope)

    def _registered_in_callee(self, call: ast.Call, scope: Scope) -> Iterator[Owner]:
        """Yield the registrations in the functions that a call runs."""
        for value in ordered(self._inference.evaluate(call.func, scope)):
            match value:
                case FunctionValue(function=function):
                    yield from self._of_function(function)
                case ClassValue(cls=cls):
                    for function in self._inference.methods(cls, "__init__"):
                        yield from self._of_function(function)
                case _:
                    continue

    def _of_function(self, function: FunctionInfo) -> Iterator[Owner]:
        if function.node not in self._met:
            self._met.add(function.node)
            scope = self._inference.function_scope(function)
            for node in function.node.body:
                yield from self.of_statement(node, scope)

    def _of_decorator(
        self,
        decorator: ast.expr,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
        scope: Scope,
    ) -> Iterator[Owner]:
        func = decorator.func if isinstance(decorator, ast.Call) else decorator
        for value in ordered(self._inference.evaluate(func, scope)):
            if not isinstance(value, External) or value.name in PLAIN_DECORATORS:
                continue
            notes = (
                "()" in value.name
                or _REGISTERS.fullmatch(value.name.rpartition(".")[2])
                or _is_unnamed(scope.module, node.name)
            )
            given = () if notes else tuple(self._named(decorator, scope))
            if notes or given:
                yield from (Owner(name, given) for name in _readers(value.name))

    def _named(self, decorator: ast.expr, scope: Scope) -> Iterator[Object]:
        """Yield module-level objects among positional arguments: `listens_for(Item, "load")`."""
        for node in decorator.args if isinstance(decorator, ast.Call) else ():
            if isinstance(node, ast.Name) and scope.lookup(node.id) is None:
                found = self._resolve(scope.module, node.id)
                if found is not None:
                    yield found

    def _passes_repository_objects(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a repository function, class or instance is among the arguments."""
        given = (*call.args, *(keyword.value for keyword in call.keywords))
        ours = [self._is_ours(node, place) for node, place in executed(given, scope)]
        return any(ours)

    def _is_ours(self, node: ast.AST, scope: Scope) -> bool:
        match node:
            case ast.Lambda():
                return True
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
                values: Values = self._inference.evaluate(node, scope)
                if values is None and isinstance(node, ast.Name) and scope.lookup(node.id) is None:
                    units = scope.module.bindings.get(node.id, ())
                    return any(unit.kind in ("function", "class") for unit in units)
                if isinstance(node, ast.Attribute) and node.attr in MUTATORS:
                    return self._is_variable(node.value, scope)
                self._note(values)
                return any(
                    isinstance(v, (FunctionValue, ClassValue, Instance)) for v in values or ()
                )
            case _:
                return False

    def _note(self, values: Values) -> None:
        found = (value.cls for value in ordered(values) if isinstance(value, ClassValue))
        self.classes.update(dict.fromkeys(found))

    def _is_variable(self, node: ast.expr, scope: Scope) -> bool:
        """Whether a name denotes an object made by a module, which its method changes."""
        values = self._inference.evaluate(node, scope)
        return isinstance(node, ast.Name) and not any(isinstance(v, External) for v in values or ())


def _readers(name: str) -> Iterator[str]:
    """Yield prefixes of library names that read what its function or method registered."""
    maker, is_result, _ = name.partition("()")
    top, _, short = name.partition(".")
    short = short.rpartition(".")[2]
    if name in _RUN_BY:
        yield from _RUN_BY[name]
        return
    if short in _SHOWING or (top in _WITHOUT_REGISTRIES and short not in _KEPT_BY.get(top, ())):
        return
    if not is_result:
        yield from (top, *READ_BY.get(top, ()))
    elif not maker.rpartition(".")[2][:1].isupper():  # else a new object, which has a local name
        yield maker


def _is_unnamed(module: Module, name: str) -> bool:
    """Whether nothing can refer to a definition by name: it is private, and used nowhere."""
    return name.startswith("_") and _mentions(module).get(name, 0) == 0


@memo
def _mentions(module: Module) -> dict[str, int]:
    """Return name → number of reads in the module."""
    found: dict[str, int] = {}
    for node in walk(module.source.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id] = found.get(node.id, 0) + 1
    return found
