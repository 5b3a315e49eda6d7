"""Tables that the slice only tests for a key, and the entries that those tests need."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator

from ...analysis.points_to.root_objects import Object
from ...analysis.scopes.definitions import Scope, module_class, module_scope
from ...effects.direct_calls import directly_called
from ...effects.loaded_modules import LoadedModules
from ...effects.mutation.decorator_effects import applied
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.memo import memo
from ...syntax.nodes import walk
from ..kept_definitions import member_label, unit_label
from ..worklist import Closure


def open_tables(closure: Closure) -> None:
    """Make tables live whose keys are tested in functions that the targets call directly.

    The tested key may be an argument of the target.
    """
    tables = [item for item in closure.presence if item not in closure.live_objects]
    if not tables:
        return
    called = directly_called(closure.analysis.effects.changes, closure.bound)
    for module, name in tables:
        for label, why in closure.presence[module, name].items():
            if _contains_function(closure, label, called):
                closure.live_object(module, name, why)
                break


def entries_for_text_keys(
    closure: Closure, loaded: LoadedModules
) -> Iterator[tuple[Module, Unit, str]]:
    """Yield statements that add a key which a string of the slice may be, with the table."""
    tables = [item for item in closure.presence if item not in closure.live_objects]
    if not tables:
        return
    changes = closure.analysis.effects.may_change
    fresh = loaded.changing(tables, (), closure.modules, changes, are_read=False)
    closure.entering.update(dict.fromkeys(fresh))
    closure.entering.update(dict.fromkeys(module for module, _ in tables))
    for module in closure.entering:
        for unit in module.units:
            if unit.kind != "import":
                found = next(_extended_tables(closure, module, unit, tables), None)
                if found is not None:
                    yield module, unit, found


def _extended_tables(
    closure: Closure, module: Module, unit: Unit, tables: list[Object]
) -> Iterator[str]:
    """Yield the tables to which the statement adds a key that a string of the slice may be."""
    names = frozenset(name for table in tables for name in _key_names(*table))
    for node in unit.nodes:
        for item in _changed(closure, module, unit, node, names):
            if isinstance(item, tuple) and item in tables:
                yield item[1]


def _changed(
    closure: Closure, module: Module, unit: Unit, node: ast.stmt, names: frozenset[str]
) -> Iterator[object]:
    """Yield the objects changed under a key that a string of the slice may be."""
    texts, effects = closure.class_keeper.queries.strings, closure.analysis.effects
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield from _by_decorators(closure, node, module_scope(module), names)
        case _:
            if any(key in texts for key in (*unit.binds, *_keys(node, names))):
                yield from effects.touched(module, unit)
    if isinstance(node, ast.ClassDef) and unit.kind == "class":
        cls = module_class(module, unit, node)
        assigned = [part for part in node.body if isinstance(part, (ast.Assign, ast.AnnAssign))]
        if any(key in texts for key in (node.name, *_texts(*assigned))):
            yield from effects.class_creation(cls)
        for member in node.body:
            if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from _by_decorators(closure, member, cls.scope, names)


def _by_decorators(
    closure: Closure,
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    scope: Scope,
    names: frozenset[str],
) -> Iterator[object]:
    texts = closure.class_keeper.queries.strings
    for decorator in node.decorator_list:
        if node.name in texts or any(key in texts for key in _keys(decorator, names)):
            single = copy.copy(node)
            single.decorator_list = [decorator]
            yield from applied(closure.analysis.effects.changes, single, scope)


def _keys(part: ast.AST, names: frozenset[str]) -> Iterator[str]:
    """Yield the strings that a statement or decorator may use as keys."""
    match part:
        case ast.Call(args=args, keywords=keywords):
            yield from _texts(*args, *(each.value for each in keywords if each.arg in names))
        case _:
            yield from _texts(part)


def _texts(*parts: ast.AST) -> Iterator[str]:
    for node in (each for part in parts for each in walk(part)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@memo
def _key_names(module: Module, table: str) -> tuple[str, ...]:
    """Return the names of keys with which the table's module adds entries: `TABLE[name] = …`."""
    entered = rf"(?<![\w.]){re.escape(table)}\s*(?:\[|\.\w+\()\s*(\w+)"
    return tuple(dict.fromkeys(re.findall(entered, module.source.text)))


def _contains_function(closure: Closure, label: str, called: frozenset[ast.AST]) -> bool:
    """Whether the definition with that label contains one of the functions."""
    for kept in closure.modules.values():
        if not label.startswith(f"{kept.module.path}::"):
            continue
        for unit in kept.module.units:
            if unit_label(kept.module, unit) == label:
                return any(node in called for node in unit.nodes)
            if isinstance(unit.node, ast.ClassDef) and unit.kind == "class":
                cls = module_class(kept.module, unit, unit.node)
                for member in cls.members:
                    if member_label(cls, member) == label:
                        return any(node in called for node in member.nodes)
    return False
