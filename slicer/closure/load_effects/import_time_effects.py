"""Keeping statements for their import-time side effects on kept objects and process state."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...analysis.scopes.definitions import ClassInfo, module_class, module_scope
from ...analysis.values.abstract_values import ClassValue, ordered
from ...effects.builtin_assignments import ANY_NAME, assigned_builtins
from ...effects.external_registrations import registered_by
from ...effects.loaded_modules import LoadedModules
from ...effects.mutation.mutations import LABELS
from ...effects.process_state import (
    any_state_read,
    draws_after_seed,
    puts_itself,
    reads_state,
    runs_unknown_text,
    sets_import_path,
    state_set_by,
    sys_modules_entries,
)
from ...model import Gap
from ...repo.repository import Module
from ...repo.units import Unit
from ..kept_definitions import Reason
from ..worklist import Closure
from .mapped_tables import table_owners
from .submodule_imports import keep_submodule_imports
from .table_entries import entries_for_text_keys, open_tables

_OF_EACH_USE = frozenset({"__bases__", "__class__"})
"""Attributes of a class that every use of it or of its instances reads."""


def keep_effects(closure: Closure, loaded: LoadedModules) -> bool:
    """Keep statements that change kept objects or state that is read; return whether any."""
    before = closure.size
    open_tables(closure)
    loaded.extend(closure.modules[name].module for name in sorted(closure.modules))
    for name in sorted(closure.modules):
        _scan(closure, closure.modules[name].module, loaded)
    for module in [m for m in loaded.passed_over if m.name not in closure.modules]:
        _scan(closure, module, loaded)  # the slice may read what it sets by now
    changes = closure.analysis.effects.may_change
    for objects, are_read in ((closure.live_objects, True), (closure.registries, False)):
        found = loaded.changing(
            objects, closure.watched, closure.modules, changes, are_read=are_read
        )
        for module in found:
            _scan(closure, module, loaded)
    for module, unit, name in entries_for_text_keys(closure, loaded):
        if not _is_kept(closure, module, unit):
            text = f"enters what a text names into {name}"
            why = Reason(text, f"{module.path}::<line {unit.first}>", module.path, unit.first)
            _load(closure, module, loaded)
            _keep_statement(closure, module, unit, why)
    if closure.mappers:
        for module in loaded.declaring_tables(closure.modules):
            _scan(closure, module, loaded)
    _load_unimported(closure, loaded)
    keep_submodule_imports(closure, loaded)
    for module in loaded.setting_members(closure.modules):
        _scan(closure, module, loaded)
    if any_state_read(closure.mentioned):
        for module in loaded.setting_state(closure.modules):
            _scan(closure, module, loaded)
    for module in loaded.registering(closure.mentioned):
        _keep_registrations(closure, module, loaded)
    for module in loaded.making_builtins() if closure.unbound else ():
        _keep_builtins(closure, module, loaded)
    return closure.size != before


def _keep_builtins(closure: Closure, module: Module, loaded: LoadedModules) -> None:
    """Keep statements that turn unbound names into builtins."""
    for unit in module.units:
        made = assigned_builtins(module, unit, closure.inference)
        needed = closure.unbound if ANY_NAME in made else closure.unbound & made
        if needed:
            text = f"makes a builtin of {min(needed)}"
            why = Reason(text, f"{module.path}::<line {unit.first}>", module.path, unit.first)
            _load(closure, module, loaded)
            _keep_statement(closure, module, unit, why)
        for name in sorted(needed & made):
            closure.found_builtin(name)


def _keep_registrations(closure: Closure, module: Module, loaded: LoadedModules) -> None:
    """Keep statements that register objects with libraries which the slice uses."""
    for unit in module.units:
        if not _is_kept(closure, module, unit) and _is_registered(closure, module, unit):
            text = "registers with a library that the slice uses"
            why = Reason(text, f"{module.path}::<line {unit.first}>", module.path, unit.first)
            _load(closure, module, loaded)
            _keep_statement(closure, module, unit, why)
            for made in registered_by(module, unit, closure.analysis.effects).classes:
                # the library creates instances, and returns them
                closure.class_keeper.instantiate(made, why)
                closure.class_keeper.members.keep_public(made, frozenset(), why)


def _is_registered(closure: Closure, module: Module, unit: Unit) -> bool:
    """Whether the slice uses a library to which the statement passes repository definitions."""
    return any(
        (not given or not closure.live_objects.keys().isdisjoint(given))
        and any(
            name.startswith(prefix) and name[len(prefix) : len(prefix) + 1] in ("", ".", "(")
            for name in closure.mentioned
        )
        for prefix, given in registered_by(module, unit, closure.analysis.effects).owners
    )


def _load_unimported(closure: Closure, loaded: LoadedModules) -> None:
    """Keep imports of modules that are reached only as attributes (`import pkg; pkg.sub.f`)."""
    imported = {name for _, name in closure.load_edges}
    targets = {module.name for module, _ in closure.bound}
    for name, kept in list(closure.modules.items()):
        if kept.must_load and name not in imported and name not in targets:
            _keep_chain(closure, loaded, name)


def _keep_chain(closure: Closure, loaded: LoadedModules, name: str) -> None:
    """Keep the statements through which the target's module loads a module."""
    for importer, unit, bound in loaded.chain(name):
        why = Reason(f"loads {name}", "", importer.path, unit.first)
        if bound:
            closure.keep_binding(importer, unit, bound, "base", why)
        else:
            closure.keep_whole(importer, unit, why)


def _scan(closure: Closure, module: Module, loaded: LoadedModules) -> None:
    analysis = closure.analysis
    live = closure.live_objects
    bound = {goal_name for owner, goal_name in closure.bound if owner is module}
    for unit in module.units:
        if unit.kind in ("import", "main", "typing", "prelude"):
            continue
        if _is_kept(closure, module, unit):
            for made, why in _watched_subclass(closure, module, unit):
                closure.class_keeper.instantiate(made, why)
            continue
        label = f"{module.path}::<line {unit.first}>"
        if _deletes_target(unit, bound):
            continue
        if runs_unknown_text(module, unit) and module.name in closure.modules:
            detail = "exec() of text that is not known may bind names of the module; left out"
            closure.gaps.setdefault(Gap("dynamic-code", module.path, unit.first, detail))
        for _, why in _watched_subclass(closure, module, unit):
            _load(closure, module, loaded)
            _keep_statement(closure, module, unit, why)
        if (why := _needed_table(closure, module, unit)) is not None:
            _load(closure, module, loaded)
            _keep_statement(closure, module, unit, why)
        decorates = unit.kind in ("function", "class")
        watched = live if decorates else closure.live_objects.keys() | closure.registries.keys()
        hit = next((o for o in analysis.effects.touched(module, unit) if o in watched), None)
        if hit is not None and _sets_unread_attribute(closure, module, unit):
            loaded.passed_over.setdefault(module)
        elif hit is not None:
            text = f"changes {hit[1]} when {module.name} is imported"
            closure.effects.setdefault(hit, {}).setdefault(label)
            _load(closure, module, loaded)
            why = Reason(text, label, module.path, unit.first)
            _keep_statement(closure, module, unit, why)
            for cls in _new_bases(closure, module, unit):
                closure.class_keeper.members.keep_public(cls, frozenset(), why)
            continue
        if closure.as_package and sets_import_path(module, unit, analysis.inference):
            why = Reason("adds an import root", label, module.path, unit.first)
            closure.keep_whole(module, unit, why)
        if isinstance(unit.sole, ast.Raise) and module.name in closure.modules and not bound:
            why = Reason("keeps the module from loading", label, module.path, unit.first)
            _keep_statement(closure, module, unit, why)
        if _sets_state_read(closure, module, unit):
            text = "sets process state that the slice reads"
            _load(closure, module, loaded)
            closure.keep_whole(module, unit, Reason(text, label, module.path, unit.first))


def _new_bases(closure: Closure, module: Module, unit: Unit) -> Iterator[ClassInfo]:
    """Yield the new bases in `Class.__bases__ = …`, whose members are queried through the class."""
    for node in unit.nodes:
        match node:
            case ast.Assign(
                targets=[ast.Attribute(attr="__bases__")], value=ast.Tuple(elts=elements)
            ):
                for each in elements:
                    values = closure.inference.evaluate(each, module_scope(module))
                    yield from (v.cls for v in ordered(values) if isinstance(v, ClassValue))
            case _:
                pass


def _sets_state_read(closure: Closure, module: Module, unit: Unit) -> bool:
    """Whether the slice reads state that the statement sets, or imports its module."""
    if puts_itself(unit) and not _is_used_or_named(closure, module):
        return False
    inference = closure.analysis.inference
    put = tuple(sys_modules_entries(module, unit, inference))
    return (
        any(reads_state(closure.mentioned, each) for each in state_set_by(module, unit, inference))
        or draws_after_seed(module, unit, inference, closure.mentioned)
        or any(name in closure.modules for name in put)
        or (bool(put) and reads_state(closure.mentioned, put))
    )


def _is_used_or_named(closure: Closure, module: Module) -> bool:
    """Whether the slice uses the module, or may find it by a string."""
    kept = closure.modules.get(module.name)
    if kept is None or kept.units or kept.must_load:
        return True
    return any(
        f"{quote}{module.name}{quote}" in each.module.source.text
        for each in closure.modules.values()
        for quote in "\"'"
    )


def _sets_unread_attribute(closure: Closure, module: Module, unit: Unit) -> bool:
    """Whether the statement only sets an attribute of a class that nothing accesses."""
    match unit.nodes:
        case (ast.Assign(targets=[ast.Attribute(value=ast.Name() as owner, attr=attr)]),) if (
            attr not in LABELS | _OF_EACH_USE
        ):
            values = closure.inference.evaluate(owner, module_scope(module))
        case _:
            return False
    classes = [value.cls for value in ordered(values) if isinstance(value, ClassValue)]
    changes = closure.analysis.effects.changes
    return bool(classes) and not any(
        closure.is_queried(cls, attr) or changes.metaclass_setters(cls) for cls in classes
    )


def _watched_subclass(
    closure: Closure, module: Module, unit: Unit
) -> Iterator[tuple[ClassInfo, Reason]]:
    """Yield the class that the statement defines with the reason, for each watched base of it."""
    node = unit.node
    if closure.watched and unit.kind == "class" and isinstance(node, ast.ClassDef):
        made = module_class(module, unit, node)
        above = closure.inference.mro(made)[1:]
        yield from ((made, why) for cls, why in closure.watched.items() if cls in above)


def _needed_table(closure: Closure, module: Module, unit: Unit) -> Reason | None:
    """Return why the statement's table is needed, if all tables of its base or `MetaData` are."""
    if not closure.mappers:
        return None
    owners = table_owners(closure.inference, module, unit)
    return next((closure.mappers[owner] for owner in owners if owner in closure.mappers), None)


def _deletes_target(unit: Unit, bound: set[str]) -> bool:
    """Whether the statement deletes a name that the slice must provide."""
    return any(
        isinstance(target, ast.Name) and target.id in bound
        for node in unit.nodes
        if isinstance(node, ast.Delete)
        for target in node.targets
    )


def _load(closure: Closure, module: Module, loaded: LoadedModules) -> None:
    """Keep the imports through which the target's module loads this one."""
    if module.name in closure.modules:
        return
    _keep_chain(closure, loaded, module.name)


def _is_kept(closure: Closure, module: Module, unit: Unit) -> bool:
    kept = closure.modules.get(module.name)
    return kept is not None and unit.index in kept.units


def _keep_statement(closure: Closure, module: Module, unit: Unit, reason: Reason) -> None:
    closure.need_module(module).must_load = True
    if unit.kind in ("function", "class"):
        closure.keep_binding(module, unit, unit.binds[0], "value", reason)
    else:
        closure.keep_whole(module, unit, reason)
