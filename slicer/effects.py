"""Import-time effects: which module-level objects a top-level statement may change.

A statement that changes an object which the slice holds belongs to the slice (`TABLE.update(…)`,
`registry["x"] = f`, `@register`, a call of a function that fills a global).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from .changes import Change, Changes
from .definitions import ClassInfo, FunctionInfo, Scope, module_class, module_scope
from .infer import Inference
from .known import MUTATORS
from .nodes import walk
from .repository import Module
from .roots import Object
from .units import Unit
from .values import ClassValue, ordered


class Effects:
    """Effects of statements and functions of one repository, computed when asked for."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.changes = Changes(inference)
        self._touched: dict[tuple[Module, int], tuple[Object, ...]] = {}
        self._changers: dict[tuple[Module, frozenset[str], frozenset[str]], frozenset[str]] = {}

    def resolve(self, module: Module, name: str) -> Object | None:
        """The module and name that really bind a global name, imports followed."""
        return self.changes.roots.resolve(module, name)

    def function_effects(self, function: FunctionInfo) -> tuple[tuple[Object, ...], frozenset[str]]:
        """Module-level objects that a call may change, and the parameters that it changes."""
        summary = self.changes.of_function(function)
        return summary.objects, summary.changed

    def touched(self, module: Module, unit: Unit) -> tuple[Object, ...]:
        """Objects that running the top-level statement may change, other than by binding a name."""
        key = (module, unit.index)
        known = self._touched.get(key)
        if known is None:
            scope = module_scope(module)
            every = [change for node in unit.nodes for change in self._statement(node, scope, unit)]
            known = self._touched[key] = tuple(
                dict.fromkeys(change for change in every if isinstance(change, tuple))
            )
        return known

    def changers(
        self, module: Module, live: frozenset[str], called: frozenset[str]
    ) -> frozenset[str]:
        """Functions of the module that change one of the objects; classes whose subclasses do.

        Only those are looked at that may be `called` by their names.
        """
        called = called.intersection(module.bindings)
        key = (module, live, called)
        known = self._changers.get(key)
        if known is None:
            known = self._changers[key] = frozenset(self._find_changers(module, live, called))
        return known

    def _find_changers(
        self, module: Module, live: frozenset[str], called: frozenset[str]
    ) -> Iterator[str]:
        if not called:
            return
        objects = {(module, name) for name in live}
        mention = re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(live))) + r")\b")
        for unit in module.units:
            if called.isdisjoint(unit.binds):
                continue
            if (
                unit.kind == "class"
                and unit.binds[0] in live
                and ("__init_subclass__" in module.source.text or "metaclass" in module.source.text)
            ):
                yield unit.binds[0]
            if unit.kind != "function":
                continue
            text = "".join(module.source.lines[unit.first - 1 : unit.last])
            if not mention.search(text):
                continue
            for node in unit.nodes:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    function = FunctionInfo(module, node, module_scope(module), None)
                    inner = [
                        FunctionInfo(module, n, self.inference.function_scope(function), None)
                        for n in node.body
                        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))
                    ]
                    if any(objects & set(self.function_effects(f)[0]) for f in [function, *inner]):
                        yield node.name

    # ------------------------------------------------------------------ statements

    def _statement(self, node: ast.stmt, scope: Scope, unit: Unit) -> Iterator[Change]:
        match node:
            case ast.Import() | ast.ImportFrom():
                return
            case ast.ClassDef() if unit.nodes == (node,):
                cls = module_class(scope.module, unit, node)
                yield from self.changes.of_decorators(node.decorator_list, scope)
                # calls in a body describe the class: `id = db.Column()`
                yield from self._body(node.body, cls.scope, is_lenient=True)
                yield from self._class_creation(cls)
            case _:
                # calls in a main loop run the program
                yield from self._body([node], scope, is_lenient=isinstance(node, ast.While))

    def _body(
        self, body: Sequence[ast.stmt], scope: Scope, *, is_lenient: bool
    ) -> Iterator[Change]:
        self.changes.is_lenient = is_lenient
        yield from self.changes.of_body(body, scope)
        self.changes.is_lenient = False

    def _class_creation(self, cls: ClassInfo) -> Iterator[Object]:
        hooks = [(owner, owner.table["__init_subclass__"]) for owner in self.inference.mro(cls)[1:]
                 if "__init_subclass__" in owner.table]  # fmt: skip
        for value in ordered(self.inference.metaclass(cls)):
            if isinstance(value, ClassValue):
                for name in ("__new__", "__init__", "__call__"):
                    found = self.inference.find_member(value.cls, name)
                    if found is not None:
                        hooks.append(found)
        for owner, units in hooks:
            for _, summary in self.changes.of_methods(owner, units):
                yield from summary.objects
            if self._changes_class_state(owner, units):
                yield (owner.module, owner.unit.binds[0])

    def _changes_class_state(self, owner: ClassInfo, units: Iterable[Unit]) -> bool:
        """Whether a hook changes an object that classes share (`cls.registry[...] = cls`)."""
        for unit in units:
            for node in unit.nodes:
                for item in walk(node):
                    match item:
                        case ast.Call(func=ast.Attribute(value=ast.Attribute(), attr=attr)):
                            if attr in MUTATORS:
                                return True
                        case ast.Subscript(value=ast.Attribute(), ctx=ast.Store()):
                            return True
                        case _:
                            continue
        return False
