"""Imports that run when a module is imported though they are not top-level statements.

Examples are `try: import plugins`, and `load()` where `def load(): import plugins`, in any module
that defines the function. Where modules are imported by computed names, all texts that may supply
the names are read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...analysis.inference import Inference
from ...analysis.points_to.root_objects import RootObjects
from ...analysis.scopes.definitions import FunctionInfo, Scope, module_scope
from ...analysis.scopes.executed_nodes import executed
from ...analysis.values.abstract_values import ClassValue, FunctionValue, ModuleValue, ordered
from ...repo.repository import Module
from ...repo.units import Unit, is_typing_test
from ...syntax.import_names import IMPORTS_BY_NAME, LISTS_FILES
from ...syntax.nodes import walk

_LISTS_MODULES = re.compile(r"\b(?:iter_modules|walk_packages)\(")
_SPELLED = re.compile(r"\.*[^\W\d]\w*(?:\.\w+)*")
_AROUND = re.compile(r"(?:[^\W\d]\w*\.)*x(?:\.[^\W\d]\w*)*")
"""A dotted name in which `x` stands for the computed part."""
_OWN_NAMES = ("__name__", "__path__", "__package__")


@dataclass(frozen=True, slots=True)
class RunImport:
    """A possible module, with the top-level statement that would import it."""

    unit: Unit
    name: str
    has_all: bool
    """Whether all modules of that package are imported."""


def run_imports(module: Module, inference: Inference) -> tuple[RunImport, ...]:
    """Return what the module's statements import, other than by import statements."""
    found: dict[RunImport, None] = {}
    roots = RootObjects(inference)
    for unit in module.units:
        if unit.kind not in ("import", "main", "prelude"):
            run = _Run(inference, roots)
            run.statements(unit.nodes, module_scope(module))
            if unit.kind not in ("function", "class"):
                run.named(unit.nodes, module_scope(module), module.package, module.text_of(unit))
            for name, has_all in run.found:
                found.setdefault(RunImport(unit, name, has_all))
    return tuple(found)


class _Run:
    """The imports of one statement."""

    def __init__(self, inference: Inference, roots: RootObjects) -> None:
        self.found: dict[tuple[str, bool], None] = {}
        """Names of possible modules, with whether all modules inside them are imported as well."""
        self._inference = inference
        self._roots = roots
        self._named: dict[str, None] = {}
        """Names that strings spell."""
        self._around: dict[tuple[str, str], None] = {}
        """Prefix and suffix of computed module names: `f"apps.{app}.admin"`."""
        self._met: set[ast.AST] = set()
        """Functions that were already followed."""

    def statements(self, body: Iterable[ast.stmt], scope: Scope) -> None:
        """Record the imports of statements and of the functions that they call.

        Calls are followed in the order of execution, with an explicit stack, because chains may be
        long.
        """
        stack = [self._called_by(body, scope)]
        while stack:
            function = next(stack[-1], None)
            if function is None:
                stack.pop()
            else:
                inner = self._inference.function_scope(function)
                stack.append(self._called_by(function.node.body, inner))

    def _called_by(self, body: Iterable[ast.stmt], scope: Scope) -> Iterator[FunctionInfo]:
        """Record the imports of statements; yield the functions that they call, each once."""
        body = list(body)
        text = scope.module.source.text
        has_typing = "TYPE_CHECKING" in text or "MYPY" in text
        for_checkers = set(_for_checkers(body)) if has_typing else set[ast.AST]()
        for node, place in executed(body, scope):
            if node in for_checkers:
                continue
            match node:
                case ast.Import(names=names):
                    self._note(alias.name for alias in names)
                case ast.ImportFrom(names=names):
                    base = scope.module.resolve_relative(node.level, node.module)
                    if base:
                        self._note((base, *(f"{base}.{alias.name}" for alias in names)))
                case ast.Call():
                    yield from self._followed(node.func, node, place)
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    for decorator in node.decorator_list:
                        func = decorator.func if isinstance(decorator, ast.Call) else decorator
                        yield from self._followed(func, decorator, place)
                case _:
                    continue

    def _note(self, names: Iterable[str], *, has_all: bool = False) -> None:
        for name in names:
            self.found.setdefault((name, has_all))

    def _followed(self, func: ast.expr, call: ast.expr, scope: Scope) -> Iterator[FunctionInfo]:
        """Yield the functions that a call may run and that were not followed before."""
        for function in self._called(func, scope):
            node, module = function.node, function.module
            text = "".join(module.source.lines[node.lineno - 1 : node.end_lineno])
            is_new = node not in self._met
            if is_new:
                self._met.add(node)
                inner = self._inference.function_scope(function)
                self.named(node.body, inner, module.package, text)
            self.named([call], scope, scope.module.package, text)
            if is_new:
                yield function

    def _called(self, func: ast.expr, scope: Scope) -> Iterator[FunctionInfo]:
        for value in ordered(self._inference.evaluate(func, scope)):
            match value:
                case FunctionValue(function=function):
                    yield function
                case ClassValue(cls=cls):
                    for name in ("__new__", "__init__"):
                        owner, units = self._inference.find_member(cls, name) or (cls, ())
                        for each in (node for unit in units for node in unit.nodes):
                            if isinstance(each, ast.FunctionDef):
                                yield FunctionInfo(owner.module, each, owner.scope, owner)
                case _:
                    continue

    def named(self, body: Iterable[ast.AST], scope: Scope, package: str, run: str) -> None:
        """Record the strings and names in the nodes, if the executed text imports by name."""
        if not IMPORTS_BY_NAME.search(run):
            return
        has_all = bool(_LISTS_MODULES.search(run) or LISTS_FILES.search(run))
        for node in (item for each in body for item in walk(each)):
            match node:
                case ast.Name(id=name) if name in _OWN_NAMES and scope.parent is None:
                    self._note([package], has_all=has_all)
                case ast.Constant(value=str(text)):
                    self._spelled(text, package, has_all=has_all)
                case ast.JoinedStr() | ast.BinOp() | ast.Call():
                    self._computed(node, package, has_all=has_all)
                case ast.Name() | ast.Attribute():
                    for value in ordered(self._inference.evaluate(node, scope)):
                        if isinstance(value, ModuleValue):
                            self._note([value.module.name], has_all=has_all)
                    for text in self._strings_in(node, scope):
                        self._spelled(text, package, has_all=has_all)
                case _:
                    continue

    def _spelled(self, text: str, package: str, *, has_all: bool) -> None:
        """Record a string as a module name, relative to the package if it begins with a dot."""
        if not _SPELLED.fullmatch(text):
            return
        bare = text.lstrip(".")
        inside = [f"{package}.{bare}"] if package else []
        names = inside if text.startswith(".") else [bare, *inside]
        self._note(names, has_all=has_all)
        self._named.update(dict.fromkeys(names))
        self._note(f"{head}{name}{end}" for name in names for head, end in self._around)

    def _computed(
        self, node: ast.JoinedStr | ast.BinOp | ast.Call, package: str, *, has_all: bool
    ) -> None:
        """Record the prefix and suffix of a computed name."""
        head = end = ""
        match node:
            case ast.JoinedStr(values=[ast.FormattedValue(), ast.Constant(value=str(end))]):
                pass
            case ast.JoinedStr(values=[ast.Constant(value=str(head)), ast.FormattedValue(), *rest]):
                end = str(getattr(rest[0], "value", "")) if len(rest) == 1 else ""
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
                head, _, end = text.partition("%s")
            case ast.BinOp(left=ast.Constant(value=str(head)), op=ast.Add()):
                pass
            case ast.BinOp(right=ast.Constant(value=str(end)), op=ast.Add()):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
                head, _, end = text.partition("{}")
            case _:
                return
        if has_all and head.endswith("."):
            self._note([head.rstrip(".") or package], has_all=True)
        around = (head, end)
        if _AROUND.fullmatch("x".join(around)) and around not in self._around and any(around):
            self._around[around] = None
            self._note(f"{head}{name}{end}" for name in self._named)

    def _strings_in(self, node: ast.Name | ast.Attribute, scope: Scope) -> Iterator[str]:
        """Yield the strings in the value of a module-level variable."""
        match node:
            case ast.Name(id=name) if scope.lookup(name) is None:
                places = [(scope.module, name)]
            case ast.Attribute(value=owner, attr=name):
                values = ordered(self._inference.evaluate(owner, scope))
                modules = [value.module for value in values if isinstance(value, ModuleValue)]
                places = [(module, name) for module in modules if isinstance(module, Module)]
            case _:
                return
        for module, name in places:
            source, origin = self._roots.resolve(module, name) or (module, name)
            for unit in source.bindings.get(origin, ()):
                for item in walk(unit.node) if unit.kind == "variable" else ():
                    if isinstance(item, ast.Constant) and isinstance(item.value, str):
                        yield item.value


def _for_checkers(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes that run for type checkers only."""
    for node in (item for each in body for item in walk(each)):
        if isinstance(node, ast.If) and is_typing_test(node.test):
            for statement in node.body:
                yield from walk(statement)
