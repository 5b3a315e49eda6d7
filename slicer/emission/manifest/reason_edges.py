"""All reasons for keeping each definition: the edges of the slice's dependency graph.

The closure notes the first reason for each definition; this part collects every definition that
uses its name. A class member counts as used by every access to a member of that name. All
statements that change one object at import share the object's reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...analysis.scopes.definitions import module_class
from ...closure.kept_definitions import KeptModule, Reason, member_label, unit_label
from ...closure.worklist import Closure


def reason_edges(closure: Closure) -> tuple[tuple[str, str], ...]:
    """Return pairs of labels: the asking definition (empty if none does), and the kept one."""
    edges: dict[tuple[str, str], None] = {}
    members: dict[str, dict[str, None]] = {}
    for kept in closure.modules.values():
        for why, label, names in _kept_by(kept):
            edges.setdefault((why.by, label))
            for name in names:
                members.setdefault(name, {}).setdefault(label)
    for (module, name), askers in closure.askers.items():
        if module is None:
            labels = list(members.get(name, ()))
        else:
            found = closure.analysis.effects.resolve(module, name) or (module, name)
            labels = [unit_label(found[0], unit) for unit in found[0].bindings.get(found[1], ())]
        edges.update(dict.fromkeys((by, label) for label in labels for by in askers))
    for (module, name), statements in closure.effects.items():
        changes = f"what changes {module.path}::{name}"
        edges.update(dict.fromkeys((changes, each) for each in statements))
        for unit in module.bindings.get(name, ()):
            edges.setdefault((unit_label(module, unit), changes))
    return tuple((by, label) for by, label in edges if by != label)


def _kept_by(kept: KeptModule) -> Iterator[tuple[Reason, str, tuple[str, ...]]]:
    """Yield the first reason of each statement, its label, and the member names that it binds."""
    for unit in kept.module.units:
        if unit.index in kept.units:
            yield kept.units[unit.index], unit_label(kept.module, unit), ()
        found = kept.members.get(unit.index)
        if found and isinstance(unit.node, ast.ClassDef):
            cls = module_class(kept.module, unit, unit.node)
            for member in cls.members:
                if member.index in found:
                    label = member_label(cls, member)
                    yield found[member.index], label, member.binds
