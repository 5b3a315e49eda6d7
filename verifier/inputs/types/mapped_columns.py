"""Columns of mapped classes (Django, SQLAlchemy, peewee, MongoEngine) and their types."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ....mocker.flow.fields import declared_in

_TYPES = {
    "str": "Char Text Slug Email URL String Unicode UnicodeText VARCHAR TEXT FilePath Enum",
    "int": "Integer BigInteger SmallInteger PositiveInteger PositiveSmallInteger "
    "PositiveBigInteger INTEGER BIGINT Int",
    "number": "Float Double FLOAT REAL",
    "instance decimal.Decimal": "Decimal Numeric DECIMAL NUMERIC",
    "bool": "Boolean NullBoolean BOOLEAN",
    "instance datetime.datetime": "DateTime TIMESTAMP DATETIME",
    "instance datetime.date": "Date DATE",
    "dict": "JSON JSONB Dict",
    "list": "Array ARRAY List",
}
_KINDS = {name: kind for kind, names in _TYPES.items() for name in names.split()}
_KEYS = ("ForeignKey", "ForeignKeyField", "OneToOneField", "ReferenceField")
_COLUMNS = ("Column", "mapped_column")
_OTHERS = ("Form", "Serializer", "Schema", "Filter")
"""Suffixes of classes whose fields are no constructor arguments."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a mapped class."""

    name: str
    kind: str
    """Type in the words of facts (`str`, `int`, `instance datetime.date`, …); empty with `to`."""
    to: ast.expr | None = None
    """The class of the related instances."""


def columns_of(cls: ast.ClassDef) -> Iterator[Column]:
    """Yield the columns that a class defines; nothing for a class that is not mapped."""
    bases = [ast.unparse(base).rpartition(".")[2] for base in cls.bases]
    if not bases or any(base.endswith(_OTHERS) for base in bases):
        return
    for each in declared_in(cls.body):
        match each.value:
            case ast.Call(func=func, args=[ast.Name() as to, *_]) if _name(func) in _KEYS:
                yield Column(each.name, "", to)
            case ast.Call() as call if (kind := _kind(call)) is not None:
                yield Column(each.name, kind)
            case _:
                continue


def _kind(call: ast.Call) -> str | None:
    name = _name(call.func)
    if name.endswith("Field"):
        return _KINDS.get(name.removesuffix("Field"))
    if name not in _COLUMNS:
        return None
    types = (_KINDS.get(_name(each)) for each in call.args)
    return next((kind for kind in types if kind is not None), None)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=function):
            return _name(function)
        case _:
            return ""
