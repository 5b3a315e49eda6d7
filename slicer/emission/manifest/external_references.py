"""External names that each kept definition uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...analysis.scopes.definitions import module_class
from ...closure.worklist import Closure
from ...model import Reference


def external_references(closure: Closure) -> tuple[Reference, ...]:
    """Return one record for each kept definition that uses external names, in order of position."""
    return tuple(sorted(_references(closure), key=lambda r: (r.path, r.line, r.qualname)))


def _references(closure: Closure) -> Iterator[Reference]:
    analysis = closure.analysis
    for kept in closure.modules.values():
        module = kept.module
        for index in kept.units:
            unit = module.units[index]
            name = unit.binds[0] if unit.binds else f"<line {unit.first}>"
            members = kept.members.get(index)
            if members is None or not isinstance(unit.node, ast.ClassDef):
                names = analysis.unit_uses(module, unit).externals
                if names:
                    yield Reference(module.path, name, unit.first, tuple(sorted(names)))
                continue
            cls = module_class(module, unit, unit.node)
            found = analysis.header_uses(cls).externals
            if found:
                yield Reference(module.path, cls.qualname, unit.first, tuple(sorted(found)))
            for member in cls.members:
                if member.index in members and member.binds:
                    inside = analysis.member_uses(cls, member).externals
                    if inside:
                        label = f"{cls.qualname}.{member.binds[0]}"
                        yield Reference(module.path, label, member.first, tuple(sorted(inside)))
