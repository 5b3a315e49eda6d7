"""Format calls: `"{0.url}".format(self)` reads attributes, and so may an unknown format text."""

from __future__ import annotations

import ast

from ...values.abstract_values import ExternalInstance, Instance, Values
from ..use_records import FORMATS
from ..use_walk import Walk
from .format_fields import fields_of
from .name_patterns import all_texts_of

_METHODS = frozenset({"format", "format_map", "vformat"})
_TEXTS = frozenset({"builtins.str", "string.Formatter"})


def visit_format(walk: Walk, node: ast.Call) -> None:
    """Record a call that may read attributes which a format text names."""
    if any(k.arg == "style" and _is_text(k.value, "{") for k in node.keywords):
        walk.flags.add(FORMATS)  # `logging.Formatter("{user.name}", style="{")`
    match node.func:
        case ast.Attribute(value=text, attr=attr) if attr in _METHODS and _may_be_text(walk, text):
            texts = all_texts_of(text, walk.scope)
        case _:
            return
    if texts is None or attr != "format":
        walk.flags.add(FORMATS)
        return
    given = {str(index): argument for index, argument in enumerate(node.args)}
    given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    for first, names in [field for text in texts for field in fields_of(text)]:
        values: Values = walk.possible(given[first]) if first in given else None
        for name in names:
            walk.member(values, name, "value", node.lineno)
            values = None


def _may_be_text(walk: Walk, node: ast.expr) -> bool:
    """Whether the receiver may be a text, or a formatter."""
    for value in walk.values(node) or {None}:
        match value:
            case None | ExternalInstance(name="builtins.str" | "string.Formatter"):
                return True
            case Instance(cls=cls) if not _TEXTS.isdisjoint(walk.inference.external_bases(cls)):
                return True
            case _:
                continue
    return False


def _is_text(node: ast.expr, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text
