"""Classes that cannot be instantiated because some members are abstract (`abc`)."""

from __future__ import annotations

import ast

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import ClassInfo
from ...analysis.values.abstract_values import External
from ...repo.units import Unit


def abstract_members(inference: Inference, cls: ClassInfo) -> tuple[str, ...]:
    """Return the members to override before the class can be instantiated."""
    metaclass = External("abc.ABCMeta")
    if "abc.ABC" not in inference.external_bases(cls) and metaclass not in (
        inference.metaclass(cls) or ()
    ):
        return ()
    members = inference.member_names(cls).items()
    return tuple(sorted(name for name, (_, units) in members if any(map(_is_abstract, units))))


def _is_abstract(member: Unit) -> bool:
    return any(
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and any("abstract" in _last(each) for each in node.decorator_list)
        for node in member.nodes
    )


def _last(decorator: ast.expr) -> str:
    match decorator:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
