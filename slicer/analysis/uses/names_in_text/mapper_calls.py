"""Strings that name a mapped class or table for an object-relational mapper, or all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...names.mapper_names import MappedName
from ...values.abstract_values import ClassValue, External, ExternalInstance, ordered
from ..use_records import MappedUse, TablesUse
from ..use_walk import Walk

_FOR_EACH_TABLE = frozenset({"create_all", "drop_all"})
_OF_METADATA = _FOR_EACH_TABLE | {"sorted_tables", "tables"}
_RELATIONS = frozenset({"relationship", "dynamic_loader", "OneToOneField", "ManyToManyField"})


def visit_mapped_names(walk: Walk, node: ast.Call) -> None:
    """Keep the classes and tables that a mapper call names, wherever they are defined."""
    match node.func:
        case ast.Name(id=called) | ast.Attribute(attr=called):
            for found in _found(walk, called, node):
                walk.use(MappedUse(found.module, found.name, node.lineno))
        case _:
            pass


def visit_all_tables(walk: Walk, node: ast.Attribute) -> None:
    """Record a use of all tables, as `Base.metadata.create_all` and `db.create_all` make."""
    match node:
        case ast.Attribute(ast.Attribute(owner, "metadata"), attr) if attr in _OF_METADATA:
            pass
        case ast.Attribute(owner, attr) if attr in _FOR_EACH_TABLE:
            pass
        case _:
            return
    for value in ordered(walk.values(owner)):
        if isinstance(value, (ClassValue, External, ExternalInstance)):
            walk.use(TablesUse(value, node.lineno))


def _found(walk: Walk, called: str, node: ast.Call) -> Iterator[MappedName]:
    mapped, near = walk.inference.mapped, walk.module
    for text in filter(None, map(_text, (*node.args[:1], *_given(node, "argument", "to")))):
        if called in _RELATIONS:
            found = mapped.named_class(text, near)
        elif called == "ForeignKey":  # names a column in SQLAlchemy, a class in Django
            found = mapped.table(_table_of_column(text), near) if "." in text else None
            found = found or mapped.named_class(text, near)
        else:
            found = None
        if found is not None:
            yield found
    tables = [_text(each) for each in _given(node, "secondary")]
    tables += [_table_of_column(_text(each)) for each in _given(node, "foreign_key")]
    for table in filter(None, tables):
        if (found := mapped.table(table, near)) is not None:
            yield found


def _given(node: ast.Call, *names: str) -> tuple[ast.expr, ...]:
    return tuple(keyword.value for keyword in node.keywords if keyword.arg in names)


def _table_of_column(column: str) -> str:
    """Return the table of a column, without its schema."""
    return column.rpartition(".")[0].rpartition(".")[2]


def _text(node: ast.expr) -> str:
    """Return a string literal that is a name, possibly dotted; else an empty text."""
    match node:
        case ast.Constant(value=str() as text) if text.replace(".", "").isidentifier():
            return text
        case _:
            return ""
