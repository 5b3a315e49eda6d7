"""Entry-point lookups that find the repository's own distribution in its build files.

`entry_points(group="tool.plugins")` returns what the build files list, and `load()` of each entry
imports a module by name.
"""

from __future__ import annotations

import ast

from ....packaging.build_metadata import EntryPoint, own_entry_points, spells
from ....repo.repository import Module
from ..names_in_text.name_patterns import name_patterns
from ..use_records import MappedUse, MemberUse, ModuleUse
from ..use_walk import Walk

FINDERS = frozenset(
    {"importlib.metadata.entry_points", "importlib_metadata.entry_points",
     "pkg_resources.iter_entry_points"}
)  # fmt: skip


def visit_entry_points(walk: Walk, node: ast.Call) -> bool:
    """Record the repository's own entry points of the group as possibly loaded."""
    groups = _groups(walk, node)
    for point in own_entry_points(walk.inference.repository, walk.module.path):
        if point.group in groups:
            _see_entry_point(walk, point, node.lineno)
    return False


def _groups(walk: Walk, node: ast.Call) -> set[str]:
    """Return the groups that a call requests; if all, the groups that the module spells."""
    requested = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "group")]
    if not requested:
        points = own_entry_points(walk.inference.repository, walk.module.path)
        return {p.group for p in points if spells(walk.module.source.text, p.group)}
    found = [pattern for given in requested for pattern in name_patterns(given, walk.scope)]
    return {each.text for each in found if not each.is_open}


def _see_entry_point(walk: Walk, point: EntryPoint, line: int) -> None:
    found = walk.inference.repository.find_module(point.module, walk.module)
    if not isinstance(found, Module):
        return
    if point.attribute:
        name, *members = point.attribute.split(".")
        walk.use(MappedUse(found, name, line, walk.module))
        for member in members:
            walk.use(MemberUse(None, member, "value", line))
    else:
        walk.use(ModuleUse(walk.module, point.module, line))
